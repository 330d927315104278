"""Ranks that draw pieces of arrays without speaking to one another: together the arrays of one generator."""

import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.fill import locate as located
from clrng.opencl import arrays
from tests.support import oracle, ranks
from tests.support.drawn_cases import CASES
from tests.support.generators import GENERATORS

SIZES = [1, 2, 3, 7]
Draw = Callable[[Any], Any]


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("size", [1, 3])
def test_every_bit_generator(queue: cl.CommandQueue, name: str, size: int) -> None:
    bits = GENERATORS[name]
    expected = bits.sequence(600 + 5 + 400)
    for rank in range(size):
        rng = clrng.Generator(bits.copy(), queue).piece(rank, size)
        for first, shape in ((0, (200, 3)), (600, (5,)), (605, (4, 10, 10))):
            whole = expected[first : first + int(np.prod(shape))].reshape(shape)
            assert_array_equal(rng.random_raw(shape).get(), np.array_split(whole, size)[rank])
        assert rng.bit_generator == bits.jumped(1005)


@pytest.mark.parametrize("name", CASES)
def test_every_method(queue: cl.CommandQueue, name: str) -> None:
    case, bits = CASES[name], GENERATORS["lcg_2^64"]
    dtype = case.dtypes[0]
    whole = case.draw(clrng.Generator(bits.copy(), queue), (11, 3), dtype=dtype).get()
    for rank in range(3):
        rng = clrng.Generator(bits.copy(), queue).piece(rank, 3)
        assert_array_equal(case.draw(rng, (11, 3), dtype=dtype).get(), np.array_split(whole, 3)[rank])


DRAWS: dict[str, Draw] = {
    "loc of rows": lambda rng: rng.normal(np.arange(10.0)[:, None], 1.0, (10, 4)),
    "scale of columns": lambda rng: rng.normal(5.0, np.arange(1, 5.0), (10, 4)),
    "shapes of both": lambda rng: rng.laplace(np.arange(4.0), np.arange(1, 11.0)[:, None]),
    "an array of the device": lambda rng: rng.normal(cla.to_device(rng.queue, np.arange(10, dtype=np.float32))),
    "elements": lambda rng: rng.choice([2, 3, 5, 7], (10, 2)),
    "probabilities": lambda rng: rng.choice(4, 10, p=[0.1, 0.2, 0.3, 0.4]),
    "uniform": lambda rng: rng.random(10, interval="(]"),
    "loc for NumPy": lambda rng: cla.to_device(rng.queue, rng.normal(np.arange(10.0), out=np.ndarray)),
    "NumPy": lambda rng: cla.to_device(rng.queue, rng.random_raw((10, 2), out=np.ndarray)),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", DRAWS)
def test_other_arguments(queue: cl.CommandQueue, name: str, size: int) -> None:
    bits = clrng.LaggedFibonacci((5, 17), "+", seed=3)
    whole = DRAWS[name](clrng.Generator(bits.copy(), queue)).get()
    found = [DRAWS[name](clrng.Generator(bits.copy(), queue).piece(rank, size)).get() for rank in range(size)]
    assert_array_equal(np.concatenate(found), whole)
    assert [len(part) for part in found] == [len(part) for part in np.array_split(whole, size)]


@pytest.mark.parametrize(
    ("loc", "scale", "uploaded"),
    [
        (np.arange(9.0)[:, None], 2.0, [(3, 1)]),
        (np.zeros((9, 4)), np.arange(1, 10.0)[:, None], [(3, 1), (3, 4)]),
        (np.arange(4.0), np.ones((1, 4)), [(1, 4), (4,)]),
    ],
)
def test_only_a_ranks_piece_of_parameters_goes_to_its_device(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, loc: Any, scale: Any, uploaded: list[tuple[int, ...]]
) -> None:
    expected = clrng.Generator(clrng.ParkMiller(seed=1), queue).normal(loc, scale, (9, 4)).get()
    rng, shapes = clrng.Generator(clrng.ParkMiller(seed=1), queue).piece(1, 3), []

    def upload(queue: cl.CommandQueue, words: Any) -> cla.Array:
        shapes.append(words.shape)
        return arrays.upload(queue, words)

    monkeypatch.setattr(located, "upload", upload)
    found = rng.normal(loc, scale, (9, 4)).get()
    assert_array_equal(found, expected[3:6])
    assert sorted(shapes) == uploaded  # numbers are copied once for a context


@pytest.mark.parametrize("length", [0, 1, 4, 7, 8, 1003])
@pytest.mark.parametrize("size", SIZES)
def test_bytes(queue: cl.CommandQueue, length: int, size: int) -> None:
    bits = clrng.ParkMiller(seed=1)
    alone = clrng.Generator(bits.copy(), queue)
    pieces = [clrng.Generator(bits.copy(), queue).piece(rank, size) for rank in range(size)]
    assert b"".join(rng.bytes(length) for rng in pieces) == alone.bytes(length)
    assert all(rng.bit_generator == alone.bit_generator for rng in pieces)


def test_it_goes_on_with_its_generator(queue: cl.CommandQueue) -> None:
    whole = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    rng = whole.piece(1, 2)
    assert rng.bit_generator is whole.bit_generator
    assert rng.queue is whole.queue
    assert_array_equal(rng.random_raw(10).get(), oracle.sequence(1, 5, first=6))
    assert_array_equal(whole.random_raw(10).get(), oracle.sequence(1, 10, first=11))
    assert_array_equal(rng.random_raw(4).get(), oracle.sequence(1, 2, first=23))


def test_results_in_memory_that_is_given(queue: cl.CommandQueue) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue).piece(1, 2)
    out = cla.zeros(queue, (2, 3), np.uint32)
    assert rng.random_raw((5, 3), out=out) is out
    assert_array_equal(out.get().ravel(), oracle.sequence(1, 6, first=10))
    held = np.zeros((2, 3), np.uint32)
    assert rng.random_raw((5, 3), out=held) is held
    assert_array_equal(held.ravel(), oracle.sequence(1, 6, first=25))


