"""permutation, permuted and shuffle, compared with a plain sort of the keys of the sequential recurrence."""

from dataclasses import replace
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.lib.stride_tricks import as_strided
from numpy.testing import assert_array_equal

import clrng
from clrng.opencl.kernel import Kernel
from tests.conftest import DEVICES, make_queue
from tests.support.orders import order, orders

BITS = clrng.ParkMiller(seed=1)
CHI_SQUARE = {6: 43.4, 24: 75.6}
"""What chi-square with one degree less exceeds with a probability of 3e-8 and 1.5e-7."""


def checked(rng: clrng.Generator, bits: clrng.BitGenerator, got: Any, expected: Any) -> None:
    """Check values, and that the stream stands behind the keys."""
    assert_array_equal(got, expected)
    assert rng.bit_generator == bits


@pytest.mark.parametrize("dtype", ["int64", "uint8", "uint32"])
def test_permutation_of_integers(queue: cl.CommandQueue, dtype: str) -> None:
    rng, bits = clrng.Generator(BITS.copy(), queue), BITS.copy()
    for n in (0, 1, 2, 3, 17, 256):
        got = rng.permutation(n, dtype=dtype)
        assert got.dtype == dtype
        checked(rng, bits, got.get(), order(bits, n))


def test_known_permutation() -> None:
    """The keys begin with 16807, 1622650073, 1144108930, 101027544, 1458777923, which are published values."""
    rng = clrng.Generator(clrng.ParkMiller(seed=1), make_queue(0))
    assert rng.permutation(5).get().tolist() == [0, 3, 2, 4, 1]
    assert rng.permutation(5).dtype == np.int64


SLICES: list[tuple[tuple[int, ...], tuple[slice, ...], tuple[int, ...], int, str]] = [
    ((7,), (slice(None),), (0,), 0, "float32"),
    ((9,), (slice(None, None, 2),), (0,), -1, "int8"),
    ((6, 5), (slice(None), slice(None)), (0, 1), 0, "complex128"),
    ((6, 5), (slice(1, None), slice(None, None, 2)), (1, 0), 1, "int16"),
    ((3, 4, 5), (slice(None), slice(None), slice(1, 4)), (2, 0, 1), 1, "float64"),
    ((2, 3, 1, 4), (slice(None),) * 4, (3, 2, 1, 0), -3, "uint8"),
    ((1, 1), (slice(None),) * 2, (0, 1), 1, "int64"),
    ((3, 1, 8), (slice(None), slice(None), slice(None, None, -1)), (0, 1, 2), 2, "complex64"),
    ((4, 0), (slice(None),) * 2, (0, 1), 0, "int32"),
]
"""Shapes, slices of them, orders of the axes, the axis and the dtype."""


@pytest.mark.parametrize(("shape", "slices", "axes", "axis", "dtype"), SLICES)
def test_arrays_and_slices(
    queue: cl.CommandQueue, shape: tuple[int, ...], slices: tuple[slice, ...], axes: tuple[int, ...], axis: int,
    dtype: str,
) -> None:  # fmt: skip
    host: Any = np.arange(np.prod(shape)).astype(dtype).reshape(shape)
    whole: Any = cla.to_device(queue, host)
    view, part = whole[slices].transpose(axes), host[slices].transpose(axes)
    rng, bits = clrng.Generator(BITS.copy(), queue), BITS.copy()
    along = axis % part.ndim
    row = part.shape[along] if part.size else 0
    checked(rng, bits, rng.permutation(view, axis).get(), np.take(part, order(bits, row), along) if row else part)
    assert_array_equal(whole.get(), host)

    rows = int(np.prod(part.shape[:along])), part.shape[along], int(np.prod(part.shape[along + 1 :]))
    for chosen, around in ((axis, rows), (None, (1, part.size, 1))):
        found, steps = orders(bits, around)
        bits.advance(steps)
        permuted = np.take_along_axis(part.reshape(around), found, 1).reshape(part.shape)
        checked(rng, bits, rng.permuted(view, chosen).get(), permuted)
    found, steps = orders(bits, rows)
    bits.advance(steps)
    permuted = np.take_along_axis(part.reshape(rows), found, 1).reshape(part.shape)
    assert rng.permuted(view, axis, out=view) is view
    part[...] = permuted
    checked(rng, bits, whole.get(), host)

    shuffled = np.take(part, order(bits, row), along) if row else part.copy()
    assert rng.shuffle(view, axis) is None  # type: ignore[func-returns-value]  # that is what is tested
    part[...] = shuffled
    checked(rng, bits, whole.get(), host)


