<%
    digits = [f"x{j}" for j in range(steps)]
    raw = ", ".join(f"const {value}{w} {digit}" for digit in digits)
    bits, f = (24, "f") if out == "float" else (53, "")
    all_bits = steps * digit_bits
    wide = f"ulong{w}"
%>
% if function == "random_sample" and steps == 2:
// NumPy's random_sample: the upper 27 bits of a raw value and the upper 26 of the next.
CLRNG_INLINE double${w} ${p}convert(${raw})
{
    return (convert_double${w}(x0 >> 5) * 0x1p26 + convert_double${w}(x1 >> 6)) * 0x1p-53;
}
% elif function == "random_sample":
// NumPy's random_sample: the upper ${bits} bits of a raw value.
CLRNG_INLINE ${out}${w} ${p}convert(${raw})
{
    return convert_${out}${w}(x0 >> ${digit_bits - bits}) * 0x1p-${bits}${f};
}
% else:
// generate_canonical of C++: the number whose digits the raw values are, the lowest first, rounded to ${bits} bits and
// divided by 2^${all_bits}; 1 is replaced by the number below it. The sum of two digits is exact in 64 bits, and C++ rounds
// it once too, as both digits are exact before.
CLRNG_INLINE ${out}${w} ${p}convert(${raw})
{
% if steps == 2:
    const ${wide} number = convert_ulong${w}(x0) | convert_ulong${w}(x1) << 32;
% else:
    const ${value}${w} number = x0;
% endif
    return min(convert_${out}${w}(number) * 0x1p-${all_bits}${f}, (${out}${w})(${float.hex(1 - 2**-bits)}${f}));
}
% endif
