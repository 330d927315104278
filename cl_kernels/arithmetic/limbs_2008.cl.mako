// Park-Miller in single precision as published by W. B. Langdon (2008), kept as a baseline.
//
// A residue is four bytes held in floats, least significant first. The product x*a (five bytes) is formed byte by
// byte; q = floor(x*a / m) is guessed in floating point, q*m is lowered until it does not exceed x*a, and what
// remains is lowered below m. Jumps are not part of the paper: they are made in integers.
#ifdef __FAST_RELAXED_MATH__
#error "clrng's floating-point arithmetics are exact only without -cl-fast-relaxed-math; integer is exact with it"
#endif
typedef float4 ${p}residue;
typedef uint ${p}factor;
typedef struct { float4 low; float top; } ${p}five;

CLRNG_INLINE ${p}residue ${p}from_word(const uint x)
{
    return convert_float4((uint4)(x, x >> 8, x >> 16, x >> 24) & 255u);
}

CLRNG_INLINE uint ${p}to_word(const ${p}residue x)
{
    const uint4 b = convert_uint4(x);
    return b.x + (b.y << 8) + (b.z << 16) + (b.w << 24);
}

CLRNG_INLINE ${p}factor ${p}factor_of(const uint a) { return a; }

CLRNG_INLINE ${p}residue ${p}mul(const ${p}residue x, const ${p}factor a)
{
    return ${p}from_word(convert_uint((ulong)${p}to_word(x) * a % ${modulus}u));
}

CLRNG_INLINE ${p}residue ${p}mul_unreduced(const ${p}residue x, const ${p}factor a) { return ${p}mul(x, a); }

CLRNG_INLINE ${p}five ${p}exactmul(const float f, const float4 x)
{
    ${p}five r;
    float t = x.x * f, carry = floor(t / 256.0f);
    r.low.x = t - 256.0f * carry;
% for byte in "yzw":
    t = x.${byte} * f + carry;
    carry = floor(t / 256.0f);
    r.low.${byte} = t - 256.0f * carry;
% endfor
    r.top = carry;
    return r;
}

// Whether a < b.
CLRNG_INLINE int ${p}comp4(const float4 a, const float4 b)
{
    return a.w != b.w ? a.w < b.w : a.z != b.z ? a.z < b.z : a.y != b.y ? a.y < b.y : a.x < b.x;
}

CLRNG_INLINE int ${p}comp5(const ${p}five a, const ${p}five b)
{
    return a.top != b.top ? a.top < b.top : ${p}comp4(a.low, b.low);
}

// a - b for a >= b; of five bytes the top one cancels.
CLRNG_INLINE float4 ${p}exactsub(const float4 a, const float4 b)
{
    float4 r;
    float borrow = 0.0f, t;
% for byte in "xyzw":
    t = a.${byte} - (b.${byte} + borrow);
    borrow = t < 0.0f ? 1.0f : 0.0f;
    r.${byte} = t + 256.0f * borrow;
% endfor
    return r;
}

CLRNG_INLINE ${p}residue ${p}step(const ${p}residue x)
{
    const float4 m = (float4)(255.0f, 255.0f, 255.0f, 127.0f);
    const ${p}five product = ${p}exactmul(${multiplier}.0f, x);
    const float value = x.x + x.y * 256.0f + x.z * 65536.0f + x.w * 16777216.0f;
    float quotient = floor(value * ${multiplier}.0f / ${modulus}.0f);
    ${p}five multiple = ${p}exactmul(quotient, m);
    while (${p}comp5(product, multiple)) {
        quotient -= 1.0f;
        multiple = ${p}exactmul(quotient, m);
    }
    float4 r = ${p}exactsub(product.low, multiple.low);
    while (!${p}comp4(r, m)) r = ${p}exactsub(r, m);
    return r;
}
