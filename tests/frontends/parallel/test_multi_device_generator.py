"""One stream on several devices: the numbers of one device, whatever the devices, the shares and the calls."""

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.frontends.parallel import shares as cutting
from clrng.frontends.parallel.multi_device_generator import ArrayPart
from clrng.frontends.parallel.shares import Worker
from clrng.generators import BitGenerator
from tests.conftest import make_queue
from tests.frontends.test_interrupts import interrupted_launch
from tests.support import oracle
from tests.support.drawn_cases import CASES
from tests.support.generators import GENERATORS, ONE_OF_EACH
from tests.support.several_queues import QUEUES, SHARES, doubles, several

pytestmark = pytest.mark.device
SHAPES: list[Any] = [1, (), 0, 5, (3, 0), (7, 3), (2, 333), (1, 1000), (500, 3), 4001, (3, 2, 100)]
Draw = Callable[[Any], Any]


@pytest.mark.parametrize("name", GENERATORS)
def test_every_bit_generator(name: str) -> None:
    rng, bits = several(GENERATORS[name]), GENERATORS[name].copy()
    for n in (700, 3, 1001):
        assert_array_equal(rng.random_raw(n).get(), bits.sequence(n))
        bits.advance(n)
    assert rng.bit_generator == bits


@pytest.mark.parametrize("shares", SHARES, ids=str)
@pytest.mark.parametrize("bits", [clrng.ParkMiller(seed=1), clrng.LaggedFibonacci((24, 55), "+", seed=7)], ids=repr)
def test_shapes_shares_and_calls_that_go_on(bits: BitGenerator, shares: list[float]) -> None:
    rng, done = several(bits, shares), 0
    total = bits.sequence(sum(int(np.prod(shape)) for shape in SHAPES))
    for shape in SHAPES:
        found = rng.random_raw(shape)
        values = found.get()
        assert values.shape == found.shape == (shape if isinstance(shape, tuple) else (shape,))
        assert_array_equal(values.ravel(), total[done : done + values.size])
        done += values.size


@pytest.mark.parametrize("name", CASES)
def test_every_method(name: str) -> None:
    case, bits = CASES[name], GENERATORS["lcg_2^64"]
    rng, alone = several(bits), clrng.Generator(bits.copy(), QUEUES[0])
    for dtype in case.dtypes:
        if dtype == "float64" and not doubles():
            continue
        for size in (100, (3, 41)):
            assert_array_equal(case.draw(rng, size, dtype=dtype), case.draw(alone, size, dtype=dtype).get())
    assert rng.bit_generator == alone.bit_generator


def test_other_methods() -> None:
    bits = clrng.named("mmix", 1)
    rng, alone = several(bits), clrng.Generator(bits.copy(), QUEUES[0])
    assert rng.bytes(1003) == alone.bytes(1003)
    draws: list[Draw] = [
        lambda rng: rng.random((10, 10), interval="()"),
        lambda rng: rng.choice(1000, 70, p=np.arange(1000) / 499500),
        lambda rng: rng.choice(np.arange(7, dtype=np.uint16) * 3, (70, 2)),
        lambda rng: rng.sample(clrng.distribution("gamma", shape=2.5), 70),
        lambda rng: rng.integers(-5, 5, 70, dtype="int8"),
    ]
    for draw in draws:
        expected = draw(alone).get()
        found = draw(rng)
        assert found.dtype == expected.dtype
        assert_array_equal(found.get(), expected)
    with pytest.raises(clrng.UnsupportedError, match="^permutation is not drawn here"):
        rng.permutation(3)
    assert rng.bit_generator == alone.bit_generator


