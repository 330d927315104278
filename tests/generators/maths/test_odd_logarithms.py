"""Odd numbers as (-1)^s 5^e, against counting and Python's integers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clrng.generators.maths.number_theory import logarithms, powers_of_5, words_of

BITS = st.integers(1, 64)


def array(numbers: list[int]) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Return the numbers as an array."""
    return np.array(numbers, np.uint64)


@pytest.mark.parametrize("bits", range(1, 13))
def test_all_odd_words_by_counting(bits: int) -> None:
    m, expected = 2**bits, {}
    for e in range(max(m // 4, 1)):
        for s in range(2 if bits > 1 else 1):
            expected[(-1) ** s * 5**e % m] = (s, e)
    assert sorted(expected) == list(range(1, m, 2))
    words = sorted(expected)
    signs, exponents = logarithms(array(words), bits)
    assert list(zip(signs.tolist(), exponents.tolist(), strict=True)) == [expected[word] for word in words]
    assert words_of(signs, exponents, bits).tolist() == words


@given(BITS, st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=20))
def test_logarithms_are_those_of_pythons_powers(bits: int, halves: list[int]) -> None:
    m = 2**bits
    words = [(2 * half + 1) % m for half in (*halves, 0, 1, 2, m // 2 - 1)]
    signs, exponents = logarithms(array(words), bits)
    for word, s, e in zip(words, signs.tolist(), exponents.tolist(), strict=True):
        assert (-1) ** s * pow(5, e, m) % m == word
        assert s in (0, 1)
        assert 0 <= e < max(m // 4, 1)
    assert words_of(signs, exponents, bits).tolist() == words


@given(BITS, st.integers(0, 1), st.integers(0, 2**64 - 1))
def test_words_are_pythons_powers(bits: int, s: int, e: int) -> None:
    m = 2**bits
    assert words_of(array([s]), array([e]), bits).tolist() == [(-1) ** s * pow(5, e, m) % m]


@given(st.integers(3, 64), st.integers(0, 2**63 - 1), st.integers(0, 2**63 - 1))
def test_products_are_sums(bits: int, first: int, second: int) -> None:
    m = 2**bits
    words = [(2 * first + 1) % m, (2 * second + 1) % m]
    signs, exponents = (found.tolist() for found in logarithms(array([*words, words[0] * words[1] % m]), bits))
    assert signs[2] == (signs[0] + signs[1]) % 2
    assert exponents[2] == (exponents[0] + exponents[1]) % (m // 4)


@pytest.mark.parametrize("bits", [1, 2, 3, 4, 32, 63, 64])
def test_powers_of_5(bits: int) -> None:
    assert powers_of_5(bits) == [5 ** (2**j) % 2**bits if j < 12 else pow(5, 2**j, 2**bits) for j in range(bits - 2)]


def test_the_words_given_stay() -> None:
    words = array([3, 5, 2**64 - 1])
    signs, exponents = logarithms(words, 64)
    before = signs.copy(), exponents.copy()
    words_of(signs, exponents, 64)
    assert words.tolist() == [3, 5, 2**64 - 1]
    assert [signs.tolist(), exponents.tolist()] == [part.tolist() for part in before]
