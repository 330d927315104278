<%include file="place_of.cl.mako"/>
<%include file="/distributions/normal.cl.mako"/>
<%include file="/distributions/finite.cl.mako"/>
% if circular:
<%include file="/distributions/circle.cl.mako"/>
% endif
<%
    word, part = "ulong" if shape == "double" else "uint", "float4" if out == "float" else "double2"
%>
<%include file="surface_value.cl.mako"/>

__kernel void values_of_shapes(__global const ${value} *restrict raw, __global ${out} *restrict out, const ulong offset,
                               const ulong first, const uint n, const ulong inner, __global const ${word} *restrict shapes, const ulong first_shape,
                               const uint shape_axes, const uint out_axes, __global const ulong *restrict sizes,
                               __global const long *restrict steps, __global const ${scale} *restrict scales, const ulong first_scale,
                               const uint scale_axes, __global const ulong *restrict scale_sizes, __global const long *restrict scale_steps,
                               __global const ${part} *restrict rows, __global const uint *restrict octaves, const int first_octave, const int doublings)
{
<%include file="numbers.cl.mako"/>
    ${word}${w} bits;
<%include file="given.cl.mako" args="name='bits', kind=word, array='shapes', axis='shape', sizes='sizes', steps_along='steps'"/>
    // Values are multiplied by scales, or angles moved by them. All have the same where the only axis has steps of 0.
    const bool is_one = scale_axes == 1 && scale_steps[0] == 0;
    ${out}${w} scale = (${out})scales[0];
<%include file="given.cl.mako" args="name='scale', kind=out, array='scales', axis='scale', sizes='scale_sizes', steps_along='scale_steps', unless='is_one'"/>
    ${out}${w} y = ${p}of_parameter(number, bits, first_octave, doublings, rows, octaves);
% if circular:
    y = ${p}on_circle(${p}finite(${p}normal(${p}within_pi(y) + ${p}normal(scale))));
% else:
    y = ${p}finite(${p}normal(CLRNG_FMA(y, ${p}normal(scale), (${out}${w})0)));
% endif
<%include file="placed.cl.mako" args="name='y', axis='shape'"/>
    }
}