LOCATED: dict[str, Draw] = {
    "one": lambda rng: rng.normal([3.0], 2.0, (40, 5)),
    "rows": lambda rng: rng.normal(np.arange(40.0)[:, None], 2.0, (40, 5)),
    "columns": lambda rng: rng.normal(1.0, np.arange(1, 6), (40, 5)),
    "both": lambda rng: rng.laplace(np.arange(5.0), np.arange(1, 41.0)[:, None]),
    "all": lambda rng: rng.gamma(2.5, np.arange(200.0).reshape(40, 5)),
    "few rows": lambda rng: rng.vonmises(np.arange(99.0), 4.0, (2, 99)),
    "more axes": lambda rng: rng.gumbel(np.arange(6.0).reshape(3, 1, 2), np.arange(1, 8.0)[:, None], (3, 7, 2)),
}


@pytest.mark.parametrize("name", LOCATED)
def test_arrays_of_the_host_as_parameters(name: str) -> None:
    bits = clrng.ParkMiller(seed=9)
    for shares in SHARES:
        rng, alone = several(bits, shares), clrng.Generator(bits.copy(), QUEUES[0])
        for _ in range(2):
            assert_array_equal(LOCATED[name](rng).get(), LOCATED[name](alone).get())


def test_an_array_of_numpy_as_parameter_and_as_result() -> None:
    bits, loc = clrng.ParkMiller(seed=9), np.arange(100.0)
    rng, alone = several(bits), clrng.Generator(bits.copy(), QUEUES[0])
    expected = alone.normal(loc, 2.0).get()
    out = np.zeros(100, np.float32)
    assert rng.normal(loc, 2.0, out=out) is out
    assert_array_equal(out, expected)
    assert_array_equal(rng.normal(loc, 2.0, out=np.ndarray), alone.normal(loc, 2.0).get())


def test_arrays_as_parameters_of_results_that_are_filled_again() -> None:
    bits, loc = clrng.ParkMiller(seed=9), np.arange(300.0).reshape(3, 100)
    rng, alone = several(bits), clrng.Generator(bits.copy(), QUEUES[0])
    out = rng.normal(loc, 2.0)
    assert_array_equal(out.get(), alone.normal(loc, 2.0).get())
    for scale in (2.0, np.arange(100)):
        assert rng.normal(loc, scale, out=out) is out
        assert_array_equal(out.get(), alone.normal(loc, scale).get())


def test_it_goes_on_with_other_front_ends_and_moves() -> None:
    bits = clrng.LaggedFibonacci((5, 17), "+", seed=3)
    expected = bits.sequence(10_000)
    rng = clrng.MultiDeviceGenerator(bits, QUEUES, SHARES[0])
    alone = clrng.Generator(bits, QUEUES[0])
    assert_array_equal(rng.random_raw(1000).get(), expected[:1000])
    assert_array_equal(alone.random_raw(1000).get(), expected[1000:2000])
    assert_array_equal(rng.random_raw(1000).get(), expected[2000:3000])
    bits.advance(-2000)
    assert_array_equal(rng.random_raw(1000).get(), expected[1000:2000])
    rng.bit_generator = clrng.ParkMiller(seed=1)
    assert_array_equal(rng.random_raw(100).get(), oracle.sequence(1, 100))
    rng.bit_generator.state = clrng.ParkMiller(seed=5, multiplier=48271).state
    assert_array_equal(rng.random_raw(100).get(), clrng.ParkMiller(seed=5, multiplier=48271).sequence(100))


def test_results_that_are_filled_again() -> None:
    rng = several(clrng.ParkMiller(seed=1))
    first = rng.random_raw((100, 3))
    arrays = [part.array for part in first.parts]
    assert rng.random_raw(out=first) is first
    assert [part.array for part in first.parts] == arrays
    assert_array_equal(first.get().ravel(), oracle.sequence(1, 300, first=301))
    other = clrng.MultiDeviceGenerator(rng.bit_generator, QUEUES[:2], [2, 1])
    mine = other.random_raw(90)
    assert_array_equal(rng.random_raw(out=mine).get(), oracle.sequence(1, 90, first=691))  # cut as that other one cuts


