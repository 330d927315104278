"""One exact stream, however it is made and cut."""

from dataclasses import replace
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions import RAW
from clrng.fill import fill
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import code_for, why_not
from clrng.generators.generator_code import GeneratorCode
from clrng.opencl.devices import describe
from clrng.opencl.traits import LONGEST_LOOP, traits_of
from tests.conftest import DEVICES
from tests.support import oracle

Exact = tuple[cl.CommandQueue, str]

SIZES = [1, 2, 3, 4, 5, 63, 64, 65, 127, 1000, 4095, 4097, 30011, 100003]
MULTIPLIERS = [
    48271,
    20400,
    492483,
    600001,
    709386,
    65535,
    742938285,
    2**30,
    oracle.M - 2**30,
    oracle.M - 16807,
    oracle.M - 38466,
    1,
]


@pytest.mark.parametrize("row", oracle.known_answers(), ids=lambda row: f"{row['multiplier']}-{row['position']}")
def test_published_values(exact: Exact, row: dict[str, Any]) -> None:
    queue, arithmetic = exact
    bits = clrng.ParkMiller(row["seed"], row["multiplier"]).advance(row["position"] - 1)
    rng = clrng.Generator(bits, queue, arithmetic)
    assert_array_equal(rng.random_raw(len(row["values"])).get(), row["values"])


@pytest.mark.parametrize("sizes", [SIZES, SIZES[::-1]], ids=["growing", "shrinking"])
def test_pieces_of_any_size_are_the_one_stream(exact: Exact, sizes: list[int]) -> None:
    queue, arithmetic = exact
    rng = clrng.Generator(clrng.ParkMiller(seed=987654321), queue, arithmetic)
    pieces = [rng.random_raw(size).get() for size in sizes]
    assert_array_equal(np.concatenate(pieces), oracle.sequence(987654321, sum(sizes)))


def test_a_large_piece(exact: Exact) -> None:
    queue, arithmetic = exact
    n = 2**18 + 7 if ARITHMETICS[arithmetic].baseline else 2**21 + 7
    rng = clrng.Generator(clrng.ParkMiller(seed=oracle.M - 1).advance(10**15), queue, arithmetic)
    assert_array_equal(rng.random_raw(n).get(), oracle.sequence(oracle.M - 1, n, first=10**15 + 1))


@pytest.mark.parametrize("multiplier", MULTIPLIERS)
def test_any_multiplier(exact: Exact, multiplier: int) -> None:
    queue, arithmetic = exact
    bits = clrng.ParkMiller(seed=2**31 - 19, multiplier=multiplier)
    if why_not(arithmetic, describe(queue.device), bits):
        with pytest.raises(clrng.UnsupportedError, match=f"not {multiplier}"):
            clrng.Generator(bits, queue, arithmetic)
        return
    rng = clrng.Generator(bits, queue, arithmetic)
    assert_array_equal(rng.random_raw(2003).get(), oracle.sequence(2**31 - 19, 2003, multiplier))


def test_the_extreme_states(exact: Exact) -> None:
    queue, arithmetic = exact
    for seed in (1, 2, 2**15, 2**16 - 1, 2**16, 2**30 - 1, 2**30, 2**31 - 2**15, oracle.M - 2, oracle.M - 1):
        rng = clrng.Generator(clrng.ParkMiller(seed), queue, arithmetic)
        assert_array_equal(rng.random_raw(150).get(), oracle.sequence(seed, 150))


@pytest.mark.parametrize("offset", [1, 3, 17, 31, 64])
@pytest.mark.parametrize("n", [1, 5, 77, 3000])
def test_nothing_outside_a_slice_is_written(exact: Exact, offset: int, n: int) -> None:
    queue, arithmetic = exact
    whole = cla.zeros(queue, n + 200, np.uint32) + np.uint32(7)
    rng = clrng.Generator(clrng.ParkMiller(seed=3), queue, arithmetic)
    part = whole[offset : offset + n]
    assert rng.random_raw(out=part) is part
    host = whole.get()
    assert_array_equal(host[offset : offset + n], oracle.sequence(3, n))
    assert (host[:offset] == 7).all()
    assert (host[offset + n :] == 7).all()


