// x' = a*x + c mod 2^64. A stride of n steps is x' = A*x + G*c, where A = a^n and G is the sum of the n lower powers of a.
typedef struct { ulong${w} x, c; } ${p}state;
typedef struct { ulong${w} a, g; } ${p}stride;

CLRNG_INLINE ${p}state ${p}load(const ulong${w} word_0, const ulong${w} word_1) { return (${p}state){word_0, word_1}; }

CLRNG_INLINE ulong${w} ${p}word_0(const ${p}state s) { return s.x; }

CLRNG_INLINE ulong${w} ${p}word_1(const ${p}state s) { return s.c; }

CLRNG_INLINE uint${w} ${p}value(const ${p}state s)
{
    return rotate(convert_uint${w}(((s.x >> 18 ^ s.x) >> 27) & 0xffffffffUL), convert_uint${w}(-(s.x >> 59) & 31UL));
}

CLRNG_INLINE ${p}state ${p}next(const ${p}state s) { return (${p}state){s.x * ${multiplier[0]}UL + s.c, s.c}; }

CLRNG_INLINE ${p}stride ${p}stride_of(const ulong a, const ulong g) { return (${p}stride){(ulong${w})a, (ulong${w})g}; }

CLRNG_INLINE ${p}stride ${p}stride_from(__global const ulong *row) { return ${p}stride_of(row[0], row[1]); }

// The stride for states of the increment that s has: its g is G*c.
CLRNG_INLINE ${p}stride ${p}fixed(const ${p}stride by, const ${p}state s) { return (${p}stride){by.a, by.g * s.c}; }

CLRNG_INLINE ${p}state ${p}apply_fixed(const ${p}state s, const ${p}stride by) { return (${p}state){s.x * by.a + by.g, s.c}; }

CLRNG_INLINE ${p}state ${p}apply_stride(const ${p}state s, const ${p}stride by) { return ${p}apply_fixed(s, ${p}fixed(by, s)); }

CLRNG_INLINE ${p}state ${p}apply_stride_unreduced(const ${p}state s, const ${p}stride by) { return ${p}apply_stride(s, by); }
% if width == 1:

// The strides of 2^j steps.
${constants("ulong", p + "powers", powers)}

// The state n steps after s.
CLRNG_INLINE ${p}state ${p}jump(${p}state s, ulong n)
{
    __constant ulong *row = ${p}powers;
    for (; n != 0; n >>= 1, row += 2)
        if (n & 1) s = ${p}apply_stride(s, ${p}stride_of(row[0], row[1]));
    return s;
}
% endif
