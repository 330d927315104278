"""Probability masses in integers, and the thresholds that they make.

A mass is an integer in units of 2^-224 of the largest one, or of the sum of all. Recurrences go from the largest mass
to smaller ones and round down in each step, so that after k steps a mass is off by at most k units, and a sum of k
masses by k^2 units. They stop after 2^23 steps to either side, or where masses are below 2^40 units; what is left out
is then below 2^64 units, as each mass is smaller than the one before by at least a part in 2^24. The sum of all
masses is at least 2^224 units, so a sum divided by it is off by less than 2^-158, and that times N <= 2^64 by less
than 2^-94.

The logarithms, powers and zeta function that sums of masses need are integers too: x stands as one near x·2^bits, and a
unit is 2^-bits, where `bits` is 100 or more.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from itertools import count
from math import factorial, isqrt, log, pi

import numpy as np
import numpy.typing as npt

BITS = 224
NEGLIGIBLE = 1 << 40
SLACK_BITS = 90
"""A sum of probabilities times N that is above an integer by less than 2^-90 is taken to be that integer.

So thresholds are right where it is the integer, as happens with p = 1/2, and where it is not within 2^-89 above one. No
other case is known; by chance there would be one in 2^89 thresholds.
"""
MAX_ENTRIES = 2**22
"""The maximum number of entries of a table."""

MAX_STEPS = 2 * MAX_ENTRIES

LEEWAY, SURELY = 0.3, 1e-4
"""Safety margins of the estimates which tell that a table is too long before it is made."""


class TooManyError(Exception):
    """A distribution spreads over more values than a table has entries."""


def is_too_wide(numerator: int, denominator: int, numbers: int) -> bool:
    """Return whether a variance is so large that the table must have more than 2^22 entries.

    A table reaches to where a tail is below 1/N: about 9.1 standard deviations to either side for N = 2^64, and 6.2 for
    2^32. The estimate here is a little smaller; it tells at once what would otherwise take long to find. Distributions
    of such a variance are close to normal, or have longer tails.
    """
    doubled = 2 * log(numbers)
    squared = max(doubled - log(2 * pi * doubled) - LEEWAY, 1 / 16)  # below the square of the normal quantile
    return 4 * numerator * int(squared * 1024) > denominator * MAX_ENTRIES**2 * 1024


def reaches_too_far(decay: float, total: float, numbers: int, *, divided: bool) -> bool:
    """Return whether a tail is so long that the table must have more than 2^22 entries.

    That is so where N times the probability of values above 2^22 is 1 or more; here it must be clearly so. `decay` is
    -ln(q). The mass of k is q^(k - 1), and `total` 1, the sum of all times 1 - q; or, if `divided`, the mass is q^k / k
    and `total` the sum of all. The sum of the latter for all k above K is more than q^(K + 1) / ((K + 1) decay + 1).
    """
    exponent = (MAX_ENTRIES + divided) * decay
    return log(numbers / total) - exponent - divided * log(exponent + 1) > SURELY


def never_end(decay: float, lost: float) -> bool:
    """Return whether masses are still not negligible 2^23 steps behind the largest, where recurrences give up.

    After 2^23 = k steps the mass is at least q^k / c of the largest; `decay` is -ln(q), `lost` the logarithm of c.
    """
    return MAX_STEPS * decay + lost < (BITS - NEGLIGIBLE.bit_length() + 1) * log(2) - SURELY


def around_mode(mode: int, lowest: int, ratio: Callable[[int], tuple[int, int]]) -> tuple[int, list[int]]:
    """Return the first value whose mass is not negligible, and the masses from there on.

    `mode` is a value of the largest mass, and `lowest` the smallest value. `ratio` gives the mass of k + 1 divided by
    that of k, as a numerator, which is 0 at the largest value of the distribution, and a denominator.
    """
    upper, lower = [1 << BITS], []
    for k in range(mode, mode + MAX_STEPS):
        numerator, denominator = ratio(k)
        mass = upper[-1] * numerator // denominator if numerator else 0
        if mass < NEGLIGIBLE:
            break
        upper.append(mass)
    else:
        raise TooManyError
    mass = 1 << BITS
    for k in range(mode - 1, max(lowest, mode - MAX_STEPS) - 1, -1):
        numerator, denominator = ratio(k)
        mass = mass * denominator // numerator
        if mass < NEGLIGIBLE:
            break
        lower.append(mass)
    if len(lower) == MAX_STEPS:
        raise TooManyError
    lower.reverse()
    return mode - len(lower), lower + upper


def thresholds(first: int, masses: Iterable[int], total: int, numbers: int) -> tuple[int, list[int]]:
    """Return the smallest value of a table and its thresholds.

    `first` is the value of the first of `masses`, which may be endless, and `total` the sum of all. The table begins
    with the first value whose cumulated probability times N is at least 1; thresholds are that, rounded up, of it and
    of the values after it. The last is N.
    """
    shift = 2 * BITS
    one, slack = 1 << shift, 1 << (shift - SLACK_BITS)
    scale, reached = (numbers << shift) // total, 0
    low = first
    found: list[int] = []
    for mass in masses:
        reached += mass
        scaled = reached * scale
        if not found and scaled + slack < one:
            low += 1
            continue
        found.append((scaled + one - slack) >> shift)
        if found[-1] >= numbers:
            break
        if len(found) == MAX_ENTRIES:
            raise TooManyError
    found[-1] = numbers
    return low, found


def is_below(x: int, part: int, total: int, numbers: int) -> bool:
    """Return whether the number X is below the threshold of a value, whose cumulated probability is part/total."""
    least = (x << SLACK_BITS) + 1 if x else (1 << SLACK_BITS) - 1
    return part * numbers << SLACK_BITS >= total * least


def recurrence(first: int, ratio: Callable[[int], tuple[int, int]], start: int) -> Iterator[int]:
    """Yield the mass `start` of the value `first`, and those of the values after it, without end."""
    mass = start
    for k in count(first):
        yield mass
        numerator, denominator = ratio(k)
        mass = mass * numerator // denominator


ROOTS = 8
"""How many square roots, or squarings, make the argument of a series small."""

BLOCKS = (2**10, 2**14, 2**18, 2**22 + 2)
"""The ends of the blocks in which powers are computed."""


def logarithm(numerator: int, denominator: int, bits: int) -> int:
    """Return the natural logarithm of numerator/denominator.

    ln(x) is e·ln(2) + ln(y), where x = 2^e·y and y is between 1/2 and 2. The result is off by less than
    2^14·(abs(e) + 1) units.
    """
    exponent = numerator.bit_length() - denominator.bit_length()
    above, below = numerator << max(-exponent, 0), denominator << max(exponent, 0)
    return exponent * _logarithm_of_2(bits) + _logarithm_near_1((above << bits) // below, bits)


@cache
def _logarithm_of_2(bits: int) -> int:
    return _logarithm_near_1(2 << bits, bits)


def _logarithm_near_1(y: int, bits: int) -> int:
    """Return 2^8·ln(y^(2^-8)), where ln(y) = 2·(z + z^3/3 + z^5/5 + ...) with z = (y - 1)/(y + 1).

    A root and z are off by less than 2 units each, and the sum of its less than 2^4 terms by less than 2^5.
    """
    for _ in range(ROOTS):
        y = isqrt(y << bits)
    one = 1 << bits
    z = ((y - one) << bits) // (y + one)
    square, power, total, k = z * z >> bits, z, 0, 1
    while power not in (0, -1):
        total += power // k
        power, k = power * square >> bits, k + 2
    return total << (ROOTS + 1)


def exponential(x: int, bits: int) -> int:
    """Return e^x for x of 0 or less.

    e^x is 2^e·(e^y)^(2^8), where x = e·ln(2) + 2^8·y and 0 <= 2^8·y < ln(2). The Taylor series of e^y is off by less
    than 2^6 units, and each squaring doubles that; e·ln(2) is off by less than 2^14·abs(e). Together that is less than
    2^15·(abs(e) + 1)·2^e units.
    """
    exponent, rest = divmod(x, _logarithm_of_2(bits))
    y = rest >> ROOTS
    total, term, k = 0, 1 << bits, 0
    while term:
        total += term
        k += 1
        term = (term * y >> bits) // k
    for _ in range(ROOTS):
        total = total * total >> bits
    return total >> -exponent


def power(k: int, numerator: int, denominator: int, bits: int) -> int:
    """Return k^-a, where a is numerator/denominator, above 0."""
    if k > 1 and numerator > bits * denominator:
        return 0  # below one unit
    return exponential(-(logarithm(k, 1, bits) * numerator // denominator), bits)


def powers(numerator: int, denominator: int, bits: int) -> Iterator[int]:
    """Yield k^-a for k = 1, 2, 3, ... up to 2^22 + 1, where a is numerator/denominator, above 0.

    Those of primes come from logarithms, all others are products of two earlier ones.
    """
    found = [0, 1 << bits]
    yield found[1]
    for size in BLOCKS:
        factors = _least_factors(size)
        for k, factor in enumerate(factors[len(found) :].tolist(), len(found)):
            if factor == k:
                found.append(power(k, numerator, denominator, bits))
            else:
                found.append(found[factor] * found[k // factor] >> bits)
            yield found[k]


def _least_factors(size: int) -> npt.NDArray[np.int64]:
    """Return the smallest prime factor of each number below `size`, from 2 on."""
    factors = np.arange(size)
    for k in range(isqrt(size), 1, -1):
        factors[k * k :: k] = k  # the smallest factors come last
    return factors


def zeta(numerator: int, denominator: int, bits: int) -> int:
    """Return the sum of k^-a over all k of 1 or more, where a is numerator/denominator, above 1.

    Algorithm 2 of Borwein (An efficient algorithm for the Riemann zeta function, 2000): with n terms it is off by less
    than 3·(3 + sqrt(8))^-n/(1 - 2^(1 - a)), where 3 + sqrt(8) > 2^2.5.
    """
    n = bits * 2 // 5 + 1
    weights, total = [], 0
    for i in range(n + 1):
        total += (n * factorial(n + i - 1) << 2 * i) // (factorial(n - i) * factorial(2 * i))
        weights.append(total)
    signed = (total - weight if k % 2 == 0 else weight - total for k, weight in enumerate(weights[:n]))
    terms = zip(signed, powers(numerator, denominator, bits), strict=False)
    alternating = sum(weight * term for weight, term in terms) // total
    one = 1 << bits
    return (alternating << bits) // (one - 2 * power(2, numerator, denominator, bits))


SHIFTED, MAX_TERMS = 64, 60
"""The formula of Euler and Maclaurin begins at 64 or behind, and has at most so many terms."""


def zeta_from(k: int, numerator: int, denominator: int, bits: int) -> int:
    """Return the sum of i^-a over all i of k or more, where a is numerator/denominator, above 1.

    Terms of the formula of Euler and Maclaurin are added until one is below a unit; it is off by less than that one.
    The power under the integral is divided by a - 1, and so are its errors.
    """
    total, one_less = 0, numerator - denominator
    while k < SHIFTED:
        total += power(k, numerator, denominator, bits)
        k += 1
    total += power(k, one_less, denominator, bits) * denominator // one_less
    term = power(k, numerator, denominator, bits)
    total += term >> 1
    term = term * numerator // (denominator * k)
    for j in range(MAX_TERMS):
        above, below = bernoulli(j)
        added = term * above // below
        total += added
        if added in (0, -1):
            break
        factors = (numerator + (2 * j + 1) * denominator) * (numerator + (2 * j + 2) * denominator)
        term = term * factors // (denominator * k) ** 2
    return total


@cache
def bernoulli(j: int) -> tuple[int, int]:
    """Return B(2j + 2)/(2j + 2)!, as a numerator and a denominator."""
    found = [Fraction(1)]  # those of x/(e^x - 1), whose product with (e^x - 1)/x is 1
    for n in range(1, 2 * j + 3):
        found.append(-sum((found[i] / factorial(n - i + 1) for i in range(n)), Fraction(0)))
    return found[-1].as_integer_ratio()
