% if law != "hypergeometric":
<%include file="../fill/${law}_near.cl.mako"/>
% endif
% if fp64:
<%include file="../fill/${law}_settle.cl.mako"/>
% endif
<%include file="${'geometric_exact' if law == 'geometric' else 'exact'}.cl.mako"/>
% if law == "poisson":

// The Poisson number of a mean and of the number x, by sums of integers.
CLRNG_INLINE int ${q}by_sums(const float lam, const ulong x, const bool asked)
{
    const uint bits = as_uint(lam) & 0x7fffffffu, power = bits >> 23;
    return ${q}exact((bits & 0x7fffffu) | (power ? 0x800000u : 0u), 150u - (power ? power : 1u), x, asked);
}
% endif
<%
    # What is legal, and what single precision, double precision and sums of integers are told.
    legal, near, settle, exact = {
        "poisson": (f"lam >= 0 && lam < {end}f", "mean, whole, mean - (float)whole", "(double)mean, number, nearest", "by_sums(mean, number, is_legal && !sure)"),
        "geometric": ("p >= 0x1p-57f && p <= 1", "fraction, down", "(double)chance, number, nearest", "exact(chance, (ulong)k, number)"),
        "binomial": (f"n >= 0 && n <= {2**31 - 2} && p >= 0 && p <= 1 && (float)n * p * (1 - p) < {end}f", "fraction, down, trials", "(double)chance, trials, number, nearest", "exact(trials, chance, number, is_legal && !sure)"),
        "negative_binomial": (f"n >= 0x1p-126f && n < 0x1p31f && p >= {least} && p <= 1 && n * (1 - p) < {end}f * p * p", "fraction, down, trials, 0.0f", "(double)chance, (double)trials, number, nearest", "exact(trials, chance, number, is_legal && !sure)"),
        "hypergeometric": (f"ngood >= 0 && nbad >= 0 && nsample >= 0 && (uint)nsample <= (uint)ngood + (uint)nbad && (float)nsample * (float)ngood * (float)nbad * (all - (float)nsample) <= {end}f * all * all * all",
                           None, f"(double)good, (double)bad, (double)sample, (double)number * {1.0 / numbers}", "exact(good, bad, sample, number, is_legal && !sure)"),
    }[law]
    found = "int" if "binomial" in law or law == "poisson" else "long"
%>
// A number of these parameters, without tables; -1 where they are not legal.
CLRNG_INLINE ${out} ${q}free(${", ".join(chosen)}, ${raw})
{
% if law == "hypergeometric":
    const float all = (float)ngood + (float)nbad;
% endif
    const bool is_legal = ${legal};
    const ulong number = ${number};
% if law == "poisson":
    const float mean = is_legal ? fabs(lam) : 0.0f;
    const int whole = (int)mean;
% elif law == "hypergeometric":
    const uint good = is_legal ? ngood : 0, bad = is_legal ? nbad : 0, sample = is_legal ? nsample : 0;
% else:
    const float chance = is_legal ? fabs(p) : 1.0f;
    const ulong bits = as_uint(chance), fraction = ((bits & 0x7fffffUL) | 0x800000UL) << 29, down = min(179UL - (bits >> 23), 126UL);
% endif
% if "binomial" in law:
    const ${"uint" if law == "binomial" else "float"} trials = is_legal ? n : 1;
% endif
    ${found} k = 0;
    int sure = 0, nearest;
% if near:
    k = ${q}near(${near}, number, &sure, &nearest);
% endif
% if fp64:
    if (!sure) sure = ${q}settle(${settle}, &k);
% endif
    if (!sure) k = ${q}${exact};
    return is_legal ? (${out})k : (${out})-1;
}
