<%
    largest = "0x1.fffffep127f" if out == "float" else "0x1.fffffffffffffp1023"
%>
// y, or the largest number with its sign where y is infinite.
CLRNG_INLINE ${out}${w} ${p}finite(const ${out}${w} y)
{
    return clamp(y, -${largest}, ${largest});
}
