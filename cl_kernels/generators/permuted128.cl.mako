<%
    words = ["x.hi", "x.lo", "c.hi", "c.lo", "waiting"]
    number = lambda high, low: f"{high}UL, {low}UL"
%>
// x' = a*x + c mod 2^128. A stride of n steps is x' = A*x + G*c, where A = a^n and G is the sum of the n lower powers of a.
typedef struct { ulong hi, lo; } ${p}number;
// `waiting` is of the halves of values.
typedef struct { ${p}number x, c; ulong waiting; } ${p}state;
typedef struct { ${p}number a, g; } ${p}stride;

CLRNG_INLINE ${p}state ${p}load(${", ".join(f"const ulong word_{i}" for i in range(order))})
{
    return (${p}state){{word_0, word_1}, {word_2, word_3}, word_4};
}
% for i, word in enumerate(words):

CLRNG_INLINE ulong ${p}word_${i}(const ${p}state s) { return s.${word}; }
% endfor

// a*b + c mod 2^128.
CLRNG_INLINE ${p}number ${p}affine(const ${p}number a, const ${p}number b, const ${p}number c)
{
#if defined(__NV_CL_C_VERSION)
    uint r0, r1, r2, r3;
    asm("mad.lo.cc.u32 %0, %4, %8, %12; madc.lo.cc.u32 %1, %5, %8, %13; madc.lo.cc.u32 %2, %6, %8, %14;"
        "madc.lo.u32 %3, %7, %8, %15; mad.hi.cc.u32 %1, %4, %8, %1; madc.hi.cc.u32 %2, %5, %8, %2;"
        "madc.hi.u32 %3, %6, %8, %3; mad.lo.cc.u32 %1, %4, %9, %1; madc.lo.cc.u32 %2, %5, %9, %2;"
        "madc.lo.u32 %3, %6, %9, %3; mad.hi.cc.u32 %2, %4, %9, %2; madc.hi.u32 %3, %5, %9, %3;"
        "mad.lo.cc.u32 %2, %4, %10, %2; madc.lo.u32 %3, %5, %10, %3; mad.hi.u32 %3, %4, %10, %3;"
        "mad.lo.u32 %3, %4, %11, %3;"
        : "=&r"(r0), "=&r"(r1), "=&r"(r2), "=&r"(r3)
        : "r"((uint)a.lo), "r"((uint)(a.lo >> 32)), "r"((uint)a.hi), "r"((uint)(a.hi >> 32)),
          "r"((uint)b.lo), "r"((uint)(b.lo >> 32)), "r"((uint)b.hi), "r"((uint)(b.hi >> 32)),
          "r"((uint)c.lo), "r"((uint)(c.lo >> 32)), "r"((uint)c.hi), "r"((uint)(c.hi >> 32)));
    return (${p}number){upsample(r3, r2), upsample(r1, r0)};
#elif defined(__SIZEOF_INT128__)
    const unsigned __int128 r = ((unsigned __int128)a.hi << 64 | a.lo) * ((unsigned __int128)b.hi << 64 | b.lo)
        + ((unsigned __int128)c.hi << 64 | c.lo);
    return (${p}number){(ulong)(r >> 64), (ulong)r};
#else
    const ulong lo = a.lo * b.lo + c.lo;
    return (${p}number){mul_hi(a.lo, b.lo) + a.lo * b.hi + a.hi * b.lo + c.hi + (lo < c.lo ? 1UL : 0UL), lo};
#endif
}

CLRNG_INLINE ulong ${p}value(const ${p}state s)
{
% if output == "pcg64":
    return rotate(s.x.hi ^ s.x.lo, -(s.x.hi >> 58) & 63UL);
% else:
    ulong high = s.x.hi ^ (s.x.hi >> 32);
    high *= ${mixer}UL;
    high ^= high >> 48;
    return high * (s.x.lo | 1UL);
% endif
}

CLRNG_INLINE ${p}state ${p}next(const ${p}state s)
{
    return (${p}state){${p}affine(s.x, (${p}number){${number(*multiplier)}}, s.c), s.c, s.waiting};
}

CLRNG_INLINE ${p}stride ${p}stride_of(const ulong a_hi, const ulong a_lo, const ulong g_hi, const ulong g_lo)
{
    return (${p}stride){{a_hi, a_lo}, {g_hi, g_lo}};
}

CLRNG_INLINE ${p}stride ${p}stride_from(__global const ulong *row) { return ${p}stride_of(row[0], row[1], row[2], row[3]); }

// The stride for states of the increment that s has: its g is G*c.
CLRNG_INLINE ${p}stride ${p}fixed(const ${p}stride by, const ${p}state s)
{
    return (${p}stride){by.a, ${p}affine(by.g, s.c, (${p}number){0UL, 0UL})};
}

CLRNG_INLINE ${p}state ${p}apply_fixed(const ${p}state s, const ${p}stride by)
{
    return (${p}state){${p}affine(s.x, by.a, by.g), s.c, s.waiting};
}

CLRNG_INLINE ${p}state ${p}apply_stride(const ${p}state s, const ${p}stride by) { return ${p}apply_fixed(s, ${p}fixed(by, s)); }

CLRNG_INLINE ${p}state ${p}apply_stride_unreduced(const ${p}state s, const ${p}stride by) { return ${p}apply_stride(s, by); }
% if width == 1:

// The strides of 2^j steps.
__constant ulong ${p}powers[256] = {
% for power in powers:
    ${", ".join(f"{word}UL" for word in power)},
% endfor
};

// The state n steps after s.
CLRNG_INLINE ${p}state ${p}jump(${p}state s, ulong n)
{
    __constant ulong *row = ${p}powers;
    for (; n != 0; n >>= 1, row += 4)
        if (n & 1) s = ${p}apply_stride(s, ${p}stride_of(row[0], row[1], row[2], row[3]));
    return s;
}
% endif
