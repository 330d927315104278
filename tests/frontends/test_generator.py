"""The front end."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.lib.stride_tricks import as_strided
from numpy.testing import assert_array_equal

import clrng
from clrng.opencl import arrays
from tests.conftest import make_queue
from tests.support import oracle

Exact = tuple[cl.CommandQueue, str]


def generator(queue: cl.CommandQueue, seed: int = 1, arithmetic: str = "auto") -> clrng.Generator:
    return clrng.Generator(clrng.ParkMiller(seed), queue, arithmetic)


def drawing(queue: cl.CommandQueue, value: int, arithmetic: str = "auto") -> clrng.Generator:
    """Return a generator whose next raw value is `value`."""
    before = value * pow(16807, -1, oracle.M) % oracle.M
    return generator(queue, before, arithmetic)


@pytest.mark.parametrize("shape", [(), 0, 7, (0, 3), (2, 3), (2, 3, 4), (1, 1, 5), [4, 2], np.int64(6)])
def test_shapes(queue: cl.CommandQueue, shape: Any) -> None:
    expected = np.empty(shape, np.uint32)
    expected.flat = oracle.sequence(1, expected.size)
    found = generator(queue).random_raw(shape)
    assert isinstance(found, cla.Array)
    assert found.shape == expected.shape
    assert found.dtype == np.uint32
    assert_array_equal(found.get(), expected)


def test_without_a_size_one_value(queue: cl.CommandQueue) -> None:
    rng = generator(queue)
    assert [int(rng.random_raw().get()) for _ in range(3)] == [16807, 282475249, 1622650073]


def test_raw_and_uniform_take_one_step_each(queue: cl.CommandQueue) -> None:
    rng = generator(queue, 9)
    rng.random_raw(3)
    rng.random(4)
    assert_array_equal(rng.random_raw(10).get(), oracle.sequence(9, 10, first=8))
    if rng.device.fp64:
        rng.random(5, dtype="float64")
        assert_array_equal(rng.random_raw(10).get(), oracle.sequence(9, 10, first=23))


EXTREMES = [
    1,
    2,
    127,
    128,
    129,
    255,
    2**24,
    2**30 - 1,
    2**30,
    oracle.M - 129,
    oracle.M - 128,
    oracle.M - 127,
    oracle.M - 2,
    oracle.M - 1,
]


@pytest.mark.parametrize("value", EXTREMES)
def test_both_ends_of_the_uniform_interval(exact: Exact, value: int) -> None:
    queue, arithmetic = exact
    assert drawing(queue, value, arithmetic).random_raw(1).get()[0] == value
    single = drawing(queue, value, arithmetic).random(1).get()[0]
    assert single.dtype == np.float32
    assert Fraction(float(single)) == Fraction(value * 2**24 // oracle.M, 2**24)
    assert 0 <= single < 1
    rng = drawing(queue, value, arithmetic)
    if rng.device.fp64:
        double = rng.random(1, dtype="float64").get()[0]
        assert double == float(Fraction(value, oracle.M))  # Python rounds a fraction correctly
        assert 0 < double < 1


def test_float32_rounds_every_state_down() -> None:
    """The shift is x * 2^24 // m for every x: they can differ only where x + 1 is a multiple of 128, or x is."""
    for edge in (0, 127):
        x = np.arange(edge, oracle.M, 128, dtype=np.uint64)
        x = x[x > 0]
        assert_array_equal(x >> np.uint64(7), x * np.uint64(2**24) // np.uint64(oracle.M))


def test_out_is_filled_and_returned(queue: cl.CommandQueue) -> None:
    rng = generator(queue)
    out = cla.zeros(queue, (3, 5), np.uint32)
    assert rng.random_raw(out=out) is out
    assert_array_equal(out.get().ravel(), oracle.sequence(1, 15))
    assert rng.random_raw((3, 5), out=out) is out
    assert_array_equal(out.get().ravel(), oracle.sequence(1, 15, first=16))
    single = cla.zeros(queue, 4, np.float32)
    assert rng.random(out=single) is single
    assert_array_equal(single.get(), (oracle.sequence(1, 4, first=31) >> 7) * np.float32(2**-24))


def test_out_of_another_queue_of_the_context(queue: cl.CommandQueue) -> None:
    other = cl.CommandQueue(queue.context)
    out = cla.zeros(other, 1000, np.uint32)
    generator(queue).random_raw(out=out)
    assert_array_equal(out.get(), oracle.sequence(1, 1000))


def test_an_out_of_order_queue(any_order: cl.CommandQueue) -> None:
    rng = generator(any_order)
    out = cla.Array(any_order, 50000, np.uint32)
    for _ in range(20):
        rng.random_raw(out=out)
    assert_array_equal(out.get(), oracle.sequence(1, 50000, first=950001))


SHARED = r"an array or a slice of one, with a place for each value, not with shape \(5,\) and strides \(0,\)"
BAD_OUT = [
    (
        lambda _: [0] * 5,
        TypeError,
        r"^out must be a pyopencl.array.Array, an array of NumPy or the class numpy.ndarray, not \[0, 0, 0, 0, 0\]$",
    ),
    (lambda _: np.zeros(5, np.int32), ValueError, "out must have dtype uint32, not int32"),
    (lambda _: as_strided(np.zeros(5, np.uint32), strides=(0,)), ValueError, SHARED),
    (lambda _: as_strided(np.zeros(9, np.uint32), (5,), (6,)), ValueError, r"multiples of its itemsize, 4, not shape"),
    (lambda q: cla.zeros(q, 5, np.int32), ValueError, "out must have dtype uint32, not int32"),
    (lambda q: cla.zeros(q, 5, np.float32), ValueError, "out must have dtype uint32, not float32"),
    (lambda q: cla.zeros(q, 6, np.uint32), ValueError, r"out must have shape \(5,\), the size asked for, not \(6,\)"),
    (lambda q: cla.zeros(q, (5, 1), np.uint32), ValueError, "out must have shape"),
    (lambda q: cla.Array(q, 5, np.uint32, strides=(0,)), ValueError, SHARED),
    (
        lambda q: cla.zeros(q, 5, np.uint32)[::2],
        ValueError,
        r"out must have shape \(5,\), the size asked for, not \(3,\)",
    ),
]


@pytest.mark.parametrize(("make", "error", "match"), BAD_OUT)
def test_a_bad_out_changes_nothing(queue: cl.CommandQueue, make: Any, error: type[Exception], match: str) -> None:
    rng = generator(queue)
    with pytest.raises(error, match=match):
        rng.random_raw(5, out=make(queue))
    assert rng.bit_generator == clrng.ParkMiller(seed=1)


@pytest.mark.parametrize("size", [2**62, (2**31, 2**31)])
def test_more_values_than_numpy_can_count(queue: cl.CommandQueue, size: Any) -> None:
    rng = generator(queue)
    with pytest.raises(
        ValueError, match=rf"^size must make at most {(2**63 - 1) // 4} values of uint32 .*, not {2**62}$"
    ):
        rng.random_raw(size, out=np.ndarray)
    assert rng.bit_generator == clrng.ParkMiller(seed=1)


def test_an_out_of_another_context(queue: cl.CommandQueue) -> None:
    context = cl.Context([queue.device])
    out = cla.zeros(cl.CommandQueue(context), 5, np.uint32)
    with pytest.raises(ValueError, match="out must be in the context of the queue, not in another one"):
        generator(queue).random_raw(out=out)


def test_an_out_larger_than_its_buffer(queue: cl.CommandQueue) -> None:
    buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, 64)
    with pytest.raises(ValueError, match="out must fit its buffer of 64 bytes, not need 68"):
        generator(queue).random_raw(out=cla.Array(queue, 17, np.uint32, data=buffer))
    out = cla.Array(queue, 15, np.uint32, data=buffer, offset=4)
    assert_array_equal(generator(queue).random_raw(out=out).get(), oracle.sequence(1, 15))


