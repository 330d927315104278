"""Calls that come again, which go from the method to the launch by what was found out before."""

import gc
import itertools
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pyopencl.tools
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.fill import repeated
from clrng.opencl.kernel import Kernel, Repeated
from tests.conftest import own_queue
from tests.support.generators import GENERATORS

DEFAULT: dict[str, clrng.BitGenerator] = {
    "pcg64": clrng.PCG64(1), "mrg32k3a": clrng.MRG32k3a(12345), "park_miller": clrng.ParkMiller(seed=1),
    "lagged": clrng.named("lfg_418_1279", 1), "mt19937": clrng.MT19937(1),
}  # fmt: skip
EACH = pytest.mark.parametrize("name", DEFAULT)
AHEAD = pytest.mark.parametrize("name", ["lagged", "mt19937"])
STRATEGIES = ("park_miller", "lcg_2^64", "mrg32k3a", "xorwow", "pcg64", "pcg32", "philox", "lagged_+_5_17")
N = 1000


def generator(queue: cl.CommandQueue, name: str = "park_miller", **options: Any) -> clrng.Generator:
    return clrng.Generator(DEFAULT[name].copy(), queue, **options)


def warm(rng: clrng.Generator, out: cla.Array | None = None) -> cla.Array:
    """Return what has been drawn so often that the same call goes the short way; `rng` stands where it stood."""
    words = rng.bit_generator.words
    for _ in range(3):
        found = rng.random_raw(N) if out is None else rng.random_raw(out=out)
    rng.bit_generator._words = words
    return found


@contextmanager
def short_way() -> Iterator[None]:
    """Refuse all launches but those of calls that come again."""

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a call went the long way")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "__call__", refused)
        yield


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("given", [False, True], ids=["new", "out"])
def test_values_go_on(queue: cl.CommandQueue, name: str, given: bool) -> None:
    bits = GENERATORS[name]
    rng = clrng.Generator(bits.copy(), queue)
    out = cla.empty(queue, N, bits.dtype) if given else None
    found = [(rng.random_raw(N) if out is None else rng.random_raw(out=out)).get() for _ in range(6)]
    assert_array_equal(np.concatenate(found), bits.sequence(6 * N))
    assert rng.bit_generator == bits.jumped(6 * N)


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_halves_that_wait(queue: cl.CommandQueue, size: int) -> None:
    ours, numpys = clrng.Generator(clrng.PCG64(5), queue), np.random.Generator(np.random.PCG64(5))
    dtypes: list[Any] = ["float32", "float64"] if queue.device.double_fp_config else ["float32"]
    for dtype in 5 * dtypes:
        assert_array_equal(ours.random(size, dtype).get(), numpys.random(size, dtype))
    assert ours.bit_generator.state == numpys.bit_generator.state


@EACH
def test_all_methods_go_the_short_way(queue: cl.CommandQueue, name: str) -> None:
    several, whole = generator(queue, name), generator(queue, name)
    wide = "float64" if queue.device.double_fp_config else "float32"
    calls: dict[str, Any] = {
        "random": lambda rng, **how: rng.random(**how),
        "standard_normal": lambda rng, **how: rng.standard_normal(**how),
        "integers": lambda rng, **how: rng.integers(6, **how),
        "normal": lambda rng, **how: rng.normal(2.0, 3.0, **how),
        "poisson": lambda rng, **how: rng.poisson(4.5, **how),
        "uniform": lambda rng, **how: rng.uniform(-1.0, 2.0, **how, dtype=wide),
        "random_raw": lambda rng, **how: rng.random_raw(**how),
    }
    for call in calls.values():
        out = call(several, size=N)
        pieces = [out.get(), *(call(several, size=N).get() for _ in range(2))]
        pieces.extend(call(several, out=out).get() for _ in range(3))
        with short_way():
            pieces.extend([call(several, size=N).get(), call(several, out=out).get()])
        assert_array_equal(np.concatenate(pieces), call(whole, size=8 * N).get())
    assert several.bit_generator == whole.bit_generator


@AHEAD
def test_words_that_are_made_ahead_come_to_their_end(queue: cl.CommandQueue, name: str) -> None:
    """Requests of two sizes, over several windows, and places that the device does not have."""
    rng, whole = generator(queue, name), generator(queue, name)
    expected = whole.random_raw(2**21).get()
    for begin in (0, 2**20, 3, 2**19):
        rng.bit_generator, place = generator(queue, name).bit_generator.advance(begin), begin
        for n, count in ((8192, 40), (1001, 30), (8192, 20)):
            found = np.concatenate([rng.random_raw(n).get() for _ in range(count)])
            assert_array_equal(found, expected[place : place + found.size])
            place += found.size


