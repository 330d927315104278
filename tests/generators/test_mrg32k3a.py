"""MRG32k3a against L'Ecuyer's own programs and published values."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clrng.generators import LinearRecurrence, MRG32k3a
from clrng.generators.mrg32k3a import MODULI

M1, M2 = 4294967087, 4294944443
Matrix = list[list[int]]

ONE_STEP: tuple[Matrix, Matrix] = (
    [[0, 1, 0], [0, 0, 1], [M1 - 810728, 1403580, 0]],
    [[0, 1, 0], [0, 0, 1], [M2 - 1370589, 0, 527612]],
)
FAR_APART: tuple[Matrix, Matrix] = (
    [[2427906178, 3580155704, 949770784], [226153695, 1230515664, 3580155704], [1988835001, 986791581, 1230515664]],
    [[1464411153, 277697599, 1610723613], [32183930, 1464411153, 1022607788], [2824425944, 32183930, 2093834863]],
)
"""The matrices of 2^127 steps, A1p127 and A2p127 in RngStreams (L'Ecuyer, Simard, Chen and Kelton, 2002)."""

WORDS = st.lists(st.integers(0, M2 - 1), min_size=6, max_size=6).filter(lambda w: any(w[:3]) and any(w[3:]))


def lecuyer(seed: list[int]) -> Iterator[tuple[int, float]]:
    """Yield the integers and the uniform numbers of the program in the paper of 1999, in floating point as there."""
    norm, m1, m2 = 2.328306549295728e-10, 4294967087.0, 4294944443.0
    s10, s11, s12, s20, s21, s22 = map(float, seed)
    while True:
        p1 = 1403580.0 * s11 - 810728.0 * s10
        p1 -= int(p1 / m1) * m1
        if p1 < 0.0:
            p1 += m1
        s10, s11, s12 = s11, s12, p1
        p2 = 527612.0 * s22 - 1370589.0 * s20
        p2 -= int(p2 / m2) * m2
        if p2 < 0.0:
            p2 += m2
        s20, s21, s22 = s21, s22, p2
        difference = p1 - p2 + m1 if p1 <= p2 else p1 - p2
        yield int(difference), difference * norm


def product(a: Matrix, b: Matrix, m: int) -> Matrix:
    """Return the product of two matrices."""
    return [[sum(a[i][k] * b[k][j] for k in range(3)) % m for j in range(3)] for i in range(3)]


def power(a: Matrix, n: int, m: int) -> Matrix:
    """Return a matrix to the power `n`."""
    result = [[int(i == j) for j in range(3)] for i in range(3)]
    for bit in f"{n:b}":
        result = product(result, result, m)
        if bit == "1":
            result = product(result, a, m)
    return result


def applied(matrices: tuple[Matrix, Matrix], words: list[int]) -> tuple[int, ...]:
    """Return the words that the matrices make of `words`."""
    parts = zip(matrices, (words[:3], words[3:]), (M1, M2), strict=True)
    return tuple(sum(a * x for a, x in zip(row, part, strict=True)) % m for matrix, part, m in parts for row in matrix)


def test_published_integers() -> None:
    generator = MRG32k3a()
    values = generator.sequence(10000).tolist()
    assert values[:5] == [545508589, 1368065410, 1327943761, 3546985096, 951893194]
    assert values[-1] == 878310219
    assert generator.jumped(9999).sequence(1).tolist() == [878310219]


def test_published_uniform_numbers() -> None:
    published = [0.12701112204657714, 0.3185275653967945, 0.3091860155832701]
    generator = MRG32k3a()
    assert [x / generator.upper_bound for x in generator.sequence(3).tolist()] == published
    assert [u for _, u in islice(lecuyer([12345] * 6), 3)] == published
    assert generator.upper_bound == 4294967088


@pytest.mark.parametrize(
    "seed",
    [
        [12345] * 6,
        [1, 0, 0, 0, 0, 1],
        [0, 0, 1, 1, 0, 0],
        [0, 0, M1 - 1, 0, 0, M2 - 1],
        [M1 - 1] * 3 + [M2 - 1] * 3,
        [11, 22, 33, 44, 55, 66],
    ],
)
def test_the_program_of_the_paper(seed: list[int]) -> None:
    both = list(islice(lecuyer(seed), 5000))
    generator = MRG32k3a(seed)
    values = generator.sequence(5000).tolist()
    assert values == [x for x, _ in both]
    ulps = [abs(x / generator.upper_bound - u) / np.spacing(u) for x, (_, u) in zip(values, both, strict=True)]
    assert max(ulps) <= 1  # the program multiplies by a rounded reciprocal


@given(WORDS)
@settings(max_examples=30)
def test_the_program_of_the_paper_from_any_state(seed: list[int]) -> None:
    assert MRG32k3a(seed).sequence(50).tolist() == [x for x, _ in islice(lecuyer(seed), 50)]


@given(WORDS, st.integers(0, 2**191))
@settings(max_examples=30)
def test_a_jump_is_a_power_of_the_matrices(seed: list[int], n: int) -> None:
    powers = power(ONE_STEP[0], n, M1), power(ONE_STEP[1], n, M2)
    assert MRG32k3a(seed).jumped(n).words == applied(powers, seed)


def test_the_jump_of_rngstreams() -> None:
    assert (power(ONE_STEP[0], 2**127, M1), power(ONE_STEP[1], 2**127, M2)) == FAR_APART
    second = 3692455944, 1366884236, 2968912127, 335948734, 4161675175, 475798818
    assert applied(FAR_APART, [12345] * 6) == second
    assert MRG32k3a().jumped(2**127).words == second


def test_the_components_are_its_recurrences() -> None:
    generator = MRG32k3a([1, 2, 3, 4, 5, 6])
    first, second = generator.components
    assert first == LinearRecurrence([0, 1403580, M1 - 810728], [1, 2, 3], M1)
    assert second == LinearRecurrence([527612, 0, M2 - 1370589], [4, 5, 6], M2)
    assert (M1, M2) == MODULI
    difference = (first.sequence(500).astype(object) - second.sequence(500)) % M1
    assert generator.sequence(500).tolist() == [x or M1 for x in difference]


def test_the_modulus_stands_for_0() -> None:
    before = MRG32k3a([5, 6, 7, 5, 6, 7])
    same = before.with_state((1, 1, 9, 1, 1, 9))
    assert same.value(same.words) == M1
    assert same.value((1, 1, 0, 1, 1, M2 - 1)) == M1 - M2 + 1
    assert same.value((1, 1, M1 - 1, 1, 1, 0)) == M1 - 1
    assert same.value((1, 1, 10, 1, 1, 9)) == 1
    at_it = same.with_state(same.state_after(same.words, -1))
    assert at_it.sequence(1).tolist() == [M1]
    assert M1 / same.upper_bound < 1


def test_what_there_is_to_say_of_it() -> None:
    generator = MRG32k3a()
    assert (
        generator == MRG32k3a(12345) == MRG32k3a([12345] * 6) == MRG32k3a(np.full(6, 12345)) == MRG32k3a((12345,) * 6)
    )
    assert generator == MRG32k3a(np.int64(12345)) == MRG32k3a(np.array(12345))
    assert generator.state == {"bit_generator": "MRG32k3a", "state": [12345] * 6}
    assert repr(generator) == "MRG32k3a(seed=[12345, 12345, 12345, 12345, 12345, 12345])"
    assert (generator.min_value, generator.upper_bound, generator.modulus) == (1, M1 + 1, M1)
    assert list(generator.word_limits) == [(0, M1 - 1)] * 3 + [(0, M2 - 1)] * 3
    assert generator.dtype == generator.word_dtype == np.uint32
    assert generator.period == (M1**3 - 1) * (M2**3 - 1) // 2


@pytest.mark.parametrize(
    ("seed", "message"),
    [
        (0, "seed must be an integer from 1 to 4294944442, not 0"),
        (-1, "seed must be an integer from 1 to 4294944442, not -1"),
        (M2, "seed must be an integer from 1 to 4294944442, not 4294944443"),
        (np.int64(-5), "seed must be an integer from 1 to 4294944442, not -5"),
        (np.array(0), "seed must be an integer from 1 to 4294944442, not 0"),
        ([], "seed must be 6 integers, three for each recurrence, not 0"),
        ([1] * 5, "seed must be 6 integers, three for each recurrence, not 5"),
        ([1] * 7, "seed must be 6 integers, three for each recurrence, not 7"),
        (np.ones(3, int), "seed must be 6 integers, three for each recurrence, not 3"),
        (
            [0, 0, 0, 1, 1, 1],
            "seed must have an integer other than 0 in its first three, or they stay 0, not [0, 0, 0, 1, 1, 1]",
        ),
        (
            [1, 1, 1, 0, 0, 0],
            "seed must have an integer other than 0 in its last three, or they stay 0, not [1, 1, 1, 0, 0, 0]",
        ),
        ([0] * 6, "seed must have an integer other than 0 in its first three, or they stay 0, not [0, 0, 0, 0, 0, 0]"),
        ([-1, 1, 1, 1, 1, 1], "seed[0] must be an integer from 0 to 4294967086, not -1"),
        ([1, 1, M1, 1, 1, 1], "seed[2] must be an integer from 0 to 4294967086, not 4294967087"),
        ([1, 1, 1, M2, 1, 1], "seed[3] must be an integer from 0 to 4294944442, not 4294944443"),
        ([1, 1, 1, 1, 1, M1 - 1], "seed[5] must be an integer from 0 to 4294944442, not 4294967086"),
        ([1, 1, 1, 1, 1, 2**70], f"seed[5] must be an integer from 0 to 4294944442, not {2**70}"),
    ],
)
def test_out_of_range(seed: Any, message: str) -> None:
    with pytest.raises(ValueError, match="^seed") as raised:
        MRG32k3a(seed)
    assert str(raised.value) == message


@pytest.mark.parametrize("value", [1.0, "1", b"1", None, True, np.bool_(True), 1j, np.float64(1), {1: 2}, {1, 2}])
def test_not_an_integer(value: Any) -> None:
    with pytest.raises(TypeError, match="^seed must be an integer from 1 to 4294944442, not "):
        MRG32k3a(value)
    for i in range(6):
        seed: list[Any] = [1] * 6
        seed[i] = value
        most = (M1, M2)[i // 3] - 1
        with pytest.raises(TypeError, match=rf"^seed\[{i}\] must be an integer from 0 to {most}, not "):
            MRG32k3a(seed)


@pytest.mark.parametrize("seed", [np.ones(6), np.ones((6, 2), int), np.ones((1, 6), int), "123456", [[1] * 6] * 6])
def test_not_six_integers(seed: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="^seed.* must be "):
        MRG32k3a(seed)
