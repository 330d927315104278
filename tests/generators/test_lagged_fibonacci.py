"""Lagged Fibonacci generators against textbook loops, their own polynomials, brute force and published values."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clrng.generators import LaggedFibonacci
from clrng.generators.lagged_fibonacci import OPS
from tests.support.lagged_recurrences import Row, made, parameters, walked, walked_back


@given(parameters())
@settings(max_examples=150)
def test_the_sequence_is_the_recurrence(row: Row) -> None:
    generator, p = made(row), max(row[0])
    x = walked(row, 4 * p + 40)
    assert generator.sequence(4 * p + 40).tolist() == x[p:]
    assert generator.words == tuple(row[3])
    words = generator.words
    for n in range(1, 40):
        words = generator.step(words)
        assert words == tuple(x[n : n + p])
        assert generator.value(words) == words[-1]


@given(parameters(), st.data())
@settings(max_examples=150)
def test_jumps_are_steps(row: Row, data: st.DataObject) -> None:
    generator, p = made(row), max(row[0])
    x = walked(row, 7 * p)
    for n in (0, 1, p - 1, p, p + 1, 2 * p, 2 * p + 1, data.draw(st.integers(0, 6 * p)), 6 * p):
        assert generator.state_after(generator.words, n) == tuple(x[n : n + p])
        assert generator.jumped(n).words == tuple(x[n : n + p])
        assert generator.jumped(n).sequence(p).tolist() == x[n + p : n + 2 * p]


@given(parameters(), st.data())
@settings(max_examples=150)
def test_jumps_backwards_solve_for_the_oldest(row: Row, data: st.DataObject) -> None:
    generator, p = made(row), max(row[0])
    x = walked_back(row, 6 * p)
    for n in (1, p - 1, p, p + 1, 2 * p, 2 * p + 1, data.draw(st.integers(1, 6 * p)), 6 * p):
        assert generator.state_after(generator.words, -n) == tuple(x[6 * p - n : 7 * p - n])
    assert walked((*row[:3], x[:p]), 6 * p) == x


@given(parameters(30), st.lists(st.integers(0, 200), min_size=1, max_size=6), st.booleans())
@settings(max_examples=100)
def test_advances_wait_until_somebody_looks(row: Row, deltas: list[int], looking: bool) -> None:
    generator, p, n = made(row), max(row[0]), 0
    x = walked(row, sum(deltas) + 10)
    for delta in deltas:
        n += delta
        assert generator.advance(delta) is generator
        words, ahead = generator.place
        start = n - ahead
        assert words == tuple(x[start : start + p])
        assert ahead == n - start
        if looking:
            assert generator.words == tuple(x[n : n + p])
        assert generator.place == (tuple(row[3]), n)
    other = generator.jumped(5)
    assert other.place == (generator.place[0], generator.place[1] + 5)
    assert other.words == tuple(x[n + 5 : n + 5 + p])
    assert generator.sequence(10).tolist() == x[n + p : n + p + 10]
    assert generator.state["state"] == x[n : n + p]
    assert generator == made((*row[:3], x[n : n + p]))


def term_by_term(row: Row, n: int) -> tuple[int, ...]:
    """Return the words `n` steps on by x^n modulo x^p = c1 x^(p-p1) + c2 x^(p-p2), in Python's integers."""
    (p1, p2), op, m, _ = row
    p = max(p1, p2)
    k = m // 4 if op == "*" and m > 8 else 2 if op in ("*", "xor") else m  # odd words to the power k are 1

    def shifted(f: list[int]) -> list[int]:
        g = [0, *f[:-1]]
        g[p - p1] += f[-1]
        g[p - p2] += -f[-1] if op == "-" else f[-1]
        return [c % k for c in g]

    def times(f: list[int], g: list[int]) -> list[int]:
        total = [0] * p
        for c in reversed(g):
            total = [(t + c * d) % k for t, d in zip(shifted(total), f, strict=True)]
        return total

    weights = [1, *[0] * (p - 1)]
    for bit in f"{n:b}":
        weights = times(weights, weights)
        weights = shifted(weights) if bit == "1" else weights
    return combined(row, weights)


def combined(row: Row, weights: list[int]) -> tuple[int, ...]:
    """Return the words that the weights make of the state and what follows it."""
    _, op, m, words = row
    p = len(words)
    x, found = walked(row, p - 1), []
    for i in range(p):
        pairs = zip(weights, x[i : i + p], strict=True)
        if op in ("+", "-"):
            found.append(sum(weight * word for weight, word in pairs) % m)
        elif op == "*":
            found.append(math.prod(pow(word, weight, m) for weight, word in pairs) % m)
        else:
            total = 0
            for weight, word in pairs:
                total ^= word * (weight % 2)
            found.append(total)
    return tuple(found)


@given(parameters(12), st.integers(0, 2**70))
@settings(max_examples=100)
def test_far_jumps_term_by_term(row: Row, n: int) -> None:
    generator = made(row)
    assert generator.jumped(n).words == term_by_term(row, n)
    assert made((*row[:3], list(term_by_term(row, n)))).state_after(term_by_term(row, n), -n) == generator.words


