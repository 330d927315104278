"""Distribution functions and densities by mpmath, from their textbook formulas, for tests of their inverses.

Each function returns one of (x, upper) that gives (F(x) or 1 - F(x), density at x) to the precision that is set.
"""

from collections.abc import Callable

import mpmath as mp

Law = Callable[[mp.mpf, bool], tuple[mp.mpf, mp.mpf]]


def normal() -> Law:
    return lambda x, upper: (mp.erfc((x if upper else -x) / mp.sqrt(2)) / 2, mp.npdf(x))


def gamma(shape: float, scale: int = 1) -> Law:
    a = mp.mpf(shape)

    def law(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        y = x / scale
        ends = (y, mp.inf) if upper else (0, y)
        return mp.gammainc(a, *ends, regularized=True), mp.exp((a - 1) * mp.log(y) - y - mp.loggamma(a)) / scale

    return law


def beta(a: float, b: float) -> Law:
    a, b = mp.mpf(a), mp.mpf(b)

    def law(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        tail = mp.betainc(b, a, 0, 1 - x, regularized=True) if upper else mp.betainc(a, b, 0, x, regularized=True)
        return tail, x ** (a - 1) * (1 - x) ** (b - 1) / mp.beta(a, b)

    return law


def f(dfnum: float, dfden: float) -> Law:
    m, n = mp.mpf(dfnum), mp.mpf(dfden)
    a, b = m / 2, n / 2

    def law(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        below, above = m * x / (m * x + n), n / (m * x + n)
        tail = mp.betainc(b, a, 0, above, regularized=True) if upper else mp.betainc(a, b, 0, below, regularized=True)
        return tail, below ** (a - 1) * above ** (b - 1) / mp.beta(a, b) * m * n / (m * x + n) ** 2

    return law


def student_t(df: float) -> Law:
    n, half = mp.mpf(df), mp.mpf(1) / 2

    def law(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        tail = mp.betainc(n / 2, half, 0, n / (n + x * x), regularized=True) / 2
        density = (1 + x * x / n) ** (-(n + 1) / 2) / mp.sqrt(n) / mp.beta(n / 2, half)
        return tail if upper == (x > 0) else 1 - tail, density

    return law


def wald(mean: float, scale: float) -> Law:
    mu, lam = mp.mpf(mean), mp.mpf(scale)

    def below(x: mp.mpf) -> mp.mpf:
        return mp.erfc(-x / mp.sqrt(2)) / 2

    def law(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        root = mp.sqrt(lam / x)
        image = mp.exp(2 * lam / mu) * below(-root * (x / mu + 1))
        tail = below(-root * (x / mu - 1)) - image if upper else below(root * (x / mu - 1)) + image
        density = mp.sqrt(lam / (2 * mp.pi * x**3)) * mp.exp(-lam * (x - mu) ** 2 / (2 * mu * mu * x))
        return tail, density

    return law


def von_mises(kappa: float) -> Law:
    k = mp.mpf(kappa)

    def law(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        whole = 2 * mp.pi * mp.besseli(0, k)

        def density(angle: mp.mpf) -> mp.mpf:
            return mp.exp(k * mp.cos(angle)) / whole

        ends = (x, mp.pi) if upper else (-mp.pi, x)
        return mp.quad(density, mp.linspace(*ends, 20)), density(x)

    return law


def poisson_mixture(member: Callable[[int], Law], nonc: float) -> Law:
    mean = mp.mpf(nonc) / 2

    def law(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
        tail = density = mp.mpf(0)
        weight, j = mp.exp(-mean), 0
        while j <= mean or weight > mp.mpf(10) ** -45:
            of_member = member(j)(x, upper)
            tail, density = tail + weight * of_member[0], density + weight * of_member[1]
            j += 1
            weight *= mean / j
        return tail, density

    return law


def noncentral_chisquare(df: float, nonc: float) -> Law:
    return poisson_mixture(lambda j: gamma(df / 2 + j, 2), nonc)


def noncentral_f(dfnum: float, dfden: float, nonc: float) -> Law:
    def member(j: int) -> Law:
        stretch = mp.mpf(dfnum) / (dfnum + 2 * j)
        law = f(dfnum + 2 * j, dfden)

        def stretched(x: mp.mpf, upper: bool) -> tuple[mp.mpf, mp.mpf]:
            tail, density = law(x * stretch, upper)
            return tail, density * stretch

        return stretched

    return poisson_mixture(member, nonc)
