<% mask = "" if bits in (32, 64) else f" & {2**bits - 1}{u}" %>
// Residues modulo 2^${bits} in integers: what goes beyond ${bits} bits is dropped.
typedef ${word}${w} ${p}residue;
typedef struct { ${word} a${", c" if affine else ""}; } ${p}factor;

CLRNG_INLINE ${p}residue ${p}from_word(const ${word}${w} x) { return x; }

CLRNG_INLINE ${word}${w} ${p}to_word(const ${p}residue x) { return x; }

CLRNG_INLINE ${p}factor ${p}factor_of(const ${word} a${f", const {word} c" if affine else ""})
{
    return (${p}factor){a${", c" if affine else ""}};
}

CLRNG_INLINE ${p}residue ${p}plus(const ${p}residue x, const ${p}residue y) { return (x + y)${mask}; }

CLRNG_INLINE ${p}residue ${p}mul(const ${p}residue x, const ${p}factor by)
{
    return (x * by.a${" + by.c" if affine else ""})${mask};
}

CLRNG_INLINE ${p}residue ${p}mul_unreduced(const ${p}residue x, const ${p}factor by) { return ${p}mul(x, by); }
% if step:

CLRNG_INLINE ${p}residue ${p}step(const ${p}residue x)
{
    return ${p}mul(x, (${p}factor){${", ".join(f"{number}{u}" for number in step)}});
}
% endif