@AHEAD
def test_words_ahead_of_two_streams(queue: cl.CommandQueue, name: str) -> None:
    places = 0, 10**6
    several = [generator(queue, name) for _ in places]
    for rng, place in zip(several, places, strict=True):
        rng.bit_generator.advance(place)
    found = [[rng.random_raw(N).get() for rng in several] for _ in range(25)]
    for place, stream in zip(places, zip(*found, strict=True), strict=True):
        whole = generator(queue, name)
        whole.bit_generator.advance(place)
        assert_array_equal(np.concatenate(stream), whole.random_raw(25 * N).get())


@AHEAD
def test_words_ahead_in_any_order(any_order: cl.CommandQueue, name: str) -> None:
    rng, out = generator(any_order, name), cla.empty(any_order, N, np.uint32)
    for _ in range(3):
        rng.random_raw(out=out)
    held = cl.UserEvent(any_order.context)
    out.add_event(held)
    with short_way():
        rng.random_raw(out=out)
        rng.random_raw(out=out)  # which must wait for the one before
    held.set_status(cl.command_execution_status.COMPLETE)
    assert_array_equal(out.get(), generator(any_order, name).random_raw(5 * N).get()[4 * N :])


def test_parameters_by_turns(queue: cl.CommandQueue) -> None:
    """The same kernel with other arguments, in two generators."""
    rngs, start = [generator(queue) for _ in range(2)], clrng.ParkMiller(seed=1)
    places = [(0.0, 1.0), (2.0, 3.0), (-5.0, 0.5)]
    values = {place: generator(queue).normal(*place, size=15 * N).get() for place in places}
    for i in range(5):
        for j, place in enumerate(places):
            for rng in rngs:
                begin = (3 * i + j) * N
                rng.bit_generator._words = start.jumped(begin).words
                assert_array_equal(rng.normal(*place, size=N).get(), values[place][begin : begin + N])


def test_other_calls_of_the_kernel_between(queue: cl.CommandQueue) -> None:
    rng, bits = generator(queue), clrng.ParkMiller(seed=1)
    warm(rng)
    found = [rng.random_raw(n).get() for n in (N, 17, N, N, 500, N)]
    assert_array_equal(np.concatenate(found), bits.sequence(4 * N + 517))


BAD: dict[str, Any] = {
    "dtype": lambda queue: cla.empty(queue, N, np.int32),
    "read-only": lambda queue: cla.Array(queue, N, np.uint32, data=cl.Buffer(queue.context, 4, 4 * N)),
    "misaligned": lambda queue: cla.Array(queue, N, np.uint32, data=cla.empty(queue, 8000, np.uint8).data, offset=2),
    "too small": lambda queue: cla.Array(queue, N, np.uint32, data=cla.empty(queue, 3999, np.uint8).data),
    "negative offset": lambda queue: cla.Array(
        queue, N, np.uint32, data=cla.empty(queue, 8000, np.uint8).data, offset=-4
    ),
    "context": lambda queue: cla.empty(own_queue(queue.device), N, np.uint32),
    "overlapping": lambda queue: cla.Array(queue, (N,), np.uint32, strides=(0,), data=cla.empty(queue, 1, "u4").data),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_refused_stays_refused(queue: cl.CommandQueue, what: str) -> None:
    rng = generator(queue)
    warm(rng, cla.empty(queue, N, np.uint32))
    with pytest.raises(ValueError, match="out"):
        rng.random_raw(out=BAD[what](queue))
    assert rng.bit_generator == clrng.ParkMiller(seed=1)


def test_an_array_that_has_changed(queue: cl.CommandQueue) -> None:
    rng, out = generator(queue), cla.empty(queue, N, np.uint32)
    warm(rng, out)
    out.base_data = cl.Buffer(queue.context, cl.mem_flags.READ_ONLY, 4 * N)
    with pytest.raises(ValueError, match="read-only"):
        rng.random_raw(out=out)
    out.base_data = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, 4 * N)
    assert_array_equal(rng.random_raw(out=out).get(), clrng.ParkMiller(seed=1).sequence(N))


