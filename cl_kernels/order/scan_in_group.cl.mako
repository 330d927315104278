## Needs group_size, a multiple of 16 or less than 16.
<%page args="sum_type='uint'"/>\
<%
    rakers = min(16, group_size)
    raked = group_size // rakers
%>
// Returns the sum of the `x` of the work-items before this one, and puts that of all in `total`. All work-items of the
// group call it. A sixteenth of them add up what neighbours have left in local memory.
CLRNG_INLINE ${sum_type} sum_before(const ${sum_type} x, __local ${sum_type} *sums, ${sum_type} *total)
{
    __local ${sum_type} *const raker_sums = sums + ${group_size};
    const uint item = get_local_id(0);
    sums[item] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < ${rakers}) {
        ${sum_type} sum = 0;
        for (uint i = item * ${raked}; i < (item + 1) * ${raked}; i++) {
            const ${sum_type} mine = sums[i];
            sums[i] = sum;
            sum += mine;
        }
        raker_sums[item] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    ${sum_type} before = sums[item], all = 0;
    for (uint i = 0; i < ${rakers}; i++) {
        const ${sum_type} sum = raker_sums[i];
        if (i < item / ${raked}) before += sum;
        all += sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *total = all;
    return before;
}
