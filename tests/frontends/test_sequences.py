"""Choices and orders of what no device can have: text, objects, dates, lists."""

from array import array
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest

import clrng
import clrng.dask

WORDS = ["ant", "bee", "cat", "dog", "eel"]
OBJECTS: list[Any] = [{"a": 1}, None, 3, "x", (1,)]
KINDS = {
    "text": np.array(WORDS),
    "objects": np.array([*OBJECTS[:4], "y"], object),
    "dates": np.arange("2026-01-01", "2026-01-06", dtype="M8[D]"),
    "flags": np.array([True, False, True, True, False]),
    "long doubles": np.arange(5, dtype=np.longdouble),
    "text of any length": np.array(WORDS, np.dtypes.StringDType()),
    "records": np.array([(i, str(i)) for i in range(5)], [("i", "i4"), ("s", "U3")]),
}


def rng(queue: cl.CommandQueue) -> clrng.Generator:
    return clrng.default_rng(5, queue)


@pytest.mark.parametrize("kind", KINDS)
def test_choices_are_the_elements_at_the_places_that_are_drawn(queue: cl.CommandQueue, kind: str) -> None:
    elements = KINDS[kind]
    for options in ({}, {"replace": False}, {"p": [0.1, 0.2, 0.3, 0.2, 0.2]}):
        drawn: Any = rng(queue).choice(elements, 4, **options)
        assert isinstance(drawn, np.ndarray)
        assert drawn.dtype == elements.dtype
        assert drawn.tolist() == elements[rng(queue).choice(5, 4, **options).get()].tolist()
    assert rng(queue).choice(elements) == elements[int(rng(queue).choice(5).get())]


def test_choices_of_slices_of_text(queue: cl.CommandQueue) -> None:
    table = np.array([WORDS, WORDS[::-1]])
    places = rng(queue).choice(5, (3, 2)).get()
    assert np.array_equal(rng(queue).choice(table, (3, 2), axis=1), table[:, places])
    assert rng(queue).choice(WORDS, 7).tolist() == np.array(WORDS)[rng(queue).choice(5, 7).get()].tolist()


@pytest.mark.parametrize(
    ("a", "size", "options"),
    [
        ([], 0, {}), ([], (2, 0), {"replace": False}), (0, 0, {}), (0, (0, 3), {"replace": False}), (WORDS, 0, {}),
        (np.empty((0, 3)), 0, {}), (np.empty((3, 0)), 2, {}), (np.empty((3, 0, 2), "U1"), 0, {"axis": 1}),
        (np.empty((3, 0, 2)), (2, 2), {"axis": -1}), (5, 0, {"p": [0.2] * 5}),
    ],
)  # fmt: skip
def test_choices_of_nothing(queue: cl.CommandQueue, a: Any, size: Any, options: dict[str, Any]) -> None:
    expected = np.random.default_rng(1).choice(a, size, **options)
    for draw in (
        rng(queue),
        clrng.MultiDeviceGenerator(clrng.PCG64(5), [queue]),
        clrng.from_numpy(np.random.default_rng(1)),
    ):
        if isinstance(draw, clrng.Generator) or (np.ndim(a) < 2 and options.get("replace", True)):
            drawn = draw.choice(a, size, **options)
            assert (drawn.shape, drawn.dtype) == (expected.shape, expected.dtype)
    with pytest.raises(ValueError, match="^a must be an integer.*, not"):
        rng(queue).choice([], (1, 2))
    for others in ({}, {"replace": False}, {"p": [0.25] * 4}, {"p": [0.25] * 4, "replace": False}):
        by_size, by_out = rng(queue), rng(queue)
        by_size.choice(4, 0, **others)
        by_out.choice(4, out=np.zeros(0, np.int64), **others)
        assert by_size.bit_generator == by_out.bit_generator
    assert rng(queue).choice(0, out=np.zeros((0, 2), np.int8)).shape == (0, 2)
    with pytest.raises(ValueError, match="^a must be an integer from 1 to .*, not 0$"):
        rng(queue).choice(0)


def test_several_devices_choose_text(queue: cl.CommandQueue) -> None:
    both = clrng.MultiDeviceGenerator(clrng.PCG64(5), [queue, cl.CommandQueue(queue.context)])
    alone = clrng.Generator(clrng.PCG64(5), queue)
    assert np.array_equal(both.choice(WORDS, 9), alone.choice(WORDS, 9))


