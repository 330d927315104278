"""Xorshift generators of 32 bits against Marsaglia's definition, written out here."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng import XorShift32
from clrng.generators.xorshift import has_full_period, primes_of_period

PERIOD = 2**32 - 1

SEED = 2463534242
FULL = [(13, 17, 5), (5, 17, 13), (1, 3, 10), (10, 3, 1), (2, 15, 25), (25, 15, 2)]
"""Triples of the table in Marsaglia 2003, each this way and the other way round."""

STATES = st.integers(1, PERIOD)


def marsaglia(y: int, a: int = 13, b: int = 17, c: int = 5) -> Iterator[int]:
    """Yield what ``xor()`` of Marsaglia 2003 gives: y ^= (y << 13), y ^= (y >> 17), y ^= (y << 5) in 32 bits."""
    while True:
        y ^= (y << a) % 2**32
        y ^= y // 2**b
        y ^= (y << c) % 2**32
        yield y


def test_the_example_of_marsaglia_2003() -> None:
    values = list(islice(marsaglia(SEED), 3))
    assert values == [723471715, 2497366906, 2064144800]
    assert XorShift32(SEED).sequence(3).tolist() == values
    assert XorShift32(SEED).shifts == (13, 17, 5)


@pytest.mark.parametrize("shifts", FULL)
@given(seed=STATES)
@settings(max_examples=20, deadline=None)
def test_the_sequence_is_the_definition(shifts: tuple[int, int, int], seed: int) -> None:
    bits = XorShift32(seed, shifts)
    expected = list(islice(marsaglia(seed, *shifts), 200))
    assert bits.sequence(200).tolist() == expected
    assert bits.jumped(150).sequence(50).tolist() == expected[150:]
    assert bits.jumped(200).jumped(-100).sequence(100).tolist() == expected[100:]
    assert bits == XorShift32(seed, shifts)


def test_the_period() -> None:
    product = 1
    for prime in primes_of_period(32):
        product *= prime
    assert product == PERIOD == XorShift32(1).period
    bits = XorShift32(SEED)
    assert bits.jumped(PERIOD) == bits == bits.jumped(-(10**30) * PERIOD)
    assert all(bits.jumped(PERIOD // prime) != bits for prime in primes_of_period(32))


@pytest.mark.parametrize("shifts", [(13, 17, 6), (1, 1, 1), (16, 16, 16), (31, 31, 31), (13, 5, 17)])
def test_shifts_without_the_full_period(shifts: tuple[int, int, int]) -> None:
    message = f"shifts must be three whose period is 2^32 - 1, such as (13, 17, 5), not {shifts}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        XorShift32(1, shifts)
    bits = XorShift32(5)
    with pytest.raises(ValueError, match=re.escape("state['shifts'] must be three whose period")):
        bits.state = {**bits.state, "shifts": list(shifts)}
    assert bits == XorShift32(5)


def rank(columns: Iterable[int]) -> int:
    """Return the rank of a matrix, by elimination."""
    found: list[int] = []
    for column in columns:
        left = column
        for other in found:
            left = min(left, left ^ other)
        if left:
            found.append(left)
    return len(found)


def cycles(a: int, b: int, c: int) -> bool:
    """Return whether no state but 0 comes again after PERIOD / q steps: whether T^(PERIOD / q) + 1 is invertible."""
    bits = XorShift32(1, (a, b, c))
    powers = (bits.powers.columns(PERIOD // q)[:, 0].tolist() for q in primes_of_period(32))
    return all(rank(x ^ 1 << j for j, x in enumerate(power)) == 32 for power in powers)


@pytest.mark.parametrize("shifts", FULL)
def test_shifts_of_full_period(shifts: tuple[int, int, int]) -> None:
    assert has_full_period(shifts)
    assert cycles(*shifts)


def test_the_table_of_small_shifts() -> None:
    """Marsaglia's table has these triples with a = 1 and c up to 12."""
    found = [(1, b, c) for b in range(1, 32) for c in range(2, 13) if has_full_period((1, b, c))]
    assert found == [(1, 3, 10), (1, 11, 6), (1, 19, 3)]


@pytest.mark.parametrize("value", [5, "13,17,5", None, (13, 17), [13, 17, 5, 5], {13, 17, 5}])
def test_shifts_that_are_not_three(value: Any) -> None:
    with pytest.raises(TypeError, match="^shifts must be three integers, not "):
        XorShift32(1, value)


@pytest.mark.parametrize("value", [0, 32, -1, 2**70])
@pytest.mark.parametrize("place", range(3))
def test_shifts_out_of_range(value: int, place: int) -> None:
    shifts = [13, 17, 5]
    shifts[place] = value
    with pytest.raises(ValueError, match=rf"^shifts\[{place}\] must be an integer from 1 to 31, not {value}$"):
        XorShift32(1, shifts)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [0, 2**32, -1])
def test_seeds_out_of_range(seed: int) -> None:
    with pytest.raises(ValueError, match=f"^seed must be an integer from 1 to 4294967295, not {seed}$"):
        XorShift32(seed)


@pytest.mark.parametrize("shifts", FULL)
def test_other_shifts_on_a_device(shifts: tuple[int, int, int], queue: Any) -> None:
    bits = XorShift32(SEED, shifts)
    assert_array_equal(clrng.Generator(bits.copy(), queue).random_raw(5000).get(), bits.sequence(5000))
    assert_array_equal(clrng.Streams.by_leapfrog(bits, 7, queue).random_raw(9).get().ravel(), bits.sequence(63))
