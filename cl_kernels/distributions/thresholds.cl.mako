<%
    digits = [f"x{j}" for j in range(steps)]
    raw = ", ".join(f"const {value}{w} {digit}" for digit in digits)
    given = "".join(f", {declaration}" for declaration in parameters)
    passed = "".join(f", {declaration.name}" for declaration in parameters)
    u = "u" if value == "uint" else "UL"
    size = {"long": "ulong", "ulong": "ulong"}.get(out, out)
    in_lane = lambda lane: ", ".join(f"{digit}.s{lane:x}" for digit in digits)
    top_bits = max((numbers - 1).bit_length() - 32, 0)    # bits behind those of the top, where that is no raw value of its own
    function = "CLRNG_INLINE" if width == 1 else "CLRNG_CALLED"
    scalar = lambda names: ", ".join(f"const {value} {name}" for name in names)
%>
// A number of a discrete distribution: low + k with the smallest k for which X < thresholds[k], where the ${steps} raw value(s)
// are the digits of X, 0 <= X < N = ${numbers}. The last threshold is N, and nothing is compared with it.
//
// Both X and a threshold have a top of at most 32 bits: ${"the first raw value, and the quotient of the threshold by %d" % raw_values if steps == 2 else "what is left without the last %d bits" % top_bits}. Where
// the tops differ they say which is less. guide[g] is the least k for which the top of threshold k is g << shift or more.
// With g = top >> shift the least k whose threshold has a larger top is between guide[g] and guide[g + 1], and halving
// finds it. It is the k sought, unless the top of the threshold before it is that of X, which is rare: then whole numbers are
// compared. The halvings are nested instead of a loop, whose turns would add up over all values of a work-item.
CLRNG_CALLED uint ${p}whole_search(const ulong x, ${space} const ulong *thresholds, const uint last)
{
    uint least = 0, most = last, middle;
% for turn in range(22):
    if (least < most) {
        middle = (least + most) >> 1;
        if (x < thresholds[middle]) most = middle; else least = middle + 1;
% endfor
    ${"}" * 22}
    return least;
}

<%def name="functions(number, convert, near, first_parameters, first_arguments, hot)">
${function} long ${p}${number}(${scalar(digits)}${first_parameters}${given})
{
% if steps == 2:
    const uint top = x0 - ${min_value}${u};
% else:
    const uint top = convert_uint((x0 - ${min_value}${u}) >> ${top_bits});
% endif
    const uint g = top >> shift;
    uint least = ${near}guide[g], most = ${near}guide[g + 1], middle, before;
    bool equal = false;
% for turn in range(halvings):
    if (least < most) {
        middle = (least + most) >> 1;
        before = ${near}tops[middle];
        if (top < before) most = middle; else { least = middle + 1; equal = before == top; }
% endfor
    ${"}" * halvings}
% if hot:
    *is_cold |= equal;
% else:
    if (equal)
        least = ${p}whole_search(${f"top * {raw_values}UL + (x1 - {min_value}{u})" if steps == 2 else f"x0 - {min_value}{u}"}, thresholds, last);
% endif
    return low + (long)least;
}

CLRNG_INLINE ${out}${w} ${p}${convert}(${raw}${first_parameters}${given})
{
% if width == 1:
    return (${out})${p}${number}(${", ".join(digits)}${first_arguments}${passed});
% else:
    return as_${out}${w}(${joined(size, [f"({size}){p}{number}({in_lane(lane)}{passed})" for lane in range(width)])});
% endif
}
</%def>
% if copies:
// As convert, below; but it reads from local memory, and sets *is_cold where whole numbers have to be compared.
${functions("number_hot", "convert_hot", "near_", ", bool *is_cold", ", is_cold", True)}
% endif
${functions("number", "convert", "near_" if copies else "", "", "", False)}
