<%
    digits = [f"x{j}" for j in range(steps)]
    raw = ", ".join(f"const {value}{w} {digit}" for digit in digits)
    given = "".join(f", {declaration}" for declaration in parameters)
    passed = "".join(f", {declaration.name}" for declaration in parameters[:index_parameters])
    single = out == "float"
    word = "uint" if single else "ulong"
    flag = lambda condition: f"({condition} ? 1UL : 0UL)" if width == 1 else f"(as_ulong{w}({condition}) & 1UL)"
    least = f"as_ulong{each}(least_number)" if each else "(ulong)least_number"
    narrowed = lambda x: f"convert_uint{w}({x})" if single else x
%>
% if in_bits:
// The number (least_number + i) * unit, or `bound` for the i `special`, where i is the integer that index_convert makes. The sum
// has at most as many bits as a ${out} has, and the unit is a power of two: nothing is rounded. A device may take subnormal
// numbers for 0, so integers make the bits: of k subnormal units those of k, and of others an exponent and the unit's.
% else:
// The number (least_number + i) * unit, or `bound` for the i `special`, where i is the integer that index_convert makes. The sum
// has at most as many bits as a ${out} has, and the unit is a power of two: nothing is rounded.
% endif
CLRNG_INLINE ${out}${w} ${p}convert(${raw}${given})
{
% if from_above:
    const ulong${w} i = last - ${p}index_convert(${", ".join(f"({value}){ends}UL - {digit}" for digit in digits)}${passed});
% else:
    const ulong${w} i = ${p}index_convert(${", ".join(digits)}${passed});
% endif
% if in_bits:
    const long${w} number = as_long${w}(i + ${least}), negative = number >> 63;
    const ulong${w} size = as_ulong${w}((number ^ negative) - negative);
    const ulong${w} is_small = as_ulong${w}(as_long${w}(size - limit) >> 63), is_bound = 0UL - ${flag("i == special")};
    const ${word}${w} small = ${narrowed("is_small")}, other = ${narrowed("is_bound")};
    const ${word}${w} sign = ${narrowed(f"as_ulong{w}(negative)")} & (${word})1 << ${31 if single else 63};
    const ${word}${w} normal = as_${word}${w}(convert_${out}${w}(size)) + exponent;
    const ${word}${w} y = (${narrowed("size << (ulong)shift")} & small) | (normal & ~small) | sign;
    return as_${out}${w}((y & ~other) | (bound & other));
% else:
    const ${out}${w} y = convert_${out}${w}(as_long${w}(i + ${least})) * unit;
% if width == 1:
    return i == special ? bound : y;
% elif not single:
    return as_double${w}((as_ulong${w}(y) & as_ulong${w}(i != special)) | (as_ulong${w}((double${w})bound) & as_ulong${w}(i == special)));
% else:
    const uint${w} is_bound = convert_uint${w}(as_ulong${w}(i == special));
    return as_float${w}((as_uint${w}(y) & ~is_bound) | (as_uint${w}((float${w})bound) & is_bound));
% endif
% endif
}
