<%
    digits = [f"x{j}" for j in range(steps)]
    raw = ", ".join(f"const {value}{w} {digit}" for digit in digits)
    number, m = f"ulong{w}", f"{raw_values}UL"
    bits = (raw_values - 1).bit_length()
    power = raw_values == 2**bits
    least = f" - {min_value}{'u' if value == 'uint' else 'UL'}" if min_value else ""
    one = f"({number})1 : ({number})0"
    unsigned = out if out.startswith("u") else f"u{out}"
%>
// An integer from low to low + last by Canon's method: low + floor(X * n / m^${steps}), where n = last + 1 and X is the number
// whose ${steps} digit(s) to the base m = ${raw_values} are the raw values counted from 0, the highest first.
//
// From the lowest digit x to the highest, t becomes floor((x * n + t) / m), and is 0 before. If t < n, then
// x * n + t <= (m - 1) * n + n - 1 < m * n, so t < n afterwards too. As floor((a + floor(b)) / m) is floor((a + b) / m) for
// every integer a, the last t is floor(X * n / m^${steps}). x * last + x stands for x * n, as n may be 2^${product_bits // 2}.
% if product_bits == 128 or not power:

// The upper 64 bits of a product.
CLRNG_INLINE ${number} ${p}product_high(const ${number} x, const ulong y)
{
% if width == 1:
    return mul_hi(x, y);
% else:
    const ${number} x0 = x & 0xffffffffUL, x1 = x >> 32;
    const ulong y0 = y & 0xffffffffUL, y1 = y >> 32;
    const ${number} middle = x1 * y0 + (x0 * y0 >> 32), other = x0 * y1 + (middle & 0xffffffffUL);
    return x1 * y1 + (middle >> 32) + (other >> 32);
% endif
}
% endif
% if product_bits == 64:

// floor((x * n + t) / m) for n and m of at most 2^32, where m * n - 1 has at most 64 bits.
CLRNG_INLINE ${number} ${p}next_quotient(const ${number} x, const ulong last, const ${number} t)
{
    const ${number} v = x * (last & 0xffffffffUL) + x + t;
% if power:
    return v >> ${bits};
% else:
    // r = floor(2^64 / m) is above 2^64 / m - 1, so v * r / 2^64 is at most v / m and above v / m - v / 2^64 > v / m - 1:
    // q is the quotient or one less, and v - q * m is below 2m.
    const ${number} q = ${p}product_high(v, ${2**64 // raw_values}UL);
    return v - q * ${m} < ${m} ? q : q + 1UL;
% endif
}
% else:

// floor((x * n + t) / m), where 128 bits are in two words.
CLRNG_INLINE ${number} ${p}next_quotient(const ${number} x, const ulong last, const ${number} t)
{
    const ${number} product = x * last, sum = product + x, lower = sum + t;
    const ${number} upper = ${p}product_high(x, last) + (sum < x ? ${one}) + (lower < t ? ${one});
% if bits == 64 and power:
    return upper;
% elif power:
    return upper << ${64 - bits} | lower >> ${bits};
% else:
<%
    lift = 64 - bits
    divisor = f"{raw_values << lift}UL"
    reciprocal = f"{(2**128 - 1) // (raw_values << lift) - 2**64}UL"
%>
    // Algorithm 4 of Möller and Granlund (Improved division by invariant integers, IEEE Transactions on Computers 60,
    // 2011) divides two words by d = m * 2^${lift}, which has 64 bits, by means of floor((2^128 - 1) / d) - 2^64. It needs
    // an upper word below d, which there is: x * n + t < m * n <= m * 2^64, and both sides are multiplied by 2^${lift}.
    const ${number} u1 = ${f"upper << {lift} | lower >> {64 - lift}" if lift else "upper"}, u0 = lower << ${lift};
    const ${number} q0 = u1 * ${reciprocal} + u0;
    const ${number} q1 = ${p}product_high(u1, ${reciprocal}) + u1 + (q0 < u0 ? ${one}) + 1UL;
    const ${number} r1 = u0 - q1 * ${divisor};
    const ${number} q = r1 > q0 ? q1 - 1UL : q1, r = r1 > q0 ? r1 + ${divisor} : r1;
    return r >= ${divisor} ? q + 1UL : q;
% endif
}
% endif

CLRNG_INLINE ${out}${w} ${p}convert(${raw}, const ulong last, const ulong low)
{
    ${number} t = 0;
% for digit in reversed(digits):
    t = ${p}next_quotient(convert_ulong${w}(${digit}${least}), last, t);
% endfor
    return as_${out}${w}(convert_${unsigned}${w}(t + low));
}