@pytest.mark.parametrize(
    "size", [-1, 2**63, (0, 2**100), (2, -3), (-1,), 1.0, "5", (2, None), True, np.float64(3), [2.5], {3}, b"5"]
)
def test_a_bad_size_changes_nothing(queue: cl.CommandQueue, size: Any) -> None:
    rng = generator(queue)
    with pytest.raises(
        (TypeError, ValueError),
        match=r"size(\[\d\])? must be an integer from 0 to 9223372036854775807(, or a tuple of them)?, not ",
    ):
        rng.random_raw(size)
    assert rng.bit_generator == clrng.ParkMiller(seed=1)


def test_too_many_dimensions(queue: cl.CommandQueue) -> None:
    with pytest.raises(ValueError, match="size must have at most 64 dimensions, not 65"):
        generator(queue).random_raw((1,) * 65)


@pytest.mark.parametrize("size", [2**62, (2**40, 2**40), 2**63 - 1])
def test_more_than_the_device_allocates_is_refused(queue: cl.CommandQueue, size: Any) -> None:
    rng = generator(queue)
    with pytest.raises(ValueError, match="size must make at most .* largest allocation of .* several calls"):
        rng.random_raw(size)
    assert rng.bit_generator == clrng.ParkMiller(seed=1)


def test_the_largest_allocation_itself_is_not_refused(queue: cl.CommandQueue, device: clrng.DeviceInfo) -> None:
    small = replace(device, largest_allocation=4000)
    assert arrays.output_array(queue, small, (1000,), np.dtype("uint32"), None).size == 1000
    with pytest.raises(ValueError, match="at most 1000 values of uint32 .* 4000 bytes, not 1001"):
        arrays.output_array(queue, small, (1001,), np.dtype("uint32"), None)


