"""MRG31k3p against the program of L'Ecuyer and Touzin 2000, which has no products, and what is refused."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pyopencl as cl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clrng
from clrng import MRG31k3p

M1, M2 = 2147483647, 2147462579
SEEDS = st.lists(st.integers(0, M2 - 1), min_size=6, max_size=6).filter(lambda words: any(words[:3]) and any(words[3:]))


def program(seed: list[int]) -> Iterator[int]:
    """Yield the integers of the paper's program, whose uniform numbers are these over 2^31."""
    s12, s11, s10, s22, s21, s20 = seed
    while True:
        y = ((s11 & 511) << 22) + (s11 >> 9) + ((s12 & 16777215) << 7) + (s12 >> 24)
        y -= M1 * (y > M1)
        y += s12
        y -= M1 * (y > M1)
        s12, s11, s10 = s11, s10, y
        y = ((s20 & 65535) << 15) + 21069 * (s20 >> 16)
        y -= M2 * (y > M2)
        z = ((s22 & 65535) << 15) + 21069 * (s22 >> 16)
        z -= M2 * (z > M2)
        z += s22
        z -= M2 * (z > M2)
        z += y
        z -= M2 * (z > M2)
        s22, s21, s20 = s21, s20, z
        yield s10 - s20 + M1 if s10 <= s20 else s10 - s20


def power(matrix: list[list[int]], n: int, m: int) -> list[list[int]]:
    """Return a matrix of order 3 to the power `n`."""
    result = [[int(i == j) for j in range(3)] for i in range(3)]
    for bit in f"{n:b}":
        for other in [result] + [matrix] * (bit == "1"):
            result = [[sum(row[k] * other[k][j] for k in range(3)) % m for j in range(3)] for row in result]
    return result


@given(SEEDS)
@settings(max_examples=20, deadline=None)
def test_the_sequence_is_that_of_the_program(seed: list[int]) -> None:
    expected = list(islice(program(seed), 100))
    assert MRG31k3p(seed).sequence(100).tolist() == expected
    assert MRG31k3p(seed).jumped(60).sequence(40).tolist() == expected[60:]


@pytest.mark.parametrize("n", [1, 2, 10**6, 2**72, 2**134, 3**110])
def test_a_jump_is_a_power_of_a_matrix(n: int) -> None:
    words = (1, 2, M1 - 1, 5, M2 - 1, 7)
    steps = ([[0, 1, 0], [0, 0, 1], [2**7 + 1, 2**22, 0]], M1), ([[0, 1, 0], [0, 0, 1], [2**15 + 1, 0, 2**15]], M2)
    expected = [
        sum(row[k] * part[k] for k in range(3)) % m
        for (step, m), part in zip(steps, (words[:3], words[3:]), strict=True)
        for row in power(step, n, m)
    ]
    assert list(MRG31k3p(words).jumped(n).words) == expected
    assert MRG31k3p(words).jumped(n).jumped(-n).words == words


def test_a_fill(queue: cl.CommandQueue) -> None:
    expected = list(islice(program([12345] * 6), 20_003))
    assert clrng.Generator(MRG31k3p(), queue).random_raw(20_003).get().tolist() == expected
    assert (MRG31k3p().period.bit_length(), MRG31k3p().upper_bound, MRG31k3p().min_value) == (185, 2**31, 1)


def test_what_is_refused() -> None:
    def refused(kind: type[Exception], message: str, seed: Any) -> None:
        with pytest.raises(kind, match=f"^{re.escape(message)}"):
            MRG31k3p(seed)

    refused(ValueError, "seed must be an integer from 1 to 2147462578, not 0", 0)
    refused(ValueError, "seed must be 6 integers, three for each recurrence, not 5", [1] * 5)
    refused(ValueError, "seed[5] must be an integer from 0 to 2147462578, not 2147462579", [1, 1, 1, 1, 1, M2])
    refused(ValueError, "seed must have an integer other than 0 in its last three, or they stay 0", [1, 1, 1, 0, 0, 0])
