## Attempts of a ziggurat of 256 layers as NumPy makes them, and what both forms of the kernels share.
<%
    of_index = {(64, True): 0, (32, True): 0, (64, False): 3, (32, False): 1}[bits, normal]
    of_size = {(64, True): 9, (32, True): 9, (64, False): 11, (32, False): 9}[bits, normal]
    suffix = "" if value == "double" else "f"
    uniform_bits = 53 if bits == 64 else 24
%>
#pragma OPENCL FP_CONTRACT OFF
// An attempt begins with a word, which has the number of a layer and a place in it. It is quick if the place is surely
// below the curve: its value takes this word alone. Else a second word, a uniform, decides in the wedge of a layer; and
// in the tail, layer 0, further words make the value${", pair by pair until one is accepted" if normal else ""}.
#define LAYER(r) ((uint)((r) >> ${of_index}) & 255u)
#define SIZE(r) (((r) >> ${of_size})${" & 0xfffffffffffffUL" if bits == 64 and normal else ""})
#define IS_QUICK(r, quick) (SIZE(r) < (quick)[LAYER(r)])
// a * b + c, rounded as NumPy's: ${"once" if fused else "twice, also where a compiler fuses a product and a sum, as the product by 1 is exact"}.
% if fused:
#define AFFINE(a, b, c) fma(a, b, c)
% else:
#define AFFINE(a, b, c) ((a) * (b) * (${value})get_work_dim() + (c))
% endif
#define BELOW(n) ((n) < 32 ? (1u << (n)) - 1 : ~0u)
// Where the tail begins, and what logarithms of uniforms are multiplied by there.
#define TAIL ((${value})${repr(tail[0])}${suffix})
#define TAIL_FACTOR ((${value})${repr(tail[1])}${suffix})

CLRNG_INLINE ${value} uniform_of(const ${word} x) { return (${value})(${uniform}); }

// The value of a word that is not in the tail; a product, rounded once.
CLRNG_INLINE ${value} value_of(const ${word} r, const ${value} width)
{
    const ${value} x = (${value})SIZE(r) * width;
    return ${f"as_{value}(as_{word}(x) ^ ((r >> 8) << {bits - 1}))" if normal else "x"};
}
#define VALUE(r, width) value_of(r, (width)[LAYER(r)])

// By how much of it, at the most, ${"the two parts below" if bits == 64 else "the device's logarithm"} and NumPy's may differ: NumPy's is the C library's, of which an
// error of 1.25 units in the last place is allowed for; ${"0.75 units lead there, as the sum is rounded" if bits == 64 else "0.75 units lead there, as it is rounded" if real == "double" else "the device's own has 2 more"}.
#define LOG_MARGIN ${"1.75e-16" if bits == 64 else "9e-8" if real == "double" else "6e-7f"}
% if bits == 64:

// The natural logarithm of x, from 2^-53 to 1, with the other sign, in two parts whose sum has an error of 2^-57 of it.
CLRNG_INLINE double2 minus_log(const double x)
{
    int e;
    double f = frexp(x, &e);
    if (f < 0.7) f *= 2, e--;
    // log f is 2 s + 2 s^3 / 3 + 2 s^5 / 5 ..., for s = (f - 1) / (f + 1), which is s + s_lo here
    const double n = f - 1, d = f + 1, d_lo = f < 1 ? f - (d - 1) : 1 - (d - f), s = n / d;
    const double s_lo = (fma(-s, d, n) - s * d_lo) / d, z = s * s;
    double sum = 2.0 / 25;
% for k in range(23, 1, -2):
    sum = fma(sum, z, 2.0 / ${k});
% endfor
    const double a = -e * 0x1.62e42feep-1, b = -2 * s;    // 32 bits of log 2, and the rest of it below
    const double hi = a + b, lo = e == 0 ? 0 : b - (hi - a);
    const double rest = lo - (s * (z * sum) + 2 * s_lo + e * 0x1.a39ef35793c76p-33);
    const double all = hi + rest;
    return (double2)(all, rest - (all - hi));
}
% endif

% if made:
// Words are made by the steps of a generator, ${"a word each" if bits == 64 else "two words each, the low half first"}. A reader has the state after the step
// that makes the next word.
typedef struct { s_state state;${"" if bits == 64 else " ulong step; bool is_odd;"} } reader;
% else:
typedef __global const ${word} *reader;
% endif

