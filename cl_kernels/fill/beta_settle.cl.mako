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

// The part above p, which is at most 1/2, of the integral of t^a (1 - t)^b from 0 to 1, where a and b are ${exact_from} or more. The integrand has
// its peak at a/(a + b). The smaller part is integrated in two spans, to where nothing is left, and divided by Stirling's approximation
// of the whole.
CLRNG_CALLED double ${q}beta_above(const double p, const double a, const double b)
{
    const double total = a + b, peak = a / total, from_peak = fma(p, total, -a) / total, side = copysign(1.0, from_peak), deviation = sqrt(a * b / total) / total;
    const double end = fmin(${reach} * deviation + ${further} / total, side > 0.0 ? 1.0 - peak : peak), span = 0.5 * fmax(end - fabs(from_peak), 0.0);
    double sum = 0.0;
    for (int i = 0; i < ${2 * len(nodes)}; i++) {
        const double t = side * (fabs(from_peak) + span * (${q}nodes[i >> 1] + (double)(i & 1)));
        sum += ${q}weights[i >> 1] * exp(a * ${q}bent(t / peak) + b * ${q}bent(-t / (1.0 - peak)));
    }
    const double of_all = 2.5066282746310002 * deviation * total / (total + 1.0) * exp(${q}above_stirling(a) + ${q}above_stirling(b) - ${q}above_stirling(total));
    const double tail = sum * span / of_all;
    return side > 0.0 ? tail : 1.0 - tail;
}
