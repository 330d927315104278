<%include file="keys.cl.mako"/>
<%include file="digits_of_block.cl.mako"/>
// Counts the digits of a part of the keys, `part_size` of them, in every work-item: those of part i are in
// counts[i*${digits} + digit]. Keys take turns between two tables, so that equal ones do not wait for each other.
__kernel void count_digits(__global const ${word} *restrict keys, const ulong offset, const uint n, const uint part_size,
                           const uint shift, const uint mask, const uint flip, __global uint *restrict counts\
% if guard:
, __global const uint *restrict buckets\
% endif
)
{
<%include file="guard.cl.mako"/>
    uint even[${digits}], odd[${digits}];
    const uint part = get_global_id(0), begin = part * part_size, length = min(part_size, n - begin);
    for (uint digit = 0; digit < ${digits}; digit++) even[digit] = odd[digit] = 0;
    keys += offset + begin;
    uint digit[BLOCK];
    for (uint first = 0; first < length; first += BLOCK) {
        const uint some = min(length - first, (uint)BLOCK);
        digits_of(keys + first, some, shift, mask, flip, digit);
        for (uint i = 0; i + 1 < some; i += 2) {
            even[digit[i]]++;
            odd[digit[i + 1]]++;
        }
        if (some % 2) even[digit[some - 1]]++;
    }
    counts += part * ${digits};
    for (uint digit = 0; digit < ${digits}; digit++) counts[digit] = even[digit] + odd[digit];
}
