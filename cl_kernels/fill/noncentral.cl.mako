<%include file="place_of.cl.mako"/>
// Copies ${steps} of the ${2 * steps} raw values of each of n values, from raw value `begin` of each on. The first of these values is
// number `from` of all. Raw values of `inner` values are side by side.
__kernel void take_raw(__global const ${value} *restrict raw, const ulong from, const uint begin, const ulong inner,
                       __global ${value} *restrict taken, const ulong offset, const uint n)
{
    const uint own = get_global_id(0)${f" * {width}" if width > 1 else ""};
% if width > 1 and steps == 1:
    if (inner == 1 && own + ${width} <= n) {
        const ${value}${w} a = vload${width}(0, raw + 2 * (from + own)), b = vload${width}(1, raw + 2 * (from + own));
        vstore${width}(begin ? (${value}${w})(a.odd, b.odd) : (${value}${w})(a.even, b.even), 0, taken + offset + own);
        return;
    }
% endif
    for (uint i = own; i < min(own + ${width}, n); i++) {
        __global const ${value} *given = raw + first_raw(from + i, inner, ${2 * steps}) + begin * inner;
        for (uint j = 0; j < ${steps}; j++) taken[offset + first_raw(i, inner, ${steps}) + j * inner] = given[j * inner];
    }
}
% if fp64:

// Makes the degrees of freedom of a mixture, those of an element and twice its count.
__kernel void add_counts(__global double *restrict out, const ulong offset, const ulong first, const uint n,
                         __global const ${df} *restrict dfs, const ulong first_df, const uint df_axes, const uint out_axes,
                         __global const ulong *restrict sizes, __global const long *restrict steps, __global const uint *restrict counts)
{
    const uint begin = get_global_id(0)${f" * {width}" if width > 1 else ""}, count_axes = 0, first_count = 0;
    if (begin >= n) return;
% if width > 1:
    const bool is_whole = begin + ${width} <= n;
% endif
    double${w} df, count;
<%include file="given.cl.mako" args="name='df', kind='double', array='dfs', axis='df', sizes='sizes', steps_along='steps'"/>
<%include file="given.cl.mako" args="name='count', kind='double', array='counts', axis='count', sizes='sizes', steps_along='steps'"/>
    const double${w} freedom = df + 2.0 * count;
<%include file="placed.cl.mako" args="name='freedom', axis='df'"/>
}
% endif
