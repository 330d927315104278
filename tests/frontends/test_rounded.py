"""float16 and bfloat16 numbers are those of float32 in the same call, rounded, wherever these can be drawn."""

import sys
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal, assert_equal

import clrng
import clrng.dask
from clrng.validation import dtype_named
from tests.support.rounded import DTYPES

SETTINGS = settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
NAMES = pytest.mark.parametrize("name", DTYPES)
BITS: dict[str, Any] = {
    "ParkMiller": clrng.ParkMiller(seed=5),
    "PCG64": clrng.PCG64(5),
    "MT19937": clrng.MT19937(5),
    "RANLUXpp": clrng.RANLUXpp(seed=5),
    "LaggedFibonacci": clrng.LaggedFibonacci((5, 17), "+", seed=5),
    "MRG32k3a": clrng.MRG32k3a(seed=5),
}
KINDS = pytest.mark.parametrize("kind", BITS)

CALLS: list[tuple[str, dict[str, Any], float | None]] = [
    ("random", {}, 1.0),
    ("uniform", {"low": -3.0, "high": 2.5}, 2.5),
    ("uniform", {"low": -1.5, "high": 8.0, "interval": "[]"}, None),
    ("standard_normal", {}, None),
    ("normal", {"loc": 0.1, "scale": 3e4}, None),
    ("normal", {"loc": 0.0, "scale": 1e-7}, None),
]
"""Methods, their arguments, and a bound that no number is rounded to."""


def rounded(values: npt.NDArray[Any], name: str, bound: float | None) -> npt.NDArray[Any]:
    """Return float32 numbers rounded by NumPy; those that are then the bound are the number below it."""
    dtype: Any = dtype_named(name)
    with np.errstate(over="ignore"):
        found = values.astype(dtype)
    if bound is not None:
        found = np.where(found == dtype.type(bound), np.nextafter(dtype.type(bound), dtype.type(0)), found)
    return found


def same(found: Any, values: npt.NDArray[Any], name: str, bound: float | None = None) -> None:
    """Compare bits with those of rounded float32 numbers."""
    assert found.dtype == dtype_named(name)
    found = found if isinstance(found, np.ndarray) else found.get()
    assert_array_equal(found.view(np.uint16), rounded(values, name, bound).view(np.uint16))


@NAMES
@pytest.mark.parametrize("kind", ["ParkMiller", "PCG64", "MT19937"])
@SETTINGS
@given(
    calls=st.lists(st.tuples(st.sampled_from(CALLS), st.booleans(), st.integers(0, 3000)), min_size=1, max_size=5),
    begin=st.integers(0, 999),
)
def test_mixtures_of_calls(queue: cl.CommandQueue, kind: str, name: str, calls: list[Any], begin: int) -> None:
    ours, theirs = (clrng.Generator(BITS[kind].jumped(begin), queue) for _ in range(2))
    for (method, arguments, bound), is_rounded, n in calls:
        found = getattr(ours, method)(size=n, dtype=name if is_rounded else "float32", **arguments).get()
        expected = getattr(theirs, method)(size=n, **arguments).get()
        if is_rounded:
            same(found, expected, name, bound)
        else:
            assert_array_equal(found, expected)
        assert_equal(ours.bit_generator.state, theirs.bit_generator.state)


@NAMES
@KINDS
def test_many_values(queue: cl.CommandQueue, kind: str, name: str) -> None:
    ours, theirs = (clrng.Generator(BITS[kind].copy(), queue) for _ in range(2))
    for method, arguments, bound in CALLS:
        found = getattr(ours, method)(size=300_007, dtype=name, **arguments)
        same(found, getattr(theirs, method)(size=300_007, **arguments).get(), name, bound)


@NAMES
def test_out(queue: cl.CommandQueue, name: str) -> None:
    dtype = dtype_named(name)
    rng, twin = (clrng.Generator(clrng.PCG64(3), queue) for _ in range(2))
    ones: npt.NDArray[Any] = np.ones((7, 30), dtype)
    whole = cla.to_device(queue, ones)
    assert rng.random(out=whole[1:4]) is not None
    rng.normal(2.0, 3.0, out=whole[4:, ::3])
    expected = ones.copy()
    expected[1:4] = rounded(twin.random((3, 30)).get(), name, 1.0)
    expected[4:, ::3] = rounded(twin.normal(2.0, 3.0, (3, 10)).get(), name, None)
    assert_array_equal(whole.get().view(np.uint16), expected.view(np.uint16))
    for view in (ones, ones[::2, 1:20:3]):
        assert rng.standard_normal(out=view) is view
        same(np.ascontiguousarray(view), twin.standard_normal(view.shape).get(), name)
    same(rng.random(1000, name, np.ndarray), twin.random(1000).get(), name, 1.0)
    with pytest.raises(ValueError, match=f"^out must have dtype {name}, not float32$"):
        rng.random(4, name, out=cla.zeros(queue, 4, np.float32))
    with pytest.raises(ValueError, match=f"^out must have dtype float32, not {name}$"):
        rng.random(4, "float32", out=np.zeros(4, dtype))
    assert_equal(rng.bit_generator.state, twin.bit_generator.state)


