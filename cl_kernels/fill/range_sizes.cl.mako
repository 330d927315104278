<%include file="place_of.cl.mako"/>
<%include file="range.cl.mako" args="q=''"/>
% if width > 1:
<%include file="range.cl.mako" args="q='vector_', w=width"/>
% endif
// Finds the least and the most of what range_size says of the bounds of elements. Work-item i looks at `turns` elements, the first of
// which is apart * i, and each of which comes `step` after the one before: it puts what it finds in found[2*i] and found[2*i + 1]. Both
// arrays are broadcast: the axes are those of `lows`, and then as many of `highs`.
__kernel void find_range_sizes(__global ulong *restrict found, const ulong offset, const ulong n, const ulong turns, const ulong apart,
                               const ulong step, __global const ${low} *restrict lows, const ulong first_low,
                               __global const ${high} *restrict highs, const ulong first_high, const uint axes,
                               __global const ulong *restrict sizes, __global const long *restrict steps)
{
    ulong least = ~0UL, most = 0;
    const ulong begin = apart * get_global_id(0), end = min(n, begin + turns * step);
    lows += first_low;
    highs += first_high;
    if (axes == 0) {
        ulong i = begin;
% if width > 1:
        ulong${width} leasts = ~0UL, mosts = 0;
        for (; i + ${width} <= end; i += ${width}) { // here elements come one after the other
            const ulong${width} size = vector_range_size(vload${width}(0, lows + i), vload${width}(0, highs + i));
            leasts = min(leasts, size);
            mosts = max(mosts, size);
        }
% for lane in range(width):
        least = min(least, leasts.s${"%x" % lane});
        most = max(most, mosts.s${"%x" % lane});
% endfor
% else:
        // Bounds are read together, so that they come together.
        for (; i + ${together - 1} * step < end; i += ${together} * step) {
            ${low} low[${together}];
            ${high} high[${together}];
% for j in range(together):
            low[${j}] = lows[i + ${j} * step];
            high[${j}] = highs[i + ${j} * step];
% endfor
% for j in range(together):
            const ulong size${j} = ${q}range_size(low[${j}], high[${j}]);
            least = min(least, size${j});
            most = max(most, size${j});
% endfor
        }
% endif
        for (; i < end; i += step) {
            const ulong size = ${q}range_size(lows[i], highs[i]);
            least = min(least, size);
            most = max(most, size);
        }
    } else
        for (ulong i = begin; i < end; i += step) {
            const ulong size = ${q}range_size(lows[place_of(i, 0, axes, sizes, steps)], highs[place_of(i, axes, axes, sizes, steps)]);
            least = min(least, size);
            most = max(most, size);
        }
    found[offset + 2 * get_global_id(0)] = least;
    found[offset + 2 * get_global_id(0) + 1] = most;
}
