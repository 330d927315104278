<%
    digits = [f"x{j}" for j in range(steps)]
    raw = ", ".join(f"const {value}{w} {digit}" for digit in digits)
    least = f" - {min_value}u" if min_value else ""
    narrow = width == 1 and raw_values <= 2**31    # all remainders fit 32 bits
    number, u = ("uint", "u") if narrow else (f"ulong{w}", "UL")
    wide = lambda x: x if narrow else f"convert_ulong{w}({x})"
    n = "(convert_uint(last) + 1u)" if narrow else "(last + 1UL)"
    flag = lambda condition: f"({condition} ? 1{u} : 0{u})" if width == 1 else f"(as_ulong{w}({condition}) & 1UL)"
    unsigned = out if out.startswith("u") else f"u{out}"
%>
// An integer from low to low + last by Canon's method: low + floor(X * n / m^${steps}), where n = last + 1 <= m and X is the
// number whose ${steps} digit(s) to the base m = ${raw_values} are the raw values counted from 0, the highest first.
//
// `quotient` is floor(n 2^32 / m). For x < m <= 2^32, x * quotient / 2^32 is at most x n / m and above x n / m - 1, so q
// below is floor(x n / m) or one less, and x n - q m is below 2m: if it is m or more, q is the lesser one.
CLRNG_INLINE ${number} ${p}divided(const ${number} x, const ulong last, const ulong quotient, ${number} *remainder)
{
% if narrow:
    const uint q = mul_hi(x, convert_uint(quotient)), r = x * ${n} - q * ${raw_values}u;
% else:
    const ${number} q = x * quotient >> 32, r = x * ${n} - q * ${raw_values}UL;
% endif
    const ${number} more = ${flag(f"r >= {raw_values}{u}")};
    *remainder = r - more * ${raw_values}${u};
    return q + more;
}

% if first_decides and width == 1:
// As convert, below; but it looks at the first digit x alone, and sets *is_cold where that may be too little. Let m be 2^32 - c.
// With h and l as the upper and the lower half of x n, x n is h m + h c + l. The other digits add less than n to that: the
// quotient by m is h where l + (n - 1)(c + 1) < m, as h is below n.
CLRNG_INLINE ${out} ${p}convert_hot(${raw}, bool *is_cold, const ulong last, const ulong low, const ulong quotient)
{
    const uint x = ${digits[0]}${least}, n = convert_uint(last) + 1u, l = x * n;
    const uint limit = last < ${raw_values // (2**32 - raw_values + 1)}UL ? ${raw_values}u - convert_uint(last) * ${2**32 - raw_values + 1}u : 0u;
    *is_cold |= l >= limit;
    return as_${out}(convert_${unsigned}(mul_hi(x, n) + low));
}

% endif
CLRNG_INLINE ${out}${w} ${p}convert(${raw}, const ulong last, const ulong low, const ulong quotient)
{
    ${number} r;
    ${number} q = ${p}divided(${wide(f"x0{least}")}, last, quotient, &r);
% if steps > 1:
    // From the lowest digit up, t is what the digits so far add to x n, where x is the digit before them: less than n. The
    // quotient of x n + t is one more than that of x n where the remainder r makes r + t at least m.
% if width == 1:
    if (r + ${"convert_uint(last)" if narrow else "last"} >= ${raw_values}${u})
% endif
    {
        ${number} below, t = ${p}divided(${wide(f"{digits[-1]}{least}")}, last, quotient, &below);
% for digit in digits[-2:0:-1]:
        const ${number} q_${digit} = ${p}divided(${wide(f"{digit}{least}")}, last, quotient, &below);
        t = q_${digit} + ${flag(f"below + t >= {raw_values}{u}")};
% endfor
        q += ${flag(f"r + t >= {raw_values}{u}")};
    }
% endif
    return as_${out}${w}(convert_${unsigned}${w}(${"convert_ulong(q)" if narrow else "q"} + low));
}
