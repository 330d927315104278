"""The sums of linear recurrences in double precision: when they are exact, and the numbers they take.

A residue is kept as s = x - h, with h = (m - 1) / 2, so that all lie in -h ... h. A step takes the sum
t = k + a_1 s_1 + ... + a_p s_p with balanced coefficients, q = t/m rounded to an integer, and t - q m.
"""

from fractions import Fraction
from typing import NamedTuple

from clrng.generators.linear_recurrence import LinearRecurrence

LARGEST_SUM = 2**53
LARGEST_SUMMED_MODULUS = 2**32
SMALLEST_MODULUS = 2**8


class DoubleSum(NamedTuple):
    """The numbers of a sum.

    Attributes
    ----------
    terms : list of (int, int)
        The index of a word of state and its balanced coefficient, for those that are not 0; the oldest, of index 0,
        first, so that the newest is waited for last.
    constant : int
        k, balanced: it makes the sum of the shifted residues the shifted sum.
    half : int
        h.
    largest : int
        The largest abs(t).
    """

    terms: list[tuple[int, int]]
    constant: int
    half: int
    largest: int


def double_sum(recurrence: LinearRecurrence) -> DoubleSum:
    """Return the numbers of the sum of `recurrence`."""
    m, half = recurrence.modulus, (recurrence.modulus - 1) // 2

    def balanced(x: int) -> int:
        return (x + half) % m - half

    p = recurrence.order
    terms = [(p - j, balanced(a)) for j, a in enumerate(recurrence.coefficients, 1) if a][::-1]
    constant = balanced((sum(a for _, a in terms) - 1) * half + recurrence.constant)
    return DoubleSum(terms, constant, half, half * sum(abs(a) for _, a in terms) + abs(constant))


def why_no_double_sum(recurrence: LinearRecurrence) -> str | None:
    """Return why the sums of `recurrence` are not exact in double precision, or None if they are.

    Notes
    -----
    The sum is exact below 2^53. The quotient is one fused multiply-add of t and the reciprocal of m as rounded,
    r = (1 + e)/m. For odd m the true t/m is at least 1/(2m) away from the middle between two integers, so the nearest
    integer is the right one if abs(t e) < 1/2; then the residue is again in -h ... h, and unique.
    """
    m = recurrence.modulus
    if m % 2 == 0 or not SMALLEST_MODULUS < m < LARGEST_SUMMED_MODULUS:
        return f"its sums are exact for odd moduli between {SMALLEST_MODULUS} and {LARGEST_SUMMED_MODULUS}, not for {m}"
    largest = double_sum(recurrence).largest
    if largest >= LARGEST_SUM or largest * abs(Fraction(1.0 / m) * m - 1) >= Fraction(1, 2):
        return f"with these coefficients its sums reach {largest}, and are not exact so far modulo {m}"
    return None
