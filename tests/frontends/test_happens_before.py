"""Commands that use one memory have an order, on queues without one and on several queues, whatever they run like."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pyopencl.tools
import pytest

import clrng
from clrng.fill import jump_tree
from clrng.frontends.looks import LARGE
from tests.conftest import make_queue
from tests.support.array_calls import CALLS, READERS, SET, WRITERS, reals
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


KINDS = {
    "one, in any order": (True, None),
    "in any order, in order": (True, False),
    "in order, in order": (False, False),
    "in order, in any order": (False, True),
}
"""Pairs of queues: whether each runs commands in any order; None is no second one."""

SIZES_OF_ARRAYS = 5000, LARGE + 24


@pytest.fixture
def queues(any_order: cl.CommandQueue, request: pytest.FixtureRequest) -> Iterator[list[cl.CommandQueue]]:
    """Return the queue that uses an array, and that of the array."""
    first, second = KINDS[request.param]
    context, properties = any_order.context, any_order.properties
    others = [cl.CommandQueue(context, properties=properties if kind else 0) for kind in (first, second)]
    chosen = [others[0], others[0] if second is None else others[1]]
    yield chosen
    for queue in chosen:
        queue.finish()


@pytest.mark.parametrize("queues", KINDS, indirect=True)
@pytest.mark.parametrize("name", CALLS)
def test_what_is_made_of_an_array(queues: list[cl.CommandQueue], name: str) -> None:
    """The array may be filled again at once: by the generator that used it, or by one of another queue."""
    call = CALLS[name]
    with recorded():
        for n, bits in zip(SIZES_OF_ARRAYS, (LAGGED, clrng.PCG64(seed=3)), strict=True):
            using, filling = two(bits, *queues)
            some = call.fill(filling, n)
            for _ in range(3):
                call.make(using, some)
                call.fill(filling, out=some)


@pytest.mark.parametrize("name", CALLS)
def test_memory_of_a_pool(any_order: cl.CommandQueue, name: str) -> None:
    """The pool gives memory of arrays that are dropped while commands are at work on them."""
    call, pool = CALLS[name], cl.tools.MemoryPool(cl.tools.ImmediateAllocator(any_order))
    rng = clrng.Generator(clrng.PCG64(seed=3), any_order, allocator=pool)
    with recorded():
        for _ in range(4):
            call.make(rng, call.fill(rng, 5000))


@pytest.mark.parametrize("name", SET)
def test_what_sets_elements_to_an_array(any_order: cl.CommandQueue, name: str) -> None:
    call = SET[name]
    with recorded():
        for n in SIZES_OF_ARRAYS:
            rng = clrng.Generator(LAGGED.copy(), any_order)
            some = call.fill(rng, n)
            for _ in range(3):
                call.make(rng, some)
                call.fill(rng, out=some)


@pytest.mark.parametrize("queues", ["in order, in order", "in order, in any order"], indirect=True)
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("writer", WRITERS)
def test_what_its_own_queue_reads_is_written_by_another(
    queues: list[cl.CommandQueue], reader: str, writer: str
) -> None:
    with recorded():
        writing, reading = two(clrng.PCG64(seed=3), *queues)
        some = reals(reading, 5000)
        for _ in range(3):
            READERS[reader](reading, some)
            WRITERS[writer](writing, some)


FRONTS: dict[str, tuple[Callable[[cl.CommandQueue], Any], Callable[[Any, int], Any]]] = {
    "TorchCpu": (
        lambda q: clrng.TorchCpu(1, queue=q),
        lambda rng, n: (rng.rand(n), rng.randn(n), rng.randint(0, 9, n)),
    ),
    "TorchCuda": (
        lambda q: clrng.TorchCuda(1, 108, queue=q),
        lambda rng, n: (rng.rand(n), rng.randn(n), rng.randint(0, 9, n)),
    ),
    "JaxKey": (
        lambda q: clrng.JaxKey(1, queue=q),
        lambda rng, n: (rng.bits(n), rng.uniform(n), rng.normal(n), rng.randint(n, 0, 9)),
    ),
    "TensorFlowSeed": (
        lambda q: clrng.TensorFlowSeed([1, 2], queue=q),
        lambda rng, n: (rng.bits(n), rng.uniform(n), rng.normal(n), rng.integers(0, 9, n)),
    ),
    "Curand": (
        lambda q: clrng.Curand("philox4_32_10", 1, queue=q),
        lambda rng, n: (rng.generate(n), rng.uniform(n), rng.normal(n + n % 2)),
    ),
    "Rocrand": (
        lambda q: clrng.Rocrand("lfsr113", queue=q),
        lambda rng, n: (rng.generate(n), rng.uniform(n), rng.generate_char(n), rng.normal(n), rng.generate(n)),
    ),
    "Rocrand, MTGP32": (
        lambda q: clrng.Rocrand("mtgp32", queue=q),
        lambda rng, n: (rng.generate(n), rng.uniform(n), rng.generate_char(n - 1), rng.normal(n), rng.generate(n)),
    ),
    "NumpyGenerator": (
        lambda q: clrng.from_numpy(np.random.default_rng(1), q),
        lambda rng, n: (
            rng.random(n, "float32"), rng.standard_normal(n, "float32"), rng.standard_exponential(n, "float32"),
            rng.integers(0, 9, n), rng.integers(0, 2**40, n), rng.choice(5, n, p=[0.2] * 5), rng.permutation(n),
        ),
    ),
    "NumpyRandomState": (
        lambda q: clrng.from_numpy(np.random.RandomState(1), q),
        lambda rng, n: (rng.randint(0, 9, n), rng.permutation(n), rng.choice(9, n)),
    ),
    "DivideAndConquer": (
        lambda q: clrng.DivideAndConquer(clrng.ParkMiller(seed=1), q),
        lambda rng, n: (rng.random_raw(n), rng.random_raw(n)),
    ),
    "DivideAndConquer, lagged": (
        lambda q: clrng.DivideAndConquer(LAGGED.copy(), q),
        lambda rng, n: (rng.random_raw(n), rng.random_raw(n)),
    ),
    "Generator, vectors": (
        lambda q: clrng.Generator(LAGGED.copy(), q),
        lambda rng, n: (
            rng.multinomial(9, [0.2, 0.3, 0.5], n), rng.dirichlet([2, 3], n),
            rng.multivariate_normal([0, 1], np.eye(2), n),
            rng.dirichlet(np.linspace(0.3, 0.9, 300).reshape(100, 3)),
        ),
    ),
    "Generator, laws of elements": (
        lambda q: clrng.Generator(LAGGED.copy(), q),
        lambda rng, n: (
            rng.poisson(np.arange(n) % 30), rng.poisson(np.arange(n) * 1e4), rng.gamma(np.arange(n) % 5 + 1),
            rng.choice(20 * n, n, replace=False), rng.normal(np.arange(n), out=np.ndarray),
        ),
    ),
}  # fmt: skip
"""Front ends, and what they draw."""


@pytest.mark.parametrize("queues", KINDS, indirect=True)
@pytest.mark.parametrize("name", FRONTS)
def test_front_ends(queues: list[cl.CommandQueue], name: str) -> None:
    make, draw = FRONTS[name]
    with recorded():
        fronts = [make(queue) for queue in queues]
        for n in (300, 5000, 140_000, 300):
            for front in fronts:
                draw(front, n)


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
    if not any_order.device.host_unified_memory:
        pytest.skip("a device with memory of its own takes other ways")

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