// What all attempts use. Notes are of five numbers each: the place of an attempt, what it is, its word and two uniforms.
typedef struct {
% if made:
    s_state corner;    // the state of the reader of word number `first`, the first one of a step
    ulong first, waiting;
% else:
    __global const ${word} *words;
    ulong end;    // the number of words
% endif
    __global const ${value} *width, *height;
    ${real} margin, tail_margin;    // two sides of a comparison that differ by less, relatively, are not compared here
    __global uint *counters;    // of notes, and of attempts that need words behind the end
    __global ulong *notes;
    uint most_notes;
    __global const ulong *flips;    // the decisions, in order, that are other than they seem
    uint flip_count;
} attempts;

% if made:
// The value of a step. If a 32-bit half of another one waits, it is the high half of a step before the first one.
CLRNG_INLINE ulong step_value(const s_state state, const ulong step, const ulong waiting)
{
    return ${"s_value(state)" if bits == 64 else "step == 0 && waiting != 0 ? waiting << 32 : s_value(state)"};
}

CLRNG_INLINE ${word} read(reader *from, const ulong waiting)
{
% if bits == 64:
    const ulong x = s_value(from->state);
    from->state = s_next(from->state);
    return x;
% else:
    const ulong both = step_value(from->state, from->step, waiting);
    from->is_odd = !from->is_odd;
    if (from->is_odd) return (uint)both;
    from->state = s_next(from->state);
    from->step++;
    return (uint)(both >> 32);
% endif
}

// Returns the reader of the words from `place` on, which is not before `first`.
CLRNG_INLINE reader read_from(const attempts *a, const ulong place)
{
% if bits == 64:
    return (reader){s_jump(a->corner, place - a->first)};
% else:
    return (reader){s_jump(a->corner, (place - a->first) / 2), place / 2, place % 2 == 1};
% endif
}
% else:
CLRNG_INLINE reader read_from(const attempts *a, const ulong place) { return a->words + place; }

CLRNG_INLINE ${word} read(reader *from, const ulong waiting) { return *(*from)++; }
% endif

CLRNG_INLINE void note(const attempts *a, const ulong place, const ulong what, const ${word} r, const ${value} u, const ${value} v)
{
    if (a->most_notes == 0) return;
    const uint i = atomic_inc(a->counters);
    if (i >= a->most_notes) return;
    __global ulong *const to = a->notes + (size_t)i * 5;
    to[0] = place;
    to[1] = what;
    to[2] = r;
    to[3] = (ulong)(u * 0x1p${uniform_bits}${suffix});
    to[4] = (ulong)(v * 0x1p${uniform_bits}${suffix});
}

// Whether `low` < `high`. If they are too near to one another this is noted, and the flips say whether it only seems so.
// `pair` is the number of the decision in the attempt, whose word and uniforms are noted.
CLRNG_INLINE bool is_less(const attempts *a, const ${real} low, const ${real} high, const ${real} margin,
                          const ulong place, const uint pair, const ${word} r, const ${value} u, const ${value} v)
{
    const bool seems = low < high;
    if (fabs(high - low) > margin * high) return seems;
    note(a, place, (ulong)pair << 3 | (LAYER(r) ? 0 : 4) | (seems ? 3 : 1), r, u, v);
    const ulong key = place << 8 | (pair & 255);
    uint first = 0, end = a->flip_count;
    while (first < end) {
        const uint middle = (first + end) / 2;
        if (a->flips[middle] < key) first = middle + 1; else end = middle;
    }
    return seems != (first < a->flip_count && a->flips[first] == key);
}

% if normal:
// Returns the number of words of the attempt in the tail at `place`, whose first two words are given; `u` is the uniform
// that makes its value, and `v` the one after it.
CLRNG_INLINE uint tail(const attempts *a, const ulong place, const ${word} r, const ${word} second, ${value} *u, ${value} *v)
{
    reader from = read_from(a, place + 2);
    *u = uniform_of(second);
    for (uint pair = 0; ; pair++) {
% if not made:
        if (place + 3 + 2 * (ulong)pair > a->end) { atomic_inc(a->counters + 1); return 2; }
% endif
        *v = uniform_of(read(&from, ${"a->waiting" if made else "0"}));
        const ${real} x = TAIL_FACTOR * log1p(-(${real})*u), y = -log1p(-(${real})*v);
        if (is_less(a, x * x, y + y, a->tail_margin, place, pair, r, *u, *v)) return 3 + 2 * pair;
% if not made:
        if (place + 4 + 2 * (ulong)pair > a->end) continue;
% endif
        *u = uniform_of(read(&from, ${"a->waiting" if made else "0"}));
    }
}
% endif

