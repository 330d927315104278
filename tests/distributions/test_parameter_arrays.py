"""Parameters that are arrays: every element has the value that the call with its parameters makes of its raw values."""

import gc
import weakref
from array import array
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from scipy import stats

import clrng
from clrng.distributions import by_element
from clrng.distributions.discrete import Poisson, threshold_table
from clrng.distributions.shapes import SURFACES
from clrng.distributions.transforms import poisson

BITS: dict[str, Callable[[], clrng.BitGenerator]] = {
    "halves": lambda: clrng.PCG64(4),
    "short": lambda: clrng.ParkMiller(seed=7),
    "words": clrng.MRG32k3a,
    "lagged": lambda: clrng.LaggedFibonacci((5, 17), "+", seed=3),
}

CASES: dict[str, tuple[dict[str, Any], tuple[int, ...]]] = {
    "poisson": ({"lam": [0.0, 1e-9, 3.5, 200.0]}, (9, 4)),
    "binomial": ({"n": np.arange(6).reshape(2, 3), "p": 0.3}, (7, 2, 3)),
    "negative_binomial": ({"n": [0.5, 3.0], "p": [[0.25], [0.5], [1.0]]}, (7, 3, 2)),
    "geometric": ({"p": [0.3, 1.0]}, (9, 2)),
    "hypergeometric": ({"ngood": [30, 10], "nbad": 5, "nsample": [[7], [9]]}, (7, 2, 2)),
    "logseries": ({"p": [0.0, 0.5]}, (9, 2)),
    "zipf": ({"a": [5.0, 9.0]}, (9, 2)),
    "uniform": ({"low": [0.0, -1.0], "high": [[1.0], [5.0]]}, (7, 2, 2)),
    "standard_gamma": ({"shape": [0.002, 0.1, 2.0, 77.0]}, (9, 4)),
    "gamma": ({"shape": [[0.1], [2.0]], "scale": [1.0, 3.0, 0.0]}, (7, 2, 3)),
    "beta": ({"a": [0.5, 2.0], "b": [[1.0], [30.0]]}, (7, 2, 2)),
    "lognormal": ({"mean": [0.0, 2.0], "sigma": [[0.1], [3.0]]}, (7, 2, 2)),
    "vonmises": ({"mu": [0.0, 2.0], "kappa": [[0.1], [3.0]]}, (7, 2, 2)),
    "weibull": ({"a": [0.001, 5.0]}, (9, 2)),
    "pareto": ({"a": [0.5, 5.0]}, (9, 2)),
    "power": ({"a": [0.5, 5.0]}, (9, 2)),
    "triangular": ({"left": [0.0, 1.0], "mode": 2.0, "right": [3.0, 5.0]}, (9, 2)),
    "wald": ({"mean": [0.5, 5.0], "scale": 2.0}, (9, 2)),
    "chisquare": ({"df": [0.5, 5.0]}, (9, 2)),
    "f": ({"dfnum": [0.5, 5.0], "dfden": 7.0}, (9, 2)),
    "standard_t": ({"df": [1.0, 5.0]}, (9, 2)),
    "noncentral_chisquare": ({"df": [1.0, 5.0], "nonc": 2.0}, (9, 2)),
    "noncentral_f": ({"dfnum": 3.0, "dfden": [1.0, 5.0], "nonc": [0.0, 4.0]}, (9, 2)),
}


UNITS = 24
"""What calls with an array of shapes, and with one shape, may be off together: 8 and 16 units of 2^-24."""

SIZES = {"standard_t": 0.5, "vonmises": 6.0}
"""What values of both signs count at least, where the calls with one shape are off: angles have `mu` added."""


def same_bits(found: Any, expected: Any) -> None:
    """Compare arrays of the device or the host bit for bit, and their shapes and dtypes."""
    found, expected = (each.get() if isinstance(each, cla.Array) else each for each in (found, expected))
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    found, expected = (np.ascontiguousarray(each).view(np.uint8) for each in (found, expected))
    np.testing.assert_array_equal(found, expected)


