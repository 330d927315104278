// out[offset + i] becomes bit i of the words, for all i < n, the lowest of each word first.
__kernel void place_bits(__global const uint *restrict words, const ulong n, __global uchar *restrict out,
                         const ulong offset)
{
    const size_t i = get_global_id(0);
    if (i < n) out[offset + i] = words[i >> 5] >> (i & 31) & 1;
}
