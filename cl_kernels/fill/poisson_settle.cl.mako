<%include file="sums_settle.cl.mako"/>
<%
    horner = lambda x, numbers: repr(numbers[0]) if len(numbers) == 1 else f"fma({horner(x, numbers[1:])}, {x}, {numbers[0]!r})"
%>
// Whether it is sure in double precision that the value is the Poisson number of a mean and a number below N. From a mean of ${few} on
// it is `nearest` or the integer below.
CLRNG_CALLED bool ${q}settle(const double mean, const ulong number, const int nearest, int *value)
{
    const double wanted = (double)number * ${(1.0 / numbers)};
    if (mean < ${few}.0) return ${q}settle_sum(mean, mean, 0.0, wanted, value);
    // Q(a, mean) by the uniform expansion of Temme: mu - ln(1 + mu) is x (mu - 2 x^2 (1/3 + x^2/5 + x^4/7 + ...)), x = mu / (2 + mu).
    const double a = (double)nearest, mu = (mean - a) / a, x = mu / (2.0 + mu), square = x * x;
    const double rest = x * (mu - 2.0 * square * ${horner("square", [1.0 / (2 * i + 3) for i in range(logarithm_terms)])});
    const double half_square = a * rest, eta = copysign(sqrt(2.0 * fmax(rest, 0.0)), mu), part = 1.0 / a;
    double sum = 0.0;
% for numbers_of_k in reversed(temme):
    sum = fma(sum, part, ${horner("eta", numbers_of_k)});
% endfor
    const double density = exp(-half_square) * rsqrt(6.283185307179586 * a), tail = 0.5 * erfc(sqrt(half_square));
    const double reached = (eta < 0.0 ? 1.0 - tail : tail) + density * sum;
    *value = wanted < reached ? nearest - 1 : nearest;
    return nearest > 0 && fabs(eta) < ${farthest_eta} && fabs(reached - wanted) > ${certain};
}
