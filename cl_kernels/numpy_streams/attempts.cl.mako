## Attempts of a ziggurat of 256 layers as NumPy makes them: the values of ziggurat.py in clrng/frontends/numpy_streams.
<%page args="bits, normal, real, fused, uniform"/>\
<%
    word, value = ("ulong", "double") if bits == 64 else ("uint", "float")
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
#define UNIFORM(x) ((${value})(${uniform}))
// a * b + c, rounded as NumPy's: ${"once" if fused else "twice, also where a compiler fuses a product and a sum, as the product by 1 is exact"}.
% if fused:
#define AFFINE(a, b, c) fma(a, b, c)
% else:
#define AFFINE(a, b, c) ((a) * (b) * (${value})get_work_dim() + (c))
% endif
#define BELOW(n) ((n) < 32 ? (1u << (n)) - 1 : ~0u)
% if normal:
// 1 / r, for the place r where the tail begins
#define TAIL_FACTOR (${real})0.27366123732975827203338247596${"" if real == "double" else "f"}
% endif

// The value of a word that is not in the tail; a product, rounded once.
CLRNG_INLINE ${value} value_of(const ${word} r, __global const ${value} *restrict width)
{
    const ${value} x = (${value})SIZE(r) * width[LAYER(r)];
    return ${f"as_{value}(as_{word}(x) ^ ((r >> 8) << {bits - 1}))" if normal else "x"};
}

// What all attempts use. Notes are of five numbers each: the place of an attempt, what it is, its word and two uniforms.
typedef struct {
    __global const ${word} *words;
    ulong end;    // the number of words
    __global const ${value} *width, *height;
    ${real} margin, tail_margin;    // two sides of a comparison that differ by less, relatively, are not compared here
    __global uint *counters;    // of changes, of notes, and of attempts that need words behind the end
    __global ulong *notes;
    uint most_notes;
    __global const ulong *flips;    // the decisions, in order, that are other than they seem
    uint flip_count;
} attempts;

CLRNG_INLINE void note(const attempts *a, const ulong place, const ulong what, const ${word} r, const ${value} u, const ${value} v)
{
    const uint i = atomic_inc(a->counters + 1);
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

// Returns the number of words of the attempt at `place`, which is not quick, and in `yields` whether it makes a value.
CLRNG_INLINE uint attempt(const attempts *a, const ulong place, uint *yields)
{
    const ${word} r = a->words[place];
    const uint layer = LAYER(r);
    *yields = 1;
    if (place + ${3 if normal else 2} > a->end) { atomic_inc(a->counters + 2); return 2; }
    if (layer != 0) {
        const ${value} u = UNIFORM(a->words[place + 1]);
        const ${value} top = a->height[layer - 1] - a->height[layer];
        const ${value} x = value_of(r, a->width);
        const ${real} power = ${f"({real})-0.5{'' if real == 'double' else 'f'} * x * x" if normal else "-x"};
        *yields = is_less(a, AFFINE(top, u, a->height[layer]), exp(power), a->margin, place, 0, r, u, 0);
        return 2;
    }
% if normal:
    for (uint pair = 0; ; pair++) {
        const ulong at = place + 1 + 2 * (ulong)pair;
        if (at + 2 > a->end) { atomic_inc(a->counters + 2); return 2; }
        const ${value} u = UNIFORM(a->words[at]), v = UNIFORM(a->words[at + 1]);
        const ${real} x = -TAIL_FACTOR * log1p(-(${real})u), y = -log1p(-(${real})v);
        if (is_less(a, x * x, y + y, a->tail_margin, place, pair, r, u, v)) {
            note(a, place, (ulong)pair << 3, r, u, v);
            return 3 + 2 * pair;
        }
    }
% else:
    note(a, place, 0, r, UNIFORM(a->words[place + 1]), 0);
    return 2;
% endif
}

// Returns which of 32 words from `first` on begin attempts that make a value. `slow` says which are not quick, and
// `skip` is how many of them an attempt before has taken; then it is how many of the next ones are taken.
CLRNG_INLINE uint walk(const attempts *a, const ulong first, uint slow, uint *skip)
{
    uint until = *skip, found = until < 32 ? ~0u << until : 0;
    for (slow &= found; slow != 0; slow &= slow - 1) {
        const uint i = 31 - clz(slow & -slow);
        if (i < until) continue;
        uint yields;
        until = i + attempt(a, first + i, &yields);
        found &= ~(BELOW(until) & ~BELOW(i + yields));
    }
    *skip = until > 32 ? until - 32 : 0;
    return found;
}