@NAMES
def test_memory_of_the_host(queue: cl.CommandQueue, name: str) -> None:
    memory, flags = np.zeros(509, dtype_named(name)), cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR
    buffer = cl.Buffer(queue.context, flags, hostbuf=memory)
    out = cla.Array(queue, memory.shape, memory.dtype, data=buffer)
    found = clrng.Generator(clrng.PCG64(3), queue).random(out=out)
    same(found, clrng.Generator(clrng.PCG64(3), queue).random(509).get(), name, 1.0)


@NAMES
def test_an_allocator_and_single_values(queue: cl.CommandQueue, name: str) -> None:
    pool = cl.tools.MemoryPool(cl.tools.ImmediateAllocator(queue))
    ours, twin = clrng.Generator(clrng.Philox(3), queue, allocator=pool), clrng.Generator(clrng.Philox(3), queue)
    found = ours.normal(size=(3, 5), dtype=dtype_named(name))
    assert found.allocator is pool
    same(found, twin.normal(size=(3, 5)).get(), name)
    same(ours.random(dtype=name), twin.random().get(), name, 1.0)
    assert ours.random(0, name).shape == (0,)
    normal = clrng.distribution("normal", loc=1, scale=2)
    same(ours.sample(normal, 50, name), twin.sample(normal, 50).get(), name)


@NAMES
@pytest.mark.parametrize("kind", ["ParkMiller", "PCG64", "LaggedFibonacci"])
@pytest.mark.parametrize("make", ["by_jumps", "by_leapfrog"])
def test_streams(queue: cl.CommandQueue, make: str, kind: str, name: str) -> None:
    apart = [10**6] if make == "by_jumps" else []
    ours, twin = (getattr(clrng.Streams, make)(BITS[kind].copy(), 37, *apart, queue=queue) for _ in range(2))
    normal = clrng.distribution("normal", scale=1e5)
    for _ in range(2):
        same(ours.random(5, name), twin.random(5).get(), name, 1.0)
        same(ours.sample(normal, 3, name), twin.sample(normal, 3).get(), name)
        same(ours.random(4, name, "last"), twin.random(4, keep="last").get(), name, 1.0)
    assert_array_equal(ours.states, twin.states)


@NAMES
@pytest.mark.parametrize("kind", ["PCG64", "MT19937"])
def test_ranks_devices_and_chunks(queue: cl.CommandQueue, kind: str, name: str) -> None:
    shape, bits = (301, 70), BITS[kind]
    twin = clrng.Generator(bits.copy(), queue)
    uniform, normal = twin.random(shape).get(), twin.normal(1, 2, shape).get()
    for rank, rows in enumerate(np.array_split(np.arange(shape[0]), 3)):
        piece = clrng.Generator(bits.copy(), queue).piece(rank, 3)
        same(piece.random(shape, name), uniform[rows], name, 1.0)
        same(piece.normal(1, 2, shape, name), normal[rows], name)
    several = clrng.MultiDeviceGenerator(bits.copy(), [queue, clrng.make_queue()], [2, 1])
    same(several.random(shape, name), uniform, name, 1.0)
    same(several.normal(1, 2, out=np.empty(shape, dtype_named(name))), normal, name)
    chunked = clrng.dask.Generator(bits.copy())
    same(chunked.random(shape, dtype=name, chunks=(40, 33)).compute(), uniform, name, 1.0)
    same(chunked.normal(1, 2, shape, dtype=name, chunks=(100, 70)).compute(), normal, name)


REFUSED: list[tuple[Any, str]] = [
    (lambda rng, name: rng.exponential(size=3, dtype=name), "^dtype must be float32 or float64, not "),
    (lambda rng, name: rng.sample(lambda p: p, 3, name), "^dtype must be float32 or float64, not "),
    (lambda rng, name: rng.integers(0, 9, 3, name), "^dtype must be int8 or "),
    (lambda rng, name: rng.normal([1, 2], size=2, dtype=name), "^loc must be a number, not an array, as dtype is "),
    (
        lambda rng, name: clrng.device_code(
            rng.bit_generator, device=rng.queue.device, distributions=[(clrng.distribution("normal"), name)]
        ),
        "^distributions: a dtype must be float32 or float64, not ",
    ),
    (lambda rng, name: clrng.from_numpy(np.random.default_rng(1), rng.queue).random(3, name), "^dtype must be float64"),
]


@NAMES
@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_other_numbers_are_refused(queue: cl.CommandQueue, call: Any, message: str, name: str) -> None:
    rng = clrng.Generator(clrng.PCG64(1), queue)
    with pytest.raises(ValueError, match=message):
        call(rng, dtype_named(name))
    assert_equal(rng.bit_generator.state, clrng.PCG64(1).state)


def test_bfloat16_without_its_package(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    rng = clrng.Generator(clrng.PCG64(1), queue)
    with pytest.raises(ImportError, match="^dtype bfloat16 needs ml_dtypes: pip install ml_dtypes$"):
        rng.random(3, "bfloat16")
    assert_equal(rng.bit_generator.state, clrng.PCG64(1).state)
