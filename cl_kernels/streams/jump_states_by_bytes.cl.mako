<% lane_words = f"{word}{chunk}" %>
// Makes `wanted` targets from `count` sources, a work-group each. Target d * count + r is source r itself for d = 0, else
// source r moved on by the jump that row d - 1 of `weights` is for: the sum modulo 2 of the states i steps on for which
// bit i of its polynomial is 1. A row of the targets has `target_words` words.
//
// The bits are taken in bytes, as Pippenger's algorithm does. With B_u the sum of the states 8 m steps on for which byte m
// is u, and C_t the sum of all B_u for which bit t of u is 1, the state is the sum of C_0 to C_7, C_t moved on by t steps.
// A row of weights begins with a list that says where the places of each byte u begin. Then come the places 8 m in pairs,
// those of equal bytes together, in units of ${chunk} words; where there is an odd number of them, the last is a place of zeros.
//
// A work-item makes ${chunk} words of all sums, over one of ${slices} parts of the bytes u.
__attribute__((reqd_work_group_size(${group_size}, 1, 1)))
__kernel void jump_states(__global const ${word} *restrict sources, const uint count,
                          __global ${word} *restrict targets, const uint wanted, const uint target_words,
                          __global const uint *restrict weights, const uint last)
{
    __local ${lane_words} sums[${group_size}];
    const uint item = get_local_id(0), slice = item / ${lanes}u, lane = item - slice * ${lanes}u;
    const uint target = get_group_id(0), d = target / count, end = d == 0 ? 0 : (slice + 1) * ${16 // slices}u;
    __global const ${lane_words} *x = (__global const ${lane_words} *)(
        sources + (target - d * count) * (size_t)${source_words}) + lane;
    weights += (d == 0 ? 0 : d - 1) * (size_t)${weight_words};
    __global const uint *pairs = weights + 257;
    ${lane_words} c0 = d == 0 && slice == 0 ? x[0] : (${lane_words})(0);
    ${lane_words} ${", ".join(f"c{t} = ({lane_words})(0)" for t in range(1, 8))};
    uint k = weights[slice * ${256 // slices}u];
    uint following = pairs[k];    // read one ahead, so that a sum does not wait for its places
    for (uint high = slice * ${16 // slices}u; high < end; high++) {
        ${lane_words} all = (${lane_words})(0);
% for low in range(16):
        {
            ${lane_words} sum = (${lane_words})(0);
            for (const uint next = weights[16 * high + ${low + 1}]; k < next; k++) {
                const uint pair = following;
                following = pairs[k + 1];
                sum ^= x[pair & 0xffff] ^ x[pair >> 16];
            }
            all ^= sum;
% for t in range(4):
% if low >> t & 1:
            c${t} ^= sum;
% endif
% endfor
        }
% endfor
% for t in range(4, 8):
        c${t} ^= all & ((${word})0 - (${word})((high >> ${t - 4}) & 1));
% endfor
    }
    __local const ${word} *words = (__local const ${word} *)sums;
% for r in range(rounds):
    ${word} total${r} = 0;
% endfor
% for t in range(8):
    sums[item] = c${t};
    barrier(CLK_LOCAL_MEM_FENCE);
% for r in range(rounds):
    if (item + ${r * group_size}u < ${order}u)
        total${r} ^= ${" ^ ".join(f"words[item + {r * group_size + i * lanes * chunk + t}u]" for i in range(slices))};
% endfor
    barrier(CLK_LOCAL_MEM_FENCE);
% endfor
    targets += target * (size_t)target_words;
% for r in range(rounds):
    if (item + ${r * group_size}u < ${order}u) targets[item + ${r * group_size}u] = total${r};
% endfor
}
