"""Matrices over GF(2) against their definition, entry by entry."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clrng.bit_generators.maths import gf2

BITS = 8
WORDS = st.integers(0, 2**BITS - 1)
MATRICES = st.lists(WORDS, min_size=BITS, max_size=BITS).map(tuple)


def entry(matrix: gf2.Matrix, row: int, column: int) -> int:
    return matrix[column] >> row & 1


@given(MATRICES, WORDS)
def test_a_word_mapped_is_the_sum_of_rows_times_columns(matrix: gf2.Matrix, word: int) -> None:
    rows = [sum(entry(matrix, row, j) * (word >> j & 1) for j in range(BITS)) % 2 for row in range(BITS)]
    assert gf2.mapped(matrix, word) == sum(bit << row for row, bit in enumerate(rows))
    assert gf2.mapped(gf2.identity(BITS), word) == word


@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
@given(MATRICES)
def test_all_words_at_once(dtype: type, matrix: gf2.Matrix) -> None:
    words = np.arange(2**BITS, dtype=dtype).reshape(16, 16)
    found = gf2.mapped_all(matrix, words)
    assert found.dtype == dtype
    assert found.ravel().tolist() == [gf2.mapped(matrix, word) for word in range(2**BITS)]


@given(MATRICES, MATRICES)
def test_a_product_is_one_after_the_other(second: gf2.Matrix, first: gf2.Matrix) -> None:
    entries = [
        [sum(entry(second, row, k) * entry(first, k, j) for k in range(BITS)) % 2 for j in range(BITS)]
        for row in range(BITS)
    ]
    product = gf2.product(second, first)
    assert [[entry(product, row, j) for j in range(BITS)] for row in range(BITS)] == entries


@given(MATRICES, WORDS)
@settings(max_examples=20)
def test_powers_are_so_many_steps(matrix: gf2.Matrix, word: int) -> None:
    powers, after = gf2.doublings(matrix, 5), word
    for n in range(32):
        assert gf2.mapped(gf2.power(powers, n), word) == after
        after = gf2.mapped(matrix, after)
