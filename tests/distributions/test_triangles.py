"""Triangular distributions of many parameters, which have no tables: by formulas in 40 digits."""

from collections.abc import Iterator
from typing import Any

import mpmath as mp
import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import clrng
from clrng.distributions import elements
from clrng.fill.triangular import TriangularFiller
from clrng.frontends.looks import LARGE

N = 221


@pytest.fixture(autouse=True)
def digits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(elements, "FEW", 10)
    with mp.workdps(40):
        yield


def parameters(n: int = N) -> tuple[npt.NDArray[np.float64], ...]:
    """Return ends and modes, some of which are an end, of all sizes."""
    random = np.random.default_rng(1)
    left = random.normal(size=n) * 10.0 ** random.integers(-9, 9, n)
    width = 10.0 ** random.integers(-3, 6, n)
    mode, right = left + random.random(n) * width, left + width
    mode[:9], mode[9:20] = left[:9], right[9:20]
    return left, np.minimum(mode, right), right


def right_value(x: int, numbers: int, left: float, mode: float, right: float) -> mp.mpf:
    """Return the value of a number."""
    p, a, c, b = (mp.mpf(x) + 0.5) / numbers, mp.mpf(left), mp.mpf(mode), mp.mpf(right)
    if p * (b - a) <= c - a:
        return a + mp.sqrt(p * (b - a) * (c - a))
    return b - mp.sqrt((1 - p) * (b - a) * (b - c))


@pytest.mark.parametrize("exponent", [-900, -600, -520, -401, -400, 300, 499])
def test_numbers_of_any_size(queue: cl.CommandQueue, exponent: int) -> None:
    if not queue.device.double_fp_config:
        pytest.skip("the device has no double precision")

    def drawn(made: Any, left: float, mode: float, right: float) -> Any:
        rng = clrng.Generator(clrng.PCG64(4), queue)
        return rng.triangular(made(left), made(mode), made(right), N, "float64").get()

    for ends in ((0.0, 0.5, 1.0), (-1.0, -1.0, 2.0), (0.0, 1.0, 1.0)):
        scaled = [float(np.ldexp(x, exponent)) for x in ends]
        for made, exact in ((lambda x: np.full(N, x), 0.0), (float, 1e-14)):
            one, found = drawn(made, *ends), drawn(made, scaled[0], scaled[1], scaled[2])
            assert_allclose(np.ldexp(found, -exponent), one, rtol=exact, atol=exact)


