<%
    digits = [f"x{d}" for d in range(steps)]
    raw = ", ".join(f"const {value}{w} {digit}" for digit in digits)
    ends = parameters[-2:] if bounded else []
    declared = lambda declarations: "".join(f", {declaration}" for declaration in declarations)
    names = lambda declarations: "".join(f", {declaration.name}" for declaration in declarations)
    passed = parameters[:-2] if bounded else parameters
    in_order = lambda x: f"{x} ^ ({x} >> 31 & 0x7fffffff)"    # as integers, they have the order of the floats
%>
// The bits of y rounded to the nearest ${rounded_to}, of two as near to the even one.
% if bounded:
// Before that it is brought to the range from `lower_end` to `upper_end`, which are the bits of floats${", in their order" if signed else ""}.
% endif
CLRNG_INLINE ushort${w} ${p}rounded(const float${w} y${declared(ends)})
{
% if not bounded:
    const uint${w} bits = as_uint${w}(y);
% elif signed:
    const int${w} number = as_int${w}(y);
    const int${w} within = clamp(${in_order("number")}, (int${w})lower_end, (int${w})upper_end);
    const uint${w} bits = as_uint${w}(${in_order("within")});
% else:
    const uint${w} bits = as_uint${w}(clamp(as_int${w}(y), (int${w})lower_end, (int${w})upper_end));
% endif
% if rounded_to == "bfloat16":
    const uint${w} nearest = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
% if not bounded:
    const uint${w} nan = bits >> 16 | 0x40u;
% endif
% else:
    // Let p be the power of two at or below a size, at least 2^-14. The sum of the size and 2^13 p is rounded to n 2^-10 p
    // with an integer n, by which the ${rounded_to} is found.
% if bounded:
    const uint${w} size = ${"bits & 0x7fffffffu" if signed else "bits"};
% else:
    const uint${w} size = min(bits & 0x7fffffffu, (uint${w})0x47800000u), nan = 0x7e00u;    // 2^16 becomes infinite
% endif
    const uint${w} p = max(size, (uint${w})0x38800000u) & 0x7f800000u, times_2_13 = p + 0x06800000u;
    const uint${w} n = as_uint${w}(as_float${w}(size) + as_float${w}(times_2_13)) - times_2_13;
    const uint${w} nearest = (n + (p >> 13) - 0x1c400u)${" | (bits >> 16 & 0x8000u)" if signed else ""};
% endif
% if bounded:
    return convert_ushort${w}(nearest);
% else:
    return convert_ushort${w}(select(nearest, nan, ${"" if w else "(int)"}((bits & 0x7fffffffu) > 0x7f800000u)));
% endif
}

<%def name="function(name, more)">\
CLRNG_INLINE ushort${w} ${p}${name}(${raw}${more}${declared(parameters)})
{
    return ${p}rounded(${p}index_${name}(${", ".join(digits)}${", is_cold" if more else ""}${names(passed)})${names(ends)});
}
</%def>\
% if copies:
${function("convert_hot", ", bool *is_cold")}
% endif
${function("convert", "")}
