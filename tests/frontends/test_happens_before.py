"""Commands that use one memory have an order, on queues without one and on several queues, whatever they run like."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest

import clrng
from clrng.fill import jump_tree
from tests.conftest import make_queue
from tests.support.drawn_cases import CASES
from tests.support.generators import ONE_OF_EACH
from tests.support.happens_before import recorded

LAGGED = clrng.LaggedFibonacci((24, 55), "+", seed=2)
STREAMS = [clrng.ParkMiller(seed=4), clrng.MRG32k3a(seed=5), LAGGED]
SIZES = 100, 2001, 50_000, 50_000, 100, 100, 100, 2001, 2001


@pytest.fixture(autouse=True)
def poisoned() -> None:
    """Fill no arrays beforehand: those commands are not clrng's."""


def two(bits: clrng.BitGenerator, first: cl.CommandQueue, second: cl.CommandQueue) -> list[clrng.Generator]:
    return [clrng.Generator(bits.copy(), queue) for queue in (first, second)]


def mixed(rngs: list[clrng.Generator]) -> None:
    """Draw from several generators by turns."""
    for n in SIZES:
        for rng in rngs:
            rng.random_raw(n)
            rng.standard_normal(n, dtype="float32")
            rng.integers(0, 6, n)
    out = cla.Array(rngs[0].queue, 5000, np.float32)
    for rng in (*rngs, *rngs):
        rng.random(out=out)
        rng.permutation(3000)
        rng.shuffle(out)


@pytest.mark.parametrize("bits", ONE_OF_EACH, ids=lambda bits: type(bits).__name__)
def test_two_generators_of_a_queue(any_order: cl.CommandQueue, bits: clrng.BitGenerator) -> None:
    with recorded():
        mixed(two(bits, any_order, any_order))


@pytest.mark.parametrize("name", CASES)
def test_distributions(any_order: cl.CommandQueue, name: str) -> None:
    case = CASES[name]
    if case.dtypes[0] == "float64" and not any_order.device.double_fp_config:
        pytest.skip("the device has no double precision")
    for bits in (LAGGED, clrng.PCG64(seed=3)):
        with recorded():
            for n in (50, 5000, 50):
                for rng in two(bits, any_order, any_order):
                    found = case.draw(rng, n, dtype=case.dtypes[0])
                    case.draw(rng, n, dtype=case.dtypes[0], out=found)


@pytest.mark.parametrize("bits", STREAMS, ids=lambda bits: bits.name)
def test_streams(any_order: cl.CommandQueue, bits: Any) -> None:
    with recorded():
        streams = [make(bits.copy(), 37, any_order) for make in (_by_jumps, clrng.Streams.by_leapfrog)]
        for n in (3, 100, 3):
            for each in streams:
                each.random_raw(n)
                each.random(n, dtype="float32")
        kept = streams[0].states
        streams[0].random_raw(4)
        streams[0].states = kept
        streams[0].random_raw(4)


def _by_jumps(bits: clrng.BitGenerator, count: int, queue: cl.CommandQueue) -> clrng.Streams:
    return clrng.Streams.by_jumps(bits, count, 1000, queue)


CALLS: dict[str, Callable[[clrng.Generator, cla.Array], Any]] = {
    "poisson": lambda rng, some: rng.poisson(some, dtype="int32"),
    "normal": lambda rng, some: rng.normal(some, some, dtype="float32"),
    "gamma": lambda rng, _: rng.gamma(np.linspace(1, 5, 7), size=(20, 7), dtype="float32"),
    "integers": lambda rng, _: rng.integers(0, np.arange(1, 51), (20, 50)),
    "multinomial": lambda rng, _: rng.multinomial(10, [0.2, 0.8], 100),
    "choice": lambda rng, some: rng.choice(some, 100),
    "choice without replacement": lambda rng, some: rng.choice(some, 100, replace=False),
    "permuted": lambda rng, some: rng.permuted(some.reshape(10, -1), axis=1),
    "sort": lambda _, some: np.sort(some),
    "unique": lambda _, some: np.unique(some),
    "cumsum": lambda _, some: np.cumsum(some),
    "operators": lambda _, some: (some + some) * some[::-1] - 3,
    "selection": lambda _, some: some[some > 1],
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("bits", [LAGGED, clrng.PCG64(seed=3)], ids=["lagged", "pcg64"])
@pytest.mark.parametrize("queues", [1, 2])
def test_what_is_made_of_an_array(any_order: cl.CommandQueue, name: str, bits: clrng.BitGenerator, queues: int) -> None:
    """The array may be filled again at once: by the generator that used it, or by one of another queue."""
    used, filled = any_order, any_order if queues == 1 else cl.CommandQueue(any_order.context)
    with recorded():
        using, filling = two(bits, used, filled)
        some = filling.uniform(0, 20, 5000, dtype="float32")
        for _ in range(3):
            CALLS[name](using, some)
            filling.random(out=some)


@pytest.mark.parametrize("bits", [*STREAMS, clrng.MT19937(seed=6)], ids=lambda bits: bits.name)
def test_two_queues(device: clrng.DeviceInfo, bits: clrng.BitGenerator) -> None:
    assert device.index is not None
    context = make_queue(device.index).context
    with recorded():
        rngs = two(bits, cl.CommandQueue(context), cl.CommandQueue(context))
        mixed(rngs)
        several = clrng.MultiDeviceGenerator(bits.copy(), [rng.queue for rng in rngs])
        for n in SIZES:
            several.random(n, dtype="float32")


def test_what_does_not_wait_is_found(any_order: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once two streams filled memory for their last words at a time, as each waited for its own work only."""

    def copy(tree: Any, start: Any, rows: cla.Array) -> Any:
        if start.states is rows:
            return start.event
        return original(tree, start, rows)

    original = jump_tree.JumpTree._copy
    monkeypatch.setattr(jump_tree.JumpTree, "_copy", copy)
    rngs = two(clrng.LaggedFibonacci((103, 250), "xor", seed=5), any_order, any_order)
    with pytest.raises(AssertionError, match="fill_.* does not wait for fill_"), recorded():  # noqa: PT012
        for rng in (*rngs, *rngs, *rngs):
            rng.random_raw(200_000)  # too many to be made ahead, too few for several blocks
