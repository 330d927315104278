<%
    tables = f"__global const {word} *restrict quick, __global const {value} *restrict width"
%>
<%include file="attempts.cl.mako"/>
// Returns which of 32 words from `first` on begin attempts that make a value. `slow` says which are not quick, and
// `skip` is how many of them an attempt before has taken; then it is how many of the next ones are taken.
CLRNG_INLINE uint walk(const attempts *a, const ulong first, uint slow, uint *skip)
{
    uint until = *skip, found = until < 32 ? ~0u << until : 0;
    for (slow &= found; slow != 0; slow &= slow - 1) {
        const uint i = 31 - clz(slow & -slow);
        if (i < until) continue;
        uint yields;
        until = i + attempt(a, first + i, a->words[first + i], a->words[first + i + 1], &yields);
        found &= ~(BELOW(until) & ~BELOW(i + yields));
    }
    *skip = until > 32 ? until - 32 : 0;
    return found;
}

// Says which words begin attempts that make a value, in the bits of `found`, as far as it is known how many words the
// attempts before take; where that was not right, the next launch does it again. There is nothing left to do when every part
// was last looked through for as many taken words as there are.
__kernel void find_values(
    __global const ${word} *restrict words, const ulong end, const uint parts, const uint tiles, ${tables},
    __global const ${value} *restrict height, const ${real} margin, const ${real} tail_margin,
    __global const ulong *restrict flips, const uint flip_count,
    __global uint *restrict found, __global uint *restrict progress, __global ulong *restrict notes, const uint most_notes)
{
    const attempts a = {words, end, width, height, margin, tail_margin, progress, notes, most_notes, flips, flip_count};
    const uint part = get_group_id(0);
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
    atomic_xchg(TAKEN(part + 1), skip);
}

// Puts the first `n` values found where they belong: those of a part come behind those of all parts before.
__kernel void place_values(
    __global const ${word} *restrict words, const ulong end, const uint parts, const uint tiles, ${tables},
    __global const ${value} *restrict height, const ${real} margin, const ${real} tail_margin,
    __global const ulong *restrict flips, const uint flip_count, __global const uint *restrict found, __global uint *restrict progress,
    __global uint *restrict last, __global ${value} *restrict out, const ulong offset, const uint n,
    const ${value} scale, const ${value} loc, __global ulong *restrict rows, const uint most_rows)
{
    const attempts a = {words, end, width, height, margin, tail_margin, progress, 0, 0, flips, flip_count};
    const uint part = get_group_id(0);
    uint at = 0;
    for (uint i = 0; i < part; i++) at += *COUNT(i);
    const ${word} quick_0 = quick[0];
    out += offset;
    uint first = part * tiles * ${tile};
    for (uint t = 0; t < tiles && at < n; t++, first += 32) {
        uint made = found[first / 32];
        if (made == ~0u && n - at > 32) {
            for (uint i = 0; i < 31; i++) {
                const ${value} x = VALUE(words[first + i], width);
                out[at + i] = ${"AFFINE(x, scale, loc)" if affine else "x"};
            }
            at += 31;
            made = 1u << 31;
        }
        for (; made != 0 && at < n; made &= made - 1, at++) {
            const uint p = first + 31 - clz(made & -made);
            const ${word} r = words[p];
            uint taken = IS_QUICK(r, quick) ? 1 : 2;
            if (IN_TAIL(r)) {
                taken = put_tail(&a, r, p, at, out, scale, loc, progress, rows, most_rows);
            } else {
                const ${value} x = VALUE(r, width);
                out[at] = ${"AFFINE(x, scale, loc)" if affine else "x"};
            }
            SAY_LAST(at, p, taken)
        }
    }
}
