// The cycles of a permutation, cut into pieces. About one element of ${spacing}, chosen by a hash of its number, begins a
// piece, which goes on to the next such element. What no piece reaches is in short cycles, and is made of pieces of length 1.
// place[e] is the piece that element e is in, and how many steps it is from the beginning.
#define NONE 0xffffffffu

// A bijection of 32 bits that mixes them well: the end of MurmurHash3.
static inline uint hash(uint x)
{
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    return x ^ (x >> 16);
}

static inline bool begins(const uint e)
{
    return hash(e) < ${2**32 // spacing}u;
}

__kernel void mark_beginnings(const uint n, __global uchar *restrict marks, __global uint2 *restrict place)
{
    const uint e = get_global_id(0);
    if (e >= n) return;
    marks[e] = begins(e);
    place[e] = (uint2)(NONE, 0);
}

// stops[k] is the element that begins the piece after piece k. A work-item walks through ${each} pieces, ${walks} at a time:
// their reads do not wait for one another.
__kernel void walk(__global const uint *restrict successor, const uint n, __global const uint *restrict beginnings,
                   const uint pieces, __global uint2 *restrict place, __global uint *restrict lengths,
                   __global uint *restrict stops)
{
    const uint first = get_global_id(0) * ${each};
    if (first >= pieces) return;
    const uint end = pieces - first < ${each} ? pieces : first + ${each};
    uint next = first + ${walks};
% for w in range(walks):
    uint piece_${w} = first + ${w}, element_${w} = piece_${w} < end ? beginnings[piece_${w}] : 0, steps_${w} = 0;
% endfor
    while (${" || ".join(f"piece_{w} < end" for w in range(walks))}) {
% for w in range(walks):
        if (piece_${w} < end) {
            place[element_${w}] = (uint2)(piece_${w}, steps_${w}++);
            element_${w} = successor[element_${w}];
            if (begins(element_${w}) || steps_${w} >= n) {
                lengths[piece_${w}] = steps_${w};
                stops[piece_${w}] = element_${w};
                piece_${w} = next++;
                steps_${w} = 0;
                if (piece_${w} < end) element_${w} = beginnings[piece_${w}];
            }
        }
% endfor
    }
}

__kernel void mark_unreached(__global const uint2 *restrict place, const uint n, __global uchar *restrict marks)
{
    const uint e = get_global_id(0);
    if (e < n) marks[e] = place[e].x == NONE;
}

__kernel void add_pieces(__global const uint *restrict successor, __global const uint *restrict unreached,
                         const uint count, const uint first, __global uint2 *restrict place,
                         __global uint *restrict lengths, __global uint *restrict stops)
{
    const uint i = get_global_id(0);
    if (i >= count) return;
    const uint e = unreached[i];
    place[e] = (uint2)(first + i, 0);
    lengths[first + i] = 1;
    stops[first + i] = successor[e];
}

__kernel void link_pieces(__global const uint *restrict stops, const uint pieces, __global const uint2 *restrict place,
                          __global uint *restrict next, __global uint *restrict least)
{
    const uint k = get_global_id(0);
    if (k >= pieces) return;
    next[k] = place[stops[k]].x;
    least[k] = k;
}

// least[k] is the least piece among as many from k on as next[k] jumps over.
__kernel void jump_least(__global const uint *restrict next, __global const uint *restrict least, const uint pieces,
                         __global uint *restrict new_next, __global uint *restrict new_least,
                         volatile __global uint *restrict changed)
{
    const uint k = get_global_id(0);
    if (k >= pieces) return;
    const uint there = next[k];
    new_next[k] = next[there];
    const uint a = least[k], b = least[there];
    new_least[k] = a < b ? a : b;
    if (b < a && !changed[0]) atomic_xchg(changed, 1);
}

// Each cycle becomes a list from its least piece to the one before. after[k] is how many elements there are from piece k
// to the beginning of the last piece of the list.
__kernel void cut_cycles(__global const uint *restrict stops, __global const uint2 *restrict place,
                         __global const uint *restrict lengths, __global const uint *restrict least, const uint pieces,
                         __global uint *restrict next, __global uint *restrict after)
{
    const uint k = get_global_id(0);
    if (k >= pieces) return;
    const uint there = place[stops[k]].x;
    const bool last = there == least[k];
    next[k] = last ? k : there;
    after[k] = last ? 0 : lengths[k];
}

__kernel void jump_ranks(__global const uint *restrict next, __global const uint *restrict after, const uint pieces,
                         __global uint *restrict new_next, __global uint *restrict new_after,
                         volatile __global uint *restrict changed)
{
    const uint k = get_global_id(0);
    if (k >= pieces) return;
    const uint there = next[k], further = next[there];
    new_next[k] = further;
    new_after[k] = after[k] + after[there];
    if (further != there && !changed[0]) atomic_xchg(changed, 1);
}

// heads[e] is the element that begins the least piece of the cycle of e, and ranks[e] how many steps lead from it to e.
__kernel void rank_elements(__global const uint2 *restrict place, __global const uint *restrict beginnings,
                            __global const uint *restrict least, __global const uint *restrict after, const uint n,
                            __global uint *restrict heads, __global uint *restrict ranks)
{
    const uint e = get_global_id(0);
    if (e >= n) return;
    const uint2 at = place[e];
    const uint head = least[at.x];
    heads[e] = beginnings[head];
    ranks[e] = after[head] - after[at.x] + at.y;
}
