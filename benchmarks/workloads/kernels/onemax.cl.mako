// A genetic algorithm on strings of ${32 * words} bits that counts ones. The text of own_streams comes first.

// Makes random strings, and counts their ones.
__kernel void create(__global state *states, __global uint *restrict genes, __global uint *restrict fitness)
{
    const uint child = get_global_id(0);
    state mine = states[child];
    uint ones = 0;
    for (uint i = 0; i < ${words}u; i++) {
        const uint word = draw_next_raw(&mine);
        genes[(ulong)child * ${words}u + i] = word;
        ones += popcount(word);
    }
    fitness[child] = ones;
    states[child] = mine;
}

// The better of two strings drawn at random, the first if they are equal.
uint winner(state *mine, __global const uint *fitness)
{
    const uint first = draw_next_index(mine), second = draw_next_index(mine);
    return fitness[second] > fitness[first] ? second : first;
}

// Makes each string of the next generation: its bits come from one or the other of two winners, and with the chance of
// mutation, of which a random value is below `mutation`, one of them is turned over. A work-item makes ${lanes} strings,
// four words of each at a time.
__kernel void breed(__global state *states, __global const uint *restrict old, __global const uint *restrict old_fitness,
                    __global uint *restrict genes, __global uint *restrict fitness, const uint mutation)
{
    const uint first = get_global_id(0) * ${lanes}u;
    state mine[${lanes}];
    __global const uint4 *mother[${lanes}], *father[${lanes}];
    uint place[${lanes}], turned[${lanes}], ones[${lanes}];
    for (uint i = 0; i < ${lanes}u; i++) {
        mine[i] = states[first + i];
        mother[i] = (__global const uint4 *)(old + (ulong)winner(&mine[i], old_fitness) * ${words}u);
        father[i] = (__global const uint4 *)(old + (ulong)winner(&mine[i], old_fitness) * ${words}u);
        place[i] = draw_next_place(&mine[i]);
        turned[i] = (uint)(draw_next_raw(&mine[i]) < mutation) << place[i] % 32;
        ones[i] = 0;
    }
    for (uint at = 0; at < ${words // 4}u; at++) {
        uint4 from_mother[${lanes}];
% for k in range(4):
% for i in range(lanes):
        from_mother[${i}].s${k} = draw_next_raw(&mine[${i}]);
% endfor
% endfor
% for i in range(lanes):
        const uint4 mutated${i} = as_uint4(4 * at + (uint4)(0, 1, 2, 3) == place[${i}] / 32) & turned[${i}];
        const uint4 word${i} = bitselect(father[${i}][at], mother[${i}][at], from_mother[${i}]) ^ mutated${i};
        ((__global uint4 *)(genes + (ulong)(first + ${i}) * ${words}u))[at] = word${i};
        const uint4 counts${i} = popcount(word${i});
        ones[${i}] += counts${i}.s0 + counts${i}.s1 + counts${i}.s2 + counts${i}.s3;
% endfor
    }
    for (uint i = 0; i < ${lanes}u; i++) {
        fitness[first + i] = ones[i];
        states[first + i] = mine[i];
    }
}
