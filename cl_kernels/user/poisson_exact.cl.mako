<%
    words = 9  # of a mass, in units of 2^-224 of the largest one
    many = words + 3
%>
// The loops over words are written out, as some compilers do not, and llvmpipe ends all loops of a work-item after 65535 turns.
// m becomes floor(m a 2^left / (b 2^right)); the lowest word is the first. b is below 2^32, left below 32, right below 256.
CLRNG_INLINE void ${q}scale(uint *m, const uint a, const uint left, const uint b, const uint right)
{
    ulong carry = 0, rest = 0;
% for i in range(words):
    carry += (ulong)m[${i}] * a;
    m[${i}] = (uint)carry;
    carry >>= 32;
% endfor
% for i in range(words - 1, 0, -1):
    m[${i}] = (uint)(((((ulong)m[${i}] << 32) | m[${i - 1}]) << left) >> 32);
% endfor
    m[0] <<= left;
% for by in (4, 2, 1):
    if (right & ${32 * by}u) {
% for i in range(words):
        m[${i}] = ${f"m[{i + by}]" if i + by < words else 0};
% endfor
    }
% endfor
% for i in range(words):
    m[${i}] = (uint)(((${f"(ulong)m[{i + 1}] << 32 | " if i + 1 < words else ""}(ulong)m[${i}])) >> (right & 31));
% endfor
% for i in range(words - 1, -1, -1):
    rest = (rest << 32) | m[${i}];
    m[${i}] = (uint)(rest / b);
    rest %= b;
% endfor
}

// Whether a mass is below 2^40 units.
CLRNG_INLINE bool ${q}is_negligible(const uint *m)
{
    return (${" | ".join(["m[1] >> 8", *(f"m[{i}]" for i in range(2, words))])}) == 0;
}

CLRNG_INLINE void ${q}start(uint *m)
{
% for i in range(words):
    m[${i}] = ${int(i == 7)};
% endfor
}

CLRNG_INLINE void ${q}add(uint *sum, const uint *m)
{
    ulong carry = 0;
% for i in range(words):
    carry += (ulong)sum[${i}] + m[${i}];
    sum[${i}] = (uint)carry;
    carry >>= 32;
% endfor
}

// r becomes r + m n or, with `minus`, r - m n, where the words of n are given.
CLRNG_INLINE void ${q}add_product(uint *r, const uint *m, const uint n0, const uint n1, const uint n2, const bool minus)
{
    uint product[${many}];
    ulong carry = 0;
% for i in range(many):
    product[${i}] = 0;
% endfor
% for j in range(3):
    carry = 0;
% for i in range(words):
    carry += (ulong)m[${i}] * n${j} + product[${i + j}];
    product[${i + j}] = (uint)carry;
    carry >>= 32;
% endfor
    product[${words + j}] = (uint)carry;
% endfor
    carry = minus;
% for i in range(many):
    carry += (ulong)r[${i}] + (minus ? ~product[${i}] : product[${i}]);
    r[${i}] = (uint)carry;
    carry >>= 32;
% endfor
}

CLRNG_INLINE bool ${q}is_above(const uint *a, const uint *b)
{
    bool above = false;
% for i in range(many):
    above = a[${i}] == b[${i}] ? above : a[${i}] > b[${i}];
% endfor
    return above;
}

// The smallest k for which x < F(k) N and F(k) N is at least 1, of the mean m 2^-s: masses from the largest one on to both
// sides, in integers, as clrng.distribution makes its thresholds.
CLRNG_CALLED int ${q}exact(const uint m, const uint s, const ulong x)
{
    const int mode = s < 32 ? (int)(m >> s) : 0;
    uint mass[${words}], total[${words}], below[${words}], reached[${many}], wanted[${many}];
% for i in range(words):
    below[${i}] = 0;
% endfor
% for i in range(many):
    reached[${i}] = wanted[${i}] = 0;
% endfor
    ${q}start(mass);
    ${q}start(total);
    bool going = m != 0;
    for (uint k = (uint)mode + 1; going; k++) {
        ${q}scale(mass, m, 0, k, s);
        ${q}add(total, mass);
        going = !${q}is_negligible(mass);
    }
    ${q}start(mass);
    going = mode > 0;
    for (uint k = (uint)mode; going; k--) {
        ${q}scale(mass, k, s, m, 0);
        ${q}add(below, mass);
        going = k > 1 && !${q}is_negligible(mass);
    }
    ${q}add(total, below);
    ${q}add_product(wanted, total, x == 0 ? 1 : (uint)x, (uint)(x >> 32), 0, false);
    uint borrow = x == 0;
% for i in range(many):
    const uint before${i} = wanted[${i}];
    wanted[${i}] -= borrow;
    borrow = borrow && before${i} == 0;
% endfor
    ${q}add_product(reached, below, ${", ".join(count_words)}, false);
    ${q}start(mass);
    const bool down = ${q}is_above(reached, wanted);
    ${q}add_product(reached, mass, ${", ".join(f"down ? 0u : {word}" for word in count_words)}, false);
    uint found = (uint)mode;
    going = down || !${q}is_above(reached, wanted);
    while (going) {
        ${q}scale(mass, down ? found : m, down ? s : 0, down ? m : found + 1, down ? 0 : s);
        ${q}add_product(reached, mass, ${", ".join(count_words)}, down);
        found = down ? found - 1 : found + 1;
        const bool above = ${q}is_above(reached, wanted);
        going = down ? above && found > 0 : !above && !${q}is_negligible(mass);
    }
    return (int)found;
}
