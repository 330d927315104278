"""The laws of every bit generator, on every device and in every arithmetic that is exact for it there.

The sequences of the host, which other tests hold to oracles of their own, are the oracle here.
"""

from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.generators import BitGenerator, Coveyou
from clrng.generators.base import Words
from clrng.generators.families import why_not
from clrng.generators.halves import Halved
from tests.conftest import DEVICES, make_queue
from tests.support.generators import GENERATORS, record_of

SIZES = 1, 5, 63, 1000, 4097
FAR = 10**15
COUNT = 37


class Case(NamedTuple):
    """A generator of the list on a device, in an arithmetic."""

    device: clrng.DeviceInfo
    name: str
    arithmetic: str

    @property
    def bits(self) -> BitGenerator:
        """A bit generator of its own."""
        return GENERATORS[self.name].copy()

    @property
    def queue(self) -> cl.CommandQueue:
        """The queue of the device."""
        assert self.device.index is not None
        return make_queue(self.device.index)

    def drawing(self, position: int = 0) -> clrng.Generator:
        """Return a generator on the device, after `position` values."""
        return clrng.Generator(self.bits.advance(position), self.queue, self.arithmetic)


ELSEWHERE = {
    "lagged_-_5_17", "lagged_*_17_5", "lagged_xor_5_17_64_bits", "lagged_-_7_10_31_bits", "lagged_+_3_1_64_bits",
    "lagged_xor_1_3_2_bits", "lagged_+_24_55", "lagged_-_10_7_10^19", "lagged_*_63_127", "lagged_xor_103_250",
}  # fmt: skip
"""Lagged Fibonacci generators left out here, as compilers take long: their fills and streams have their own tests."""

CASES = [
    Case(info, name, arithmetic.name)
    for info in DEVICES
    for name, generator in GENERATORS.items()
    if name not in ELSEWHERE
    for arithmetic in clrng.ARITHMETICS.values()
    if not arithmetic.baseline and why_not(arithmetic.name, info, generator) is None
]


def each(order: int = 64) -> pytest.MarkDecorator:
    """Return the mark that runs a test with every case up to an order: programs of large ones take long to build."""
    return pytest.mark.parametrize(
        "case",
        [case for case in CASES if case.bits.order <= order],
        ids=lambda c: f"{c.device.platform} {c.device.driver} {c.arithmetic} {c.name}".replace(" ", "-"),
    )


@cache
def sequence(name: str, position: int, n: int) -> npt.NDArray[Any]:
    """Return the values of a generator of the list that follow `position` ones."""
    return GENERATORS[name].jumped(position).sequence(n)


