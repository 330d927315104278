<%include file="keys.cl.mako"/>
<%include file="digits_of_block.cl.mako"/>
// Moves the keys of a part, `part_size` of them, to where those of their digits go, and the values with them. A work-item
// finds from the `counts` of all parts where the keys of its own go, and moves one after the other.
__kernel void scatter(__global const ${word} *restrict keys, const ulong offset, const uint n, const uint part_size,
                      const uint shift, const uint bits, const uint descending,
                      __global const uint *restrict counts<%include file="moved.cl.mako"/>\
% if guard:
, __global const uint *restrict buckets\
% endif
)
{
<%include file="guard.cl.mako"/>
    uint next[${digits}], all[${digits}];
    const uint part = get_global_id(0), parts = get_global_size(0);
    const uint begin = part * part_size, length = min(part_size, n - begin);
    const uint mask = (1u << bits) - 1, flip = descending ? mask : 0;
    for (uint digit = 0; digit < ${digits}; digit++) next[digit] = all[digit] = 0;
    for (uint other = 0; other < parts; other++, counts += ${digits}) {
        if (other == part)
            for (uint digit = 0; digit < ${digits}; digit++) next[digit] = all[digit];
        for (uint digit = 0; digit < ${digits}; digit++) all[digit] += counts[digit];
    }
    uint before = 0;
    for (uint digit = 0; digit < ${digits}; digit++) {
        next[digit] += before;
        before += all[digit];
    }
<%include file="offsets.cl.mako" args="begin=' + begin'"/>\
    uint digit[BLOCK];
    for (uint first = 0; first < length; first += BLOCK) {
        const uint some = min(length - first, (uint)BLOCK);
        digits_of(keys + first, some, shift, mask, flip, digit);
        for (uint i = 0; i < some; i++) {
            const uint place = next[digit[i]]++;
% if keys_out:
            new_keys[place] = keys[first + i];
% endif
% if values:
            new_values[place] = ${"values[first + i]" if values == "read" else "begin + first + i"};
% endif
        }
    }
}
