"""The divide-and-conquer algorithm of 2012 gives the stream of lagged Fibonacci generators, whatever the matrix."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng import LaggedFibonacci
from clrng.frontends import divide_and_conquer
from clrng.frontends.divide_and_conquer import DivideAndConquer, LaggedSteps
from clrng.opencl.devices import describe
from tests.conftest import make_queue

GENERATORS = {
    "+ 7 10": LaggedFibonacci((7, 10), "+", seed=1),
    "+ 10 7, 64 bits": LaggedFibonacci((10, 7), "+", 64, seed=2),
    "- 5 17, 64 bits": LaggedFibonacci((5, 17), "-", 64, seed=3),
    "- 17 5": LaggedFibonacci((17, 5), "-", seed=4),
    "- 17 5, 8 bits": LaggedFibonacci((17, 5), "-", 8, seed=5),
    "+ 24 55, 33 bits": LaggedFibonacci((24, 55), "+", 33, seed=6),
    "- 55 24, 31 bits of 33 to 64": LaggedFibonacci((55, 24), "-", 64, seed=7, output=(32, 31)),
    "+ 30 127": LaggedFibonacci((30, 127), "+", seed=8),
    "xor 30 127, 64 bits": LaggedFibonacci((30, 127), "xor", 64, seed=9),
    "xor 103 250": LaggedFibonacci((103, 250), "xor", 31, seed=10),
    "xor 4 1, 1 bit": LaggedFibonacci((4, 1), "xor", 1, state=[1, 0, 1, 1]),
    "+ 3 2, 1 bit": LaggedFibonacci((3, 2), "+", 1, state=[0, 0, 1]),
    "- 1 2, 2 of 8 bits": LaggedFibonacci((1, 2), "-", 8, state=[3, 200], output=(3, 2)),
    "+ 2 1, Fibonacci's": LaggedFibonacci((2, 1), "+", state=[1, 0]),
}
N = 6007


@pytest.fixture(params=GENERATORS)
def bits(request: pytest.FixtureRequest) -> LaggedFibonacci:
    """Return each generator in turn, at its beginning."""
    return GENERATORS[request.param].copy()


@cache
def stream_of(name: str) -> npt.NDArray[Any]:
    return GENERATORS[name].sequence(N)


def expected(bits: LaggedFibonacci) -> npt.NDArray[Any]:
    return stream_of(next(name for name, other in GENERATORS.items() if other == bits))


def test_one_call_is_the_stream(queue: cl.CommandQueue, bits: LaggedFibonacci) -> None:
    p = bits.order
    shapes = [(None, None), (601, 10), (N, 2), (N - 1, None), (None, 2), (p + 1, None), (2 * p, None), (9000, None)]
    for s, r in shapes:
        rng = DivideAndConquer(bits.copy(), queue, s, r, group=8)
        assert_array_equal(rng.random_raw(N).get(), expected(bits), err_msg=f"s={s}, r={r}")
        assert rng.bit_generator == bits.jumped(N)


LAGS, OPS, WIDTHS = [(7, 10), (17, 5), (24, 55), (127, 30)], ["+", "-", "xor"], [1, 8, 32, 64]
PAIRS = [(LAGS[(i + j) % 4], op, bits) for i, op in enumerate(OPS) for j, bits in enumerate(WIDTHS)]
PAIRS += [(LAGS[(i + j + 2) % 4], op, bits) for i, op in enumerate(OPS) for j, bits in enumerate(WIDTHS[2:], 2)]


@pytest.mark.parametrize(("lags", "op", "bits_of_a_word"), PAIRS)
def test_every_op_and_width(queue: cl.CommandQueue, lags: tuple[int, int], op: str, bits_of_a_word: int) -> None:
    bits = LaggedFibonacci(lags, op, bits_of_a_word, seed=11)
    rng = DivideAndConquer(bits.copy(), queue, s=150, group=16)
    assert_array_equal(np.concatenate([rng.random_raw(n).get() for n in (777, 234)]), bits.sequence(1011))


def test_calls_continue_one_another(queue: cl.CommandQueue, bits: LaggedFibonacci) -> None:
    for s, r in [(301, 100), (None, None)]:
        rng = DivideAndConquer(bits.copy(), queue, s, r, group=8)
        sizes = [1, 2, 0, 300, 301, 302, 602, 603, 900, N - 3011]
        pieces = [rng.random_raw(size).get() for size in sizes]
        assert [piece.size for piece in pieces] == sizes
        assert_array_equal(np.concatenate(pieces), expected(bits))


@pytest.mark.parametrize("name", ["+ 7 10", "- 55 24, 31 bits of 33 to 64", "xor 4 1, 1 bit"])
def test_every_end_of_the_last_column(queue: cl.CommandQueue, name: str) -> None:
    p = GENERATORS[name].order
    rng = DivideAndConquer(GENERATORS[name].copy(), queue, s=2 * p + 3, group=8)
    for n in range(2 * (2 * p + 3) - 1, 4 * (2 * p + 3) + 2):
        rng.bit_generator = GENERATORS[name].copy()
        assert_array_equal(rng.random_raw(n).get(), stream_of(name)[:n], err_msg=f"n={n}")


@pytest.mark.parametrize("group", [1, 7, 64, None])
@pytest.mark.parametrize("name", ["- 17 5, 8 bits", "xor 30 127, 64 bits"])
def test_any_group(queue: cl.CommandQueue, name: str, group: int | None) -> None:
    for s in (128, 191, 192, 193, 577):
        rng = DivideAndConquer(GENERATORS[name].copy(), queue, s, group=group)
        assert_array_equal(rng.random_raw(3001).get(), stream_of(name)[:3001], err_msg=f"s={s}")


def test_the_largest_group(queue: cl.CommandQueue) -> None:
    bits = GENERATORS["xor 30 127, 64 bits"]
    most = LaggedSteps.largest_group(describe(queue.device), bits)
    rng = DivideAndConquer(bits.copy(), queue, s=2500, group=most)
    assert rng.group == most
    assert_array_equal(rng.random_raw(N).get(), stream_of("xor 30 127, 64 bits"))
    with pytest.raises(ValueError, match=f"^group must be an integer from 1 to {most}, not {most + 1}$"):
        DivideAndConquer(bits, queue, group=most + 1)


@pytest.mark.parametrize("length", [5, 128, 1000])
@pytest.mark.parametrize("name", ["- 1 2, 2 of 8 bits", "xor 4 1, 1 bit", "+ 2 1, Fibonacci's"])
def test_the_vector_of_step_1_solves_the_system(name: str, length: int) -> None:
    """Entry y_j is that of the column that follows 0, ..., 0 by A y = e_0, below equation 9."""
    bits = GENERATORS[name]
    y = LaggedSteps(make_queue(0), bits, 8).numbers(length)
    assert y.dtype == bits.word_dtype
    p, m = bits.order, 2**32
    assert_array_equal(y[:p], np.zeros(p))
    found = [int(word) for word in y]
    if bits.op == "xor":
        assert set(found) == {0, m - 1}
    combine = {"+": int.__add__, "-": int.__sub__, "xor": int.__xor__}[bits.op]
    for j in range(length):
        unit = (m - 1 if bits.op == "xor" else 1) * (j == 0)
        rest = combine(found[p + j - bits.lags[0]], found[p + j - bits.lags[1]])
        assert found[p + j] == (rest + unit) % m


def test_runs_in_stretches(bits: LaggedFibonacci) -> None:
    solver = LaggedSteps(make_queue(0), bits, 8)
    words = np.array(bits.words, np.uint64).astype(bits.word_dtype)
    shift = bits.output.shift if bits.output else 0
    shown = solver.extended(words, N)[bits.order :] >> bits.word_dtype.type(shift)
    assert_array_equal(shown & bits.word_dtype.type(bits.upper_bound - 1), expected(bits))


def test_long_loops_are_several_launches(
    queue: cl.CommandQueue, bits: LaggedFibonacci, monkeypatch: pytest.MonkeyPatch
) -> None:
    p, s = bits.order, bits.order + 20
    monkeypatch.setattr(divide_and_conquer, "LONGEST_SUMS", 3 * (sum(bits.lags) + 3) + p + 2)
    for n in (7 * s, 7 * s - 1, 8 * s - 5, 6 * s + 1, 8 * s):  # whole launches are 1 + 3 k columns
        rng = DivideAndConquer(bits.copy(), queue, s=s, group=8)
        assert rng._steps._columns_of_a_launch() == 3
        assert_array_equal(rng.random_raw(n).get(), expected(bits)[:n])


def test_masks_in_pieces(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(divide_and_conquer, "MAX_MASKED", 1000)
    rng = DivideAndConquer(GENERATORS["xor 30 127, 64 bits"].copy(), queue, s=300)
    assert_array_equal(rng.random_raw(N).get(), stream_of("xor 30 127, 64 bits"))


@pytest.mark.parametrize(("lags", "n"), [((1, 2), 210001), ((30, 127), 130003)])
def test_more_columns_than_a_loop_is_long(queue: cl.CommandQueue, lags: tuple[int, int], n: int) -> None:
    """Mesa's llvmpipe ends loops after 65535 turns: here there are 70000 columns, and 1015 of 157 turns each."""
    bits = LaggedFibonacci(lags, "-", seed=12)
    rng = DivideAndConquer(bits.copy(), queue, s=max(lags) + 1)
    assert_array_equal(rng.random_raw(n).get(), bits.sequence(n))


