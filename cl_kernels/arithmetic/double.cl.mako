// Residues modulo 2^31 - 1 in double precision with fused multiply-add.
//
// A residue is an integer |x| < m held in a double. The quotient t/m is rounded to the nearest integer by adding
// and subtracting 1.5 * 2^52, so every product comes out balanced, |x| <= m/2 + 1; it is made canonical only on
// output, where the same constant leaves the integer in the low bits of the double, in two's complement.
typedef double${w} ${p}residue;
typedef double ${p}factor;

#define ${p}MAGIC 6755399441055744.0
#define ${p}RECIPROCAL (1.0 / ${modulus}.0)

CLRNG_INLINE ${p}residue ${p}from_uint(const uint${w} x)
{
    return convert_double${w}(as_int${w}(x - (x >> 30) * ${modulus}u));
}

CLRNG_INLINE uint${w} ${p}to_uint(const ${p}residue x)
{
% if width == 1:
    const uint r = convert_uint(as_ulong(x + ${p}MAGIC) & 0xffffffffUL);
% else:
    const uint${w} r = as_uint${2 * width}(x + ${p}MAGIC).even;
% endif
    return CLRNG_MIN(r, r + ${modulus}u);
}

CLRNG_INLINE ${p}factor ${p}factor_of(const uint a)
{
    return convert_double(as_int(a - (a >> 30) * ${modulus}u));
}

// t - q*m for t = x*a below 2^53, which is exact.
CLRNG_INLINE ${p}residue ${p}reduce(const double${w} t)
{
    const double${w} q = CLRNG_FMA(t, (double${w})${p}RECIPROCAL, (double${w})${p}MAGIC) - ${p}MAGIC;
    return CLRNG_FMA(-q, (double${w})${modulus}.0, t);
}

// x*a = t + e exactly, with t = fl(x*a) < 2^61.
CLRNG_INLINE ${p}residue ${p}mul(const ${p}residue x, const ${p}factor a)
{
    const double${w} t = x * (double${w})a;
    const double${w} e = CLRNG_FMA(x, (double${w})a, -t);
    return ${p}reduce(t) + e;
}

CLRNG_INLINE ${p}residue ${p}leap(const ${p}residue x, const ${p}factor a) { return ${p}mul(x, a); }

CLRNG_INLINE ${p}residue ${p}step(const ${p}residue x)
{
% if short_multiplier:
    return ${p}reduce(x * (double${w})(${multiplier}.0));
% else:
    return ${p}mul(x, ${multiplier}.0);
% endif
}
