<%
    horner = lambda x, numbers: repr(numbers[0]) if len(numbers) == 1 else f"fma({horner(x, numbers[1:])}, {x}, {numbers[0]!r})"
%>
// ln(1 + x) - x. With y = x / (2 + x) it is y (2 y^2 (1/3 + y^2/5 + y^4/7 + ...) - x).
CLRNG_CALLED double ${q}bent(const double x)
{
    const double y = x / (2.0 + x), square = y * y;
    if (fabs(x) > 0.25) return log1p(x) - x;
    return y * (2.0 * square * ${horner("square", [1.0 / (2 * i + 3) for i in range(9)])} - x);
}

// What ln(x!) is above Stirling's approximation.
CLRNG_CALLED double ${q}above_stirling(const double x)
{
    const double inverse = 1.0 / x, square = inverse * inverse;
    return inverse * ${horner("square", stirling[::-1])};
}

__constant double ${q}nodes[] = {${", ".join(map(repr, nodes))}};
__constant double ${q}weights[] = {${", ".join(map(repr, weights))}};

// Whether it is sure in double precision that the value is the binomial number of a probability, of so many trials and a number
// below N. Of a mean of ${few} or more of what is counted, it is `nearest` or the integer below.
CLRNG_CALLED bool ${q}settle(const double probability, const uint trials, const ulong number, const int nearest, int *value)
{
    const bool are_failures = probability > 0.5;
    const double p = are_failures ? 1.0 - probability : probability, share = (double)number * ${(1.0 / numbers)}, wanted = are_failures ? 1.0 - share : share;
    if ((double)trials * p < ${few}.0) {
        const double odds = p / (1.0 - p);
        double mass = exp((double)trials * log1p(-p)), reached = mass, before = -1.0;
        int k = 0;
        while (reached <= wanted && k < ${most}) {
            k++;
            mass *= fmax((double)trials - (double)(k - 1), 0.0) / (double)k * odds;
            before = reached;
            reached += mass;
        }
        *value = are_failures ? (int)trials - k : k;
        return reached - wanted > ${certain} && wanted - before > ${certain};
    }
    // I(b + 1, a + 1; 1 - p) is the part above p of the integral of t^a (1 - t)^b, which has its peak at a/(a + b). The smaller part is
    // integrated in two spans, to where nothing is left, and divided by (a + b) choose a, for which Stirling's approximation stands.
    const double a = (double)nearest - 1.0, b = (double)trials - (double)nearest, total = a + b, peak = a / total;
    if (!(a >= ${exact_from}.0 && b >= ${exact_from}.0)) return false;
    const double from_peak = fma(p, total, -a) / total, side = copysign(1.0, from_peak), deviation = sqrt(a * b / total) / total;
    const double end = fmin(${reach} * deviation + ${further} / total, side > 0.0 ? 1.0 - peak : peak), span = 0.5 * fmax(end - fabs(from_peak), 0.0);
    double sum = 0.0;
    for (int i = 0; i < ${2 * len(nodes)}; i++) {
        const double t = side * (fabs(from_peak) + span * (${q}nodes[i >> 1] + (double)(i & 1)));
        sum += ${q}weights[i >> 1] * exp(a * ${q}bent(t / peak) + b * ${q}bent(-t / (1.0 - peak)));
    }
    const double of_all = 2.5066282746310002 * deviation * total / (total + 1.0) * exp(${q}above_stirling(a) + ${q}above_stirling(b) - ${q}above_stirling(total));
    const double tail = sum * span / of_all, reached = side > 0.0 ? tail : 1.0 - tail;
    const int k = wanted < reached ? nearest - 1 : nearest;
    *value = are_failures ? (int)trials - k : k;
    return fabs(reached - wanted) > ${certain};
}
