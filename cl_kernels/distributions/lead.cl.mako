<%
    names = [f"x{j}" for j in range(steps)]
    raw = ", ".join(f"const {value}{w} {name}" for name in names)
    least = f" - {min_value}{'u' if value == 'uint' else 'UL'}" if min_value else ""
%>
// The first ${digits} of ${steps} raw value(s), counted from 0, as the digits of a number y to the base m = ${raw_values}, times
// 2^${shift}: a number of 64 bits that grows with the key.
% if spread:
//
// Let u be m^${digits} * 2^${shift}. y + floor(y / 2^32) * c, where c is floor((2^64 - u) * 2^32 / u), grows with y and is at most
// y + y * (2^64 - u) / u = y * 2^64 / u < 2^64.
% endif
CLRNG_INLINE ulong${w} ${p}convert(${raw})
{
    ulong${w} y = convert_ulong${w}(x0${least});
% for name in names[1:digits]:
    y = y * ${raw_values}UL + convert_ulong${w}(${name}${least});
% endfor
% if shift:
    y <<= ${shift};
% endif
% if spread:
    y += (y >> 32) * ${spread}UL;
% endif
    return y;
}
