"""Linear maps over GF(2) against their definition, bit by bit, and their powers against steps."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clrng.generators.maths import gf2

WORDS = st.integers(0, 2**64 - 1)
DTYPES = [np.dtype(np.uint32), np.dtype(np.uint64)]


def test_the_bits_of_states_are_in_order() -> None:
    states = np.array([[1, 2**31], [6, 0]], np.uint32)
    assert np.argwhere(gf2.bits_of(states)).tolist() == [[0, 0], [0, 63], [1, 1], [1, 2]]
    assert np.flatnonzero(gf2.bits_of(np.array([[2**63, 1]], np.uint64))).tolist() == [63, 64]


@pytest.mark.parametrize("dtype", DTYPES)
@given(seed=st.integers(0, 2**32), count=st.integers(0, 4))
@settings(max_examples=20, deadline=None)
def test_states_mapped_are_sums_of_rows_times_columns(dtype: np.dtype[Any], seed: int, count: int) -> None:
    rng, bits = np.random.default_rng(seed), 8 * dtype.itemsize
    columns = rng.integers(0, 2**bits, (2 * bits, 2), dtype, endpoint=False)
    states = rng.integers(0, 2**bits, (count, 2), dtype)
    entries = [[int(column[row // bits]) >> row % bits & 1 for column in columns] for row in range(2 * bits)]
    found = gf2.mapped(columns, states)
    assert found.dtype == dtype
    for state, image in zip(states.tolist(), found.tolist(), strict=True):
        given_bits = [state[j // bits] >> j % bits & 1 for j in range(2 * bits)]
        sums = [sum(entry * bit for entry, bit in zip(row, given_bits, strict=True)) % 2 for row in entries]
        assert image == [sum(bit << j for j, bit in enumerate(sums[i * bits : (i + 1) * bits])) for i in range(2)]


def turned(words: Any) -> Any:
    """Return two words of 32 bits after a step: bit 0 goes around all 64 places."""
    low, high = words
    return low << 1 & 2**32 - 1 | high >> 31, high << 1 & 2**32 - 1 | low >> 31


@given(n=st.integers(0, 2**70), low=st.integers(0, 2**32 - 1), high=st.integers(0, 2**32 - 1))
@settings(max_examples=30)
def test_powers_are_so_many_steps(n: int, low: int, high: int) -> None:
    powers = gf2.Powers(turned, 2, DTYPES[0], 2**64 + 1)
    state = low, high
    for _ in range(n % 64):
        state = turned(state)
    assert powers.after((low, high), n) == state
    assert powers.all_after(np.array([[low, high], [0, 0]], np.uint32), n).tolist() == [list(state), [0, 0]]
    assert powers.weights(n) == 2 ** (n % 64)
    assert powers.degree == 64
