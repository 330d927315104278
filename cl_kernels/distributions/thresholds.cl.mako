<%
    digits = [f"x{j}" for j in range(steps)]
    raw = ", ".join(f"const {value}{w} {digit}" for digit in digits)
    tables = parameters[1:] if copies else parameters
    declared = lambda declarations: "".join(f", {declaration}" for declaration in declarations)
    names = lambda declarations: "".join(f", {declaration.name}" for declaration in declarations)
    given, passed = declared(tables), names(tables)
    u = "u" if value == "uint" else "UL"
    size = {"long": "ulong", "ulong": "ulong"}.get(out, out)
    in_lane = lambda lane: ", ".join(f"{digit}.s{lane:x}" for digit in digits)
    top_bits = max((numbers - 1).bit_length() - 32, 0)    # bits behind those of the top, where that is no raw value of its own
    function = "CLRNG_CALLED" if width > 1 or copies else "CLRNG_INLINE"    # rarely called beside copies
    scalar = lambda digits: ", ".join(f"const {value} {digit}" for digit in digits)
    top_of = f"x0 - {min_value}{u}" if steps == 2 else f"convert_uint((x0 - {min_value}{u}) >> {top_bits})"
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

${function} long ${p}number(${scalar(digits)}${given})
{
    const uint top = ${top_of}, g = top >> shift;
    uint least = guide[g], most = guide[g + 1], middle, before;
    bool equal = false;
% for turn in range(halvings):
    if (least < most) {
        middle = (least + most) >> 1;
        before = tops[middle];
        if (top < before) most = middle; else { least = middle + 1; equal = before == top; }
% endfor
    ${"}" * halvings}
    if (equal)
        least = ${p}whole_search(${f"top * {raw_values}UL + (x1 - {min_value}{u})" if steps == 2 else f"x0 - {min_value}{u}"}, thresholds, last);
    return low + (long)least;
}
% if copies:

// As convert, below; but it sets *is_cold where it does not find the value, as the top of a threshold is that of X, or there
// are several thresholds between guide[g] and guide[g + 1]. Entry g of `near_places` has the least k in its last ${place_bits} bits,
// ${1 << place_bits - 1} where there are several thresholds, and before them what the top of threshold k has behind g. Without a
// threshold there it has k - 1, and 0 before it.
CLRNG_INLINE ${out} ${p}convert_hot(${raw}, bool *is_cold${declared(parameters)})
{
    const uint top = ${top_of}, place = near_places[top >> shift], behind = top << (32u - shift), reached = place & ${hex(2**32 - 2**place_bits)}u;
    const uint k = (place + (behind >= reached ? 1u : 0u)) & ${hex(2**place_bits - 1)}u;
    *is_cold |= (behind == reached) | (k >= ${1 << place_bits - 1}u);
    return (${out})(low + (long)k);
}

CLRNG_INLINE ${out} ${p}convert(${raw}${declared(parameters)})
{
    bool is_cold = false;
    const ${out} y = ${p}convert_hot(${", ".join(digits)}, &is_cold${names(parameters)});
    return is_cold ? (${out})${p}number(${", ".join(digits)}${passed}) : y;
}
% else:

CLRNG_INLINE ${out}${w} ${p}convert(${raw}${given})
{
% if width == 1:
    return (${out})${p}number(${", ".join(digits)}${passed});
% else:
    return as_${out}${w}(${joined(size, [f"({size}){p}number({in_lane(lane)}{passed})" for lane in range(width)])});
% endif
}
% endif
