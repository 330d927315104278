<%include file="keys.cl.mako"/>
// Counts the digits of all passes at once: of pass p those with the digit d are added to totals[p*${digits} + d]. A pass
// takes the bits from first_bit(p) on up to first_bit(p + 1). There are several tables, so that equal keys seldom wait for
// one another.
#define FIRST_BIT(pass) (low + (high - low) * (pass) / ${passes}u)

__attribute__((reqd_work_group_size(${group_size}, 1, 1)))
__kernel void count_all_digits(__global const ${word} *restrict keys, const ulong offset, const uint n, const uint low,
                               const uint high, const uint descending, __global uint *restrict totals)
{
    __local uint tables[${copies * passes * digits}];
    const uint item = get_local_id(0), turn = get_global_size(0) * ${keys_each};
    for (uint i = item; i < ${copies * passes * digits}; i += ${group_size}) tables[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    keys += offset;
    __local uint *const table = tables + item % ${copies} * ${passes * digits};
    for (uint first = get_group_id(0) * ${group_size * keys_each} + item; first < n; first += turn) {
        ${word} key[${keys_each}];
#pragma unroll
        for (uint j = 0; j < ${keys_each}; j++) key[j] = keys[min(first + j * ${group_size}, n - 1)];
#pragma unroll
        for (uint j = 0; j < ${keys_each}; j++)
            if (first + j * ${group_size} < n) {
                for (uint pass = 0; pass < ${passes}; pass++) {
                    const uint shift = FIRST_BIT(pass), mask = (1u << (FIRST_BIT(pass + 1) - shift)) - 1;
                    atomic_inc(&table[pass * ${digits} + digit_of(key[j], shift, mask, descending ? mask : 0)]);
                }
            }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = item; i < ${passes * digits}; i += ${group_size}) {
        uint sum = 0;
        for (uint copy = 0; copy < ${copies}; copy++) sum += tables[copy * ${passes * digits} + i];
        if (sum) atomic_add(&totals[i], sum);
    }
}
