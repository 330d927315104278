<%
    lanes = "0u" if width == 1 else f"({word}{width})({', '.join(map(str, range(width)))})"
    from_lane = lambda i: f".s{i:x}" if width > 1 else ""
%>
// `steps` steps of ${chains} independent states a work-item that never leave its registers; only the sum of the
// last values is written. All words of the state of lane i of all lanes are ${first} + 4*i modulo m.
__kernel void registers(__global uint *restrict sums, const uint steps)
{
    const uint item = get_global_id(0);
% for c in range(chains):
    const ${word}${w} word${c} = (((item * ${chains}u + ${c}u) * ${width}u + ${lanes}) * 4 + ${first})${f' % {modulus}' if modulus < 2**25 else ''};
    ${v}state x${c} = ${v}load(${", ".join([f"word{c}"] * order)});
% endfor
    for (uint i = 0; i < steps; i++) {
% for c in range(chains):
        x${c} = ${v}next(x${c});
% endfor
    }
    const ${out}${w} sum = ${" + ".join(f"{v}value(x{c})" for c in range(chains))};
    sums[item] = ${" + ".join(f"(uint)sum{from_lane(i)}" for i in range(width))};
}