@pytest.mark.parametrize("bits", ONE_OF_EACH, ids=lambda bits: type(bits).__name__)
def test_calls_that_are_made_again_and_again(bits: BitGenerator) -> None:
    rng, alone = several(bits), clrng.Generator(bits.copy(), QUEUES[0])
    first, second = rng.random(1001, dtype="float32"), rng.random((7, 143), dtype="float32")
    kinds = [rng.random_raw((9, 100)), rng.integers(6, size=(300, 3), dtype="int32")]
    alone.random(2002, dtype="float32")
    alone.random_raw(900)
    alone.integers(6, size=900, dtype="int32")
    for _ in range(4):
        for out in (first, second):
            assert rng.random(dtype="float32", out=out) is out
            assert_array_equal(out.get(), alone.random(out.shape, dtype="float32").get())
        rng.random_raw(out=kinds[0])
        assert_array_equal(kinds[0].get(), alone.random_raw((9, 100)).get())
        rng.standard_normal(dtype="float32", out=first)
        assert_array_equal(first.get(), alone.standard_normal(1001, dtype="float32").get())
        rng.integers(6, dtype="int32", out=kinds[1])
        assert_array_equal(kinds[1].get(), alone.integers(6, size=(300, 3), dtype="int32").get())
    assert rng.bit_generator == alone.bit_generator


def test_calls_that_go_on_and_others_between_them() -> None:
    """Devices move on to their parts of the next call ahead of it; calls of others, and jumps, come between."""
    bits = clrng.MRG32k3a()
    rng, alone = several(bits), clrng.Generator(bits.copy(), QUEUES[0])
    outs = [rng.random(600, dtype="float32") for _ in range(2)]
    alone.random(1200, dtype="float32")
    other = clrng.Generator(rng.bit_generator, QUEUES[0])

    def drawn() -> None:
        for _ in range(3):
            for out in outs:
                rng.random(dtype="float32", out=out)
                assert_array_equal(out.get(), alone.random(600, dtype="float32").get())

    drawn()
    assert_array_equal(other.random_raw(7).get(), alone.random_raw(7).get())
    drawn()
    for each in (rng, alone):
        each.bit_generator.advance(10**30)
    drawn()
    assert_array_equal(rng.random_raw(50).get(), alone.random_raw(50).get())
    drawn()
    rng.bit_generator.state = alone.bit_generator.state = clrng.MRG32k3a(seed=7).state
    drawn()
    twice = clrng.MultiDeviceArray((2,), np.dtype(np.uint32), [
        ArrayPart(i, i + 1, slice(i, i + 1), cla.zeros(QUEUES[0], 1, np.uint32)) for i in range(2)
    ])  # fmt: skip
    for _ in range(5):
        assert_array_equal(rng.random_raw(out=twice).get(), alone.random_raw(2).get())
    assert rng.bit_generator == alone.bit_generator


def test_equal_parameters_of_another_type_are_refused_again() -> None:
    rng = several(clrng.MRG32k3a())
    out = rng.geometric(1, size=100)
    for _ in range(4):
        rng.geometric(1, out=out)
    with pytest.raises(TypeError, match="p must be"):
        rng.geometric(True, out=out)


def test_a_call_that_is_made_again_after_the_generator_has_changed() -> None:
    rng = several(clrng.ParkMiller(seed=1))
    out = rng.random_raw((10, 10))
    for _ in range(3):
        rng.random_raw(out=out)
    with pytest.raises(ValueError, match="size asked for"):
        rng.random_raw(100, out=out)
    rng.bit_generator.advance(-100)
    assert_array_equal(rng.random_raw(out=out).get().ravel(), oracle.sequence(1, 100, first=301))
    for bits in (clrng.ParkMiller(seed=5, multiplier=48271), clrng.ParkMiller(seed=5)):
        rng.bit_generator.state = bits.state
        for _ in range(2):
            assert_array_equal(rng.random_raw(out=out).get().ravel(), bits.sequence(100))
            bits.advance(100)
    rng.bit_generator = clrng.ParkMiller(seed=3, multiplier=39373)
    assert_array_equal(rng.random_raw(out=out).get().ravel(), clrng.ParkMiller(seed=3, multiplier=39373).sequence(100))


