"""How lagged Fibonacci generators are seeded."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clrng.generators import LaggedFibonacci
from clrng.generators.lagged_fibonacci import OPS
from tests.support.lagged_recurrences import MODULI

SPLITMIX = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
"""The first values of SplitMix64 from 1234567, as published with it in many libraries."""


def splitmix(seed: int, n: int) -> list[int]:
    """Return `n` values of Vigna's splitmix64.c."""
    mask, x, values = 2**64 - 1, seed, []
    for _ in range(n):
        x = (x + 0x9E3779B97F4A7C15) & mask
        z = x
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        values.append(z ^ (z >> 31))
    return values


def test_seeds_are_splitmix_as_published() -> None:
    assert splitmix(1234567, 5) == SPLITMIX
    words = LaggedFibonacci((2, 5), "+", bits=64, seed=1234567).words
    assert words == tuple(SPLITMIX)  # of which the first is odd
    assert LaggedFibonacci((2, 5), "+", bits=32, seed=1234567).words[1:] == tuple(z >> 32 for z in SPLITMIX[1:])


@given(st.integers(0, 2**64 - 1), MODULI, st.sampled_from(list(OPS)), st.integers(2, 20))
def test_seeds(seed: int, m: int, op: str, p: int) -> None:
    power_of_two = m & (m - 1) == 0
    if op in ("*", "xor") and not power_of_two:
        return
    words = [z * m // 2**64 for z in splitmix(seed, p)]
    if op == "*":
        words = [word + (word % 2 == 0) for word in words]
    elif power_of_two:
        words[0] += words[0] % 2 == 0
    elif not any(words):
        words[0] = 1
    generator = LaggedFibonacci((p, 1), op, modulus=m, seed=seed)
    assert list(generator.words) == words
    assert generator == LaggedFibonacci((p, 1), op, modulus=m, state=words)


def test_a_seed_of_zeros_only() -> None:
    seed = next(seed for seed in range(10**4) if all(z * 3 // 2**64 == 0 for z in splitmix(seed, 4)))
    assert LaggedFibonacci((1, 4), "-", modulus=3, seed=seed).words == (1, 0, 0, 0)


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
def test_the_limits_of_seeds(seed: int) -> None:
    assert LaggedFibonacci((1, 3), "xor", bits=64, seed=seed).words[1:] == tuple(splitmix(seed, 3)[1:])
    as_numpy: Any = np.uint64(seed)
    assert LaggedFibonacci((1, 3), "xor", seed=as_numpy) == LaggedFibonacci((1, 3), "xor", seed=seed)


def test_random_of_glibc() -> None:
    state = [1]
    for _ in range(30):
        state.append(16807 * state[-1] % (2**31 - 1))
    generator = LaggedFibonacci((3, 31), "+", state=[*state[3:], *state[:3]], output=(1, 31))
    values = generator.advance(310).sequence(6)
    assert values.tolist() == [1804289383, 846930886, 1681692777, 1714636915, 1957747793, 424238335]


def ran_start(seed: int) -> list[int]:
    """Return the state of Knuth's ran_array.c (2002) after ran_start."""
    kk, ll, mm = 100, 37, 2**30
    x, ss = [0] * (2 * kk - 1), (seed + 2) & (mm - 2)
    for j in range(kk):
        x[j] = ss
        ss <<= 1
        if ss >= mm:
            ss -= mm - 2
    x[1] += 1
    ss, t = seed & (mm - 1), 69
    while t:
        for j in range(kk - 1, 0, -1):
            x[2 * j], x[2 * j - 1] = x[j], 0
        for j in range(2 * kk - 2, kk - 1, -1):
            x[j - (kk - ll)] = (x[j - (kk - ll)] - x[j]) % mm
            x[j - kk] = (x[j - kk] - x[j]) % mm
        if ss % 2:
            x[1 : kk + 1] = x[:kk]
            x[0] = x[kk]
            x[ll] = (x[ll] - x[kk]) % mm
        if ss:
            ss >>= 1
        else:
            t -= 1
    return [*x[ll:kk], *x[:ll]]


def test_ran_array_of_knuth() -> None:
    """What the program prints to check itself: the first number of block 2010 of 1009, or of block 1010 of 2009."""
    generator = LaggedFibonacci((100, 37), "-", bits=30, state=ran_start(310952)).advance(10 * 199)
    assert generator.jumped(2009 * 1009).words[0] == 995235265
    assert generator.jumped(2009 * 1009 - 100).sequence(1).tolist() == [995235265]
    assert generator.period == (2**100 - 1) * 2**29