def test_slices_and_other_queues(queue: cl.CommandQueue) -> None:
    rng, bits = generator(queue), clrng.ParkMiller(seed=1)
    whole = cla.zeros(queue, 4 * N, np.uint32)
    warm(rng, whole[:N])
    for i, place in enumerate((slice(N, 2 * N), slice(0, 2 * N, 2), slice(3, N + 3))):
        rng.random_raw(out=whole[place])
        assert_array_equal(whole.get()[place], bits.sequence((i + 1) * N)[i * N :])
    other = cla.empty(cl.CommandQueue(queue.context), N, np.uint32)
    assert_array_equal(rng.random_raw(out=other).get(), bits.sequence(4 * N)[3 * N :])


@pytest.mark.parametrize("size", [True, 1.0, (True,), (1.0,), "1", np.float64(1)])
def test_sizes_that_equal_legal_ones(queue: cl.CommandQueue, size: Any) -> None:
    rng = generator(queue)
    for _ in range(3):
        rng.random_raw(1)
        rng.random_raw((1,))
    with pytest.raises(TypeError, match="size"):
        rng.random_raw(size)


def test_parameters_that_equal_legal_ones(queue: cl.CommandQueue) -> None:
    rng = generator(queue)
    for _ in range(3):
        rng.integers(1, size=5)
    for low in (True, 1.0):
        with pytest.raises(TypeError, match="low"):
            rng.integers(low, size=5)  # type: ignore[arg-type]


class Changing:
    """A number that may change, as a tensor of one value does, and is equal to itself alone."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __float__(self) -> float:
        return float(self.value)

    def __index__(self) -> int:
        return int(self.value)


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng, number: rng.uniform(0.0, number, size=N),
        lambda rng, number: rng.poisson(number, size=N),
        lambda rng, number: rng.integers(number, size=N),
    ],
    ids=["uniform", "poisson", "integers"],
)
def test_parameters_that_change(queue: cl.CommandQueue, draw: Any) -> None:
    rng, other, number = generator(queue), generator(queue), Changing(5)
    for value in (5, 5, 5, 50, 50, 5):
        number.value = value
        assert_array_equal(draw(rng, number).get(), draw(other, value).get())


def test_a_bit_generator_that_has_changed(queue: cl.CommandQueue) -> None:
    rng = clrng.Generator(clrng.LCG(69069, 5, 2**32, seed=1), queue)
    warm(rng)
    bits: Any = rng.bit_generator
    for change in ("moved", "parameters", "another", "family"):
        if change == "moved":
            bits.advance(10**9)
        elif change == "parameters":
            bits.state = {**bits.state, "multiplier": 1664525}
        else:
            bits = clrng.LCG(1664525, 1, 2**32, seed=9) if change == "another" else clrng.PCG64(3)
            rng.bit_generator = bits
        before = bits.copy()
        for i in range(4):
            assert_array_equal(rng.random_raw(N).get(), before.sequence((i + 1) * N)[i * N :])


def test_events_are_waited_for_and_replaced(queue: cl.CommandQueue) -> None:
    rng, out = generator(queue), cla.empty(queue, N, np.uint32)
    warm(rng, out)
    held = cl.UserEvent(queue.context)
    out.add_event(held)
    view = out[:5]
    with short_way():
        rng.random_raw(out=out)
    (event,) = out.events
    assert view.events is out.events
    queue.flush()
    assert event.command_execution_status != cl.command_execution_status.COMPLETE
    held.set_status(cl.command_execution_status.COMPLETE)
    assert_array_equal(out.get(), clrng.ParkMiller(seed=1).sequence(N))


def test_in_any_order(any_order: cl.CommandQueue) -> None:
    rng, out = generator(any_order), cla.empty(any_order, N, np.uint32)
    warm(rng, out)
    held = cl.UserEvent(any_order.context)
    out.add_event(held)
    with short_way():
        rng.random_raw(out=out)
        rng.random_raw(out=out)  # which must wait for the one before
    held.set_status(cl.command_execution_status.COMPLETE)
    assert_array_equal(out.get(), clrng.ParkMiller(seed=1).sequence(2 * N)[N:])


def test_an_allocator(queue: cl.CommandQueue) -> None:
    rng, bits = generator(queue), clrng.ParkMiller(seed=1)
    warm(rng)
    pool = pyopencl.tools.MemoryPool(pyopencl.tools.ImmediateAllocator(queue))
    rng.allocator = pool
    with short_way():
        found = rng.random_raw(N)
        assert pool.active_blocks == 1
        assert found.allocator is pool
        rng.allocator = None
        assert rng.random_raw(N).allocator is None
    assert_array_equal(found.get(), bits.sequence(N))


def test_shared_virtual_memory(queue: cl.CommandQueue) -> None:
    """A kernel that has been given such memory is given no buffer afterwards, which NVIDIA's driver refuses."""
    try:
        if not queue.device.svm_capabilities:
            pytest.skip("the device has no such memory")
        allocator = pyopencl.tools.SVMAllocator(queue.context, queue=queue)
        allocator(64)
    except (cl.Error, AttributeError) as error:
        pytest.skip(f"the device has no such memory: {error}")
    rng, found, kernels = generator(queue), [], []
    earlier = {id(each) for each in gc.get_objects() if type(each) is repeated.Again}
    warm(rng)
    (again,) = [each for each in gc.get_objects() if type(each) is repeated.Again and id(each) not in earlier]
    for rng.allocator in (None, allocator, allocator, None, allocator, None):
        with short_way():
            found.append(rng.random_raw(N))
        kernels.append(again._launch._kernel._kernel)
    values = np.concatenate([each.get() for each in found])
    assert_array_equal(values, clrng.ParkMiller(seed=1).sequence(6 * N))
    found.clear()
    queue.finish()  # PoCL 3 crashes if memory is being freed when the queue goes
    assert [one is next_one for one, next_one in itertools.pairwise(kernels)] == [False, True, False, False, False]


