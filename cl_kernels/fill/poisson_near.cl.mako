<%include file="sums_near.cl.mako"/>
<%
    f, n = f"float{w}", f"int{w}"
    horner = lambda x, numbers: f"({f})({numbers[0]!r}f)" if len(numbers) == 1 else f"CLRNG_NEAR({horner(x, numbers[:-1])}, {x}, ({f})({numbers[-1]!r}f))"
    any_of = (lambda mask: f"{q}any_of({mask})") if width > 1 else (lambda mask: mask)
%>
// The Poisson number of a mean, `whole` and the part of one behind it, and of a number below N = ${numbers}; and whether it is sure.
// F is continued between integers: the value is the integer at or below the place x at which Q(x, mean) = number / N. Near to it
// is mean + mean^1/2 v + v^2 h(s) + c(s) + d(s) / mean, where v is the normal number of the same probability, s is v / mean^1/2,
// and h, c and d are polynomials (the uniform expansion of Temme, inverted). `nearest` is the integer nearest to the place, or
// -1 where another one may be as near.
CLRNG_INLINE ${n} ${q}near(const ${f} mean, const ${n} whole, const ${f} part, const ulong${w} number, ${n} *sure, ${n} *nearest)
{
    // x is 2 number / N - 1.
    const ${f} x = convert_${f}(as_long${w}(number - ${(numbers + 1) // 2}UL)) * ${(2.0 / numbers)}f;
    const ${n} is_small = mean < ${small}.0f;
    ${n} k = 0;
    *sure = 0;
    *nearest = -1;
    if (${any_of("!is_small" if width == 1 else "~is_small")}) {
        const ${f} v = ${q}normal_near(x, number);
        const ${f} large = max(mean, ${small}.0f), inverse = rsqrt(large), root = large * inverse, s = v * inverse;
        const ${f} place = part + CLRNG_NEAR(root, v, CLRNG_NEAR(v * v, ${horner("s", h)}, CLRNG_NEAR(inverse * inverse, ${horner("s", d)}, ${horner("s", c)})));
        const ${f} off = ${off[0]}f + ${off[1]}f * root * (1.0f + v * v) + inverse * inverse * (${off[2]}f + ${off[3]}f * s * s);
        k = ${q}below(whole, place, off, s > ${low_s}f && s < ${high_s}f && v * v < ${farthest}f, sure, nearest);
    }
    if (${any_of("is_small")}) {
        ${n} is_sure;
        const ${n} count = ${q}summed(is_small, ${q}exponential(is_small ? -mean : 0.0f), mean, (${f})(0.0f), 0.5f * x + 0.5f, &is_sure);
        k = is_small ? count : k;
        *sure = is_small ? is_sure : *sure;
    }
    return k;
}
