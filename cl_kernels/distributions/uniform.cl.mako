<%
    out = "float" if bits == 24 else "double"
    f = "f" if bits == 24 else ""
    digits = (denominator - 1).bit_length()
    kept = min(bits, digits)
    wide = f"ulong{half}" if width > 1 else "ulong"
%>
% if division == "divide":
// x / ${denominator} correctly rounded.
% if denominator <= 2**32 and width == 1:
// q is the product with the reciprocal r, which is 1/d to 2^-53 of it, and off the quotient by less than 2^-51 of it. The
// remainder x - q d is exact, and so x / d = q + remainder / d; with r in place of 1/d the error is less than 2^-103 of the
// quotient. No x / d for x < d <= 2^32 is nearer to the middle of two doubles than 2^-86 of it, so the rounding is right.
CLRNG_INLINE double ${p}convert(const ${value} x)
{
    const double y = convert_double(x), q = y * ${float.hex(1 / denominator)};
    return CLRNG_FMA(CLRNG_FMA(-q, ${denominator}.0, y), ${float.hex(1 / denominator)}, q);
}
% else:
CLRNG_INLINE double${w} ${p}convert(const ${value}${w} x) { return convert_double${w}(x) / ${denominator}.0; }
% endif
% elif division == "shift":
// x / ${denominator} rounded down to a multiple of 2^-${kept}, never 1.
CLRNG_INLINE ${out}${w} ${p}convert(const ${value}${w} x)
{
% if bits == 24 and value == "ulong":
    const ulong${w} top = x >> ${digits - kept};
    return convert_float${w}(${f"as_uint{2 * width}(top).even" if width > 1 else "convert_uint(top)"}) * 0x1p-${kept}f;
% else:
    return convert_${out}${w}(x >> ${digits - kept}) * 0x1p-${kept}${f};
% endif
}
% elif division == "short" and 2**32 - 2**8 < denominator < 2**32:
<% missing = 2**32 - denominator %>
// x / ${denominator} rounded down to a multiple of 2^-24, never 1. With d = 2^32 - c and x = 2^8 h + l, x 2^24 / d is
// h + (l + e) / 2^8, where e = c x / d < c < 2^8. It is h + 1 or more where c x >= (2^8 - l) d, which is the same as
// c (h + 1) >= (2^8 - l) 2^24: so e may be c (h + 1) / 2^24, rounded down.
CLRNG_INLINE float${w} ${p}convert(const uint${w} x)
{
    const uint${w} e = ((x >> 8) * ${missing}u + ${missing}u) >> 24;
    return convert_float${w}(${"as_int%s((x + e) >> 8)" % w if width > 1 else "(x + e) >> 8"}) * 0x1p-24f;
}
% elif division == "short" and width == 1 and 2**32 - 2**16 < denominator < 2**32:
<% missing = 2**32 - denominator %>
// x / ${denominator} rounded down to a multiple of 2^-24, never 1. With d = 2^32 - c, x 2^24 / d is (x + e) / 2^8, where
// e = c x / d < c. Rounded down, e is t or t + 1 for the upper 32 bits t of c x: it is t + 1 where c x - t d, which is
// the lower 32 bits and t c, is d or more, that is where these and (t + 1) c < 2^32 are 2^32 or more.
CLRNG_INLINE float ${p}convert(const uint x)
{
    const uint t = mul_hi(x, ${missing}u), lower = x * ${missing}u;
    const uint more = lower + (t + 1u) * ${missing}u < lower ? 1u : 0u;
    return convert_float((x + t + more) >> 8) * 0x1p-24f;
}
% elif division == "short":
// x / ${denominator} rounded down to a multiple of 2^-24, never 1: the quotient of x * 2^24, from a reciprocal, may be one
// too small.
CLRNG_INLINE ${wide} ${p}quotient(const ${wide} x)
{
    const ${wide} q = x * ${2**56 // denominator}UL >> 32;
    return (x << 24) - q * ${denominator}UL < ${denominator}UL ? q : q + 1UL;
}

CLRNG_INLINE float${w} ${p}convert(const uint${w} x)
{
% if width == 1:
    const uint q = convert_uint(${p}quotient(x));
% else:
    const ${wide} pairs = as_${wide}(x);
    const uint${w} q = as_uint${w}(${p}quotient(pairs & 0xffffffffUL) | (${p}quotient(pairs >> 32) << 32));
% endif
    return convert_float${w}(q) * 0x1p-24f;
}
% else:
// x / ${denominator} rounded down to a multiple of 2^-${bits}, never 1: the quotient q of x * 2^${bits}, from a reciprocal,
// may be one too small, which products of 128 bits tell.
CLRNG_INLINE ${out}${w} ${p}convert(const ulong${w} x)
{
    const ulong${w} q = mul_hi(x, (ulong${w})${2**(bits + 64) // denominator}UL), next = q + 1UL;
    const ulong${w} upper = mul_hi(next, (ulong${w})${denominator}UL), lower = next * ${denominator}UL;
    const ulong${w} x_upper = x >> ${64 - bits}, x_lower = x << ${bits};
    return convert_${out}${w}(upper < x_upper || (upper == x_upper && lower <= x_lower) ? next : q) * 0x1p-${bits}${f};
}
% endif