@pytest.mark.parametrize("n", [1, 19, 20, 21, 40, 95, 300])
@pytest.mark.parametrize("name", ["- 5 17, 64 bits", "- 17 5, 8 bits"])
def test_nothing_outside_a_slice_is_written(queue: cl.CommandQueue, name: str, n: int) -> None:
    bits = GENERATORS[name].copy()
    whole = cla.zeros(queue, n + 100, bits.dtype) + bits.dtype.type(7)
    rng = DivideAndConquer(bits, queue, s=20, group=8)
    part = whole[33 : 33 + n]
    assert rng.random_raw(out=part) is part
    host = whole.get()
    assert_array_equal(host[33 : 33 + n], stream_of(name)[:n])
    assert (host[:33] == 7).all()
    assert (host[33 + n :] == 7).all()


@pytest.mark.parametrize("shape", [(), 0, (0, 3), (2, 3), [40, 2]])
def test_shapes(queue: cl.CommandQueue, shape: Any) -> None:
    bits = GENERATORS["+ 7 10"]
    found = DivideAndConquer(bits.copy(), queue, s=11).random_raw(shape)
    model = np.empty(shape, np.uint32)
    model.flat = bits.sequence(model.size)
    assert found.shape == model.shape
    assert_array_equal(found.get(), model)


