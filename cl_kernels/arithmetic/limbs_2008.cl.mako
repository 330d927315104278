// Park-Miller in single precision as published by W. B. Langdon (2008), kept as a baseline.
//
// A residue is four bytes held in floats, least significant first. The product x*a (five bytes) is formed byte by
// byte; q = floor(x*a / m) is guessed in floating point, q*m is lowered until it does not exceed x*a, and what
// remains is lowered below m. Jumps are not part of the paper: they are made in integers.
typedef struct { float b[4]; } ${p}residue;
typedef uint ${p}factor;

CLRNG_INLINE ${p}residue ${p}from_uint(uint x)
{
    ${p}residue r;
    for (int i = 0; i < 4; i++, x >>= 8) r.b[i] = convert_float(x & 255u);
    return r;
}

CLRNG_INLINE uint ${p}to_uint(const ${p}residue x)
{
    uint r = 0;
    for (int i = 3; i >= 0; i--) r = (r << 8) + convert_uint(x.b[i]);
    return r;
}

CLRNG_INLINE ${p}factor ${p}factor_of(const uint a) { return a; }

CLRNG_INLINE ${p}residue ${p}mul(const ${p}residue x, const ${p}factor a)
{
    return ${p}from_uint(convert_uint((ulong)${p}to_uint(x) * a % ${modulus}u));
}

CLRNG_INLINE ${p}residue ${p}leap(const ${p}residue x, const ${p}factor a) { return ${p}mul(x, a); }

CLRNG_INLINE void ${p}exactmul(const float f, const float *in, float *out)
{
    out[0] = 0.0f;
    for (int i = 0; i < 4; i++) {
        const float t = out[i] + in[i] * f;
        out[i + 1] = floor(t / 256.0f);
        out[i] = t - 256.0f * out[i + 1];
    }
}

CLRNG_INLINE int ${p}comp(const int length, const float *a, const float *b)
{
    int sign = 0;
    for (int i = 0; i < length; i++) sign = a[i] > b[i] ? 1 : a[i] < b[i] ? -1 : sign;
    return sign;
}

// a - b for a >= b, whose top byte (the fifth, where there is one) cancels.
CLRNG_INLINE void ${p}exactsub(const float *a, const float *b, float *out)
{
    float borrow = 0.0f;
    for (int i = 0; i < 4; i++) {
        const float t = a[i] - (b[i] + borrow);
        borrow = t < 0.0f ? 1.0f : 0.0f;
        out[i] = t + 256.0f * borrow;
    }
}

CLRNG_INLINE ${p}residue ${p}step(${p}residue x)
{
    const float m[4] = {255.0f, 255.0f, 255.0f, 127.0f};
    float product[5], multiple[5];
    ${p}exactmul(${multiplier}.0f, x.b, product);
    const float value = x.b[0] + x.b[1] * 256.0f + x.b[2] * 65536.0f + x.b[3] * 16777216.0f;
    float quotient = floor(value * ${multiplier}.0f / ${modulus}.0f);
    ${p}exactmul(quotient, m, multiple);
    while (${p}comp(5, product, multiple) < 0) {
        quotient -= 1.0f;
        ${p}exactmul(quotient, m, multiple);
    }
    ${p}exactsub(product, multiple, x.b);
    while (${p}comp(4, x.b, m) >= 0) ${p}exactsub(x.b, m, x.b);
    return x;
}
