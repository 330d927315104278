"""Bounds that are arrays: what is worked out at once is what a law for each pair of bounds gives."""

from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions import ranges
from clrng.distributions.by_element import ByElements, Whole
from clrng.distributions.distribution import REALS
from clrng.distributions.elements import by_elements
from clrng.distributions.ranges import RANGES, Ranges
from clrng.distributions.transforms.uniform import INTERVALS
from clrng.frontends.looks import LookOnDevice

RAW_VALUES = (2, 6, 2**24, 2**31 - 2, 2**31, 2**32 - 5, 2**32, 2**61 - 1, 2**64 - 59, 2**64)
DRAWN = np.random.default_rng(2026)
POWERS = 2 ** np.arange(63)
ENDS = np.concatenate([POWERS, POWERS - 1, POWERS + 1, [10**18, 3 * 2**40, 2**63 - 2], DRAWN.integers(2**62, size=50)])


@pytest.fixture(autouse=True)
def all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "FEW", 0)


def both(name: str, **given: Any) -> tuple[Any, ByElements]:
    """Return the distribution of elements, and the same of laws."""
    held = {key: value for key, value in given.items() if isinstance(value, np.ndarray)}
    shape = np.broadcast_shapes(*(each.shape for each in held.values()))
    return by_elements(name, given, held, shape), ByElements(name, given, held, shape)


def flat(transform: Any) -> list[tuple[Any, ...]]:
    """Return the transform of each law, what it takes in a kernel, and what it is given."""
    found: dict[int, tuple[Any, ...]] = {}
    for kind in transform.kinds:
        for law, number in enumerate(kind.rows.numbers.tolist()):
            if number != 2**32 - 1:
                values = [each.numbers.numbers[number] for each in kind.arguments]
                assert [each.dtype for each in values] == [np.asarray(each).dtype for each in kind.transform.arguments]
                assert [each.declaration for each in kind.arguments] == list(kind.transform.parameters)
                found[law] = kind.transforms[number], kind.transforms[number].arguments, kind.transform, values
    return [found[law] for law in sorted(found)]


def assert_same(at_once: Any, by_laws: Any) -> None:
    assert (at_once.steps, at_once.dtype, at_once.of_halves) == (by_laws.steps, by_laws.dtype, by_laws.of_halves)
    assert_array_equal(at_once.each, by_laws.each)
    assert len(at_once.kinds) == len(by_laws.kinds)
    assert flat(at_once) == flat(by_laws)


@pytest.mark.parametrize("raw_values", RAW_VALUES)
def test_integers(raw_values: int) -> None:
    low = DRAWN.integers(-(2**62), 0, ENDS.size)
    for given in (
        {"low": ENDS[ENDS > 0]}, {"low": low, "high": ENDS}, {"low": -5, "high": ENDS, "endpoint": True},
        {"low": np.arange(-128, 127), "high": 127, "dtype": "int8"},
        {"low": np.arange(300, dtype=np.uint64), "high": np.uint64(2**63 - 1), "dtype": "uint64"},
        {"low": np.array([[-(2**63)], [5], [7]]), "high": ENDS[ENDS > 7].reshape(1, -1)},
    ):  # fmt: skip
        at_once, by_laws = both("integers", **{"dtype": "int64", "high": None} | given)
        dtype = np.dtype(str(given.get("dtype", "int64")))
        assert isinstance(at_once, Ranges)
        assert at_once._bounds is not None
        assert at_once.fits_half(dtype) == by_laws.fits_half(dtype) is False
        assert_same(at_once.transform(1, raw_values + 1, dtype), by_laws.transform(1, raw_values + 1, dtype))


def test_halves() -> None:
    at_once, by_laws = both("integers", low=np.arange(9), high=np.arange(9) + 2**32, dtype="int64")
    assert at_once.fits_half(np.dtype("int64")) == by_laws.fits_half(np.dtype("int64")) is True
    whole = Whole(of_halves=True, begins={}, shapes={})
    part = by_elements("integers", {"low": -1, "dtype": "int64"}, {"high": ENDS}, ENDS.shape, whole)
    assert part.fits_half(np.dtype("int64"))


def reals(dtype: str) -> np.ndarray:
    """Return numbers of all sizes whose sums and differences a float has."""
    drawn = np.ldexp(DRAWN.uniform(-1, 1, 100), DRAWN.integers(-30, 60, 100))
    few = [-1.0, -0.0, 0.0, 1.0, 0.1, 2.0**-20, 1e30, -1e30, float(np.finfo(dtype).max) / 4, 3.0, 2.0**24 + 1]
    return np.sort(np.unique(np.concatenate([drawn, few]).astype(dtype))).astype(np.float64)


