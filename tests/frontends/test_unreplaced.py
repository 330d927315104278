"""choice without replacement, compared with the textbook's loop and with exact weighted keys; and along axes."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import perm
from typing import Any

import mpmath
import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.frontends.permutations import exponentials, first_seen
from clrng.opencl.arrays import upload
from tests.conftest import make_queue
from tests.support.orders import order

BITS = clrng.ParkMiller(seed=1)
M = 2**31 - 2
P = [0.5, 0.0, 0.25, 0.125, 0.125]
CHI_SQUARE = {12: 60.0}
"""What chi-square with 11 degrees exceeds with a probability of 1e-8."""


def textbook(bits: clrng.BitGenerator, n: int, count: int) -> list[int]:
    """Draw integers below n of two digits, pass over those that came before, and leave `bits` behind the last one."""
    seen: list[int] = []
    while len(seen) < count:
        high, low = (int(value) - 1 for value in bits.sequence(2))
        bits.advance(2)
        drawn = (high * M + low) * n // M**2
        if drawn not in seen:
            seen.append(drawn)
    return seen


def test_few_of_many(queue: cl.CommandQueue) -> None:
    rng, bits = clrng.Generator(BITS.copy(), queue), BITS.copy()
    for n, count in ((100, 12), (8, 1), (800, 100), (10**6, 40), (17, 2), (9, 0)):
        assert rng.choice(n, count, replace=False).get().tolist() == textbook(bits, n, count)
        assert rng.bit_generator == bits


@pytest.mark.parametrize("dtype", ["int64", "uint64", "int32", "uint32"])
@pytest.mark.parametrize(("count", "most"), [(0, 10), (1000, 1200), (20_000, 30_000), (20_000, 10**6)])
def test_the_first_different_ones(queue: cl.CommandQueue, count: int, most: int, dtype: str) -> None:
    values = np.random.default_rng(1).integers(0, most, 200_000, np.uint64)
    seen = list(dict.fromkeys(values.tolist()))[:count]
    found = cla.zeros(queue, count + 3, dtype)
    used = first_seen(queue, count, found[3:], lambda n: upload(queue, values[:n]))
    assert found.get().tolist() == [0, 0, 0, *seen]
    assert used == (values.tolist().index(seen[-1]) + 1 if seen else 0)


def test_many_of_very_many(queue: cl.CommandQueue) -> None:
    rng, bits = clrng.Generator(BITS.copy(), queue), BITS.copy()
    n, count = 150_000, 15_000
    digits = np.array(bits.sequence(4 * count), object) - 1
    drawn = ((digits[::2] * M + digits[1::2]) * n // M**2).tolist()
    wanted = list(dict.fromkeys(drawn))[:count]
    bits.advance(2 * (drawn.index(wanted[-1]) + 1))
    out = np.empty((3, 5000), np.int32)
    assert rng.choice(n, replace=False, out=out) is out
    assert out.ravel().tolist() == wanted
    assert rng.bit_generator == bits


@pytest.mark.parametrize(("n", "count"), [(3000, 50), (2**20, 20_000)])
def test_more_than_a_short_period_has(queue: cl.CommandQueue, n: int, count: int) -> None:
    bits = clrng.LCG(2, 0, 101, seed=100)  # 100 values, and then again
    rng = clrng.Generator(bits.copy(), queue)
    with pytest.raises(ValueError, match=f"different integers, not {count}: .* its period is short"):
        rng.choice(n, count, replace=False)
    assert rng.bit_generator == bits


def test_many_of_few(queue: cl.CommandQueue) -> None:
    rng, bits = clrng.Generator(BITS.copy(), queue), BITS.copy()
    for n, size in ((7, 1), (15, (2, 3)), (100, 13), (100, 100), (1, ())):
        got = rng.choice(n, size, False, None, 0, False)
        assert got.dtype == np.int64
        assert_array_equal(got.get(), order(bits, n)[: int(np.prod(size))].reshape(size))
        assert rng.bit_generator == bits


def weighted(bits: clrng.BitGenerator, p: list[float], count: int) -> list[int]:
    """Return the `count` indices of the least waiting times, to 60 digits."""
    raw = [int(value) - 1 for value in bits.sequence(2 * len(p))]
    bits.advance(2 * len(p))
    with mpmath.workdps(60):
        tops = [Fraction(2 * (high * M + low) + 1, 2 * M**2) for high, low in zip(raw[::2], raw[1::2], strict=True)]
        waits = {i: -mpmath.log1p(-mpmath.mpf(u.numerator) / u.denominator) / p[i] for i, u in enumerate(tops) if p[i]}
    return sorted(waits, key=waits.__getitem__)[:count]


def test_weights(queue: cl.CommandQueue) -> None:
    rng, bits = clrng.Generator(BITS.copy(), queue), BITS.copy()
    many = (np.arange(300.0) / np.arange(300).sum()).tolist()
    tiny = [1 - 2.0**-1000, 2.0**-1000, 5e-324, 0.0]
    for p, count in ((P, 4), (P, 1), (many, 299), (many, 5), (tiny, 3), ([1.0], 1)):
        assert rng.choice(len(p), count, replace=False, p=p).get().tolist() == weighted(bits, p, count)
        assert rng.bit_generator == bits


def test_weights_are_those_of_what_is_left() -> None:
    rng, times = clrng.Generator(clrng.MRG32k3a(7), make_queue(0)), 800
    drawn = Counter(tuple(rng.choice(5, 2, replace=False, p=P).get().tolist()) for _ in range(times))
    expected = {(i, j): times * P[i] * P[j] / (1 - P[i]) for i, j in permutations((0, 2, 3, 4), 2)}
    assert set(drawn) == set(expected)
    assert sum((drawn[pair] - count) ** 2 / count for pair, count in expected.items()) < CHI_SQUARE[len(expected)]


def test_exponentials_at_the_ends() -> None:
    digits = np.array([[0, 0], [M - 1, M - 1], [0, 1], [M // 2, 0]], np.uint64)
    found = exponentials(digits, M)
    with mpmath.workdps(40):
        for row, value in zip(digits.tolist(), found.tolist(), strict=True):
            u = mpmath.mpf(2 * (row[0] * M + row[1]) + 1) / (2 * M**2)
            assert abs(value / -mpmath.log1p(-u) - 1) < 2 * 2.0**-52
    assert exponentials(np.array([[2**64 - 1]], np.uint64), 2**64)[0] == pytest.approx(65 * np.log(2))


def test_arrays_along_axes(queue: cl.CommandQueue) -> None:
    host = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
    on_device = cla.to_device(queue, host)
    for a in (host, on_device, host.tolist()):
        for axis, size in ((0, 2), (1, (2, 2)), (-1, ())):
            rng, other = (clrng.Generator(BITS.copy(), queue) for _ in range(2))
            for replace in (True, False):
                places = other.choice(host.shape[axis], size, replace).get()
                got = rng.choice(a, size, replace, None, axis).get()
                assert_array_equal(got, np.take(host, places, axis))
                assert rng.bit_generator == other.bit_generator


def test_where_results_go(queue: cl.CommandQueue) -> None:
    rng, bits = clrng.Generator(BITS.copy(), queue), BITS.copy()
    whole: Any = cla.zeros(queue, (4, 6), np.uint16)
    out = whole[::2, ::3]
    assert rng.choice(5, replace=False, out=out) is out
    assert_array_equal(whole.get()[::2, ::3], order(bits, 5)[:4].reshape(2, 2))
    part = np.zeros((3, 4), np.int32)
    rng.choice(200, 3, replace=False, out=part[:, 1])
    assert part[:, 1].tolist() == textbook(bits, 200, 3)
    made: Any = rng.choice(4, (2, 2), replace=False, dtype="int8", out=np.ndarray)
    assert type(made) is np.ndarray
    assert made.dtype == np.int8
    assert_array_equal(made.ravel(), order(bits, 4))
    assert rng.bit_generator == bits


REFUSED = {
    "more than there are": ({"a": 3, "size": 4}, "size must be at most the 3 of a"),
    "too few probabilities": ({"a": 3, "size": 3, "p": [0.5, 0.5, 0.0]}, "p must have at least 3 probabilities above"),
    "p of another length": ({"a": 3, "size": 1, "p": [0.5, 0.5]}, "p must be 3 probabilities"),
    "negative p": ({"a": 2, "size": 1, "p": [1.5, -0.5]}, r"p\[0\] must"),
    "p of another sum": ({"a": 2, "size": 1, "p": [0.5, 0.25]}, "p must be .* whose sum is 1"),
    "an axis that there is not": ({"a": [[1, 2]], "size": 1, "axis": 2}, "axis must be an integer from -2 to 1"),
    "too short a dtype": ({"a": 1000, "size": 1, "dtype": "int8"}, "dtype must hold 999"),
    "no dtype of integers": ({"a": 1000, "size": 1, "dtype": "float32"}, "dtype must be"),
    "too many to sort": ({"a": 2**33, "size": 2**32}, "a must be at most 2147483648 where"),
    "out of another shape": ({"a": 9, "size": 2, "out": np.zeros(3, int)}, "out must have shape"),
    "out that is read-only": (
        {"a": 9, "out": np.broadcast_to(np.zeros(1, int), 1)},
        "out must be an array that may be",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_arguments_are_refused_before_anything_moves(name: str) -> None:
    arguments, message = REFUSED[name]
    rng = clrng.Generator(BITS.copy(), make_queue(0))
    with pytest.raises(ValueError, match=f"^{message}"):
        rng.choice(**arguments, replace=False)
    assert rng.bit_generator == BITS


def test_pairs_of_few_are_as_likely() -> None:
    """All ordered triples of 24 are drawn with replacement, and those of the first are counted by their parts."""
    rng, times = clrng.Generator(BITS.copy(), make_queue(0)), 1200
    drawn = Counter(tuple((rng.choice(24, 2, replace=False).get() // 6).tolist()) for _ in range(times))
    within, across = Fraction(6 * 5, perm(24, 2)), Fraction(6 * 6, perm(24, 2))
    excess = sum(
        (drawn[i, j] - times * float(within if i == j else across)) ** 2 / (times * float(within if i == j else across))
        for i in range(4)
        for j in range(4)
    )
    assert excess < 70  # 15 degrees: with a probability of 5e-9
