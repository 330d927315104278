"""RANLUX++ against the recurrence of RANLUX, ROOT's published numbers, and what is refused."""

import re

import numpy as np
import pytest

from clrng import RANLUXpp

M = 2**576 - 2**240 + 1

ROOT = {2: 0.57072241146576274673, 12: 0.16812543081078956675, 14: 0.28403302782895423206, 26: 0.79969842495805920635,
        70: 0.74670661284082484599}  # fmt: skip
"""What Rndm gives in ROOT's own test, from seed 314159265, by the number of the value."""


def ranlux(lags: list[int], carry: int, steps: int) -> tuple[list[int], int]:
    """Return 24 words of RANLUX, the oldest first, and its carry, `steps` subtractions later."""
    lags = list(lags)
    for _ in range(steps):
        difference = lags[-10] - lags[-24] - carry
        lags, carry = [*lags[1:], difference % 2**24], int(difference < 0)
    return lags, carry


def words_of(bits: RANLUXpp) -> list[int]:
    """Return the 24 words of RANLUX that the next 12 values are."""
    return [value >> shift & 2**24 - 1 for value in bits.sequence(12).tolist() for shift in (0, 24)]


@pytest.mark.parametrize("seed", [0, 1, 314159265, 2**64 - 1])
def test_a_state_is_2048_steps_of_ranlux_on(seed: int) -> None:
    bits = RANLUXpp(seed)
    reached = []
    for carry in (0, 1):
        lags, found = words_of(bits), []
        for _ in range(3):
            lags, carry = ranlux(lags, carry, 2048)  # noqa: PLW2901  # it goes on
            found.append(lags)
        reached.append(found)
    assert [words_of(bits.jumped(12 * i)) for i in (1, 2, 3)] in reached


def test_the_doubles_of_root() -> None:
    values = RANLUXpp(314159265).sequence(70) / 2**48
    assert {place: values[place - 1] for place in ROOT} == ROOT


def test_seeds_are_2_to_the_96_states_apart() -> None:
    bits = RANLUXpp(0)
    assert bits.jumped(12 * 2**96 * 7) == RANLUXpp(7)
    assert bits.jumped(1).words == (1, *[0] * 9)
    assert RANLUXpp(np.uint64(2**64 - 1)) == RANLUXpp(2**64 - 1)
    assert RANLUXpp() == RANLUXpp(314159265)
    assert RANLUXpp(bits.words) == bits


def test_the_states_of_jumps_are_those_of_steps() -> None:
    bits = RANLUXpp(3)
    words = bits.words
    for n in range(30):
        assert bits.state_after(bits.words, n) == words
        assert bits.state_after(words, -n) == bits.words
        words = bits.step(words)


@pytest.mark.parametrize(
    ("seed", "message"),
    [
        (-1, "seed must be an integer from 0 to 18446744073709551615, not -1"),
        (2**64, "seed must be an integer from 0 to 18446744073709551615, not 18446744073709551616"),
        ([1] * 9, "seed must be 10 integers, nine digits of x and the number of a value, not 9"),
        ([1] * 9 + [12], "seed[9] must be an integer from 0 to 11, not 12"),
        ([0] * 8 + [2**64, 0], "seed[8] must be an integer from 0 to 18446744073709551615, not 18446744073709551616"),
    ],
)
def test_seeds_out_of_range(seed: int | list[int], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        RANLUXpp(seed)


@pytest.mark.parametrize("x", [0, M, 2**576 - 1])
def test_states_that_are_none(x: int) -> None:
    words = [*(x >> 64 * i & 2**64 - 1 for i in range(9)), 5]
    message = re.escape(f"must have an x from 1 to m - 1, m = 2^576 - 2^240 + 1, in its first nine words, not {words}")
    with pytest.raises(ValueError, match=f"^seed {message}$"):
        RANLUXpp(words)
    bits = RANLUXpp()
    with pytest.raises(ValueError, match=rf"^state\['state'\] {message}$"):
        bits.state = {**bits.state, "state": words}
    with pytest.raises(ValueError, match=r"^seeds\[1\] must have an x from 1 to m - 1, "):
        bits.checked_states("seeds", [RANLUXpp(1).words, words])


@pytest.mark.parametrize("seed", [None, 1.5, "1234", b"1234", [2.0] * 10])
def test_seeds_that_are_not_integers(seed: object) -> None:
    with pytest.raises(TypeError, match=r"^seed(\[0\])? must be an integer from "):
        RANLUXpp(seed)  # type: ignore[arg-type]


def test_a_state_in_an_array() -> None:
    words = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3]
    assert RANLUXpp(np.array(words, np.uint64)) == RANLUXpp(words)
