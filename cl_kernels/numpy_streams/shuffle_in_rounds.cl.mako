## Goes through the words of a chunk, of work-item `item`, while i is not 0, and does `store` with each target.
<%def name="walk(store='')">
    const uint first = (uint)min((ulong)item * chunk, (ulong)n), end = (uint)min((ulong)first + chunk, (ulong)n);
    uint mask = mask_of(i);
    for (uint place = first; place < end && i > 0; place++) {
        const uint target = words[words_offset + place] & mask;
        if (target > i) continue;
        ${store}
        if (--i == mask >> 1) mask >>= 1;
    }
</%def>\
// The order in which Fisher and Yates's shuffle leaves n elements: element i, from n - 1 down to 1, changes places with
// element targets[i], the first of the next words that is at most i, where as many of its lowest bits count as i has.
//
// The words are cut into chunks, one for a work-item, which knows what to do with them once it knows its limit: the i with
// which its chunk begins. Rounds find the limits. The first one expects some. Each adds up how many words the chunks took,
// which makes new limits, and goes through a chunk again whose limit is another one. When no limit changes any more, all are
// right: that of the first chunk is, and where a chunk's is, its words were taken rightly, and so the next one's is. And so
// rounds end: each makes one more limit right for ever, at the least.
<%include file="../order/scan_in_group.cl.mako"/>
#define NONE 0xFFFFFFFFu

// The bits that count.
CLRNG_INLINE uint mask_of(const uint i)
{
    return i == 0 ? 0 : 0xFFFFFFFFu >> clz(i);
}

// About which i is left after so many words from `start` on. It falls exponentially while its bits stay as many.
CLRNG_INLINE uint expected(const uint start, float passed)
{
    float i = start, whole = mask_of(start) + 1.0f;
    while (whole > 2.0f) {
        const float until = whole * log(2.0f * (i + 1.0f) / whole);
        if (passed < until) break;
        passed -= until;
        whole *= 0.5f;
        i = whole - 1.0f;
    }
    return min((uint)(i * exp(-passed / whole)), start);
}

// A round. Chunks take `taken` words each, and those before one in its work-group `inside`; work-groups took `before` in the
// last round, and take `after` in this one. ends[2] is the last turn in which a limit changed.
__kernel void settle(__global const uint *restrict words, const ulong words_offset, const uint n, const uint chunk,
                     const uint start, const uint turn, __global uint *restrict limits, __global uint *restrict taken,
                     __global uint *restrict inside, __global const uint *restrict before, __global uint *restrict after,
                     __global uint *restrict ends)
{
    __local uint sums[${group_size + min(group_size, 16)}];
    const uint item = get_global_id(0);
    uint count = 0, all;
    if (turn > 0)
        for (uint group = get_local_id(0); group < get_group_id(0); group += ${group_size}) count += before[group];
    sum_before(count, sums, &all);
    const uint limit = turn == 0 ? expected(start, (float)item * chunk) : start - min(all + inside[item], start);
    if (turn == 0 || limit != limits[item]) {
        uint i = limit;
        ${walk()}
        limits[item] = limit;
        taken[item] = limit - i;
        ends[2] = turn;
    }
    inside[item] = sum_before(taken[item], sums, &all);
    if (get_local_id(0) == 0) after[get_group_id(0)] = all;
}

// Stores the targets. ends[0] becomes the i behind all words, and ends[1], where that is 0, how many words were used.
__kernel void place_targets(__global const uint *restrict words, const ulong words_offset, const uint n, const uint chunk,
                            __global const uint *restrict limits, __global uint *restrict targets, __global uint *restrict ends)
{
    const uint item = get_global_id(0);
    uint i = limits[item];
    ${walk("targets[i] = target; if (i == 1) ends[1] = place + 1;")}
    if (first < end && end == n) ends[0] = i;
}

// Links the elements that have the same target: heads[target] is one of them, and links[i] another one, or NONE.
__kernel void link(const uint n, __global const uint *restrict targets, __global uint *heads, __global uint *restrict links)
{
    const uint i = get_global_id(0);
    if (i > 0 && i < n) links[i] = atomic_xchg(&heads[targets[i]], i);
}

// The least element above i that has a target, or NONE.
CLRNG_INLINE uint least_above(const uint i, const uint target, __global const uint *heads, __global const uint *links)
{
    uint least = NONE;
    for (uint k = heads[target]; k != NONE; k = links[k])
        if (k > i) least = min(least, k);
    return least;
}

// Finds where each element comes from. When i has its turn, place i gets what is at place j = targets[i], for good. What is
// there came from place k at the turn of k, the least k > i with the target j; if there is none, it has always been there. And
// what was at place k then came from place l at the turn of l, the least l > k with the target k; and so on.
__kernel void follow(const uint n, __global const uint *restrict targets, __global const uint *restrict heads,
                     __global const uint *restrict links, __global ${out} *restrict order, const ulong order_offset)
{
    const uint i = get_global_id(0);
    if (i >= n) return;
    uint from = i == 0 ? 0 : targets[i], next = least_above(i, from, heads, links);
    while (next != NONE) {
        from = next;
        next = least_above(from, from, heads, links);
    }
    order[order_offset + i] = from;
}
