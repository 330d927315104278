"""One exact stream of a lagged Fibonacci generator: the shape of the work changes nothing."""

from bisect import bisect_right
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions import RAW, UNIFORM
from clrng.distributions.discrete import Discrete
from clrng.distributions.distribution import transform_of
from clrng.fill import fill, fill_lagged
from clrng.fill.fill import BlockPlan
from clrng.fill.fill_lagged import Blocks, LaggedStreamFiller, LinePlan, RingPlan
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.lagged_fibonacci import LaggedFibonacciCode
from clrng.opencl.devices import describe
from clrng.opencl.traits import traits_of
from tests.conftest import make_queue

GENERATORS = {
    "words of 4 bytes": clrng.LaggedFibonacci((5, 17), "-", seed=1),
    "words of 8 bytes": clrng.LaggedFibonacci((24, 55), "*", 64, seed=2),
    "8 bytes shown as 4": clrng.LaggedFibonacci((17, 5), "+", 64, seed=3, output=(20, 31)),
    "a lag of 1": clrng.LaggedFibonacci((1, 60), "+", modulus=10**9, seed=4),
    "a large order": clrng.LaggedFibonacci((103, 250), "xor", seed=5),
    "large, 8 bytes shown as 4": clrng.LaggedFibonacci((250, 103), "-", 64, seed=6, output=(33, 30)),
}
POISON = 2**32 - 1
SIZES = 0, 1, 2, 3, 7, 63


def code_for(bits: clrng.LaggedFibonacci) -> LaggedFibonacciCode:
    return LaggedFibonacciCode(bits, ARITHMETICS["integer"])


@cache
def sequence(name: str, n: int) -> npt.NDArray[Any]:
    return GENERATORS[name].sequence(n)


def fixed(blocks: int, unit: int = 1) -> Blocks:
    """Return how to cut anything into so many blocks."""
    return Blocks(blocks, blocks, unit, 1)


