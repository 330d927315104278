"""What moves the words of a state by the same number of steps again and again."""

import pytest

from clrng.generators import BitGenerator
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import code_for
from clrng.generators.halves import HalvesCode
from tests.support.laws import each


@each()
@pytest.mark.parametrize("n", [1, 2, 7])
def test_a_mover_makes_steps(generator: BitGenerator, n: int) -> None:
    code = code_for(generator, ARITHMETICS["integer"])
    for written in [code, HalvesCode(code)] if generator.has_halves else [code]:
        move, words, expected = written.mover(n), generator.words, generator.words
        for _ in range(20):
            words = move(words)
            for _ in range(n):
                expected = written.recurrence.step(expected)
            assert words == expected


@each()
def test_a_mover_goes_far(generator: BitGenerator) -> None:
    move = code_for(generator, ARITHMETICS["integer"]).mover(10**9 + 7)
    assert move(generator.words) == generator.jumped(10**9 + 7).words
