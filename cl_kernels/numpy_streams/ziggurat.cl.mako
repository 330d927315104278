<%
    word, value = ("ulong", "double") if bits == 64 else ("uint", "float")
    tile = 32 * group_size
    tables = f"__global const {word} *restrict quick, __global const {value} *restrict width"
%>
<%include file="attempts.cl.mako" args="bits=bits, normal=normal, real=real, fused=fused, uniform=uniform"/>
% if group_size > 1:
<%include file="/order/scan_in_group.cl.mako" args="sum_type='uint'"/>
% endif
// Words are cut into parts of `tiles` tiles of ${tile} words, each the work of a work-group. `state` has four counters; for
// every part how many of its words are taken by attempts before, and behind the last how many after it; how many values
// begin in each; and for how many taken words each was last looked through.
#define TAKEN(part) (state + 4 + (part))
#define COUNT(part) (state + 5 + parts + (part))
#define SEEN(part) (state + 5 + 2 * parts + (part))

// Says which words begin attempts that make a value, in the bits of `found`, as far as it is known how many words the
// attempts before take; where that was not right, the next launch does it again. There is nothing left to do when the
// counter of changes stays.
__kernel void find_values(
    __global const ${word} *restrict words, const ulong end, const uint parts, const uint tiles, ${tables},
    __global const ${value} *restrict height, const ${real} margin, const ${real} tail_margin,
    __global uint *restrict found, __global uint *restrict state, __global ulong *restrict notes, const uint most_notes,
    __global const ulong *restrict flips, const uint flip_count)
{
    const attempts a = {words, end, width, height, margin, tail_margin, state, notes, most_notes, flips, flip_count};
    const uint part = get_group_id(0);
% if group_size == 1:
    uint skip = atomic_add(TAKEN(part), 0), count = 0;
    if (skip == *SEEN(part)) return;
    *SEEN(part) = skip;
    ulong first = (ulong)part * tiles * ${tile};
    for (uint t = 0; t < tiles; t++, first += 32) {
        uint slow = 0;
        for (uint i = 0; i < 32; i++) slow |= (uint)!IS_QUICK(words[first + i], quick) << i;
        const uint made = walk(&a, first, slow, &skip);
        found[first / 32] = made;
        count += popcount(made);
    }
    *COUNT(part) = count;
    if (atomic_xchg(TAKEN(part + 1), skip) != skip) atomic_inc(state);
% else:
    __local ${word} near[256];
    __local uint slow[${group_size}], skips[${group_size + 1}], total, changed;
    const uint lane = get_local_id(0);
    if (lane == 0) {
        skips[${group_size}] = atomic_add(TAKEN(part), 0);
        changed = skips[${group_size}] != *SEEN(part);
        total = 0;
    }
    for (uint i = lane; i < 256; i += ${group_size}) near[i] = quick[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!changed) return;
    if (lane == 0) *SEEN(part) = skips[${group_size}];
    uint count = 0;
    for (uint t = 0; t < tiles; t++) {
        const ulong first = ((ulong)part * tiles + t) * ${tile};
        slow[lane] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = lane; i < ${tile}; i += ${group_size})
            if (!IS_QUICK(words[first + i], near)) atomic_or(slow + i / 32, 1u << i % 32);
        if (lane == 0) skips[0] = skips[${group_size}];
        barrier(CLK_LOCAL_MEM_FENCE);
        uint before = lane == 0 ? skips[0] : 0, after = before;
        uint made = walk(&a, first + 32 * lane, slow[lane], &after);
        bool again = true;
        while (again) {
            skips[lane + 1] = after;
            if (lane == 0) changed = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (skips[lane] != before) {
                const uint then = after;
                before = after = skips[lane];
                made = walk(&a, first + 32 * lane, slow[lane], &after);
                if (after != then) changed = 1;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            again = changed;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        found[first / 32 + lane] = made;
        count += popcount(made);
    }
    atomic_add(&total, count);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) {
        *COUNT(part) = total;
        if (atomic_xchg(TAKEN(part + 1), skips[${group_size}]) != skips[${group_size}]) atomic_inc(state);
    }
% endif
}

// Puts value `at` in its place, unless it is in the tail: this is noted in `placed`, behind their number and, for the
// last value, the place of its word and the number of words that it takes, or 0 in the tail.
CLRNG_INLINE void put(const ${word} r, const uint p, const ulong at, ${tables}, __global ${value} *restrict out,
                      const ulong n, const ${value} scale, const ${value} loc, __global uint *restrict placed)
{
    const bool is_quick = IS_QUICK(r, quick), in_tail = !is_quick && LAYER(r) == 0;
    if (in_tail) {
        const uint i = atomic_inc(placed);
        vstore2((uint2)(p, (uint)at), i + 2, placed);
    } else {
        const ${value} x = value_of(r, width);
        out[at] = ${"AFFINE(x, scale, loc)" if affine else "x"};
    }
    if (at == n - 1) {
        placed[1] = p;
        placed[2] = is_quick ? 1 : in_tail ? 0 : 2;
    }
}

// Puts the first `n` values found where they belong: those of a part begin at the place in `places`.
__kernel void place_values(
    __global const ${word} *restrict words, const uint tiles, ${tables}, __global const uint *restrict found,
    __global const uint *restrict places, __global ${value} *restrict out, const ulong offset, const ulong n,
    const ${value} scale, const ${value} loc, __global uint *restrict placed)
{
    const uint part = get_group_id(0);
    ulong at = places[part];
    out += offset;
% if group_size == 1:
    uint first = part * tiles * ${tile};
    for (uint t = 0; t < tiles && at < n; t++, first += 32) {
        uint made = found[first / 32];
        if (made == ~0u && at + 32 < n) {
            for (uint i = 0; i < 31; i++) {
                const ${value} x = value_of(words[first + i], width);
                out[at + i] = ${"AFFINE(x, scale, loc)" if affine else "x"};
            }
            at += 31;
            made = 1u << 31;
        }
        for (; made != 0 && at < n; made &= made - 1, at++) {
            const uint p = first + 31 - clz(made & -made);
            put(words[p], p, at, quick, width, out, n, scale, loc, placed);
        }
    }
% else:
    __local uint of_items[${group_size + min(group_size, 16)}], masks[${group_size}], before[${group_size}];
    const uint lane = get_local_id(0);
    for (uint t = 0; t < tiles && at < n; t++) {
        const uint first = (part * tiles + t) * ${tile};
        uint all;
        masks[lane] = found[first / 32 + lane];
        before[lane] = sum_before(popcount(masks[lane]), of_items, &all);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = lane; i < ${tile}; i += ${group_size}) {
            const uint made = masks[i / 32], bit = 1u << i % 32;
            const ulong to = at + before[i / 32] + popcount(made & (bit - 1));
            if ((made & bit) && to < n) put(words[first + i], first + i, to, quick, width, out, n, scale, loc, placed);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        at += all;
    }
% endif
}

// Puts the values of tails in their places: the second one of each pair of `placed`, behind the first two.
__kernel void put_values(__global const uint *restrict placed, __global const ${value} *restrict values, const uint n,
                         __global ${value} *restrict out, const ulong offset, const ${value} scale, const ${value} loc)
{
    const uint i = get_global_id(0);
    if (i < n) out[offset + placed[2 * i + 5]] = ${"AFFINE(values[i], scale, loc)" if affine else "values[i]"};
}
