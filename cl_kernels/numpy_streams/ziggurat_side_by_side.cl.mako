## Needs what attempts needs, and where words are `made` by a generator: the `order` of its states and the words of its `strides`.
<%
    starts, by = [f"start_{i}" for i in range(order)], [f"stride_{i}" for i in range(strides)]
    source = ", ".join(f"const ulong {name}" for name in [*starts, *by, "waiting"]) if made else f"__global const {word} *restrict words"
    fixed = "s_fixed(by, state)" if fixes_strides else "by"
%>
<%include file="attempts.cl.mako"/>
<%include file="/order/scan_in_group.cl.mako" args="sum_type='uint'"/>
% if made:
// A work-group makes a step for each of its work-items, then a step for each of them again.
#define BEGIN(first) \
    ulong step = (first) / ${each} + get_local_id(0); \
    s_state state = s_jump(s_load(${", ".join(starts)}), step + 1); \
    const s_stride by = s_stride_of(${", ".join(by)}), stride = ${fixed};
#define GO_ON step += ${group_size}, state = s_${"apply_fixed" if fixes_strides else "apply_stride"}(state, stride)
% endif
// Returns which of the 32 words of a work-item from `first` on begin attempts that make a value. `slow` says which are
// not quick, and `skip` is how many of them an attempt before has taken; then it is how many of the next ones are taken.
% if made:
// Of each that is not quick, `slots` has where it is kept with the next word, or 255 if there was no place for it.
CLRNG_INLINE uint walk(const attempts *a, const ulong first, uint slow, uint *skip, __local const uchar *slots,
                       __local const ${word}2 *kept)
