"""Rectangles of the next array, and slices in memory: the numbers of the whole array, and nothing beside them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng.dask.worker import fill_rectangle
from clrng.distributions import RAW
from clrng.distributions.distribution import transform_of
from clrng.fill import convert, executor, fill_lagged, fill_runs
from clrng.fill.fill_lagged import LaggedStreamFiller
from clrng.fill.fill_runs import LaggedRuns, RunsKernel
from clrng.fill.runs import runs_of
from clrng.generators.families import FAMILIES
from clrng.opencl.arrays import value_strides
from tests.support.generators import GENERATORS

SETTINGS = settings(
    max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
NAMES = [
    "park_miller", "lcg_2^64", "lcg_10^19", "lcg_not_reversible", "lcg_2^24", "coveyou", "xorshift32", "mrg32k3a",
    "linear_3_2^61-1", "linear_5_2", "linear_2_not_reversible", "lagged_+_5_17", "lagged_*_24_55_64_bits",
    "lagged_xor_103_250",
]  # fmt: skip
DRAWS: dict[str, tuple[Any, str | None]] = {
    "raw": (RAW, None),
    "float32": (clrng.distribution("uniform"), "float32"),
    "normal": (clrng.distribution("normal"), "float32"),
    "uint8": (clrng.distribution("integers", low=0, high=200), "uint8"),
    "int64": (clrng.distribution("integers", low=-5, high=10**12), "int64"),
}


def rectangle(
    rng: clrng.Generator, chosen: Any, shape: Sequence[int], out: Any, kind: Any, starts: Sequence[int],
    sizes: Sequence[int],
) -> Any:  # fmt: skip
    """Draw a rectangle of the next array of a shape, as chunks of dask are drawn, and move on by the whole array."""
    bits = rng.bit_generator
    transform = chosen if kind is None else transform_of(chosen, bits.min_value, bits.upper_bound, kind)
    out = cla.empty(rng.queue, tuple(sizes), transform.dtype or bits.dtype) if out is None else out
    if isinstance(out, np.ndarray):
        fill_rectangle(rng.queue, rng.device, out, tuple(shape), starts, partial(rng._fill, transform, start=bits))
    else:
        rng._fill(transform, out, bits, runs=runs_of(shape, starts, sizes, value_strides(out)))
    bits.advance(prod(shape) * transform.steps)
    return out


EACH = pytest.mark.parametrize("name", NAMES)
DRAWN = {name: list(DRAWS)[1 + i % (len(DRAWS) - 1)] for i, name in enumerate(NAMES)}
"""What each draws beside raw values: every draw has three generators or more, and each kernel takes long to build."""


def on_gpu(kind: type, queue: cl.CommandQueue, device: clrng.DeviceInfo, *rest: Any) -> Any:
    """Return one of these that takes the device for a GPU."""
    return kind(queue, replace(device, kind="gpu"), *rest)


@pytest.fixture(params=["its own shapes", "those of a GPU"])
def shapes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let fills have the shapes of the device, and those of a GPU, of few work-items so that each has several runs."""
    if request.param == "those of a GPU":
        monkeypatch.setattr(executor, "_used", {})
        for kind in (RunsKernel, LaggedStreamFiller, LaggedRuns):
            monkeypatch.setattr(executor, kind.__name__, partial(on_gpu, kind))
        monkeypatch.setattr(fill_runs, "LANES", {"cpu": 1, "gpu": 4})
        monkeypatch.setattr(convert, "MAX_BYTES", {"cpu": 64, "gpu": 64})  # too few for any request
        monkeypatch.setattr(fill_lagged, "MIN_STEPS", 0)  # several blocks
        monkeypatch.setattr(fill_runs, "PLACES", 5000)  # several fills


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[int], list[int], list[int], list[int], list[slice]]:
    """Return a shape, starts, sizes, the shape of memory and a slice of it of those sizes."""
    longest = draw(st.sampled_from([1, 3, 17, 70, 300]))
    shape = [*draw(st.lists(st.integers(1, 7), max_size=3)), draw(st.integers(1, longest))]
    if draw(st.booleans()):
        shape.reverse()
    starts = [draw(st.integers(0, size - 1)) for size in shape]
    sizes = [draw(st.integers(1, size - start)) for size, start in zip(shape, starts, strict=True)]
    memory, slices = [], []
    for size in sizes:
        step, before, after = draw(st.sampled_from([1, 1, 1, 2, -1])), draw(st.integers(0, 3)), draw(st.integers(0, 3))
        memory.append(before + size * abs(step) + after)
        stop = before - 1 if before else None
        slices.append(slice(before, before + size * step, step) if step > 0 else slice(before + size - 1, stop, -1))
    return shape, starts, sizes, memory, slices