def test_chunks_of_dask_choose_text(queue: cl.CommandQueue) -> None:
    drawn = clrng.dask.Generator(clrng.PCG64(5)).choice(WORDS, 9, chunks=4).compute(scheduler="synchronous")
    assert np.array_equal(drawn, clrng.Generator(clrng.PCG64(5), queue).choice(WORDS, 9))


@pytest.mark.parametrize("kind", KINDS)
def test_permutations_move_what_no_device_has(queue: cl.CommandQueue, kind: str) -> None:
    elements = KINDS[kind]
    order = rng(queue).permutation(5).get()
    moved: Any = rng(queue).permutation(elements)
    assert np.asarray(moved).tolist() == elements[order].tolist()
    shuffled = elements.copy()
    rng(queue).shuffle(shuffled)
    assert shuffled.tolist() == elements[order].tolist()


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_rows_of_text_are_permuted_as_rows_of_numbers(queue: cl.CommandQueue, axis: int | None) -> None:
    table, numbers = np.array([WORDS, WORDS[::-1]]), np.arange(10).reshape(2, 5)
    places = rng(queue).permuted(numbers, axis=axis).get()
    expected = table.reshape(-1)[places]
    assert np.array_equal(rng(queue).permuted(table, axis=axis), expected)
    out = np.empty_like(table)
    assert rng(queue).permuted(table, axis=axis, out=out) is out
    assert np.array_equal(out, expected)


SEQUENCES: list[Any] = [list(OBJECTS), deque(OBJECTS), array("d", range(5)), bytearray(b"abcde"), [], [7]]


@pytest.mark.parametrize("sequence", SEQUENCES, ids=lambda each: type(each).__name__ + str(len(each)))
def test_lists_are_shuffled_in_place(queue: cl.CommandQueue, sequence: Any) -> None:
    before = list(sequence)
    generator = rng(queue)
    generator.shuffle(sequence)
    other = rng(queue)
    assert list(sequence) == [before[i] for i in other.permutation(len(before)).get().tolist()]
    assert generator.bit_generator.state == other.bit_generator.state


ERRORS: list[tuple[Callable[[clrng.Generator], Any], str]] = [
    (lambda rng: rng.shuffle("abc"), "x must be a pyopencl.array.Array, an array of NumPy or a list, not 'abc'"),
    (lambda rng: rng.shuffle((1, 2)), "x must be a pyopencl.array.Array, an array of NumPy or a list"),
    (lambda rng: rng.shuffle([1, 2], axis=1), "axis must be an integer from -1 to 0, not 1"),
    (lambda rng: rng.choice("abc"), "a must be an integer, or an array of one dimension or more"),
    (lambda rng: rng.choice([]), "a must be an integer, or an array of one dimension or more"),
    (lambda rng: rng.choice(WORDS, 3, dtype="int8"), "dtype and out must not be given where a is an array"),
    (lambda rng: rng.choice(WORDS, 9, replace=False), "size"),
    (lambda rng: rng.permutation("abc"), "x must be an integer, or an array of one dimension or more"),
    (lambda rng: rng.permuted(WORDS, out=rng.random(5)), "out must be an array of NumPy as that of x is"),
]


@pytest.mark.parametrize(("call", "message"), ERRORS)
def test_what_is_no_sequence_is_refused(
    queue: cl.CommandQueue, call: Callable[[clrng.Generator], Any], message: str
) -> None:
    generator = rng(queue)
    with pytest.raises((TypeError, ValueError), match=message):
        call(generator)


def test_choices_of_slices_of_a_device(queue: cl.CommandQueue) -> None:
    elements = np.arange(24).reshape(2, 3, 4)
    held: Any = cla.to_device(queue, elements)
    for part in (np.s_[:, :, ::2], np.s_[::-1], np.s_[:, 1:]):
        assert np.array_equal(rng(queue).choice(held[part], 5).get(), rng(queue).choice(elements[part], 5).get())


def test_kinds_of_probabilities(queue: cl.CommandQueue) -> None:
    masked = np.ma.array([0.25, 0.25, 0.5], mask=[False, True, False])
    one: Any = [False, True, False]
    for options in ({}, {"replace": False}):
        drawn = rng(queue).choice(3, 1, p=[0.25, 0.25, 0.5], **options)
        assert np.array_equal(rng(queue).choice(3, 1, p=masked, **options).get(), drawn.get())
        for p in (
            one,
            tuple(one),
            [False, 1.0, np.False_],
            [0, True, 0.0],
            np.array(one),
            cla.to_device(queue, np.array(one)),
        ):
            assert rng(queue).choice(3, 1, p=p, **options).get().tolist() == [1]