def test_arrays_of_the_host(queue: cl.CommandQueue) -> None:
    rng, bits = clrng.Generator(BITS.copy(), queue), BITS.copy()
    host = np.arange(24.0).reshape(4, 6)
    result = rng.permutation(host.tolist(), 1)
    assert isinstance(result, cla.Array)
    checked(rng, bits, result.get(), host[:, order(bits, 6)])
    found, steps = orders(bits, (1, 24, 1))
    bits.advance(steps)
    out = np.empty((6, 4)).T
    assert rng.permuted(host, out=out) is out
    checked(rng, bits, out, host.ravel()[found.ravel()].reshape(4, 6))
    found, steps = orders(bits, (4, 6, 1))
    bits.advance(steps)
    made: Any = rng.permuted(cla.to_device(queue, host), axis=1, out=np.ndarray)
    assert type(made) is np.ndarray
    checked(rng, bits, made, np.take_along_axis(host, found[:, :, 0], 1))
    things = np.array(["a", "b", "c", None], object)
    rng.shuffle(things)
    checked(rng, bits, things.tolist(), np.array(["a", "b", "c", None], object)[order(bits, 4)].tolist())
    part = host[::2, 1:]
    expected = part[:, order(bits, 5)].copy()
    rng.shuffle(part, 1)
    checked(rng, bits, host[::2, 1:], expected)


def test_rows_do_not_depend_on_those_before(queue: cl.CommandQueue) -> None:
    whole = cla.to_device(queue, np.tile(np.arange(30, dtype=np.uint32), (9, 1)))
    together = clrng.Generator(BITS.copy(), queue).permuted(whole, axis=1).get()
    rng = clrng.Generator(BITS.copy(), queue)
    apart = [rng.permuted(whole[a:b], axis=1).get() for a, b in pairwise((0, 2, 3, 9))]
    assert_array_equal(np.concatenate(apart), together)


@pytest.mark.parametrize("bits", [BITS, clrng.LaggedFibonacci((24, 55), "+", 32, seed=1)], ids=["mcg", "lagged"])
@pytest.mark.parametrize("n", [3, 4])
def test_all_orders_are_as_likely(bits: clrng.BitGenerator, n: int) -> None:
    rng, rows = clrng.Generator(bits.copy(), make_queue(0)), 24_000
    found = rng.permuted(np.tile(np.arange(n), (rows, 1)), axis=1).get()
    counted = [int((found == each).all(axis=1).sum()) for each in permutations(range(n))]
    expected = rows / len(counted)
    assert sum((count - expected) ** 2 for count in counted) / expected < CHI_SQUARE[len(counted)]
    assert sum(counted) == rows


def test_orders_of_many_seeds_are_as_likely() -> None:
    queue, counted = make_queue(0), dict.fromkeys(permutations(range(3)), 0)
    for seed in range(300):
        rng = clrng.Generator(BITS.seeded(seed), queue)
        counted[tuple(rng.permutation(3).get().tolist())] += 1
    assert sum((count - 50) ** 2 for count in counted.values()) / 50 < CHI_SQUARE[6]


