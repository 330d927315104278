"""Where front ends run and put their results: queues, devices, contexts and allocators; and what classes they take."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pyopencl.tools
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.generators.base import Words
from clrng.generators.families import FAMILIES
from tests.support.generators import GENERATORS
from tests.support.processes import said

ANSWER = [16807, 282475249, 1622650073, 984943658]
FRONTS: dict[str, Callable[..., Any]] = {
    "Generator": lambda **more: clrng.Generator(clrng.ParkMiller(1), **more),
    "DivideAndConquer": lambda **more: clrng.DivideAndConquer(clrng.ParkMiller(1), **more),
    "by_leapfrog": lambda **more: clrng.Streams.by_leapfrog(clrng.ParkMiller(1), 4, **more),
    "by_jumps": lambda **more: clrng.Streams.by_jumps(clrng.ParkMiller(1), 4, 1, **more),
    "from_seeds": lambda **more: clrng.Streams.from_seeds(clrng.ParkMiller(1), [1, *ANSWER[:3]], **more),
    "from_master_seed": lambda **more: clrng.Streams.from_master_seed(clrng.ParkMiller(1), 4, **more),
    "Streams": lambda **more: clrng.Streams(clrng.ParkMiller(1), [1, *ANSWER[:3]], **more),
}


def drawn(front: Any) -> Any:
    """Return four values."""
    return front.random_raw(1 if isinstance(front, clrng.Streams) else 4)


@pytest.mark.parametrize("name", FRONTS)
def test_what_stands_for_a_queue(device: clrng.DeviceInfo, name: str) -> None:
    assert device.index is not None
    context = cl.Context([device.device])
    kept = cl.CommandQueue(context)
    for given in (kept, context, device.device, device, device.index, np.int64(device.index), str(device.index)):
        front = FRONTS[name](queue=given)
        assert front.queue.device == device.device
        assert front.device == device
        if name != "from_master_seed":
            assert drawn(front).get().ravel().tolist() == ANSWER
        if given is kept:
            assert front.queue is kept
        if given is context:
            assert front.queue.context == context
        if isinstance(given, (cl.Device, clrng.DeviceInfo)):
            assert front.queue.context == clrng.make_queue(device.index).context


def test_a_queue_whose_context_nobody_holds(device: clrng.DeviceInfo) -> None:
    """Intel's queues do not hold their context."""
    queue = cl.CommandQueue(cl.Context([device.device]))
    if device.platform.startswith("Intel"):
        with pytest.raises(ValueError, match="queue must be a queue whose context is still there: queues of Intel"):
            clrng.default_rng(1, queue)
    else:
        expected = clrng.default_rng(1, device.index).random_raw(3).get()
        assert clrng.default_rng(1, queue).random_raw(3).get().tolist() == expected.tolist()


def test_kinds_and_names_stand_for_a_queue() -> None:
    kind = clrng.choose_device(0).kind
    info = clrng.choose_device(kind)
    assert clrng.Generator(clrng.ParkMiller(1), kind).device == info
    assert clrng.Generator(clrng.ParkMiller(1), info.name).device.name == info.name


@pytest.mark.parametrize("name", FRONTS)
@pytest.mark.parametrize("value", [1.5, True, b"cpu", [], cl, object, np.bool_(False)])
def test_what_stands_for_no_queue(name: str, value: object) -> None:
    with pytest.raises(TypeError, match="^queue must be a pyopencl.CommandQueue, .* or None, not "):
        FRONTS[name](queue=value)


@pytest.mark.parametrize("value", ["no such device", -1, 10**6, 10**5000], ids=["text", "-1", "large", "huge"])
def test_no_such_device(value: int | str) -> None:
    with pytest.raises(clrng.NoDeviceError, match="^queue must be on a device that there is, not "):
        clrng.Generator(clrng.ParkMiller(1), value)
    with pytest.raises(clrng.NoDeviceError, match="^no device matches device = "):
        clrng.choose_device(value)


