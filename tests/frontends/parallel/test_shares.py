"""Where arrays are cut."""

from fractions import Fraction
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clrng.frontends.parallel.shares import NEAR, cuts, edges

WEIGHTS = st.lists(st.integers(0, 100) | st.floats(0, 1e12), min_size=1, max_size=6).filter(any)


def exact(weights: list[float]) -> Fraction:
    """Return their sum."""
    return sum(map(Fraction, weights), Fraction(0))


@given(st.integers(0, 2**62), WEIGHTS)
def test_edges_are_the_nearest(n: int, weights: list[float]) -> None:
    found = edges(n, weights)
    assert found[0] == 0
    assert found[-1] == n
    assert found == sorted(found)
    assert len(found) == len(weights) + 1
    for i, place in enumerate(found):
        assert abs(place - n * exact(weights[:i]) / exact(weights)) <= Fraction(1, 2)


@given(st.lists(st.integers(0, 200), max_size=4), WEIGHTS)
def test_parts_follow_one_another(shape: list[int], weights: list[float]) -> None:
    found, n = cuts(tuple(shape), tuple(weights)), prod(shape)
    assert len(found) == len(weights)
    assert [cut.begin for cut in found] == [0, *(cut.end for cut in found[:-1])]
    assert found[-1].end == n
    for cut, weight in zip(found, weights, strict=True):
        assert prod(cut.shape) == cut.end - cut.begin
        if cut.rows is not None:
            width = prod(shape[1:])
            assert (cut.begin, cut.end) == (cut.rows.start * width, cut.rows.stop * width)
            assert cut.shape == (cut.rows.stop - cut.rows.start, *shape[1:])
        assert abs(cut.end - cut.begin - n * Fraction(weight) / exact(weights)) <= 1 + Fraction(2 * n, NEAR)


@pytest.mark.parametrize(
    ("shape", "weights", "shapes", "by_rows"),
    [
        ((100, 7), (1, 1), [(50, 7), (50, 7)], True),
        ((4, 1000), (3, 1), [(3, 1000), (1, 1000)], True),
        ((5, 1000), (1, 1), [(2500,), (2500,)], False),
        ((101, 2, 3), (1, 1), [(50, 2, 3), (51, 2, 3)], True),
        ((7,), (1, 1), [(4,), (3,)], True),
        ((), (1, 1), [(0,), ()], False),
        ((), (1, 0), [(), (0,)], False),
        ((2, 3), (0, 1), [(0, 3), (2, 3)], True),
    ],
)
def test_rows_stay_whole_where_shares_stay_near(
    shape: tuple[int, ...], weights: tuple[float, ...], shapes: list[tuple[int, ...]], by_rows: bool
) -> None:
    found = cuts(shape, weights)
    assert [cut.shape for cut in found] == shapes
    assert [cut.rows is not None for cut in found] == [by_rows] * len(found)