def test_more_than_2_to_the_32_values(queue: cl.CommandQueue, device: clrng.DeviceInfo) -> None:
    n = 2**32 + 1003
    if device.largest_allocation < 4 * n:
        pytest.skip(f"the device allocates {device.largest_allocation} bytes at most")
    rng = generator(queue)
    values = rng.random_raw(n)
    for first in (0, 2**31 - 500, 2**32 - 500, n - 1000):
        assert_array_equal(values[first : first + 1000].get(), oracle.sequence(1, 1000, first=first + 1))
    assert_array_equal(rng.random_raw(100).get(), oracle.sequence(1, 100, first=n + 1))


@pytest.mark.parametrize("dtype", ["int32", np.uint32, ">f4", "complex64"])
def test_a_dtype_that_is_not_uniform(queue: cl.CommandQueue, dtype: Any) -> None:
    with pytest.raises(ValueError, match="dtype must be float32 or float64 or float16 or bfloat16, not "):
        generator(queue).random(5, dtype=dtype)


@pytest.mark.parametrize("dtype", ["spam", 5])
def test_no_dtype_at_all(queue: cl.CommandQueue, dtype: Any) -> None:
    with pytest.raises(TypeError, match="dtype must be float32 or float64 or float16 or bfloat16, not "):
        generator(queue).random(5, dtype=dtype)


def test_float64_without_double_precision_is_refused(queue: cl.CommandQueue) -> None:
    rng = generator(queue)
    rng._device = replace(rng.device, fp64=False)  # as if it were another
    with pytest.raises(clrng.UnsupportedError, match="dtype float64 needs double precision.*use dtype='float32'"):
        rng.random(5, dtype="float64")
    assert rng.bit_generator == clrng.ParkMiller(seed=1)