% else:
CLRNG_INLINE uint walk(const attempts *a, const ulong first, uint slow, uint *skip)
% endif
{
    uint until = *skip, found = until < 32 ? ~0u << until : 0;
    for (slow &= found; slow != 0; slow &= slow - 1) {
        const uint i = 31 - clz(slow & -slow);
        if (i < until) continue;
% if made:
        ${word}2 both = kept[slots[i] % 255];
        if (slots[i] == 255) {
            reader from = read_from(a, first + i);
            both.x = read(&from, a->waiting);
            both.y = read(&from, a->waiting);
        }
% else:
        const ${word}2 both = {a->words[first + i], a->words[first + i + 1]};
% endif
        uint yields;
        until = i + attempt(a, first + i, both.x, both.y, &yields);
        found &= ~(BELOW(until) & ~BELOW(i + yields));
    }
    *skip = until > 32 ? until - 32 : 0;
    return found;
}
<%def name="turns(body)">\
% if made:
        for (uint turn = 0; turn < ${tile // each}; turn += ${group_size}) {
            const ulong both = ${"s_value(state)" if bits == 64 else "step_value(state, step, waiting)"};
% for h in range(each):
            {
                const uint i = ${each} * (turn + lane) + ${h};
                const ${word} r = (${word})(both${" >> 32" if h else ""});
${body("(uint)(both >> 32)" if h < each - 1 else f"({word})s_value(s_next(state))")}
            }
% endfor
            GO_ON;
        }
% else:
        for (uint i = lane; i < ${tile}; i += ${group_size}) {
            const ${word} r = words[first + i];
${body("")}
        }
% endif
</%def>\
<%def name="sort_out(second)">\
                if (!IS_QUICK(r, near)) {
                    atomic_or(slow + i / 32, 1u << i % 32);
% if made:
                    const uint slot = min(atomic_inc(&kept_count), 255u);
                    slots[i] = slot;
                    if (slot < 255) kept[slot] = (${word}2)(r, ${second});
% endif
                }
</%def>\
<%def name="store(second)">\
                const uint made = masks[i / 32], bit = 1u << i % 32;
                const ulong to = at + before[i / 32] + popcount(made & (bit - 1));
                if ((made & bit) && to < n) put(&a, r, first + i, to, quick, quick_0, near, out, n, scale, loc, progress, tails, most_tails);
</%def>\

// Says which words begin attempts that make a value, in the bits of `found`, as far as it is known how many words the
// attempts before take; where that was not right, the next launch does it again. There is nothing left to do when every part
// was last looked through for as many taken words as there are.
__kernel void find_values(
    ${source},${"" if made else " const ulong end,"} const uint parts, const uint tiles,
    __global const ${word} *restrict quick, __global const ${value} *restrict width,
    __global const ${value} *restrict height, const ${real} margin, const ${real} tail_margin,
    __global const ulong *restrict flips, const uint flip_count,
    __global uint *restrict found, __global uint *restrict progress, __global ulong *restrict notes,
    const uint most_notes)
{
    __local ${word} near[256];
    __local uint slow[${group_size}], skips[${group_size + 1}], total, changed;
    const uint part = get_group_id(0), lane = get_local_id(0);
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
    ulong first = (ulong)part * tiles * ${tile};
% if made:
    __local s_state corner;
    __local uchar slots[${tile}];
    __local ${word}2 kept[255];
    __local uint kept_count;
    BEGIN(first)
    attempts a = {&corner, first, waiting, width, height, margin, tail_margin, progress, notes, most_notes, flips, flip_count};
% else:
    const attempts a = {words, end, width, height, margin, tail_margin, progress, notes, most_notes, flips, flip_count};
% endif
    for (uint t = 0; t < tiles; t++, first += ${tile}) {
        slow[lane] = 0;
        if (lane == 0) skips[0] = skips[${group_size}];
% if made:
        a.first = first;
        if (lane == 0) kept_count = 0, corner = state;
% endif
        barrier(CLK_LOCAL_MEM_FENCE);
${turns(sort_out)}
        barrier(CLK_LOCAL_MEM_FENCE);
        uint before = lane == 0 ? skips[0] : 0, after = before;
        uint made = walk(&a, first + 32 * lane, slow[lane], &after${", slots + 32 * lane, kept" if made else ""});
        bool again = true;
        while (again) {
            skips[lane + 1] = after;
            if (lane == 0) changed = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            if (skips[lane] != before) {
                const uint then = after;
                before = after = skips[lane];
                made = walk(&a, first + 32 * lane, slow[lane], &after${", slots + 32 * lane, kept" if made else ""});
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
        atomic_xchg(TAKEN(part + 1), skips[${group_size}]);
    }
}

// Puts the first `n` values found where they belong: those of a part come behind those of all parts before.
__kernel void place_values(
    ${source},${"" if made else " const ulong end,"} const uint parts, const uint tiles,
    __global const ${word} *restrict quick, __global const ${value} *restrict width,
    __global const ${value} *restrict height, const ${real} margin, const ${real} tail_margin,
    __global const ulong *restrict flips, const uint flip_count, __global const uint *restrict found, __global uint *restrict progress, __global ${value} *restrict out,
    const ulong offset, const ulong n, const ${value} scale, const ${value} loc, __global ulong *restrict tails, const uint most_tails)
{
    __local uint of_items[${group_size + min(group_size, 16)}], masks[${group_size}], before[${group_size}];
    __local ${value} near[256];
    const uint part = get_group_id(0), lane = get_local_id(0);
    const ${word} quick_0 = quick[0];
    uint count = 0, counts;
    for (uint i = lane; i < part; i += ${group_size}) count += *COUNT(i);
    sum_before(count, of_items, &counts);
    ulong at = counts, first = (ulong)part * tiles * ${tile};
    out += offset;
    if (at >= n) return;
    for (uint i = lane; i < 256; i += ${group_size}) near[i] = width[i];
% if made:
    __local s_state corner;
    BEGIN(first)
    attempts a = {&corner, first, waiting, width, height, margin, tail_margin, 0, 0, 0, flips, flip_count};
% else:
    const attempts a = {words, end, width, height, margin, tail_margin, 0, 0, 0, flips, flip_count};
% endif
    for (uint t = 0; t < tiles && at < n; t++, first += ${tile}) {
        uint all;
% if made:
        a.first = first;
        if (lane == 0) corner = state;
% endif
        masks[lane] = found[first / 32 + lane];
        before[lane] = sum_before(popcount(masks[lane]), of_items, &all);
        barrier(CLK_LOCAL_MEM_FENCE);
${turns(store)}
        barrier(CLK_LOCAL_MEM_FENCE);
        at += all;
    }
}
