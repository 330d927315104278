// Residues modulo m = 2^31 - 1 in double precision with fused multiply-add.
//
// A residue is an integer |x| < m held in a double. For the product with any factor a, q = the integer nearest
// x*a/m, and x' = x*a - q*m = (x*a - q * 2^31) + q. Both steps are exact: q * 2^31 comes out of one fused
// multiply-add of x and a * 2^31 / m, because adding and subtracting 1.5 * 2^83 rounds to a multiple of 2^31; the
// fused difference is an integer below 2^32. Four operations, and |x'| <= m/2 + 256, as q is rounded from a
// quotient within 2^-23 of the true one.
#ifdef __FAST_RELAXED_MATH__
#error "clrng's floating-point arithmetics are exact only without -cl-fast-relaxed-math; integer is exact with it"
#endif
typedef double${w} ${p}residue;
typedef struct { double a, quotient; } ${p}factor;

CLRNG_INLINE ${p}residue ${p}from_word(const uint${w} x)
{
    return convert_double${w}(as_int${w}(x - (x >> 30) * ${modulus}u));
}

// Adding 1.5 * 2^52 leaves an integer in the low bits of the double, in two's complement.
CLRNG_INLINE uint${w} ${p}to_word(const ${p}residue x)
{
% if width == 1:
    const uint r = convert_uint(as_ulong(x + 0x1.8p52) & 0xffffffffUL);
% else:
    const uint${w} r = as_uint${2 * width}(x + 0x1.8p52).even;
% endif
    return CLRNG_MIN(r, r + ${modulus}u);
}

CLRNG_INLINE ${p}factor ${p}factor_of(const uint word)
{
    const double a = convert_double(as_int(word - (word >> 30) * ${modulus}u));
    return (${p}factor){a, a * (0x1p31 / ${modulus}.0)};
}

CLRNG_INLINE ${p}residue ${p}mul(const ${p}residue x, const ${p}factor by)
{
    const double${w} a = (double${w})by.a, quotient = (double${w})by.quotient;
    const double${w} q = CLRNG_FMA(x, quotient, (double${w})0x1.8p83) - 0x1.8p83;
    return CLRNG_FMA(q, (double${w})0x1p-31, CLRNG_FMA(x, a, -q));
}

CLRNG_INLINE ${p}residue ${p}mul_unreduced(const ${p}residue x, const ${p}factor by) { return ${p}mul(x, by); }

CLRNG_INLINE ${p}residue ${p}step(const ${p}residue x) { return ${p}mul(x, ${p}factor_of(${multiplier}u)); }
