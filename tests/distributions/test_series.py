"""Logarithms, powers and zeta in integers and the distributions made of them, against numbers of 150 digits."""

from collections.abc import Callable
from itertools import islice

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from clrng.distributions import masses
from clrng.distributions.discrete import Discrete, Logseries, Zipf, threshold_table

BITS = 224
DIGITS = 150


def error(found: int, wanted: mpmath.mpf) -> mpmath.mpf:
    """Return how many units a result is off."""
    return abs(found - wanted * 2**BITS)


@pytest.mark.parametrize("ratio", [(1, 1), (3, 1), (1, 3), (2**22 + 1, 1), (2**60, 2**60 - 1), (2**60 - 1, 2**60)])
def test_logarithms(ratio: tuple[int, int]) -> None:
    with mpmath.workdps(DIGITS):
        found = masses.logarithm(*ratio, BITS)
        assert error(found, mpmath.log(mpmath.mpf(ratio[0]) / ratio[1])) < 2**19


@pytest.mark.parametrize("x", [0, -(2.0**-80), -1e-9, -0.5, -1, -100.25, -150])
def test_exponentials(x: float) -> None:
    with mpmath.workdps(DIGITS):
        assert error(masses.exponential(int(mpmath.mpf(x) * 2**BITS), BITS), mpmath.exp(x)) < 2**15


@pytest.mark.parametrize("a", [0.5, 1.07, 2.0, 3.7, 40.5, 300.0, 1e300])
def test_powers(a: float) -> None:
    with mpmath.workdps(DIGITS):
        for k, found in enumerate(islice(masses.powers(*a.as_integer_ratio(), BITS), 1100), 1):
            assert error(found, mpmath.mpf(k) ** -mpmath.mpf(min(a, 1000))) < 2**26, k


def test_powers_end_where_no_table_goes() -> None:
    numbers = masses.powers(300, 1, BITS)  # all but the first are 0, which takes no time
    assert sum(1 for _ in numbers) == 2**22 + 1


@pytest.mark.parametrize("a", [1.07, 1.5, 2.0, 2.45, 3.7, 10.0, 200.0, 300.0])
def test_zeta(a: float) -> None:
    with mpmath.workdps(DIGITS):
        assert error(masses.zeta(*a.as_integer_ratio(), BITS), mpmath.zeta(mpmath.mpf(a))) < 2**40


def check(distribution: Discrete, numbers: int, mass: Callable[[int], mpmath.mpf]) -> None:
    """Compare a table that begins at 1 with sums of `mass`, none of which is so near an integer that it may be one."""
    table = threshold_table(distribution, numbers)
    reached, wanted = mpmath.mpf(0), []
    for k in range(1, len(table.thresholds) + 1):
        reached += mass(k) * numbers
        assert numbers - reached < 1 or abs(reached - mpmath.nint(reached)) > mpmath.mpf(10) ** -40
        wanted.append(min(int(mpmath.ceil(reached)), numbers))
    assert wanted.index(numbers) == len(wanted) - 1
    assert_array_equal(table.thresholds[:-1], np.array(wanted[:-1], np.uint64))
    assert table.low == 1


@pytest.mark.parametrize("numbers", [101, 2**31 - 2, 2**32, 2**64])
@pytest.mark.parametrize("p", [1e-300, 1e-9, 0.3, 0.5, 0.99])
def test_logseries(p: float, numbers: int) -> None:
    with mpmath.workdps(DIGITS if p > 1e-100 else 800):
        total = -mpmath.log(1 - mpmath.mpf(p))
        check(Logseries(p), numbers, lambda k: mpmath.mpf(p) ** k / k / total)


@pytest.mark.parametrize(
    ("a", "numbers"),
    [(2.0, 101), (1.5, 101), (3.2, 2**32), (3.5, 2**31 - 2), (4.0, 2**32), (6.5, 2**64), (1e300, 2**64)],
)
def test_zipf(a: float, numbers: int) -> None:
    with mpmath.workdps(DIGITS):
        total = mpmath.zeta(mpmath.mpf(a)) if a < 1e10 else mpmath.mpf(1)
        check(Zipf(a), numbers, lambda k: mpmath.mpf(k) ** -mpmath.mpf(a) / total)


def test_logseries_of_0_is_always_1() -> None:
    table = threshold_table(Logseries(0), 2**32)
    assert (table.low, len(table.thresholds)) == (1, 1)


@pytest.mark.parametrize("distribution", [Logseries(1 - 1e-6), Zipf(3.5), Zipf(1.0001), Zipf(2)])
def test_a_table_that_would_be_too_large_is_refused(distribution: Discrete) -> None:
    with pytest.raises(
        ValueError, match=r"^\w+\(.*\) spreads over too many values: its table would need more than 4194304"
    ):
        threshold_table(distribution, 2**64)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Logseries(1), "p must be a number of 0 or more and below 1, not 1"),
        (lambda: Logseries(-0.5), "p must be a number of 0 or more and below 1, not -0.5"),
        (lambda: Zipf(1), "a must be a finite number above 1, not 1"),
        (lambda: Zipf(float("inf")), "a must be a finite number above 1, not inf"),
    ],
)
def test_parameters_out_of_range_are_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        make()