REFUSED: list[tuple[Draw, type[Exception], str]] = [
    (lambda rng: rng.random_raw(), TypeError, "^size must be given, .* not None$"),
    (lambda rng: rng.random(out=np.zeros(2, "float32")), TypeError, "^size must be given, .* not None$"),
    (lambda rng: rng.normal([1.0, 2], out=np.zeros(2, "float32")), TypeError, "^size must be given, .* not None$"),
    (lambda rng: rng.choice([2, 3, 5]), TypeError, "^size must be given, .* not None$"),
    (lambda rng: rng.normal(1.0, out=np.ndarray), TypeError, "^size must be given, .* not None$"),
    (
        lambda rng: rng.normal([1.0, 2, 3], size=3, out=np.zeros(3, "float32")),
        ValueError,
        r"^out must have shape \(1,\), that of this rank's piece of \(3,\), not \(3,\)$",
    ),
    (lambda rng: rng.random_raw(()), ValueError, r"^size must have a first axis, .* not be \(\)$"),
    (lambda rng: rng.normal(np.array(1.0)), ValueError, r"^size must have a first axis, .* not be \(\)$"),
    (lambda rng: rng.normal(np.array(1.0), size=()), ValueError, r"^size must have a first axis, .* not be \(\)$"),
    (lambda rng: rng.random_raw(-1), ValueError, "^size must be an integer from 0"),
    (
        lambda rng: rng.random_raw(5, out=np.zeros(5, "uint32")),
        ValueError,
        r"^out must have shape \(2,\), that of",
    ),
    (
        lambda rng: rng.random_raw(5, out=3),
        TypeError,
        "^out must be a pyopencl.array.Array, an array of NumPy or the class .*, not 3$",
    ),
    (lambda rng: rng.bytes(-1), ValueError, "^length must be"),
]


@pytest.mark.parametrize(("draw", "error", "match"), REFUSED)
def test_what_is_refused_does_not_move_the_stream(
    queue: cl.CommandQueue, draw: Draw, error: type[Exception], match: str
) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue).piece(1, 2)
    with pytest.raises(error, match=match):
        draw(rng)
    assert rng.bit_generator == clrng.ParkMiller(seed=1)


@pytest.mark.parametrize(
    ("rank", "size", "error", "match"),
    [
        (0, 0, ValueError, "^size must be an integer of 1 or more, not 0$"),
        (3, 3, ValueError, "^rank must be an integer from 0 to 2, not 3$"),
        (-1, 3, ValueError, "^rank must be an integer from 0 to 2, not -1$"),
        (0.5, 3, TypeError, "^rank must be an integer from 0 to 2, not 0.5$"),
        (0, None, TypeError, "^size must be an integer of 1 or more, not None$"),
    ],
)
def test_bad_ranks(queue: cl.CommandQueue, rank: Any, size: Any, error: type[Exception], match: str) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    with pytest.raises(error, match=match):
        rng.piece(rank, size)


def test_pickling_and_spawning(queue: cl.CommandQueue) -> None:
    rng = clrng.Generator(clrng.MRG32k3a().seeded(1), queue).piece(1, 3)
    again = pickle.loads(pickle.dumps(rng))
    assert (again.rank, again.size, again.bit_generator) == (1, 3, rng.bit_generator)
    assert repr(rng).endswith(", rank 1 of 3")
    (child,), (bits,) = rng.spawn(1), clrng.MRG32k3a().seeded(1).spawn(1)
    assert (child.rank, child.size) == (1, 3)
    assert_array_equal(child.random_raw(9).get(), bits.sequence(9)[3:6])


@pytest.mark.slow
@pytest.mark.device
def test_processes() -> None:
    bits = clrng.LaggedFibonacci((24, 55), "+", seed=7)
    whole = ranks.calls(clrng.Generator(bits.copy(), 0))
    text = pickle.dumps(bits)
    with ProcessPoolExecutor(3, get_context("spawn")) as pool:
        found = list(pool.map(ranks.parts, [text] * 3, range(3), [3] * 3, [0] * 3))
    for number, values in enumerate(whole):
        assert_array_equal(np.concatenate([parts[number] for parts in found]), values)
