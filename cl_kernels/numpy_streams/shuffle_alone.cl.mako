// The order in which Fisher and Yates's shuffle leaves n elements, made by one work-item: element i, from n - 1 down to 1,
// changes places with element targets[i], the first of the next words that is at most i, where as many of its lowest bits
// count as i has.

// Finds targets, from that of i on. ends[0] becomes the first i without one, or 0, and ends[1] how many words were used. Each
// word is stored without a branch to predict: what is no target is written over.
__kernel void find_targets(__global const uint *restrict words, const ulong words_offset, const uint n, const uint start,
                           __global uint *restrict targets, __global uint *restrict ends)
{
    uint i = start, place = 0;
    while (i > 0 && place < n) {
        const uint mask = 0xFFFFFFFFu >> clz(i), fewer_bits = mask >> 1;
        while (i > fewer_bits && place < n) {
            const uint target = words[words_offset + place++] & mask;
            targets[i] = target;
            i -= target <= i;
        }
    }
    ends[0] = i;
    ends[1] = place;
}

__kernel void exchange(const uint n, __global const uint *restrict targets, __global ${out} *restrict order,
                       const ulong order_offset)
{
    __global ${out} *const at = order + order_offset;
    for (uint i = 0; i < n; i++) at[i] = i;
    for (uint i = n - 1; i > 0; i--) {
        const ${out} moved = at[i];
        at[i] = at[targets[i]];
        at[targets[i]] = moved;
    }
}
