"""The shape of a fill by a lagged Fibonacci generator: what its kernels rely on."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import clrng
from clrng.fill import fill_lagged
from clrng.fill.fill_lagged import Blocks, LinePlan, RingPlan, choose_memory_plan, choose_register_plan, ring_shape
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.lagged_fibonacci import LaggedFibonacciCode
from clrng.opencl.traits import LONGEST_LOOP
from tests.conftest import DEVICES

LAGS = st.one_of(
    st.tuples(st.integers(1, 70), st.integers(1, 140)), st.tuples(st.integers(1, 2**16), st.integers(1, 2**16))
).filter(lambda lags: lags[0] != lags[1])
MAX_TURNS = 65535
"""The turns of all loops of a work-item together after which Mesa's llvmpipe ends them."""


@st.composite
def devices(draw: Any) -> clrng.DeviceInfo:
    """Return a device of another size and kind."""
    inside = SimpleNamespace(
        local_mem_size=draw(st.sampled_from([32768, 49152, 65536, 262144, 2**21])),
        max_work_group_size=draw(st.sampled_from([32, 64, 256, 1024, 4096])),
    )
    platform = draw(st.sampled_from(["rusticl", "Portable Computing Language", "NVIDIA CUDA"]))
    kind = draw(st.sampled_from(["cpu", "gpu"]))
    return replace(DEVICES[0], kind=kind, platform=platform, units=draw(st.integers(1, 150)), device=inside)


def code_for(lags: tuple[int, int], bits: int) -> LaggedFibonacciCode:
    return LaggedFibonacciCode(clrng.LaggedFibonacci(lags, "+", bits, seed=1), ARITHMETICS["integer"])


@settings(max_examples=200)
@given(lags=LAGS, room=st.integers(1, 60000))
def test_no_step_of_a_ring_reads_what_it_writes(lags: tuple[int, int], room: int) -> None:
    step, words, mirrored = ring_shape(lags, room)
    assert 1 <= step <= min(*lags, fill_lagged.LONGEST_STEP)
    assert words % step == 0
    assert words >= max(lags) + step
    for lag in lags:
        for at in {0, step, words // 2 // step * step, words - step}:
            first = (at - lag) % words
            assert first + step <= words + mirrored  # it reads no further than the beginning again at the end
            assert at > 0 or first + step <= words  # and not there while that is written
            assert (first - at) % words >= step  # nor the words of this step
    assert words + mirrored <= room or room < max(lags) + 1


@settings(max_examples=300)
@given(
    n=st.integers(1, 2**31),
    order=st.integers(2, 2**16),
    most=st.integers(1, 5000),
    least=st.integers(1, 5000),
    unit=st.sampled_from([1, 7, 256, 2048, 65536]),
    worth=st.sampled_from([3, 1600]),
)
def test_blocks_make_everything_once(n: int, order: int, most: int, least: int, unit: int, worth: int) -> None:
    blocks, each = Blocks(most, min(least, most), unit, worth).cut(n, order)
    assert 1 <= blocks <= most
    assert (blocks - 1) * each < n <= blocks * each < 2**32
    if blocks > 1:
        assert each % unit == 0
        assert n >= fill_lagged.MIN_STEPS * order
    if order >= fill_lagged.ROUNDED_ORDER and blocks > 1:
        units = each // unit
        assert units % (1 << max(units.bit_length() - 7, 0)) == 0  # few lengths, so few sets of weights


def turns(plan: LinePlan, order: int) -> int:
    """Return the most turns of all loops of a work-item in a launch, block after block."""
    moved, tiles = -(-order // 8), plan.longest // plan.tile
    each = 2 * moved + tiles * (1 + plan.tile // plan.width + moved) + plan.width
    return plan.interleaved * (1 + each)


@settings(max_examples=300)
@given(device=devices(), lags=LAGS, bits=st.sampled_from([1, 32, 64]), streaming=st.booleans(), data=st.data())
def test_plans_are_what_kernels_rely_on(
    device: clrng.DeviceInfo, lags: tuple[int, int], bits: int, streaming: bool, data: st.DataObject
) -> None:
    code = code_for(lags, bits)
    size = data.draw(st.sampled_from([4, 8]))
    order, steps = max(lags), data.draw(st.integers(1, 4))
    chosen = choose_memory_plan(device, code, size, streaming, steps, raw=(raw := data.draw(st.booleans())))
    assert chosen.template == ("fill_lines" if device.kind == "cpu" else "fill_rings")
    if isinstance(chosen, RingPlan):
        assert 1 <= chosen.group_size <= device.device.max_work_group_size
        words = chosen.ring_words + chosen.mirrored
        assert chosen.step % (steps if steps <= min(lags) else 1) == 0
        assert chosen.blocks.unit % steps == 0
        if raw and steps == 1:
            rings = chosen.blocks.max_count // device.units
            assert rings == 1 or rings * chosen.step <= fill_lagged.RAW_WORDS
        assert chosen.in_local == (words * code.word.itemsize <= device.device.local_mem_size)
        assert chosen.memory(3, order) == (1 if chosen.in_local else 3 * (words + words % 2))
        assert chosen.global_size(3) == 3 * chosen.group_size
    else:
        assert chosen.width & (chosen.width - 1) == 0
        assert 1 <= chosen.width <= min(*lags, code.max_vector_width, 64 // size)
        assert chosen.tile % chosen.width == 0
        assert chosen.longest % chosen.tile == 0
        assert chosen.longest >= chosen.tile
        assert chosen.blocks.unit % chosen.tile == 0
        assert chosen.global_size(9) * chosen.interleaved >= 9
        assert not chosen.streaming or (streaming and chosen.width * size == 64)
        if device.platform == "rusticl":
            assert turns(chosen, order) <= MAX_TURNS
    lanes = choose_register_plan(device, code, size, streaming)
    if order > 128:
        assert lanes is None
    elif device.kind == "gpu":
        assert lanes is not None
        assert lanes.width == 1
        assert lanes.group_size % (lanes.chunk * size // 16) == 0
    if lanes:
        chunks = data.draw(st.integers(1, 2**27))
        each = lanes.even(chunks)
        assert 1 <= each <= LONGEST_LOOP
        assert each >= -(-chunks // lanes.lanes) or each == lanes.longest
