<%
    word, u, mask = ("uint", "u", "0x7f800000u") if out == "float" else ("ulong", "UL", "0x7ff0000000000000UL")
    truth = "int" if out == "float" else "long"
%>
// y, or 0 where it is a denormal number or -0.0, which devices treat in several ways.
CLRNG_INLINE ${out}${w} ${p}normal(const ${out}${w} y)
{
    const ${word}${w} bits = as_${word}${w}(y);
    return as_${out}${w}(select(bits, (${word}${w})0, ${"" if w else f"({truth})"}((bits & ${mask}) == (${word}${w})0)));
}
