## What kernels are given of several arrays, which `types` has by name, each with axes of its own: those of the first are sizes and steps.
<%def name="along(types, name, what)">${what if name == next(iter(types)) else f"{name}_{what}"}</%def>
<%def name="arguments(types)">\
% for name, ctype in types.items():
${"" if loop.first else ", "}__global const ${ctype} *restrict ${name}s, const ulong first_${name}, const uint ${name}_axes, \
__global const ulong *restrict ${along(types, name, "sizes")}, __global const long *restrict ${along(types, name, "steps")}\
% endfor
</%def>
## What the elements from `begin` on have in each of them, as doubles. All have the same where the only axis has steps of 0.
<%def name="elements(types)">\
% for name in types:
% if width > 1:
<% own_sizes, own_steps = (capture(along, types, name, what) for what in ("sizes", "steps")) %>\
    double${w} ${name} = (double)${name}s[0];
    const bool is_one_${name} = ${name}_axes == 1 && ${own_steps}[0] == 0;
<%include file="given.cl.mako" args="name=name, kind='double', array=name + 's', axis=name, sizes=own_sizes, steps_along=own_steps, unless='is_one_' + name"/>
% else:
    const double ${name} = (double)${name}s[${name}_axes ? place_of(first_${name} + begin, 0, ${name}_axes, ${along(types, name, "sizes")}, ${along(types, name, "steps")}) : first_${name} + begin];
% endif
% endfor
</%def>
