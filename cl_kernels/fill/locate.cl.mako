<%
    located = f"{p}normal({p}finite(CLRNG_FMA(*values, {p}normal(scale[scale_at]), {p}normal(loc[loc_at]))))"
%>
% if circular:
<%include file="../distributions/circle.cl.mako"/>
% endif
<%include file="../distributions/normal.cl.mako"/>
<%include file="../distributions/finite.cl.mako"/>
// Replaces value i by scale * value + loc, rounded once; numbers below the smallest normal one count as 0, and a value
// beyond the largest number is that. scale and loc are broadcast: dimension d of the values has sizes[d] places, which are
// steps[3*d] numbers apart in the memory of scale, steps[3*d + 1] in that of loc and steps[3*d + 2] in that of the values.
% if circular:
// Values are angles, which are brought back to the range from -pi to pi.
% endif
__kernel void locate(__global ${out} *restrict values, const ulong offset, const ulong n,
                     __global const ${out} *restrict scale, const ulong scale_offset,
                     __global const ${out} *restrict loc, const ulong loc_offset,
                     __global const ulong *restrict sizes, __global const long *restrict steps, const uint dimensions)
{
    const ulong i = get_global_id(0);
    if (i >= n) return;
    ulong left = i, scale_at = scale_offset, loc_at = loc_offset;
    values += offset;
    for (uint d = dimensions; d-- > 0;) {
        const ulong before = left / sizes[d], place = left - before * sizes[d];
        left = before;
        scale_at += place * (ulong)steps[3 * d];
        loc_at += place * (ulong)steps[3 * d + 1];
        values += (long)place * steps[3 * d + 2];
    }
    *values = ${f"{p}on_circle({located})" if circular else located};
}
