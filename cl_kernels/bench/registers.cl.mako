<%
    lanes = "0u" if width == 1 else f"({word}{width})({', '.join(map(str, range(width)))})"
    from_lane = lambda i: f".s{i:x}" if width > 1 else ""
%>
// Moves ${interleaved} independent state(s) a work-item on by `steps` steps, in registers; only the sum of the last
// values is written. With the lanes of all work-items numbered from 0, all words of the state of lane i are ${first} +
// 4*i modulo m.
__kernel void registers(__global uint *restrict sums, const uint steps)
{
    const uint item = get_global_id(0);
% for c in range(interleaved):
    const ${word}${w} word${c} = (((item * ${interleaved}u + ${c}u) * ${width}u + ${lanes}) * 4 + ${first})${f' % {modulus}' if modulus < 2**25 else ''};
    ${v}state x${c} = ${v}load(${", ".join([f"word{c}"] * order)});
% endfor
    for (uint i = 0; i < steps; i++) {
% for c in range(interleaved):
        x${c} = ${v}next(x${c});
% endfor
    }
    const ${out}${w} sum = ${" + ".join(f"{v}value(x{c})" for c in range(interleaved))};
    sums[item] = ${" + ".join(f"(uint)sum{from_lane(i)}" for i in range(width))};
}
