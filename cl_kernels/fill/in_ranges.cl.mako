<%include file="place_of.cl.mako"/>
<%include file="range.cl.mako"/>
<%
    minus = f" - {min_value}{'u' if value == 'uint' else 'UL'}" if min_value else ""
    words = [f"raw[{d} * inner]" if d else "raw[0]" for d in range(steps)]
%>
// Value j*inner + i, with i < inner, is made of the raw values raw[(${steps}*j + d)*inner + i], and of the bounds that its element has in
// `lows` and `highs`, each with axes of its own.
__kernel void values_in_ranges(__global const ${value} *restrict raw, __global ${out} *restrict out, const ulong offset,
                               const ulong first, const ulong n, const ulong inner, __global const ${low} *restrict lows,
                               const ulong first_low, const uint low_axes, const uint out_axes, __global const ulong *restrict sizes,
                               __global const long *restrict steps, __global const ${high} *restrict highs, const ulong first_high,
                               const uint high_axes, __global const ulong *restrict high_sizes, __global const long *restrict high_steps)
{
    const ulong i = get_global_id(0);
    if (i >= n) return;
    raw += first_raw(i, inner, ${steps});
    const ${low} low = lows[low_axes ? place_of(first_low + i, 0, low_axes, sizes, steps) : first_low + i];
    const ${high} high = highs[high_axes ? place_of(first_high + i, 0, high_axes, high_sizes, high_steps) : first_high + i];
% if kind == "integers":
    // Each element takes as many of its raw values as make its integers equally likely. More would not change integers whose
    // number divides that of the raw values together.
    const ulong last = (ulong)high - (ulong)low${"" if endpoint else " - 1UL"};
    ulong t = 0;
% for d in range(steps - 1, 0, -1):
    if (last >= ${most_of_steps[d]}UL) t = ${p}next_quotient((ulong)(${words[d]}${minus}), last, t);
% endfor
    const ${out} y = (${out})(${p}next_quotient((ulong)(${words[0]}${minus}), last, t) + (ulong)low);
% elif kind == "numpys":
    const double y = ${p}convert(${words[0]}, (double)high - (double)low, (double)low);
% else:
    long least;
    ${out} unit, bound;
    ulong special;
    const ulong size = ${q}range_grid(${q}bound_of_${low}(low), ${q}bound_of_${high}(high), &least, &unit, &special, &bound);
    const ${out} y = ${p}convert(${", ".join(words)}, size - 1UL, 0UL, least, unit, special, bound);
% endif
    out[offset + (out_axes ? place_of(first + i, low_axes, out_axes, sizes, steps) : first + i)] = y;
}
