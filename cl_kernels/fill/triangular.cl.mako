<%include file="place_of.cl.mako"/>
<%include file="${'triangles' if width > 1 else 'triangle'}.cl.mako"/>
<%namespace name="several" file="several.cl.mako"/>
// Makes triangular numbers of raw values, each of its own parameters.
__kernel void triangular_by_element(__global const ${value} *restrict raw, __global ${out} *restrict out, const ulong offset,
                                    const ulong first, const uint n, const ulong inner, const uint out_axes, ${several.arguments(types)})
{
<%include file="numbers.cl.mako"/>
${several.elements(types)}\
    const double${w} y = ${q}triangle(left, mode, right, number);
<%include file="placed.cl.mako" args="name='y', axis='left'"/>
    }
}