TWO_DEVICES = """
import pyopencl as cl, clrng
several = [found for found in (p.get_devices() for p in cl.get_platforms()) if len(found) > 1]
try:
    clrng.Generator(clrng.ParkMiller(1), cl.Context(several[0][:2])) if several else print("skip")
except ValueError as error:
    print(error)
"""


def test_a_context_of_several_devices_is_refused() -> None:
    text = said("-c", TWO_DEVICES, POCL_DEVICES="basic basic")  # of which PoCL makes two
    if text == "skip\n":
        pytest.skip("no platform has two devices")
    assert text == "queue must be a context of one device, not one of 2 devices\n"


class Counting:
    """An allocator that counts."""

    def __init__(self, queue: cl.CommandQueue) -> None:
        self.inner, self.sizes = cl.tools.ImmediateAllocator(queue), []

    def __call__(self, size: int) -> Any:
        """Return memory."""
        self.sizes.append(size)
        return self.inner(size)


@pytest.mark.parametrize("name", [name for name in FRONTS if name != "DivideAndConquer"])
def test_results_come_from_the_allocator(queue: cl.CommandQueue, name: str) -> None:
    allocator = Counting(queue)
    front = FRONTS[name](queue=queue, allocator=allocator)
    assert front.allocator is allocator
    plain = drawn(FRONTS[name](queue=queue)).get()
    before = list(allocator.sizes)
    found = drawn(front)
    assert allocator.sizes == [*before, 16]
    assert_array_equal(found.get(), plain)
    assert found.allocator is allocator
    assert front.random(0).size == 0
    out = cla.zeros(queue, found.shape, np.float32)
    assert front.random(out=out, **({} if name == "Generator" else {"steps": 1})) is out
    assert allocator.sizes == [*before, 16]
    assert pickle.loads(pickle.dumps(front)).allocator is None


@pytest.mark.parametrize("by_name", [False, True])
def test_a_memory_pool_takes_back_what_is_not_used(queue: cl.CommandQueue, by_name: bool) -> None:
    given = "pool" if by_name else cl.tools.MemoryPool(cl.tools.ImmediateAllocator(queue))
    rng = clrng.Generator(clrng.ParkMiller(1), queue, allocator=given)
    pool = rng.allocator
    first = rng.random_raw(1000).get()
    assert pool.held_blocks >= 1
    assert pool.active_blocks == 0
    assert_array_equal(first, clrng.ParkMiller(1).sequence(1000))
    assert_array_equal(rng.random_raw((10, 100)).get().ravel(), clrng.ParkMiller(1).jumped(1000).sequence(1000))


@pytest.mark.parametrize("value", [5, "pools", [], True, 0])
def test_no_allocators(queue: cl.CommandQueue, value: object) -> None:
    for front in ("Generator", "by_jumps", "Streams"):
        with pytest.raises(TypeError, match="^allocator must be .* or None, not "):
            FRONTS[front](queue=queue, allocator=value)


def test_an_allocator_of_another_context_is_refused(queue: cl.CommandQueue) -> None:
    context = cl.Context([queue.device])
    other = cl.CommandQueue(context)
    rng = clrng.Generator(clrng.ParkMiller(1), queue, allocator=cl.tools.ImmediateAllocator(other))
    with pytest.raises(ValueError, match="^allocator must be of the context of the queue, not "):
        rng.random_raw(5)
    assert rng.bit_generator == clrng.ParkMiller(1)


