<%include file="keys.cl.mako"/>
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
    for (uint i = 0; i + 1 < length; i += 2) {
        even[digit_of(keys[i], shift, mask, flip)]++;
        odd[digit_of(keys[i + 1], shift, mask, flip)]++;
    }
    if (length % 2) even[digit_of(keys[length - 1], shift, mask, flip)]++;
    counts += part * ${digits};
    for (uint digit = 0; digit < ${digits}; digit++) counts[digit] = even[digit] + odd[digit];
}
