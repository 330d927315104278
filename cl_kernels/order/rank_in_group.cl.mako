## Ranks of keys in a work-group, and where they are in its local memory.
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
    needed = max((tile + (tile >> place_shift)) * widest, (counters + (counters >> 5)) * 4)
%>
// Local memory for the keys of a tile, its values or the counters, in words of 8 bytes.
#define EXCHANGE ${-(-needed // 8)}

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