@EACH
@pytest.mark.usefixtures("shapes")
@SETTINGS
@given(case=cases(), raw=st.booleans(), transposed=st.booleans())
def test_a_rectangle_is_that_of_the_whole_array(
    queue: cl.CommandQueue, name: str, case: Any, raw: bool, transposed: bool
) -> None:
    shape, starts, sizes, memory, slices = case
    bits, (distribution, dtype) = GENERATORS[name], DRAWS["raw" if raw else DRAWN[name]]
    kind = None if dtype is None else np.dtype(dtype)
    at_once = clrng.Generator(bits.copy(), queue)
    try:
        whole = at_once.random_raw(tuple(shape)) if kind is None else at_once.sample(distribution, tuple(shape), kind)
    except ValueError as error:  # few raw values make no int64
        pytest.skip(str(error))
    if kind is None:
        assert_array_equal(whole.get().ravel(), bits.sequence(prod(shape)))
    wanted = whole.get()[tuple(slice(start, start + size) for start, size in zip(starts, sizes, strict=True))]

    order = "F" if transposed else "C"
    expected = np.full(memory, 123, whole.dtype, order)
    held = cla.to_device(queue, expected)
    expected[tuple(slices)] = wanted
    rng = clrng.Generator(bits.copy(), queue)
    rectangle(rng, distribution, shape, held[tuple(slices)], kind, starts, sizes)
    assert_array_equal(held.get(), expected)
    assert rng.bit_generator == at_once.bit_generator

    host = np.full(memory, 123, whole.dtype, order)
    rng = clrng.Generator(bits.copy(), queue)
    rectangle(rng, distribution, shape, host[tuple(slices)], kind, starts, sizes)
    assert_array_equal(host, expected)


@pytest.mark.parametrize("drawn", ["raw", "int64"])
@pytest.mark.parametrize(
    ("shape", "starts", "sizes"), [((3, 5000), (0, 7), (3, 4000)), ((2, 40, 100), (0, 3, 1), (2, 30, 97))]
)
def test_runs_that_are_taken_out_of_few_values_at_once(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, drawn: str,
    shape: tuple[int, ...], starts: tuple[int, ...], sizes: tuple[int, ...],
) -> None:  # fmt: skip
    """On a GPU: runs longer than what is made at once, and several in that, not aligned in memory."""
    monkeypatch.setattr(executor, "_used", {})
    monkeypatch.setattr(executor, "LaggedRuns", partial(on_gpu, LaggedRuns))
    monkeypatch.setattr(convert, "AT_ONCE", {"cpu": 998, "gpu": 998})
    bits, (distribution, dtype) = GENERATORS["lagged_+_5_17"], DRAWS[drawn]
    kind = None if dtype is None else np.dtype(dtype)
    whole = clrng.Generator(bits.copy(), queue)._draw(distribution, shape, None, kind).get()
    out = cla.zeros(queue, (*sizes[:-1], sizes[-1] + 3), whole.dtype)
    rng = clrng.Generator(bits.copy(), queue)
    rectangle(rng, distribution, shape, out[..., 1:-2], kind, starts, sizes)
    places = tuple(slice(start, start + size) for start, size in zip(starts, sizes, strict=True))
    assert_array_equal(out.get()[..., 1:-2], whole[places])
    assert not out.get()[..., [0, -2, -1]].any()


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("step", [1, 2])
def test_every_family_fills_slices(queue: cl.CommandQueue, name: str, step: int) -> None:
    bits = FAMILIES[name].example
    shape, part = (5, 37), (slice(1, 6), slice(2, 2 + 37 * step, step))
    first, rng = clrng.Generator(bits.copy(), queue), clrng.Generator(bits.copy(), queue)
    for raw in (True, False):  # a value of 40 bits takes two steps of most
        try:
            wanted = (first.random_raw(shape) if raw else first.integers(0, 2**40, shape)).get()
        except ValueError:  # its raw values are too few
            continue
        if raw:
            assert_array_equal(wanted.ravel(), bits.sequence(wanted.size))
        expected = np.zeros((7, 80), wanted.dtype)
        held = cla.to_device(queue, expected)
        expected[part] = wanted
        _ = rng.random_raw(out=held[part]) if raw else rng.integers(0, 2**40, out=held[part])
        assert_array_equal(held.get(), expected)
        assert rng.bit_generator == first.bit_generator


