// Puts the places of n integers into a table, of which `memory` has 2^(64 - shift) words behind n others; those that are free
// have all bits set. Equal integers share a word, which comes to have the lowest of their places. The word of integer i is
// at memory[n + memory[i]].
//
// A word that was free belongs to one integer from then on. So all equal ones find the same, however work-items take turns.
__kernel void put_first(__global const ulong *restrict integers, const ulong offset, const ulong n,
                        volatile __global uint *restrict memory, const uint shift)
{
    const ulong i = get_global_id(0);
    if (i >= n) return;
    integers += offset;
    const ulong own = integers[i];
    const uint mask = (uint)(0xffffffffffffffffUL >> shift);
    volatile __global uint *table = memory + n;
    uint word = (uint)(own * ${multiplier}UL >> shift), found = atomic_cmpxchg(&table[word], 0xffffffffu, (uint)i);
    while (found != 0xffffffffu && integers[found] != own) {
        word = (word + 1) & mask;
        found = atomic_cmpxchg(&table[word], 0xffffffffu, (uint)i);
    }
    if (found != 0xffffffffu) atomic_min(&table[word], (uint)i);
    memory[i] = word;
}