// Returns the number of words of the attempt at `place`, which is not quick, and in `yields` whether it makes a value.
// Its first two words are given.
CLRNG_INLINE uint attempt(const attempts *a, const ulong place, const ${word} r, const ${word} second, uint *yields)
{
    const uint layer = LAYER(r);
    ${value} u = uniform_of(second), v;
    *yields = 1;
    if (layer == 0) return ${"tail(a, place, r, second, &u, &v)" if normal else "2"};
    const ${value} top = a->height[layer - 1] - a->height[layer];
    const ${value} x = VALUE(r, a->width);
    const ${real} power = ${f"({real})-0.5{'' if real == 'double' else 'f'} * x * x" if normal else "-x"};
    const ${real} curve = ${"exp(power)" if bits == 64 or normal else "(float)exp(power)"};
    *yields = is_less(a, AFFINE(top, u, a->height[layer]), curve, a->margin, place, 0, r, u, 0);
    return 2;
}

// Words are cut into parts of `tiles` tiles of ${tile} words, each the work of a work-group. `progress` has ${counters} numbers of all; for
// every part how many of its words are taken by attempts before, and behind the last how many after it; how many values
// begin in each; and for how many taken words each was last looked through.
#define TAKEN(part) (progress + ${counters} + (part))
#define COUNT(part) (progress + ${counters + 1} + parts + (part))
#define SEEN(part) (progress + ${counters + 1} + 2 * parts + (part))

#define IN_TAIL(r) (LAYER(r) == 0 && SIZE(r) >= quick_0)

// Puts value `at`, which is in the tail, in its place, and returns how many words from `p` on it takes. It is the same for
// a logarithm that is a little less or more; or it is left to NumPy, in one of the `rows`: its place, its word and two
// uniforms. Number 2 of `progress` is how many these are.
CLRNG_INLINE uint put_tail(const attempts *a, const ${word} r, const ulong p, const uint at, __global ${value} *restrict out,
                           const ${value} scale, const ${value} loc, __global uint *restrict progress,
                           __global ulong *restrict rows, const uint most_rows)
{
    reader from = read_from(a, p + 1);
    const ${word} second = read(&from, ${"a->waiting" if made else "0"});
    ${value} u = uniform_of(second), v = 0;
    const uint words = ${"tail(a, p, r, second, &u, &v)" if normal else "2"};
% if bits == 64:
    const double2 y = minus_log(1 - u);
    const double low = y.x + (y.y - LOG_MARGIN * y.x), high = y.x + (y.y + LOG_MARGIN * y.x);
% else:
    const ${real} y = -log1p(-(${real})u);
    const float low = (float)(y - LOG_MARGIN * y), high = (float)(y + LOG_MARGIN * y);
% endif
    const ${value} tail_low = AFFINE(TAIL_FACTOR, low, TAIL), tail_high = AFFINE(TAIL_FACTOR, high, TAIL);
    if (tail_low == tail_high && ${int(not fused)}) {
        const ${value} x = ${f"as_{value}(as_{word}(tail_low) ^ (({word})(SIZE(r) >> 8) << {bits - 1}))" if normal else "tail_low"};
        out[at] = ${"AFFINE(x, scale, loc)" if affine else "x"};
    } else {
        const uint i = atomic_inc(progress + 2);
        if (i < most_rows)
            vstore4((ulong4)(at, r, (ulong)(u * 0x1p${uniform_bits}${suffix}), (ulong)(v * 0x1p${uniform_bits}${suffix})), i, rows);
    }
    return words;
}

// Says of the last value wanted where its word is, and how many words it takes.
#define SAY_LAST(at, p, words) \
    if ((at) == n - 1) last[0] = p, last[1] = words;

// Puts values in their places.
__kernel void put_values(__global const uint *restrict places, __global const ${value} *restrict values, const uint n,
                         __global ${value} *restrict out, const ulong offset, const ${value} scale, const ${value} loc)
{
    const uint i = get_global_id(0);
    if (i < n) out[offset + places[i]] = ${"AFFINE(values[i], scale, loc)" if affine else "values[i]"};
}