def test_no_array_is_kept(queue: cl.CommandQueue) -> None:
    rng, out = generator(queue), cla.empty(queue, N, np.uint32)
    warm(rng, out)
    memory = weakref.ref(out)
    del out
    gc.collect()
    assert memory() is None


def test_new_arrays_are_like_all_others(queue: cl.CommandQueue) -> None:
    rng = generator(queue)
    shapes: list[Any] = [None, 7, (3, 5), (1, 4, 1)]
    for shape in shapes:
        first, *_, last = (rng.random(shape) for _ in range(4))
        assert type(last) is type(first) is clrng.Array
        assert last.base_data is not first.base_data
        different = {"base_data", "events", "_flags"}
        assert {key: value for key, value in vars(last).items() if key not in different} == {
            key: value for key, value in vars(first).items() if key not in different
        }
        assert last.flags.c_contiguous
        assert first.base_data is not None
        assert last.base_data is not None
        assert last.base_data.size == first.base_data.size


@pytest.mark.parametrize("where", ["launch", "move"])
def test_interrupts(queue: cl.CommandQueue, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, out = generator(queue), cla.empty(queue, N, np.uint32)
    warm(rng, out)
    launch = Repeated.__call__

    def interrupted(*arguments: Any) -> None:
        if where == "launch":
            launch(*arguments)
        raise KeyboardInterrupt

    if where == "launch":
        monkeypatch.setattr(Repeated, "__call__", interrupted)
    else:
        (again,) = [
            each for each in gc.get_objects()
            if type(each) is repeated.Again and isinstance(each._launch, Repeated) and each._launch._shape[0] is queue
        ]  # fmt: skip
        monkeypatch.setattr(again, "_move", interrupted)
    with pytest.raises(KeyboardInterrupt):
        rng.random_raw(out=out)
    monkeypatch.undo()
    assert rng.bit_generator == clrng.ParkMiller(seed=1)
    assert_array_equal(rng.random_raw(out=out).get(), clrng.ParkMiller(seed=1).sequence(N))


def test_threads_that_share_a_kernel(queue: cl.CommandQueue) -> None:
    seeds, wrong = range(1, 5), []
    begin = threading.Barrier(len(seeds))

    def draw(seed: int) -> None:
        bits = clrng.ParkMiller(seed=seed)
        rng = clrng.Generator(bits.copy(), cl.CommandQueue(queue.context))
        begin.wait()
        found = np.concatenate([rng.random_raw(N).get() for _ in range(50)])
        if (found != bits.sequence(50 * N)).any():
            wrong.append(seed)

    threads = [threading.Thread(target=draw, args=(seed,)) for seed in seeds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_calls_of_many_sizes(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clrng.frontends.generator.MAX_CALLS", 3)
    rng, bits = generator(queue), clrng.ParkMiller(seed=1)
    sizes = [*range(5), *range(5), 3, 3, 3, 0, 0, 0]
    found = [rng.random_raw(n).get() for n in sizes]
    assert_array_equal(np.concatenate(found), bits.sequence(sum(sizes)))
    assert rng._calls.cache_info().currsize <= 3


def test_ranks_go_their_own_way(queue: cl.CommandQueue) -> None:
    ranks = [generator(queue).piece(rank, 2) for rank in range(2)]
    for i in range(4):
        found = np.concatenate([rng.random_raw(N).get() for rng in ranks])
        assert_array_equal(found, clrng.ParkMiller(seed=1).sequence((i + 1) * N)[i * N :])
