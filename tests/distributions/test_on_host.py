"""Values that the host makes: exactly those of thresholds, and of mpmath where there are no tables."""

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pytest

import clrng
from clrng.distributions import masses, on_host
from clrng.distributions.discrete import (
    Binomial,
    Discrete,
    Geometric,
    Hypergeometric,
    Logseries,
    NegativeBinomial,
    Poisson,
    Zipf,
    threshold_table,
)

Given = dict[str, npt.NDArray[Any]]
COUNT = 400


def several(random: np.random.Generator, kind: str) -> tuple[type[Discrete], Given]:
    """Return a kind of distributions, and parameters of many of them."""
    n = COUNT
    if kind == "hypergeometric":
        good, bad = random.integers(0, 900, n), random.integers(0, 900, n)
        return Hypergeometric, {
            "ngood": good,
            "nbad": bad,
            "nsample": (random.random(n) * (good + bad + 1)).astype(int),
        }
    found: dict[str, tuple[type[Discrete], Given]] = {
        "poisson": (Poisson, {"lam": np.exp2(random.uniform(-60, 13, n))}),
        "no poisson": (Poisson, {"lam": np.zeros(n)}),
        "binomial": (Binomial, {"n": random.integers(0, 2000, n), "p": random.random(n)}),
        "binomial of rare ends": (
            Binomial, {"n": random.integers(0, 20, n), "p": random.choice([0, 1e-300, 0.5, 1 - 2**-53, 1], n)},
        ),
        "large binomial": (
            Binomial, {"n": random.integers(2**40, 2**60, n), "p": np.exp2(random.uniform(-60, -55, n))},
        ),
        "negative binomial": (
            NegativeBinomial, {"n": np.exp2(random.uniform(-20, 8, n)), "p": random.random(n) * 0.95 + 0.05},
        ),
        "few": (Hypergeometric, {"ngood": random.integers(0, 9, n), "nbad": random.integers(0, 9, n),
                                 "nsample": np.zeros(n, np.int64)}),
        "logseries": (Logseries, {"p": 1 - np.exp2(random.uniform(-8, 0, n))}),
        "geometric": (Geometric, {"p": np.exp2(random.uniform(-8, 0, n))}),
        "zipf": (Zipf, {"a": random.uniform(6, 40, n)}),
    }  # fmt: skip
    return found[kind]


KINDS = (
    "poisson", "no poisson", "binomial", "binomial of rare ends", "large binomial", "negative binomial", "few",
    "hypergeometric", "logseries", "geometric", "zipf",
)  # fmt: skip