FLAGS = cl.mem_flags
NO_MEMORY = {None: "not None$", 3: "not 3$", "text": "not 'text'$", b"1234567890123456": "not b'1234567890123456'$"}
BAD_MEMORY: dict[str, tuple[Callable[[cl.CommandQueue], Callable[[int], Any]], str]] = {
    "too small": (
        lambda queue: lambda size: cl.Buffer(queue.context, FLAGS.READ_WRITE, size - 1),
        "must return the 16 bytes that it is asked for, not 15$",
    ),
    "read-only": (
        lambda queue: lambda size: cl.Buffer(queue.context, FLAGS.READ_ONLY, size),
        "must return memory that a device may write to, not a buffer that is read-only$",
    ),
    "read-only pool": (
        lambda queue: cl.tools.MemoryPool(cl.tools.ImmediateAllocator(queue, mem_flags=FLAGS.READ_ONLY)),
        "must return memory that a device may write to, not a buffer that is read-only$",
    ),
}


def check_refused(front: Any, error: type[Exception], said: str) -> None:
    """Check that drawing is refused and moves nothing; then that it works with an allocator that is assigned."""
    with pytest.raises(error, match=f"^allocator {said}"):
        drawn(front)
    front.allocator = cl.tools.ImmediateAllocator(front.queue)
    assert drawn(front).get().ravel().tolist() == ANSWER


@pytest.mark.parametrize("front", ["Generator", "by_jumps"])
@pytest.mark.parametrize("value", NO_MEMORY)
def test_what_an_allocator_returns_is_memory(queue: cl.CommandQueue, front: str, value: Any) -> None:
    made = FRONTS[front](queue=queue, allocator=lambda _: value)
    check_refused(made, TypeError, f"must return memory, as a pyopencl.Buffer is, {NO_MEMORY[value]}")


@pytest.mark.parametrize("front", ["Generator", "by_jumps"])
@pytest.mark.parametrize("kind", BAD_MEMORY)
def test_the_memory_that_an_allocator_returns_can_hold_the_values(
    queue: cl.CommandQueue, front: str, kind: str
) -> None:
    allocator, said = BAD_MEMORY[kind]
    check_refused(FRONTS[front](queue=queue, allocator=allocator(queue)), ValueError, said)


@pytest.mark.parametrize("front", ["Generator", "by_jumps"])
def test_larger_and_shared_virtual_memory_is_taken(queue: cl.CommandQueue, front: str) -> None:
    held = cl.Buffer(queue.context, FLAGS.READ_WRITE, 4096)
    assert drawn(FRONTS[front](queue=queue, allocator=lambda _: held)).get().ravel().tolist() == ANSWER
    try:
        if not queue.device.svm_capabilities:
            pytest.skip("the device has no shared virtual memory")
        pool = cl.tools.SVMPool(cl.tools.SVMAllocator(queue.context, queue=queue))
    except (cl.Error, AttributeError) as error:
        pytest.skip(f"the device has no shared virtual memory: {error}")
    made = FRONTS[front](queue=queue, allocator=pool)
    assert drawn(made).get().ravel().tolist() == ANSWER
    assert pool.held_blocks >= 1
    pool.free_held()
    queue.finish()  # PoCL 3 crashes if memory is being freed when the queue goes


class Own(clrng.BitGenerator):
    """A generator of the user's own, the odd numbers modulo 100."""

    name, modulus, min_value, upper_bound, period, reversible = "own", 100, 0, 100, 50, True

    def __init__(self) -> None:
        self._words = (1,)

    def _set(self, name: Callable[[str], str], **values: Any) -> None:  # noqa: ARG002  # as inherited
        self._words = (values["state"],)

    def _values(self) -> dict[str, Any]:
        return {"state": self._words[0]}

    def step(self, words: Words) -> Words:
        """Return the next odd number."""
        return self.state_after(words, 1)

    def value(self, words: Words) -> int:
        """Return the number."""
        return words[0]

    def state_after(self, words: Words, n: int) -> Words:
        """Return the number `n` further on."""
        return ((words[0] + 2 * n) % 100,)


class Mine(clrng.ParkMiller):
    """A subclass that changes nothing of the numbers."""

    def __init__(self) -> None:
        super().__init__(seed=1)


