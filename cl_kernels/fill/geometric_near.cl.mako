<%include file="lost_near.cl.mako"/>
<%
    f, n = f"float{w}", f"int{w}"
%>
// The geometric number of a probability, fraction 2^-down, and of a number below N = ${numbers}; and whether it is sure. It is the integer
// above the place ln(1 - number / N) / ln(1 - p), or the one at it.
CLRNG_INLINE ${n} ${q}near(const ulong${w} fraction, const ulong${w} down, const ulong${w} number, ${n} *sure, ${n} *nearest)
{
    const ulong${w} one = (ulong${w})(1UL) << min(down, 63UL);
    const ${f} scale = as_${f}((127u - convert_uint${w}(down)) << 23), p = convert_${f}(fraction) * scale;
    // Where p is too small for this difference it is not needed.
    const ${f} q = convert_${f}(one - fraction) * scale;
    const ${f} u = convert_${f}(number) * ${1.0 / numbers}f, left = convert_${f}(${numbers - 1}UL - number + 1UL) * ${1.0 / numbers}f;
    const ${f} place = ${q}lost(u, left) / (q > 0.0f ? ${q}lost(p, q) : 1e30f), off = ${off[0]}f * place;
    ${n} k = ${q}below((${n})0, place, off, place < ${farthest}f, sure, nearest);
    *sure = *sure || place + off < 1.0f;
    return k + 1;
}
