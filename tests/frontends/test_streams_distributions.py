"""Distributions drawn by many streams: each has the values that a generator standing where it stands draws."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions.discrete import Discrete
from clrng.distributions.distribution import Continuous, Integers
from clrng.distributions.quantiles.tables import inverse_table
from clrng.fill import stream_states
from clrng.frontends.streams import Streams
from clrng.opencl.devices import describe
from tests.support import reference_inverse

GENERATORS: dict[str, clrng.BitGenerator] = {
    "Park-Miller": clrng.ParkMiller(seed=11),
    "61 bits": clrng.LCG(multiplier=437799614237992725, increment=0, modulus=2**61 - 1, seed=5),
    "MRG32k3a": clrng.MRG32k3a(seed=7),
    "linear recurrence": clrng.LinearRecurrence([3, 0, 5], [1, 2, 3], 2**61 - 1, 7),
    "lagged": clrng.LaggedFibonacci((5, 17), "+", seed=1),
    "rings": clrng.LaggedFibonacci((103, 250), "xor", 31, seed=9),
    "rings of 64 bits": clrng.LaggedFibonacci((37, 100), "+", 64, seed=6),
}
DISTRIBUTIONS = [
    (clrng.distribution("standard_normal"), "float32"),
    (clrng.distribution("standard_normal"), "float64"),
    (clrng.distribution("poisson", lam=30), "int64"),
    (clrng.distribution("choice", a=3, p=[0.5, 0.25, 0.25]), "uint8"),
    (clrng.distribution("integers", low=-3, high=1000), "int64"),
]
"""Distributions and dtypes; values take one step or two, and integers of 64 raw bits one."""

EACH = pytest.mark.parametrize("name", GENERATORS)
SLOW = {"MRG32k3a", "linear recurrence", "lagged"}
"""Those left out where compilers take long."""


@pytest.fixture(autouse=True)
def fewer(request: pytest.FixtureRequest) -> None:
    """Leave out some generators on a device whose compiler takes long."""
    if "name" in request.fixturenames and request.getfixturevalue("name") in SLOW:
        queue = request.getfixturevalue("queue")
        if queue.device.platform.name == "rusticl":
            pytest.skip("its compiler takes too long for all of them")


def cases(queue: cl.CommandQueue, name: str) -> Iterator[tuple[int, clrng.Distribution, str]]:
    """Yield numbers of streams, distributions and dtypes for the generator of this name.

    37 streams fill no vectors, and 32 do, where kernels differ by that. The first generator has all distributions, and
    the others every second one; where a compiler takes long there are two, of a step and of two.
    """
    slow, fp64 = queue.device.platform.name == "rusticl", describe(queue.device).fp64
    place = list(GENERATORS).index(name)
    some = DISTRIBUTIONS[place % 2 :: 2] if place else DISTRIBUTIONS
    for what, dtype in DISTRIBUTIONS[::3] if slow else some:
        if dtype != "float64" or fp64:
            yield 37, what, dtype
            if name in ("Park-Miller", "MRG32k3a") and not slow:
                yield 32, what, dtype


def steps_of(distribution: clrng.Distribution, bits: clrng.BitGenerator, dtype: str) -> int:
    return distribution.transform(bits.min_value, bits.upper_bound, np.dtype(dtype)).steps


def goes_on(streams: Streams, expected: npt.NDArray[Any], what: clrng.Distribution, dtype: str) -> None:
    """Assert that calls of every kind give the eight rows that are expected."""
    found = streams.sample(what, 3, dtype).get()
    assert found.dtype == dtype
    assert_array_equal(found, expected[:3])
    assert_array_equal(streams.sample(what, 1, dtype, keep="last").get(), expected[3])
    assert_array_equal(streams.sample(what, 2, dtype, keep="last").get(), expected[5])
    whole = cla.zeros(streams.queue, 2 * streams.count + 8, dtype)
    out = whole[3 : 3 + 2 * streams.count].reshape(2, streams.count)
    assert streams.sample(what, 2, out=out) is out
    host = whole.get()
    assert_array_equal(host[3:-5].reshape(2, -1), expected[6:])
    assert not np.concatenate([host[:3], host[-5:]]).any()


def drawn(starts: list[clrng.BitGenerator], what: clrng.Distribution, dtype: str) -> Any:
    """Return eight values of each start, shape (8, starts), by the definitions."""
    raw = np.array([start.sequence(8 * steps_of(what, start, dtype)) for start in starts]).T
    return of_raw(raw, starts[0], what, dtype)


@pytest.mark.slow
@EACH
def test_streams_by_jumps(queue: cl.CommandQueue, name: str) -> None:
    bits = GENERATORS[name]
    for count, what, dtype in cases(queue, name):
        starts = [bits.jumped(1000 * i) for i in range(count)]
        streams, moved = Streams.by_jumps(bits, count, 1000, queue), 8 * steps_of(what, bits, dtype)
        goes_on(streams, drawn(starts, what, dtype), what, dtype)
        assert streams[count - 1] == starts[count - 1].jumped(moved)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Park-Miller", "61 bits"])
def test_streams_by_leapfrog_that_are_generators_themselves(queue: cl.CommandQueue, name: str) -> None:
    bits = GENERATORS[name]
    for count, what, dtype in cases(queue, name):
        streams = Streams.by_leapfrog(bits, count, queue)
        goes_on(streams, drawn(list(streams), what, dtype), what, dtype)


def of_raw(raw: npt.NDArray[Any], bits: clrng.BitGenerator, what: clrng.Distribution, dtype: str) -> Any:
    """Return the values that rows of raw values make, shape (steps·values, count), by the definitions."""
    m, t = bits.upper_bound - bits.min_value, steps_of(what, bits, dtype)
    digits = raw.astype(object).reshape(-1, t, raw.shape[1]) - bits.min_value
    if isinstance(what, Integers):
        low, n = what.low, what.n
        found: Any = 0
        for j in reversed(range(t)):
            found = (digits[:, j] * n + found) // m
        return (found + low).astype(dtype)
    numbers = sum(digits[:, j] * m ** (t - 1 - j) for j in range(t))
    if isinstance(what, Discrete):
        low, thresholds = what.thresholds(m**t)
        return np.vectorize(lambda x: low + bisect_right(thresholds, x), otypes=[dtype])(numbers)
    assert isinstance(what, Continuous)
    table = inverse_table(what.quantile, m**t, dtype)
    return reference_inverse.values(
        numbers.astype(np.uint64), m**t, table.coefficients, table.segment_bits, table.symmetric
    )


@EACH
def test_streams_by_leapfrog_take_steps_of_their_own(queue: cl.CommandQueue, name: str) -> None:
    bits = GENERATORS[name]
    for count, what, dtype in cases(queue, name):
        rows = 8 * steps_of(what, bits, dtype)
        raw = bits.sequence(rows * count).reshape(rows, count)
        goes_on(Streams.by_leapfrog(bits, count, queue), of_raw(raw, bits, what, dtype), what, dtype)


@pytest.mark.parametrize("name", ["Park-Miller", "MRG32k3a", "rings"])
def test_values_of_two_steps_in_several_launches(
    queue: cl.CommandQueue, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_states, "STEPS_OF_LAUNCH", 7)
    bits, what = GENERATORS[name], clrng.distribution("poisson", lam=1000)
    raw = np.array([bits.jumped(500 * i).sequence(100) for i in range(6)]).T
    expected = of_raw(raw, bits, what, "int64")
    streams = Streams.by_jumps(bits, 6, 500, queue)
    assert_array_equal(streams.sample(what, 20).get(), expected[:20])
    assert_array_equal(streams.sample(what, 20, keep="last").get(), expected[39])
    assert_array_equal(streams.sample(what, 10, "uint16").get(), expected[40:])


@pytest.mark.slow
def test_values_are_made_in_parts_where_they_go_through_memory(queue: cl.CommandQueue) -> None:
    bits, what, count, steps = GENERATORS["rings"], clrng.distribution("poisson", lam=3), 4099, 1030
    streams = Streams.by_leapfrog(bits, count, queue)
    found = streams.sample(what, steps, "uint8").get()
    raw = bits.sequence(2 * steps * count).reshape(2 * steps, count)
    some = np.r_[0:2, steps - 5 : steps]
    chosen = np.ravel(np.column_stack([2 * some, 2 * some + 1]))
    assert_array_equal(found[some], of_raw(raw[chosen], bits, what, "uint8"))
    assert streams.states.tolist()[-1] == list(bits.jumped(2 * steps * count).words)


def test_defaults_and_errors(queue: cl.CommandQueue) -> None:
    streams = Streams.by_jumps(clrng.ParkMiller(seed=1), 4, queue=queue)
    before = streams.states
    assert streams.sample(clrng.distribution("poisson"), 0).shape == (0, 4)
    for call, message in (
        (lambda: streams.sample(clrng.distribution("normal"), dtype="int64"), "dtype must be float32 or float64"),
        (lambda: streams.sample(clrng.distribution("poisson", lam=1e6), dtype="int8"), "dtype must hold 9"),
        (lambda: streams.sample(clrng.distribution("poisson"), -1), "steps must be an integer from 0 to 4294967295"),
        (lambda: streams.sample(clrng.distribution("poisson"), 0, keep="last"), "steps must be an integer from 1"),
        (lambda: streams.sample(clrng.distribution("poisson"), out=cla.zeros(queue, (1, 4), np.float32)), "out.dtype"),
        (lambda: streams.sample(clrng.distribution("poisson"), out=cla.zeros(queue, (2, 4), np.int64)), "out must"),
    ):
        with pytest.raises(ValueError, match=f"^{message}"):
            call()
    assert_array_equal(streams.states, before)
    assert streams.sample(clrng.distribution("normal")).dtype == np.float32
    assert streams.sample(clrng.distribution("poisson"), keep="last").dtype == np.int64
