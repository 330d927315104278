<%page args="name, axis"/>
## Stores the values of the elements from `begin` on, behind numbers.cl.mako.
% if width > 1:
    if (is_whole && out_axes == 0) {
        vstore${width}(convert_${out}${w}(${name}), 0, out + offset + first + begin);
    } else {
% for i in range(width):
        if (begin + ${i} < n) out[offset + place_of(first + begin + ${i}, ${axis}_axes, out_axes, sizes, steps)] = (${out})${name}.s${"%x" % i};
% endfor
    }
% else:
    out[offset + (out_axes ? place_of(first + begin, ${axis}_axes, out_axes, sizes, steps) : first + begin)] = (${out})${name};
% endif
