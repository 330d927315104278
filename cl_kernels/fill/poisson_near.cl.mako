<%!
    import math

    import numpy as np
%>
<%
    f, n = f"float{w}", f"int{w}"
    horner = lambda x, numbers: f"({f})({numbers[0]!r}f)" if len(numbers) == 1 else f"CLRNG_NEAR({horner(x, numbers[:-1])}, {x}, ({f})({numbers[-1]!r}f))"
    log, root_bits = math.log, int(np.float32(0.5**0.5).view(np.uint32))
    any_of = (lambda mask: f"any({mask})") if width > 1 else (lambda mask: mask)
%>
// Whatever a compiler makes of these is near enough: how far a place may be off leaves room for it.
#ifdef CLRNG_SLOW_FMA
#define CLRNG_NEAR(a, b, c) ((a) * (b) + (c))
#else
#define CLRNG_NEAR(a, b, c) CLRNG_FMA(a, b, c)
#endif

// The natural logarithm of a number above 2^-100 and not above 1: of its part near 1, by a polynomial, and of its power of two.
CLRNG_INLINE ${f} ${q}logarithm(const ${f} x)
{
#ifdef __NV_CL_C_VERSION
    return native_log2(x) * ${log(2)}f;
#else
    const ${n} bits = as_${n}(x), exponent = (bits - ${root_bits}) >> 23;
    const ${f} above = as_${f}(bits - (exponent << 23)) - 1.0f;
    return CLRNG_NEAR(above, ${horner("above", logarithm)}, convert_${f}(exponent) * ${log(2)}f);
#endif
}

// e to a power from -${small} to 0, as a power of two times a polynomial of what is left.
CLRNG_INLINE ${f} ${q}exponential(const ${f} x)
{
    const ${f} whole = rint(x * ${1 / log(2)}f), rest = CLRNG_NEAR(whole, (${f})(-${log(2)}f), x);
    return ${horner("rest", exponential)} * as_${f}((convert_${n}(whole) + 127) << 23);
}

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
        // y is the probability of the tail.
        const ${f} y = (convert_${f}(min(number, ${numbers - 1}UL - number)) + 0.5f) * ${(1.0 / numbers)}f;
        const ${f} t = -${q}logarithm(4.0f * y * (1.0f - y));
        ${f} v = ${horner("(t - 2.5f)", central)};
        const ${n} is_tail = t >= 5.0f;
        if (${any_of("is_tail")}) v = is_tail ? ${horner("(sqrt(t) - 4.0f)", tail)} : v;
        v *= x;
        const ${f} large = max(mean, ${small}.0f), inverse = rsqrt(large), root = large * inverse, s = v * inverse;
        const ${f} place = part + CLRNG_NEAR(root, v, CLRNG_NEAR(v * v, ${horner("s", h)}, CLRNG_NEAR(inverse * inverse, ${horner("s", d)}, ${horner("s", c)})));
        const ${f} off = ${off[0]}f + ${off[1]}f * root * (1.0f + v * v) + inverse * inverse * (${off[2]}f + ${off[3]}f * s * s);
        const ${f} below = floor(place), above = place - below;
        const ${n} is_near = off < 0.45f && s > ${low_s}f && s < ${high_s}f && v * v < ${farthest}f;
        *sure = is_near && above > off && above < 1.0f - off;
        k = whole + convert_${n}(below);
        *nearest = is_near ? k ${"-" if width > 1 else "+"} (above > 0.5f) : -1;
    }
    if (${any_of("is_small")}) {
        // The masses of 0, 1, 2, ... are subtracted until nothing is left.
        ${f} mass = ${q}exponential(is_small ? -mean : 0.0f), left = is_small ? 0.5f * x + 0.5f - mass : -1.0f, before = 1.0f;
        ${n} count = 0;
        for (int i = 1; i < ${terms}; i++) {
            const ${n} more = left >= 0.0f;
            if (!${any_of("more")}) break;
            mass *= mean * (1.0f / (float)i);
            before = more ? left : before;
            left = more ? left - mass : left;
            count ${"-= more" if width > 1 else "+= more"};
        }
        k = is_small ? count : k;
        *sure = is_small ? (left < -${sum_off}f && before > ${sum_off}f) : *sure;
    }
    return k;
}
