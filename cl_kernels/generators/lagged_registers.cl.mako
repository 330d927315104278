<%
    fields = [f"x{i}" for i in range(order)]
    type = f"{word}{w}"
    first, second = (order - lag for lag in lags)
    weight = ", ".join(f"weights[{weight_words}*i + {j}]" for j in range(weight_words))
%>
// The state as a structure; x0 is the oldest word.
<%include file="words_of_state.cl.mako" args="type=type, fields=fields"/>\

CLRNG_INLINE ${value}${w} ${p}value(const ${p}state s) { return ${p}output_bits(s.x${order - 1}); }

CLRNG_INLINE ${p}state ${p}next(const ${p}state s)
{
    return (${p}state){${listed([f"s.{field}" for field in fields[1:]] + [f"{p}combine(s.x{first}, s.x{second})"])}};
}
% if jumps and width == 1:

// The weighted sum of this state and the ${order - 1} after it, all as logarithms, by Horner's rule.
CLRNG_CALLED ${p}state ${p}jump_by(const ${p}state state, __constant const ${word} *weights)
{
% for field in fields:
    ${p}sum y_${field} = ${p}nothing();
% endfor
    for (int i = ${order - 1}; i >= 0; i--) {
        const ${p}sum t = ${p}after(y_x${first}, y_x${second});
% for field, next_one in zip(fields, [f"y_{field}" for field in fields[1:]] + ["t"]):
        y_${field} = ${p}plus(${next_one}, ${p}scaled(state.${field}, ${weight}));
% endfor
    }
    return (${p}state){${listed(f"{p}total(y_{field})" for field in fields)}};
}

// The weights of the jumps by 2^j steps.
${constants(word, p + "powers", powers)}

// The state n steps after s.
CLRNG_INLINE ${p}state ${p}jump(${p}state s, ulong n)
{
    if (n == 0) return s;
    s = (${p}state){${listed(f"{p}logarithm(s.{field})" for field in fields)}};
    for (int j = 0; n != 0; n >>= 1, j++)
        if (n & 1) s = ${p}jump_by(s, ${p}powers + j * ${len(powers[0])});
    return (${p}state){${listed(f"{p}antilogarithm(s.{field})" for field in fields)}};
}
% endif
