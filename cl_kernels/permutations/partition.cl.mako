<%include file="group.cl.mako"/>
// Segments of keys are divided into buckets by a digit of the keys, `digits` of them a segment, a power of two. The keys of
// segment s are those from begins[s] to begins[s + 1] - 1, or some of them, where a launch has keys + keys_offset and what
// follows there. Each is shared by `groups` work-groups, which take tiles of ${tile} by turns.

// Adds to counts[counts_offset + s * digits + d] how many keys of segment s have the digit d. The first segment is `first`.
CLRNG_GROUP __kernel void count_digits(__global const ulong *restrict keys, const ulong keys_offset,
                           __global const uint *restrict begins, __global uint *restrict counts,
                           const uint counts_offset, const uint first, const uint groups, const uint shift,
                           const uint digits)
{
    __local uint found[${most_digits}];
    const uint item = get_local_id(0), segment = get_group_id(0) / groups;
    const uint begin = begins[segment], end = begins[segment + 1];
    keys += keys_offset;
    counts += counts_offset + (first + segment) * digits;
    for (uint d = item; d < digits; d += ${group_size}u) found[d] = 0;
    CLRNG_TOGETHER;
    for (uint tile = begin + (get_group_id(0) - segment * groups) * ${tile}u; tile < end; tile += groups * ${tile}u) {
        const uint last = CLRNG_MIN(end - tile, ${tile}u) + tile;
        for (uint i = tile + item; i < last; i += ${group_size}u)
            CLRNG_COUNT(found + ((uint)(keys[i] >> shift) & (digits - 1)));
    }
    CLRNG_TOGETHER;
    for (uint d = item; d < digits; d += ${group_size}u)
        if (found[d]) atomic_add(counts + d, found[d]);
}

// From the counts of segment s, a work-group finds where its buckets begin, and raises counts[most] to the largest count.
// The counts become the places where the buckets begin, too.
CLRNG_GROUP __kernel void place_buckets(__global uint *restrict counts, const uint counts_offset,
                            __global const uint *restrict begins, __global uint *restrict bucket_begins, const uint most,
                            const uint digits)
{
    __local uint places[${most_digits}], sums[${group_size}];
    const uint item = get_local_id(0), segment = get_group_id(0), begin = begins[segment];
    uint largest = 0;
    volatile __global uint *const most_found = counts + most;
    counts += counts_offset + segment * digits;
    for (uint d = item; d < digits; d += ${group_size}u) {
        places[d] = counts[d];
        largest = max(largest, places[d]);
    }
    CLRNG_TOGETHER;
    sum_before(places, digits, sums);
    for (uint d = item; d < digits; d += ${group_size}u)
        counts[d] = bucket_begins[segment * digits + d] = begin + places[d];
    if (item == 0) bucket_begins[(segment + 1) * digits] = begins[segment + 1];
    if (largest) atomic_max(most_found, largest);
}

// Moves the keys to their buckets: cursors[cursors_offset + s * digits + d] is where the next of bucket d of segment s goes. The first
// segment is `first`.
% for packs in (True, False):
<%
    key = "(keys[i] & ~low) | (i - begin + place)" if packs else "keys[i]"
%>
% if packs:
//
// The lowest bits of a key, those set in `low`, are replaced by its place in the segment. That of the first is `place`.
% endif
CLRNG_GROUP __kernel void ${"pack_and_scatter" if packs else "scatter"}(__global const ulong *restrict keys, const ulong keys_offset,
                      __global ulong *restrict out, const ulong out_offset, __global const uint *restrict begins,
                      volatile __global uint *restrict cursors, const uint cursors_offset, const uint first,
                      const uint groups, const uint shift, const uint digits${", const ulong low, const uint place" if packs else ""})
{
    __local uint found[${most_digits}];
% if in_order:
    __local uint places[${most_digits}], sums[${group_size}];
    __local ulong stage[${tile}];
% endif
    const uint item = get_local_id(0), segment = get_group_id(0) / groups;
    const uint begin = begins[segment], end = begins[segment + 1];
    keys += keys_offset;
    out += out_offset;
    cursors += cursors_offset + (first + segment) * digits;
    for (uint tile = begin + (get_group_id(0) - segment * groups) * ${tile}u; tile < end; tile += groups * ${tile}u) {
        const uint last = CLRNG_MIN(end - tile, ${tile}u) + tile;
        for (uint d = item; d < digits; d += ${group_size}u) found[d] = 0;
        CLRNG_TOGETHER;
        for (uint i = tile + item; i < last; i += ${group_size}u)
            CLRNG_COUNT(found + ((uint)(keys[i] >> shift) & (digits - 1)));
        CLRNG_TOGETHER;
        for (uint d = item; d < digits; d += ${group_size}u)
            ${"places" if in_order else "found"}[d] = found[d] ? atomic_add(cursors + d, found[d]) : 0;
        CLRNG_TOGETHER;
% if in_order:
        sum_before(found, digits, sums);
        for (uint d = item; d < digits; d += ${group_size}u) places[d] -= found[d];
        CLRNG_TOGETHER;
        for (uint i = tile + item; i < last; i += ${group_size}u)
            stage[CLRNG_COUNT(found + ((uint)(keys[i] >> shift) & (digits - 1)))] = ${key};
        CLRNG_TOGETHER;
        for (uint j = item; j < last - tile; j += ${group_size}u)
            out[places[(uint)(stage[j] >> shift) & (digits - 1)] + j] = stage[j];
        CLRNG_TOGETHER;
% else:
        for (uint i = tile + item; i < last; i += ${group_size}u)
            out[CLRNG_COUNT(found + ((uint)(keys[i] >> shift) & (digits - 1)))] = ${key};
        CLRNG_TOGETHER;
% endif
    }
}
% endfor
