"""Bounds that are arrays: values are those of a law for each pair of bounds, and so are steps and errors."""

from math import prod
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions.by_element import ByElements, Whole
from clrng.distributions.distribution import REALS
from clrng.distributions.elements import by_elements
from clrng.distributions.ranges import RANGES, Ranges
from clrng.distributions.transforms.in_ranges import FloatBounds, InRanges, IntegerBounds
from clrng.distributions.transforms.uniform import INTERVALS, grid
from clrng.fill.ranges import range_sizes
from clrng.frontends.looks import LARGE, LookOnDevice
from clrng.opencl.devices import describe

RAW_VALUES = (2, 6, 2**24, 2**31 - 2, 2**31, 2**32 - 5, 2**32, 2**61 - 1, 2**64 - 59, 2**64)
DRAWN = np.random.default_rng(2026)
POWERS = 2 ** np.arange(63)
ENDS = np.concatenate([POWERS, POWERS - 1, POWERS + 1, [10**18, 3 * 2**40, 2**63 - 2], DRAWN.integers(2**62, size=50)])
BITS = {
    "pcg64": clrng.PCG64(seed=1), "park_miller": clrng.ParkMiller(seed=1), "mt19937": clrng.MT19937(seed=1),
    "mrg32k3a": clrng.MRG32k3a(1), "zx81": clrng.LCG(75, 0, 65537, seed=1),
}  # fmt: skip


def both(name: str, **given: Any) -> tuple[Any, ByElements]:
    """Return the distribution of elements, and the same of laws."""
    held = {key: value for key, value in given.items() if isinstance(value, np.ndarray)}
    shape = np.broadcast_shapes(*(each.shape for each in held.values()))
    return by_elements(name, given, held, shape), ByElements(name, given, held, shape)


OF_INTEGERS: list[dict[str, Any]] = [
    {"low": ENDS[ENDS > 0]},
    {"low": DRAWN.integers(-(2**62), 0, ENDS.size), "high": ENDS},
    {"low": -5, "high": ENDS, "endpoint": True},
    {"low": -5, "high": POWERS[:40] - 6, "endpoint": True},
    {"low": np.arange(-128, 127), "high": 127, "dtype": "int8"},
    {"low": np.arange(300, dtype=np.uint64), "high": np.uint64(2**63 - 1), "dtype": "uint64"},
    {"low": np.array([[-(2**63)], [5], [7]]), "high": ENDS[ENDS > 7].reshape(1, -1)},
]


@pytest.mark.parametrize("raw_values", RAW_VALUES)
@pytest.mark.parametrize("given", OF_INTEGERS)
def test_steps_are_those_of_laws(given: dict[str, Any], raw_values: int) -> None:
    at_once, by_laws = both("integers", **{"dtype": "int64", "high": None} | given)
    dtype = np.dtype(str(given.get("dtype", "int64")))
    assert at_once.fits_half(dtype) == by_laws.fits_half(dtype) is False
    found = at_once.transform(1, raw_values + 1, dtype)
    assert isinstance(found, InRanges)
    assert found.steps == by_laws.transform(1, raw_values + 1, dtype).steps


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


