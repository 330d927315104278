<%
    # 2 pi is near + rest to twice the precision, and last is the largest number below pi.
    near, rest, inverse, last = {
        "float": ("0x1.921fb6p+2f", "-0x1.777a5cp-23f", "0x1.45f306p-3f", "0x1.921fb4p+1f"),
        "double": ("0x1.921fb54442d18p+2", "0x1.1a62633145c07p-52", "0x1.45f306dc9c883p-3", "0x1.921fb54442d18p+1"),
    }[out]
%>
// The angle y, which rounding may have put beyond pi, as a number from -pi to pi.
CLRNG_INLINE ${out}${w} ${p}within_pi(const ${out}${w} y) { return clamp(y, -${last}, ${last}); }

// The angle y without whole turns, from -pi to pi: y - 2 pi k, for the integer k nearest to y / (2 pi).
CLRNG_INLINE ${out}${w} ${p}on_circle(const ${out}${w} y)
{
    const ${out}${w} k = rint(y * ${inverse}), x = CLRNG_FMA(-k, (${out}${w})${near}, y);
    return ${p}within_pi(CLRNG_FMA(-k, (${out}${w})${rest}, x));
}