@pytest.fixture
def cut_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut requests into blocks however short they are."""
    monkeypatch.setattr(fill_lagged, "MIN_STEPS", 0)


def ring(
    lags: tuple[int, int], step: int, group_size: int, blocks: Blocks, *, in_local: bool, longer: int = 0
) -> RingPlan:
    """Return a plan with a ring that has so many steps more than it needs."""
    words = (-(-max(lags) // step) + 1 + longer) * step
    return RingPlan(group_size, step, words, max(-lag % step for lag in lags), in_local, blocks)


RINGS = [
    ("words of 4 bytes", 5, 32, 0, True, 1),
    ("words of 4 bytes", 4, 3, 2, False, 7),  # rounds of 3 work-items do not divide a step, nor steps a lag
    ("words of 4 bytes", 3, 1, 0, True, 40),
    ("8 bytes shown as 4", 5, 8, 1, True, 3),
    ("words of 8 bytes", 24, 7, 0, True, 5),
    ("words of 8 bytes", 11, 32, 0, False, 2),
    ("a lag of 1", 1, 4, 0, True, 3),  # 61 steps, too many to be written out
    ("a lag of 1", 1, 1, 3, False, 1),
    ("a large order", 96, 64, 0, True, 4),
    ("a large order", 103, 32, 0, False, 3),
]


def goes_on(fillers: LaggedStreamFiller, name: str, queue: cl.CommandQueue, sizes: tuple[int, ...]) -> None:
    """Assert that pieces at odd places, each after the one before, are the one sequence, and all that is written."""
    bits = GENERATORS[name].copy()
    expected, done = sequence(name, sum(sizes)), 0
    for i, size in enumerate(sizes):
        before = (1, 3, 0, 16, 5)[i % 5]
        whole = cla.Array(queue, before + size + 9, bits.dtype)  # poisoned
        fillers.fill(RAW, whole[before : before + size], bits)
        bits.advance(size)
        found = whole.get()
        message = f"{size} values after {done}, at {before}"
        assert_array_equal(found[before : before + size], expected[done : done + size], err_msg=message)
        assert (found[:before] & POISON == POISON).all(), message
        assert (found[before + size :] & POISON == POISON).all(), message
        done += size


def sizes_for(order: int) -> tuple[int, ...]:
    """Return the sizes of pieces about the edges of states, and some larger ones."""
    return (*SIZES, order - 1, order, order + 1, 4 * order + 3, 1001, 1001)


@pytest.mark.usefixtures("cut_early")
@pytest.mark.parametrize(("name", "step", "group_size", "longer", "in_local", "blocks"), RINGS)
def test_rings_of_every_shape(
    device: clrng.DeviceInfo, name: str, step: int, group_size: int, longer: int, in_local: bool, blocks: int
) -> None:
    bits = GENERATORS[name]
    assert device.index is not None
    queue = make_queue(device.index)
    shape = ring(bits.lags, step, group_size, fixed(blocks), in_local=in_local, longer=longer)
    for kind in ("gpu", "cpu") if step == 4 else ("gpu",):
        fillers = LaggedStreamFiller(queue, replace(device, kind=kind), code_for(bits), shape)
        goes_on(fillers, name, queue, sizes_for(bits.order))


@pytest.mark.usefixtures("cut_early")
def test_blocks_of_one_value(queue: cl.CommandQueue) -> None:
    name = "words of 4 bytes"
    for blocks in (fixed(100), Blocks(1000, 1000, 1, 1)):
        shape = ring(GENERATORS[name].lags, 5, 32, blocks, in_local=True)
        fillers = LaggedStreamFiller(queue, describe(queue.device), code_for(GENERATORS[name]), shape)
        goes_on(fillers, name, queue, (100, 99, 101, 1, 77))


OF_TWO = {
    "integers": (clrng.distribution("integers", low=-3, high=3), "int64"),
    "poisson": (clrng.distribution("poisson", lam=4.5), "int32"),
}


@pytest.mark.usefixtures("cut_early")
@pytest.mark.parametrize(("step", "group_size", "in_local"), [(4, 3, True), (2, 32, True), (4, 1, False)])
@pytest.mark.parametrize("name", OF_TWO)
def test_rings_of_values_of_two_steps(
    device: clrng.DeviceInfo, name: str, step: int, group_size: int, in_local: bool
) -> None:
    bits, (law, dtype), n = GENERATORS["words of 4 bytes"].copy(), OF_TWO[name], 2001
    words = [int(word) for word in sequence("words of 4 bytes", 2 * n)]
    numbers = [high << 32 | low for high, low in zip(words[::2], words[1::2], strict=True)]
    if isinstance(law, Discrete):
        first, thresholds = law.thresholds(2**64)
        expected = [first + bisect_right(thresholds, number) for number in numbers]
    else:
        expected = [(6 * number >> 64) - 3 for number in numbers]
    assert device.index is not None
    queue = make_queue(device.index)
    shape = ring(bits.lags, step, group_size, fixed(7, 2), in_local=in_local)
    fillers = LaggedStreamFiller(queue, replace(device, kind="gpu"), code_for(bits), shape)
    transform = transform_of(law, 0, 2**32, np.dtype(dtype))
    assert fillers.takes(transform)
    done = 0
    for before, size in ((1, 7), (0, 500), (3, 1), (2, n - 508)):
        whole = cla.zeros(queue, before + size + 9, np.dtype(dtype)) - 9
        fillers.fill(transform, whole[before : before + size], bits)
        bits.advance(2 * size)
        found = whole.get()
        assert_array_equal(found[before : before + size], expected[done : done + size])
        assert (found[:before] == -9).all()
        assert (found[before + size :] == -9).all()
        done += size


LINES = [
    ("words of 4 bytes", LinePlan(1, 3, 1, False, fixed(3), 12)),
    ("words of 4 bytes", LinePlan(4, 8, 4, False, fixed(9, 8), 40)),
    ("words of 4 bytes", LinePlan(4, 32, 4, False, fixed(8, 1), 64)),
    ("8 bytes shown as 4", LinePlan(4, 16, 1, False, fixed(2, 16), 64)),
    ("words of 8 bytes", LinePlan(8, 64, 4, False, fixed(13, 64), 2**31)),
    ("a lag of 1", LinePlan(1, 64, 4, False, fixed(5, 64), 128)),
    ("a large order", LinePlan(16, 1024, 4, False, fixed(6, 64), 2048)),
    ("a large order", LinePlan(16, 16, 1, False, fixed(3, 16), 48)),
]


@pytest.mark.usefixtures("cut_early")
@pytest.mark.parametrize(("name", "shape"), LINES)
def test_lines_of_every_shape(device: clrng.DeviceInfo, name: str, shape: LinePlan) -> None:
    bits = GENERATORS[name]
    assert device.index is not None
    queue = make_queue(device.index)
    for streaming in (False, True) if traits_of(device).stores_past_caches and shape.interleaved == 4 else (False,):
        fillers = LaggedStreamFiller(queue, device, code_for(bits), replace(shape, streaming=streaming))
        goes_on(fillers, name, queue, (*sizes_for(bits.order), 5003, 5120))


LANES = [
    ("words of 4 bytes", BlockPlan(1, 16, False, 70, 1, 32, unrolled=True)),
    ("words of 4 bytes", BlockPlan(1, 64, False, 3, 1, 64, unrolled=False)),
    ("words of 4 bytes", BlockPlan(16, 16, False, 48, 2, 1, unrolled=True)),
    ("8 bytes shown as 4", BlockPlan(1, 16, False, 40, 1, 4, unrolled=False)),
    ("8 bytes shown as 4", BlockPlan(8, 16, False, 11, 2, 1, unrolled=True)),
    ("words of 8 bytes", BlockPlan(2, 8, False, 7, 1, 1, unrolled=True)),
]


@pytest.mark.usefixtures("cut_early")
@pytest.mark.parametrize(("name", "shape"), LANES)
def test_lanes_of_every_shape(
    device: clrng.DeviceInfo, name: str, shape: BlockPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fill_lagged, "MIN_CHUNKS", 1)
    bits = GENERATORS[name]
    assert device.index is not None
    queue, chunk = make_queue(device.index), shape.chunk
    edges = ring(bits.lags, 5, 8, fixed(1), in_local=True)
    kind = "gpu" if shape.width == 1 else "cpu"
    fillers = LaggedStreamFiller(queue, replace(device, kind=kind), code_for(bits), edges, shape)
    goes_on(fillers, name, queue, (*sizes_for(bits.order), 60 * chunk, 60 * chunk + 1, 61 * chunk + 5, 5003, 2, 5120))


def test_long_lanes_are_cut_into_more(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fill, "LONGEST_LOOP", 16)
    name = "words of 4 bytes"
    shape = BlockPlan(1, 16, False, 3, 1, 32, unrolled=True)
    edges = ring(GENERATORS[name].lags, 5, 8, fixed(1), in_local=True)
    info = replace(describe(queue.device), kind="gpu")
    goes_on(LaggedStreamFiller(queue, info, code_for(GENERATORS[name]), edges, shape), name, queue, (7001, 7001))


@pytest.mark.parametrize("kind", ["cpu", "gpu"])
@pytest.mark.parametrize("name", ["words of 4 bytes", "8 bytes shown as 4", "large, 8 bytes shown as 4"])
def test_requests_about_the_size_that_is_cut(device: clrng.DeviceInfo, name: str, kind: str) -> None:
    bits = GENERATORS[name].copy()
    assert device.index is not None
    queue = make_queue(device.index)
    fillers = LaggedStreamFiller(queue, replace(device, kind=kind), code_for(bits))
    chunk = 256 // bits.dtype.itemsize if kind == "gpu" else 64 // bits.dtype.itemsize
    cut, lanes = fill_lagged.MIN_STEPS * bits.order, fill_lagged.MIN_CHUNKS * bits.order * chunk
    sizes = sorted({cut - 1, cut, cut + 1, 2 * cut + 5, *(range(lanes - 1, lanes + 2) if bits.order < 128 else ())})
    goes_on(fillers, name, queue, (*sizes, 5))


def test_several_launches_are_one_stream(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fill_lagged, "LARGEST_LAUNCH", 1001)
    for name in ("words of 4 bytes", "a large order"):
        rng = clrng.Generator(GENERATORS[name].copy(), queue)
        assert_array_equal(rng.random_raw(4003).get(), sequence(name, 5003)[:4003])
        assert_array_equal(rng.random_raw(1000).get(), sequence(name, 5003)[4003:])


@pytest.mark.slow
def test_uniform_numbers_go_on_with_raw_ones(queue: cl.CommandQueue) -> None:
    info = describe(queue.device)
    for name in ("8 bytes shown as 4", "a lag of 1"):
        bits = GENERATORS[name].copy()
        for device in (info, replace(info, kind="gpu")):
            fillers, expected, done = LaggedStreamFiller(queue, device, code_for(bits)), sequence(name, 3000), 0
            moving = bits.copy()
            for dtype in ("float32", "uint32", "float64", "float32", "uint32"):
                if dtype == "float64" and not info.fp64:
                    continue
                out = cla.Array(queue, 301, dtype)
                fillers.fill(UNIFORM.get(dtype, RAW), out, moving)
                moving.advance(301)
                raw = expected[done : done + 301].tolist()
                shift, d = {"float32": 24, "float64": 53, "uint32": 0}[dtype], bits.upper_bound
                quotients = [x / d if shift == 53 else (x << shift) // d / 2**shift for x in raw]
                assert_array_equal(out.get(), quotients if shift else raw)
                done += 301


def test_a_start_that_is_no_lagged_fibonacci_generator(queue: cl.CommandQueue) -> None:
    fillers = LaggedStreamFiller(queue, describe(queue.device), code_for(GENERATORS["words of 4 bytes"]))
    with pytest.raises(
        TypeError, match="start must be a lagged Fibonacci generator or a Mersenne Twister, not ParkMiller"
    ):
        fillers.fill(RAW, cla.zeros(queue, 5, np.uint32), clrng.ParkMiller(seed=1))


@pytest.mark.usefixtures("cut_early")
@pytest.mark.parametrize("kind", ["cpu", "gpu"])
def test_in_any_order(
    any_order: cl.CommandQueue, device: clrng.DeviceInfo, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a queue without an order every piece of work waits for what it needs by events."""
    monkeypatch.setattr(fill_lagged, "MIN_CHUNKS", 1)
    for name in ("words of 4 bytes", "a large order"):
        bits = GENERATORS[name].copy()
        fillers = LaggedStreamFiller(any_order, replace(device, kind=kind), code_for(bits))
        sizes = [5003, 1, 20000, 64, 5003, 17, 8192, 4000] * 2
        out = cla.Array(any_order, sum(sizes), bits.dtype)
        ends = np.cumsum([0, *sizes]).tolist()
        pieces = []
        for first, end in pairwise(ends):
            pieces.append(cla.Array(any_order, end - first, bits.dtype))
            fillers.fill(RAW, pieces[-1], bits)
            bits.advance(end - first)
        assert_array_equal(np.concatenate([piece.get() for piece in pieces]), sequence(name, out.size))


def test_a_buffer_on_host_memory_begins_anywhere(queue: cl.CommandQueue) -> None:
    bits = clrng.LaggedFibonacci((5, 17), "+", seed=8)
    memory = np.zeros(2**18 + 32, np.uint32)
    host = memory[-memory.ctypes.data // 4 % 16 + 8 :][: 2**18]  # 32 bytes behind the beginning of a line
    buffer = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR, hostbuf=host)
    out = cla.Array(queue, 2**18, np.uint32, data=buffer)
    clrng.Generator(bits.copy(), queue).random_raw(out=out)
    assert_array_equal(out.get(), bits.sequence(2**18))
