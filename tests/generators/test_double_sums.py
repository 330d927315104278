"""The sums in double precision: every operation of a step is done over in exact fractions, rounded once."""

import struct
from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from clrng.generators import LinearRecurrence
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.linear_recurrence import (
    LARGEST_SUM,
    SMALL_ORDER,
    DoubleSum,
    LinearRecurrenceCode,
    double_sum,
    why_no_double_sum,
)
from clrng.generators.mrg32k3a import MODULI, MRG31k3p, MRG32k3a
from tests.support.generators import GENERATORS

MAGIC = 1.5 * 2**52


def fma(a: float, b: float, c: float) -> float:
    """Return a b + c rounded once, to nearest and to even: Python's quotient of two integers is."""
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    return exact.numerator / exact.denominator


def largest_that_passes(order: int, m: int, constant: int) -> LinearRecurrence:
    """Return the recurrence of equal coefficients, as large as can be."""
    passing, failing = 1, m // 2 + 1
    while failing - passing > 1:
        a = (passing + failing) // 2
        taken = why_no_double_sum(LinearRecurrence([a] * order, [1] * order, m, constant)) is None
        passing, failing = (a, failing) if taken else (passing, a)
    return LinearRecurrence([passing] * order, [1] * order, m, constant)


RECURRENCES = {
    "mrg32k3a_x": MRG32k3a.parts[0],
    "mrg32k3a_y": MRG32k3a.parts[1],
    "mrg31k3p_x": MRG31k3p.parts[0],
    "mrg31k3p_y": MRG31k3p.parts[1],
    "linear_3_2^31-1": GENERATORS["linear_3_2^31-1"],
    "linear_2_2^32-5": GENERATORS["linear_2_2^32-5"],
    "linear_1_10^9+7": GENERATORS["linear_1_10^9+7"],
    "smallest_modulus": LinearRecurrence([128, 129, 200], [1, 1, 1], 257, 256),
    "largest_modulus": LinearRecurrence([1, 0, 2**32 - 2], [1, 1, 1], 2**32 - 1, 5),
    "modulus_of_a_square": LinearRecurrence([3, 65535**2 - 5], [1, 1], 65535**2, 65535),
    **{
        f"largest_coefficients_{order}_{m}": largest_that_passes(order, m, 7)
        for order in (1, 2, 5)
        for m in (*MODULI, 2**31 - 1, 2**32 - 5, 2147483563, 10**9 + 7, 2**24 + 1)
    },
}
each = pytest.mark.parametrize("recurrence", RECURRENCES.values(), ids=RECURRENCES)


def summed(numbers: DoubleSum, shifted: Iterable[int]) -> float:
    """Return the sum as the device takes it, after asserting that every partial sum is exact."""
    residues = list(shifted)
    t, exact = float(numbers.constant), numbers.constant
    for i, coefficient in numbers.terms:
        assert float(coefficient) == coefficient
        t, exact = fma(residues[i], coefficient, t), exact + residues[i] * coefficient
        assert t == exact
    assert abs(exact) <= numbers.largest
    return t


def reduced(t: float, m: int) -> int:
    """Return the residue of `t` as the device takes it."""
    q = fma(t, 1.0 / m, MAGIC) - MAGIC
    assert q == int(q)
    r = fma(-q, m, t)
    assert r == Fraction(t) - Fraction(q) * m
    return int(r)


def holds(t: float, m: int) -> None:
    """Assert that the residue of `t` is the one of least magnitude, and that its bits are the canonical integer's."""
    half = (m - 1) // 2
    r = reduced(t, m)
    assert -half <= r <= half
    assert (r - int(t)) % m == 0
    (bits,) = struct.unpack("<Q", struct.pack("<d", r + (MAGIC + half)))
    assert bits & 0xFFFFFFFF == r + half


@each
def test_they_pass(recurrence: LinearRecurrence) -> None:
    assert why_no_double_sum(recurrence) is None
    numbers = double_sum(recurrence)
    assert numbers.half == (recurrence.modulus - 1) // 2
    assert numbers.largest < LARGEST_SUM <= 2**53
    assert all(abs(a) <= numbers.half and a for _, a in numbers.terms)
    assert abs(numbers.constant) <= numbers.half


@each
def test_extreme_residues(recurrence: LinearRecurrence) -> None:
    numbers, m = double_sum(recurrence), recurrence.modulus
    half = numbers.half
    sums = []
    for shifted in product((-half, -half + 1, 0, half - 1, half), repeat=min(recurrence.order, 4)):
        row = [*shifted, *[half] * (recurrence.order - len(shifted))]
        sums.append(summed(numbers, row))
        holds(sums[-1], m)
    for sign in (1, -1):
        row = [0] * recurrence.order
        for i, coefficient in numbers.terms:
            row[i] = sign * half if coefficient > 0 else -sign * half
        sums.append(summed(numbers, row))
        holds(sums[-1], m)
    assert max(map(abs, sums)) == numbers.largest


