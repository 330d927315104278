"""Thresholds of discrete distributions against sums in exact fractions, and in decimal numbers of 150 digits."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count
from math import ceil, comb

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from clrng.distributions import masses
from clrng.distributions.discrete import (
    Bernoulli,
    Binomial,
    Choice,
    Discrete,
    Geometric,
    Hypergeometric,
    Logseries,
    NegativeBinomial,
    Poisson,
    Zipf,
    guide_to,
    threshold_table,
)

NUMBERS = [3, 101, 2**31 - 2, 2**32, (2**31 - 2) ** 2, 2**61 - 1, 2**64]
SMALL_P = [0.5, 0.25, 0.1, 0.9, 1 / 3, 1.0]
DIGITS = 150


def cut(first: int, cumulated: Iterator[Fraction], numbers: int) -> tuple[int, list[int]]:
    """Return the table that the definition gives: from the first F(k)·N of 1 or more to the first above N - 1."""
    low, found = first, []
    for reached in cumulated:
        if not found and reached * numbers < 1:
            low += 1
            continue
        found.append(ceil(reached * numbers))
        if found[-1] == numbers:
            return low, found
    raise AssertionError("the probabilities do not sum up to 1")


def check(distribution: Discrete, numbers: int, low: int, thresholds: list[int]) -> None:
    table = threshold_table(distribution, numbers)
    assert table.low == low
    assert_array_equal(table.thresholds[:-1], np.array(thresholds[:-1], np.uint64))
    assert len(table.thresholds) == len(thresholds)
    assert thresholds[-1] == numbers


def summed(terms: Iterator[Fraction]) -> Iterator[Fraction]:
    reached = Fraction(0)
    for mass in terms:
        reached += mass
        yield reached


@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize("p", [*SMALL_P, 0.0])
@pytest.mark.parametrize("n", [0, 1, 2, 7, 32, 61, 64, 301])
def test_binomial(n: int, p: float, numbers: int) -> None:
    q = Fraction(p)
    terms = (comb(n, k) * q**k * (1 - q) ** (n - k) for k in range(n + 1))
    check(Binomial(n, p), numbers, *cut(0, summed(terms), numbers))


@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize("p", SMALL_P)
def test_geometric(p: float, numbers: int) -> None:
    q = 1 - Fraction(p)
    check(Geometric(p), numbers, *cut(1, (1 - q**k for k in count(1)), numbers))


@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize("urn", [(0, 0, 0), (5, 0, 3), (0, 5, 3), (3, 4, 7), (10, 20, 15), (25, 25, 25), (400, 3, 200)])
def test_hypergeometric(urn: tuple[int, int, int], numbers: int) -> None:
    good, bad, sample = urn
    ways = comb(good + bad, sample)
    lowest = max(0, sample - bad)
    terms = (Fraction(comb(good, k) * comb(bad, sample - k), ways) for k in range(lowest, min(good, sample) + 1))
    check(Hypergeometric(*urn), numbers, *cut(lowest, summed(terms), numbers))


@pytest.mark.sampled
@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize("p", SMALL_P)
@pytest.mark.parametrize("n", [1, 2, 5, 31])
def test_negative_binomial_of_integers(n: int, p: float, numbers: int) -> None:
    q = Fraction(p)
    terms = (comb(n + k - 1, k) * q**n * (1 - q) ** k for k in count())
    check(NegativeBinomial(n, p), numbers, *cut(0, summed(terms), numbers))


def decimals(cumulated: Callable[[int], mpmath.mpf], low: int, numbers: int, size: int) -> list[int]:
    """Return thresholds of decimal numbers, none of which is so near an integer that it may be one."""
    found = []
    for k in range(low, low + size):
        scaled = cumulated(k) * numbers
        assert numbers - scaled < 1 or abs(scaled - mpmath.nint(scaled)) > mpmath.mpf(10) ** -40
        found.append(min(int(mpmath.ceil(scaled)), numbers))
    return found


@pytest.mark.parametrize("numbers", [2**31 - 2, 2**32, (2**31 - 2) ** 2, 2**64])
@pytest.mark.parametrize("lam", [0.0, 1e-300, 1e-9, 0.1, 1.0, 3.5, 29.999, 1000.0, 1e6])
def test_poisson(lam: float, numbers: int) -> None:
    table = threshold_table(Poisson(lam), numbers)
    with mpmath.workdps(DIGITS):
        below = mpmath.gammainc(table.low, lam, regularized=True) if table.low else mpmath.mpf(0)
        assert below * numbers < 1
        mass, reached = (
            mpmath.exp(table.low * mpmath.log(lam or 1) - mpmath.mpf(lam) - mpmath.loggamma(table.low + 1)),
            below,
        )
        sums = []
        for k in range(table.low, table.low + len(table.thresholds)):
            reached += mass
            sums.append(reached)
            mass *= mpmath.mpf(lam) / (k + 1)
        assert sums[0] * numbers >= 1
        wanted = decimals(lambda k: sums[k - table.low], table.low, numbers, len(sums))
    check(Poisson(lam), numbers, table.low, wanted)
    assert wanted.index(numbers) == len(wanted) - 1


@pytest.mark.parametrize("numbers", [2**32, 2**64])
@pytest.mark.parametrize(("n", "p"), [(0.5, 0.3), (2.5, 0.1), (1e-9, 0.5), (150.25, 0.75), (1e-20, 0.01), (300, 0.05)])
def test_negative_binomial_of_real_numbers(n: float, p: float, numbers: int) -> None:
    table = threshold_table(NegativeBinomial(n, p), numbers)
    with mpmath.workdps(DIGITS):
        mass, reached, sums = mpmath.mpf(p) ** n, mpmath.mpf(0), []
        for k in range(table.low + len(table.thresholds)):
            reached += mass
            sums.append(reached)
            mass *= (mpmath.mpf(n) + k) / (k + 1) * (1 - mpmath.mpf(p))
        assert table.low == next(k for k, each in enumerate(sums) if each * numbers >= 1)
        wanted = decimals(lambda k: sums[k], table.low, numbers, len(table.thresholds))
    check(NegativeBinomial(n, p), numbers, table.low, wanted)
    assert wanted.index(numbers) == len(wanted) - 1


@given(
    st.lists(st.one_of(st.just(0.0), st.floats(1e-300, 1), st.integers(1, 9)), min_size=1, max_size=40),
    st.one_of(st.sampled_from(NUMBERS), st.integers(3, 2**64)),
)
def test_choice(weights: list[float], numbers: int) -> None:
    if sum(weights) == 0:
        weights[-1] = 1
    p = [float(weight / sum(weights)) for weight in weights]
    total = sum(map(Fraction, p))
    wanted = [ceil(reached / total * numbers) for reached in summed(map(Fraction, p))]
    check(Choice(p), numbers, 0, wanted[: wanted.index(numbers) + 1])
    drawn = {k for k, (t, before) in enumerate(zip(wanted, [0, *wanted], strict=False)) if t > before}
    assert all(p[k] > 0 for k in drawn)


@given(st.floats(0, 1), st.sampled_from(NUMBERS))
def test_bernoulli(p: float, numbers: int) -> None:
    table = threshold_table(Bernoulli(p), numbers)
    successes = numbers - (int(table.thresholds[0]) if len(table.thresholds) == 2 else numbers)
    assert successes == ceil(Fraction(p) * numbers)


@given(
    st.one_of(
        st.builds(Poisson, st.floats(0, 1e5)),
        st.builds(Geometric, st.floats(1e-3, 1)),
        st.builds(Binomial, st.integers(0, 10**9), st.floats(0, 1)),
        st.lists(st.integers(0, 5), min_size=1, max_size=300).filter(any).map(lambda w: Choice(np.array(w) / sum(w))),
    ),
    st.one_of(st.sampled_from(NUMBERS), st.integers(3, 2**64)),
)
def test_the_guide_leads_to_the_thresholds(distribution: Discrete, numbers: int) -> None:
    table = threshold_table(distribution, numbers)
    thresholds = [*table.thresholds[:-1].tolist(), numbers]
    assert thresholds == sorted(thresholds)
    last = len(thresholds) - 1
    for base, steps in ((2 if numbers < 2**32 else 2**20, 2), (numbers, 1)):
        behind = base if steps == 2 else 1 << max((numbers - 1).bit_length() - 32, 0)
        if (numbers - 1) // behind >= 2**32:  # tops have 32 bits
            continue
        found = guide_to(table, base, steps)
        tops, guide = [threshold // behind for threshold in thresholds], found.guide.tolist()
        assert found.tops[:-1].tolist() == tops[:-1]
        assert len(guide) == ((numbers - 1) // behind >> found.shift) + 2 <= 2**16 + 1
        for g, least in enumerate(guide[:-1]):
            assert least == last or tops[least] >= g << found.shift
            assert least == 0 or tops[least - 1] < g << found.shift
        assert guide[-1] == last
        assert 2**found.halvings > np.diff(guide).max()


def test_a_table_is_kept_and_cannot_be_changed() -> None:
    table = threshold_table(Poisson(2.5), 2**64)
    assert threshold_table(Poisson(np.float32(2.5)), 2**64) is table
    assert not table.thresholds.flags.writeable
    found = guide_to(table, 2**32, 2)
    assert guide_to(table, 2**32, 2) is found
    assert not found.guide.flags.writeable
    assert not found.tops.flags.writeable


@pytest.mark.parametrize(
    ("distribution", "numbers"),
    [
        (Poisson(1e12), 2**32), (Poisson(6e10), 2**64), (Poisson(1e18), 2**64), (Binomial(2**63 - 1, 0.5), 2**64),
        (Geometric(1e-5), 2**64), (Geometric(1e-300), 2**64), (NegativeBinomial(1, 1e-6), 2**64),
        (NegativeBinomial(1e300, 0.5), 2**64), (Hypergeometric(2**62, 2**62, 2**61), 2**64),
    ],
)  # fmt: skip
def test_a_table_that_would_be_too_large_is_refused(distribution: Discrete, numbers: int) -> None:
    with pytest.raises(
        ValueError, match=r"^\w+\(.*\) spreads over too many values: its table would need more than 4194304"
    ):
        threshold_table(distribution, numbers)


@pytest.mark.parametrize(
    ("distribution", "numbers"),
    [
        (Poisson(5.5e10), 2**64), (Poisson(1.3e11), 2**32), (Poisson(1e15), 3), (Binomial(2**63 - 1, 0.3), 3),
        (Binomial(3 * 10**12, 0.05), 2**32), (Geometric(1.05e-5), 2**64), (Geometric(5.2e-6), 2**32),
        (Logseries(1 - 8e-6), 2**64), (Logseries(1 - 4e-6), 2**32), (Zipf(3.8), 2**64), (Zipf(1 + 2**-52), 3),
        (NegativeBinomial(1, 1.5e-5), 2**32), (NegativeBinomial(0.01, 4e-6), 3), (NegativeBinomial(2.0**53, 0.5), 3),
        (Hypergeometric(10**15, 10**15, 10**13), 2**64),
    ],
)  # fmt: skip
def test_a_refusal_comes_before_any_mass_is_made(
    distribution: Discrete, numbers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(*_: object) -> None:
        raise AssertionError("masses are made")

    for name in ("around_mode", "recurrence", "thresholds"):
        monkeypatch.setattr(masses, name, made)
    with pytest.raises(ValueError, match="spreads over too many values"):
        distribution.thresholds(numbers)


@pytest.mark.parametrize(
    ("distribution", "numbers"),
    [
        (Poisson(5.3e10), 2**64), (Poisson(1.13e11), 2**32), (Geometric(1.06e-5), 2**64), (Geometric(5.3e-6), 2**32),
        (Logseries(1 - 9.5e-6), 2**64), (Logseries(1 - 4.1e-6), 2**32), (NegativeBinomial(1, 1.53e-5), 2**32),
        (NegativeBinomial(5e-324, 4e-6), 2**64), (Logseries(5e-324), 2**64), (NegativeBinomial(1, 1), 2**64),
    ],
)  # fmt: skip
def test_no_estimate_refuses_what_fits_a_table(
    distribution: Discrete, numbers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(masses, "around_mode", lambda *_: (0, [1]))
    monkeypatch.setattr(masses, "thresholds", lambda *_: (0, [numbers]))
    assert distribution.thresholds(numbers)[1] == [numbers]


@pytest.mark.parametrize("numbers", [2**32, 2**64])
@pytest.mark.parametrize(("n", "p"), [(2**63 - 1, 1e-17), (2**63 - 1, 5e-324), (10**12, 1e-9), (2**40, 3e-12)])
def test_binomial_of_many_trials(n: int, p: float, numbers: int) -> None:
    with mpmath.workdps(DIGITS):
        q = mpmath.mpf(p)
        mass, reached, sums = mpmath.exp(n * mpmath.log1p(-q)), mpmath.mpf(0), []
        for k in range(5000):
            reached += mass
            sums.append(reached)
            if numbers * (1 - reached) < 1:
                break
            mass *= mpmath.mpf(n - k) / (k + 1) * q / (1 - q)
        low = next(k for k, each in enumerate(sums) if each * numbers >= 1)
        check(Binomial(n, p), numbers, low, decimals(lambda k: sums[k], low, numbers, len(sums) - low))


@pytest.mark.parametrize("numbers", [2**32, 2**64])
@pytest.mark.parametrize(
    "urn", [(2**63 - 1, 2**63 - 1, 40), (3, 2**63 - 1, 2**62), (10**15, 7, 10**15), (200, 10**9, 10**8)]
)
def test_hypergeometric_of_large_urns(urn: tuple[int, int, int], numbers: int) -> None:
    good, bad, sample = urn
    lowest = max(0, sample - bad)
    with mpmath.workdps(DIGITS):
        mass, terms = mpmath.mpf(1), [mpmath.mpf(1)]
        for k in range(lowest, min(good, sample)):
            mass *= mpmath.mpf((good - k) * (sample - k)) / ((k + 1) * (bad - sample + k + 1))
            terms.append(mass)
        total, reached, sums = mpmath.fsum(terms), mpmath.mpf(0), []
        for term in terms:
            reached += term / total
            sums.append(reached if len(sums) < len(terms) - 1 else mpmath.mpf(1))
        low = next(k for k, each in enumerate(sums) if each * numbers >= 1)
        size = next(k for k, each in enumerate(sums) if numbers * (1 - each) < 1) + 1 - low
        check(Hypergeometric(*urn), numbers, lowest + low, decimals(lambda k: sums[k], low, numbers, size))


def test_a_table_of_a_million_entries() -> None:
    table = threshold_table(Poisson(3e9), 2**64)
    assert 900_000 < len(table.thresholds) < 1_100_000
    with mpmath.workdps(60):
        for i in (0, 400_000, 500_000, len(table.thresholds) - 2):
            cumulated = mpmath.gammainc(table.low + i + 1, 3e9, regularized=True)
            assert mpmath.ceil(cumulated * 2**64) == int(table.thresholds[i])


@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), 10**400, -1e-300, 9.3e18])
def test_a_rate_out_of_range_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match=r"^lam must be a number from 0 to 9\.223372006484771e\+18, not "):
        Poisson(value)


@pytest.mark.parametrize("value", ["1", None, True, np.True_, 1j, [1.0], np.array([1.0])])
def test_what_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match=r"^lam must be a number from 0 to 9\.223372006484771e\+18, not "):
        Poisson(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Binomial(-1, 0.5), "n must be an integer from 0 to 9223372036854775807, not -1"),
        (lambda: Binomial(5, 1.5), "p must be a number from 0 to 1, not 1.5"),
        (lambda: Geometric(0), "p must be a number above 0 and at most 1, not 0"),
        (lambda: NegativeBinomial(0, 0.5), "n must be a finite number above 0, not 0"),
        (lambda: NegativeBinomial(1, 0), "p must be a number above 0 and at most 1, not 0"),
        (lambda: Hypergeometric(2, 3, 6), "nsample must be an integer from 0 to 5, not 6"),
        (lambda: Hypergeometric(-2, 3, 0), "ngood must be an integer from 0 to 9223372036854775807, not -2"),
        (lambda: Bernoulli(-0.1), "p must be a number from 0 to 1, not -0.1"),
        (lambda: Choice([0.5, -0.5]), r"p\[1\] must be a number from 0 to 1, not -0.5"),
        (lambda: Choice([0.5, float("nan")]), r"p\[1\] must be a number from 0 to 1, not nan"),
        (lambda: Choice(np.array([0.25, 1.75])), r"p\[1\] must be a number from 0 to 1, not .*1.75.*"),
        (lambda: Choice(np.array([0.5, np.nan, 0.5])), r"p\[1\] must be a number from 0 to 1, not .*nan.*"),
        (lambda: Choice([0.5, 0.6]), r"p must be a sequence .* whose sum is 1, and its sum is 1.1; divide p by it"),
        (lambda: Choice([]), r"p must be a sequence of one or more numbers from 0 to 1 whose sum is 1, not \[\]"),
        (lambda: Choice(np.ones((1, 1))), r"p must be .*, not an array of shape \(1, 1\)"),
        (lambda: threshold_table(Poisson(1), 2), "numbers must be an integer from 3 to 18446744073709551616, not 2"),
    ],
)
def test_parameters_out_of_range_are_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        make()


@pytest.mark.parametrize("p", ["ab", 0.5, None, {0.5}, ["0.5", 0.5], np.array([1j])])
def test_what_are_no_probabilities_is_refused(p: object) -> None:
    with pytest.raises(TypeError, match=r"^p"):
        Choice(p)  # type: ignore[arg-type]


def test_probabilities_may_sum_up_nearly_to_1() -> None:
    sums = [1 + 1e-8, 1 - 1e-8]
    assert [len(threshold_table(Choice([total / 2] * 2), 2**64).thresholds) for total in sums] == [2, 2]
    third = np.full(3, 1 / 3, np.float32)
    assert_array_equal(threshold_table(Choice(third), 2**64).thresholds[:2], [-(-(2**64) // 3), -(-(2**65) // 3)])
    with pytest.raises(ValueError, match="^p must be"):
        Choice([0.5, 0.5 + 2e-8])
