typedef struct { ulong${w} hi, lo; } ${p}wide;

// a*b + c mod 2^128.
CLRNG_INLINE ${p}wide ${p}affine(const ${p}wide a, const ${p}wide b, const ${p}wide c)
{
% if width > 1:
    // Of halves of 32 bits, whose products processors have in vectors.
    const ulong${w} a_0 = a.lo & 0xffffffffUL, a_1 = a.lo >> 32, b_0 = b.lo & 0xffffffffUL, b_1 = b.lo >> 32;
    const ulong${w} low = a_0 * b_0 + (c.lo & 0xffffffffUL), one = a_1 * b_0 + (c.lo >> 32) + (low >> 32);
    const ulong${w} other = a_0 * b_1 + (one & 0xffffffffUL);
    const ulong${w} hi = a_1 * b_1 + (one >> 32) + (other >> 32) + a.lo * b.hi + a.hi * b.lo + c.hi;
    return (${p}wide){hi, other << 32 | (low & 0xffffffffUL)};
% else:
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
    return (${p}wide){upsample(r3, r2), upsample(r1, r0)};
#elif defined(__SIZEOF_INT128__)
    const unsigned __int128 r = ((unsigned __int128)a.hi << 64 | a.lo) * ((unsigned __int128)b.hi << 64 | b.lo)
        + ((unsigned __int128)c.hi << 64 | c.lo);
    return (${p}wide){(ulong)(r >> 64), (ulong)r};
#else
    const ulong lo = a.lo * b.lo + c.lo;
    return (${p}wide){mul_hi(a.lo, b.lo) + a.lo * b.hi + a.hi * b.lo + c.hi + (lo < c.lo ? 1UL : 0UL), lo};
#endif
% endif
}

