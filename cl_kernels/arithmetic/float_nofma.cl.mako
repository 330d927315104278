<%include file="float_digits.cl.mako"/>
// The products of digits without fused multiply-add: the multiplier in balanced base 256, by Horner's rule. With
// |l| <= 33280 and |h| <= 16640 every sum is an integer below 384 * 33280 < 2^24, so nothing is ever rounded.
typedef struct { float d0, d1, d2, d3; } ${p}factor;

CLRNG_INLINE ${p}factor ${p}factor_of(const uint a)
{
    const int y = as_int(a - (a >> 30) * ${modulus}u);
    const int d0 = ((y + 128) & 255) - 128, y1 = (y - d0) >> 8;
    const int d1 = ((y1 + 128) & 255) - 128, y2 = (y1 - d1) >> 8;
    const int d2 = ((y2 + 128) & 255) - 128;
    return (${p}factor){convert_float(d0), convert_float(d1), convert_float(d2), convert_float((y2 - d2) >> 8)};
}

// 256*y + d*x
CLRNG_INLINE ${p}residue ${p}horner(const ${p}residue y, const ${p}residue x, const float d)
{
    return ${p}balanced(y.h * 256.0f + x.h * d, y.l * 256.0f + x.l * d);
}

CLRNG_INLINE ${p}residue ${p}mul(const ${p}residue x, const ${p}factor a)
{
    ${p}residue y = ${p}balanced(x.h * a.d3, x.l * a.d3);
    y = ${p}horner(y, x, a.d2);
    y = ${p}horner(y, x, a.d1);
    return ${p}horner(y, x, a.d0);
}

CLRNG_INLINE ${p}residue ${p}mul_unreduced(const ${p}residue x, const ${p}factor a) { return ${p}mul(x, a); }

CLRNG_INLINE ${p}residue ${p}step(const ${p}residue x)
{
    ${p}residue y = ${p}balanced(x.h * (${digits[0]}.0f), x.l * (${digits[0]}.0f));
% for digit in digits[1:]:
    y = ${p}horner(y, x, ${digit}.0f);
% endfor
    return y;
}
