<%
    digits = [f"x{j}" for j in range(steps)]
    raw = ", ".join(f"const {value}{w} {digit}" for digit in digits)
    number, m = f"ulong{w}", f"{divisor}UL"
    bits = (divisor if closed else divisor - 1).bit_length()
    power = divisor == 2**bits
    least = f" - {min_value}{'u' if value == 'uint' else 'UL'}" if min_value else ""
    unsigned = out if out.startswith("u") else f"u{out}"
%>
// An integer from low to low + last by Canon's method: low + floor(X * n / m^${steps}), where n = last + 1 and X is the number
// whose ${steps} digit(s) to the base m = ${raw_values} are the raw values counted from 0, the highest first.
//
// From the lowest digit x to the highest, t becomes floor((x * n + t) / m), and is 0 before. If t < n, then
// x * n + t <= (m - 1) * n + n - 1 < m * n, so t < n afterwards too. As floor((a + floor(b)) / m) is floor((a + b) / m) for
// every integer a, the last t is floor(X * n / m^${steps}). x * last + x stands for x * n, as n may be 2^${product_bits // 2}.
% if closed:
//
// Here it is floor(X * n / ${divisor}) in one step, with all digits as x, which may also be the divisor m: n is below 2^63,
// so that x * n is below m * 2^63.
% endif
% if product_bits == 128 or not power:

// The upper 64 bits of a product.
CLRNG_INLINE ${number} ${p}upper_word(const ${number} x, const ulong${each} y)
{
% if width == 1:
    return mul_hi(x, y);
% else:
    const ${number} x0 = x & 0xffffffffUL, x1 = x >> 32;
    const ulong${each} y0 = y & 0xffffffffUL, y1 = y >> 32;
    const ${number} middle = x1 * y0 + (x0 * y0 >> 32), other = x0 * y1 + (middle & 0xffffffffUL);
    return x1 * y1 + (middle >> 32) + (other >> 32);
% endif
}
% endif
% if product_bits == 128:

// 1 where a < b, else 0.
CLRNG_INLINE ${number} ${p}less(const ${number} a, const ${number} b)
{
% if width == 1:
    return a < b;
% else:
    return ((~a & b) | ((~a | b) & (a - b))) >> 63; // one simulator takes a comparison of vectors for 255
% endif
}
% endif
% if product_bits == 64:

// floor((x * n + t) / m) for n and m of at most 2^32, where m * n - 1 has at most 64 bits.
CLRNG_INLINE ${number} ${p}next_quotient(const ${number} x, const ulong${each} last, const ${number} t)
{
    const ${number} v = x * (last & 0xffffffffUL) + x + t;
% if power:
    return v >> ${bits};
% else:
    // r = floor((2^64 - 1) / m) is at least 2^64 / m - 1, so v * r / 2^64 is at most v / m and above v / m - 1, as v < 2^64:
    // q is the quotient or one less, and v - q * m is below 2m.
    const ${number} q = ${p}upper_word(v, ${(2**64 - 1) // divisor}UL);
    return v - q * ${m} < ${m} ? q : q + 1UL;
% endif
}
% else:
<%
    lift = 64 - bits
    shifted = f"{divisor << lift}UL"
    reciprocal = f"{(2**128 - 1) // (divisor << lift) - 2**64}UL"
%>
// floor((x * n + t) / m) as the quotient of u = (x * n + t) * 2^${lift} by d = m * 2^${lift}, of which two words u1 and u0 are made.
CLRNG_INLINE ${number} ${p}next_quotient(const ${number} x, const ulong${each} last, const ${number} t)
{
    const ${number} y = x${f" << {lift}" if lift else ""};
    const ${number} sum = y * last + y, u0 = sum + ${f"(t << {lift})" if lift else "t"};
    const ${number} u1 = ${p}upper_word(y, last)${f" + (t >> {bits})" if lift else ""} + ${p}less(sum, y) + ${p}less(u0, sum);
% if power:
    return u1;
% else:
    // Algorithm 4 of Möller and Granlund (Improved division by invariant integers, IEEE Transactions on Computers 60,
    // 2011), with the reciprocal floor((2^128 - 1) / d) - 2^64. It needs u1 < d, as it is: x * n + t < m * n <= m * 2^64.
    const ${number} q0 = u1 * ${reciprocal} + u0, q1 = ${p}upper_word(u1, ${reciprocal}) + u1 + ${p}less(q0, u0) + 1UL;
    const ${number} r1 = u0 - q1 * ${shifted}, over = ${p}less(q0, r1);
    return q1 + 1UL - over - ${p}less(r1 + (-over & ${shifted}), (${number})${shifted});
% endif
}
% endif

CLRNG_INLINE ${out}${w} ${p}convert(${raw}, const ulong${each} last, const ulong${each} low)
{
% if closed:
    ${number} x = convert_ulong${w}(x0${least});
% for digit in digits[1:]:
    x = x * ${raw_values}UL + convert_ulong${w}(${digit}${least});
% endfor
    const ${number} t = ${p}next_quotient(x, last, (${number})0UL);
% else:
    ${number} t = 0;
% for digit in reversed(digits):
    t = ${p}next_quotient(convert_ulong${w}(${digit}${least}), last, t);
% endfor
% endif
    return as_${out}${w}(convert_${unsigned}${w}(t + low));
}
