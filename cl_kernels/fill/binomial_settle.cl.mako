<%include file="sums_settle.cl.mako"/>
<%include file="beta_settle.cl.mako"/>
// Whether it is sure in double precision that the value is the binomial number of a probability, of so many trials and a number
// below N. Of a mean of ${few} or more of what is counted, it is `nearest` or the integer below.
CLRNG_CALLED bool ${q}settle(const double probability, const uint trials, const ulong number, const int nearest, int *value)
{
    const bool are_failures = probability > 0.5;
    const double p = are_failures ? 1.0 - probability : probability, share = (double)number * ${(1.0 / numbers)}, wanted = are_failures ? 1.0 - share : share;
    int k = 0;
    bool is_sure;
    if ((double)trials * p < ${few}.0) {
        const double odds = p / (1.0 - p);
        is_sure = ${q}settle_sum(-(double)trials * log1p(-p), (double)trials * odds, -odds, wanted, &k);
    } else {
        // F(nearest - 1) is I(b + 1, a + 1; 1 - p).
        const double a = (double)nearest - 1.0, b = (double)trials - (double)nearest;
        if (!(a >= ${exact_from}.0 && b >= ${exact_from}.0)) return false;
        const double reached = ${q}beta_above(p, a, b);
        k = wanted < reached ? nearest - 1 : nearest;
        is_sure = fabs(reached - wanted) > ${certain};
    }
    *value = are_failures ? (int)trials - k : k;
    return is_sure;
}
