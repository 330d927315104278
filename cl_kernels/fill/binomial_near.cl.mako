<%include file="sums_near.cl.mako"/>
<%
    f, n = f"float{w}", f"int{w}"
    constant = lambda number: f"({f})({number!r}f)"
    horner = lambda x, numbers: numbers[0] if len(numbers) == 1 else f"CLRNG_NEAR({horner(x, numbers[:-1])}, {x}, {numbers[-1]})"
    of_p = lambda numbers: horner("p", [constant(number) for number in numbers])
    of_s = lambda rows: horner("s", [of_p(row) for row in rows])
    any_of = (lambda mask: f"{q}any_of({mask})") if width > 1 else (lambda mask: mask)
%>
// The binomial number of a probability, fraction 2^-down, of so many trials and a number below N = ${numbers}; and whether it is sure.
// Successes are counted, or failures where these are rarer: p is the probability of one of them. F is continued between integers: the
// value is the integer at or below the place x at which I(trials + 1 - x, x; 1 - p) = number / N. With the mean (trials + 1) p
// and its root r of the mean times 1 - p, near to it is mean + r v + v^2 h(s) + c(s) + d(s) / r^2, where v is the normal number of the
// same probability, s is v (1 - p) / r, and h, c and d are polynomials of s and p. `nearest` is the integer nearest to the place, of
// what is counted, or -1 where another one may be as near.
CLRNG_INLINE ${n} ${q}near(const ulong${w} fraction, const ulong${w} down, const uint${w} trials, const ulong${w} number, ${n} *sure, ${n} *nearest)
{
    const ulong${w} one = (ulong${w})(1UL) << min(down, 63UL), most = convert_ulong${w}(trials);
    const ${n} are_failures = convert_${n}(${"fraction > one >> 1UL" if width > 1 else "fraction > (one >> 1UL)"});
    const ulong${w} m = fraction > (one >> 1UL) ? one - fraction : fraction;
    const ${f} scale = as_${f}((127u - convert_uint${w}(down)) << 23), p = convert_${f}(m) * scale, q = 1.0f - p;
    // The mean is that of the upper 32 bits behind the point of the product and more above them.
    const ulong${w} by = min(down - 32UL, 63UL), product = (most + 1UL) * (m >> 32UL) + ((most + 1UL) * (m & 0xffffffffUL) >> 32UL), above_point = product >> by;
    const ${n} whole = convert_${n}(above_point);
    const ${f} part = convert_${f}(product - (above_point << by)) * scale * 4294967296.0f, mean = convert_${f}(whole) + part;
    // x is 2 number / N - 1, or that of failures.
    const ${f} of_number = convert_${f}(as_long${w}(number - ${(numbers + 1) // 2}UL)) * ${(2.0 / numbers)}f, x = are_failures ? -of_number : of_number;
    const ${n} is_small = mean < ${small}.0f;
    ${n} k = 0;
    *sure = 0;
    *nearest = -1;
    if (${any_of("!is_small" if width == 1 else "~is_small")}) {
        const ${f} v = ${q}normal_near(x, number);
        const ${f} variance = max(mean, ${small}.0f) * q, inverse = rsqrt(variance), root = variance * inverse, s = v * q * inverse;
        const ${f} place = part + CLRNG_NEAR(root, v, CLRNG_NEAR(v * v, ${of_s(h)}, CLRNG_NEAR(inverse * inverse, ${of_s(d)}, ${of_s(c)})));
        const ${f} off = ${off[0]}f + ${off[1]}f * root * (1.0f + v * v) + ${off[2]}f * s * s;
        k = ${q}below(whole, place, off, s > ${low_s}f && s < ${high_s}f && v * v < ${farthest}f, sure, nearest);
    }
    if (${any_of("is_small")}) {
        const ${f} odds = p / q, count_of_all = convert_${f}(trials), lost = count_of_all * p * ${horner("p", [constant(number) for number in log1p])};
        ${n} is_sure;
        const ${n} count = ${q}summed(is_small, ${q}exponential(is_small ? -lost : 0.0f), count_of_all * odds, -odds, 0.5f * x + 0.5f, &is_sure);
        k = is_small ? count : k;
        *sure = is_small ? is_sure : *sure;
    }
    return are_failures ? as_${n}(trials) - k : k;
}
