// The Ising model on a torus, by Metropolis's rule, the sites of one colour of a checkerboard at a time. Bit b of word w
// of row y of colour c is the spin of the site x = 64 w + 2 b + (y + c) mod 2. The text of own_streams comes first.

// Bit by bit the spins of the other colour beside those of a word: above, below, and to both sides.
typedef struct { uint above, below, here, aside; } beside;

beside neighbours(__global const uint *others, const uint colour, const uint y, const uint w)
{
    beside found;
    found.above = others[(y == 0 ? ${rows}u - 1 : y - 1) * ${words}u + w];
    found.below = others[(y == ${rows}u - 1 ? 0 : y + 1) * ${words}u + w];
    found.here = others[y * ${words}u + w];
    if ((y + colour) % 2)
        found.aside = found.here >> 1 | others[y * ${words}u + (w == ${words}u - 1 ? 0 : w + 1)] << 31;
    else
        found.aside = found.here << 1 | others[y * ${words}u + (w == 0 ? ${words}u - 1 : w - 1)] >> 31;
    return found;
}

// The spins of a word that flip, of which those that have three or four equal neighbours need luck.
uint flips(const uint old, const beside them, const uint often, const uint rarely)
{
    const uint a = ~(old ^ them.above), b = ~(old ^ them.below), c = ~(old ^ them.here), d = ~(old ^ them.aside);
    const uint most = (a & b & (c | d)) | (c & d & (a | b)), all = a & b & c & d;
    return ~most | (often & ~all) | rarely;
}

// Gives all spins of one colour the chance to flip. A spin flips if that does not raise the energy; where it raises it
// by 4, if its random value is below `often`, and where by 8, if it is below `rarely`, which is less.
//
// A stream sees to a word of each of ${height} neighbouring rows. A work-item moves ${lanes} streams on together.
__kernel void sweep(__global uint *restrict spins, __global const uint *restrict others, __global state *states,
                    const uint colour, const uint often, const uint rarely)
{
    const uint first = ${lanes} * get_global_id(0);
    if (first >= ${streams}u)
        return;
    state mine[${lanes}];
% for i in range(lanes):
    mine[${i}] = states[first + ${i}];
% endfor
    const uint w = first % ${words}u, top = first / ${words}u * ${height}u;
    for (uint y = top; y < top + ${height}u; y++) {
        uint below_often[${lanes}] = {0}, below_rarely[${lanes}] = {0};
% if lanes == 1:
        #pragma unroll 8
% endif
        for (uint bit = 0; bit < 32; bit++) {
% for i in range(lanes):
            const uint x${i} = draw_next_raw(&mine[${i}]);
% endfor
% for i in range(lanes):
            below_often[${i}] |= (uint)(x${i} < often) << bit;
            below_rarely[${i}] |= (uint)(x${i} < rarely) << bit;
% endfor
        }
% for i in range(lanes):
        const beside them${i} = neighbours(others, colour, y, w + ${i});
        __global uint *word${i} = spins + y * ${words}u + w + ${i};
        *word${i} ^= flips(*word${i}, them${i}, below_often[${i}], below_rarely[${i}]);
% endfor
    }
% for i in range(lanes):
    states[first + ${i}] = mine[${i}];
% endfor
}

// Counts, for each work-item, the spins that are up and the pairs of neighbours that are equal.
__kernel void measure(__global const uint *restrict first, __global const uint *restrict second,
                      __global uint *restrict up, __global uint *restrict equal)
{
    const uint item = get_global_id(0);
    uint ups = 0, equals = 0;
    for (uint i = item; i < ${rows * words}u; i += get_global_size(0)) {
        const uint y = i / ${words}u, old = first[i];
        const beside them = neighbours(second, 0, y, i % ${words}u);
        ups += popcount(old) + popcount(second[i]);
        equals += popcount(~(old ^ them.above)) + popcount(~(old ^ them.below));
        equals += popcount(~(old ^ them.here)) + popcount(~(old ^ them.aside));
    }
    up[item] = ups;
    equal[item] = equals;
}
