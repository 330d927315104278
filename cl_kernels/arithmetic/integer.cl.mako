// Residues modulo 2^31 - 1 in integers.
//
// A residue is the canonical integer itself, 1 <= x < m. The 62-bit product t = x*a is folded once, because
// 2^31 = 1 (mod m): r = (t mod 2^31) + floor(t / 2^31) < 2m, and r - m wraps above r when r < m.
typedef uint${w} ${p}residue;
typedef uint ${p}factor;

CLRNG_INLINE ${p}residue ${p}from_word(const uint${w} x) { return x; }

CLRNG_INLINE uint${w} ${p}to_word(const ${p}residue x) { return x; }

CLRNG_INLINE ${p}factor ${p}factor_of(const uint a) { return a; }

CLRNG_INLINE ${p}residue ${p}mul(const ${p}residue x, const ${p}factor a)
{
% if width == 1:
    const ulong t = (ulong)x * a;
    const uint r = (convert_uint(t) & ${modulus}u) + convert_uint(t >> 31);
% else:
    // The products of the even and of the odd lanes, each in the 64 bits of its pair.
    const ulong${half} pairs = as_ulong${half}(x);
    const ulong${half} even = (pairs & 0xffffffffUL) * (ulong)a, odd = (pairs >> 32) * (ulong)a;
    const uint${w} r = as_uint${w}(((even & ${modulus}UL) + (even >> 31))
                                   | (((odd & ${modulus}UL) + (odd >> 31)) << 32));
% endif
    return CLRNG_MIN(r, r - ${modulus}u);
}

CLRNG_INLINE ${p}residue ${p}mul_unreduced(const ${p}residue x, const ${p}factor a) { return ${p}mul(x, a); }

CLRNG_INLINE ${p}residue ${p}step(const ${p}residue x) { return ${p}mul(x, ${multiplier}u); }
