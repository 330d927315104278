"""SplitMix against its published program, and what is refused."""

import re
from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng import SplitMix

GOLDEN = 0x9E3779B97F4A7C15


def defined(x: int, gamma: int, bits: int, mixer: list[int], n: int) -> list[int]:
    """Return `n` values, each shift a quotient by a power of two."""
    found = []
    for _ in range(n):
        x = (x + gamma) % 2**bits
        z = (x ^ x // 2 ** mixer[0]) * mixer[1] % 2**bits
        z = (z ^ z // 2 ** mixer[2]) * mixer[3] % 2**bits
        found.append(z ^ z // 2 ** mixer[4] if mixer[4] else z)
    return found


STAFFORD = [30, 0xBF58476D1CE4E5B9, 27, 0x94D049BB133111EB, 31]
MURMUR = [16, 0x85EBCA6B, 13, 0xC2B2AE35, 16]


@given(x=st.integers(0, 2**64 - 1), half=st.integers(0, 2**63 - 1))
@settings(max_examples=20, deadline=None)
def test_the_sequence_is_the_definition(x: int, half: int) -> None:
    expected = defined(x, GOLDEN, 64, STAFFORD, 50)
    assert SplitMix(x).sequence(50).tolist() == expected
    assert SplitMix(x).jumped(20).sequence(30).tolist() == expected[20:]
    gamma = 2 * half + 1
    assert SplitMix([x, gamma]).sequence(50).tolist() == defined(x, gamma, 64, STAFFORD, 50)
    word = x % 2**32
    assert SplitMix(word, 32).sequence(50).tolist() == defined(word, 0x9E3779B9, 32, MURMUR, 50)
    other = [1, 2**64 - 1, 63, gamma, 0]
    assert SplitMix(x, mixer=other).sequence(50).tolist() == defined(x, GOLDEN, 64, other, 50)
    shown = [z >> 32 for z in defined(x, GOLDEN, 64, other, 50)]
    assert SplitMix(x, mixer=other, output=(32, 32)).sequence(50).tolist() == shown


def test_published_values() -> None:
    values = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
    assert SplitMix(1234567).sequence(5).tolist() == values  # as in many libraries


@pytest.mark.parametrize("output", [None, (32, 32), (11, 53), (0, 32), (5, 20)])
def test_parts_of_values_on_a_device(output: tuple[int, int] | None, queue: cl.CommandQueue) -> None:
    bits = SplitMix([2**64 - 1, 2**64 - 1], mixer=[33, 0x62A9D9ED799705F5, 28, 0xCB24D0A5C88C35B3, 0], output=output)
    assert_array_equal(clrng.Generator(bits.copy(), queue).random_raw(3001).get(), bits.sequence(3001))


@pytest.mark.parametrize("bits", [32, 64])
def test_streams_of_gammas_of_their_own(bits: int, queue: cl.CommandQueue) -> None:
    states = np.array([[1, 1], [2, 2**bits - 1], [3, 12345]], np.dtype(f"u{bits // 8}"))
    drawn = clrng.Streams.from_seeds(SplitMix(0, bits), states, queue).random_raw(20).get()
    for column, words in zip(drawn.T, states.tolist(), strict=True):
        assert_array_equal(column, SplitMix(words, bits).sequence(20))


def test_what_is_refused() -> None:
    def refused(kind: type[Exception], message: str, *given: Any, **more: Any) -> None:
        with pytest.raises(kind, match=f"^{re.escape(message)}"):
            SplitMix(*given, **more)

    refused(ValueError, "seed must be an integer from 0 to 18446744073709551615, not 18446744073709551616", 2**64)
    refused(ValueError, "seed must be an integer from 0 to 4294967295, not -1", -1, 32)
    refused(TypeError, "seed must be an integer from 0 to 18446744073709551615, not '1'", "1")
    refused(ValueError, "seed must be 2 integers, x and gamma, not 3", [1, 2, 3])
    refused(ValueError, "seed must have an odd gamma, not [1, 2]", [1, 2])
    refused(ValueError, "bits must be 32 or 64, not 48", 1, 48)
    refused(TypeError, "mixer must be five integers, a shift, a multiplier,", 1, mixer=[1, 2])
    refused(ValueError, "mixer[0] must be an integer from 1 to 63, not 64", 1, mixer=[64, 1, 1, 1, 1])
    refused(ValueError, "mixer[1] must be an odd integer, not 2", 1, mixer=[1, 2, 1, 1, 1])
    refused(ValueError, "mixer[2] must be an integer from 1 to 31, not 0", 1, 32, mixer=[1, 1, 0, 1, 0])
    refused(ValueError, "output[1] must be an integer from 1 to 32, not 33", 1, output=(32, 33))
