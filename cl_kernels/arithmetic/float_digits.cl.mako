// Residues modulo 2^31 - 1 as two balanced digits in single precision: h * 2^16 + l, both integers held in floats.
//
// Adding and subtracting 1.5 * 2^39 rounds to a multiple of 2^16, 1.5 * 2^38 to one of 2^15. Because
// 2^31 = 1 (mod m), a carry k out of h (a multiple of 2^15, so of 2^31 in value) is worth k / 2^15 in l.
#ifdef __FAST_RELAXED_MATH__
#error "clrng's floating-point arithmetics are exact only without -cl-fast-relaxed-math; integer is exact with it"
#endif
typedef struct { float${w} h, l; } ${p}residue;

CLRNG_INLINE ${p}residue ${p}from_word(const uint${w} x)
{
    const int${w} y = as_int${w}(x - (x >> 30) * ${modulus}u);
    const int${w} l = ((y + 32768) & 65535) - 32768;
    return (${p}residue){convert_float${w}((y - l) >> 16), convert_float${w}(l)};
}

// Adding 1.5 * 2^23, whose bits are 0x4b40 << 16, leaves an integer in the low bits of the float, in two's complement;
// 0x4b40 less for h, and the bits of the two constants cancel in the sum.
CLRNG_INLINE uint${w} ${p}to_word(const ${p}residue x)
{
    const uint${w} r = (as_uint${w}(x.h + (0x1.8p23f - 0x4b40)) << 16) + as_uint${w}(x.l + 0x1.8p23f);
    return CLRNG_MIN(r, r + ${modulus}u);
}

// |h| <= 2^14 again, the carry added to l.
CLRNG_INLINE ${p}residue ${p}carry_h(const float${w} h, const float${w} l)
{
    const float${w} k = (h + 0x1.8p38f) - 0x1.8p38f;
    return (${p}residue){h - k, l + k * 0x1p-15f};
}

// |l| <= 2^15 first, the carry added to h; then |h| <= 2^14.
CLRNG_INLINE ${p}residue ${p}balanced(const float${w} h, const float${w} l)
{
    const float${w} c = (l + 0x1.8p39f) - 0x1.8p39f;
    return ${p}carry_h(h + c * 0x1p-16f, l - c);
}
