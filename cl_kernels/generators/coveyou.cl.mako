<%
    words = [f"word_{i}" for i in range(stride_words)]
    rows = [f"row[{i}]" for i in range(stride_words)]
%>
// x' = x*(x + 1) mod 2^32 with x = 2 (mod 4). A stride is a polynomial in t = (x - 2) / 4 modulo 2^30.
typedef uint${w} ${p}state;
typedef struct { uint ${", ".join(words)}; } ${p}stride;

CLRNG_INLINE ${p}state ${p}load(const uint${w} word_0) { return word_0; }

CLRNG_INLINE uint${w} ${p}word_0(const ${p}state x) { return x; }

CLRNG_INLINE uint${w} ${p}value(const ${p}state x) { return x; }

CLRNG_INLINE ${p}state ${p}next(const ${p}state x) { return x * (x + 1u); }

CLRNG_INLINE ${p}stride ${p}stride_of(${", ".join(f"const uint {name}" for name in words)})
{
    return (${p}stride){${", ".join(words)}};
}

CLRNG_INLINE ${p}stride ${p}stride_from(__global const uint *row) { return (${p}stride){${", ".join(rows)}}; }

CLRNG_INLINE ${p}state ${p}apply_stride(const ${p}state x, const ${p}stride by)
{
    const uint${w} t = (x - 2u) >> 2;
    uint${w} y = (uint${w})by.${words[-1]};
% for name in reversed(words[:-1]):
    y = y * t + by.${name};
% endfor
    return (y << 2) + 2u;
}

CLRNG_INLINE ${p}state ${p}apply_stride_unreduced(const ${p}state x, const ${p}stride by) { return ${p}apply_stride(x, by); }
% if width == 1:

// The strides of 2^j steps.
${constants("uint", p + "powers", powers)}

// The state n steps after x.
CLRNG_INLINE ${p}state ${p}jump(${p}state x, ulong n)
{
    __constant uint *row = ${p}powers;
    for (; n != 0; n >>= 1, row += ${stride_words})
        if (n & 1) x = ${p}apply_stride(x, (${p}stride){${", ".join(rows)}});
    return x;
}
% endif
