<%
    w = "" if width == 1 else str(width)
    lanes = "0u" if width == 1 else f"({', '.join(map(str, range(width)))})"
%>
% for name, type, text in operations:

// Takes `turns` times ${repeats} steps x = ${text} with each of ${interleaved} values a lane, in registers; only their
// sums are stored. A value begins as its number among the values of all lanes; y is the lane's next value, so that no
// compiler can combine several steps into one.
<% each = f"{type}{w}" %>
__kernel void ${name}(__global ${type} *restrict sums, const uint turns, const ${type} first, const ${type} second)
{
    const ${each} a = (${each})first, b = (${each})second;
    const uint lane = get_global_id(0) * ${width}u;
% for c in range(interleaved):
    ${each} x${c} = convert_${each}(((uint${w})lane + (uint${w})${lanes}) * ${interleaved}u + ${c}u);
% endfor
    for (uint turn = 0; turn < turns; turn++) {
% for _ in range(repeats):
% for c in range(interleaved):
        { const ${each} x = x${c}, y = x${(c + 1) % interleaved}; x${c} = ${text.replace("TYPE", each).replace("UINT", f"uint{w}")}; }
% endfor
% endfor
    }
    const ${each} sum = ${" + ".join(f"x{c}" for c in range(interleaved))};
    sums[get_global_id(0)] = ${"sum" if width == 1 else " + ".join(f"sum.s{i:x}" for i in range(width))};
}
% endfor