def test_two_queues_share_an_array(queue: cl.CommandQueue, any_order: cl.CommandQueue) -> None:
    bits = GENERATORS["- 17 5"]
    out = cla.zeros(queue, 2000, np.uint32)
    for n, shared in ((0, any_order), (2000, queue), (4000, any_order)):
        DivideAndConquer(bits.jumped(n), shared, s=20, group=8).random_raw(out=out)
    assert_array_equal(out.get(), stream_of("- 17 5")[4000:6000])


def test_new_parameters_are_taken_over(queue: cl.CommandQueue) -> None:
    rng = DivideAndConquer(GENERATORS["+ 7 10"].copy(), queue, s=60)
    rng.random_raw(50)
    rng.bit_generator.state = GENERATORS["- 55 24, 31 bits of 33 to 64"].state
    assert_array_equal(rng.random_raw(500).get(), stream_of("- 55 24, 31 bits of 33 to 64")[:500])
    rng.bit_generator = clrng.ParkMiller(seed=1)
    assert_array_equal(rng.random_raw(500).get(), clrng.ParkMiller(seed=1).sequence(500))
    rng.bit_generator = GENERATORS["+ 30 127"].copy()
    for _ in range(2):
        with pytest.raises(ValueError, match="^s must be an integer from 128 to .*, not 60$"):
            rng.random_raw(5)
    assert rng.bit_generator == GENERATORS["+ 30 127"]