@EACH
def test_rectangles_and_arrays_follow_one_another(queue: cl.CommandQueue, name: str) -> None:
    bits = GENERATORS[name]
    rng, shape = clrng.Generator(bits.copy(), queue), (9, 50)
    whole = bits.sequence(10 * 450).reshape(10, *shape)
    for i in range(0, 10, 2):
        assert_array_equal(rectangle(rng, RAW, shape, None, None, (2, 10), (5, 30)).get(), whole[i, 2:7, 10:40])
        assert_array_equal(rng.random_raw(shape).get(), whole[i + 1])


@pytest.mark.parametrize("name", ["park_miller", "mrg32k3a", "lagged_+_5_17"])
@pytest.mark.parametrize(
    ("shape", "starts", "sizes"),
    [((1000, 40), (3, 5), (900, 20)), ((30, 30, 30), (1, 2, 3), (20, 20, 20)), ((2000, 3), (0, 1), (2000, 1))],
)
def test_many_runs_take_few_launches(
    queue: cl.CommandQueue, name: str, shape: tuple[int, ...], starts: tuple[int, ...], sizes: tuple[int, ...]
) -> None:
    out = cla.empty(queue, sizes, np.uint32)
    before = len(out.events)
    rectangle(clrng.Generator(GENERATORS[name].copy(), queue), RAW, shape, out, None, starts, sizes)
    assert 1 <= len(out.events) - before <= 2


@EACH
@pytest.mark.usefixtures("shapes")
def test_values_far_apart(queue: cl.CommandQueue, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays of more values than 32 bits count, and of more than 64 bits do, of which a few are made."""
    monkeypatch.setattr(fill_runs, "GAP", {"cpu": 2, "gpu": 2})
    bits = GENERATORS[name]
    shapes = [((3, 2**33 + 1), (1, 2**33 - 6)), ((5, 3, 2**31), (2, 1, 7)), ((2**40, 2**40), (2**39, 2))]
    shapes.append(((2, 2**61 + 1, 4), (0, 0, 1)))  # whose pitch needs 64 bits
    for shape, starts in shapes:
        few = [2] * (len(shape) - 1) + [7]
        sizes = [min(size - start, most) for size, start, most in zip(shape, starts, few, strict=True)]
        rng = clrng.Generator(bits.copy(), queue)
        found = rectangle(rng, RAW, shape, None, None, starts, sizes).get()
        for index in np.ndindex(*sizes[:-1]):
            place = 0
            for size, start, i in zip(shape, starts, (*index, 0), strict=True):
                place = place * size + start + i
            assert_array_equal(found[index], bits.jumped(place).sequence(sizes[-1]))
        assert rng.bit_generator == bits.jumped(prod(shape))
