<%
    wide = f"ulong{half}" if width > 1 else "ulong"
    names = [f"s{i}" for i, _ in sum.terms]
    parameters = ", ".join(f"const {wide} {name}" for name in names)
%>
// Residues modulo m = ${modulus} in integers, canonical, and their sum in 64 bits, reduced once: t >> ${sum.drop} has at
// most 32 bits, and its product with the scaled reciprocal of m gives the quotient or one less.
typedef uint${w} ${p}residue;

CLRNG_INLINE ${p}residue ${p}from_word(const uint${w} x) { return x; }

CLRNG_INLINE uint${w} ${p}to_word(const ${p}residue x) { return x; }

CLRNG_INLINE ${wide} ${p}wide_sum(${parameters})
{
    const ${wide} t = ${" + ".join(f"{name} * {abs(a)}UL" for name, (_, a) in zip(names, sum.terms))} + ${sum.constant}UL;
    const ${wide} r = t - (((t >> ${sum.drop}) & 0xffffffffUL) * ${sum.reciprocal}UL >> ${sum.shift}) * ${modulus}UL;
    return CLRNG_MIN(r, r - ${modulus}UL);
}

// Words with a negative coefficient are taken as m - 1 - x.
CLRNG_INLINE ${p}residue ${p}sum(${", ".join(f"const {p}residue x{i}" for i in range(order))})
{
% for i, a in sum.terms:
    const uint${w} s${i} = ${f"x{i}" if a > 0 else f"{modulus - 1}u - x{i}"};
% endfor
% if width == 1:
    return convert_uint(${p}wide_sum(${", ".join(names)}));
% else:
    return as_uint${w}(${p}wide_sum(${", ".join(f"as_{wide}({name}) & 0xffffffffUL" for name in names)})
                       | (${p}wide_sum(${", ".join(f"as_{wide}({name}) >> 32" for name in names)}) << 32));
% endif
}
