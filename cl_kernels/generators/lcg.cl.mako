<%
    words = [f"word_{i}" for i in range(stride_words)]
    parameters = ", ".join(f"const {word} {name}" for name in words)
    shown = f"(x >> {shift})" if shift else "x"
    shown = shown if mask is None else f"({shown} & {mask}{u})"
%>
// x' = a*x + c mod m. A stride takes several steps at once; it is a map x -> A*x + C mod m too.
typedef ${p}residue ${p}state;
typedef ${p}factor ${p}stride;

CLRNG_INLINE ${p}state ${p}load(const ${word}${w} word_0) { return ${p}from_word(word_0); }

CLRNG_INLINE ${word}${w} ${p}word_0(const ${p}state x) { return ${p}to_word(x); }

CLRNG_INLINE ${value}${w} ${p}value(const ${p}state state)
{
    const ${word}${w} x = ${p}to_word(state);
    return ${narrowed(shown)};
}

CLRNG_INLINE ${p}state ${p}next(const ${p}state x) { return ${p}step(x); }

CLRNG_INLINE ${p}stride ${p}stride_of(${parameters}) { return ${p}factor_of(${", ".join(words)}); }

CLRNG_INLINE ${p}stride ${p}stride_from(__global const ${word} *row)
{
    return ${p}factor_of(${", ".join(f"row[{i}]" for i in range(stride_words))});
}

// apply_stride_unreduced is cheaper; its result may be given to value, word_0 and apply_stride_unreduced, not to next.
CLRNG_INLINE ${p}state ${p}apply_stride(const ${p}state x, const ${p}stride by) { return ${p}mul(x, by); }

CLRNG_INLINE ${p}state ${p}apply_stride_unreduced(const ${p}state x, const ${p}stride by) { return ${p}mul_unreduced(x, by); }
% if width == 1:

// The strides of 2^j steps.
${constants(word, p + "powers", powers)}

// The state n steps after x.
CLRNG_INLINE ${p}state ${p}jump(${p}state x, ulong n)
{
    __constant ${word} *row = ${p}powers;
    for (; n != 0; n >>= 1, row += ${stride_words})
        if (n & 1) x = ${p}mul(x, ${p}factor_of(${", ".join(f"row[{i}]" for i in range(stride_words))}));
    return x;
}
% endif
