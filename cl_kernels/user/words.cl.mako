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

// N times a sum in proportion to `total` is above `wanted` where x is below a threshold: x total and a little, as
// clrng.distribution takes what is that near to an integer to be it, or nearly total for an x of 0.
CLRNG_INLINE void ${q}want(uint *wanted, const uint *total, const ulong x)
{
    uint slack[${words}];
% for i in range(words):
    slack[${i}] = total[${i}];
% endfor
% for i in range(many):
    wanted[${i}] = 0;
% endfor
    ${q}scale(slack, 1, 0, 1, ${slack_bits});
    ${q}add_product(wanted, total, x == 0 ? 1 : (uint)x, (uint)(x >> 32), 0, false);
    ${q}add_product(wanted, slack, 1, 0, 0, x == 0);
}
% if law not in ("poisson", "hypergeometric"):

// a becomes a b 2^-224.
CLRNG_CALLED void ${q}times(uint *a, const uint *b)
{
    uint product[${2 * words}];
    ulong carry;
% for i in range(2 * words):
    product[${i}] = 0;
% endfor
% for j in range(words):
    carry = 0;
% for i in range(words):
    carry += (ulong)a[${i}] * b[${j}] + product[${i + j}];
    product[${i + j}] = (uint)carry;
    carry >>= 32;
% endfor
    product[${words + j}] = (uint)carry;
% endfor
% for i in range(words):
    a[${i}] = product[${i + 7}];
% endfor
}

// a becomes whole 2^224 - a.
CLRNG_INLINE void ${q}less(uint *a, const uint whole)
{
    ulong carry = 1;
% for i in range(words):
    carry += (ulong)~a[${i}]${" + whole" if i == 7 else ""};
    a[${i}] = (uint)carry;
    carry >>= 32;
% endfor
}

// a becomes x 2^224, of an x below 2^31 that is not negative.
CLRNG_INLINE void ${q}fixed(uint *a, const float x)
{
    const uint bits = as_uint(x) & 0x7fffffffu, power = max(bits >> 23, 1u);
    ${q}start(a);
    ${q}scale(a, (bits & 0x7fffffu) | (bits >> 23 ? 0x800000u : 0u), power > 150 ? power - 150 : 0, 1, power > 150 ? 0 : 150 - power);
}
% endif
% if law in ("binomial", "negative_binomial"):

// a becomes 2^448 / a, for an a from 2^193 to 2^255, by Newton's method.
CLRNG_CALLED void ${q}invert(uint *a)
{
    const float x = (float)a[7] + (float)a[6] * 0x1p-32f + (float)a[5] * 0x1p-64f, y = 1.0f / fmax(x, 0x1p-31f);
    const float rest = (y - floor(y)) * 0x1p32f;
    uint found[${words}] = {${"0, " * 5}(uint)((rest - floor(rest)) * 0x1p32f), (uint)rest, (uint)y, 0}, off[${words}];
    for (int turn = 0; turn < 4; turn++) {
% for i in range(words):
        off[${i}] = a[${i}];
% endfor
        ${q}times(off, found);
        ${q}less(off, 2);
        ${q}times(found, off);
    }
% for i in range(words):
    a[${i}] = found[${i}];
% endfor
}
% endif
