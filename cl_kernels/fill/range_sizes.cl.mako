<%include file="place_of.cl.mako"/>
<%include file="range.cl.mako" args="q=''"/>
% if width > 1:
<%include file="range.cl.mako" args="q='vector_', w=width"/>
% endif
// Finds the least and the most of what range_size says of the bounds of elements. Work-item i looks at `turns` elements, the first of
// which is apart * i, and each of which comes `step` after the one before. Group g puts what it finds in found[2*g] and found[2*g + 1]. Both
// arrays are broadcast: the axes are those of `lows`, and then as many of `highs`.
__kernel void find_range_sizes(__global ulong *restrict found, const ulong n, const ulong turns, const ulong apart,
                               const ulong step, __global const ${low} *restrict lows, const ulong first_low,
                               __global const ${high} *restrict highs, const ulong first_high, const uint axes,
                               __global const ulong *restrict sizes, __global const long *restrict steps)
{
    ulong low = ~0UL, high = 0;
    const ulong begin = apart * get_global_id(0), end = min(n, begin + turns * step);
    lows += first_low;
    highs += first_high;
    // Along one axis an array has values one behind another, or one for all.
    if (axes <= 1) {
        const ulong low_step = axes ? (ulong)steps[0] : 1UL, high_step = axes ? (ulong)steps[1] : 1UL;
        ulong i = begin;
% if width > 1:
        ulong${width} leasts = ~0UL, mosts = 0;
        for (; i + ${width} <= end; i += ${width}) { // here elements come one after the other
            ${low}${width} these_lows = lows[0];
            ${high}${width} these_highs = highs[0];
            if (low_step) these_lows = vload${width}(0, lows + i);
            if (high_step) these_highs = vload${width}(0, highs + i);
            const ulong${width} size = vector_range_size(these_lows, these_highs);
            leasts = min(leasts, size);
            mosts = max(mosts, size);
        }
% for lane in range(width):
        low = min(low, leasts.s${"%x" % lane});
        high = max(high, mosts.s${"%x" % lane});
% endfor
% else:
        // Bounds are read together, so that they come together.
        for (; i + ${together - 1} * step < end; i += ${together} * step) {
            ${low} these_lows[${together}];
            ${high} these_highs[${together}];
% for j in range(together):
            these_lows[${j}] = lows[(i + ${j} * step) * low_step];
            these_highs[${j}] = highs[(i + ${j} * step) * high_step];
% endfor
% for j in range(together):
            const ulong size${j} = ${q}range_size(these_lows[${j}], these_highs[${j}]);
            low = min(low, size${j});
            high = max(high, size${j});
% endfor
        }
% endif
        for (; i < end; i += step) {
            const ulong size = ${q}range_size(lows[i * low_step], highs[i * high_step]);
            low = min(low, size);
            high = max(high, size);
        }
    } else
        for (ulong i = begin; i < end; i += step) {
            const ulong size = ${q}range_size(lows[place_of(i, 0, axes, sizes, steps)], highs[place_of(i, axes, axes, sizes, steps)]);
            low = min(low, size);
            high = max(high, size);
        }
<%include file="../ends_of_group.cl.mako" args="key='ulong', group_size=group_size"/>
}