def feistel(place: int, n: int, keys: list[int]) -> int:
    """Return what a network of 24 rounds makes of a place, in Python's integers."""

    def mixed(x: int) -> int:
        x ^= x >> 16
        x = x * 0x85EBCA6B % 2**32
        x ^= x >> 13
        x = x * 0xC2B2AE35 % 2**32
        return x ^ x >> 16

    bits = max((n - 1).bit_length(), 2)
    few, many = bits // 2, bits - bits // 2
    while True:
        low, high = place % 2**few, place >> few
        for first, second in zip(keys[::2], keys[1::2], strict=True):
            low ^= mixed(high ^ first) >> 32 - few
            high ^= mixed(low ^ second) >> 32 - many
        place = high << few | low
        if place < n:
            return place


def test_bijections(queue: cl.CommandQueue) -> None:
    for n in (0, 1, 2, 3, 5, 64, 100, 1000):
        rng, other = (clrng.Generator(BITS.copy(), queue) for _ in range(2))
        keys = other.integers(0, 2**32, 24, np.uint32).get().tolist()
        got = rng.permutation(n, method="bijective").get()
        checked(rng, other.bit_generator, got, [feistel(i, n, keys) for i in range(n)])
        assert sorted(got.tolist()) == list(range(n))
        mapped = cla.to_device(queue, np.arange(n))
        rng = clrng.Generator(BITS.copy(), queue)
        rng.shuffle(mapped, method="bijective")
        assert_array_equal(mapped.get(), got)


ARRAY = cla.to_device(make_queue(0), np.arange(6.0).reshape(2, 3)) if DEVICES else None
READ_ONLY = np.arange(3)
READ_ONLY.flags.writeable = False


class NoArray:
    """What NumPy asks for an array, and gets an error of its own."""

    def __array__(self, *_: object, **__: object) -> None:
        raise RuntimeError("there is none")


OVERLAPPING = as_strided(np.arange(10), (4, 3), (16, 8))

REFUSED = {
    "a negative number": (lambda rng: rng.permutation(-1), ValueError, "x must be an integer from 0"),
    "too large a number": (lambda rng: rng.permutation(2**31 + 1), ValueError, "x must be an integer from 0"),
    "a fraction": (lambda rng: rng.permutation(1.5), ValueError, "x must be an integer, or an array"),
    "a bool": (lambda rng: rng.permutation(True), TypeError, "x must be an integer"),
    "uneven rows": (lambda rng: rng.permutation([[1], [2, 3]]), ValueError, "x must be an integer, or an array"),
    "an axis that there is not": (lambda rng: rng.permutation(ARRAY, 2), ValueError, "axis must be an integer from -2"),
    "an axis that is no integer": (lambda rng: rng.shuffle(ARRAY, 0.0), TypeError, "axis must be an integer from -2"),
    "no axis": (lambda rng: rng.shuffle(ARRAY, None), TypeError, "axis must be an integer from -2"),
    "a dtype beside an array": (lambda rng: rng.permutation(ARRAY, dtype="int8"), TypeError, "dtype must not be given"),
    "too short a dtype": (lambda rng: rng.permutation(129, dtype="int8"), ValueError, "dtype must hold 128"),
    "a dtype of floats": (lambda rng: rng.permutation(3, dtype="float32"), ValueError, "dtype must be int8 or"),
    "an unknown method": (lambda rng: rng.permutation(3, method="fast"), ValueError, "method must be one of 'sort'"),
    "a method that is no text": (lambda rng: rng.shuffle(ARRAY, method=1), TypeError, "method must be one of 'sort'"),
    "an array that is read-only": (lambda rng: rng.shuffle(READ_ONLY), ValueError, "x must be an array that may be"),
    "an array of one place": (
        lambda rng: rng.shuffle(np.broadcast_to(np.arange(1), 3)), ValueError, "x must be an array that may be"
    ),
    "an array that overlaps itself": (
        lambda rng: rng.shuffle(OVERLAPPING), ValueError, r"x must be an array or a slice of one, with a place for each"
    ),
    "an array of objects that overlaps itself": (
        lambda rng: rng.shuffle(as_strided(np.array([1, "a", None]), (4, 2), (0, 8))), ValueError,
        r"x must be an array or a slice of one, with a place for each value, not with shape \(4, 2\) and strides",
    ),
    "a class that is no array": (lambda rng: rng.permutation(NoArray()), TypeError, "x must be an integer, or an arr"),
    "rows of a class that is no array": (lambda rng: rng.permuted(NoArray()), TypeError, "x must be an integer, or an"),
    "elements that are no array": (lambda rng: rng.choice(NoArray()), TypeError, "a must be an integer, or an array"),
    "out of floats for integers": (
        lambda rng: rng.choice(5, out=np.zeros(3)), ValueError, "out.dtype must be int8 or .*, not float64"
    ),
    "out of another shape": (
        lambda rng: rng.permuted(ARRAY, out=cla.zeros(rng.queue, 6, float)), ValueError, r"out must have shape \(2, 3\)"
    ),
    "out of another dtype": (
        lambda rng: rng.permuted(ARRAY, out=np.zeros((2, 3), int)), ValueError, "out must have dtype float64"
    ),
    "out that is no array": (lambda rng: rng.permuted(ARRAY, out=[0] * 6), TypeError, "out must be a pyopencl.array"),
    "a number to permute by rows": (lambda rng: rng.permuted(5), ValueError, "x must be an integer, or an array"),
}  # fmt: skip


