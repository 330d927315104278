## Floating-point numbers are subtracted as they are, and integers as unsigned ones, which is exact.
## Where a place is not near to a whole number, the bin is the place rounded down. Elsewhere the bounds of bins decide
## between that bin and those beside it or, with walks, those some bins away.
<%inherit file="count.cl.mako"/>
<%! vectors = True %>\
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
                const int whole = (int)place;
                const ${real} rest = place - (${real})whole;
                bin = clamp((uint)max(whole, 0), low_bin, high_bin);
                if (!(rest > near && rest < 1 - near)) {
                    ${"while" if walks else "if"} (bin < high_bin && x >= bounds[bin + 1]) bin++;
                    ${"while" if walks else "if"} (bin > low_bin && x < bounds[bin]) bin--;
                }
            }
</%def>
<%def name="find_all()">
<% reals = f"{real}{vector}" %>\
            const ${wide}${vector} y = ${f"convert_{wide}{vector}(x)" if difference else "x"};
% if difference:
            const ${reals} place = convert_${reals}(convert_${difference}${vector}(y) - (${difference})low) * scale + start;
% else:
            const ${reals} place = (y - start) * scale;
% endif
            bins_found = convert_int${vector}(place);
            const ${reals} rest = place - convert_${reals}(bins_found);
            bins_found = min(bins_found, (int${vector})(int)high_bin);
            simple = all(y >= low) && all(y <= high) && all(rest > near) && all(rest < 1 - near);
</%def>
