"""The prime factors of numbers 2^p - 1."""

from math import prod

from clrng.bit_generators.maths.number_theory import factors

EXPONENTS = {89, 107, 127, 521, 607, 1279, 2203, 2281, 3217, 4253, 4423, 9689, 9941, 11213, 19937, 21701, 23209, 44497}
"""The p > 61 for which 2^p - 1 is a prime, to 44497 (OEIS A000043)."""

FACTORS = {
    97: [11447, 13842607235828485645766393],
    98: [3, 43, 127, 4363953127297, 4432676798593],
    100: [3, 5, 5, 5, 11, 31, 41, 101, 251, 601, 1801, 4051, 8101, 268501],
    250: [
        3, 11, 31, 251, 601, 1801, 4051, 229668251, 269089806001, 4710883168879506001, 5519485418336288303251
    ],
    258: [
        3, 3, 7, 431, 1033, 9719, 2099863, 1591582393, 2932031007403, 15686603697451, 11053036065049294753459639
    ],
    378: [
        3, 3, 3, 3, 7, 7, 19, 43, 73, 127, 337, 379, 5419, 87211, 92737, 119827, 262657, 649657, 1560007, 77158673929,
        127391413339, 56202143607667, 207617485544258392970753527
    ],
}  # fmt: skip
"""The primes that 2^p - 1 is the product of, for p with trinomials that people use: the Cunningham project."""


def factored(p: int) -> list[int]:
    """Return the primes that 2^p - 1 is the product of, for every p up to 64 and those above."""
    if p in EXPONENTS:
        return [2**p - 1]
    found = FACTORS[p] if p > 64 else sorted(factors(2**p - 1).elements())
    assert prod(found) == 2**p - 1
    return found
