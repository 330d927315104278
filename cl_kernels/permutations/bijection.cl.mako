// A keyed one-to-one mapping of the integers below n: order[offset + i] becomes that of i.
//
// A Feistel network maps the integers of ${"`low_bits` + `high_bits`"} bits one to one: each of its ${rounds} rounds changes the low bits
// by a function of the high ones and of a key, or the high bits by one of the low ones, and so can be taken back. An integer
// of n or more is mapped again until it is less: this follows a cycle of the network, which comes back to where it began.

CLRNG_INLINE uint mixed(uint x)
{
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    return x ^ x >> 16;
}

__kernel void map_places(__global ${out} *restrict order, const ulong offset, const ulong n, __global const uint *restrict keys,
                         const uint low_bits, const uint high_bits)
{
    const ulong i = get_global_id(0);
    if (i >= n) return;
    ulong x = i;
    do {
        uint low = (uint)(x & ((1UL << low_bits) - 1)), high = (uint)(x >> low_bits);
        for (uint round = 0; round < ${rounds}u; round += 2) {
            low ^= mixed(high ^ keys[round]) >> (32 - low_bits);
            high ^= mixed(low ^ keys[round + 1]) >> (32 - high_bits);
        }
        x = (ulong)high << low_bits | low;
    } while (x >= n);
    order[offset + i] = convert_${out}(x);
}