@pytest.mark.parametrize("shape", [(), 0, 1, 1000, (40, 25), (3, 333)])
def test_arrays_of_numpy_are_filled(shape: Any) -> None:
    bits = clrng.LaggedFibonacci((24, 55), "xor", seed=1)
    for shares in SHARES:
        rng = several(bits, shares)
        found = rng.random_raw(shape, out=np.ndarray)
        assert type(found) is np.ndarray
        assert_array_equal(found.ravel(), bits.sequence(found.size))
        held = np.full(found.size + 2, 7, np.uint32)
        rng.random_raw(out=held[1:-1])
        assert_array_equal(held[1:-1], bits.jumped(found.size).sequence(found.size))
        assert (held[0], held[-1]) == (7, 7)
        held = np.zeros((*found.shape, 2), np.uint32)
        slices = held[..., 1]
        assert rng.random_raw(out=slices) is slices
        assert_array_equal(slices.ravel(), bits.jumped(2 * found.size).sequence(found.size))
        assert not held[..., 0].any()


@pytest.mark.parametrize("made", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("name", ["mrg32k3a", "lagged_+_24_55"])
def test_interrupts_at_every_launch(name: str, made: bool) -> None:
    rng, bits = several(GENERATORS[name]), GENERATORS[name].copy()
    for number in range(100):
        with interrupted_launch(number, made=made) as found, suppress(KeyboardInterrupt):
            rng.random_raw(500)
        if not found:
            break
        assert rng.bit_generator == bits
        assert_array_equal(rng.random_raw(500).get(), bits.sequence(500))
        bits.advance(500)
    assert number >= len(QUEUES)


def test_threads_share_it() -> None:
    rng = several(clrng.ParkMiller(seed=1))
    with ThreadPoolExecutor(4) as pool:
        found = [made.get() for made in pool.map(lambda _: rng.random_raw(50), range(40))]
    first = {int(values[0]): values for values in found}
    expected = oracle.sequence(1, 2000).reshape(40, 50)
    assert_array_equal(np.array([first[int(values[0])] for values in expected]), expected)


def test_pickling() -> None:
    rng = several(clrng.ParkMiller(seed=1))
    rng.random_raw(10)
    again = pickle.loads(pickle.dumps(rng))
    assert (again.shares, again._requested) == (None, "auto")
    assert_array_equal(again.random_raw(5).get(), oracle.sequence(1, 5, first=11))
    assert rng.bit_generator == clrng.ParkMiller(seed=1).jumped(10)


def test_what_it_says_of_itself() -> None:
    rng = several(clrng.ParkMiller(seed=1))
    assert rng.queues == tuple(QUEUES)
    assert rng.devices == tuple(clrng.Generator(rng.bit_generator, queue).device for queue in QUEUES)
    assert rng.shares == tuple(SHARES[0])
    assert rng.arithmetics == tuple(clrng.Generator(rng.bit_generator, queue).arithmetic for queue in QUEUES)
    assert repr(rng).startswith("MultiDeviceGenerator(ParkMiller(seed=1, multiplier=16807), arithmetic='auto') on ")


def test_spawned_generators() -> None:
    children = clrng.MultiDeviceGenerator(clrng.MRG32k3a().seeded(7), QUEUES, SHARES[0]).spawn(2)
    for rng, bits in zip(children, clrng.MRG32k3a().seeded(7).spawn(2), strict=True):
        assert (rng.queues, rng.shares) == (tuple(QUEUES), tuple(SHARES[0]))
        assert_array_equal(rng.random_raw(100).get(), bits.sequence(100))


def test_the_devices_by_default() -> None:
    rng = clrng.MultiDeviceGenerator(clrng.ParkMiller(seed=1))
    gpus = [info for info in clrng.list_devices("gpu") if info.fault is None]
    assert list(rng.devices) == (gpus or [clrng.choose_device()])


def test_parts_are_as_large_as_devices_are_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "TIMED_FROM", 1000)
    asked: list[tuple[Any, int]] = []

    def rate(self: Worker, transform: Any, most: int) -> float:
        asked.append((transform, most))
        return 1e6 if self.queue == QUEUES[0] else 3e6

    monkeypatch.setattr(Worker, "rate", rate)
    monkeypatch.setattr(Worker, "model", property(lambda self: self.queue))
    rng, count = clrng.MultiDeviceGenerator(clrng.ParkMiller(seed=1), QUEUES), len(QUEUES)
    places = [
        [(part.array.queue, part.end - part.begin) for part in rng.random_raw(n).parts] for n in (999, 2999, 30001)
    ]
    assert places[0] == [(QUEUES[0], 999)]  # the first where nothing is known
    assert places[1] == [(QUEUES[1], 2999)]  # 1 ms on the fastest
    assert [queue for queue, _ in places[2]] == QUEUES
    sizes = [size for _, size in places[2]]
    assert sum(sizes) == 30001
    for size, share in zip(sizes, [1, *[3] * (count - 1)], strict=True):
        assert abs(size - 30001 * share / (3 * count - 2)) <= 1
    assert [most for _, most in asked] == [2999] * count + [30001] * count  # once for raw values of about a size
    rng.random_raw(2100)
    assert len(asked) == 2 * count
    rng.random(5000)
    assert len(asked) == 3 * count
    assert rng.random_raw(10).parts[0].array.queue == QUEUES[1]