@pytest.mark.parametrize(
    ("arguments", "error", "match"),
    [
        ({"bit_generator": 5}, TypeError, "bit_generator must be a clrng bit generator"),
        ({"bit_generator": clrng.ParkMiller}, TypeError, "bit_generator must be a clrng bit generator"),
        ({"queue": 1.5}, TypeError, "queue must be a pyopencl.CommandQueue, .*, or None, not 1.5"),
        ({"arithmetic": "fast"}, ValueError, "arithmetic must be one of 'auto', 'integer', .* not 'fast'"),
        ({"arithmetic": None}, TypeError, "arithmetic must be one of"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        clrng.Generator(**{"bit_generator": clrng.ParkMiller(seed=1), **arguments})


def test_a_pickled_generator_goes_on(queue: cl.CommandQueue) -> None:
    rng = generator(queue, 5)
    rng.random_raw(10)
    other = pickle.loads(pickle.dumps(rng))
    assert other.arithmetic == "integer"
    expected = oracle.sequence(5, 20, first=11)
    assert_array_equal(other.random_raw(20).get(), expected)
    assert_array_equal(rng.random_raw(20).get(), expected)


def test_threads_take_pieces_of_the_one_stream(queue: cl.CommandQueue) -> None:
    rng = generator(queue)
    with ThreadPoolExecutor(8) as pool:
        pieces = list(pool.map(lambda _: rng.random_raw(501).get(), range(40)))
    pieces.sort(key=lambda piece: int(np.flatnonzero(oracle.sequence(1, 20040) == piece[0])[0]))
    assert_array_equal(np.concatenate(pieces), oracle.sequence(1, 20040))


def test_a_state_of_another_multiplier_can_be_set(queue: cl.CommandQueue) -> None:
    rng = generator(queue)
    rng.random_raw(3)
    rng.bit_generator.state = clrng.ParkMiller(seed=4, multiplier=48271).state
    assert_array_equal(rng.random_raw(100).get(), oracle.sequence(4, 100, 48271))


def test_the_bit_generator_is_shared_and_can_be_moved(queue: cl.CommandQueue) -> None:
    bits = clrng.ParkMiller(seed=1)
    first, second = clrng.Generator(bits, queue), clrng.Generator(bits, make_queue(0))
    pieces = [first.random_raw(10).get(), second.random_raw(10).get()]
    bits.advance(10**18)
    pieces.append(first.random_raw(10).get())
    assert_array_equal(pieces, [oracle.sequence(1, 10, first=n) for n in (1, 11, 21 + 10**18)])


def test_another_bit_generator_can_be_put_in(queue: cl.CommandQueue) -> None:
    rng = generator(queue)
    rng.random_raw(3)
    rng.bit_generator = clrng.MRG32k3a()
    assert_array_equal(rng.random_raw(5).get(), clrng.MRG32k3a().sequence(5))
    rng.bit_generator = clrng.named("mmix", 1)
    assert_array_equal(rng.random_raw(5).get(), clrng.named("mmix", 1).sequence(5))
    rng.bit_generator = 5  # type: ignore[assignment]
    with pytest.raises(TypeError, match="bit_generator must be a clrng bit generator such as .* not 5"):
        rng.random_raw(5)


def test_a_copy_goes_its_own_way(queue: cl.CommandQueue) -> None:
    rng = generator(queue)
    other = copy.copy(rng)
    assert_array_equal(other.random_raw(5).get(), oracle.sequence(1, 5))
    assert_array_equal(rng.random_raw(5).get(), oracle.sequence(1, 5))


def test_an_array_of_numpy_is_asked_for_by_its_class(queue: cl.CommandQueue) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    found: object = rng.random_raw((2, 3), out=np.ndarray)  # type: ignore[arg-type]
    assert isinstance(found, np.ndarray)
    assert found.tolist() == [[16807, 282475249, 1622650073], [984943658, 1144108930, 470211272]]
    single: object = rng.integers(2**31 - 2, out=np.ndarray)
    assert isinstance(single, np.ndarray)
    assert (single.shape, single.dtype, single[()]) == ((), np.int64, 101027544 - 1)
    normals: object = rng.standard_normal(5, out=np.ndarray)
    assert isinstance(normals, np.ndarray)
    assert_array_equal(normals, clrng.Generator(clrng.ParkMiller(seed=1).jumped(7), queue).standard_normal(5).get())