def packed_weights(lags: tuple[int, int], second: int, bits: int, n: int) -> list[int]:
    """Return x^n modulo x^p = x^(p-p1) + second x^(p-p2) and 2^bits, all coefficients in one integer."""
    p, (p1, p2) = max(lags), lags
    size = (2 * bits + p.bit_length() + 9) // 8 * 8
    slots = int.from_bytes((2**bits - 1).to_bytes(size // 8, "little") * 2 * p, "little")

    def reduced(f: int) -> int:
        f &= slots
        while above := f >> size * p:
            f ^= above << size * p
            f += (above << size * (p - p1)) + (above * (second % 2**bits) << size * (p - p2))
            f &= slots
        return f

    f = 1
    for bit in f"{n:b}":
        f = reduced(f * f)
        f = reduced(f << size) if bit == "1" else f
    packed = f.to_bytes(size // 8 * p, "little")
    return [int.from_bytes(packed[i : i + size // 8], "little") for i in range(0, len(packed), size // 8)]


def far_state(row: Row, n: int) -> list[int]:
    """Return the words `n` steps on, for moduli that are powers of two, with `packed_weights`."""
    lags, op, m, words = row
    p, bits = len(words), (m - 1).bit_length()
    if op == "xor":
        x, total = np.array(walked(row, p - 1), np.uint64), np.zeros(p, np.uint64)
        for i, weight in enumerate(packed_weights(lags, 1, 1, n)):
            total ^= x[i : i + p] if weight else np.uint64(0)
        return [int(word) for word in total]
    if op == "*":
        return list(combined(row, packed_weights(lags, 1, max(bits - 2, 1), n)))
    weights, size = packed_weights(lags, -1 if op == "-" else 1, bits, n), bits // 4 + 4
    packed = [int.from_bytes(b"".join(c.to_bytes(size, "little") for c in f), "little")
              for f in (walked(row, p - 1), weights[::-1])]  # fmt: skip
    sums = (packed[0] * packed[1]).to_bytes(3 * p * size, "little")
    return [int.from_bytes(sums[size * i : size * (i + 1)], "little") % m for i in range(p - 1, 2 * p - 1)]


@given(parameters(60, moduli=st.integers(1, 64).map(lambda bits: 2**bits)), st.integers(0, 2**70))
@settings(max_examples=50)
def test_far_jumps(row: Row, n: int) -> None:
    assert list(made(row).jumped(n).words) == far_state(row, n)


LARGE_ORDERS = [
    ((97, 127), "*", 64, 10**18),
    ((63, 521), "*", 10, 10**6),
    ((418, 1279), "+", 64, 2**80 + 12345),
    ((1279, 418), "-", 32, 3**40),
    ((418, 1279), "xor", 32, 10**30),
    ((2281, 715), "+", 16, 10**12 + 1),
    ((715, 2281), "-", 48, 10**12 + 1),
]


@pytest.mark.parametrize(("lags", "op", "bits", "n"), LARGE_ORDERS)
def test_far_jumps_of_large_orders(lags: tuple[int, int], op: str, bits: int, n: int) -> None:
    generator = LaggedFibonacci(lags, op, bits=bits, seed=n % 2**64)
    row = (lags, op, 2**bits, list(generator.words))
    words = far_state(row, n)
    assert list(generator.jumped(n).words) == words
    assert generator.state_after(tuple(words), -n) == generator.words


@pytest.mark.parametrize("op", ["+", "-"])
def test_far_jumps_modulo_a_part_of_the_modulus(op: str) -> None:
    generator = LaggedFibonacci((55, 24), op, modulus=10**9, seed=1)
    part = [word % 2**9 for word in generator.words]
    for n in (10**15, 2**100 - 1):
        assert [word % 2**9 for word in generator.jumped(n).words] == far_state(((55, 24), op, 2**9, part), n)


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize(("lags", "bits"), [((4187, 9689), 32), ((1279, 418), 64), ((2281, 715), 3)])
def test_large_orders_one_by_one(lags: tuple[int, int], op: str, bits: int) -> None:
    generator, p = LaggedFibonacci(lags, op, bits=bits, seed=5), max(lags)
    x = walked((lags, op, 2**bits, list(generator.words)), 4 * p)
    assert generator.sequence(4 * p).tolist() == x[p:]
    for n in (1, p, 2 * p + 1, 3 * p - 7):
        assert generator.jumped(n).words == tuple(x[n : n + p])
    assert generator.state_after(tuple(x[3 * p - 7 : 4 * p - 7]), 7 - 3 * p) == generator.words


FAR = 10**15
LARGEST = (4187, 9689)


def test_a_far_jump_of_the_largest_xor() -> None:
    generator = LaggedFibonacci(LARGEST, "xor", bits=32, seed=1)
    row = (LARGEST, "xor", 2**32, list(generator.words))
    assert list(generator.jumped(FAR).words) == far_state(row, FAR)


@pytest.mark.slow
@pytest.mark.parametrize("op", ["+", "-"])
def test_a_far_jump_of_the_largest_sum(op: str) -> None:
    """All of it by the weights in one integer, modulo 2 as the xor of the lowest bits, and by two ways."""
    generator = LaggedFibonacci(LARGEST, op, bits=32, seed=2)
    found = generator.jumped(FAR)
    assert list(found.words) == far_state((LARGEST, op, 2**32, list(generator.words)), FAR)
    bits = LaggedFibonacci(LARGEST, "xor", bits=1, state=[word % 2 for word in generator.words])
    assert [word % 2 for word in found.words] == list(bits.jumped(FAR).words)
    halfway = generator.with_state(generator.jumped(3 * 10**14).words)
    assert halfway.jumped(7 * 10**14) == found


def test_a_far_jump_of_the_largest_product() -> None:
    generator = LaggedFibonacci(LARGEST, "*", bits=8, seed=3)
    row = (LARGEST, "*", 2**8, list(generator.words))
    found = generator.jumped(FAR)
    weights = packed_weights(LARGEST, 1, 6, FAR)
    x = walked(row, 10)
    for i in (0, 7):
        word = 1
        for k, weight in enumerate(weights):
            word = word * pow(x[i + k], weight, 2**8) % 2**8
        assert found.words[i] == word
    assert generator.with_state(generator.jumped(FAR - 10**14).words).jumped(10**14) == found
