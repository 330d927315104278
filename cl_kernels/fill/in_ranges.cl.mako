<%include file="place_of.cl.mako"/>
<%include file="range.cl.mako" args="q=q, w=w"/>
<%
    minus = f" - {min_value}{'u' if value == 'uint' else 'UL'}" if min_value else ""
    words = [f"x{d}" for d in range(steps)]
    whole = lambda x, of: x if of == "ulong" else f"as_ulong{w}(convert_long{w}({x}))" if w else f"(ulong){x}"
    double = lambda x: f"convert_double{w}({x})" if w else f"(double){x}"
%>
// Value j*inner + i, with i < inner, is made of the raw values raw[(${steps}*j + d)*inner + i], and of the bounds that its element has in
// `lows` and `highs`, each with axes of its own.
__kernel void values_in_ranges(__global const ${value} *restrict raw, __global ${out} *restrict out, const ulong offset,
                               const ulong first, const ulong n, const ulong inner, __global const ${low} *restrict lows,
                               const ulong first_low, const uint low_axes, const uint out_axes, __global const ulong *restrict sizes,
                               __global const long *restrict steps, __global const ${high} *restrict highs, const ulong first_high,
                               const uint high_axes, __global const ulong *restrict high_sizes, __global const long *restrict high_steps)
{
<%include file="turns.cl.mako" args="kind='ulong', wide=width"/>\
% if width > 1:
    const bool is_whole = begin + ${width} <= n;
% endif
    ${value}${w} ${", ".join(words)};
<%include file="words.cl.mako"/>
    ${low}${w} low;
    ${high}${w} high;
<%include file="given.cl.mako" args="name='low', kind=low, array='lows', axis='low', sizes='sizes', steps_along='steps'"/>
<%include file="given.cl.mako" args="name='high', kind=high, array='highs', axis='high', sizes='high_sizes', steps_along='high_steps'"/>
% if kind == "integers":
    // Each element takes as many of its raw values as make its integers equally likely. More would not change integers whose
    // number divides that of the raw values together.
    const ulong${w} last = ${whole("high", high)} - ${whole("low", low)}${"" if endpoint else " - 1UL"};
    ulong${w} t = 0;
% for d in range(steps - 1, 0, -1):
<% next_t = f"{p}next_quotient({whole(f'({words[d]}{minus})', value)}, last, t)" %>\
% if w:
    t = ${next_t} & (0UL - (as_ulong${w}(last >= ${most_of_steps[d]}UL) & 1UL));
% else:
    if (last >= ${most_of_steps[d]}UL) t = ${next_t};
% endif
% endfor
    t = ${p}next_quotient(${whole(f"({words[0]}{minus})", value)}, last, t) + ${whole("low", low)};
    const ${out}${w} y = ${f"convert_{out}{w}(t)" if w else f"({out})t"};
% elif kind == "numpys":
    const double${w} y = ${p}convert(${words[0]}, ${double("high")} - ${double("low")}, ${double("low")});
% else:
    long${w} least;
    ${out}${w} unit, bound;
    ulong${w} special;
    const ulong${w} size = ${q}range_grid(${q}bound_of_${low}(low), ${q}bound_of_${high}(high), &least, &unit, &special, &bound);
    const ${out}${w} y = ${p}convert(${", ".join(words)}, size - 1UL, (ulong${w})0UL, least, unit, special, bound);
% endif
<%include file="placed.cl.mako" args="name='y', axis='low'"/>
    }
}
