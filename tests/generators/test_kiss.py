"""KISS and its kin against Marsaglia's definitions and R's, their cycles, and what is refused."""

import re
from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng import KISS
from clrng.generators.kiss import COMBINATIONS, PAIR
from clrng.generators.maths.number_theory import factors

MASK = 2**32 - 1


def multiplied(z: int, a: int) -> int:
    """Return Marsaglia's ``a*(z&65535)+(z>>16)``."""
    return a * (z & 65535) + (z >> 16)


def shifted(y: int, *shifts: int) -> int:
    for shift in shifts:
        y ^= y << shift & MASK if shift > 0 else y >> -shift
    return y


def following(kind: str, s: list[int]) -> tuple[int, list[int]]:
    """Return a value and the words after a step, as the macros of Marsaglia and the functions of R have them."""
    if kind == "multicarry":
        s = [multiplied(s[0], 36969), multiplied(s[1], 18000)]
        return (s[0] << 16 ^ s[1] & 0o177777) & MASK, s
    if kind == "super_duper":
        s = [shifted(s[0], -15, 17), 69069 * s[1] & MASK]
        return s[0] ^ s[1], s
    s = [multiplied(s[0], 36969), multiplied(s[1], 18000), shifted(s[2], 17, -13, 5), 69069 * s[3] + 1234567 & MASK]
    return (((s[0] << 16) + s[1] ^ s[3]) + s[2]) & MASK, s


def drawn(kind: str, s: list[int], n: int) -> tuple[list[int], list[int]]:
    values = []
    for _ in range(n):
        value, s = following(kind, s)
        values.append(value)
    return values, s


each = pytest.mark.parametrize("kind", COMBINATIONS)


@each
@given(data=st.data())
@settings(max_examples=20, deadline=None)
def test_the_sequence_is_the_definition(kind: str, data: st.DataObject) -> None:
    words = [data.draw(st.integers(*part.limits)) for part in COMBINATIONS[kind].parts]
    expected, after = drawn(kind, words, 100)
    generator = KISS(kind, words)
    assert generator.sequence(100).tolist() == expected
    assert generator.jumped(37).sequence(63).tolist() == expected[37:]
    assert list(generator.jumped(100).words) == after
    assert list(KISS(kind, after).advance(-100).words) == words
    assert generator.jumped(10**25).advance(5 - 10**25) == generator.advance(5)


def test_the_last_value_of_marsaglias_test() -> None:
    before = KISS("kiss99", [12345, 65435, 34221, 12345])  # of which settable draws 256 values
    assert before.advance(256 + 10**6 - 1).sequence(1).tolist() == [1372460312]


@each
def test_far_places_on_a_device(kind: str, queue: cl.CommandQueue) -> None:
    generator = KISS(kind, [part.limits[1] for part in COMBINATIONS[kind].parts])
    rng = clrng.Generator(generator.copy(), queue)
    for place in (0, 12345, 10**15):
        rng.bit_generator.state = generator.jumped(place).state
        expected, _ = drawn(kind, list(generator.jumped(place).words), 5000)
        assert_array_equal(rng.random_raw(5000).get(), np.array(expected, np.uint32))


def test_the_period_of_two_by_multiply_with_carry() -> None:
    for part in PAIR:
        assert list(factors(part.modulus)) == [part.modulus]
        half = part.modulus // 2  # a prime, which the order of a square divides
        assert list(factors(half)) == [half]
        assert pow(part.multiplier, half, part.modulus) == 1 != part.multiplier
    generator = KISS("multicarry", [1, 2])
    assert generator.period == (36969 * 2**15 - 1) * (18000 * 2**15 - 1)
    assert generator.jumped(generator.period) == generator


def test_words_that_multiply_with_carry_never_leaves_or_never_reaches() -> None:
    for part in PAIR:
        assert [part.step(word) for word in (0, part.modulus)] == [0, part.modulus]
        last = part.limits[1]
        assert part.after(last, 1) == part.step(last) < part.modulus


def test_a_seed_of_r_off_the_cycle_is_refused() -> None:
    seed = next(seed for seed in range(10**6) if off_the_cycle(seed))
    with pytest.raises(ValueError, match=f"^seed must be one whose words lie on the cycles of .*, not {seed}$"):
        clrng.named("r_marsaglia_multicarry", seed)
    assert clrng.named("r_marsaglia_multicarry", seed + 1).combination == "multicarry"


def off_the_cycle(seed: int) -> bool:
    """Return whether a word after the first step is none that comes again."""
    for _ in range(50):
        seed = (69069 * seed + 1) % 2**32
    for a in (36969, 18000):
        seed = (69069 * seed + 1) % 2**32
        if multiplied(seed, a) >= a * 2**16 - 1:
            return True
    return False


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("kiss", [1, 2, 3, 4]), "combination must be one of 'kiss99', 'multicarry', 'super_duper', not 'kiss'"),
        (("kiss99", [1, 2]), "state must be 4 integers, not 2"),
        (("multicarry", [0, 1]), "state[0] must be an integer from 1 to 2422800382, not 0"),
        (("multicarry", [1, 1179647999]), "state[1] must be an integer from 1 to 1179647998, not 1179647999"),
        (("super_duper", [0, 1]), "state[0] must be an integer from 1 to 4294967295, not 0"),
    ],
)
def test_what_is_refused(given: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        KISS(*given)
