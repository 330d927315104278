## Needs group_size, a multiple of 16 or less than 16.
<%
    rakers = min(16, group_size)
    raked = group_size // rakers
%>
// Returns the sum of the `x` of the work-items before this one, and puts that of all in `total`. All work-items of the
// group call it. A sixteenth of them add up what neighbours have left in local memory.
CLRNG_INLINE uint sum_before(const uint x, __local uint *sums, uint *total)
{
    __local uint *const raker_sums = sums + ${group_size};
    const uint item = get_local_id(0);
    sums[item] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < ${rakers}) {
        uint sum = 0;
        for (uint i = item * ${raked}; i < (item + 1) * ${raked}; i++) {
            const uint mine = sums[i];
            sums[i] = sum;
            sum += mine;
        }
        raker_sums[item] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint before = sums[item], all = 0;
    for (uint i = 0; i < ${rakers}; i++) {
        const uint sum = raker_sums[i];
        if (i < item / ${raked}) before += sum;
        all += sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *total = all;
    return before;
}
