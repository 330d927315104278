<%include file="lost_near.cl.mako"/>
<%
    f, n, u = f"float{w}", f"int{w}", f"ulong{w}"
    constant = lambda number: f"({f})({number!r}f)"
    horner = lambda x, numbers: numbers[0] if len(numbers) == 1 else f"CLRNG_NEAR({horner(x, numbers[:-1])}, {x}, {numbers[-1]})"
    of_s = lambda rows: horner("s", [horner("q", [constant(number) for number in row]) for row in rows])
    any_of = (lambda mask: f"{q}any_of({mask})") if width > 1 else (lambda mask: mask)
%>
// The negative binomial number of a probability p, m 2^-down, of so many successes and a number below N = ${numbers}; and whether
// it is sure. F is continued between integers: the value is the integer at or below the place x at which I(successes, x; p) is number / N.
// With q = 1 - p and l = successes q, near to it is l / p + (l^1/2 v + v^2 h(s) + c(s) + d(s) / l) / p, where v is the normal number
// of the same probability, s is v / l^1/2, and h, c and d are polynomials of s and q. `nearest` is the integer nearest to the place,
// or -1 where another one may be as near.
CLRNG_INLINE ${n} ${q}near(const ${u} m, const ${u} down, const ${f} successes, const ${f} rest, const ${u} number, ${n} *sure, ${n} *nearest)
{
    // Probabilities and the mean are sums of two numbers, the second one small.
    const ${u} by = min(down, 63UL), fraction = m >> (down - by), failures = ((${u})(1UL) << by) - fraction;
    const ${f} scale = as_${f}((127u - convert_uint${w}(by)) << 23), p_upper = convert_${f}(fraction), q_upper = convert_${f}(failures);
    const ${f} p = p_upper * scale, q = q_upper * scale, failed = successes * q;
    const ${f} odds = q_upper / p_upper, off_odds = CLRNG_FMA(-odds, p_upper, q_upper) + convert_${f}(as_long${w}(failures - convert_${u}(q_upper)))
        - odds * convert_${f}(as_long${w}(fraction - convert_${u}(p_upper)));
    const ${f} mean = successes * odds, off_mean = CLRNG_FMA(successes, odds, -mean) + successes * (off_odds / p_upper) + rest * odds;
    const ${n} is_legal = convert_uint${w}(down) < 70u, is_small = failed < ${small}.0f;
    // x is 2 number / N - 1.
    const ${f} x = convert_${f}(as_long${w}(number - ${(numbers + 1) // 2}UL)) * ${(2.0 / numbers)}f;
    ${n} k = 0;
    *sure = 0;
    *nearest = -1;
    if (${any_of("!is_small" if width == 1 else "~is_small")}) {
        const ${f} v = ${q}normal_near(x, number);
        const ${f} large = max(failed, ${small}.0f), inverse = rsqrt(large), root = large * inverse, s = v * inverse, unit = 1.0f / p;
        const ${f} deviation = CLRNG_NEAR(root, v, CLRNG_NEAR(v * v, ${of_s(h)}, CLRNG_NEAR(inverse * inverse, ${of_s(d)}, ${of_s(c)})));
        const ${f} off = unit * (${off[0]}f + ${off[1]}f * root * (1.0f + v * v) + inverse * inverse * (${off[2]}f + ${off[3]}f * s * s));
        const ${n} whole = convert_${n}(mean), is_near = is_legal && mean < ${largest}f && s > ${low_s}f && s < ${high_s}f && v * v < ${farthest}f;
        k = ${q}below(whole, (mean - convert_${f}(whole)) + (off_mean + deviation * unit), off, is_near, sure, nearest);
    }
    if (${any_of("is_small")}) {
        const ${f} power = q > 0.0f ? successes * ${q}lost(q, p) : 0.0f;
        const ${n} is_asked = is_small && is_legal && power < 80.0f;
        ${n} is_sure;
        const ${n} count = ${q}summed(is_asked, ${q}exponential(is_asked ? -power : 0.0f), failed, q, 0.5f * x + 0.5f, &is_sure);
        k = is_small ? count : k;
        *sure = is_small ? is_asked && is_sure : *sure;
        *nearest = is_small ? -1 : *nearest;
    }
    return k;
}
