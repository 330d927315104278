<%include file="keys.cl.mako"/>
<%include file="digits_of_block.cl.mako"/>
<%
    digits = 1 << digit_bits
    arrays = ["keys"] + (["values"] if value else [])
    ctypes = {"keys": word, "values": value}
    given = ["keys"] + (["values"] if value and not made else []) if alone else []
    first = passes if alone else 0    # before or after so many passes they are in the first array
    route = ["first" if (i - first) % 2 == 0 else "second" for i in range(passes + 1)]
    if alone:
        route[0] = "given"
%>
% if alone:
// Sorts the `n` given keys by the bits from `low` to `high` - 1, and the given values with them. A single work-item takes
// them to the one array and on to the other, ${passes} times in all, by a digit each time; at last they are in the first.
__kernel void sort_alone(const uint n, const uint low, const uint high, const uint descending
% for name in given:
                         , __global const ${ctypes[name]} *restrict given_${name}, const ulong given_${name}_offset
% endfor
% else:
// Sorts the keys of every bucket by its other bits, those from `low` to `high` - 1, and the values with them. A work-item
// has a bucket, and takes it from the first array to the second one and back, ${passes} times, by a digit each time.
__kernel void sort_buckets(__global const uint *restrict buckets, const uint low, const uint high, const uint descending
% endif
% for name in arrays:
                           , __global ${ctypes[name]} *restrict first_${name}, const ulong first_${name}_offset
                           , __global ${ctypes[name]} *restrict second_${name}, const ulong second_${name}_offset
% endfor
)
{
% if alone:
    const uint begin = 0, length = n;
% else:
    if (buckets[${bucket_count + 1}]) return;
    const uint begin = buckets[get_global_id(0)], length = buckets[get_global_id(0) + 1] - begin;
% endif
    const uint bits = high - low, flip = descending ? 0xffffffffu : 0;
    if (length == 0) return;
% for name in arrays:
    first_${name} += first_${name}_offset + begin;
    second_${name} += second_${name}_offset + begin;
% endfor
% for name in given:
    given_${name} += given_${name}_offset;
% endfor
    uint count[${passes * digits}];
    for (uint i = 0; i < ${passes * digits}; i++) count[i] = 0;
    uint digit[BLOCK];
    for (uint first = 0; first < length; first += BLOCK) {
        const uint some = min(length - first, (uint)BLOCK);
% for i in range(passes):
        {
            const uint begins = bits * ${i}u / ${passes}u, mask = (1u << (bits * ${i + 1}u / ${passes}u - begins)) - 1;
            digits_of(${route[0]}_keys + first, some, low + begins, mask, flip & mask, digit);
            for (uint i = 0; i < some; i++) count[${i * digits} + digit[i]]++;
        }
% endfor
    }
% for i in range(passes):
<% source, target = route[i], route[i + 1] %>
    {
        const uint begins = bits * ${i}u / ${passes}u, width = bits * ${i + 1}u / ${passes}u - begins;
        const uint mask = (1u << width) - 1, turned = flip & mask;
        uint before = 0;
        for (uint i = ${i * digits}; i <= ${i * digits} + mask; i++) {
            const uint some = count[i];
            count[i] = before;
            before += some;
        }
        for (uint first = 0; first < length; first += BLOCK) {
            const uint some = min(length - first, (uint)BLOCK);
            digits_of(${source}_keys + first, some, low + begins, mask, turned, digit);
            for (uint i = 0; i < some; i++) {
                const uint place = count[${i * digits} + digit[i]]++;
% if keys_out or i + 1 < passes:
                ${target}_keys[place] = ${source}_keys[first + i];
% endif
% if value:
                ${target}_values[place] = ${"first + i" if made and i == 0 else f"{source}_values[first + i]"};
% endif
            }
        }
    }
% endfor
}
