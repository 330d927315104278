<%include file="place_of.cl.mako"/>
// Divides numbers of one array by those of another, in double precision. Both are broadcast: the axes are those of `over`, and then as
// many of `under`.
__kernel void divide(__global double *restrict ratios, const ulong offset, const ulong n, __global const ${over} *restrict over,
                     const ulong over_offset, __global const ${under} *restrict under, const ulong under_offset, const uint axes,
                     __global const ulong *restrict sizes, __global const long *restrict steps)
{
    const ulong i = get_global_id(0);
    if (i >= n) return;
    const double a = over[over_offset + place_of(i, 0, axes, sizes, steps)], b = under[under_offset + place_of(i, axes, axes, sizes, steps)];
    ratios[offset + i] = a / b;
}