def quotients(values: npt.ArrayLike, denominator: int, dtype: str) -> list[float]:
    """Return what raw values are as uniform numbers: Python's quotient of two integers is correctly rounded."""
    raw = np.asarray(values).tolist()
    if dtype == "float64" and denominator <= 2**53:
        return [x / denominator for x in raw]
    bits = {"float32": 24, "float64": 53}[dtype]
    return [(x << bits) // denominator / 2**bits for x in raw]


def limit(bits: BitGenerator) -> int:
    """Return the largest count or distance, the period, or a large number where that is not known."""
    return bits.period or 2**62


@each()
@pytest.mark.parametrize("position", [0, FAR])
def test_pieces_are_the_one_sequence(case: Case, position: int) -> None:
    rng = case.drawing(position)
    pieces = [rng.random_raw(size).get() for size in SIZES]
    assert pieces[0].dtype == rng.bit_generator.dtype
    assert_array_equal(np.concatenate(pieces), sequence(case.name, position, sum(SIZES)))
    assert rng.arithmetic == case.arithmetic
    assert rng.bit_generator == case.bits.advance(position + sum(SIZES))


@each()
def test_a_large_piece(case: Case) -> None:
    n, length = 70001, 20
    values = case.drawing().random_raw(n).get()
    places = [0, n - length, *range(1, n - length, n // 47)]
    ahead = case.bits
    for place, following in pairwise([*sorted(places), n]):
        assert_array_equal(values[place : place + length], ahead.sequence(length))
        ahead.advance(following - place)
    assert_array_equal(values[: sum(SIZES)], sequence(case.name, 0, sum(SIZES)))


def before(bits: BitGenerator, value: int) -> Words | None:
    """Return the words after which `bits` yields the raw `value`, or None if it cannot be told."""
    words = record_of(bits).showing(bits, value)
    if words is None or (bits.order == 1 and words == (value,) and bits.value(words) != value):
        return None  # it shows a part of its state
    return bits.state_after(words, -1) if bits.reversible else None


def edges(bits: BitGenerator) -> list[int]:
    """Return the raw values at both ends, and those about the edges of multiples of 2^-24 and 2^-53."""
    d = bits.upper_bound
    found = {bits.min_value, bits.min_value + 1, d - 2, d - 1}
    for significand in (24, 53):
        for k in (1, 2**23, 2 ** (significand - 1), 2**significand - 1):
            ceiling = -(-k * d // 2**significand)
            found |= {ceiling - 1, ceiling}
    return sorted(x for x in found if max(bits.min_value, 2 if isinstance(bits, Coveyou) else 0) <= x < d)


DIVIDED = {(case.device, case.arithmetic, case.bits.upper_bound, case.bits.min_value): case for case in CASES[::-1]}
"""The first case of those that divide raw values alike."""


@each(order=8)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_uniform_numbers_are_exact(case: Case, dtype: str) -> None:
    if dtype == "float64" and not (case.device.fp64 and case in DIVIDED.values()):
        pytest.skip("the device has no double precision, or another case divides alike")
    rng = case.drawing()
    d, n = rng.bit_generator.upper_bound, sum(SIZES)
    bits = case.bits
    found = np.concatenate([rng.random(size, dtype=dtype).get() for size in SIZES])
    assert found.dtype == dtype
    if dtype == "float32" and isinstance(bits, Halved):
        assert_array_equal(found, quotients(bits.halves().sequence(n), 2**32, dtype))
        return
    assert_array_equal(found, quotients(sequence(case.name, 0, n), d, dtype))
    for value in edges(rng.bit_generator):
        words = before(rng.bit_generator, value)
        if words is None or not any(words):
            continue
        rng.bit_generator = rng.bit_generator.with_state(words)
        raw = rng.bit_generator.sequence(1)
        assert raw[0] == value or isinstance(rng.bit_generator, Coveyou)
        number = rng.random(1, dtype=dtype).get()
        assert_array_equal(number, quotients(raw, d, dtype))
        assert 0 <= number[0] < 1


def words_of(streams: clrng.Streams) -> list[Words]:
    """Return the states of the streams as tuples."""
    return [tuple(row) for row in streams.states.reshape(streams.count, -1).tolist()]


def rows(starts: list[BitGenerator], steps: int) -> npt.NDArray[Any]:
    """Return the values of the streams that begin at `starts`, shape (steps, count)."""
    return np.array([start.sequence(steps) for start in starts]).T


def goes_on(streams: clrng.Streams, starts: list[BitGenerator], step: int = 1) -> None:
    """Assert that the streams yield what `starts` do, over two calls, and keep their states."""
    expected = rows(starts, 5 * step)[step - 1 :: step] if step > 1 else rows(starts, 5)
    assert words_of(streams) == [start.words for start in starts]
    found = streams.random_raw(3).get()
    assert found.dtype == starts[0].dtype
    assert_array_equal(found, expected[:3])
    assert words_of(streams) == [start.jumped(3 * step).words for start in starts]
    assert_array_equal(streams.random_raw(2).get(), expected[3:])
    assert words_of(streams) == [start.jumped(5 * step).words for start in starts]


@each(order=20)
@pytest.mark.parametrize("distance", [1000, 10**12 + 39])
def test_streams_by_jumps(case: Case, distance: int) -> None:
    bits = case.bits
    count, distance = min(COUNT, limit(bits)), min(distance, limit(bits))
    streams = clrng.Streams.by_jumps(bits, count, distance, case.queue, case.arithmetic)
    goes_on(streams, [bits.jumped(distance * i) for i in range(count)])


@each(order=20)
def test_streams_by_leapfrog(case: Case) -> None:
    bits = case.bits
    count = min(COUNT, limit(bits))
    if not bits.reversible:
        with pytest.raises(ValueError, match="^bit_generator must be reversible for leapfrog, its multiplier or last "):
            clrng.Streams.by_leapfrog(bits, count, case.queue, case.arithmetic)
        return
    streams = clrng.Streams.by_leapfrog(bits, count, case.queue, case.arithmetic)
    goes_on(streams, [bits.with_state(bits.state_after(bits.words, i + 1 - count)) for i in range(count)], step=count)
    streams = clrng.Streams.by_leapfrog(bits, count, case.queue, case.arithmetic)
    values = [streams.random_raw(steps).get().ravel() for steps in (3, 1, 5)]
    assert_array_equal(np.concatenate(values), sequence(case.name, 0, 9 * count))


@each(order=20)
@pytest.mark.parametrize("count", [1, COUNT, 48])
def test_streams_from_seeds(case: Case, count: int) -> None:
    starts = [case.bits.advance(3**i) for i in range(count)]
    seeds = [start.words if start.order > 1 else start.words[0] for start in starts]
    streams = clrng.Streams.from_seeds(case.bits, seeds, case.queue, case.arithmetic)
    goes_on(streams, starts)
    kept = streams.states
    ahead = streams.random_raw(3).get()
    streams.states = kept
    assert_array_equal(streams.random_raw(3).get(), ahead)


KERNEL = """
__kernel void draw(__global VALUE *raw, __global float *single, DOUBLES __global const WORD *start,
                   const ulong skip, const uint each)
{
    const uint i = get_global_id(0);
    START
    P_state state = P_seed(words, skip + PER * each * (ulong)i);
    for (uint j = i * each; j < i * each + each; j++) {
        raw[j] = P_next_raw(&state);
        single[j] = P_next_float(&state);
        DRAW
    }
}
"""
START = "WORD words[ORDER]; for (uint k = 0; k < ORDER; k++) words[k] = start[k];"


@each()
def test_device_code_in_a_kernel(case: Case) -> None:
    bits, queue, fp64 = case.bits, case.queue, case.device.fp64
    per, items, times = 2 + fp64, 20, 3
    ctypes = {"uint32": "uint", "uint64": "ulong"}
    text = KERNEL
    for name, part in {
        "START": START if bits.order > 1 else "const WORD words = start[0];",
        "ORDER": str(bits.order),
        "WORD": ctypes[bits.word_dtype.name],
        "VALUE": ctypes[bits.dtype.name],
        "DOUBLES": "__global double *both," if fp64 else "",
        "DRAW": "both[j] = P_next_double(&state);" if fp64 else "",
        "PER": str(per),
        "P_": "mine_",
    }.items():
        text = text.replace(name, part)
    program = cl.Program(queue.context, clrng.device_code(bits, case.arithmetic, queue.device, "mine_") + text)
    kernel = cl.Kernel(program.build(), "draw")
    start = cla.to_device(queue, np.array(bits.words, bits.word_dtype))
    n, d = items * times, bits.upper_bound
    for position in (0, 1, 16, 12345, FAR, 2**63 + 11):
        outs = [cla.Array(queue, n, dtype) for dtype in (bits.dtype, np.float32, np.float64)[:per]]
        kernel(queue, (items,), None, *(out.data for out in outs), start.data, np.uint64(position), np.uint32(times))
        expected = sequence(case.name, position, n * per)
        assert_array_equal(outs[0].get(), expected[::per])
        assert_array_equal(outs[1].get(), quotients(expected[1::per], d, "float32"))
        if fp64:
            assert_array_equal(outs[2].get(), quotients(expected[2::per], d, "float64"))


def test_there_is_a_case_for_every_generator_and_device() -> None:
    found = {(case.device, case.name) for case in CASES}
    assert found == {(info, name) for info in DEVICES for name in GENERATORS if name not in ELSEWHERE}
    assert all(case.arithmetic == "integer" for case in CASES if case.name.startswith("lcg_"))