def written(arithmetic: str) -> GeneratorCode:
    return code_for(clrng.ParkMiller(seed=1), ARITHMETICS[arithmetic])


def plans(queue: cl.CommandQueue, form: GeneratorCode) -> list[fill.Plan]:
    """Return shapes of work that no device would choose together."""
    device = describe(queue.device)
    chosen = [fill.choose_strides(device, form, 4, streaming=False)]
    if traits_of(device).stores_past_caches:
        chosen.append(fill.choose_strides(device, form, 4, streaming=True))
    most = min(64, device.device.max_work_group_size)
    chosen += [
        fill.Plan(1, 4, 1, blocked=False, streaming=False, global_size=64, group_size=most),
        fill.Plan(1, 4, 2, blocked=True, streaming=False, global_size=3, group_size=1),
        fill.Plan(1, 8, 3, blocked=False, streaming=False, global_size=7, group_size=1),
        fill.Plan(1, 16, 1, blocked=True, streaming=False, global_size=1, group_size=1),
        fill.Plan(1, 4, 4, blocked=False, streaming=False, global_size=1000, group_size=8),
        fill.Plan(1, 1, 4, blocked=False, streaming=False, global_size=40, group_size=8),
        fill.Plan(1, 1, 8, blocked=True, streaming=False, global_size=5, group_size=1),
    ]
    for width in (2, 4, 8, 16):
        if width <= form.max_vector_width:
            chosen += [fill.Plan(width, 1, 1, True, False, 5, 1), fill.Plan(width, 1, 3, False, False, 9, 3)]
    return chosen


@pytest.mark.slow
def test_the_shape_of_the_work_changes_nothing(exact: Exact) -> None:
    queue, arithmetic = exact
    form = written(arithmetic)
    expected = oracle.sequence(424242, 5003)
    shapes = plans(queue, form)
    if ARITHMETICS[arithmetic].baseline:
        shapes = shapes[list(ARITHMETICS).index(arithmetic) % 3 :: 3]  # their kernels take long to build
    for shape in shapes:
        filler = fill.FillKernel(queue, describe(queue.device), form, RAW, shape)
        out = cla.zeros(queue, 5003, np.uint32)
        filler.fill(out, clrng.ParkMiller(424242))
        assert_array_equal(out.get(), expected, err_msg=str(shape))


def test_several_launches_are_one_stream(exact: Exact, monkeypatch: pytest.MonkeyPatch) -> None:
    queue, arithmetic = exact
    monkeypatch.setattr(fill, "LARGEST_LAUNCH", 1001)
    rng = clrng.Generator(clrng.ParkMiller(seed=77), queue, arithmetic)
    assert_array_equal(rng.random_raw(5005).get(), oracle.sequence(77, 5005))


def test_every_launch_is_waited_for(exact: Exact, monkeypatch: pytest.MonkeyPatch) -> None:
    queue, arithmetic = exact
    monkeypatch.setattr(fill, "LARGEST_LAUNCH", 1000)
    out = cla.zeros(queue, 4000, np.uint32)
    before = len(out.events)
    clrng.Generator(clrng.ParkMiller(seed=77), queue, arithmetic).random_raw(out=out)
    assert len(out.events) == before + 4


def test_no_work_item_loops_too_long(exact: Exact) -> None:
    queue, name = exact
    device = describe(queue.device)
    for streaming in (False, True):
        shape = fill.choose_strides(device, written(name), 4, streaming)
        for n in (1, 1000, 2**24 + 1, 2**31):
            launch = shape.launch(n)
            assert launch.tiles_each <= LONGEST_LOOP
            assert launch.global_size % shape.group_size == 0
            assert launch.global_size * launch.tiles_each * shape.tile >= n


@pytest.mark.parametrize(("width", "consecutive"), [(4, 4), (16, 2)])
def test_vectors_move_on_after_every_value(width: int, consecutive: int) -> None:
    with pytest.raises(ValueError, match=f"consecutive must be 1 for vectors, not {consecutive} for {width} lanes"):
        fill.Plan(width, consecutive, 1, blocked=True, streaming=False, global_size=1, group_size=1)


