<%include file="keys.cl.mako"/>
<%include file="scan_in_group.cl.mako"/>
<%
    tile = group_size * keys_each
    key_bytes = key_bits // 8
    widest = max(key_bytes, value_bytes if values else 0)
    place_shift = 4 if widest == 8 else 5
    radix = 1 << rank_bits
    rows = radix // 2
    counters = rows * group_size
    each = max(digits // group_size, 1)
    needed = max((tile + (tile >> place_shift)) * widest, (counters + (counters >> 5)) * 4)
%>
// Where a place of a tile is in local memory, and a counter: words are left out, so that the places of one work-item and
// of its neighbours are in different banks.
#define PLACE(i) ((i) + ((i) >> ${place_shift}))
#define COUNTER(i) ((i) + ((i) >> 5))

// The ranks of the keys of a work-group by a short digit: how many keys come before each in a stable sort. Key j of
// work-item i is key ${keys_each}*i + j; those from `valid` on come last. Each work-item counts its keys of each digit in
// a column of counters of 16 bits, the lower half of the digits in the lower halves of words; the sums of the counters
// before one, row by row, are where its keys begin. The counters are where the tile was, which all work-items have
// read before they come to the first barrier.
CLRNG_INLINE void rank_keys(const ${word} *key, uint *rank, const uint valid, const uint shift, const uint mask,
                            const uint flip, __local uint *counters, __local uint *sums)
{
    const uint item = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint row = 0; row < ${rows}; row++) counters[COUNTER(row * ${group_size} + item)] = 0;
    uint slot[${keys_each}];
#pragma unroll
    for (uint j = 0; j < ${keys_each}; j++) {
        const uint digit = item * ${keys_each} + j < valid ? digit_of(key[j], shift, mask, flip) : ${radix - 1}u;
        const uint row = digit & ${rows - 1}u, half_shift = digit / ${rows}u * 16;
        const uint counter = COUNTER(row * ${group_size} + item), word = counters[counter];
        slot[j] = counter << 5 | half_shift;
        rank[j] = word >> half_shift & 0xffff;
        counters[counter] = word + (1u << half_shift);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
#pragma unroll
    for (uint i = 0; i < ${rows}; i++) sum += counters[COUNTER(item * ${rows} + i)];
    uint total, before = sum_before(sum, sums, &total);
    before += total << 16;
#pragma unroll
    for (uint i = 0; i < ${rows}; i++) {
        const uint counter = COUNTER(item * ${rows} + i), word = counters[counter];
        counters[counter] = before;
        before += word;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint j = 0; j < ${keys_each}; j++) rank[j] += counters[slot[j] >> 5] >> (slot[j] & 31) & 0xffff;
}

// Moves the keys of a part, `part_size` of them, to where those of their digits go, and the values with them. `counts`
// are the sums of the parts before, by digit, and `totals` the counts of the digits. A work-group takes a tile of its part
// after the other, sorts it in local memory by the digit, and writes it in order: keys of one digit are neighbours.
__attribute__((reqd_work_group_size(${group_size}, 1, 1)))
__kernel void scatter(__global const ${word} *restrict keys, const ulong offset, const uint n, const uint part_size,
                      const uint shift, const uint bits, const uint descending, __global const uint *restrict counts,
                      __global const uint *restrict totals<%include file="moved.cl.mako"/>)
{
    __local ulong exchange[${-(-needed // 8)}];
    __local uint sums[${group_size + min(16, group_size)}], next[${digits}], start[${digits}];
    __local uint *const counters = (__local uint *)exchange;
    __local ${word} *const tile_keys = (__local ${word} *)exchange;
% if values:
    __local ${value} *const tile_values = (__local ${value} *)exchange;
% endif
    const uint item = get_local_id(0), part = get_group_id(0), parts = get_num_groups(0);
    const uint begin = part * part_size, end = begin + min(part_size, n - begin);
    const uint mask = (1u << bits) - 1, flip = descending ? mask : 0;
    keys += offset;
% if keys_out:
    new_keys += new_offset;
% endif
% if values == "read":
    values += values_offset;
% endif
% if values:
    new_values += new_values_offset;
% endif
    uint total, sum = 0;
    for (uint i = 0; i < ${each}; i++) sum += item * ${each} + i < ${digits} ? totals[item * ${each} + i] : 0;
    sum = sum_before(sum, sums, &total);
    for (uint i = 0; i < ${each}; i++) {
        const uint digit = item * ${each} + i;
        if (digit < ${digits}) {
            next[digit] = sum + counts[digit * parts + part];
            sum += totals[digit];
        }
    }
    for (uint first = begin; first < end; first += ${tile}) {
        const uint valid = min(end - first, ${tile}u);
        ${word} key[${keys_each}];
        uint rank[${keys_each}];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint j = 0; j < ${keys_each}; j++) {
            const uint i = j * ${group_size} + item;
            tile_keys[PLACE(i)] = i < valid ? keys[first + i] : 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint j = 0; j < ${keys_each}; j++) key[j] = tile_keys[PLACE(item * ${keys_each} + j)];
% if values:
        ${value} content[${keys_each}];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint j = 0; j < ${keys_each}; j++) {
            const uint i = j * ${group_size} + item;
            tile_values[PLACE(i)] = i < valid ? ${"values[first + i]" if values == "read" else "first + i"} : 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint j = 0; j < ${keys_each}; j++) content[j] = tile_values[PLACE(item * ${keys_each} + j)];
% endif
        uint done = 0;
        do {
            const uint low_mask = (1u << min(bits - done, ${rank_bits}u)) - 1;
            rank_keys(key, rank, valid, shift + done, low_mask, descending ? low_mask : 0, counters, sums);
            barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
            for (uint j = 0; j < ${keys_each}; j++) tile_keys[PLACE(rank[j])] = key[j];
            barrier(CLK_LOCAL_MEM_FENCE);
            if (done + ${rank_bits} < bits) {
#pragma unroll
                for (uint j = 0; j < ${keys_each}; j++) key[j] = tile_keys[PLACE(item * ${keys_each} + j)];
% if values:
                barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
                for (uint j = 0; j < ${keys_each}; j++) tile_values[PLACE(rank[j])] = content[j];
                barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
                for (uint j = 0; j < ${keys_each}; j++) content[j] = tile_values[PLACE(item * ${keys_each} + j)];
% endif
            }
            done += ${rank_bits};
        } while (done < bits);
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
