<%include file="sums_near.cl.mako"/>
<%
    f, n = f"float{w}", f"int{w}"
    horner = lambda x, numbers: f"({f})({numbers[0]!r}f)" if len(numbers) == 1 else f"CLRNG_NEAR({horner(x, numbers[:-1])}, {x}, ({f})({numbers[-1]!r}f))"
    any_of = (lambda mask: f"{q}any_of({mask})") if width > 1 else (lambda mask: mask)
%>
// -ln(1 - p), of p and q = 1 - p from 0 to 1, but not of q = 0.
CLRNG_INLINE ${f} ${q}lost(const ${f} p, const ${f} q)
{
    const ${n} is_far = p > 0.5f;
    ${f} found = p * ${horner("p", log1p)};
    if (${any_of("is_far")}) found = is_far ? -${q}logarithm(q) : found;
    return found;
}
