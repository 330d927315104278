"""The divide-and-conquer algorithm of 2012 gives the sequential stream, whatever the matrix."""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.frontends import divide_and_conquer
from clrng.frontends.divide_and_conquer import CongruentialSteps, DivideAndConquer
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import code_for
from clrng.opencl.devices import describe
from tests.conftest import make_queue

GENERATORS = {
    "2^32": clrng.LCG(1664525, 1013904223, 2**32, seed=12345),
    "2^32 multiplicative, even": clrng.LCG(2**31 + 6, 0, 2**32, seed=77),
    "2^64": clrng.LCG(6364136223846793005, 1442695040888963407, 2**64, seed=2**64 - 1),
    "2^48, 31 bits shown": clrng.LCG(0x5DEECE66D, 11, 2**48, seed=0x330E, output=(17, 31)),
    "2^31 - 1": clrng.ParkMiller(seed=2**31 - 2),
    "2^31 - 1 with increment": clrng.LCG(16807, 2**31 - 2, 2**31 - 1, seed=0),
    "10^9 + 7": clrng.LCG(10**9 + 6, 10**9 + 5, 10**9 + 7, seed=3),
    "2^32 - 5": clrng.LCG(4123456789, 0, 2**32 - 5, seed=2**32 - 6),
    "2^61 - 1": clrng.LCG(437799614237992725, 1234567, 2**61 - 1, seed=1),
    "2^64 - 59": clrng.LCG(2**64 - 60 - 12345, 2**64 - 60, 2**64 - 59, seed=2**64 - 60),
    "2^64 - 59 multiplicative": clrng.LCG(13891176665706064842, 0, 2**64 - 59, seed=1),
    "6, two bits shown of a state in 3": clrng.LCG(5, 1, 6, seed=5, output=(1, 2)),
}
N = 10007


@pytest.fixture(params=GENERATORS)
def bits(request: pytest.FixtureRequest) -> clrng.LCG:
    """Return each generator in turn, at its beginning."""
    return GENERATORS[request.param].copy()


@cache
def stream_of(name: str, n: int) -> npt.NDArray[Any]:
    return GENERATORS[name].sequence(n)


def expected(bits: clrng.LCG, n: int) -> npt.NDArray[Any]:
    return stream_of(next(name for name, other in GENERATORS.items() if other == bits), 2 * N)[:n]


def test_one_call_is_the_stream(queue: cl.CommandQueue, bits: clrng.LCG) -> None:
    stream = expected(bits, N)
    for s, r in [(None, None), (1001, 10), (N, 2), (N - 1, None), (None, 2), (None, N), (4, 5000), (40000, None)]:
        rng = DivideAndConquer(bits.copy(), queue, s, r, group=8)
        assert_array_equal(rng.random_raw(N).get(), stream, err_msg=f"s={s}, r={r}")
        assert rng.bit_generator == bits.jumped(N)


def test_calls_continue_one_another(queue: cl.CommandQueue, bits: clrng.LCG) -> None:
    for s, r in [(101, 100), (None, None)]:
        rng = DivideAndConquer(bits.copy(), queue, s, r, group=8)
        sizes = [1, 2, 0, 100, 101, 102, 202, 203, N - 711]
        pieces = [rng.random_raw(size).get() for size in sizes]
        assert [piece.size for piece in pieces] == sizes
        assert_array_equal(np.concatenate(pieces), expected(bits, N))


@pytest.mark.parametrize("group", [1, 7, 64, None])
def test_any_group(queue: cl.CommandQueue, group: int | None) -> None:
    for name in ("2^31 - 1", "2^64 - 59"):
        bits = GENERATORS[name]
        for s in (2, 63, 64, 65, 66, 449):
            rng = DivideAndConquer(bits.copy(), queue, s, group=group)
            assert_array_equal(rng.random_raw(3001).get(), stream_of(name, 2 * N)[:3001], err_msg=f"s={s}")


def test_the_largest_group(queue: cl.CommandQueue) -> None:
    bits = GENERATORS["2^64 - 59"]
    most = CongruentialSteps.largest_group(describe(queue.device), bits)
    rng = DivideAndConquer(bits.copy(), queue, s=5000, group=most)
    assert rng.group == most
    assert_array_equal(rng.random_raw(N).get(), stream_of("2^64 - 59", 2 * N)[:N])


