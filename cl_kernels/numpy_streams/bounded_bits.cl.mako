// out[offset + i] becomes bit i of the bytes, for all i < n, the lowest of each byte first: a work-item has those of a byte.
__kernel void place_bits(__global const uchar *restrict bytes, const ulong n, __global uchar *restrict out,
                         const ulong offset)
{
    const size_t i = 8 * get_global_id(0);
    if (i >= n) return;
    // bit j of the byte in byte j, moved to the upper bit by an addition, and then to the lowest one
    const ulong alone = bytes[get_global_id(0)] * 0x0101010101010101UL & 0x8040201008040201UL;
    const ulong bits = (alone + 0x7f7f7f7f7f7f7f7fUL) >> 7 & 0x0101010101010101UL;
    out += offset + i;
    if (n - i < 8)
        for (uint j = 0; j < n - i; j++) out[j] = bits >> (8 * j);
    else if (((size_t)out & 7) == 0)
        *(__global ulong *)out = bits;
    else
        vstore8(as_uchar8(bits), 0, out);
}
