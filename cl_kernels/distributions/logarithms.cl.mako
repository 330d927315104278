<%
    numbers = raw_values**steps
    digits = [f"x{d}" for d in range(steps)]
    declared = "".join(f", {declaration}" for declaration in parameters)
    names = [declaration.name for declaration in parameters]
    passed = "".join(f", {name}" for name in names)
    word, u = ("uint", "u") if out == "float" else ("ulong", "UL")
    mantissa, bias = (23, 127) if out == "float" else (52, 1023)
    cut = 64 - mantissa
    largest = ((2 * bias + 1) << mantissa) - 1
    lane = lambda name, i: f"{name}.s{'%x' % i}" if width > 1 else name
%>
<%include file="normal.cl.mako"/>
% if bounded:
<%include file="finite.cl.mako"/>
% endif
// The value at which the distribution function is (X + 1/2) / ${numbers}, where the raw value(s) are the digits of X,
// 0 <= X < ${numbers}; by its logarithm, for parameters with which values of one row differ by powers of ten. With z = 2 min(X, ${numbers - 1} - X) + 1, the exponent of z is an octave; this has 2^k rows of the table,
// and the highest k bits of z below its leading one say which. The bits behind these are t, from -1/2 to 1/2, and the
// row has the polynomial in t, of degree ${degree}, that is v. All are integers: v in units of 2^-${fraction_bits}.
% if hyperbolic:
// The value is sine_factor * 2^(sine_twos - 64) * (2^v - 2^-v), and negative where X is below the middle.
% else:
// The value is 2^v.
% endif

// 2^n (1 + g), 2^-64 being the unit of g, as bits of a number: 0 below the smallest normal one, at most the largest.
CLRNG_INLINE ${word} ${p}bits_of(const int n, const ulong g)
{
    const ${word} bits = ((${word})(n + ${bias}) << ${mantissa}) + (${word})(g >> ${cut}) + (${word})(g >> ${cut - 1} & 1UL);
    return n < ${1 - bias} ? 0${u} : n > ${bias} || bits > ${hex(largest)}${u} ? ${hex(largest)}${u} : bits;
}

// g, where 2^v is 2^n (1 + g) and n the whole part of v.
CLRNG_CALLED_BY_CPUS ulong ${p}significand(const long v)
{
    const ulong x = as_ulong(v) << ${64 - fraction_bits};
    ulong g = ${hex(exp2[-1])}UL;
% for coefficient in exp2[-2::-1]:
    g = ${hex(coefficient)}UL + CLRNG_MUL_HI(g, x);
% endfor
    return CLRNG_MUL_HI(g, x);
}

CLRNG_CALLED_BY_CPUS ${out} ${p}of_number(const ulong x${declared})
{
    const ulong z = 2UL * min(x, ${numbers - 1}UL - x) + 1UL;
    const uint zeros = (uint)clz(z);
    const ulong m = z << zeros << 1;    // without the leading one
    const bool above = x > ${(numbers - 1) // 2}UL;
    const uint octave = octaves[63u - zeros${"" if hyperbolic else " + (above ? 64u : 0u)"}], k = octave & 15u;
    const uint row = (octave >> 4) + (uint)(m >> 1 >> (63u - k));
    const long t = as_long((m << k) ^ 0x8000000000000000UL);
    long v = as_long(table[row * ${degree + 1}u + ${degree}u]);
% for c in range(degree - 1, -1, -1):
    v = as_long(table[row * ${degree + 1}u${f" + {c}u" if c else ""}]) + CLRNG_SIGNED_MUL_HI(v, t);
% endfor
    v = min(v, most_power);
% if hyperbolic:
    v = max(v, 0L);
    const int n = (int)(v >> ${fraction_bits}), apart = n - (int)(-v >> ${fraction_bits});
    const ulong whole = 0x8000000000000000UL | ${p}significand(v) >> 1;
    const ulong other = 0x8000000000000000UL | ${p}significand(-v) >> 1;
    const ulong product = CLRNG_MUL_HI(whole - (apart < 64 ? other >> apart : 0UL), sine_factor);
    const uint lost = (uint)clz(product);
    ${word} bits = product ? ${p}bits_of(n + (int)sine_twos - (int)lost, product << lost << 1) : 0${u};
    bits |= bits && !above ? ${"0x80000000u" if word == "uint" else "0x8000000000000000UL"} : 0${u};
% else:
    const ${word} bits = ${p}bits_of((int)(v >> ${fraction_bits}), ${p}significand(v));
% endif
    return as_${out}(bits);
}

CLRNG_INLINE ${out}${w} ${p}convert(${", ".join(f"const {value}{w} {x}" for x in digits)}${declared})
{
% for i in range(width):
<%
    number = f"(ulong)({lane('x0', i)} - {min_value}{'u' if value == 'uint' else 'UL'})"
    for d in digits[1:]:
        number = f"({number} * {raw_values}UL + (ulong)({lane(d, i)} - {min_value}{'u' if value == 'uint' else 'UL'}))"
%>
    const ${out} y_${i} = ${p}of_number(${number}${"".join(f", {name}" for name in names)});
% endfor
    ${out}${w} y = ${joined(out, [f"y_{i}" for i in range(width)])};
% if scaled:
    y = ${p}normal(CLRNG_FMA(y, (${out}${w})scale, (${out}${w})loc));
% if bounded:
    y = ${p}finite(y);
% endif
% endif
    return y;
}
