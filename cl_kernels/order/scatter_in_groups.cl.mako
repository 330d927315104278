<%include file="rank_in_group.cl.mako"/>
<%
    tile = group_size * keys_each
    each = max(digits // group_size, 1)
    sharers = max(group_size // digits, 1)
%>
// Moves the keys of a part, `part_size` of them, to where those of their digits go, and the values with them.
% if ahead:
// Row p of `counts`, of ${digits}, has the counts of the digits of part p; behind the rows of all parts come those for the
// next pass, by `next_bits` bits, where there is one `more`: each key is counted in the part that it goes to.
% else:
// `counts` are the sums of the parts before, by digit, and `totals` the counts of the digits.
% endif
// A work-group takes a tile of its part after the other, sorts it in local memory by the digit, and writes it in order:
// keys of one digit are neighbours.
__attribute__((reqd_work_group_size(${group_size}, 1, 1)))
__kernel void scatter(__global const ${word} *restrict keys, const ulong offset, const uint n, const uint part_size,
                      const uint shift, const uint bits, const uint descending,
% if ahead:
                      __global uint *counts, const uint pass, const uint more, const uint next_bits<%include file="moved.cl.mako"/>)
% else:
                      __global const uint *restrict counts, __global const uint *restrict totals<%include file="moved.cl.mako"/>)
% endif
{
    __local ulong exchange[EXCHANGE];
    __local uint sums[${group_size + min(16, group_size)}], next[${digits}], start[${digits}];
    __local uint *const counters = (__local uint *)exchange;
    __local ${word} *const tile_keys = (__local ${word} *)exchange;
% if values:
    __local ${value} *const tile_values = (__local ${value} *)exchange;
% endif
    const uint item = get_local_id(0), part = get_group_id(0), parts = get_num_groups(0);
    const uint begin = part * part_size, end = begin + min(part_size, n - begin);
    const uint mask = (1u << bits) - 1, flip = descending ? mask : 0;
<%include file="offsets.cl.mako"/>\
    uint total, sum = 0;
% if ahead:
    // A column of counts is added up by ${sharers} work-item(s): into `next` those of the parts before, into `start` all.
    const uint next_mask = (1u << next_bits) - 1, next_flip = descending ? next_mask : 0;
    counts += pass * parts * ${digits};
    for (uint digit = item; digit < ${digits}; digit += ${group_size}) next[digit] = start[digit] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint digit = item % ${digits}; digit < ${digits}; digit += ${group_size}) {
        uint before = 0, all = 0;
#pragma unroll 8
        for (uint p = item / ${digits}; p < parts; p += ${sharers}) {
            const uint count = counts[p * ${digits} + digit];
            all += count;
            before += p < part ? count : 0;
        }
        atomic_add(&next[digit], before);
        atomic_add(&start[digit], all);
    }
    counts += parts * ${digits};
    barrier(CLK_LOCAL_MEM_FENCE);
<% count, before = "start[digit]", "next[digit]" %>\
% else:
<% count, before = "totals[digit]", "counts[digit * parts + part]" %>\
% endif
    for (uint i = 0; i < ${each}; i++) {
        const uint digit = item * ${each} + i;
        sum += digit < ${digits} ? ${count} : 0;
    }
    sum = sum_before(sum, sums, &total);
    for (uint i = 0; i < ${each}; i++) {
        const uint digit = item * ${each} + i;
        if (digit < ${digits}) {
            next[digit] = sum + ${before};
            sum += ${count};
        }
    }
    for (uint first = begin; first < end; first += ${tile}) {
        const uint valid = min(end - first, ${tile}u);
    <%include file="sort_tile.cl.mako"/>
        // A digit begins where the one of the place before is another; `start` is what takes a place to where its key goes.
        uint pair[${keys_each}];
#pragma unroll
        for (uint j = 0; j < ${keys_each}; j++) {
            const uint i = j * ${group_size} + item;
            key[j] = tile_keys[PLACE(i)];
            const uint digit = digit_of(key[j], shift, mask, flip);
            const uint other = i == 0 ? ${digits}u : digit_of(tile_keys[PLACE(i - 1)], shift, mask, flip);
            pair[j] = digit | other << 16;
            if (i < valid && digit != other) start[digit] = next[digit] - i;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint j = 0; j < ${keys_each}; j++) {
            const uint i = j * ${group_size} + item, digit = pair[j] & 0xffff, other = pair[j] >> 16;
            if (i < valid) {
                const uint place = start[digit] + i;
% if keys_out:
                new_keys[place] = key[j];
% endif
% if ahead:
                if (more)
                    atomic_inc(&counts[place / part_size * ${digits} + digit_of(key[j], shift + bits, next_mask, next_flip)]);
% endif
                if (other != digit && i > 0) next[other] = start[other] + i;
                if (i + 1 == valid) next[digit] = place + 1;
                pair[j] = place;
            }
        }
% if values:
#pragma unroll
        for (uint j = 0; j < ${keys_each}; j++) tile_values[PLACE(rank[j])] = content[j];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint j = 0; j < ${keys_each}; j++) {
            const uint i = j * ${group_size} + item;
            if (i < valid) new_values[pair[j]] = tile_values[PLACE(i)];
        }
% endif
    }
}
