<%page args="name, kind, array, axis, sizes, steps_along, unless=''"/>
## What the elements from `begin` on have in an array, behind numbers.cl.mako. It is left as it is where `unless` says so.
<% only = f"if (!{unless}) " if unless else "" %>\
% if width > 1:
    if (${f"!{unless} && " if unless else ""}is_whole && ${axis}_axes == 0) {
        ${name} = convert_${kind}${w}(vload${width}(0, ${array} + first_${axis} + begin));
    } else ${only}{
        ${kind} lanes[${width}];
        for (uint i = 0; i < ${width}; i++)
            lanes[i] = (${kind})${array}[place_of(first_${axis} + min(begin + i, n - 1), 0, ${axis}_axes, ${sizes}, ${steps_along})];
        ${name} = vload${width}(0, lanes);
    }
% else:
    ${only}${name} = (${kind})${array}[${axis}_axes ? place_of(first_${axis} + begin, 0, ${axis}_axes, ${sizes}, ${steps_along}) : first_${axis} + begin];
% endif
