// Whether it is sure in double precision that the value is the smallest k of which the masses up to that of k are more than `wanted`
// together. The first mass is e^-lost; the masses of 1, 2, ... follow by products with (first + (i - 1) more) / i.
CLRNG_CALLED bool ${q}settle_sum(const double lost, const double first, const double more, const double wanted, int *value)
{
    double mass = exp(-lost), reached = mass, before = -1.0;
    int k = 0;
    while (reached <= wanted && k < ${most}) {
        k++;
        mass *= fmax(fma(more, (double)(k - 1), first), 0.0) / (double)k;
        before = reached;
        reached += mass;
    }
    const double off = ${certain} + ${per_term} * (lost + (double)k);
    *value = k;
    return lost < ${most_lost}.0 && reached - wanted > off && wanted - before > off;
}
