<%
    word, u, mantissa, bias, infinity = ("ulong", "UL", 52, 1023, "0x7ff0000000000000UL") if out == "double" else ("uint", "u", 23, 127, "0x7f800000u")
    within = f"(octave >= first || first == {from_zero})" if from_zero is not None else "octave >= first"
%>\
<%include file="/fill/surface_value.cl.mako"/>
% if circular:
<%include file="/distributions/circle.cl.mako"/>
% endif
// A value of loc 0 and scale 1; NaN where the shape is not legal, or not in the octaves of the tables, or these are of something else.
CLRNG_INLINE ${out} ${q}of(__global const uint *restrict tables, const ${out} shape, ${raw})
{
    const ${word} bits = as_${word}(shape);
    const int first = (int)tables[0], octave = (int)(bits >> ${mantissa}${u}) - ${bias + doublings};
    const bool is_legal = bits << 1${u} ? bits < ${infinity} && octave < first + (int)tables[1] && ${within} : ${"true" if zero_is_legal else "false"};
    if (tables[3] != ${kind}u) return (${out})NAN;
    const ulong number = ${number};
    const ${out} y = ${p}of_parameter(number, is_legal ? bits : 0${u}, first, ${doublings}, (__global const ${"double2" if out == "double" else "float4"} *)(tables + tables[2]),
                                      tables + ${header});
    return is_legal ? ${f"{p}within_pi(y)" if circular else "y"} : (${out})NAN;
}
