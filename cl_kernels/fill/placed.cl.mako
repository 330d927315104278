<%page args="name, axis"/>
## Stores the values of the elements from `begin` on, behind numbers.cl.mako.
% if width > 1:
    if (is_whole && out_axes == 0) {
        vstore${width}(convert_${out}${w}(${name}), 0, out + offset + first + begin);
    } else {
        ${out} lanes[${width}];
        vstore${width}(convert_${out}${w}(${name}), 0, lanes);
        for (uint i = 0; i < min(${width}u, (uint)(n - begin)); i++)
            out[offset + place_of(first + begin + i, ${axis}_axes, out_axes, sizes, steps)] = lanes[i];
    }
% else:
    out[offset + (out_axes ? place_of(first + begin, ${axis}_axes, out_axes, sizes, steps) : first + begin)] = (${out})${name};
% endif
