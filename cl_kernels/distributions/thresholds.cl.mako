<%
    digits = [f"x{j}" for j in range(steps)]
    raw = ", ".join(f"const {value}{w} {digit}" for digit in digits)
    u = "u" if value == "uint" else "UL"
    table = "__global const ulong *thresholds, __global const uint *guide, const uint shift, const long low"
    size = {"long": "ulong", "ulong": "ulong"}.get(out, out)
    lane_values = lambda lane: ", ".join(f"{digit}.s{lane:x}" for digit in digits)
    lane_result = lambda lane: f"({size}){p}number({lane_values(lane)}, thresholds, guide, shift, low)"
%>
// A number of a discrete distribution: low + k with the least k for which X < thresholds[k], where X counts the
// ${steps} raw value(s) from 0, 0 <= X < N = ${numbers}.
//
// guide[g] is the least k for which thresholds[k] > g << shift. With g = X >> shift the k sought is therefore at least
// guide[g], and at most guide[g + 1], as X < (g + 1) << shift. Halving what is between them finds it; the last
// threshold is N and never looked at. The halvings are nested instead of a loop, whose turns would add up over all
// values of a work-item.
CLRNG_CALLED long ${p}number(${", ".join(f"const {value} {digit}" for digit in digits)},
    ${table})
{
% for digit in digits:
    const ulong ${digit.replace("x", "d")} = ${f"{digit} - {min_value}{u}" if min_value else digit};
% endfor
    const ulong number = ${"d0" if steps == 1 else f"d0 * {raw_values}UL + d1"};
    const uint g = convert_uint(number >> shift);
    uint least = guide[g], most = guide[g + 1], middle;
% for turn in range(halvings):
    if (least < most) {
        middle = (least + most) >> 1;
        if (number < thresholds[middle]) most = middle; else least = middle + 1;
% endfor
    ${"}" * halvings}
    return low + (long)least;
}

CLRNG_INLINE ${out}${w} ${p}convert(${raw},
    ${table})
{
% if width == 1:
    return (${out})${p}number(${", ".join(digits)}, thresholds, guide, shift, low);
% else:
    return as_${out}${w}(${joined(size, [lane_result(lane) for lane in range(width)])});
% endif
}