@pytest.mark.parametrize(("consecutive", "interleaved", "said"), [(1, 1, 1), (6, 2, 6), (1, 3, 3), (1, 2, 2)])
def test_scalars_are_stored_by_16_bytes(queue: cl.CommandQueue, consecutive: int, interleaved: int, said: int) -> None:
    shape = fill.Plan(1, consecutive, interleaved, blocked=True, streaming=False, global_size=1, group_size=1)
    filler = fill.FillKernel(queue, describe(queue.device), written("integer"), RAW, shape)
    with pytest.raises(
        ValueError, match=f"consecutive, or interleaved where that is 1, must be a multiple of 4, not {said}"
    ):
        filler.fill(cla.zeros(queue, 5, np.uint32), (1,))


def test_a_plan_of_the_other_kind(queue: cl.CommandQueue) -> None:
    shape = fill.BlockPlan(1, 64, False, 64, 1, 32, unrolled=False)
    with pytest.raises(TypeError, match="plan must be a Plan for this code, not BlockPlan"):
        fill.FillKernel(queue, describe(queue.device), written("integer"), RAW, shape)


def test_more_than_the_caches_hold(queue: cl.CommandQueue) -> None:
    n = fill.LARGEST_CACHED // 4 + 1001
    device = describe(queue.device)
    assert fill.most_cached(device) < 4 * n or not traits_of(device).stores_past_caches
    rng = clrng.Generator(clrng.ParkMiller(seed=7), queue)
    assert_array_equal(rng.random_raw(n).get(), oracle.sequence(7, n))
    assert_array_equal(rng.random_raw(100).get(), oracle.sequence(7, 100, first=n + 1))


@pytest.mark.slow
def test_stores_past_the_caches(queue: cl.CommandQueue) -> None:
    device = describe(queue.device)
    if not traits_of(device).stores_past_caches:
        pytest.skip("the device has no stores past the caches")
    raw = oracle.sequence(5, 3333)
    expected = {"uint32": raw, "float32": (raw >> 7) * 2.0**-24, "float64": raw / oracle.M}
    for name in (a for a in ARITHMETICS if why_not(a, device, clrng.ParkMiller(seed=1)) is None):
        for transform in (RAW, *clrng.distributions.UNIFORM.values()):
            shape = fill.choose_strides(device, written(name), transform.dtype.itemsize if transform.dtype else 4, True)
            filler = fill.FillKernel(queue, device, written(name), transform, shape)
            streamed = cla.zeros(queue, 3333, filler.dtype)
            filler.fill(streamed, clrng.ParkMiller(5))
            assert_array_equal(streamed.get(), expected[str(filler.dtype)])


def test_all_devices_and_arithmetics_agree_on_every_distribution(exact: Exact) -> None:
    queue, arithmetic = exact
    raw = oracle.sequence(31415, 10007)
    rng = clrng.Generator(clrng.ParkMiller(seed=31415), queue, arithmetic)
    assert_array_equal(rng.random(10007).get(), ((raw >> 7) * np.float64(2**-24)).astype(np.float32))
    if describe(queue.device).fp64:
        rng = clrng.Generator(clrng.ParkMiller(seed=31415), queue, arithmetic)
        assert_array_equal(rng.random(10007, dtype="float64").get(), raw / oracle.M)


@pytest.mark.parametrize("arithmetic", ["integer", "float-nofma"])
def test_a_cpu_that_makes_vectors_of_work_items_fills_as_a_gpu(arithmetic: str) -> None:
    device, form = replace(DEVICES[0], platform="rusticl"), written(arithmetic)
    for out_bytes in (1, 4, 8):
        found = fill.choose_strides(replace(device, kind="cpu"), form, out_bytes, streaming=False)
        assert found == fill.choose_strides(replace(device, kind="gpu"), form, out_bytes, streaming=False)
        assert (found.width, found.blocked) == (1, False)