@pytest.mark.parametrize("method", ["sort", "bijective"])
def test_what_overlaps_itself_is_as_it_was(method: str) -> None:
    rng, memory = clrng.Generator(BITS.copy(), make_queue(0)), np.arange(10)
    with pytest.raises(ValueError, match="^x must be an array or a slice of one, with a place for each value"):
        rng.shuffle(as_strided(memory, (4, 3), (16, 8)), method=method)
    assert_array_equal(memory, np.arange(10))
    assert rng.bit_generator == BITS


def test_fields_and_reversed_arrays_of_the_host_are_shuffled() -> None:
    rng = clrng.Generator(BITS.copy(), make_queue(0))
    packed = np.zeros(50, np.dtype([("a", "u1"), ("b", "i4")]))
    packed["b"] = np.arange(50)
    for x in (packed["b"], packed["b"][::-2], np.arange(60).reshape(6, 10)[::-1, ::3], np.arange(24).reshape(4, 6).T):
        before = sorted(map(tuple, x.reshape(len(x), -1).tolist()))
        rng.shuffle(x)
        assert sorted(map(tuple, x.reshape(len(x), -1).tolist())) == before


@pytest.mark.parametrize("name", REFUSED)
def test_bad_arguments_are_refused_before_anything_moves(name: str) -> None:
    call, error, message = REFUSED[name]
    rng = clrng.Generator(BITS.copy(), make_queue(0))
    with pytest.raises(error, match=f"^{message}"):
        call(rng)
    assert rng.bit_generator == BITS
    assert ARRAY is not None
    assert_array_equal(ARRAY.get(), np.arange(6.0).reshape(2, 3))


def test_arrays_that_no_kernel_may_use(queue: cl.CommandQueue) -> None:
    rng, host = clrng.Generator(BITS.copy(), queue), np.arange(6)
    fixed = cl.Buffer(queue.context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=host)
    with pytest.raises(ValueError, match="^x must be in memory that a device may write to"):
        rng.shuffle(cla.Array(queue, 6, host.dtype, data=fixed))
    context = cl.Context([queue.device])
    other = cl.CommandQueue(context)
    for call in (rng.permutation, rng.permuted, rng.shuffle):
        with pytest.raises(ValueError, match="^x must be in the context of the generator's queue"):
            call(cla.to_device(other, host))
    assert rng.bit_generator == BITS


@pytest.mark.parametrize("make", [lambda rng: rng.piece(0, 2), lambda _: clrng.MultiDeviceGenerator(BITS, [0])])
def test_parts_of_orders_are_refused(make: Any) -> None:
    rng = make(clrng.Generator(BITS.copy(), make_queue(0)))
    for name, arguments in (
        ("permutation", (5,)), ("permuted", ([1, 2],)), ("shuffle", (np.arange(3),)), ("choice", (5, 2, False)),
    ):  # fmt: skip
        with pytest.raises(
            clrng.UnsupportedError, match=f"^{name}.* all others.*; Generator\\(.* draws the whole of it"
        ):
            getattr(rng, name)(*arguments)
    assert rng.bit_generator == BITS


