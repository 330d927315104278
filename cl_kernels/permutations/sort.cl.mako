<%include file="group.cl.mako"/>
<%
    alone = group_size == 1
    # whether the keys at two neighbouring places differ in the low bits alone
    alike = lambda i, j: f"((stage[{i}] ^ stage[{j}]) & ~low) == 0" + (f" && ({j}) % length" if of_rows else "")
%>
// A work-group sorts up to ${most} keys in local memory and writes where they came from: ${"whole rows of `length` keys, `rows` of them" if of_rows else "a bucket, that from begins[b] to begins[b + 1] - 1"}.
//
% if of_rows:
// The lowest bits of a key, those set in `low`, are replaced by its place in the row. Each row
% else:
// The lowest bits of a key, those set in `low`, are its place in the segment that was divided. The bucket
% endif
// is divided by a digit of the keys into `digits` heaps, which have few keys each, and these are sorted one by one.
//
// Places whose keys do not differ in the other bits come in ascending order; each run of them is noted, as the place of
// the first in `order` and the number of them.${" The first row is at `place`." if of_rows else " Keys and order may be in the same memory."}

// Sorts the keys from `first` to `end` - 1 by insertion.
CLRNG_INLINE void insert(__local ulong *stage, const uint first, const uint end)
{
    for (uint i = first + 1; i < end; i++) {
        const ulong key = stage[i];
        uint j = i;
        for (; j > first && stage[j - 1] > key; j--) stage[j] = stage[j - 1];
        stage[j] = key;
    }
}

CLRNG_GROUP __kernel void sort_keys(__global const ulong *keys, const ulong keys_offset, __global ${out} *order, const ulong order_offset,
% if of_rows:
                        const uint n, const uint length, const uint rows, const uint place,
% else:
                        __global const uint *restrict begins,
% endif
                        const uint shift, const uint digits, const ulong low,
                        volatile __global uint *restrict runs, __global uint *restrict noted)
{
    __local uint found[${most_heaps}], sums[${group_size}];
    __local ulong stage[${most}];
    const uint item = get_local_id(0);
% if of_rows:
    const uint begin = get_group_id(0) * rows * length, size = CLRNG_MIN(n - begin, rows * length), heaps = rows * digits;
% else:
    const uint begin = begins[get_group_id(0)], size = begins[get_group_id(0) + 1] - begin, heaps = digits;
    if (size > ${most}u) return; // the host looks for it
% endif
    keys += keys_offset + begin;
    order += order_offset + ${"place + " if of_rows else ""}begin;

    for (uint h = item; h < heaps; h += ${group_size}u) found[h] = 0;
    CLRNG_TOGETHER;
% for step in ("count", "store"):
% if of_rows and alone:
    for (uint i = 0, row = 0, at = 0; i < size; i++, at++, row += at == length, at = at == length ? 0 : at) {
% else:
    for (uint i = item; i < size; i += ${group_size}u) {
% endif
% if of_rows and not alone:
        const uint row = i / length, at = i - row * length;
% endif
        const uint heap = ((uint)(keys[i] >> shift) & (digits - 1))${" + row * digits" if of_rows else ""};
% if step == "count":
        CLRNG_COUNT(found + heap);
    }
    CLRNG_TOGETHER;
    sum_before(found, heaps, sums);
% else:
        stage[CLRNG_COUNT(found + heap)] = ${"(keys[i] & ~low) | at" if of_rows else "keys[i]"};
    }
    CLRNG_TOGETHER;
% endif
% endfor

% if not alone:
    for (uint h = item; h < heaps; h += ${group_size}u) insert(stage, h ? found[h - 1] : 0, found[h]);
% elif of_rows:
    for (uint first = 0; first < size; first += length) insert(stage, first, first + length); // the heaps are in order
% else:
    insert(stage, 0, size); // the heaps are in order
% endif
    CLRNG_TOGETHER;

    for (uint i = item; i < size; i += ${group_size}u) order[i] = convert_${out}(stage[i] & low);
    for (uint i = item; i < size; i += ${group_size}u) {
        if (i + 1 < size && ${alike("i", "i + 1")} && !(i > 0 && ${alike("i - 1", "i")})) {
            uint end = i + 2;
            while (end < size && ${alike("end - 1", "end")}) end++;
            const uint run = atomic_inc(runs);
            noted[2 * run] = ${"place + " if of_rows else ""}begin + i;
            noted[2 * run + 1] = end - i;
        }
    }
}
