// Residues modulo m = ${modulus} in double precision: s = x - ${sum.half}, so that |s| <= ${sum.half}.
//
// A sum t of at most ${sum.largest} is exact. q = the integer nearest t/m, by adding and subtracting 1.5 * 2^52, and the
// fused t - q*m is the residue of least magnitude, which is unique as m is odd.
#ifdef __FAST_RELAXED_MATH__
#error "clrng's floating-point arithmetics are exact only without -cl-fast-relaxed-math; integer is exact with it"
#endif
typedef double${w} ${p}residue;

CLRNG_INLINE ${p}residue ${p}from_word(const uint${w} x) { return convert_double${w}(x) - ${sum.half}.0; }

% if width > 1:
// The lower halves of doubles.
CLRNG_INLINE uint${w} ${p}lower(const double${w} x)
{
% if width == 16:
    return (uint16)(as_uint16(x.lo).even, as_uint16(x.hi).even);
% else:
    return as_uint${2 * width}(x).even;
% endif
}

% endif
// Adding 1.5 * 2^52 leaves an integer in the low bits of the double.
CLRNG_INLINE uint${w} ${p}to_word(const ${p}residue x)
{
% if width == 1:
    return convert_uint(as_ulong(x + (0x1.8p52 + ${sum.half}.0)) & 0xffffffffUL);
% else:
    return ${p}lower(x + (0x1.8p52 + ${sum.half}.0));
% endif
}

// The residue of least magnitude of a sum.
CLRNG_INLINE ${p}residue ${p}least(const double${w} t)
{
    const double${w} q = CLRNG_FMA(t, (double${w})(1.0 / ${modulus}.0), (double${w})0x1.8p52) - 0x1.8p52;
    return CLRNG_FMA(-q, (double${w})${modulus}.0, t);
}

CLRNG_INLINE ${p}residue ${p}sum(${", ".join(f"const {p}residue s{i}" for i in range(order))})
{
    ${p}residue t = (double${w})(${sum.constant}.0);
% for i, coefficient in sum.terms:
    t = CLRNG_FMA(s${i}, (double${w})(${coefficient}.0), t);
% endfor
    return ${p}least(t);
}
% if in_halves:

// The upper and the lower half of a word, as doubles.
CLRNG_INLINE double ${p}upper_half(const uint x) { return as_double(0x4330000000000000UL | (x >> 16)) - 0x1p52; }

CLRNG_INLINE double ${p}lower_half(const uint x) { return as_double(0x4330000000000000UL | (x & 0xffffu)) - 0x1p52; }

// The residue of a weighted sum of words: `upper` is that with the upper halves of the weights, `lower` with the lower ones.
CLRNG_INLINE ${p}residue ${p}weighted(const double${w} upper, const double${w} lower)
{
    return ${p}least(CLRNG_FMA(${p}least(upper), (double${w})0x1p16, lower));
}
% endif
