<%!
    def numbers(row, u):
        return ", ".join(f"{number}{u}" for number in row)
%>
<%
    fields = [f"x{i}" for i in range(order)]
    factor = f"{z}factor_of(weights[2*i], weights[2*i + 1])" if quotients else f"{z}weight(weights[i])"
%>
// x_k = c + a_1 x_{k-1} + ... + a_${order} x_{k-${order}} mod m; x0 is the oldest word of a state. The state several
// steps on is a weighted sum of this state and the ${degree - 1} after it; a stride is the weights.
typedef struct { ${p}residue ${", ".join(fields)}; } ${p}state;
typedef struct { ${word}${w} ${", ".join(fields)}; } ${p}words;

CLRNG_INLINE ${p}state ${p}load(${", ".join(f"const {word}{w} {field}" for field in fields)})
{
    return (${p}state){${", ".join(f"{p}from_word({field})" for field in fields)}};
}
% for i in range(order):

CLRNG_INLINE ${word}${w} ${p}word_${i}(const ${p}state s) { return ${p}to_word(s.x${i}); }
% endfor

% if not yarn:
CLRNG_INLINE ${value}${w} ${p}value(const ${p}state s) { return ${p}to_word(s.x${order - 1}); }

% endif
CLRNG_INLINE ${p}state ${p}next(const ${p}state s)
{
    return (${p}state){${", ".join([f"s.{field}" for field in fields[1:]] + [f"{p}sum(" + ", ".join(f"s.{field}" for field in fields) + ")"])}};
}

% if not quotients:
CLRNG_INLINE ${z}factor ${z}weight(const ${word} a)
{
% if modulus & (modulus - 1) == 0:
    return ${z}factor_of(a);
% elif word == "uint":
    return ${z}factor_of(a, convert_uint(((ulong)a << 32) / ${modulus}UL));
% else:
    // a * 2^64 / m, bit by bit
    ulong r = a, q = 0, over;
% for _ in range(64):
    over = r >> 63; r <<= 1; over |= r >= ${modulus}UL; q = (q << 1) | over; r -= over * ${modulus}UL;
% endfor
    return ${z}factor_of(a, q);
% endif
}

% endif
<%def name="combined(name, space)">
% if in_halves:
// The weighted sum of this state and the ${degree - 1} after it. The halves of the weights have exact sums of products.
CLRNG_INLINE ${p}state ${p}${name}(const ${p}state state, ${space} const ${word} *weights)
{
    const ${p}residue ${", ".join(f"s{i} = state.x{i}" for i in range(order))};
% for i in range(degree - 1):
    const ${p}residue s${order + i} = ${p}sum(${", ".join(f"s{i + j}" for j in range(order))});
% endfor
    double${w} ${", ".join(f"upper{i} = 0.0, lower{i} = -{offset}.0" for i in range(order))};
% for j in range(degree):
    const double upper_half${j} = ${p}upper_half(weights[${2 * j}]), lower_half${j} = ${p}lower_half(weights[${2 * j}]);
% endfor
% for i in range(order):
% for j in range(degree):
    upper${i} = CLRNG_FMA(s${i + j} + ${offset}.0, (double${w})upper_half${j}, upper${i});
    lower${i} = CLRNG_FMA(s${i + j} + ${offset}.0, (double${w})lower_half${j}, lower${i});
% endfor
% endfor
    return (${p}state){${", ".join(f"{p}weighted(upper{i}, lower{i})" for i in range(order))}};
}
% else:
// The weighted sum of this state and the ${degree - 1} after it, by Horner's rule.
CLRNG_INLINE ${p}state ${p}${name}(const ${p}state state, ${space} const ${word} *weights)
{
    const ${p}words s = {${", ".join(f"{p}to_word(state.{field})" for field in fields)}};
    ${p}words y = {${", ".join(f"({word}{w})0" for _ in fields)}};
% if constant:
    ${word}${w} times = (${word}${w})0;
% endif
    for (int i = ${degree - 1}; i >= 0; i--) {
        const ${z}factor weight = ${factor};
% if constant:
        ${word}${w} t = ${z}mul(times, (${z}factor){${numbers(constant, u)}});
        times = ${z}plus(times, (${word}${w})weights[${"2*i" if quotients else "i"}]);
% else:
        ${word}${w} t = (${word}${w})0;
% endif
% for i, row in coefficients:
        t = ${z}plus(t, ${z}mul(y.x${i}, (${z}factor){${numbers(row, u)}}));
% endfor
        y = (${p}words){${", ".join(f"{z}plus({new}, {z}mul(s.{field}, weight))" for new, field in zip([f"y.{f}" for f in fields[1:]] + ["t"], fields))}};
    }
    return ${p}load(${", ".join(f"y.{field}" for field in fields)});
}
% endif
</%def>
typedef __global const ${word} *${p}stride;

CLRNG_INLINE ${p}stride ${p}stride_from(__global const ${word} *row) { return row; }
${combined("apply_stride", "__global")}
CLRNG_INLINE ${p}state ${p}apply_stride_unreduced(const ${p}state s, const ${p}stride by) { return ${p}apply_stride(s, by); }
% if width == 1:
${combined("jump_by", "__constant")}
// The weights of the jumps by d * 2^(${digit_bits}j) steps for d = 1 ... ${2**digit_bits - 1}.
${constants(word, p + "powers", powers)}

// The state n steps after s.
CLRNG_INLINE ${p}state ${p}jump(${p}state s, ulong n)
{
    __constant ${word} *rows = ${p}powers;
    for (; n != 0; n >>= ${digit_bits}, rows += ${(2**digit_bits - 1) * weight_words}) {
        const uint digit = convert_uint(n & ${2**digit_bits - 1}UL);
        if (digit != 0) s = ${p}jump_by(s, rows + (digit - 1) * ${weight_words});
    }
    return s;
}
% endif
