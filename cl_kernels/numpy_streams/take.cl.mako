// out[offset + i] becomes a[a_offset + places[i]], for all i < n.
__kernel void take(__global const ${value} *restrict a, const ulong a_offset, __global const long *restrict places,
                   const ulong n, __global ${value} *restrict out, const ulong offset)
{
    const size_t i = get_global_id(0);
    if (i < n) out[offset + i] = a[a_offset + places[i]];
}
