"""Raw values that are made while the device looks at arrays of parameters, before they are asked for."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.fill.executor import Executor, RawMaker
from clrng.fill.jump_tree import Reached

N = 2**16
"""So many parameters are looked at on the device."""

Parameters = dict[str, Any]

CASES: dict[str, Callable[[np.random.Generator], Parameters]] = {
    "poisson": lambda random: {"lam": random.random(N, np.float32) * 255},
    "geometric": lambda random: {"p": 0.01 + 0.99 * random.random(N, np.float32)},
    "standard_gamma": lambda random: {"shape": 0.5 + random.random(N, np.float32)},
    "noncentral_chisquare": lambda random: {
        "df": 0.5 + random.random(N, np.float32),
        "nonc": random.random(N, np.float32),
    },
    "uniform": lambda random: {"low": -random.random(N, np.float32), "high": random.random(N, np.float32)},
    "integers": lambda random: {"low": random.integers(-50, 0, N), "high": random.integers(1, 1000, N)},
    "triangular": lambda random: {"left": -random.random(N, np.float32), "mode": 0.0, "right": 1.0},
}


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether raw values had been made, of each call that asked for them."""
    found: list[bool] = []
    made = RawMaker.made

    def noted(self: RawMaker, count: int) -> cla.Array | None:
        raw = made(self, count)
        found.append(raw is not None)
        return raw

    monkeypatch.setattr(RawMaker, "made", noted)
    return found


def held(queue: cl.CommandQueue, name: str) -> Parameters:
    given = CASES[name](np.random.default_rng(5))
    return {key: cla.to_device(queue, each) if isinstance(each, np.ndarray) else each for key, each in given.items()}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("bits", [clrng.PCG64(7), clrng.MT19937(7)], ids=["halved", "lagged"])
def test_calls_after_one_another_have_the_same_values(
    queue: cl.CommandQueue, found: list[bool], name: str, bits: clrng.BitGenerator
) -> None:
    given, rng, expected = held(queue, name), clrng.Generator(bits.copy(), queue), clrng.Generator(bits.copy(), queue)
    calls = [getattr(rng, name)(**given).get() for _ in range(3)]
    assert found == [False, True, True]
    for call in calls:
        assert_array_equal(call, getattr(clrng.Generator(expected.bit_generator, queue), name)(**given).get())
    assert rng.bit_generator == expected.bit_generator


def test_raw_values_of_another_place_are_not_taken(
    queue: cl.CommandQueue, found: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    given, bits = held(queue, "poisson"), clrng.PCG64(7)
    rng = clrng.Generator(bits.copy(), queue)
    rng.poisson(**given)
    rng.bit_generator.advance(1000)
    moved = bits.jumped(N + 1000)
    assert_array_equal(rng.poisson(**given).get(), clrng.Generator(moved, queue).poisson(**given).get())
    make = Executor.make_ahead

    def late(self: Executor, count: int, start: clrng.BitGenerator, reached: Reached) -> None:
        make(self, count, start.jumped(1), reached)

    monkeypatch.setattr(Executor, "make_ahead", late)  # as if the stream had moved in between
    found.clear()
    assert_array_equal(rng.poisson(**given).get(), clrng.Generator(moved, queue).poisson(**given).get())
    assert found == [False, False]


def test_errors_leave_nothing_behind(queue: cl.CommandQueue, found: list[bool]) -> None:
    given, rng, bits = held(queue, "poisson"), clrng.Generator(clrng.PCG64(7), queue), clrng.PCG64(7)
    rng.poisson(**given)
    wrong = given["lam"].copy()
    wrong[N // 2] = np.float32(-1)
    for _ in range(2):
        with pytest.raises(ValueError, match="lam"):
            rng.poisson(wrong)
        assert rng._reached.ahead is None
    assert rng.bit_generator == bits.jumped(N)
    found.clear()
    assert_array_equal(rng.poisson(**given).get(), clrng.Generator(bits.jumped(N), queue).poisson(**given).get())
    assert found == [True, False]


def test_calls_of_other_sizes_and_methods_take_turns(queue: cl.CommandQueue, found: list[bool]) -> None:
    rng, expected = (clrng.Generator(clrng.PCG64(7), queue) for _ in range(2))
    mean = cla.to_device(queue, np.full(N, 3.5, np.float32))
    for size in ((2, N), (2, N), (1, N), N, N):
        call = rng.poisson(mean, size=size).get()
        assert_array_equal(call, clrng.Generator(expected.bit_generator, queue).poisson(mean, size=size).get())
    assert found[::2] == [False, True, False, False, True]
    half = cla.to_device(queue, np.full(N, 0.5, np.float32))
    assert_array_equal(
        rng.standard_gamma(half).get(), clrng.Generator(expected.bit_generator, queue).standard_gamma(half).get()
    )
    assert rng.bit_generator == expected.bit_generator
