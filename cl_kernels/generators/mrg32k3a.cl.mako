<%
    x, y = f"{p}x_", f"{p}y_"
    words = [f"word_{i}" for i in range(6)]
%>
// A value is the difference of two linear recurrences of order 3 modulo the modulus of the first, which takes the place of 0.
typedef struct { ${x}state x; ${y}state y; } ${p}state;

CLRNG_INLINE ${p}state ${p}load(${", ".join(f"const uint{w} {name}" for name in words)})
{
    return (${p}state){${x}load(${", ".join(words[:3])}), ${y}load(${", ".join(words[3:])})};
}
% for i in range(6):

CLRNG_INLINE uint${w} ${p}word_${i}(const ${p}state s) { return ${f"{x}word_{i}(s.x)" if i < 3 else f"{y}word_{i - 3}(s.y)"}; }
% endfor

CLRNG_INLINE uint${w} ${p}value(const ${p}state s)
{
% if between is not None and width == 1:
    // x - y - 1 is the lower half of the sum modulo 2^32, and the last bit of the upper half says whether it is negative.
    const ulong d = as_ulong((s.x.x2 - s.y.x2) + (0x1.8p52 + ${between - 1}.0));
    const uint x = convert_uint(d & 0xffffffffUL) + 1u;
    return (d & 0x100000000UL) != 0 ? x + ${modulus}u : x;
% elif between is not None:
    // d = x - y - 1/4 is not 0. Bits of negative doubles are larger integers than those of others, and so the smaller of
    // d and d + m is the one that is not negative. Adding 1.5 * 2^52 rounds it to the value.
    const double${w} d = s.x.x2 - s.y.x2 + (${between}.0 - 0.25);
    const ulong${w} low = as_ulong${w}(d), high = as_ulong${w}(d + ${modulus}.0);
    return ${x}lower(as_double${w}(CLRNG_MIN(low, high)) + 0x1.8p52);
% else:
    const uint${w} x = ${x}value(s.x), y = ${y}value(s.y);
    return x > y ? x - y : x - y + ${modulus}u;
% endif
}

CLRNG_INLINE ${p}state ${p}next(const ${p}state s) { return (${p}state){${x}next(s.x), ${y}next(s.y)}; }

typedef __global const uint *${p}stride;

CLRNG_INLINE ${p}stride ${p}stride_from(__global const uint *row) { return row; }

CLRNG_INLINE ${p}state ${p}apply_stride(const ${p}state s, const ${p}stride by)
{
    return (${p}state){${x}apply_stride(s.x, by), ${y}apply_stride(s.y, by + ${weight_words})};
}

CLRNG_INLINE ${p}state ${p}apply_stride_unreduced(const ${p}state s, const ${p}stride by) { return ${p}apply_stride(s, by); }
% if width == 1:

CLRNG_INLINE ${p}state ${p}jump(const ${p}state s, const ulong n)
{
    return (${p}state){${x}jump(s.x, n), ${y}jump(s.y, n)};
}
% endif