@pytest.mark.parametrize(
    ("n", "shape", "columns"),
    [
        (10**7, {}, (10000, 1000)),
        (0, {}, (56, 2)),
        (1000, {}, (100, 10)),
        (300, {}, (60, 5)),
        (300, {"r": 50}, (56, 50)),
        (1000, {"s": 57}, (57, 18)),
        (100, {"s": 60, "r": 2}, (60, 2)),
    ],
)
def test_the_columns_that_are_chosen(n: int, shape: dict[str, int], columns: tuple[int, int]) -> None:
    assert DivideAndConquer(GENERATORS["+ 24 55, 33 bits"], make_queue(0), **shape).columns(n) == columns


@pytest.mark.parametrize("s", [1, 2, 10])
def test_columns_no_longer_than_the_lags(s: int) -> None:
    with pytest.raises(ValueError, match=f"^s must be an integer from .*, not {s}$"):
        DivideAndConquer(GENERATORS["+ 7 10"], make_queue(0), s=s)


def test_what_is_out_of_reach(queue: cl.CommandQueue) -> None:
    cases = [
        (LaggedFibonacci((7, 10), "*", seed=1), r"op must be '\+', '-' or 'xor', .*, not '\*'"),
        (LaggedFibonacci((7, 10), "+", modulus=10**9, seed=1), "modulus must be a power of two .*, not 1000000000"),
        (LaggedFibonacci((7, 10), "-", modulus=2**61 - 1, seed=1), "modulus must be a power of two "),
    ]
    for bits, message in cases:
        with pytest.raises(clrng.UnsupportedError, match=f"^bit_generator.{message}"):
            DivideAndConquer(bits, queue)


def test_lags_beyond_local_memory(queue: cl.CommandQueue) -> None:
    most = queue.device.local_mem_size // 8 - 1
    if most >= 2**16:
        pytest.skip("lags of 65536 are within reach")
    bits = LaggedFibonacci((1, most + 1), "+", 64, seed=1)
    with pytest.raises(
        clrng.UnsupportedError, match=rf"^bit_generator.lags must be at most {most} for .*, not \(1, {most + 1}\)"
    ):
        DivideAndConquer(bits, queue)


def test_lags_that_just_fit() -> None:
    limits = SimpleNamespace(local_mem_size=1024, max_work_group_size=512, max_work_item_sizes=[64, 1, 1])
    small: Any = SimpleNamespace(name="a small device", device=limits)
    for p, most in ((10, 64), (191, 64), (192, 64), (193, 63), (255, 1)):
        assert LaggedSteps.largest_group(small, LaggedFibonacci((1, p), "+", seed=1)) == most
    assert LaggedSteps.largest_group(small, LaggedFibonacci((127, 1), "xor", 33, seed=1)) == 1
    with pytest.raises(
        clrng.UnsupportedError,
        match=r"^bit_generator.lags must be at most 255 for a piece of y in the 1024 bytes of local memory of a small "
        r"device, not \(256, 1\)$",
    ):
        LaggedSteps.largest_group(small, LaggedFibonacci((256, 1), "+", seed=1))


def test_long_lags(queue: cl.CommandQueue) -> None:
    p = min(queue.device.local_mem_size // 4 - 1, 9689)
    for op in ("-", "xor"):
        bits = LaggedFibonacci((471, p), op, seed=1)
        rng = DivideAndConquer(bits.copy(), queue, s=p + 50)
        n = 2 * (p + 50) + 77
        assert_array_equal(rng.random_raw(n).get(), bits.sequence(n))
        assert rng.group == min(256, queue.device.local_mem_size // 4 - p)


def test_bad_requests_leave_the_stream_where_it_is(queue: cl.CommandQueue) -> None:
    rng = DivideAndConquer(GENERATORS["+ 7 10"].copy(), queue, s=20, r=10)
    with pytest.raises(ValueError, match=r"^size must have at most r \* s = 200 values for r=10 and s=20, not 201;"):
        rng.random_raw((3, 67))
    with pytest.raises(ValueError, match="^out must have dtype uint32, not uint64"):
        rng.random_raw(out=cla.zeros(queue, 20, np.uint64))
    assert rng.bit_generator == GENERATORS["+ 7 10"]