@pytest.mark.parametrize("make", [lambda: clrng.PCG64(4), lambda: clrng.ParkMiller(seed=7)], ids=["halves", "31 bits"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_values_are_those_of_formulas(queue: cl.CommandQueue, make: Any, dtype: str) -> None:
    if dtype == "float64" and not queue.device.double_fp_config:
        pytest.skip("the device has no double precision")
    given, bits = parameters(), make()
    made: Any = clrng.Generator(make(), queue).triangular(*given, dtype=dtype).get()
    raw = bits.sequence(2 * N).tolist()
    numbers = bits.upper_bound - bits.min_value
    if dtype == "float32":
        found = [half for word in raw for half in (word % 2**32, word >> 32)] if bits.has_halves else raw
        numbers = 2**32 if bits.has_halves else numbers
    elif numbers < 2**32:
        found, numbers = [(a - 1) * numbers + b for a, b in zip(raw[::2], raw[1::2], strict=True)], numbers**2
    else:
        found = raw
    least = 0 if bits.has_halves else bits.min_value
    unit = float(np.finfo(dtype).eps)
    for value, x, left, mode, right in zip(made.tolist(), found, *(each.tolist() for each in given), strict=False):
        wanted = right_value(x - least, numbers, left, mode, right)
        size = max(abs(left), abs(right)) if dtype == "float64" else abs(wanted)
        assert abs(value - wanted) <= unit * (0.75 if dtype == "float32" else 4) * size
        assert np.dtype(dtype).type(left) <= value <= np.dtype(dtype).type(right)


def test_arrays_of_the_device_parts_and_several_devices(queue: cl.CommandQueue) -> None:
    left, mode = np.linspace(-3, 0, 20)[:, None], np.linspace(0, 2, 15)
    rng = clrng.Generator(clrng.PCG64(4), queue)
    whole = rng.triangular(left, mode, 2.5).get()
    following = rng.random(3).get()
    rng = clrng.Generator(clrng.PCG64(4), queue)
    out = cla.zeros(queue, (20, 30), np.float32)
    rng.triangular(cla.to_device(queue, left), cla.to_device(queue, mode), 2.5, out=out[:, ::2])
    assert_array_equal(out.get()[:, ::2], whole)
    assert_array_equal(rng.random(3).get(), following)
    several = clrng.MultiDeviceGenerator(clrng.PCG64(4), [queue, cl.CommandQueue(queue.context)])
    assert_array_equal(several.triangular(left, mode, 2.5), whole)
    ranks = [clrng.Generator(clrng.PCG64(4), queue).piece(rank, 3) for rank in range(3)]
    assert_array_equal(np.concatenate([rank.triangular(left, mode, 2.5, (20, 15)).get() for rank in ranks]), whole)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("make", [lambda: clrng.PCG64(4), lambda: clrng.ParkMiller(seed=7)], ids=["halves", "31 bits"])
def test_the_device_makes_the_values_of_the_host(
    queue: cl.CommandQueue, make: Any, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Arrays of a device are not copied to the host."""
    if not queue.device.double_fp_config:
        pytest.skip("the device has no double precision")
    given = parameters(LARGE + 5)
    below = np.nextafter(given[0].astype(np.float32), np.float32(-np.inf))
    held = [cla.to_device(queue, each) for each in (below, *given[1:])]
    clrng.Generator(make(), queue).triangular(*held, dtype=dtype)  # whatever is proved is proved now
    with monkeypatch.context() as patch:
        patch.setattr(cla.Array, "get", lambda *_, **__: pytest.fail("an array is copied to the host"))
        made: Any = clrng.Generator(make(), queue).triangular(*held, dtype=dtype)
    of_host = [each.get().astype(np.float64) for each in held]
    with monkeypatch.context() as patch:
        patch.setattr(TriangularFiller, "fill", lambda self, *rest: self._host.fill(*rest))
        wanted: Any = clrng.Generator(make(), queue).triangular(*of_host, dtype=dtype)
    assert_array_equal(made.get(), wanted.get())


@pytest.mark.parametrize("left", [-1e39, 0.0])
def test_values_beyond_the_largest(queue: cl.CommandQueue, left: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are the largest."""
    largest, smaller = float(np.finfo(np.float32).max), (left / 1e9, np.full(500, 1e29), 1e30)
    small = clrng.Generator(clrng.PCG64(4), queue).triangular(*smaller, dtype="float32").get().astype(float)
    made = clrng.Generator(clrng.PCG64(4), queue).triangular(left, np.full(500, 1e38), 1e39, dtype="float32").get()
    assert_allclose(made, np.clip(1e9 * small, -largest, largest), rtol=2e-7)
    assert made.max() == largest
    assert (made == largest).sum() > 10
    assert made.min() == -largest if left else made.min() >= 0
    monkeypatch.setattr(TriangularFiller, "fill", lambda self, *rest: self._host.fill(*rest))
    again = clrng.Generator(clrng.PCG64(4), queue).triangular(left, np.full(500, 1e38), 1e39, dtype="float32").get()
    assert_array_equal(again, made)


@pytest.mark.parametrize("doublings", [90, 110, 126])
def test_numbers_of_large_ends(queue: cl.CommandQueue, doublings: int) -> None:
    """Values of one call have the same digits, whatever power of two the ends are multiplied by."""
    rng = clrng.Generator(clrng.PCG64(4), queue)
    small = rng.triangular(-0.5, 0.1, 1.0, 2000, dtype="float32").get()
    left, mode, right = np.ldexp([-0.5, 0.1, 1.0], doublings).tolist()
    made = clrng.Generator(clrng.PCG64(4), queue).triangular(left, mode, right, 2000, dtype="float32").get()
    assert_array_equal(made, np.ldexp(small, doublings))


@pytest.mark.parametrize("right", [1e39, 1e100])
def test_a_number_beyond_the_largest(queue: cl.CommandQueue, right: float) -> None:
    left, mode = -1e39, 1e37
    made = clrng.Generator(clrng.PCG64(4), queue).triangular(left, mode, right, 2000, dtype="float32").get()
    modes = np.full(2000, mode)
    by_formulas = clrng.Generator(clrng.PCG64(4), queue).triangular(left, modes, right, dtype="float32").get()
    assert_allclose(made, by_formulas, rtol=4e-6, atol=4e-6 * 2.5e38)
    assert made.max() == np.finfo(np.float32).max


def test_few_have_tables(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    modes = np.array([0.0, 0.25, 1.0])
    many = clrng.Generator(clrng.PCG64(4), queue).triangular(0, np.repeat(modes, 40), 1).get()
    monkeypatch.setattr(elements, "FEW", 120)
    few = clrng.Generator(clrng.PCG64(4), queue).triangular(0, np.repeat(modes, 40), 1).get()
    assert_allclose(many, few, atol=4e-6)


def test_what_is_not_legal(queue: cl.CommandQueue) -> None:
    rng, ones = clrng.default_rng(1, queue), np.ones(50)
    low = np.where(np.arange(50) == 7, 3.0, 0.5)
    with pytest.raises(ValueError, match="mode must be a number from 3 to 4, not 1.0, as element 7 of"):
        rng.triangular(low, ones, 4.0)
    with pytest.raises(ValueError, match="right must be a number above 3 .*, not 2.0, as element 7 of"):
        rng.triangular(low, ones, 2.0)
    with pytest.raises(ValueError, match="left must be a number .*, not nan, as element 7 of left has it"):
        rng.triangular(np.where(low == 3, np.nan, low), ones, 2.0)
    with pytest.raises(ValueError, match="right must be a number above 5 .*, not 2.0"):
        rng.triangular(5.0, ones, 2.0)
    with pytest.raises(ValueError, match="right must be a number above 3 .*, not 2.0, as element 7 of"):
        rng.triangular(np.where(np.arange(50) == 9, np.inf, low), ones, 2.0)
    with pytest.raises(TypeError, match="right must be a number .*, not 'much'"):
        rng.triangular(0.0, ones, "much")
    assert_array_equal(rng.random(3).get(), clrng.default_rng(1, queue).random(3).get())
