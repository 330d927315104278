"""Which trinomials x^p + x^q + 1 are primitive modulo 2."""

from functools import lru_cache

from clrng.generators.maths.number_theory import factors

PUBLISHED = {
    (89, 38), (97, 6), (97, 12), (97, 33), (97, 34), (98, 11), (98, 27), (100, 37), (127, 1), (127, 7), (127, 15),
    (127, 30), (127, 63), (250, 103), (258, 83), (378, 107), (521, 32), (521, 48), (521, 158), (521, 168), (607, 105),
    (607, 147), (607, 273), (1279, 216), (1279, 418), (2281, 715), (2281, 915), (2281, 1029), (3217, 67), (3217, 576),
    (4423, 271), (4423, 369), (4423, 370), (4423, 649), (4423, 1393), (4423, 1419), (4423, 2098), (9689, 84),
    (9689, 471), (9689, 1836), (9689, 2444), (9689, 4187), (19937, 881), (19937, 7083), (19937, 9842), (23209, 1530),
    (23209, 6619), (23209, 9739), (44497, 8575), (44497, 21034),
}  # fmt: skip
"""Primitive x^p + x^q + 1 with p > 64 and q <= p/2 as (p, q): N. Zierler, "Primitive trinomials whose degree is a
Mersenne exponent", Information and Control 15, 1969, pp. 67-69; N. Zierler and J. Brillhart, "On primitive trinomials
(mod 2)", Information and Control 13, 1968, pp. 541-554; Knuth, vol. 2, section 3.2.2, table 1; Y. Kurita and
M. Matsumoto, "Primitive t-nomials (t = 3, 5) over GF(2) whose degree is a Mersenne exponent <= 44497", Math. Comp. 56,
1991, pp. 817-821."""


@lru_cache(maxsize=256)
def is_primitive(p: int, q: int) -> bool:
    """Return whether x^p + x^q + 1, 0 < q < p, is primitive modulo 2: found out up to p = 64, beyond as published."""
    q = min(q, p - q)  # of a polynomial and its reciprocal both are or none
    if p > 64:  # noqa: PLR2004  # whose 2^p - 1 is too large to factor
        return (p, q) in PUBLISHED
    order = 2**p - 1
    return power_of_x(order, p, q) == 1 and all(power_of_x(order // prime, p, q) != 1 for prime in factors(order))


def power_of_x(n: int, p: int, q: int) -> int:
    """Return x^n modulo x^p + x^q + 1 and 2, the coefficient of x^i in bit i."""
    result = 1
    for bit in f"{n:b}":
        result = int(f"{result:b}", 4) << int(bit)  # the square has zeros between the bits
        while result >> p:
            above = result >> p
            result = result & (1 << p) - 1 ^ above ^ above << q
    return result