def pairs(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return lower and upper bounds, some with no float of that name between them."""
    bounds, kind = reals(name), np.dtype(name)
    some = DRAWN.permutation(np.resize(bounds[:-9], 400))
    above = bounds[np.searchsorted(bounds, some) + DRAWN.integers(1, 10, some.size)]
    next_ones = np.nextafter(some.astype(kind), kind.type(np.inf)).astype(np.float64)
    return some, np.where(np.arange(some.size) % 9 == 0, next_ones, above)


def has_usual_grid(low: float, high: float, interval: str, dtype: np.dtype[Any]) -> bool:
    """Return whether there are numbers between two bounds, and they and the bounds are not subnormal."""
    try:
        found = grid(low, high, interval, dtype)
    except ValueError:
        return False
    tiny = np.finfo(dtype).tiny
    return found.unit >= tiny and all(not 0 < abs(dtype.type(each)) < tiny for each in (low, high))


@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize("name", REALS)
def test_what_is_between_floats(queue: cl.CommandQueue, name: str, interval: str) -> None:
    if name == "float64" and not describe(queue.device).fp64:
        pytest.skip("the device has no double precision")
    low, high = pairs(name)
    odd = [[np.nan, 1.0], [0.0, np.inf], [2.0, 2.0], [3.0, 1.0], [0.0, 1e-45], [1e-320, 1.0], [-0.0, 0.0], [-1.0, 1.0]]
    low, high = np.append(low, [a for a, _ in odd]), np.append(high, [b for _, b in odd])
    bounds, expected = FloatBounds(name, interval), []
    for a, b in zip(low.tolist(), high.tolist(), strict=True):
        expected.append(has_usual_grid(a, b, interval, np.dtype(name)))
    assert not all(expected)
    assert_array_equal(bounds.sizes(low, high), expected)
    for a, b, taken in zip(low.astype(name), high.astype(name), expected, strict=True):
        given = [cla.to_device(queue, np.array([each])) for each in (a, b)]
        assert range_sizes(queue, bounds, *given) == (taken, taken), (a, b)


def drawn_by_laws(rng: clrng.Generator, draw: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what `draw` makes with a copy of a generator where every pair of bounds has a law."""
    with monkeypatch.context() as patched:
        patched.setattr(Ranges, "_sizes", lambda *_: (0, 0))
        return draw(clrng.Generator(rng.bit_generator.copy(), rng.queue))


@pytest.mark.parametrize("name", BITS)
def test_integers_are_those_of_laws(queue: cl.CommandQueue, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = clrng.Generator(BITS[name].copy(), queue)
    for given in OF_INTEGERS:
        for place in (lambda each: each, lambda each: upload_if_array(queue, each)):
            placed = {key: place(value) for key, value in given.items()}
            expected = drawn_by_laws(rng, lambda other, given=given: other.integers(**given), monkeypatch)
            made: Any = rng.integers(**placed)
            assert_array_equal(made.get(), expected.get())


def upload_if_array(queue: cl.CommandQueue, value: Any) -> Any:
    return cla.to_device(queue, value) if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize("interval", INTERVALS)
@pytest.mark.parametrize("name", BITS)
def test_uniform_numbers_are_those_of_laws(
    queue: cl.CommandQueue, name: str, interval: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, fp64 = clrng.Generator(BITS[name].copy(), queue), describe(queue.device).fp64
    for dtype in REALS if fp64 else REALS[:1] if REALS[0] == "float32" else ("float32",):
        low, high = pairs(dtype)
        usual = FloatBounds(dtype, interval).sizes(low, high) > 0
        low, high = low[usual], high[usual]
        narrow = [each.astype(dtype) for each in (low, high)]
        for given in (
            (low, high), (narrow[0], high), [cla.to_device(queue, each) for each in narrow],
            (cla.to_device(queue, low), narrow[1]), (low[:7, None], float(low.max()) * 2 + 1), (-1e9, np.arange(1, 9)),
        ):  # fmt: skip
            expected = drawn_by_laws(
                rng, lambda other, given=given, dtype=dtype: other.uniform(*given, dtype=dtype, interval=interval),
                monkeypatch,
            )  # fmt: skip
            made: Any = rng.uniform(*given, dtype=dtype, interval=interval)
            assert made.dtype == dtype
            assert made.get().tobytes() == expected.get().tobytes()


def test_many_and_strided(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays that the device looks at, columns of them, and results in every second place."""
    rng, n = clrng.Generator(BITS["pcg64"].copy(), queue), LARGE + 77
    low = DRAWN.integers(-100, 100, n)
    high = low + 1 + abs(low[::-1])
    out: Any = cla.zeros(queue, 2 * n, np.int64)
    expected = drawn_by_laws(rng, lambda other: other.integers(low, high).get(), monkeypatch)
    rng.integers(low, high, out=out[::2])
    assert_array_equal(out.get(), np.stack([expected, np.zeros_like(expected)], axis=1).reshape(-1))
    rows = low[: n // 7 * 7].reshape(-1, 7), np.full(7, 1000)
    expected = drawn_by_laws(rng, lambda other: other.uniform(*rows).get(), monkeypatch)
    assert_array_equal(rng.uniform(*rows).get(), expected)
    assert prod(expected.shape) > LARGE


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
    """Return the steps of a distribution for a dtype, or its error."""
    try:
        return distribution.transform(0, 2**64, np.dtype(name)).steps
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
        ("uniform", {"low": np.array([1e-40, 0, 0]), "high": np.array([1, 0, np.nan])}, "not 0.0, as element 1 of"),
        ("uniform", {"low": np.array([0.0, 1.0]), "high": 1.0}, "high must be above low, 1.0, not 1.0"),
        ("uniform", {"low": np.zeros(3), "high": 1.0, "interval": "|)"}, "interval must be"),
    ],
)  # fmt: skip
def test_errors_are_those_of_laws(queue: cl.CommandQueue, name: str, given: dict[str, Any], message: str) -> None:
    held = {key: value for key, value in given.items() if isinstance(value, np.ndarray)}
    whole = {"dtype": "int64", "high": None} | given if name == "integers" else given
    shape = np.broadcast_shapes(*(each.shape for each in held.values()))
    law = RANGES[clrng.distributions.catalog.DISTRIBUTIONS[name].law]
    with pytest.raises((ValueError, TypeError), match=message):
        law(name, whole, held, shape, look=LookOnDevice(queue)).transform(0, 2**64, np.dtype("float64"))


def test_the_error_of_the_first_element(queue: cl.CommandQueue) -> None:
    rng, wide = clrng.default_rng(1, queue), np.array([1.0, 1e308])
    draws = [
        (lambda: rng.uniform([1e-40, 5.0], 4.0), "high must be above low, 5.0, not 4.0, as element 1 of low has it"),
        (lambda: rng.gamma([1, 2**70]), "shape must be .* not 1180591620717411303424, as element 1 of shape has it"),
    ]
    draws += [(lambda: rng.uniform([0, 1], [2, 3], interval=["[)"]), "interval must be one of")]
    if queue.device.double_fp_config:
        draws += [
            (lambda: rng.uniform(-wide, wide, dtype="float64"), "finite float64 away from low, .* as element 1 of")
        ]
    for draw, message in draws:
        with pytest.raises((TypeError, ValueError), match=message):
            draw()
    assert rng.bit_generator == clrng.default_rng(1).bit_generator


def test_one_law_of_many_elements(queue: cl.CommandQueue) -> None:
    """Bounds that are not taken have one law, however many elements have them, and are looked at once."""
    rng, many = clrng.default_rng(1, queue), np.full(3 * 10**5, 2**63 + 5, np.uint64)
    made: Any = rng.integers(2**63, many, dtype="uint64").get()
    assert set(np.unique(made).tolist()) == set(range(2**63, 2**63 + 5))


def test_bounds_with_many_axes(queue: cl.CommandQueue) -> None:
    low = cla.to_device(queue, np.arange(16, dtype=np.int32).reshape(2, 1, 2, 1, 2, 1, 2))
    high = cla.to_device(queue, 99 - np.arange(8, dtype=np.int32).reshape(1, 2, 1, 2, 1, 2, 1))
    bounds = IntegerBounds("int32", True, -(2**31), 2**31 - 1)
    assert range_sizes(queue, bounds, low, high) == (99 - 7 - 15 + 1, 100)
