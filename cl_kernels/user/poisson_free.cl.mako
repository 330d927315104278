<%include file="../fill/poisson_near.cl.mako"/>
% if fp64:
<%include file="../fill/poisson_settle.cl.mako"/>
% endif
<%include file="poisson_exact.cl.mako"/>

// The Poisson number of a mean and of the number x, by sums of integers.
CLRNG_INLINE int ${q}by_sums(const float lam, const ulong x)
{
    const uint bits = as_uint(lam) & 0x7fffffffu, power = bits >> 23;
    return ${q}exact((bits & 0x7fffffu) | (power ? 0x800000u : 0u), 150u - (power ? power : 1u), x);
}

// A Poisson number of mean lam, without tables; -1 where lam is not from 0 to below ${end}.
CLRNG_INLINE ${out} ${q}free(const float lam, ${raw})
{
    const bool is_legal = lam >= 0 && lam < ${end}f;
    const ulong number = ${number};
    const float mean = is_legal ? fabs(lam) : 0.0f;
    const int whole = (int)mean;
    int sure, nearest, k = ${q}near(mean, whole, mean - (float)whole, number, &sure, &nearest);
% if fp64:
    if (!sure) sure = ${q}settle((double)mean, number, nearest, &k);
% endif
    if (!sure) k = ${q}by_sums(mean, number);
    return is_legal ? (${out})k : (${out})-1;
}
