<%include file="words.cl.mako"/>
// Whether x is below the threshold of k, of which F(k) is 1 - (1 - p)^k: powers are products of squares.
CLRNG_CALLED bool ${q}is_below(const float p, const ulong k, const ulong x)
{
    uint one[${words}], part[${words}], power[${words}], reached[${many}], wanted[${many}];
    ${q}start(one);
    ${q}start(part);
    ${q}fixed(power, p);
    ${q}less(power, 1);
    for (ulong rest = k; rest; rest >>= 1) {
        if (rest & 1) ${q}times(part, power);
        ${q}times(power, power);
    }
    ${q}less(part, 1);
% for i in range(many):
    reached[${i}] = 0;
% endfor
    ${q}add_product(reached, part, ${", ".join(count_words)}, false);
    ${q}want(wanted, one, x);
    return ${q}is_above(reached, wanted);
}

// The smallest k for which x < F(k) N and F(k) N is at least 1; it is near to a `guess`, or is not.
CLRNG_CALLED long ${q}exact(const float p, const ulong guess, const ulong x)
{
    ulong k = guess > 2 ? guess - 2 : 0;
    if (k && ${q}is_below(p, k, x)) k = 0;
    for (int bit = ${q}is_below(p, k + 4, x) ? 1 : 62; bit >= 0; bit--)
        if (!${q}is_below(p, k + (1UL << bit), x)) k += 1UL << bit;
    return (long)k + 1;
}
