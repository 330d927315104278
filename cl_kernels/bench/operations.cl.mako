<%
    w = "" if width == 1 else str(width)
    lanes = "0u" if width == 1 else f"({', '.join(map(str, range(width)))})"
%>
% for name, type, text in operations:

// `turns` times ${repeats} steps of ${chains} values a lane that never leave registers, each x = ${text}; only their sums are stored.
// Value c of a lane begins with its number among all values; y is the next one's, so that no compiler can put steps together.
<% each = f"{type}{w}" %>
__kernel void ${name}(__global ${type} *restrict sums, const uint turns, const ${type} first, const ${type} second)
{
    const ${each} a = (${each})first, b = (${each})second;
    const uint lane = get_global_id(0) * ${width}u;
% for c in range(chains):
    ${each} x${c} = convert_${each}(((uint${w})lane + (uint${w})${lanes}) * ${chains}u + ${c}u);
% endfor
    for (uint turn = 0; turn < turns; turn++) {
% for _ in range(repeats):
% for c in range(chains):
        { const ${each} x = x${c}, y = x${(c + 1) % chains}; x${c} = ${text.replace("TYPE", each).replace("UINT", f"uint{w}")}; }
% endfor
% endfor
    }
    const ${each} sum = ${" + ".join(f"x{c}" for c in range(chains))};
    sums[get_global_id(0)] = ${"sum" if width == 1 else " + ".join(f"sum.s{i:x}" for i in range(width))};
}
% endfor
