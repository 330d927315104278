// Sets every bit of `size` bytes from byte `begin` on; a work-item sets 16 of them.
__kernel void poison(__global uchar *restrict out, const ulong begin, const ulong size)
{
    const ulong first = (ulong)get_global_id(0) * 16;
    out += begin;
    if (first + 16 <= size) vstore16((uchar16)(255), 0, out + first);
    else for (ulong i = first; i < size; i++) out[i] = 255;
}
