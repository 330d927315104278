<%!
    def numbers(row, u):
        return ", ".join(f"{number}{u}" for number in row)
%>
// Residues modulo m = ${modulus} in integers, canonical, and their sum, reduced product by product.
typedef ${z}residue ${p}residue;

CLRNG_INLINE ${p}residue ${p}from_word(const ${word}${w} x) { return x; }

CLRNG_INLINE ${word}${w} ${p}to_word(const ${p}residue x) { return x; }

CLRNG_INLINE ${p}residue ${p}sum(${", ".join(f"const {p}residue s{i}" for i in range(order))})
{
    ${p}residue t = (${p}residue)${constant[0] if constant else 0}${u};
% for i, row in coefficients:
% if row[0] == 1:
    t = ${z}plus(t, s${i});
% else:
    t = ${z}plus(t, ${z}mul(s${i}, (${z}factor){${numbers(row, u)}}));
% endif
% endfor
    return t;
}
