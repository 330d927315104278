## Needs what attempts needs, and where words are `made` by a generator: the `order` of its states and the words of its
## `strides`, whether it `fixes_strides`, and whether states are `moving` by them.
<%
    starts, by = [f"start_{i}" for i in range(order)], [f"stride_{i}" for i in range(strides)]
    source = ", ".join(f"const ulong {name}" for name in [*starts, *by, "waiting"]) if made else f"__global const {word} *restrict words, const ulong end"
    of_words = "words, end" if not made else "first, 0, waiting"
    fixed = "s_fixed(by, first)" if fixes_strides else "by"
    apply = "s_apply_fixed" if fixes_strides else "s_apply_stride"
    held = "x.s" if moving else "x"
%>
<%include file="attempts.cl.mako"/>
<%include file="/order/scan_in_group.cl.mako" args="sum_type='uint'"/>
% if made:
// The state of the step after the given one, numbered as words are, and the stride from it.
#define BEGIN(step) \
    const s_state first = s_jump(s_load(${", ".join(starts)}), (ulong)(step) + 1); \
    const s_stride by = s_stride_of(${", ".join(by)}), stride = ${fixed};
% endif
// Returns which of the 32 words of a mask begin attempts that make a value. `slow` says which were `judged`, one after the
// other, and `skip` is how many words an attempt before has taken; then it is how many of the next ones are taken.
CLRNG_INLINE uint walk(uint slow, __local const ushort *judged, uint *skip)
{
    uint until = *skip, found = until < 32 ? ~0u << until : 0;
    for (; slow != 0; slow &= slow - 1, judged++) {
        const uint i = 31 - clz(slow & -slow);
        if (i < until) continue;
        until = i + (*judged >> 1);
        found &= ~(BELOW(until) & ~BELOW(i + (*judged & 1)));
    }
    *skip = until > 32 ? until - 32 : 0;
    return found;
}

% if bits == 64:
// The upper 32 bits of a size: where they are less, so is the size.
#define LEAD(size) (uint)((size) >> ${20 if normal else 21})
% else:
#define LEAD(size) (uint)(size)
% endif
## Goes through `count` words, of which work-items take turns: `both` is a step of them, or a word, of mask number `mask`,
## which it has from bit `first_bit` on in all turns.
<%def name="through(opening, body)">\
% if made:
    BEGIN(get_global_id(0))
    ${"s_moving x = s_moving_by(first, stride)" if moving else "s_state x = first"};