@each
def test_sums_nearest_the_middle_between_two_quotients(recurrence: LinearRecurrence) -> None:
    """There the quotient is rounded wrong first, the further out the sooner."""
    numbers, m = double_sum(recurrence), recurrence.modulus
    outermost = numbers.largest // m
    quotients = {*range(5), *range(max(outermost - 200, 0), outermost + 1), *(outermost // k for k in range(2, 50))}
    for quotient in quotients:
        for t in (quotient * m + numbers.half, quotient * m + numbers.half + 1, quotient * m):
            for sign in (1, -1):
                if t <= numbers.largest:
                    holds(float(sign * t), m)


@each
def test_steps_are_the_recurrences(recurrence: LinearRecurrence) -> None:
    numbers, m, numbers_of = double_sum(recurrence), recurrence.modulus, Random(1)
    for trial in range(300):
        ends = (0, 1, m - 2, m - 1) if trial < 100 else range(m)
        words = tuple(numbers_of.choice(ends) for _ in range(recurrence.order))
        found = reduced(summed(numbers, [x - numbers.half for x in words]), m) + numbers.half
        assert found == recurrence.step(words)[-1]


def balanced_sum(recurrence: LinearRecurrence) -> int:
    """Return the largest sum, from its definition."""
    m = recurrence.modulus
    half = (m - 1) // 2
    coefficients = [min(a, m - a) for a in recurrence.coefficients]
    signed = [a if a <= half else a - m for a in recurrence.coefficients]
    constant = ((sum(signed) - 1) * half + recurrence.constant) % m
    return half * sum(coefficients) + min(constant, m - constant)


@pytest.mark.parametrize("order", [1, 2, 5])
@pytest.mark.parametrize("m", [*MODULI, 2**31 - 1, 2**32 - 5, 2**32 - 1, 2147483563, 10**9 + 7, 2**24 + 1, 65537, 257])
def test_the_bound_is_the_one_that_is_said(order: int, m: int) -> None:
    error = abs(Fraction(1.0 / m) * m - 1)
    seen = set()
    near = largest_that_passes(order, m, 0).coefficients[0]
    for a in {1, m - 1, m // 2, m // 2 + 1, *range(max(near - 3, 1), min(near + 4, m))}:
        recurrence = LinearRecurrence([a] * order, [1] * order, m)
        largest = balanced_sum(recurrence)
        assert double_sum(recurrence).largest == largest
        exact = largest < LARGEST_SUM and 2 * largest * error < 1
        reason = why_no_double_sum(recurrence)
        assert (reason is None) == exact
        if reason is not None:
            expected = f"with these coefficients its sums reach {largest}, and are not exact so far modulo {m}"
            assert reason == expected
        seen.add(exact)
    assert True in seen
    assert (False in seen) == (m > 2**26)


@pytest.mark.parametrize("m", [2, 3, 101, 255, 256, 258, 2**31, 2**32 - 2, 2**32, 2**32 + 15, 2**61 - 1, 2**64])
def test_moduli_that_have_none(m: int) -> None:
    reason = why_no_double_sum(LinearRecurrence([1, 1], [1, 1], m))
    assert reason == f"its sums are exact for odd moduli between 256 and 4294967296, not for {m}"


@pytest.mark.parametrize("m", MODULI)
def test_the_first_sum_beyond_the_bound_is_wrong(m: int) -> None:
    """Where the rounded reciprocal is too large, numbers just below the middle of two quotients are rounded up."""
    error, half = Fraction(1.0 / m) * m - 1, (m - 1) // 2
    bound = int(1 / abs(2 * error))
    below = (bound - half) // m * m + half if error > 0 else (bound + half) // m * m - half
    assert bound - m < below <= bound < below + m < 2**53
    holds(float(below), m)
    holds(float(-below), m)
    assert abs(reduced(float(below + m), m)) == half + 1


def weighted(states: list[int], weights: list[int], m: int) -> int:
    """Return the shifted residue of the weighted sum of words as the device takes it, after asserting it is exact."""
    half = (m - 1) // 2
    upper, lower = 0.0, float(-half)
    exact_upper, exact_lower = 0, -half
    for x, weight in zip(states, weights, strict=True):
        upper, lower = fma(x, weight >> 16, upper), fma(x, weight & 0xFFFF, lower)
        exact_upper, exact_lower = exact_upper + x * (weight >> 16), exact_lower + x * (weight & 0xFFFF)
        assert (upper, lower) == (exact_upper, exact_lower)
    together = fma(reduced(upper, m), 2**16, lower)
    assert together == reduced(upper, m) * 2**16 + exact_lower
    return reduced(together, m)


@pytest.mark.parametrize("m", [*MODULI, 2**32 - 1, 2**32 - 5, 4292212577, 2**31 - 1, 10**9 + 7, 65537, 257])
def test_jumps_by_halves_of_weights_are_exact(m: int) -> None:
    """At the bound, with the most states there are and the largest words and weights; and at random."""
    half, numbers_of, degree = (m - 1) // 2, Random(m), SMALL_ORDER + 1
    largest = (0, 1, m - 2, m - 1), (0, 1, 0xFFFF % m, m - 1 - (m - 1) % 2**16, max(m - 1 - m % 2**16, 0), m - 2, m - 1)
    rows = [([x] * degree, [weight] * degree) for x in largest[0] for weight in largest[1]]
    rows += [([numbers_of.randrange(m) for _ in range(degree)], [numbers_of.randrange(m) for _ in range(degree)])
             for _ in range(300)]  # fmt: skip
    for states, weights in rows:
        found = weighted(states, weights, m)
        assert -half <= found <= half
        assert found + half == sum(x * weight for x, weight in zip(states, weights, strict=True)) % m


@pytest.mark.parametrize(
    ("order", "arithmetic", "expected"),
    [
        (SMALL_ORDER, "double", True),
        (SMALL_ORDER + 1, "double", False),
        (SMALL_ORDER, "integer", False),
    ],
)
def test_jumps_go_by_halves_of_weights_up_to_a_bound(order: int, arithmetic: str, expected: bool) -> None:
    constant = LinearRecurrence([1] * order, [1] * order, 2**32 - 5, 7)
    code = LinearRecurrenceCode(constant, ARITHMETICS[arithmetic])
    assert code.in_halves == expected
    assert code.degree == order + 1
