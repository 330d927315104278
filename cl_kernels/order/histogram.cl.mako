## Floating-point numbers are subtracted as they are, and integers as unsigned ones, which is exact.
<%inherit file="count.cl.mako"/>
<%def name="parameters()">,
                           const ${wide} low, const ${wide} high, const uint low_bin, const uint high_bin,
                           __global const ${wide} *restrict bounds, const ${real} start, const ${real} scale,
                           const ${real} near</%def>
<%def name="find()">
                if (x >= low && x <= high) {
% if difference:
                    const ${real} place = (${real})((${difference})x - (${difference})low) * scale + start;
% else:
                    const ${real} place = (x - start) * scale;
% endif
                    bin = clamp((uint)max(place, (${real})0), low_bin, high_bin);
                    if (!(fabs(place - rint(place)) > near)) {
                        while (bin < high_bin && x >= bounds[bin + 1]) bin++;
                        while (bin > low_bin && x < bounds[bin]) bin--;
                    }
                }
</%def>