def numbers_below(random: np.random.Generator, numbers: int) -> npt.NDArray[np.uint64]:
    """Return numbers below another: a half anywhere, and a quarter near to each end."""
    found = [int(x) for x in np.exp2(random.uniform(0, np.log2(float(numbers)), COUNT)).tolist()]
    made = [int(random.integers(0, 2**62)) * numbers // 2**62 for _ in range(COUNT // 2)]
    made += [min(x, numbers - 1) for x in found[: COUNT // 4]] + [max(numbers - x, 0) for x in found[: COUNT // 4]]
    made[0], made[-1] = 0, numbers - 1
    return np.array(random.permutation(np.array(made, object)).tolist(), np.uint64)


@pytest.mark.parametrize("numbers", [2**64, 2**48, (2**31 - 2) ** 2])
@pytest.mark.parametrize("kind", KINDS)
def test_values_are_those_of_tables(kind: str, numbers: int) -> None:
    random = np.random.default_rng(KINDS.index(kind))
    law, given = several(random, kind)
    found = numbers_below(random, numbers)
    made = on_host.values(law, given, found, numbers)
    for i, number in enumerate(found.tolist()):
        table = threshold_table(law(**{key: each[i].item() for key, each in given.items()}), numbers)
        expected = table.low + int(np.searchsorted(table.thresholds[:-1], np.uint64(number), side="right"))
        assert made[i] == expected, (law, number, {key: each[i] for key, each in given.items()})


def test_nothing_hangs_on_what_is_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(5)
    for kind in ("poisson", "binomial", "geometric", "zipf"):
        law, given = several(random, kind)
        given = {key: each[:40] for key, each in given.items()}
        found = numbers_below(random, 2**64)[:40]
        made = on_host.values(law, given, found, 2**64)
        with monkeypatch.context() as context:
            context.setattr(on_host, "CERTAIN", 2.0)
            context.setattr(on_host, "SURE_BITS", -1)
            np.testing.assert_array_equal(on_host.values(law, given, found, 2**64), made)


def is_value(reached: Callable[[int], Any], k: int, number: int, numbers: int) -> bool:
    """Return whether k is the smallest value with `reached` times N, rounded up, above X."""
    here, before = (mpmath.ceil(reached(each) * numbers) for each in (k, k - 1))
    return bool(here > number and (k == 1 or before <= number))


@pytest.mark.parametrize("a", [1 + 1e-9, 1.001, 1.05, 1.5, 1.99, 2.0, 2.01, 2.5, 3.7])
def test_zipf_of_any_exponent_is_mpmaths(a: float) -> None:
    numbers, count = 2**64, 25
    found = numbers_below(np.random.default_rng(7), numbers)[:count]
    made = on_host.values(Zipf, {"a": np.full(count, a)}, found, numbers)
    with mpmath.workdps(70):
        whole, end = mpmath.zeta(mpmath.mpf(a)), mpmath.zeta(mpmath.mpf(a), 2**63)
        end = end if end * numbers > whole else mpmath.mpf(0)
        for number, k in zip(found.tolist(), made.tolist(), strict=True):
            assert is_value(
                lambda j: 1 - (mpmath.zeta(mpmath.mpf(a), j + 1) - end) / (whole - end), k, number, numbers
            )  # fmt: skip
    assert made.min() >= 1


@pytest.mark.parametrize("p", [1e-17, 1e-9, 1e-6, 0.3, 1 - 2**-53])
def test_geometric_of_any_probability_is_mpmaths(p: float) -> None:
    numbers, count = 2**64, 60
    found = numbers_below(np.random.default_rng(7), numbers)[:count]
    made = on_host.values(Geometric, {"p": np.full(count, p)}, found, numbers)
    with mpmath.workdps(70):
        for number, k in zip(found.tolist(), made.tolist(), strict=True):
            assert is_value(lambda j: 1 - (1 - mpmath.mpf(p)) ** j, k, number, numbers)


@pytest.mark.parametrize("a", [1.0000001, 1.5, 2.0, 7.25, 30.0])
def test_sums_of_powers_are_mpmaths(a: float) -> None:
    numerator, denominator = a.as_integer_ratio()
    for k in (1, 2, 63, 64, 65, 10**6, 2**63):
        with mpmath.workdps(90):
            right = mpmath.zeta(mpmath.mpf(a), k)
            made = mpmath.mpf(masses.zeta_from(k, numerator, denominator, 224)) / 2**224
            assert abs(made - right) < mpmath.mpf(2) ** -150


BITS: dict[str, Callable[[], clrng.BitGenerator]] = {
    "halves": lambda: clrng.PCG64(4),
    "short": lambda: clrng.ParkMiller(seed=7),
    "lagged": lambda: clrng.LaggedFibonacci((5, 17), "+", seed=3),
}


@pytest.mark.parametrize("law", [Binomial, NegativeBinomial])
@pytest.mark.parametrize("bits", BITS)
def test_generators_draw_them(queue: cl.CommandQueue, bits: str, law: Any) -> None:
    name = "binomial" if law is Binomial else "negative_binomial"
    n = np.arange(2000) % 50 + (law is NegativeBinomial)
    p = np.linspace(0.1 if law is NegativeBinomial else 0, 1, 2000)
    generator = BITS[bits]()
    base = generator.upper_bound - generator.min_value
    steps = 1 if base > 2**32 else 2
    raw = [int(value) - generator.min_value for value in generator.sequence(2000 * steps).tolist()]
    expected = []
    for i in range(2000):
        number = raw[i] if steps == 1 else raw[2 * i] * base + raw[2 * i + 1]
        table = threshold_table(law(int(n[i]), float(p[i])), base**steps)
        expected.append(table.low + int(np.searchsorted(table.thresholds[:-1], np.uint64(number), side="right")))
    rng = clrng.Generator(BITS[bits](), queue)
    np.testing.assert_array_equal(getattr(rng, name)(n, p).get(), expected)
    generator.advance(2000 * steps)
    assert rng.bit_generator.state == generator.state
    parts = [clrng.Generator(BITS[bits](), queue).piece(rank, 3) for rank in range(3)]
    drawn = [getattr(each, name)(n.reshape(40, 50), p.reshape(40, 50), (40, 50)).get() for each in parts]
    np.testing.assert_array_equal(np.concatenate(drawn).reshape(-1), expected)
    several = clrng.MultiDeviceGenerator(BITS[bits](), [queue, cl.CommandQueue(queue.context)], shares=[1, 2])
    np.testing.assert_array_equal(getattr(several, name)(n, p).get(), expected)


def test_a_wide_number_is_that_of_an_array(queue: cl.CommandQueue) -> None:
    alone = clrng.Generator(clrng.PCG64(4), queue).zipf(2, size=(40, 3)).get()
    rng = clrng.Generator(clrng.PCG64(4), queue)
    array = rng.zipf([2.0, 7.0, 1.5], size=(40, 3)).get()
    np.testing.assert_array_equal(array[:, 0], alone[:, 0])
    narrow = clrng.Generator(clrng.PCG64(4), queue).zipf(7, size=(40, 3)).get()
    np.testing.assert_array_equal(array[:, 1], narrow[:, 1])
    single = clrng.Generator(clrng.PCG64(4), queue)
    law = clrng.distribution("zipf", a=2)
    np.testing.assert_array_equal([single.zipf(2).get()[()] for _ in range(5)], alone.reshape(-1)[:5])
    np.testing.assert_array_equal(single.sample(law, 115).get(), alone.reshape(-1)[5:])
    assert single.bit_generator.state == rng.bit_generator.state