def one_element(name: str, given: dict[str, Any], parameters: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return parameters that are numbers, but for shapes that are arrays in what is `given`: these have one element."""
    shapes = {key for key in given if np.ndim(given[key]) and name in SURFACES and SURFACES[name].are_of({key: None})}
    return {key: [value] if key in shapes else value for key, value in parameters}


def of_each(
    queue: cl.CommandQueue, make: Callable[[], clrng.BitGenerator], name: str, given: dict[str, Any],
    size: tuple[int, ...], *, as_numbers: bool = False, **options: Any,
) -> npt.NDArray[Any]:  # fmt: skip
    """Return what the calls with the parameters of each element draw there."""
    make_call = dict if as_numbers else partial(one_element, name, given)
    parts = dict(zip(given, np.broadcast_arrays(*given.values(), np.empty(size))[:-1], strict=True))
    result: npt.NDArray[Any] | None = None
    combinations = list(zip(*(each.reshape(-1).tolist() for each in parts.values()), strict=True))
    for combination in dict.fromkeys(combinations):
        rng = clrng.Generator(make(), queue)
        call = make_call(zip(given, combination, strict=True))
        drawn = getattr(rng, name)(**call, size=size, **options).get()
        result = np.empty_like(drawn) if result is None else result
        here = np.array([each == combination for each in combinations]).reshape(size)
        result[here] = drawn[here]
    assert result is not None
    return result


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("name", CASES)
def test_an_element_has_the_value_of_the_call_with_its_parameters(queue: cl.CommandQueue, name: str, bits: str) -> None:
    given, size = CASES[name]
    rng = clrng.Generator(BITS[bits](), queue)
    same_bits(getattr(rng, name)(**given, size=size), of_each(queue, BITS[bits], name, given, size))
    moved = clrng.Generator(BITS[bits](), queue)
    getattr(moved, name)(**{key: np.ravel(value)[-1].item() for key, value in given.items()}, size=size)
    assert rng.bit_generator.state == moved.bit_generator.state


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("name", [name for name in CASES if name in SURFACES])
def test_values_of_shapes_are_near_those_of_one_shape(queue: cl.CommandQueue, name: str, bits: str) -> None:
    given, size = CASES[name]
    drawn = getattr(clrng.Generator(BITS[bits](), queue), name)(**given, size=size).get()
    expected = of_each(queue, BITS[bits], name, given, size, as_numbers=True)
    np.testing.assert_allclose(drawn, expected, UNITS * 2.0**-24, UNITS * 2.0**-24 * SIZES.get(name, 2.0**-100))


def test_the_shape_is_that_of_the_parameters(queue: cl.CommandQueue) -> None:
    rng = clrng.default_rng(1, queue)
    assert rng.gamma([[1.0], [2.0]], [1.0, 2.0, 3.0]).shape == (2, 3)
    assert rng.poisson(np.array(3.0)).shape == ()
    assert rng.poisson([]).shape == (0,)
    assert rng.poisson([1, 2], size=(4, 2), dtype="uint8").dtype == np.uint8
    assert rng.standard_gamma([], dtype=np.float32).dtype == np.float32
    assert rng.uniform([], dtype="float16").dtype == np.float16
    with pytest.raises(ValueError, match="dtype must be float32 or float64, not float16"):
        rng.standard_gamma([], dtype="float16")


def test_a_size_may_be_an_array(queue: cl.CommandQueue) -> None:
    drawn = clrng.default_rng(1, queue).poisson(3.0, np.array([2, 3]))
    same_bits(drawn, clrng.default_rng(1, queue).poisson(3.0, (2, 3)))
    with pytest.raises(ValueError, match=r"size\[1\] must be an integer from 0 to .*, not -1"):
        clrng.default_rng(1, queue).poisson(3.0, np.array([2, -1]))


def steps_of(n: int, base: int) -> int:
    """Return the fewest digits to the base whose integers below n are off by 2^-40 at most (Canon's method)."""
    steps = 1
    while base**steps % n and n * 2**38 > base**steps:
        steps += 1
    return steps


@pytest.mark.parametrize("bits", BITS)
def test_integers_take_the_steps_of_the_widest_range(queue: cl.CommandQueue, bits: str) -> None:
    lows, highs = np.array([0, -5, 7]), np.array([1000, 2**40, 9])
    rng, generator = clrng.Generator(BITS[bits](), queue), BITS[bits]()
    drawn = rng.integers(lows, highs, (50, 3)).get()
    base = generator.upper_bound - generator.min_value
    steps = max(steps_of(int(n), base) for n in highs - lows)
    raw = [value - generator.min_value for value in generator.sequence(150 * steps).tolist()]
    expected = []
    for i, (low, n) in enumerate(zip(lows.tolist() * 50, (highs - lows).tolist() * 50, strict=True)):
        own, number = steps_of(n, base), 0
        for digit in raw[i * steps : i * steps + own]:
            number = number * base + digit
        expected.append(low + number * n // base**own)
    same_bits(drawn, np.array(expected).reshape(50, 3))
    generator.advance(150 * steps)
    assert rng.bit_generator.state == generator.state


def test_lists_of_integers_that_no_dtype_holds_together(queue: cl.CommandQueue) -> None:
    lows, highs = [-(2**63), 2**62], [2**63, 2**62 + 1]
    rng = clrng.Generator(clrng.PCG64(4), queue)
    drawn = rng.integers(lows, highs, (50, 2)).get()
    raw = clrng.PCG64(4).sequence(100).tolist()
    same_bits(drawn, np.array([value - 2**63 if i % 2 == 0 else 2**62 for i, value in enumerate(raw)]).reshape(50, 2))
    again = clrng.Generator(clrng.PCG64(4), queue).integers(np.array(lows, object), np.array(highs, object), (50, 2))
    same_bits(again, drawn)
    wide = rng.integers([2**63, 0], [2**64, 1], (50, 2), dtype="uint64").get()
    assert wide[:, 0].min() >= 2**63
    assert not wide[:, 1].any()


def test_uniform_numbers_between_arrays_are_numpys(queue: cl.CommandQueue) -> None:
    if not queue.device.double_fp_config:
        pytest.skip("the device has no double precision")
    low, high = np.linspace(-3, 3, 70), np.linspace(4, 5, 40)[:, np.newaxis]
    drawn = clrng.default_rng(4, queue).uniform(low, high, dtype="float64")
    same_bits(drawn, np.random.default_rng(4).uniform(low, high))


def exact_poisson(bits: clrng.BitGenerator, means: npt.NDArray[Any], dtype: Any = np.int64) -> npt.NDArray[Any]:
    """Return the Poisson numbers of raw values by exact thresholds."""
    base = bits.upper_bound - bits.min_value
    steps = 1 if base > 2**32 else 2
    raw = [int(value) - bits.min_value for value in bits.sequence(means.size * steps).tolist()]
    found = []
    for i, mean in enumerate(means.reshape(-1).tolist()):
        number = 0
        for digit in raw[i * steps : (i + 1) * steps]:
            number = number * base + digit
        table = threshold_table(Poisson(mean), base**steps)
        found.append(table.low + int(np.searchsorted(table.thresholds[:-1], np.uint64(number), side="right")))
    return np.array(found, dtype).reshape(means.shape)


MEANS = {
    "float32 of an image": lambda random: (random.random((40, 60)) * 255).astype(np.float32),
    "float64 from 0 on": lambda random: random.random((40, 60)) * 3,
    "tiny and large ones": lambda random: np.exp2(random.uniform(-70, 15.99, (40, 60))),
    "uint8": lambda random: random.integers(0, 256, (40, 60)).astype(np.uint8),
    "int64": lambda random: random.integers(0, 1000, (40, 60)),
}


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("kind", MEANS)
def test_poisson_numbers_of_many_means_are_those_of_exact_thresholds(
    queue: cl.CommandQueue, kind: str, bits: str
) -> None:
    means: npt.NDArray[Any] = MEANS[kind](np.random.default_rng(5))
    rng = clrng.Generator(BITS[bits](), queue)
    same_bits(rng.poisson(means), exact_poisson(BITS[bits](), means))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint32"])
def test_poisson_numbers_of_many_means_have_every_dtype(queue: cl.CommandQueue, dtype: str) -> None:
    means = np.linspace(0, 40, 1500)
    drawn = clrng.Generator(clrng.PCG64(4), queue).poisson(means, dtype=dtype)
    same_bits(drawn, exact_poisson(clrng.PCG64(4), means, dtype))


def exact_reached(mean: float, k: int) -> float:
    """Return the probability of k or less in units of 2^-32, from exact thresholds."""
    table = threshold_table(Poisson(mean), 2**64)
    if k < table.low:
        return 0.0
    return 2.0**32 if k - table.low >= len(table.thresholds) - 1 else int(table.thresholds[k - table.low]) / 2**32


def hermite(ends: list[tuple[float, float, float]], width: float, t: float) -> float:
    """Return the polynomial of degree 5 with two ends' values, first and second derivatives, at the part t between."""
    (f, d, s), (g, e, r) = ends
    d, e, s, r = d * width, e * width, s * width**2, r * width**2
    basis = np.array([1 - 10 * t**3 + 15 * t**4 - 6 * t**5, t - 6 * t**3 + 8 * t**4 - 3 * t**5,
                      t**2 / 2 - 1.5 * t**3 + 1.5 * t**4 - t**5 / 2, t**3 / 2 - t**4 + t**5 / 2,
                      -4 * t**3 + 7 * t**4 - 3 * t**5, 10 * t**3 - 15 * t**4 + 6 * t**5])  # fmt: skip
    return float(basis @ [f, d, s, r, e, g])


@pytest.mark.parametrize("octave", range(-1, 10))
def test_the_interpolation_is_far_closer_than_what_is_not_sure(octave: int) -> None:
    found = poisson.cells(9)
    reached, rows = found.reached.numbers.reshape(-1, 2), found.cells.numbers.reshape(-1, 4)
    count = 1 << (poisson.octave_bits(octave) if octave >= 0 else poisson.CELL_BITS)
    first, least = (int(found.first.numbers[octave]), 2.0**octave) if octave >= 0 else (0, 0.0)
    width = max(least, 1.0) / count
    random = np.random.default_rng(octave + 9)
    for inside in random.integers(0, count, 5).tolist():
        t, v = float(random.random()), first + inside
        mean = least + (inside + t) * width
        for k in range(max(int(mean - 2 * mean**0.5), 0), int(mean + 3 * mean**0.5) + 2, max(int(mean**0.5), 1)):
            ends = []
            for end in (0, 1):
                own = reached[int(rows[v, 0]) - 3 : int(rows[v + 1, 0]) - 3, end]
                f0, f1, f2 = (int(own[np.clip(k - i - int(rows[v, 1]) + 3, 0, len(own) - 1)]) for i in range(3))
                ends.append((f0, -(f0 - f1), (f0 - f1) - (f1 - f2)))
            assert abs(hermite(ends, width, t) - exact_reached(mean, k)) < poisson.UNSURE / 2


@pytest.fixture
def expected() -> npt.NDArray[Any]:
    """Return what every front end must draw."""
    return clrng.Generator(clrng.PCG64(4)).poisson(LAM, size=(30, 4, 3)).get()


LAM = np.arange(12).reshape(4, 3) * 7.5


def test_front_ends_draw_the_same(queue: cl.CommandQueue, expected: npt.NDArray[Any]) -> None:
    size = (30, 4, 3)
    same_bits(clrng.Generator(clrng.PCG64(4), queue).poisson(cla.to_device(queue, LAM), size=size), expected)
    same_bits(clrng.Generator(clrng.PCG64(4), queue).poisson(LAM, size=size, out=np.ndarray), expected)
    same_bits(
        clrng.MultiDeviceGenerator(clrng.PCG64(4), [queue, cl.CommandQueue(queue.context)])
        .poisson(LAM, size=size)
        .get(),
        expected,
    )
    ranks = [clrng.Generator(clrng.PCG64(4), queue).piece(rank, 3) for rank in range(3)]
    same_bits(np.concatenate([rng.poisson(LAM, size=size).get() for rng in ranks]), expected)
    many = np.linspace(0, 90, 1500 * 3).reshape(1500, 3)
    whole = clrng.Generator(clrng.PCG64(4), queue).poisson(many).get()
    ranks = [clrng.Generator(clrng.PCG64(4), queue).piece(rank, 3) for rank in range(3)]
    same_bits(np.concatenate([rng.poisson(many, size=many.shape).get() for rng in ranks]), whole)
    same_bits(
        clrng.MultiDeviceGenerator(clrng.PCG64(4), [queue, cl.CommandQueue(queue.context)]).poisson(many).get(), whole
    )


FROZEN: dict[str, tuple[Any, tuple[int, ...], Callable[[int, int], Any]]] = {
    "gamma": (
        stats.gamma([1.0, 2.0], scale=[[1.0], [3.0]]), (9, 2, 2),
        lambda i, j: stats.gamma([1.0, 2.0][j], scale=[1.0, 3.0][i]),
    ),
    "weibull": (
        stats.weibull_min(c=[[2.0], [5.0]], loc=0.5), (9, 2, 2), lambda i, _: stats.weibull_min([2.0, 5.0][i], 0.5),
    ),
    "poisson": (stats.poisson([1.5, 20.0]), (9, 2, 2), lambda _, j: stats.poisson([1.5, 20.0][j])),
    "norm": (stats.norm([[1], [3]], [1.0, 2.0]), (9, 2, 2), lambda i, j: stats.norm([1, 3][i], [1.0, 2.0][j])),
}  # fmt: skip
"""Frozen distributions of SciPy, the shape of values, and the distribution of those in rows (i, j)."""


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("name", FROZEN)
def test_frozen_distributions_of_scipy(queue: cl.CommandQueue, name: str, bits: str) -> None:
    frozen, size, one = FROZEN[name]
    rng = clrng.Generator(BITS[bits](), queue)
    drawn = rng.sample(frozen, size)
    for i, j in np.ndindex(*size[1:]):
        alone = clrng.Generator(BITS[bits](), queue)
        same_bits(drawn.get()[:, i, j], alone.sample(one(i, j), size).get()[:, i, j])
        assert alone.bit_generator == rng.bit_generator
    many = clrng.MultiDeviceGenerator(BITS[bits](), [queue, cl.CommandQueue(queue.context)], shares=[1, 2])
    same_bits(many.sample(frozen, size).get(), drawn)
    ranks = [clrng.Generator(BITS[bits](), queue).piece(rank, 2) for rank in range(2)]
    same_bits(np.concatenate([rank.sample(frozen, size).get() for rank in ranks]), drawn)


def test_frozen_distributions_have_the_shape_of_their_parameters(queue: cl.CommandQueue) -> None:
    rng = clrng.default_rng(1, queue)
    assert rng.sample(stats.gamma([[1.0], [2.0]], [0.0, 1.0, 2.0])).shape == (2, 3)
    assert rng.sample(stats.poisson([])).dtype == np.int64
    out = cla.zeros(queue, (4, 2), np.int32)
    rng = clrng.Generator(clrng.PCG64(4), queue)
    assert rng.sample(stats.poisson([3.0, 500.0]), out=out) is out
    same_bits(out, clrng.Generator(clrng.PCG64(4), queue).sample(stats.poisson([3.0, 500.0]), (4, 2), dtype="int32"))
    with pytest.raises(
        ValueError, match=r"size must be a shape to which a of shape \(2,\) can be broadcast, not \(3,\)"
    ):
        rng.sample(stats.gamma([1.0, 2.0]), 3)


NAMED: dict[str, tuple[dict[str, Any], tuple[int, ...]]] = CASES | {
    "normal": ({"loc": [0.0, 5.0], "scale": [[1.0], [2.0]]}, (7, 2, 2)),
    "exponential": ({"scale": [1.0, 2.5]}, (7, 2)),
    "integers": ({"low": [1, 2], "high": 9}, (7, 2)),
}


@pytest.mark.parametrize("name", NAMED)
def test_sample_takes_arrays_by_name(queue: cl.CommandQueue, name: str) -> None:
    given, size = NAMED[name]
    expected = getattr(clrng.Generator(clrng.PCG64(4), queue), name)(**given, size=size)
    same_bits(clrng.Generator(clrng.PCG64(4), queue).sample(clrng.distribution(name, **given), size), expected)


def test_a_distribution_has_copies_of_arrays(queue: cl.CommandQueue) -> None:
    lam = np.array([1.0, 2.0])
    chosen = clrng.distribution("poisson", lam=lam)
    expected = clrng.default_rng(4, queue).poisson(lam).get()
    lam[:] = -1
    same_bits(clrng.default_rng(4, queue).sample(chosen), expected)
    small = clrng.distribution("integers", low=[1, 2], high=300, dtype="int16")
    assert clrng.default_rng(4, queue).sample(small).dtype == np.int16
    with pytest.raises(ValueError, match="high must be an integer from .*, as dtype is uint8"):
        clrng.default_rng(4, queue).sample(small, dtype="uint8")


def test_slices_are_filled(queue: cl.CommandQueue, expected: npt.NDArray[Any]) -> None:
    out = cla.zeros(queue, (30, 4, 6), np.int64)
    clrng.Generator(clrng.PCG64(4), queue).poisson(LAM, out=out[..., 1::2])
    same_bits(out.get()[..., 1::2], expected)
    assert not out.get()[..., ::2].any()
    held = np.zeros((30, 4, 6), np.int64)
    clrng.Generator(clrng.PCG64(4), queue).poisson(LAM, out=held[..., ::2])
    same_bits(held[..., ::2], expected)


def test_halves_that_wait_are_taken_first(queue: cl.CommandQueue) -> None:
    drawn = []
    for shape in ([[1.0], [2.5]], 2.5):
        rng = clrng.Generator(clrng.PCG64(4), queue)
        rng.random(3, "float32")
        drawn.append(rng.noncentral_chisquare(3.0, shape, size=(2, 700)).get())
        drawn.append(rng.random(5, "float32").get())
    same_bits(drawn[0][1], drawn[2][1])
    same_bits(drawn[1], drawn[3])


def test_arrays_are_not_kept(queue: cl.CommandQueue) -> None:
    rng = clrng.default_rng(4, queue)
    for n in (2, 2000):
        lam = np.arange(n) / 8
        seen = weakref.ref(lam)
        rng.poisson(lam).get()
        del lam
        gc.collect()
        assert seen() is None


LIMITS = {"MAX_LAWS": 3, "MAX_TABLE_BYTES": 2**16}
SEVERAL: dict[str, tuple[dict[str, Any], tuple[int, ...]]] = {
    "beta": ({"a": np.arange(1, 9).reshape(8, 1) / 4, "b": [1.0, 3.0]}, (5, 8, 2)),
    "vonmises": ({"mu": 0.5, "kappa": np.arange(1, 9) / 4}, (5, 8)),
}


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("bits", ["halves", "short"])
@pytest.mark.parametrize("name", SEVERAL)
def test_tables_are_made_in_parts(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, name: str, bits: str, limit: str
) -> None:
    given, size = SEVERAL[name]
    expected = of_each(queue, BITS[bits], name, given, size)
    monkeypatch.setattr(by_element, limit, LIMITS[limit])
    same_bits(getattr(clrng.Generator(BITS[bits](), queue), name)(**given, size=size), expected)
    out = cla.zeros(queue, (*size[:-1], 2 * size[-1]), np.float32)
    getattr(clrng.Generator(BITS[bits](), queue), name)(**given, out=out[..., ::2])
    same_bits(out.get()[..., ::2], expected)
    ranks = [clrng.Generator(BITS[bits](), queue).piece(rank, 2) for rank in range(2)]
    same_bits(np.concatenate([getattr(each, name)(**given, size=size).get() for each in ranks]), expected)
    several = clrng.MultiDeviceGenerator(BITS[bits](), [queue, cl.CommandQueue(queue.context)], shares=[1, 1])
    same_bits(getattr(several, name)(**given, size=size).get(), expected)


def test_a_part_that_is_not_legal_comes_before_the_first(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_element, "MAX_LAWS", 3)
    rng = clrng.Generator(clrng.PCG64(4), queue)
    out = cla.zeros(queue, 8, np.float32)
    with pytest.raises(ValueError, match="mean.* must be at most 3.4.* as dtype is float32"):
        rng.lognormal(np.array([1.0, 2, 3, 4, 5, 6, 7, 300]), 0.5, out=out)
    assert not out.get().any()
    assert rng.bit_generator.state == clrng.PCG64(4).state


@pytest.mark.parametrize("size", [(7, 9), (300, 513)])
def test_parameters_of_a_device_need_not_be_contiguous(queue: cl.CommandQueue, size: tuple[int, int]) -> None:
    whole = (np.arange(size[0] * size[1]).reshape(size) % 5003 / 100).astype(np.float32)
    held = cla.to_device(queue, whole)
    for cut in (np.s_[:, ::2], np.s_[1:, 1], np.s_[::-1], np.s_[3, ::-2]):
        for given, same in ((held[cut], whole[cut]), (held.T[cut], whole.T[cut])):
            for name in ("poisson", "exponential", "normal"):
                drawn = getattr(clrng.Generator(clrng.PCG64(4), queue), name)(given)
                same_bits(drawn, getattr(clrng.Generator(clrng.PCG64(4), queue), name)(same))
    streams = [clrng.Streams.by_jumps(clrng.MRG32k3a(), 4, distance=2**100, queue=queue) for _ in range(2)]
    laws = [clrng.distribution("normal", loc=each[:4, 1], scale=each[2:6, 3]) for each in (held, whole)]
    same_bits(*(stream.sample(law, 3) for stream, law in zip(streams, laws, strict=True)))


class Series:
    """An array of another library, such as a series of pandas."""

    def __init__(self, values: list[float]) -> None:
        self._values = np.array(values)
        self.shape, self.dtype = self._values.shape, self._values.dtype

    def __array__(self, *_: Any, **__: Any) -> npt.NDArray[Any]:
        return self._values


@pytest.mark.parametrize(
    "values", [range(1, 4), deque([1, 2, 3]), array("d", [1.0, 2.0, 3.0]), Series([1.0, 2.0, 3.0])]
)
def test_any_sequence_is_taken_as_an_array(queue: cl.CommandQueue, values: Any) -> None:
    for name in ("poisson", "normal", "standard_gamma"):
        rngs = [clrng.Generator(clrng.PCG64(4), queue) for _ in range(2)]
        same_bits(*(getattr(rng, name)(each, size=(5, 3)) for rng, each in zip(rngs, (values, [1, 2, 3]), strict=True)))
    laws = [clrng.distribution("poisson", lam=each) for each in (values, [1, 2, 3])]
    same_bits(*(clrng.Generator(clrng.PCG64(4), queue).sample(law) for law in laws))


@pytest.mark.parametrize("values", ["123", b"123", {1, 2}, {1: 2}])
def test_what_is_no_sequence_of_numbers_is_refused(queue: cl.CommandQueue, values: Any) -> None:
    rng = clrng.Generator(clrng.PCG64(4), queue)
    with pytest.raises(TypeError, match="lam must be a number from 0 to .*, not"):
        rng.poisson(values)


def test_the_argument_that_does_not_fit_is_named(queue: cl.CommandQueue) -> None:
    rng, out = clrng.Generator(clrng.PCG64(4), queue), cla.zeros(queue, (2, 3), np.int64)
    said = {
        "^size must be a shape to which lam of shape \\(2,\\) can be broadcast, not \\(3,\\)$": lambda: rng.poisson(
            [1, 2], 3
        ),
        "^out must have a shape to which lam of shape \\(2,\\) can be broadcast, not \\(2, 3\\)$": lambda: rng.poisson(
            [1, 2], out=out
        ),
        "^p must have a shape that can be broadcast with n of shape \\(3,\\), not \\(2,\\)$": lambda: rng.binomial(
            [1, 2, 3], [0.5, 0.5], out=out
        ),
        "^out must have rows in a shape to which n of shape \\(3,\\) and pvals of shape \\(\\) can be broadcast, not": (
            lambda: rng.multinomial([1, 2, 3], [0.5, 0.2, 0.3], out=out)
        ),
    }
    for message, call in said.items():
        with pytest.raises(ValueError, match=message):
            call()


LARGE = (257, 256)
"""The shape of arrays that stay on the device."""

ON_DEVICE: dict[str, tuple[str, dict[str, npt.NDArray[Any]]]] = {
    "many means": ("poisson", {"lam": (np.arange(257 * 256).reshape(LARGE) / 300).astype(np.float32)}),
    "means with -0.0": ("poisson", {"lam": np.where(np.arange(257 * 256) % 3, 2.5, -0.0).reshape(LARGE)}),
    "bytes": ("poisson", {"lam": (np.arange(257 * 256).reshape(LARGE) % 251).astype(np.uint8)}),
    "shapes": ("standard_gamma", {"shape": (np.arange(257 * 256).reshape(LARGE) % 5 + 0.5).astype(np.float32)}),
    "two": ("binomial", {"n": np.arange(257 * 256).reshape(LARGE) % 7, "p": np.arange(256) % 3 / 4}),
    "pairs": (
        "binomial",
        {"n": np.arange(257 * 256).reshape(LARGE) % 7, "p": np.arange(257 * 256).reshape(LARGE) // 9 % 4 / 4},
    ),
    "places": ("normal", {"loc": np.arange(256), "scale": np.arange(257 * 256).reshape(LARGE) / 7}),
    "shapes and scales": (
        "gamma",
        {"shape": np.arange(256) % 5 + 0.5, "scale": np.arange(257 * 256).reshape(LARGE) / 7},
    ),
    "few ratios": ("wald", {"mean": np.arange(257 * 256).reshape(LARGE) % 7 + 0.7, "scale": np.arange(256) % 3 + 0.3}),
    "many ratios": (
        "wald",
        {"mean": np.exp2(np.arange(257 * 256).reshape(LARGE) % 33 - 15.5), "scale": np.arange(256) % 3 + 0.3},
    ),
}
"""Methods, and arrays of parameters."""


@pytest.mark.parametrize("case", ON_DEVICE)
def test_large_arrays_of_the_device(queue: cl.CommandQueue, case: str) -> None:
    name, given = ON_DEVICE[case]
    if not queue.device.double_fp_config:
        given = {key: each.astype(np.float32) if each.dtype == np.float64 else each for key, each in given.items()}
    held = {key: cla.to_device(queue, each) for key, each in given.items()}
    expected = of_each_row(queue, name, given)
    another = {key: each.with_queue(cl.CommandQueue(queue.context)) for key, each in held.items()}
    transposed = {key: cla.to_device(queue, np.asfortranarray(each)) for key, each in given.items()}
    for form in (given, held, another, given if name == "normal" else transposed):
        rng = clrng.Generator(clrng.PCG64(4), queue)
        found = getattr(rng, name)(**form, size=LARGE)
        same_bits(found.get()[expected.rows], expected.values)
    ranks = [clrng.Generator(clrng.PCG64(4), queue).piece(rank, 3) for rank in range(3)]
    pieces = [getattr(rng, name)(**(given if name == "normal" else held), size=LARGE).get() for rng in ranks]
    same_bits(np.concatenate(pieces), found)


def of_each_row(queue: cl.CommandQueue, name: str, given: dict[str, Any]) -> Any:
    """Return the values of a few rows, of calls of small arrays, and which rows these are."""
    rows = np.array([0, 1, 100, 256])
    parts = [np.broadcast_to(each, LARGE) for each in given.values()]
    values = []
    for row in rows.tolist():
        rng = clrng.Generator(clrng.PCG64(4), queue)
        steps = 1 if name in ("poisson", "binomial") else 0.5  # float32 takes halves
        rng.bit_generator.advance(int(row * 256 * steps))
        values.append(getattr(rng, name)(**{key: each[row] for key, each in zip(given, parts, strict=True)}).get())
    return SimpleNamespace(rows=rows, values=np.array(values))


@pytest.mark.parametrize("case", ["many means", "shapes"])
def test_large_arrays_of_the_device_stay_there(
    queue: cl.CommandQueue, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, given = ON_DEVICE[case]
    held = {key: cla.to_device(queue, each) for key, each in given.items()}
    copied, get = [], cla.Array.get

    def counted(array: cla.Array, *args: Any, **options: Any) -> Any:
        copied.append(array.size)
        return get(array, *args, **options)

    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    getattr(rng, name)(**held)  # which proves the kernels, if they are not yet
    monkeypatch.setattr(cla.Array, "get", counted)
    getattr(rng, name)(**held)
    assert max(copied, default=0) < 257 * 256


def test_means_and_values_in_the_same_memory(queue: cl.CommandQueue) -> None:
    lam = ON_DEVICE["many means"][1]["lam"]
    held = cla.to_device(queue, lam)
    drawn = clrng.Generator(clrng.PCG64(4), queue).poisson(held, out=held.view(np.int32))
    same_bits(drawn, clrng.Generator(clrng.PCG64(4), queue).poisson(lam, dtype="int32"))


@pytest.mark.parametrize(("bad", "shown"), [(-1.0, "-1.0"), (np.nan, "nan"), (np.inf, "inf"), (-np.inf, "-inf")])
def test_elements_of_the_device_that_are_not_legal(queue: cl.CommandQueue, bad: float, shown: str) -> None:
    array = np.full(LARGE, 2.5, np.float32)
    array[3, 5] = array[200, 1] = bad
    held = cla.to_device(queue, array)
    rng = clrng.Generator(clrng.PCG64(4), queue)
    for name, key in (("poisson", "lam"), ("standard_gamma", "shape"), ("geometric", "p"), ("exponential", "scale")):
        if name == "geometric":
            held.fill(0.5)
            held[3, 5] = np.float32(bad)
        with pytest.raises(ValueError, match=rf"{key} must be .*, not {shown}, as element \(3, 5\) of {key} has it"):
            getattr(rng, name)(held)
    assert rng.bit_generator.state == clrng.PCG64(4).state


ERRORS = [
    (lambda rng: rng.poisson([1.0, -2, 3]), "lam must be .*, not -2.0, as element 1 of lam has it"),
    (lambda rng: rng.poisson([[1.0], [np.nan]], size=(2, 7)), r"lam must be .*, not nan, as element \(1, 0\) of lam"),
    (lambda rng: rng.poisson(np.where(np.arange(3000) == 2500, -1, 5.5)), "not -1.0, as element 2500 of lam has it"),
    (lambda rng: rng.poisson(np.where(np.arange(3000) == 2500, np.inf, 5.5)), "not inf, as element 2500 of lam has it"),
    (lambda rng: rng.poisson(np.arange(70_000) - 1.5), "not -1.5, as element 0 of lam has it"),
    (lambda rng: rng.poisson(np.linspace(0, 300, 3000), dtype="uint8"), "dtype must hold .*, not uint8"),
    (
        lambda rng: rng.poisson([1.0, 1e19]),
        r"lam must be a number from 0 to 9.2.*e\+18, not 1e\+19, as element 1 of lam has it",
    ),
    (lambda rng: rng.poisson(["a"]), r"lam must be a real number or an array of real numbers, not \['a'\]"),
    (lambda rng: rng.beta([1, 2], -1), "b must be .*, not -1$"),
    (lambda rng: rng.gamma([[1.0, 2], [np.nan, 3]], [1.0, 2]), r"shape .*, not nan, as element \(1, 0\) of shape"),
    (lambda rng: rng.integers([1, 2], [5, 2]), "high must be above 2, .*not 2, as element 1 of high has it"),
    (lambda rng: rng.integers([1.5, 2], 5), "low must be an integer .*not 1.5, as element 0 of low has it"),
    (lambda rng: rng.binomial(np.arange(3000) - 2, 0.5), "n must be .*, not -2, as element 0 of n has it"),
    (
        lambda rng: rng.binomial(7, np.linspace(0, 1.1, 3000)),
        "p must be .*, not 1.000.*, as element 272[0-9] of p has it",
    ),
    (lambda rng: rng.geometric(np.linspace(0, 1, 3000)), "p must be .*, not 0.0, as element 0 of p has it"),
    (lambda rng: rng.geometric([[0.5], [1e-19]]), r"p must be larger, not 1e-19: .*, as element \(1, 0\) of p has it"),
    (
        lambda rng: rng.binomial(np.arange(1, 3000) / 2, 0.5),
        "n must be an integer .*, not 0.5, as element 0 of n has it",
    ),
    (
        lambda rng: rng.poisson(np.append(np.arange(3000), 1e19)),
        "lam must be a number from 0 to .*, not 1e.19, as element 3000 of lam has it",
    ),
    (lambda rng: rng.binomial(np.arange(3000), 0.5, dtype="int8"), "dtype must hold .*, not int8, as element 150 of n"),
    (lambda rng: rng.zipf(np.linspace(2, 9, 3000), dtype="int8"), "dtype must hold .*, not int8, as element 0 of a"),
    (
        lambda rng: rng.zipf(2, dtype="int32"),
        r"dtype must hold the values of Zipf\(a=2.0\), some above 2147483647, not int",
    ),
    (lambda rng: rng.zipf([9, 1.0]), "a must be a finite number above 1, not 1.0, as element 1 of a has it"),
    (
        lambda rng: rng.hypergeometric(np.arange(3000), np.arange(3000), np.arange(3000) * 2 + (np.arange(3000) == 9)),
        "nsample must be an integer from 0 to 18, not 19, as element 9 of nsample has it",
    ),
    (lambda rng: rng.poisson([1.0, 2], size=3), r"size must be a shape to which lam of shape \(2,\)"),
]


@pytest.mark.parametrize(("call", "message"), ERRORS)
def test_errors_say_which_element_is_wrong(
    queue: cl.CommandQueue, call: Callable[[clrng.Generator], Any], message: str
) -> None:
    rng = clrng.Generator(clrng.PCG64(4), queue)
    with pytest.raises((TypeError, ValueError), match=message):
        call(rng)
    assert rng.bit_generator.state == clrng.PCG64(4).state
