<%
    digits = [f"x{j}" for j in range(steps)]
    raw = ", ".join(f"const {value}{w} {digit}" for digit in digits)
    given = "".join(f", {declaration}" for declaration in parameters)
    passed = "".join(f", {declaration.split()[-1]}" for declaration in parameters[:index_parameters])
%>
// The number (least_number + i) * unit, or `bound` for the i `special`, where i is the integer that index_convert makes. The sum
// has at most as many bits as a ${out} has, and the unit is a power of two: nothing is rounded.
CLRNG_INLINE ${out}${w} ${p}convert(${raw}${given})
{
    const ulong${w} i = ${p}index_convert(${", ".join(digits)}${passed});
    const ${out}${w} y = convert_${out}${w}(as_long${w}(i + (ulong)least_number)) * unit;
% if width == 1:
    return i == special ? bound : y;
% elif out == "double":
    return as_double${w}((as_ulong${w}(y) & as_ulong${w}(i != special)) | (as_ulong${w}((double${w})bound) & as_ulong${w}(i == special)));
% else:
    const uint${w} is_bound = convert_uint${w}(as_ulong${w}(i == special));
    return as_float${w}((as_uint${w}(y) & ~is_bound) | (as_uint${w}((float${w})bound) & is_bound));
% endif
}
