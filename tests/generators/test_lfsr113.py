"""LFSR113 against the program of L'Ecuyer 1999, written out here, and what is refused."""

import re
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clrng import LFSR113

LEAST = (2, 8, 16, 128)
WORDS = st.tuples(*(st.integers(low, 2**32 - 1) for low in LEAST))


def lecuyer(words: Sequence[int], n: int) -> tuple[list[int], tuple[int, ...]]:
    """Return `n` values of L'Ecuyer's program, and its words then."""
    z1, z2, z3, z4 = words
    values = []
    for _ in range(n):
        b = (z1 << 6 & 0xFFFFFFFF ^ z1) >> 13
        z1 = (z1 & 4294967294) << 18 & 0xFFFFFFFF ^ b
        b = (z2 << 2 & 0xFFFFFFFF ^ z2) >> 27
        z2 = (z2 & 4294967288) << 2 & 0xFFFFFFFF ^ b
        b = (z3 << 13 & 0xFFFFFFFF ^ z3) >> 21
        z3 = (z3 & 4294967280) << 7 & 0xFFFFFFFF ^ b
        b = (z4 << 3 & 0xFFFFFFFF ^ z4) >> 12
        z4 = (z4 & 4294967168) << 13 & 0xFFFFFFFF ^ b
        values.append(z1 ^ z2 ^ z3 ^ z4)
    return values, (z1, z2, z3, z4)


@given(words=WORDS)
@settings(max_examples=20, deadline=None)
def test_the_sequence_is_the_program(words: tuple[int, ...]) -> None:
    bits = LFSR113(words)
    values, after = lecuyer(words, 150)
    assert bits.sequence(150).tolist() == values
    assert bits.jumped(100).sequence(50).tolist() == values[100:]
    assert bits.jumped(150).words == after
    assert LFSR113(after).words == after
    assert bits.jumped(150).jumped(-150) == bits


def test_a_single_seed_stands_for_all_words() -> None:
    assert LFSR113(12345) == LFSR113([12345] * 4)
    assert LFSR113() == LFSR113(987654321)
    assert LFSR113(np.int64(12345)) == LFSR113(12345)
    assert LFSR113(np.array([12345] * 4)) == LFSR113(12345)  # type: ignore[arg-type]  # as other generators take


def test_the_lowest_bits_have_no_influence() -> None:
    words = LFSR113(12345).words
    for i, low in enumerate(LEAST):
        for flipped in range(1, low):
            changed = list(words)
            changed[i] ^= flipped
            assert LFSR113(changed).words == words
            assert lecuyer(changed, 3) == lecuyer(words, 3)
            bits = LFSR113()
            with pytest.raises(
                ValueError, match=rf"^state\['state'\] must have lowest bits .* {re.escape(str(changed))}$"
            ):
                bits.state = {**bits.state, "state": changed}


@pytest.mark.parametrize(
    ("seed", "message"),
    [
        (127, "seed must be an integer from 128 to 4294967295, not 127"),
        (2**32, "seed must be an integer from 128 to 4294967295, not 4294967296"),
        ([1, 8, 16, 128], "seed[0] must be an integer from 2 to 4294967295, not 1"),
        ([2, 8, 15, 128], "seed[2] must be an integer from 16 to 4294967295, not 15"),
        ([2, 8, 16], "seed must be 4 integers, one for each component, not 3"),
    ],
)
def test_seeds_out_of_range(seed: int | list[int], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        LFSR113(seed)


@pytest.mark.parametrize("seed", [None, 1.5, "1234", b"1234", [2.0, 8, 16, 128]])
def test_seeds_that_are_not_integers(seed: object) -> None:
    with pytest.raises(TypeError, match=r"^seed(\[0\])? must be an integer from "):
        LFSR113(seed)  # type: ignore[arg-type]
