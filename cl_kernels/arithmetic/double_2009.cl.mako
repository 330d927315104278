// Park-Miller in double precision as published by W. B. Langdon (2009), kept as a baseline.
//
// The state is an integer; the product is taken in double, multiplied by the reciprocal of m, floored, and that
// multiple of m subtracted. Jumps are not part of the paper: they are made in integers.
#ifdef __FAST_RELAXED_MATH__
#error "clrng's floating-point arithmetics are exact only without -cl-fast-relaxed-math; integer is exact with it"
#endif
typedef uint ${p}residue;
typedef uint ${p}factor;

CLRNG_INLINE ${p}residue ${p}from_word(const uint x) { return x; }

CLRNG_INLINE uint ${p}to_word(const ${p}residue x) { return x; }

CLRNG_INLINE ${p}factor ${p}factor_of(const uint a) { return a; }

CLRNG_INLINE ${p}residue ${p}mul(const ${p}residue x, const ${p}factor a)
{
    return convert_uint((ulong)x * a % ${modulus}u);
}

CLRNG_INLINE ${p}residue ${p}mul_unreduced(const ${p}residue x, const ${p}factor a) { return ${p}mul(x, a); }

CLRNG_INLINE ${p}residue ${p}step(const ${p}residue x)
{
    const double t = x * ${multiplier}.0;
    return convert_uint(t - ${modulus}.0 * floor(t * (1.0 / ${modulus}.0)));
}
