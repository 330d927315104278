<%!
    import math

    import numpy as np
%>
<%
    f, n = f"float{w}", f"int{w}"
    horner = lambda x, numbers: f"({f})({numbers[0]!r}f)" if len(numbers) == 1 else f"CLRNG_NEAR({horner(x, numbers[:-1])}, {x}, ({f})({numbers[-1]!r}f))"
    log, root_bits = math.log, int(np.float32(0.5**0.5).view(np.uint32))
    any_of = (lambda mask: f"{q}any_of({mask})") if width > 1 else (lambda mask: mask)
%>
% if width > 1:
<%include file="any_of.cl.mako" args="q=q"/>
% endif
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

// e to a power from -80 to 0, as a power of two times a polynomial of what is left.
CLRNG_INLINE ${f} ${q}exponential(const ${f} x)
{
    const ${f} whole = rint(x * ${1 / log(2)}f), rest = CLRNG_NEAR(whole, (${f})(-${log(2)}f), x);
    return ${horner("rest", exponential)} * as_${f}((convert_${n}(whole) + 127) << 23);
}

// The normal number of the probability number / N, where x is 2 number / N - 1.
CLRNG_INLINE ${f} ${q}normal_near(const ${f} x, const ulong${w} number)
{
    // y is the probability of the tail.
    const ${f} y = (convert_${f}(min(number, ${numbers - 1}UL - number)) + 0.5f) * ${(1.0 / numbers)}f;
    const ${f} t = -${q}logarithm(4.0f * y * (1.0f - y));
    ${f} v = ${horner("(t - 2.5f)", central)};
    const ${n} is_tail = t >= 5.0f;
    if (${any_of("is_tail")}) v = is_tail ? ${horner("(sqrt(t) - 4.0f)", tail)} : v;
    return v * x;
}
