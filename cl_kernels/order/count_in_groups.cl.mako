<%include file="keys.cl.mako"/>
// Counts the digits of a part of the keys, `part_size` of them, in every work-group: those of part i are in
% if ahead:
// counts[i*${digits} + digit]. The counts for later passes, behind those of all parts, become 0; there are `passes` in all.
% else:
// counts[digit*parts + i].
% endif
// There are several tables, so that equal keys seldom wait for one another.
__attribute__((reqd_work_group_size(${group_size}, 1, 1)))
__kernel void count_digits(__global const ${word} *restrict keys, const ulong offset, const uint n, const uint part_size,
                  const uint shift, const uint mask, const uint flip, __global uint *restrict counts${", const uint passes" if ahead else ""})
{
    __local uint tables[${copies * digits}];
    const uint item = get_local_id(0), part = get_group_id(0), parts = get_num_groups(0);
    const uint begin = part * part_size, end = begin + min(part_size, n - begin);
    for (uint i = item; i < ${copies * digits}; i += ${group_size}) tables[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    keys += offset;
    __local uint *const table = tables + item % ${copies} * ${digits};
    uint first = begin + item;
    for (; first + ${(keys_each - 1) * group_size} < end; first += ${keys_each * group_size}) {
        ${word} key[${keys_each}];
#pragma unroll
        for (uint j = 0; j < ${keys_each}; j++) key[j] = keys[first + j * ${group_size}];
#pragma unroll
        for (uint j = 0; j < ${keys_each}; j++) atomic_inc(&table[digit_of(key[j], shift, mask, flip)]);
    }
    for (; first < end; first += ${group_size}) atomic_inc(&table[digit_of(keys[first], shift, mask, flip)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint digit = item; digit < ${digits}; digit += ${group_size}) {
        uint sum = 0;
        for (uint i = 0; i < ${copies}; i++) sum += tables[i * ${digits} + digit];
% if ahead:
        counts[part * ${digits} + digit] = sum;
        for (uint pass = 1; pass < passes; pass++) counts[(pass * parts + part) * ${digits} + digit] = 0;
% else:
        counts[digit * parts + part] = sum;
% endif
    }
}
