<%include file="sums_settle.cl.mako"/>
<%include file="beta_settle.cl.mako"/>
// Whether it is sure in double precision that the value is the negative binomial number of a probability, of so many successes and a number
// below N. Where single precision has a place, and there are enough successes and failures, it is `nearest` or the integer below.
CLRNG_CALLED bool ${q}settle(const double p, const double successes, const ulong number, const int nearest, int *value)
{
    const double q = 1.0 - p, wanted = (double)number * ${(1.0 / numbers)}, a = successes - 1.0, b = (double)nearest - 1.0;
    if (!(a >= ${exact_from}.0 && b >= ${exact_from}.0)) return ${q}settle_sum(-successes * log(p), successes * q, q, wanted, value);
    // F(nearest - 1) is I(a + 1, b + 1; p).
    const double reached = p > 0.5 ? ${q}beta_above(q, b, a) : 1.0 - ${q}beta_above(p, a, b);
    *value = wanted < reached ? nearest - 1 : nearest;
    return fabs(reached - wanted) > ${certain};
}
