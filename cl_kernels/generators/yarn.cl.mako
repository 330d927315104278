<%
    size = len(root_powers)
    digit_of = lambda i: "x" if i == 0 else f"(x >> {i * place_bits})"
    masked = lambda i: digit_of(i) if i == places - 1 else f"({digit_of(i)} & {2**place_bits - 1}{u})"
    begins = lambda i: f" + {i * 2**place_bits}u" if i else ""
    lane = lambda name, i: f"{name}.s{'%x' % i}" if width > 1 else name
    looked_up = lambda j, table: joined(
        word, [f"{'near' if table else p + 'root_powers'}[{lane(f'd{j}', i)}]" for i in range(width)])
    by_lanes = width > 1 and word == "ulong"    # vectors of products of 128 bits are made a lane at a time
    upper = lambda a, b: f"mul_hi({a}, {b})"
%>
// Powers of g = ${root} modulo the odd prime m = ${modulus}.
//
// g^x is the product of one power for each of the ${places} digits of x to the base ${2**place_bits}: ${p}root_powers has g^(d * ${2**place_bits}^i) for
// every digit d of every place i, place after place. All but those of place 0 are multiplied by N = 2^${word_bits}
// modulo m, so that Montgomery's product a * b / N is the product modulo m. With t = a * b, which is below m * N, and
// q = (t / m) mod N, the number q * m has the same lower half as t: (t - q * m) / N is the difference of the upper
// halves. Both are below m, so one addition of m makes it canonical.
${constants(word, p + "root_powers", [root_powers[i : i + 8] for i in range(0, size, 8)])}

CLRNG_INLINE ${word}${w} ${p}times(const ${word}${w} a, const ${word}${w} b)
{
    const ${word}${w} q = a * b * ${inverse}${u};
% if by_lanes:
    const ${word}${w} t = ${joined(word, [upper(lane("a", i), lane("b", i)) for i in range(width)])};
    const ${word}${w} taken = ${joined(word, [upper(lane("q", i), f"(ulong){modulus}{u}") for i in range(width)])};
% else:
    const ${word}${w} t = mul_hi(a, b), taken = mul_hi(q, (${word}${w})${modulus}${u});
% endif
    return t < taken ? t - taken + ${modulus}${u} : t - taken;
}
<%def name="power(name, kind, table)">
${kind} ${word}${w} ${p}${name}(const ${word}${w} x${table})
{
% for i in range(places):
    const uint${w} d${i} = ${masked(i) if word == "uint" else f"convert_uint{w}({masked(i)})"}${begins(i)};
% endfor
    ${word}${w} y = ${looked_up(0, table)};
% for j in range(1, places):
    y = ${p}times(y, ${looked_up(j, table)});
% endfor
    return x != 0 ? y : (${word}${w})0;
}
</%def>
// g^x, or 0 where x is 0. A vector takes so many lookups that this is not inlined.
${power("power", "CLRNG_CALLED", "")}
CLRNG_INLINE ${value}${w} ${p}value(const ${p}state s) { return ${p}power(${p}word_${order - 1}(s)); }
% if width == 1:

// The same from a copy of the table in local memory.
${power("power_near", "CLRNG_INLINE", f", __local const {word} *near")}
CLRNG_INLINE ${value} ${p}value_near(const ${p}state s, __local const ${word} *near)
{
    return ${p}power_near(${p}word_${order - 1}(s), near);
}
% endif
