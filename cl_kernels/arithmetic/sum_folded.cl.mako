<%
    fold = 2**32 - modulus
    spare = sum(-a for _, a in terms if a < 0) * (2**32 - 1)
    constant_term = -spare % modulus
%>
// Residues modulo m = 2^32 - ${fold}, as any integers of 32 bits, and their sum: 2^32 is ${fold} modulo m.
typedef uint ${p}residue;

CLRNG_INLINE ${p}residue ${p}from_word(const uint x) { return x; }

CLRNG_INLINE uint ${p}to_word(const ${p}residue x) { return CLRNG_MIN(x, x - ${modulus}u); }

// Words with a negative coefficient are taken as 2^32 - 1 - x.
CLRNG_INLINE ${p}residue ${p}sum(${", ".join(f"const {p}residue x{i}" for i in range(order))})
{
    const ulong t = ${constant_term}UL${"".join(f" + (ulong){'~' if a < 0 else ''}x{i} * {abs(a)}u" for i, a in terms)};
    const uint over = convert_uint(t >> 32) * ${fold}u, r = convert_uint(t & 0xffffffffUL) + over;
    return r < over ? r + ${fold}u : r;
}
