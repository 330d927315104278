<%
    lanes = "0u" if width == 1 else f"(uint{width})({', '.join(map(str, range(width)))})"
    from_lane = lambda i: f".s{i:x}" if width > 1 else ""
%>
// `steps` steps of ${chains} independent states a work-item that never leave its registers; only the sum of the
// last states is written.
__kernel void registers(__global uint *restrict sums, const uint start, const uint steps)
{
    const uint item = get_global_id(0);
% for c in range(chains):
    ${v}state x${c} = ${v}load(start + (item * ${chains}u + ${c}u) * ${width}u + ${lanes});
% endfor
    for (uint i = 0; i < steps; i++) {
% for c in range(chains):
        x${c} = ${v}next(x${c});
% endfor
    }
    const uint${w} sum = ${" + ".join(f"{v}value(x{c})" for c in range(chains))};
    sums[item] = ${" + ".join(f"sum{from_lane(i)}" for i in range(width))};
}
