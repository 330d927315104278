<%include file="place_of.cl.mako"/>
% if width > 1:
<%include file="triangles.cl.mako"/>
% else:
<%include file="triangle.cl.mako"/>
% endif
<%namespace name="several" file="several.cl.mako"/>
// Makes triangular numbers of raw values, each of its own parameters.
__kernel void triangular_by_element(__global const ${value} *restrict raw, __global ${out} *restrict out, const ulong offset,
                                    const ulong first, const uint n, const ulong inner, const uint out_axes, ${several.arguments(types)})
{
<%include file="numbers.cl.mako"/>
% if width > 1:
% for name in types:
<% own = {each: capture(several.along, types, name, each) for each in ("sizes", "steps")} %>\
    // All have the same where the only axis has steps of 0.
    const bool is_one_${name} = ${name}_axes == 1 && ${own["steps"]}[0] == 0;
    double${w} ${name} = (double)${name}s[0];
<%include file="given.cl.mako" args="name=name, kind='double', array=name + 's', axis=name, sizes=own['sizes'], steps_along=own['steps'], unless='is_one_' + name"/>
% endfor
% else:
${several.elements(types)}\
% endif
    const double${w} y = ${q}triangle(left, mode, right, number);
<%include file="placed.cl.mako" args="name='y', axis='left'"/>
}
