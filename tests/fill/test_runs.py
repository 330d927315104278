"""Rectangles of arrays as runs, and how they are cut, against NumPy's indices."""

from math import prod

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from clrng.fill.runs import PLACES, Axis, Runs, inverse, runs_of
from clrng.opencl.arrays import contiguous


def places(runs: Runs) -> dict[int, int]:
    """Return the place in the stream of every value, by its place in memory."""
    return {
        begin + i * runs.spacing: first + i
        for first, begin in runs
        for i in range(runs.length)
    }  # fmt: skip


@st.composite
def rectangles(draw: st.DrawFn) -> tuple[list[int], list[int], list[int], list[int], dict[int, int]]:
    """Return a shape, starts, sizes, strides of memory, and the places that NumPy finds."""
    shape = draw(st.lists(st.integers(1, 6), max_size=4))
    starts = [draw(st.integers(0, size - 1)) for size in shape]
    sizes = [draw(st.integers(1, size - start)) for size, start in zip(shape, starts, strict=True)]
    steps = [draw(st.sampled_from([1, 2, -1, -3])) for _ in shape]
    order = draw(st.permutations(range(len(shape))))
    memory = np.arange(prod(size * abs(step) for size, step in zip(sizes, steps, strict=True)))
    whole = memory.reshape([sizes[d] * abs(steps[d]) for d in order]).transpose(np.argsort(order))
    part = whole[tuple(slice(None, None, step) for step in steps)]
    assert part.shape == tuple(sizes)
    numbers = np.arange(prod(shape)).reshape(shape)
    wanted = numbers[tuple(slice(start, start + size) for start, size in zip(starts, sizes, strict=True))]
    begin = int(part[(0,) * part.ndim])
    expected = {int(at) - begin: int(place) for at, place in zip(part.flat, wanted.flat, strict=True)}
    return shape, starts, sizes, [stride // memory.itemsize for stride in part.strides], expected


@given(rectangles())
def test_a_rectangle_is_its_runs(case: tuple[list[int], list[int], list[int], list[int], dict[int, int]]) -> None:
    shape, starts, sizes, strides, expected = case
    runs = runs_of(shape, starts, sizes, strides)
    assert places(runs) == expected
    assert runs.size == len(expected)
    assert runs.span == max(expected.values()) - min(expected.values()) + 1


@given(rectangles(), st.integers(1, 40))
def test_cut_runs_are_the_same_values(
    case: tuple[list[int], list[int], list[int], list[int], dict[int, int]], most: int
) -> None:
    *rectangle, expected = case
    runs = runs_of(*rectangle)
    for cut in (list(runs.cut(most)), list(runs.apart(most))):
        found = [places(part) for part in cut]
        assert sum(map(len, found)) == len(expected)
        assert {at: place for part in found for at, place in part.items()} == expected
    assert all(part.length <= most for part in runs.cut(most))
    assert all(part.span <= most or not part.axes for part in runs.apart(most))


@given(rectangles())
def test_values_before_a_place(case: tuple[list[int], list[int], list[int], list[int], dict[int, int]]) -> None:
    *rectangle, expected = case
    runs = runs_of(*rectangle)
    for place in range(runs.span + 1):
        assert runs.values_before(place) == sum(found < runs.first + place for found in expected.values())


def test_parts_have_as_many_runs_as_their_span_lets_them() -> None:
    runs = Runs(3, 5, (Axis(1000, 10, 7),), begin=2)
    assert list(runs.apart(100)) == [Runs(3 + 100 * i, 5, (Axis(10, 10, 7),), begin=2 + 70 * i) for i in range(100)]
    *most, last = Runs(0, 5, (Axis(5, 10, 5),)).apart(20)
    assert (most, last) == (
        [Runs(20 * i, 5, (Axis(2, 10, 5),), begin=10 * i) for i in range(2)],
        Runs(40, 5, (), begin=20),
    )


@given(st.integers(2, 2**31) | st.integers(1, 31).map(lambda bits: 2**bits), st.integers(0, PLACES - 1))
def test_quotients_by_pitches_are_products_with_their_inverses(pitch: int, n: int) -> None:
    factor, shift = inverse(pitch)
    assert 0 <= factor < 2**32
    for near in (n, n - n % pitch, n - n % pitch - 1, PLACES - 1, PLACES - 1 - PLACES % pitch):
        place = min(max(near, 0), PLACES - 1)
        assert (place * factor >> 32) >> shift == place // pitch


def test_runs_are_as_long_as_can_be() -> None:
    assert runs_of((4, 5, 6), (1, 0, 0), (2, 5, 6), contiguous((2, 5, 6))) == Runs(30, 60, ())
    assert runs_of((4, 5, 6), (1, 2, 0), (2, 3, 6), contiguous((2, 3, 6))) == Runs(42, 18, (Axis(2, 30, 18),))
    assert runs_of((4, 5, 6), (0, 0, 1), (4, 5, 2), contiguous((4, 5, 2))) == Runs(1, 2, (Axis(20, 6, 2),))
    assert runs_of((4, 5), (0, 3), (4, 1), (7, 1)) == Runs(3, 1, (Axis(4, 5, 7),))
    assert runs_of((4, 5), (0, 0), (4, 5), (10, 2)) == Runs(0, 20, (), spacing=2)
    assert runs_of((4, 5), (0, 0), (0, 5), (5, 1)).size == 0