class MyLagged(clrng.LaggedFibonacci):
    """Another one."""


class Halved(clrng.ParkMiller):
    """A subclass with other values."""

    def value(self, words: Words) -> int:
        """Return half the state."""
        return words[0] >> 1


def test_a_generator_of_ones_own_says_what_works(queue: cl.CommandQueue) -> None:
    own = Own()
    assert own.sequence(3).tolist() == [3, 5, 7]
    assert own.jumped(-2).sequence(3).tolist() == [99, 1, 3]
    for call in (
        lambda: clrng.Generator(own, queue),
        lambda: clrng.Streams.by_jumps(own, 5, queue=queue),
        lambda: clrng.device_code(own, device=queue.device),
    ):
        families = ", ".join(family.generator.__name__ for family in FAMILIES.values())
        with pytest.raises(
            TypeError, match=f"^bit_generator must be of a class that there is device code for, {families} or .*Own;"
        ):
            call()


def test_a_subclass_with_other_values_is_refused(queue: cl.CommandQueue) -> None:
    with pytest.raises(TypeError, match="^bit_generator must have the value of ParkMiller, .* as the class Halved"):
        clrng.Generator(Halved(1), queue)
    rng = clrng.Generator(clrng.ParkMiller(5), queue)
    rng.bit_generator = Halved(5)
    with pytest.raises(TypeError, match="^bit_generator must have the value of ParkMiller"):
        rng.random_raw(3)
    rng.bit_generator = clrng.ParkMiller(1)
    assert rng.random_raw(4).get().tolist() == ANSWER


def test_subclasses_of_a_family_work(queue: cl.CommandQueue) -> None:
    rng = clrng.Generator(Mine(), queue)
    assert rng.random_raw(4).get().tolist() == ANSWER
    assert type(rng.bit_generator) is Mine
    assert type(rng.bit_generator.jumped()) is Mine
    state = rng.bit_generator.state
    assert state["bit_generator"] == "Mine"
    other = Mine()
    other.state = state
    assert other == rng.bit_generator.copy()
    assert clrng.Streams.by_leapfrog(Mine(), 4, queue).random_raw(1).get().ravel().tolist() == ANSWER
    assert clrng.DivideAndConquer(Mine(), queue).random_raw(4).get().tolist() == ANSWER
    assert "park_miller_seed" in clrng.device_code(Mine(), device=queue.device)
    bits = MyLagged((5, 17), "+", seed=3)
    plain = clrng.LaggedFibonacci((5, 17), "+", seed=3)
    assert_array_equal(clrng.Generator(bits, queue).random_raw(1000).get(), plain.sequence(1000))
    assert bits.jumped(-500).words == plain.jumped(500).words
    assert_array_equal(clrng.Streams.by_jumps(plain, 3, 7, queue)[1].sequence(5), plain.jumped(7).sequence(5))


@pytest.mark.parametrize("name", GENERATORS)
def test_strings_and_integers_of_numpy_do_not_stay_in_a_state(name: str) -> None:
    state = GENERATORS[name].state
    strange = {key: strange_of(value) for key, value in state.items()}
    restored = GENERATORS[name].jumped(1)
    restored.state = strange
    assert restored.state == state
    assert_plain(restored.state)
    assert_plain(restored.parameters)


def strange_of(value: Any) -> Any:
    """Return `value` with the scalars of NumPy in it."""
    if isinstance(value, list):
        return [strange_of(part) for part in value]
    if isinstance(value, dict):
        return {key: strange_of(part) for key, part in value.items()}
    if isinstance(value, str):
        return np.str_(value)
    if value is None or value >= 2**64:
        return value
    return np.int64(value) if value < 0 else np.uint64(value)


def assert_plain(value: Any) -> None:
    """Assert that there are plain types alone."""
    assert type(value) in (dict, list, int, str, type(None))
    if isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            assert_plain(part)
