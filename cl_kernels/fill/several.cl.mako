## What kernels are given of several arrays, which `types` has by name, each with axes of its own: those of the first are sizes and steps.
<%def name="along(types, name, what)">${what if name == next(iter(types)) else f"{name}_{what}"}</%def>
<%def name="arguments(types)">\
% for name, ctype in types.items():
${"" if loop.first else ", "}__global const ${ctype} *restrict ${name}s, const ulong first_${name}, const uint ${name}_axes, \
__global const ulong *restrict ${along(types, name, "sizes")}, __global const long *restrict ${along(types, name, "steps")}\
% endfor
</%def>
## What the element at `begin` has in each of them, as a double.
<%def name="elements(types)">\
% for name in types:
    const double ${name} = (double)${name}s[${name}_axes ? place_of(first_${name} + begin, 0, ${name}_axes, ${along(types, name, "sizes")}, ${along(types, name, "steps")}) : first_${name} + begin];
% endfor
</%def>
