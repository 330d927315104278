// out[offset + i] becomes `value`, for all i < n.
__kernel void place_same(const ulong value, const ulong n, __global ${out} *restrict out, const ulong offset)
{
    if (get_global_id(0) < n) out[offset + get_global_id(0)] = (${out})value;
}