def test_the_generator_gives_the_same(queue: cl.CommandQueue, bits: clrng.LCG) -> None:
    rng = clrng.Generator(bits.copy(), queue)
    assert_array_equal(rng.random_raw(1000).get(), DivideAndConquer(bits.copy(), queue, group=8).random_raw(1000).get())


@pytest.mark.parametrize("length", [2, 3, 257, 1000])
def test_the_vectors_of_step_1_are_strides(bits: clrng.LCG, length: int) -> None:
    numbers = CongruentialSteps(make_queue(0), bits, 8).numbers(length)
    code = code_for(bits, ARITHMETICS["integer"])
    assert_array_equal(numbers.T, np.array([code.stride(j + 1) for j in range(length)], code.word))


def test_long_loops_are_several_launches(
    queue: cl.CommandQueue, bits: clrng.LCG, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(divide_and_conquer, "LONGEST_LOOP", 7)
    for n in (22 * 29, 22 * 29 - 1, 22 * 28 + 1, 22 * 28, 22 * 28 - 3):  # whole launches are 1 + 7 k columns
        rng = DivideAndConquer(bits.copy(), queue, s=22, group=8)
        assert_array_equal(rng.random_raw(n).get(), expected(bits, n))


def test_more_columns_than_a_loop_is_long(queue: cl.CommandQueue) -> None:
    n = 140001  # llvmpipe ends loops after 65535 turns
    rng = DivideAndConquer(clrng.ParkMiller(seed=1), queue, s=2)
    assert_array_equal(rng.random_raw(n).get(), clrng.Generator(clrng.ParkMiller(seed=1), queue).random_raw(n).get())


@pytest.mark.parametrize("n", [1, 9, 10, 11, 20, 95, 300])
@pytest.mark.parametrize("name", ["2^31 - 1", "2^48, 31 bits shown", "2^64"])
def test_nothing_outside_a_slice_is_written(queue: cl.CommandQueue, name: str, n: int) -> None:
    bits = GENERATORS[name].copy()
    whole = cla.zeros(queue, n + 100, bits.dtype) + bits.dtype.type(7)
    rng = DivideAndConquer(bits, queue, s=10, group=8)
    part = whole[33 : 33 + n]
    assert rng.random_raw(out=part) is part
    host = whole.get()
    assert_array_equal(host[33 : 33 + n], stream_of(name, 2 * N)[:n])
    assert (host[:33] == 7).all()
    assert (host[33 + n :] == 7).all()


@pytest.mark.parametrize("shape", [(), 0, (0, 3), (2, 3), [4, 2], np.int64(6)])
def test_shapes(queue: cl.CommandQueue, shape: Any) -> None:
    found = DivideAndConquer(clrng.ParkMiller(seed=1), queue, group=8).random_raw(shape)
    model = np.empty(shape, np.uint32)
    model.flat = clrng.ParkMiller(seed=1).sequence(model.size)
    assert found.shape == model.shape
    assert_array_equal(found.get(), model)


def test_without_a_size_one_value(queue: cl.CommandQueue) -> None:
    rng = DivideAndConquer(clrng.ParkMiller(seed=1), queue, group=8)
    assert [int(rng.random_raw().get()) for _ in range(3)] == [16807, 282475249, 1622650073]


def test_new_parameters_are_taken_over(queue: cl.CommandQueue) -> None:
    rng = DivideAndConquer(clrng.LCG(5, 1, 2**32, seed=0), queue, s=10, group=8)
    rng.random_raw(50)
    other = GENERATORS["2^61 - 1"]
    rng.bit_generator.state = other.state
    assert_array_equal(rng.random_raw(50).get(), stream_of("2^61 - 1", 2 * N)[:50])


def test_two_queues_share_an_array(queue: cl.CommandQueue, any_order: cl.CommandQueue) -> None:
    out = cla.zeros(queue, 5000, np.uint32)
    for n, shared in ((0, any_order), (5000, queue), (10000, any_order)):
        rng = DivideAndConquer(clrng.ParkMiller(seed=1).jumped(n), shared, s=10, group=8)
        rng.random_raw(out=out)
    assert_array_equal(out.get(), clrng.ParkMiller(seed=1).jumped(10000).sequence(5000))


@pytest.mark.parametrize(
    ("n", "shape", "columns"),
    [
        (10**7, {}, (10000, 1000)),
        (2**28, {}, (51812, 5181)),
        (0, {}, (2, 2)),
        (1, {}, (2, 2)),
        (100, {"s": 7}, (7, 15)),
        (100, {"r": 7}, (15, 7)),
        (100, {"s": 50, "r": 7}, (50, 7)),
    ],
)
def test_the_columns_that_are_chosen(n: int, shape: dict[str, int], columns: tuple[int, int]) -> None:
    assert DivideAndConquer(clrng.ParkMiller(seed=1), make_queue(0), **shape).columns(n) == columns


@pytest.mark.parametrize("value", [1.0, "8", True, (2,)])
@pytest.mark.parametrize("name", ["s", "r", "group"])
def test_no_integers(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match=f"^{name} must be an integer .* not "):
        DivideAndConquer(clrng.ParkMiller(seed=1), make_queue(0), **{name: value})


@pytest.mark.parametrize(("name", "value"), [("s", 1), ("s", -5), ("s", 2**31 + 1), ("r", 1), ("r", 0), ("group", 0)])
def test_out_of_range(name: str, value: int) -> None:
    with pytest.raises(ValueError, match=f"^{name} must be an integer .*, not {value}$"):
        DivideAndConquer(clrng.ParkMiller(seed=1), make_queue(0), **{name: value})


def test_a_group_the_device_does_not_allow(queue: cl.CommandQueue) -> None:
    most = CongruentialSteps.largest_group(describe(queue.device), clrng.ParkMiller(seed=1))
    with pytest.raises(ValueError, match=f"^group must be an integer from 1 to {most}, not {most + 1}$"):
        DivideAndConquer(clrng.ParkMiller(seed=1), queue, group=most + 1)


@pytest.mark.parametrize("value", [None, 1, clrng.LCG, clrng.MRG32k3a(seed=1), clrng.LinearRecurrence])
def test_no_congruential_generator(value: Any) -> None:
    with pytest.raises(TypeError, match="^bit_generator must be "):
        DivideAndConquer(value, make_queue(0))


def test_no_queue() -> None:
    with pytest.raises(TypeError, match="^queue must be "):
        DivideAndConquer(clrng.ParkMiller(seed=1), 1.5)  # type: ignore[arg-type]  # on purpose


def test_bad_requests_leave_the_stream_where_it_is(queue: cl.CommandQueue) -> None:
    rng = DivideAndConquer(clrng.ParkMiller(seed=1), queue, s=10, r=20, group=8)
    with pytest.raises(ValueError, match=r"^size must have at most r \* s = 200 values for r=20 and s=10, not 201;"):
        rng.random_raw((3, 67))
    with pytest.raises(ValueError, match="^out must have at most "):
        rng.random_raw(out=cla.zeros(queue, 201, np.uint32))
    with pytest.raises(ValueError, match="^out must have dtype uint32, not uint64"):
        rng.random_raw(out=cla.zeros(queue, 20, np.uint64))
    with pytest.raises(ValueError, match="^size must be an integer from 0 "):
        rng.random_raw(-1)
    with pytest.raises(TypeError, match=r"^out must be a pyopencl.array.Array, not \["):
        rng.random_raw(out=[0] * 3)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(ValueError, match="^n must be an integer of 0 or more, not -1"):
        rng.columns(-1)
    assert rng.bit_generator == clrng.ParkMiller(seed=1)


def test_columns_too_long(queue: cl.CommandQueue) -> None:
    rng = DivideAndConquer(clrng.ParkMiller(seed=1), queue, r=2)
    with pytest.raises(ValueError, match="^r must be at least .* for 17592186044416 values in columns of at most "):
        rng.columns(2**44)


def test_the_text_for_people() -> None:
    text = repr(DivideAndConquer(clrng.ParkMiller(seed=1), make_queue(0), s=10, group=8))
    assert text.startswith("DivideAndConquer(ParkMiller(")
    assert "s=10, r=None, group=8" in text
