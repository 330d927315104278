"""States at equal distances of generators that multiply modulo 2^(w r) - 2^(w s) + 1, against Python's integers."""

import random

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest

from clrng.bit_generators.maths.wide_modulus import WideModulus
from clrng.launch.wide_states import WideStates

RANLUX = WideModulus(576, 240)
OTHERS = [WideModulus(w * r, w * s) for w, r, s in ((24, 11, 10), (31, 5, 2), (32, 4, 1), (1, 2, 1))]


def check(queue: cl.CommandQueue, modulus: WideModulus, start: int, multiplier: int, count: int) -> None:
    found = WideStates(queue, modulus).states(start, multiplier, count)
    assert found.shape == (modulus.limbs, count)
    expected, state = [], start
    for _ in range(count):
        expected.append(state)
        state = state * multiplier % modulus.value
    assert modulus.from_limbs(found.get()) == expected


@pytest.mark.parametrize("modulus", [RANLUX, *OTHERS], ids=lambda m: f"{m.top}-{m.middle}")
def test_random_and_extreme_numbers(queue: cl.CommandQueue, modulus: WideModulus) -> None:
    """Products of m - 1, and of numbers whose upper or lower bits are all 1 or 0, are those nearest to every bound."""
    m, digits = modulus.value, random.Random(5)
    special = {0, 1, 2, m - 1, m - 2, m // 2, 1 << modulus.middle, (1 << modulus.middle) - 1, m - (1 << modulus.middle)}
    special |= {1 << modulus.top - 1, *(digits.randrange(m) for _ in range(3))}
    pairs = [(x % m, a % m) for x in special for a in special]
    kernel = WideStates(queue, modulus)
    for start, multiplier in [*digits.sample(pairs, min(len(pairs), 30)), (m - 1, m - 1)]:
        found = modulus.from_limbs(kernel.states(start, multiplier, 4).get())
        assert found == [start * pow(multiplier, i, m) % m for i in range(4)], (start, multiplier)


def test_many_states(queue: cl.CommandQueue) -> None:
    digits = random.Random(6)
    for count in (1, 2, 5, 1000, 1023):
        check(queue, RANLUX, digits.randrange(RANLUX.value), digits.randrange(RANLUX.value), count)


def test_products_that_need_every_fold_and_subtraction(queue: cl.CommandQueue) -> None:
    """Factors are found for products whose last fold leaves m or more, so that m has to be subtracted."""
    digits, m = random.Random(7), RANLUX.value
    kernel = WideStates(queue, RANLUX)
    for remainder in (0, 1, 5, (1 << 240) - 2, (1 << 240) - 1, 1 << 240, m - 1):
        start = digits.randrange(1, m)
        found = RANLUX.from_limbs(kernel.states(start, remainder * pow(start, -1, m) % m, 2).get())
        assert found[1] == remainder


def test_an_array_that_is_given(queue: cl.CommandQueue) -> None:
    out = cla.to_device(queue, np.full((18, 3), 0xAAAAAAAA, np.uint32))
    assert WideStates(queue, RANLUX).states(3, 5, 3, out) is out
    assert RANLUX.from_limbs(out.get()) == [3, 15, 75]


def test_folds_are_counted_from_the_largest_product() -> None:
    """As often as the reduction says, the largest product is folded, and no smaller one has to be folded more often."""
    for modulus in (RANLUX, *OTHERS):
        folds, subtractions = modulus.reduction
        digits = random.Random(8)
        numbers = [
            (modulus.value - 1) ** 2,
            *(digits.randrange(modulus.value) * digits.randrange(modulus.value) for _ in range(200)),
        ]
        for number in numbers:
            folded = number
            for _ in range(folds):
                folded = folded % (1 << modulus.top) + (folded >> modulus.top) * ((1 << modulus.middle) - 1)
            assert folded % modulus.value == number % modulus.value
            assert folded // modulus.value <= subtractions