def test_measured_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "TIMED_FROM", 1000)
    monkeypatch.setattr(cutting, "SHORTEST_CUT", 0.0)
    for bits in (clrng.MRG32k3a(seed=3), clrng.LaggedFibonacci((24, 55), "+", seed=7)):
        rng = clrng.MultiDeviceGenerator(bits.copy(), QUEUES)
        found = rng.random_raw(5000)
        assert len(found.parts) == len(QUEUES)
        assert_array_equal(found.get(), bits.sequence(5000))
        assert_array_equal(rng.random_raw(3000).get(), bits.jumped(5000).sequence(3000))
        one, two = (part.end - part.begin for part in found.parts[:2])
        assert abs(one - two) <= 1  # two queues of one device


def test_the_host_jumps_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each device goes on from where its own last part ended, whatever lies between."""
    bits = clrng.LaggedFibonacci((24, 55), "*", bits=64, seed=1)
    rng = several(bits)
    expected = bits.sequence(5 * 3000).reshape(5, 3000)
    assert_array_equal(rng.random_raw(3000).get(), expected[0])
    with monkeypatch.context() as patch:
        patch.delattr(clrng.LaggedFibonacci, "state_after")
        for values in expected[1:]:
            assert_array_equal(rng.random_raw(3000).get(), values)
    rng.bit_generator.advance(-6000)
    assert_array_equal(rng.random_raw(3000).get(), expected[3])


def test_a_queue_without_an_order() -> None:
    properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    capable = [queue for queue in QUEUES[1:] if queue.device.queue_properties & properties]
    if not capable:
        pytest.skip("no device has such queues")
    queues = [*(cl.CommandQueue(queue.context, properties=properties) for queue in capable), make_queue(0)]
    bits = clrng.LaggedFibonacci((5, 17), "+", seed=1)
    expected = bits.sequence(20 * 3000).reshape(20, 3000)
    rng = clrng.MultiDeviceGenerator(bits, queues, [1] * len(queues))
    assert_array_equal(np.array([rng.random_raw(3000).get() for _ in range(20)]), expected)
    for queue in queues:
        queue.finish()  # Intel's runtime needs it before such queues are released


@pytest.mark.parametrize("shares", [None, [1, 1], [1, 0]])
def test_a_single_value_has_one_part_without_axes(queue: cl.CommandQueue, shares: list[float] | None) -> None:
    rng = clrng.MultiDeviceGenerator(clrng.ParkMiller(seed=1), [queue, cl.CommandQueue(queue.context)], shares)
    (part,) = rng.random_raw().parts  # type: ignore[attr-defined]  # as those of `Generator` say
    assert (part.begin, part.end, part.rows, part.array.shape) == (0, 1, None, ())
    assert part.array.get() == 16807
