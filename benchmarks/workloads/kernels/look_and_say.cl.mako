// One step of the look-and-say sequence: each run of equal digits becomes its length and its digit. A work-item sees to
// the runs that begin among ${each} neighbouring digits, of which none is 0.

typedef struct { ulong begin, end; uint before; } range;

range own_range(__global const uchar *digits, const ulong size)
{
    range own;
    own.begin = min(size, (ulong)${each} * get_global_id(0));
    own.end = min(size, own.begin + ${each});
    own.before = own.begin ? digits[own.begin - 1] : 0;
    return own;
}

uint runs_of(__global const uchar *digits, const range own)
{
    uint before = own.before, runs = 0;
    for (ulong i = own.begin; i < own.end; i++) {
        runs += digits[i] != before;
        before = digits[i];
    }
    return runs;
}

// The sum of `value` over the work-items of the group up to this one.
uint sum_up_to(const uint value, __local uint *sums)
{
    const uint item = get_local_id(0);
    sums[item] = value;
% if group_size > 1:
    for (uint distance = 1; distance < ${group_size}u; distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint other = item < distance ? 0 : sums[item - distance];
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[item] += other;
    }
% endif
    return sums[item];
}

// Counts the runs that each work-group sees to.
__kernel void count_runs(__global const uchar *restrict digits, const ulong size, __global uint *restrict runs)
{
    __local uint sums[${group_size}];
    const uint sum = sum_up_to(runs_of(digits, own_range(digits, size)), sums);
    if (get_local_id(0) == ${group_size - 1})
        runs[get_group_id(0)] = sum;
}

// The sum of the runs of the work-groups before this one.
ulong runs_before(__global const uint *runs, __local uint *sums)
{
    uint own = 0;
    for (uint group = get_local_id(0); group < get_group_id(0); group += ${group_size}u)
        own += runs[group];
    sum_up_to(own, sums);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint all = sums[${group_size - 1}];
    barrier(CLK_LOCAL_MEM_FENCE);
    return all;
}

// Writes what is said of all runs. `runs` has those of each work-group or, if it was scanned, those up to its end.
__kernel void say_runs(__global const uchar *restrict digits, const ulong size, __global const uint *restrict runs,
                       const uint scanned, __global uchar2 *restrict said)
{
    __local uint sums[${group_size}];
    ulong place = 0;
    if (!scanned)
        place = runs_before(runs, sums);
    else if (get_group_id(0))
        place = runs[get_group_id(0) - 1];
    const range own = own_range(digits, size);
    const uint count = runs_of(digits, own);
    place += sum_up_to(count, sums) - count;
    ulong i = own.begin;
    while (i < own.end && digits[i] == own.before)
        i++;
    while (i < own.end) {
        uint length = 1;
        while (i + length < size && digits[i + length] == digits[i])
            length++;
        said[place++] = (uchar2)((uchar)length, digits[i]);
        i += length;
    }
}