% endif
    const uint steps = count / ${each}, next_mask = get_global_size(0) / ${32 // each};
    const uint first_bit = get_global_id(0) % ${32 // each} * ${each};
    uint mask = get_global_id(0) / ${32 // each};
${opening()}
#pragma unroll 2
    for (uint step = get_global_id(0); step < steps; step += get_global_size(0), mask += next_mask) {
% if made:
        const ulong both = ${f"s_value({held})" if bits == 64 else f"step_value({held}, step, waiting)"};
        x = ${"s_moved_on(x)" if moving else f"{apply}(x, stride)"};
% else:
        const ${word} both = words[step];
% endif
${body()}
    }
</%def>\
<%def name="nothing()"></%def>\
<%def name="sift()">\
% for h in range(each):
        {
            const ${word} r = (${word})(both${" >> 32" if h else ""});
            if (LEAD(SIZE(r)) >= near[LAYER(r)]) atomic_or(slow + mask, 1u << (first_bit + ${h}));
        }
% endfor
</%def>\
## What masks say is read a turn before it is needed; behind the last turn there is anything.
<%def name="first_mark()">\
    const uint lead_0 = LEAD(quick[0]);
% for h in range(each):
    const uint bit_${h} = 1u << (first_bit + ${h}), below_${h} = bit_${h} - 1;
% endfor
    __global const uint2 *marks = found + mask;
    uint2 next_mark = *marks;
    uint next_before = before[mask >> part_bits];
</%def>\
<%def name="place()">\
        const uint2 mark = next_mark;
        const uint first_at = next_before + mark.y;
        marks += next_mask;
        next_mark = *marks;
        next_before = before[(mask + next_mask) >> part_bits];
% for h in range(each):
        {
            const ${word} r = (${word})(both${" >> 32" if h else ""});
            const uint at = first_at + popcount(mark.x & below_${h});
            if ((mark.x & bit_${h}) && at < n && !(LAYER(r) == 0 && LEAD(SIZE(r)) >= lead_0 && !IS_QUICK(r, quick))) {
                const ${value} y = VALUE(r, near);
                out[at] = ${"AFFINE(y, scale, loc)" if affine else "y"};
                SAY_LAST(at, ${each} * step + ${h}, IS_QUICK(r, quick) ? 1 : 2)
            }
        }
% endfor
</%def>\

// Says in the bits of `slow`, 0 before, which of `count` words are not quick, and of a few others that they are not, too.
__kernel void sift_words(${source}, const uint count, __global const ${word} *restrict quick, __global uint *restrict slow)
{
    __local uint near[256];
    for (uint i = get_local_id(0); i < 256; i += ${group_size}) near[i] = LEAD(quick[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
${through(nothing, sift)}
}

// Says which words begin attempts that make a value, in the bits of the first numbers of `found`, as far as it is known how
// many words the attempts before take; where that was not right, the next launch does it again. The second numbers are how
// many values begin before in the part. There is nothing left to do when every part was last looked through for as many
// taken words as there are. A work-group has the words of a tile, a work-item those of a mask. `tails` are the numbers of words
// that are in the tail if an attempt begins with them; number 3 of `progress` is how many these are.
__kernel void find_values(
    ${source}, const uint parts, const uint tiles, __global const ${word} *restrict quick,
    __global const ${value} *restrict width, __global const ${value} *restrict height, const ${real} margin,
    const ${real} tail_margin, __global const ulong *restrict flips, const uint flip_count, __global const uint *restrict slow,
    __global uint2 *restrict found, __global uint *restrict tails, const uint most_tails, __global uint *restrict progress,
    __global ulong *restrict notes, const uint most_notes)
{
    __local uint of_items[${group_size + min(group_size, 16)}], skips[${group_size + 1}], changed;
    // The numbers of slow words in the tile; then 2 n for an attempt of n words that makes no value, or 2 n + 1.
    __local ushort judged[${tile}];
    __local uint judged_count;
% if made:
    __local s_state starts[${group_size}];    // the states of masks
% endif
    const uint part = get_group_id(0), lane = get_local_id(0);
    if (lane == 0) {
        skips[${group_size}] = atomic_add(TAKEN(part), 0);
        changed = skips[${group_size}] != *SEEN(part);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!changed) return;
    if (lane == 0) *SEEN(part) = skips[${group_size}];
    uint count = 0, mask = part * tiles * ${group_size} + lane;
    ulong tile = (ulong)part * tiles * ${tile};
% if made:
    BEGIN(mask * ${32 // each})
    s_state of_lane = first;
% endif
    attempts a = {${of_words}, width, height, margin, tail_margin, progress, notes, most_notes, flips, flip_count};
    for (uint t = 0; t < tiles; t++, mask += ${group_size}, tile += ${tile}) {
        const uint of_mask = slow[mask];
        if (lane == 0) judged_count = 0, skips[0] = skips[${group_size}];
% if made:
        starts[lane] = of_lane;
        of_lane = ${apply}(of_lane, stride);
% endif
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint mine = of_mask == 0 ? 0 : atomic_add(&judged_count, popcount(of_mask));
        for (uint left = of_mask, k = mine; left != 0; left &= left - 1) judged[k++] = 32 * lane + 31 - clz(left & -left);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = lane; k < judged_count; k += ${group_size}) {
            const ulong place = tile + judged[k];
% if made:
            a.corner = starts[judged[k] / 32];
            a.first = place & ~31UL;
% endif
            reader from = read_from(&a, place);
            const ${word} r = read(&from, ${"waiting" if made else "0"});
            uint yields = 1, length = 1;
            if (!IS_QUICK(r, quick)) {
                length = attempt(&a, place, r, read(&from, ${"waiting" if made else "0"}), &yields);
                if (LAYER(r) == 0) {
                    const uint i = atomic_inc(progress + 3);
                    if (i < most_tails) tails[i] = place;
                }
            }
            judged[k] = CLRNG_MIN(length, 0x7fffu) << 1 | yields;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint taken = lane == 0 ? skips[0] : 0, after = taken, all;
        uint made = walk(of_mask, judged + mine, &after);
        bool again = true;
        while (again) {
            skips[lane + 1] = after;
            if (lane == 0) changed = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (skips[lane] != taken) {
                const uint then = after;
                taken = after = skips[lane];
                made = walk(of_mask, judged + mine, &after);
                if (after != then) changed = 1;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            again = changed;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        const uint earlier = count + sum_before(popcount(made), of_items, &all);
        found[mask] = (uint2)(made, earlier);
        count += all;
    }
    if (lane == 0) {
        *COUNT(part) = count;
        atomic_xchg(TAKEN(part + 1), skips[${group_size}]);
    }
}

// before[part] becomes the number of values that begin in the parts before. One work-group does it.
__kernel void sum_counts(const uint parts, __global uint *restrict progress, __global uint *restrict before)
{
    __local uint of_items[${group_size + min(group_size, 16)}];
    uint sum = 0, all;
    for (uint first = 0; first < parts; first += ${group_size}, sum += all) {
        const uint part = first + get_local_id(0);
        const uint earlier = sum + sum_before(part < parts ? *COUNT(part) : 0, of_items, &all);
        if (part < parts) before[part] = earlier;
    }
}

// Puts the values of `tails` in their places, if they are among the first `n` found. A part has 2^part_bits masks.
__kernel void place_tails(
    ${source}, const uint part_bits, __global const ${value} *restrict width, __global const ${value} *restrict height,
    const ${real} margin, const ${real} tail_margin, __global const ulong *restrict flips, const uint flip_count,
    __global const uint2 *restrict found, __global const uint *restrict before, __global const uint *restrict tails,
    const uint most_tails, __global uint *restrict progress, __global uint *restrict last, __global ${value} *restrict out,
    const ulong offset, const uint n, const ${value} scale, const ${value} loc, __global ulong *restrict rows, const uint most_rows)
{
    const uint count = CLRNG_MIN(progress[3], most_tails);
    out += offset;
    for (uint k = get_global_id(0); k < count; k += get_global_size(0)) {
        const uint i = tails[k], bit = 1u << i % 32;
        const uint2 mark = found[i / 32];
        const uint at = before[i / 32 >> part_bits] + mark.y + popcount(mark.x & (bit - 1));
        if (!(mark.x & bit) || at >= n) continue;
% if made:
        const ulong step = i / ${each};
        const attempts a = {s_jump(s_load(${", ".join(starts)}), step + 1), ${each} * step, waiting, width, height, margin, tail_margin, progress, 0, 0, flips, flip_count};
% else:
        const attempts a = {words, end, width, height, margin, tail_margin, progress, 0, 0, flips, flip_count};
% endif
        reader from = read_from(&a, i);
        const uint taken = put_tail(&a, read(&from, ${"waiting" if made else "0"}), i, at, out, scale, loc, progress, rows, most_rows);
        SAY_LAST(at, i, taken)
    }
}

// Puts the others of the first `n` values found in `count` words in their places.
__kernel void place_values(
    ${source}, const uint count, const uint part_bits, __global const ${word} *restrict quick,
    __global const ${value} *restrict width, __global const uint2 *restrict found, __global const uint *restrict before,
    __global uint *restrict last, __global ${value} *restrict out, const ulong offset, const uint n,
    const ${value} scale, const ${value} loc)
{
    __local ${value} near[256];
    for (uint i = get_local_id(0); i < 256; i += ${group_size}) near[i] = width[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out += offset;
${through(first_mark, place)}
}
