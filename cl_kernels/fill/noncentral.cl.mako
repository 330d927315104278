<%include file="place_of.cl.mako"/>
// Copies ${steps} of the ${2 * steps} raw values of each of n values, from raw value `begin` of each on. The first of these values is
// number `from` of all. Raw values of `inner` values are side by side.
__kernel void take_raw(__global const ${value} *restrict raw, const ulong from, const uint begin, const ulong inner,
                       __global ${value} *restrict taken, const ulong offset, const uint n)
{
    const uint i = get_global_id(0);
    if (i >= n) return;
    raw += first_raw(from + i, inner, ${2 * steps}) + begin * inner;
    taken += offset + first_raw(i, inner, ${steps});
    for (uint j = 0; j < ${steps}; j++) taken[j * inner] = raw[j * inner];
}
% if fp64:

// Makes the degrees of freedom of a mixture, those of an element and twice its count.
__kernel void add_counts(__global double *restrict out, const ulong offset, const ulong first, const uint n,
                         __global const ${df} *restrict dfs, const ulong first_df, const uint df_axes, const uint out_axes,
                         __global const ulong *restrict sizes, __global const long *restrict steps, __global const uint *restrict counts)
{
    const uint i = get_global_id(0);
    if (i >= n) return;
    const double df = dfs[df_axes ? place_of(first_df + i, 0, df_axes, sizes, steps) : first_df + i];
    out[offset + i] = df + 2.0 * (double)counts[i];
}
% endif
