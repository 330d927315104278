<%
    alone = group_size == 1
%>
// What the kernels of permutations share: work-groups of ${group_size} work-item(s), which count in local memory.
% if alone:
#define CLRNG_TOGETHER
#define CLRNG_COUNT(place) ((*(place))++)
% else:
#define CLRNG_TOGETHER barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define CLRNG_COUNT(place) atomic_inc(place)
% endif
#define CLRNG_GROUP __attribute__((reqd_work_group_size(${group_size}, 1, 1)))

// Replaces each of n counts by the sum of those before it. All work-items of a group call it; `sums` is theirs.
CLRNG_INLINE void sum_before(__local uint *counts, const uint n, __local uint *sums)
{
    const uint item = get_local_id(0), each = (n + ${group_size - 1}u) / ${group_size}u;
    const uint first = CLRNG_MIN(item * each, n), end = CLRNG_MIN(first + each, n);
    uint sum = 0;
% if not alone:
    for (uint i = first; i < end; i++) sum += counts[i];
    sums[item] = sum;
    CLRNG_TOGETHER;
    for (uint reach = 1; reach < ${group_size}u; reach *= 2) {
        const uint before = item >= reach ? sums[item - reach] : 0;
        CLRNG_TOGETHER;
        sums[item] += before;
        CLRNG_TOGETHER;
    }
    sum = item ? sums[item - 1] : 0;
% endif
    for (uint i = first; i < end; i++) {
        const uint count = counts[i];
        counts[i] = sum;
        sum += count;
    }
    CLRNG_TOGETHER;
}
