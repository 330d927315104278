// Numbers pairs of numbers: that of (first, second) is first * size + second, where second is below size.
__kernel void pair(__global uint *restrict pairs, const ulong offset, const ulong n, __global const uint *restrict first,
                   const ulong first_offset, __global const uint *restrict second, const ulong second_offset, const uint size)
{
    const ulong i = get_global_id(0);
    if (i < n) pairs[offset + i] = first[first_offset + i] * size + second[second_offset + i];
}
