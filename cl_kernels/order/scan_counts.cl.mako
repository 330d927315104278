<%include file="scan_in_group.cl.mako"/>
// Turns the counts of a digit, a row of `parts`, into the sums of those before each, and puts that of all in `totals`.
// Every work-group has a digit.
__attribute__((reqd_work_group_size(${group_size}, 1, 1)))
__kernel void scan_counts(__global uint *restrict counts, const uint parts, __global uint *restrict totals)
{
    __local uint sums[${group_size + min(16, group_size)}];
    const uint item = get_local_id(0), digit = get_group_id(0);
    counts += digit * parts;
    uint before = 0;
    for (uint first = 0; first < parts; first += ${group_size}) {
        const uint i = first + item;
        uint total;
        const uint sum = sum_before(i < parts ? counts[i] : 0u, sums, &total);
        if (i < parts) counts[i] = before + sum;
        before += total;
    }
    if (item == 0) totals[digit] = before;
}