@pytest.mark.parametrize("raw_values", RAW_VALUES)
@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize("name", REALS)
def test_uniform_numbers(raw_values: int, interval: str, name: str) -> None:
    bounds, dtype = reals(name), np.dtype(name)
    some = DRAWN.permutation(bounds[:-9])
    above = bounds[np.searchsorted(bounds, some) + DRAWN.integers(2, 10, some.size)]
    for given in (
        {"low": some, "high": above},
        {"low": bounds[:-1], "high": float(bounds[-1])},
        {"high": np.arange(1, 20)},
    ):
        at_once, by_laws = both("uniform", **given, interval=interval)
        assert at_once.fits_half(dtype) == by_laws.fits_half(dtype)
        assert_same(at_once.transform(0, raw_values, dtype), by_laws.transform(0, raw_values, dtype))
        assert at_once._made(*at_once._bounds, raw_values, dtype) is not None
        numpys = [each.numpys(dtype) for each in (at_once, by_laws)]
        if name == "float64" and interval == "[)":
            assert_same(*numpys)
        else:
            assert numpys == [None, None]


@pytest.mark.parametrize(
    "given",
    [
        {"low": np.array([0.0, 1e-310]), "high": np.array([1.0, 2e-310])},  # not normal
        {"low": np.array([0.0, 5e-324]), "high": np.array([1.0, 1e300])},
        {"low": np.array([-1.5e308, 0.0]), "high": 1.5e308},
        {"low": np.array([0, 1], np.float16), "high": 2},
    ],
)
def test_others_have_laws(given: dict[str, Any]) -> None:
    at_once, by_laws = both("uniform", **given, interval="[]")
    for name in ("float64", "float32", "float16"):
        assert told(at_once, name) == told(by_laws, name)


def told(distribution: Any, name: str) -> Any:
    """Return what a distribution has for a dtype, or its error."""
    try:
        return flat(distribution.transform(0, 2**64, np.dtype(name)))
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("integers", {"low": 0, "high": np.array([5, 3, 0])}, "above 0, which is low, not 0, as element 2"),
        ("integers", {"low": 0, "high": np.array([5, 300]), "dtype": "int8"}, "not 300, as dtype is int8"),
        ("integers", {"low": np.array([5, 3]), "high": np.array([9, 3])}, "above 3, which is low, not 3, as element 1"),
        ("integers", {"low": np.array([5.5, 3]), "high": 10}, "low must be an integer"),
        ("uniform", {"low": np.array([0.0, np.nan])}, "low must be"),
        ("uniform", {"low": np.array([0.0, 1.0]), "high": 1.0}, "high must be above low, 1.0, not 1.0"),
        ("uniform", {"low": np.zeros(3), "high": 1.0, "interval": "|)"}, "interval must be"),
    ],
)  # fmt: skip
def test_errors_are_those_of_laws(queue: cl.CommandQueue, name: str, given: dict[str, Any], message: str) -> None:
    held = {key: value for key, value in given.items() if isinstance(value, np.ndarray)}
    whole = {"dtype": "int64", "high": None} | given if name == "integers" else given
    shape = np.broadcast_shapes(*(each.shape for each in held.values()))
    with pytest.raises((ValueError, TypeError), match=message):
        RANGES[clrng.distributions.catalog.DISTRIBUTIONS[name].law](name, whole, held, shape, look=LookOnDevice(queue))


@pytest.mark.parametrize("bits", [clrng.PCG64(seed=1), clrng.ParkMiller(seed=1)], ids=["pcg64", "park_miller"])
def test_values_are_those_of_laws(
    queue: cl.CommandQueue, bits: clrng.BitGenerator, monkeypatch: pytest.MonkeyPatch
) -> None:
    low, high = DRAWN.integers(-100, 100, (2, 5000))
    many = [np.sort(np.stack([low, high + 10**6]), axis=0), np.stack([low, low + np.abs(high) + 1])]
    found: list[list[Any]] = []
    for few in (0, 2**20):
        monkeypatch.setattr(ranges, "FEW", few)
        rng = clrng.Generator(bits.copy(), queue)
        drawn = [rng.integers(*bounds).get() for bounds in many]
        drawn += [rng.uniform(bounds[0] - 0.25, bounds[1], dtype="float32").get() for bounds in many]
        found.append(drawn)
    for at_once, by_laws in zip(*found, strict=True):
        assert_array_equal(at_once, by_laws)
