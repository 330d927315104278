<%include file="float_digits.cl.mako"/>
// The products of digits with fused multiply-add: a*l = c + u exactly, with c the multiple of 2^16 nearest it and
// u the fused remainder; a*h = k + v with k a multiple of 2^15. Then l' = u + k / 2^15 and h' = v + c / 2^16.
// Every number is an integer below 2^24, or such an integer times a power of two, so nothing is ever rounded.
typedef struct { float high, low; } ${p}factor;

CLRNG_INLINE ${p}factor ${p}factor_of(const uint a)
{
    const int y = as_int(a - (a >> 30) * ${modulus}u);
    const int low = ((y + 32768) & 65535) - 32768;
    return (${p}factor){convert_float((y - low) >> 16), convert_float(low)};
}

CLRNG_INLINE float${w} ${p}nearest_16(const float${w} x, const float${w} a)
{
    return CLRNG_FMA(x, a, (float${w})0x1.8p39f) - 0x1.8p39f;
}

CLRNG_INLINE float${w} ${p}nearest_15(const float${w} x, const float${w} a)
{
    return CLRNG_FMA(x, a, (float${w})0x1.8p38f) - 0x1.8p38f;
}

// (h * 2^16 + l)(high * 2^16 + low) before any carry, with 2^32 = 2 (mod m). c1 and c are the multiples of 2^16 with
// 1.5 * 2^39 added, of one product and of the sum of two, k1 and k those of 2^15 with 1.5 * 2^38. Times 2^-16 and 2^-15
// both have 1.5 * 2^23 too much, which u1 and v1 have too little.
CLRNG_INLINE ${p}residue ${p}product(const ${p}residue x, const ${p}factor a)
{
    const float${w} low = (float${w})a.low, high = (float${w})a.high, twice = (float${w})(a.high + a.high);
    const float${w} c1 = CLRNG_FMA(x.l, low, (float${w})0x1.8p39f), c = CLRNG_FMA(x.h, twice, c1);
    const float${w} u1 = CLRNG_FMA(x.l, low, -(c1 - (0x1.8p39f - 0x1.8p23f))), u2 = CLRNG_FMA(x.h, twice, -(c - c1));
    const float${w} k1 = CLRNG_FMA(x.h, low, (float${w})0x1.8p38f), k = CLRNG_FMA(x.l, high, k1);
    const float${w} v1 = CLRNG_FMA(x.h, low, -(k1 - (0x1.8p38f - 0x1.8p23f))), v2 = CLRNG_FMA(x.l, high, -(k - k1));
    return (${p}residue){CLRNG_FMA(c, (float${w})0x1p-16f, v1 + v2), CLRNG_FMA(k, (float${w})0x1p-15f, u1 + u2)};
}

CLRNG_INLINE ${p}residue ${p}mul(const ${p}residue x, const ${p}factor a)
{
    const ${p}residue y = ${p}product(x, a);
    return ${p}balanced(y.h, y.l);
}

// Leaves l as it is: |l| stays below 163900 however many products follow one another.
CLRNG_INLINE ${p}residue ${p}mul_unreduced(const ${p}residue x, const ${p}factor a)
{
    const ${p}residue y = ${p}product(x, a);
    return ${p}carry_h(y.h, y.l);
}

CLRNG_INLINE ${p}residue ${p}step(const ${p}residue x)
{
% if kind == "long":
    return ${p}mul(x, (${p}factor){${high}.0f, ${low}.0f});
% else:
    const float${w} a = (float${w})(${multiplier}.0f);
    const float${w} c = ${p}nearest_16(x.l, a), u = CLRNG_FMA(x.l, a, -c);
    const float${w} k = ${p}nearest_15(x.h, a), v = CLRNG_FMA(x.h, a, -k);
    const float${w} h = CLRNG_FMA(c, (float${w})0x1p-16f, v), l = CLRNG_FMA(k, (float${w})0x1p-15f, u);
% if kind == "short":
    return (${p}residue){h, l};
% else:
    return ${p}carry_h(h, l);
% endif
% endif
}