def test_values_that_are_not_whole_ones_of_their_buffer(queue: cl.CommandQueue) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    memory = cla.zeros(queue, 17, np.uint8)
    between = cla.Array(queue, 4, np.uint32, data=memory.base_data, offset=1)
    apart = cla.Array(queue, 2, np.uint32, data=memory.base_data, strides=(6,))
    for call in (rng.permutation, rng.permuted):
        with pytest.raises(ValueError, match="^x must begin at a multiple of 4 bytes of its buffer, not at 1$"):
            call(between)
        with pytest.raises(ValueError, match=r"^x must have strides of whole values of 4 bytes, not \(6,\)$"):
            call(apart)
    assert rng.bit_generator == clrng.ParkMiller(seed=1)


def refused(*_: object, **__: object) -> None:
    raise clrng.BuildError("refused", "", "")


def test_a_mapping_that_cannot_be_built_leaves_the_stream(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    monkeypatch.setattr("clrng.frontends.permutations.build_mapping", refused)
    with pytest.raises(clrng.BuildError, match="^refused$"):
        rng.permutation(10, method="bijective")
    assert rng.bit_generator == clrng.ParkMiller(seed=1)


MOVED: dict[str, Any] = {
    "permutation": lambda rng, x: rng.permutation(x),
    "permutation along an axis": lambda rng, x: rng.permutation(x, 1),
    "permutation by a mapping": lambda rng, x: rng.permutation(x, method="bijective"),
    "permutation of an array of the host": lambda rng, x: rng.permutation(x.get()),
    "permuted": lambda rng, x: rng.permuted(x),
    "permuted in place": lambda rng, x: rng.permuted(x, 0, out=x),
    "shuffle": lambda rng, x: rng.shuffle(x),
    "shuffle of one row": lambda rng, x: rng.shuffle(x[0]),
    "choice": lambda rng, _: rng.choice(5, 3, replace=False),
    "choice of elements of the host": lambda rng, x: rng.choice(x.get(), 3),
    "choice of elements of the device": lambda rng, x: rng.choice(x, (2, 2), p=[0.5, 0.25, 0.25]),
    "choice of elements along an axis": lambda rng, x: rng.choice(x, 2, axis=1),
    "choice of few": lambda rng, _: rng.choice(100, 3, replace=False),
    "choice with weights": lambda rng, _: rng.choice(3, 2, replace=False, p=[0.5, 0.25, 0.25]),
}


@pytest.mark.parametrize("name", MOVED)
def test_copies_that_cannot_be_built_leave_the_stream_and_the_array(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    rng, host = clrng.Generator(BITS.copy(), queue), np.arange(12.0, dtype=np.float32).reshape(3, 4)
    array = cla.to_device(queue, host)
    monkeypatch.setattr("clrng.order.copies.kernel_of", refused)
    with pytest.raises(clrng.BuildError, match="^refused$"):
        MOVED[name](rng, array)
    assert rng.bit_generator == BITS
    assert_array_equal(array.get(), host)


def test_keys_that_do_not_fit_the_largest_allocation(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys have 8 bytes, or those of their raw values, and integers of the result may have fewer."""
    launched: list[str] = []
    monkeypatch.setattr(Kernel, "__call__", lambda self, *_, **__: launched.append(self._name))
    for bits, n in ((BITS.copy(), 2**20), (clrng.LaggedFibonacci((5, 17), "+", seed=1), 500)):
        rng = clrng.Generator(bits.copy(), queue)
        small = replace(rng.device, largest_allocation=8 * n - 1)
        rng._device = rng._permuter._device = small
        with pytest.raises(ValueError, match=f"^x must make at most .* {8 * n - 1} bytes, not {n}"):
            rng.permutation(n, dtype="uint32")
        assert rng.bit_generator == bits
    assert not launched


CALLS: dict[str, Any] = {
    "permutation of a number": lambda rng: rng.permutation(300),
    "permutation": lambda rng: rng.permutation(np.zeros(300, np.int8)),
    "permuted": lambda rng: rng.permuted(np.zeros(300, np.int8)),
    "shuffle": lambda rng: rng.shuffle(np.zeros(300, np.int8)),
    "choice": lambda rng: rng.choice(300, 200, replace=False),
    "choice of elements": lambda rng: rng.choice(np.zeros(300), 2),
}


@pytest.mark.parametrize("name", CALLS)
def test_errors_about_the_largest_allocation_name_the_argument(queue: cl.CommandQueue, name: str) -> None:
    rng = clrng.Generator(BITS.copy(), queue)
    rng._device = rng._permuter._device = replace(rng.device, largest_allocation=2000)
    argument = "a" if name.startswith("choice") else "x"
    with pytest.raises(ValueError, match=f"^{argument} must make at most 250 values of .* 2000 bytes, not 300$"):
        CALLS[name](rng)
    assert rng.bit_generator == BITS


@pytest.mark.parametrize("bits", [BITS, clrng.LaggedFibonacci((5, 17), "+", seed=1)], ids=["mcg", "lagged"])
def test_many_rows_are_cut_to_what_the_device_allocates(queue: cl.CommandQueue, bits: clrng.BitGenerator) -> None:
    x = np.arange(40 * 500, dtype=np.int8).reshape(40, 500)
    rng = clrng.Generator(bits.copy(), queue)
    expected = rng.permuted(x, axis=1).get()
    small = clrng.Generator(bits.copy(), queue)
    small._permuter._device = replace(small.device, largest_allocation=8 * 500 * 3)
    assert_array_equal(small.permuted(x, axis=1).get(), expected)


def test_a_poor_stream_is_sorted_by_the_host_in_pieces(queue: cl.CommandQueue) -> None:
    poor = clrng.LCG(3, 0, 101, 5)
    small = clrng.Generator(poor.copy(), queue)
    made = small._permuter._raw_on_host
    wanted = made(3000, poor, small._fill)
    small._permuter._device = replace(small.device, largest_allocation=2048)
    assert_array_equal(made(3000, poor, small._fill), wanted)
    assert_array_equal(wanted, poor.sequence(3000))


@pytest.mark.parametrize("bits", [BITS, clrng.LaggedFibonacci((5, 17), "+", seed=1)], ids=["mcg", "lagged"])
def test_work_groups_are_no_larger_than_kernels_may_have(
    bits: clrng.BitGenerator, queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a device whose kernels may have 16 work-items in a group, but for those that are made for more."""
    make, launch, sizes = Kernel.__init__, Kernel.__call__, dict[str, int | None]()

    def noting(self: Kernel, queue: cl.CommandQueue, n: int, size: int | None, /, *rest: Any, **more: Any) -> Any:
        sizes[self.name] = size
        return launch(self, queue, n, size, *rest, **more)

    def limited(self: Kernel, *rest: Any) -> None:
        make(self, *rest)
        self.largest_group = 16

    monkeypatch.setattr(Kernel, "__init__", limited)
    monkeypatch.setattr(Kernel, "__call__", noting)
    context = cl.Context([queue.device])
    fresh = cl.CommandQueue(context)
    rng, bits = clrng.Generator(bits.copy(), fresh), bits.copy()
    host = np.arange(200)
    checked(rng, bits, rng.permutation(host).get(), order(bits, 200))
    rng.permutation(200, method="bijective")
    rng.normal(np.zeros(200, np.float32), 1.0)
    wanted = {"move", "mend", "map_places", "locate"} | ({"convert_values"} if bits.order > 1 else set())
    assert wanted <= set(sizes)
    assert all((sizes[name] or 0) <= 16 for name in wanted)
