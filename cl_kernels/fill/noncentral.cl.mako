<%include file="place_of.cl.mako"/>
// Copies ${steps} of the ${2 * steps} raw values of each of n values, from raw value `begin` of each on. The first of these values is
// number `from` of all. Raw values of `inner` values are side by side.
__kernel void take_raw(__global const ${value} *restrict raw, const ulong from, const uint begin, const ulong inner,
                       __global ${value} *restrict taken, const ulong offset, const uint n)
{
% if width > 1:
    // ${width} values, of which those in vectors lie one behind another.
    const uint own = get_global_id(0) * ${width}, end = min(own + ${width}, n);
% if steps == 1:
    if (inner == 1 && own + ${width} <= n) {
        raw += 2 * (from + own);
        const ${value}${w} a = vload${width}(0, raw), b = vload${width}(1, raw);
        vstore${width}(begin ? (${value}${w})(a.odd, b.odd) : (${value}${w})(a.even, b.even), 0, taken + offset + own);
        return;
    }
% endif
    for (uint i = own; i < end; i++) {
        __global const ${value} *at = raw + first_raw(from + i, inner, ${2 * steps}) + begin * inner;
        __global ${value} *to = taken + offset + first_raw(i, inner, ${steps});
        for (uint j = 0; j < ${steps}; j++) to[j * inner] = at[j * inner];
    }
% else:
    const uint i = get_global_id(0);
    if (i >= n) return;
    raw += first_raw(from + i, inner, ${2 * steps}) + begin * inner;
    taken += offset + first_raw(i, inner, ${steps});
    for (uint j = 0; j < ${steps}; j++) taken[j * inner] = raw[j * inner];
% endif
}
% if fp64:

// Makes the degrees of freedom of a mixture, those of an element and twice its count.
__kernel void add_counts(__global double *restrict out, const ulong offset, const ulong first, const uint n,
                         __global const ${df} *restrict dfs, const ulong first_df, const uint df_axes, const uint out_axes,
                         __global const ulong *restrict sizes, __global const long *restrict steps, __global const uint *restrict counts)
{
% if width > 1:
    const uint begin = get_global_id(0) * ${width};
    if (begin >= n) return;
    const bool is_whole = begin + ${width} <= n;
    double${w} df;
<%include file="given.cl.mako" args="name='df', kind='double', array='dfs', axis='df', sizes='sizes', steps_along='steps'"/>
    if (is_whole) {
        vstore${width}(df + 2.0 * convert_double${w}(vload${width}(0, counts + begin)), 0, out + offset + begin);
    } else {
        double lanes[${width}];
        vstore${width}(df, 0, lanes);
        for (uint i = 0; i < n - begin; i++) out[offset + begin + i] = lanes[i] + 2.0 * (double)counts[begin + i];
    }
% else:
    const uint i = get_global_id(0);
    if (i >= n) return;
    const double df = dfs[df_axes ? place_of(first_df + i, 0, df_axes, sizes, steps) : first_df + i];
    out[offset + i] = df + 2.0 * (double)counts[i];
% endif
}
% endif
