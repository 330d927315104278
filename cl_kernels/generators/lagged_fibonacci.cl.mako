<%
    type = f"{word}{w}"
    word_mask = "" if bits == word_bits else f" & {2**bits - 1}{u}"
%>
// x_i = x_{i-${lags[0]}} ${op} x_{i-${lags[1]}} mod ${modulus}.

CLRNG_INLINE ${type} ${p}combine(const ${type} a, const ${type} b)
{
% if op == "xor":
    return a ^ b;
% elif power_of_two:
    return (a ${op} b)${word_mask};
% elif op == "+":
    return ${p}z_plus(a, b);
% else:
    return a < b ? a - b + ${modulus}${u} : a - b;
% endif
}

CLRNG_INLINE ${value}${w} ${p}output_bits(const ${type} x)
{
% if mask is None:
    return x;
% elif word == value:
    return (x >> ${shift}) & ${mask}${u};
% elif width == 1:
    return convert_uint(x >> ${shift}) & ${mask}u;
% else:
    return as_uint${2 * width}((x >> ${shift}) & ${mask}UL).even;
% endif
}

<%doc>Jumps are weighted sums: of words, of their bits, or of their logarithms.</%doc>
% if op == "*":
// An odd word is (-1)^s 5^e modulo 2^${bits}. For a product, the exponents e are added modulo 2^${max(bits - 2, 0)} and the
// signs s modulo 2. A logarithm has s in its highest bit and e in the lowest ones; a sum has them apart.
typedef struct { ${type} e, s; } ${p}sum;

CLRNG_INLINE ${type} ${p}logarithm(const ${type} x)
{
% if bits == 1:
    return x - x;
% else:
    const ${type} s = (x >> 1) & 1${u};
    ${type} left = s * -x + (1${u} - s) * x, e = x - x;
    ${word} inverse = ${pow(5, -1, 2**bits)}${u};    // 5^-(2^j)
    for (int j = 0; j < ${bits - 2}; j++) {
        const ${type} bit = (left >> (j + 2)) & 1${u};
        e |= bit << j;
        left *= 1${u} + bit * (inverse - 1${u});
        inverse *= inverse;
    }
    return e | s << ${word_bits - 1};
% endif
}

CLRNG_INLINE ${type} ${p}antilogarithm(const ${type} x)
{
    ${type} y = x - x + 1${u};
    ${word} power = 5${u};    // 5^(2^j)
    for (int j = 0; j < ${bits - 2}; j++) {
        y *= 1${u} + ((x >> j) & 1${u}) * (power - 1${u});
        power *= power;
    }
    const ${type} s = x >> ${word_bits - 1};
    return (s * -y + (1${u} - s) * y)${word_mask};
}

CLRNG_INLINE ${p}sum ${p}nothing(void) { return (${p}sum){(${type})0, (${type})0}; }

CLRNG_INLINE ${p}sum ${p}one(const ${type} x) { return (${p}sum){x, x}; }

CLRNG_INLINE ${p}sum ${p}plus(const ${p}sum a, const ${p}sum b) { return (${p}sum){a.e + b.e, a.s ^ b.s}; }

CLRNG_INLINE ${p}sum ${p}minus(const ${p}sum a, const ${p}sum b) { return (${p}sum){a.e - b.e, a.s ^ b.s}; }

CLRNG_INLINE ${p}sum ${p}after(const ${p}sum a, const ${p}sum b) { return ${p}plus(a, b); }

CLRNG_INLINE ${p}sum ${p}scaled(const ${type} x, const ${word} weight)
{
    return (${p}sum){x * weight, x & -(weight & 1${u})};
}

CLRNG_INLINE ${type} ${p}total(const ${p}sum a)
{
    return (a.e & ${2**max(bits - 2, 0) - 1}${u}) | (a.s & ${2**(word_bits - 1)}${u});
}
% else:
typedef ${type} ${p}sum;

CLRNG_INLINE ${type} ${p}logarithm(const ${type} x) { return x; }

CLRNG_INLINE ${type} ${p}antilogarithm(const ${type} x) { return x; }

CLRNG_INLINE ${p}sum ${p}nothing(void) { return (${type})0; }

CLRNG_INLINE ${p}sum ${p}one(const ${type} x) { return x; }

CLRNG_INLINE ${p}sum ${p}plus(const ${p}sum a, const ${p}sum b)
{
% if op == "xor":
    return a ^ b;
% else:
    return ${p}z_plus(a, b);
% endif
}

CLRNG_INLINE ${p}sum ${p}minus(const ${p}sum a, const ${p}sum b)
{
% if op == "xor":
    return a ^ b;
% elif power_of_two:
    return (a - b)${word_mask};
% else:
    return a < b ? a - b + ${modulus}${u} : a - b;
% endif
}

CLRNG_INLINE ${p}sum ${p}after(const ${p}sum a, const ${p}sum b) { return ${p}combine(a, b); }

CLRNG_INLINE ${p}sum ${p}scaled(const ${type} x, const ${word} weight${f", const {word} quotient" if weight_words == 2 else ""})
{
% if op == "xor":
    return x & weight;
% elif weight_words == 1:
    return ${p}z_mul(x, ${p}z_factor_of(weight));
% else:
    return ${p}z_mul(x, ${p}z_factor_of(weight, quotient));
% endif
}

CLRNG_INLINE ${type} ${p}total(const ${p}sum a) { return a; }
% endif
