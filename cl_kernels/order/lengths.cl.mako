// Sets lengths[k] to how many places there are from starts[k] to before starts[k + 1], or n behind the last one.
__kernel void lengths(__global const uint *restrict starts, __global uint *restrict lengths, const ulong offset,
                      const uint groups, const uint n)
{
    const uint k = get_global_id(0);
    if (k < groups) lengths[offset + k] = (k + 1 < groups ? starts[k + 1] : n) - starts[k];
}
