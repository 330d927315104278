<%include file="../fill/poisson_value.cl.mako"/>
<%
    words = 9  # of a mass, in units of 2^-224 of the largest one
    many = words + 3
%>
// m becomes floor(m a 2^left / (b 2^right)); the lowest word is the first. b is below 2^32, left below 32.
CLRNG_INLINE void ${q}scale(uint *m, const uint a, const uint left, const uint b, const uint right)
{
    ulong carry = 0, rest = 0;
    for (uint i = 0; i < ${words}; i++) {
        carry += (ulong)m[i] * a;
        m[i] = (uint)carry;
        carry >>= 32;
    }
    for (uint i = ${words - 1}; i > 0; i--) m[i] = (uint)(((((ulong)m[i] << 32) | m[i - 1]) << left) >> 32);
    m[0] <<= left;
    for (uint i = 0; i < ${words}; i++) {
        const uint from = i + (right >> 5);
        const ulong lower = from < ${words} ? m[from] : 0, upper = from < ${words - 1} ? m[from + 1] : 0;
        m[i] = (uint)(((upper << 32) | lower) >> (right & 31));
    }
    for (uint i = ${words}; i > 0; i--) {
        rest = (rest << 32) | m[i - 1];
        m[i - 1] = (uint)(rest / b);
        rest %= b;
    }
}

// Whether a mass is below 2^40 units.
CLRNG_INLINE bool ${q}is_negligible(const uint *m)
{
    uint others = m[1] >> 8;
    for (uint i = 2; i < ${words}; i++) others |= m[i];
    return others == 0;
}

CLRNG_INLINE void ${q}start(uint *m)
{
    for (uint i = 0; i < ${words}; i++) m[i] = i == 7;
}

CLRNG_INLINE void ${q}add(uint *sum, const uint *m)
{
    ulong carry = 0;
    for (uint i = 0; i < ${words}; i++) {
        carry += (ulong)sum[i] + m[i];
        sum[i] = (uint)carry;
        carry >>= 32;
    }
}

// r becomes r + m n or, with `minus`, r - m n, where the words of n are given.
CLRNG_INLINE void ${q}add_product(uint *r, const uint *m, const uint n0, const uint n1, const uint n2, const bool minus)
{
    const uint n[3] = {n0, n1, n2};
    uint product[${many}];
    ulong carry = 0;
    for (uint i = 0; i < ${many}; i++) product[i] = 0;
    for (uint j = 0; j < 3; j++) {
        carry = 0;
        for (uint i = 0; i < ${words}; i++) {
            carry += (ulong)m[i] * n[j] + product[i + j];
            product[i + j] = (uint)carry;
            carry >>= 32;
        }
        product[${words} + j] = (uint)carry;
    }
    carry = minus;
    for (uint i = 0; i < ${many}; i++) {
        carry += (ulong)r[i] + (minus ? ~product[i] : product[i]);
        r[i] = (uint)carry;
        carry >>= 32;
    }
}

CLRNG_INLINE bool ${q}is_above(const uint *a, const uint *b)
{
    for (uint i = ${many}; i > 0; i--)
        if (a[i - 1] != b[i - 1]) return a[i - 1] > b[i - 1];
    return false;
}

// The smallest k for which x < F(k) N and F(k) N is at least 1, of the mean m 2^-s: masses from the largest one on to both
// sides, in integers, as clrng.distribution makes its thresholds.
CLRNG_CALLED int ${q}exact(const uint m, const uint s, const ulong x)
{
    const int mode = s < 32 ? (int)(m >> s) : 0;
    uint mass[${words}], total[${words}], below[${words}], reached[${many}], wanted[${many}];
    for (uint i = 0; i < ${words}; i++) below[i] = 0;
    for (uint i = 0; i < ${many}; i++) reached[i] = wanted[i] = 0;
    ${q}start(mass);
    ${q}start(total);
    for (int k = mode; m != 0; k++) {
        ${q}scale(mass, m, 0, (uint)k + 1, s);
        if (${q}is_negligible(mass)) break;
        ${q}add(total, mass);
    }
    ${q}start(mass);
    for (int k = mode; k > 0; k--) {
        ${q}scale(mass, (uint)k, s, m, 0);
        if (${q}is_negligible(mass)) break;
        ${q}add(below, mass);
    }
    ${q}add(total, below);
    ${q}add_product(wanted, total, x == 0 ? 1 : (uint)x, (uint)(x >> 32), 0, false);
    for (uint i = 0, borrow = x == 0; borrow; i++) borrow = wanted[i]-- == 0;
    ${q}add_product(reached, below, ${", ".join(numbers)}, false);
    ${q}start(mass);
    if (${q}is_above(reached, wanted)) {
        for (int k = mode; ; k--) {
            ${q}scale(mass, (uint)k, s, m, 0);
            ${q}add_product(reached, mass, ${", ".join(numbers)}, true);
            if (k == 1 || !${q}is_above(reached, wanted)) return k - 1;
        }
    }
    for (int k = mode; ; k++) {
        ${q}add_product(reached, mass, ${", ".join(numbers)}, false);
        if (${q}is_above(reached, wanted) || ${q}is_negligible(mass)) return k;
        ${q}scale(mass, m, 0, (uint)k + 1, s);
    }
}

// A Poisson number of mean lam; -1 where that is not from 0 to ${most}.
CLRNG_INLINE ${out} ${q}of(__global const uint *restrict tables, const float lam, ${raw})
{
    if (!(lam >= 0 && lam <= ${most})) return (${out})-1;
    const ulong number = ${number};
    const uint bits = as_uint(lam) & 0x7fffffffu;
    int k;
    if (!${q}value(bits, (uint)mul_hi(number, ${scale}UL), ${", ".join(tables)}, &k)) {
        const uint power = bits >> 23;
        k = ${q}exact((bits & 0x7fffffu) | (power ? 0x800000u : 0u), 150u - (power ? power : 1u), number);
    }
    return (${out})k;
}
