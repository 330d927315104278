// Reads every vector and does little else: what one kernel that reads all values can reach at best.
__kernel void read(__global const uint${width} *restrict a, const ulong size, __global uint *restrict sums)
{
    uint${width} sum = 0;
% if alone:
    const ulong each = (size - 1) / get_global_size(0) + 1, begin = each * get_global_id(0), step = 1;
    const ulong end = min(size, begin + each);
% else:
    const ulong begin = get_global_id(0), step = get_global_size(0), end = size;
% endif
    for (ulong v = begin; v < end; v += step)
        sum ^= a[v];
    sums[get_global_id(0)] = ${" ^ ".join(f"sum.s{lane:x}" for lane in range(width))};
}
