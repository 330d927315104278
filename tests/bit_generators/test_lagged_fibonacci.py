"""Lagged Fibonacci generators against textbook loops, their own polynomials, brute force and published values."""

import math
import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clrng.bit_generators import LaggedFibonacci
from clrng.bit_generators.lagged_fibonacci import OPS
from tests.bit_generators.maths.test_primitive_trinomials import counted

Row = tuple[tuple[int, int], str, int, list[int]]

MODULI = st.one_of(
    st.integers(1, 64).map(lambda bits: 2**bits),
    st.sampled_from([2**64, 2**32, 8, 4, 2]),
    st.sampled_from([2**64 - 59, 10**19, 10**9, 3, 2**32 - 5, 6]),
    st.integers(2, 2**64),
)


def suited(op: str, m: int, words: list[int]) -> list[int]:
    """Return `words` with as little changed as makes a legal state."""
    if op == "*":
        return [word | 1 for word in words]
    if (op != "xor" and m & (m - 1) == 0 and not any(word & 1 for word in words)) or not any(words):
        return [*words[:-1], words[-1] | 1]
    return words


@st.composite
def parameters(draw: st.DrawFn, longest: int = 60, *, moduli: st.SearchStrategy[int] = MODULI) -> Row:
    """Return lags, op, modulus and state, all legal."""
    lags = draw(st.tuples(st.integers(1, longest), st.integers(1, longest)).filter(lambda pair: pair[0] != pair[1]))
    op = draw(st.sampled_from(OPS))
    m = draw(moduli.filter(lambda m: op in ("+", "-") or m & (m - 1) == 0))
    p, source = max(lags), random.Random(draw(st.integers(0, 2**32)))
    words = [source.choice([source.randrange(m), source.randrange(m), 0, m - 1]) for _ in range(p)]
    return lags, op, m, suited(op, m, words)


def made(row: Row, **others: Any) -> LaggedFibonacci:
    """Return the generator of these parameters."""
    lags, op, m, words = row
    return LaggedFibonacci(lags, op, modulus=m, state=words, **others)


def walked(row: Row, n: int) -> list[int]:
    """Return the state and the `n` numbers after it: x_i = x_{i-p1} op x_{i-p2} mod m, one by one."""
    (p1, p2), op, m, words = row
    x = list(words)
    for i in range(len(x), len(x) + n):
        a, b = x[i - p1], x[i - p2]
        if op == "+":
            x.append((a + b) % m)
        elif op == "-":
            x.append((a - b) % m)
        elif op == "*":
            x.append((a * b) % m)
        else:
            x.append(a ^ b)
    return x


def walked_back(row: Row, n: int) -> list[int]:
    """Return the `n` numbers before the state and the state: x_{i-p} solved for, one by one."""
    (p1, p2), op, m, words = row
    p, x = max(p1, p2), list(reversed(words))
    for _ in range(n):
        newest, other = x[len(x) - p], x[len(x) - p + min(p1, p2)]  # x_i and x_{i-q}
        if op == "+":
            x.append((newest - other) % m)
        elif op == "-":
            x.append((newest + other if p1 == p else other - newest) % m)
        elif op == "*":
            x.append(newest * pow(other, -1, m) % m)
        else:
            x.append(newest ^ other)
    return x[::-1]


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


@given(st.integers(0, 2**64 - 1), MODULI, st.sampled_from(OPS), st.integers(2, 20))
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


@pytest.mark.parametrize(("pisano", "m"), [(3, 2), (8, 3), (60, 10), (300, 100), (1500, 1000), (1500000000, 10**9)])
def test_fibonaccis_numbers(pisano: int, m: int) -> None:
    generator = LaggedFibonacci((1, 2), "+", modulus=m, state=[0, 1])
    assert generator.sequence(10).tolist() == [f % m for f in (1, 2, 3, 5, 8, 13, 21, 34, 55, 89)]
    assert generator.jumped(pisano) == generator
    for prime in (2, 3, 5):
        assert pisano % prime or generator.jumped(pisano // prime) != generator


def counted_period(row: Row) -> int:
    """Return after how many steps the state comes back."""
    (p1, p2), op, m, words = row
    step: Any = {
        "+": lambda a, b: (a + b) % m,
        "-": lambda a, b: (a - b) % m,
        "*": lambda a, b: a * b % m,
        "xor": lambda a, b: a ^ b,
    }[op]
    first, x, n = tuple(words), tuple(words), 0
    while n == 0 or x != first:
        x, n = (*x[1:], step(x[-p1], x[-p2])), n + 1
    return n


PAIRS = [(first, second) for first, second in product(range(1, 8), repeat=2) if first != second]


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("lags", PAIRS, ids=str)
def test_periods_by_counting(lags: tuple[int, int], op: str) -> None:
    p = max(lags)
    primitive = p > 2 and counted(p, min(lags))
    for bits in range(1, 6):
        for seed in range(2):
            generator = LaggedFibonacci(lags, op, bits=bits, seed=seed)
            row = (lags, op, 2**bits, list(generator.words))
            fifth = any(word % 8 in (3, 5) for word in generator.words)
            assert (generator.period is not None) == (primitive and (op != "*" or (bits >= 3 and fifth)))
            if generator.period is not None:
                assert generator.period == counted_period(row)


@given(parameters(6, moduli=st.integers(1, 4).map(lambda bits: 2**bits)))
def test_periods_from_any_state(row: Row) -> None:
    period = made(row).period
    assert period is None or period == counted_period(row)
    assert made(row).jumped(3).period == period


@pytest.mark.parametrize(
    ("lags", "op", "size", "period"),
    [
        ((24, 55), "+", {"bits": 32}, (2**55 - 1) * 2**31),
        ((24, 55), "-", {"bits": 64}, (2**55 - 1) * 2**63),
        ((24, 55), "xor", {"bits": 64}, 2**55 - 1),
        ((55, 24), "*", {"bits": 64}, (2**55 - 1) * 2**61),
        ((103, 250), "xor", {"bits": 31}, 2**250 - 1),
        ((5502, 9689), "+", {"bits": 32}, (2**9689 - 1) * 2**31),
        ((5, 17), "+", {"bits": 1}, 2**17 - 1),
        ((1, 2), "+", {"bits": 32}, None),
        ((4, 55), "+", {"bits": 32}, None),
        ((15, 100), "xor", {"bits": 32}, None),
        ((24, 55), "+", {"modulus": 10**9}, None),
        ((24, 55), "+", {"modulus": 2**61 - 1}, None),
        ((5, 17), "*", {"bits": 2}, None),
    ],
)
def test_known_periods(lags: tuple[int, int], op: str, size: dict[str, Any], period: int | None) -> None:
    assert LaggedFibonacci(lags, op, **size, seed=1).period == period


def test_no_period_of_products_without_a_primitive_root() -> None:
    assert LaggedFibonacci((5, 17), "*", bits=8, state=[1] * 16 + [255]).period is None
    assert LaggedFibonacci((5, 17), "*", bits=8, state=[1] * 16 + [251]).period == (2**17 - 1) * 2**5


@given(parameters(9, moduli=st.integers(1, 64).map(lambda bits: 2**bits)), st.data())
def test_outputs_are_some_bits_of_a_word(row: Row, data: st.DataObject) -> None:
    most = (row[2] - 1).bit_length()
    shift = data.draw(st.integers(0, most - 1))
    bits = data.draw(st.integers(1, most - shift))
    generator, p = made(row, output=(shift, bits)), max(row[0])
    values = [x // 2**shift % 2**bits for x in walked(row, 50)[p:]]
    assert generator.sequence(50).tolist() == values
    assert generator.output == (shift, bits)
    assert generator.upper_bound == 2**bits
    assert generator.dtype == (np.uint32 if bits <= 32 else np.uint64)
    assert generator.min_value == int(row[1] == "*" and shift == 0)
    assert all(value >= generator.min_value for value in values)
    assert generator.words == made(row).words


def test_what_there_is_to_say_of_one() -> None:
    generator = LaggedFibonacci((1, 3), "-", modulus=101, state=[4, 5, 6])
    assert (generator.lags, generator.op, generator.modulus, generator.output) == ((1, 3), "-", 101, None)
    assert (generator.words, generator.order, generator.period) == ((4, 5, 6), 3, None)
    assert (generator.min_value, generator.upper_bound, generator.reversible) == (0, 101, True)
    assert generator.word_limits == [(0, 100)] * 3
    assert generator.sequence(4).tolist() == [2, 98, 92, 90]
    assert repr(generator) == "LaggedFibonacci((1, 3), '-', modulus=101, state=[4, 5, 6])"
    assert generator.state == {
        "bit_generator": "LaggedFibonacci",
        "lags": [1, 3],
        "op": "-",
        "modulus": 101,
        "output": None,
        "state": [4, 5, 6],
    }
    odd = LaggedFibonacci((3, 1), "*", bits=4, state=[1, 3, 5], output=(1, 3))
    assert repr(odd) == "LaggedFibonacci((3, 1), '*', modulus=16, state=[1, 3, 5], output=(1, 3))"
    assert (odd.min_value, odd.upper_bound, odd.word_limits) == (0, 8, [(1, 15)] * 3)
    assert LaggedFibonacci((3, 1), "*", bits=4, seed=1).min_value == 1
    assert LaggedFibonacci((3, 1), "+", seed=1).modulus == 2**32
    for kind in (tuple, np.array, lambda v: np.array(v, np.uint64), lambda v: np.array(v, object)):
        same: Any = LaggedFibonacci([np.int8(1), 3], "-", modulus=np.uint8(101), state=kind([4, 5, 6]))  # type: ignore[arg-type]
        assert same == generator
        assert {type(x) for x in (*same.lags, *same.words, same.modulus)} == {int}
    for bits, dtype in ((32, np.uint32), (33, np.uint64), (64, np.uint64), (1, np.uint32)):
        assert LaggedFibonacci((1, 3), "+", bits=bits, seed=1).dtype == dtype


def test_a_long_state_is_cut_short_in_repr() -> None:
    whole = LaggedFibonacci((1, 100), "+", seed=1)
    assert eval(repr(whole)) == whole
    longer = LaggedFibonacci((1, 101), "+", seed=1)
    first, last = longer.words[0], longer.words[-1]
    assert repr(longer) == f"LaggedFibonacci((1, 101), '+', modulus=4294967296, state=[{first}, ..., {last}])"
    with pytest.raises(ValueError, match="^state must be 101 integers, as many as the larger lag, not 3$"):
        eval(repr(longer))


LEGAL: dict[str, Any] = {"lags": (1, 3), "op": "+", "modulus": 16, "state": [4, 5, 6]}
LIMITS, STAYS = "18446744073709551616", "or the lowest bit stays 0"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lags": (0, 3)}, "lags[0] must be an integer from 1 to 65536, not 0"),
        ({"lags": (3, -1)}, "lags[1] must be an integer from 1 to 65536, not -1"),
        ({"lags": (3, 65537)}, "lags[1] must be an integer from 1 to 65536, not 65537"),
        ({"lags": (2**80, 3)}, f"lags[0] must be an integer from 1 to 65536, not {2**80}"),
        ({"lags": (3, 3)}, "lags must be two different integers, not 3 twice"),
        ({"op": "/"}, "op must be one of '+', '-', '*', 'xor', not '/'"),
        ({"op": "XOR"}, "op must be one of '+', '-', '*', 'xor', not 'XOR'"),
        ({"op": ""}, "op must be one of '+', '-', '*', 'xor', not ''"),
        ({"modulus": None, "bits": 0}, "bits must be an integer from 1 to 64, not 0"),
        ({"modulus": None, "bits": 65}, "bits must be an integer from 1 to 64, not 65"),
        ({"modulus": None, "bits": -1}, "bits must be an integer from 1 to 64, not -1"),
        ({"modulus": 1}, f"modulus must be an integer from 2 to {LIMITS}, not 1"),
        ({"modulus": 0}, f"modulus must be an integer from 2 to {LIMITS}, not 0"),
        ({"modulus": -16}, f"modulus must be an integer from 2 to {LIMITS}, not -16"),
        ({"modulus": 2**64 + 1}, f"modulus must be an integer from 2 to {LIMITS}, not {2**64 + 1}"),
        ({"modulus": 10, "op": "*"}, "modulus must be a power of two for '*', not 10"),
        ({"modulus": 10**9, "op": "xor"}, "modulus must be a power of two for 'xor', not 1000000000"),
        ({"state": None}, "state or seed must be given, not neither"),
        ({"state": None, "seed": -1}, "seed must be an integer from 0 to 18446744073709551615, not -1"),
        ({"state": None, "seed": 2**64}, f"seed must be an integer from 0 to 18446744073709551615, not {2**64}"),
        ({"state": [4, 5]}, "state must be 3 integers, as many as the larger lag, not 2"),
        ({"state": []}, "state must be 3 integers, as many as the larger lag, not 0"),
        ({"state": [4, 5, 6, 7]}, "state must be 3 integers, as many as the larger lag, not 4"),
        ({"state": [4, 5, -1]}, "state[2] must be an integer from 0 to 15, not -1"),
        ({"state": [4, 16, -1]}, "state[1] must be an integer from 0 to 15, not 16"),
        ({"state": np.array([4, 16, 5])}, "state[1] must be an integer from 0 to 15, not 16"),
        ({"state": [4, 2**80, 5]}, f"state[1] must be an integer from 0 to 15, not {2**80}"),
        ({"state": [5, 5, 0], "op": "*"}, "state[2] must be an odd integer from 1 to 15 for '*', not 0"),
        ({"state": [5, 4, 6], "op": "*"}, "state[1] must be an odd integer from 1 to 15 for '*', not 4"),
        (
            {"state": [4, 2, 6]},
            f"state must have an odd integer in it for '+' modulo 2^4, {STAYS}, not 3 even ones, the first 4",
        ),
        (
            {"state": [0, 2, 6], "op": "-"},
            f"state must have an odd integer in it for '-' modulo 2^4, {STAYS}, not 3 even ones, the first 0",
        ),
        (
            {"state": [0] * 3, "op": "xor"},
            "state must have an integer from 1 to 15 in it, or it stays 0, not 3 zeros",
        ),
        ({"state": [0] * 3, "modulus": 10}, "state must have an integer from 1 to 9 in it, or it stays 0, not 3 zeros"),
        ({"output": (4, 1)}, "output[0] must be an integer from 0 to 3, not 4"),
        ({"output": (-1, 1)}, "output[0] must be an integer from 0 to 3, not -1"),
        ({"output": (1, 0)}, "output[1] must be an integer from 1 to 3, not 0"),
        ({"output": (1, 4)}, "output[1] must be an integer from 1 to 3, not 4"),
    ],
)
def test_out_of_range(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match="must") as raised:
        LaggedFibonacci(**{**LEGAL, **change})
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lags": 5}, "lags must be a pair of integers, not 5"),
        ({"lags": None}, "lags must be a pair of integers, not None"),
        ({"lags": "13"}, "lags must be a pair of integers, not '13'"),
        ({"lags": {1, 3}}, "lags must be a pair of integers, not {1, 3}"),
        ({"lags": ()}, "lags must be a pair of integers, not ()"),
        ({"lags": [3]}, "lags must be a pair of integers, not [3]"),
        ({"lags": (1, 2, 3)}, "lags must be a pair of integers, not (1, 2, 3)"),
        ({"op": None}, "op must be one of '+', '-', '*', 'xor', not None"),
        ({"op": 5}, "op must be one of '+', '-', '*', 'xor', not 5"),
        ({"op": b"+"}, "op must be one of '+', '-', '*', 'xor', not b'+'"),
        ({"op": ["+"]}, "op must be one of '+', '-', '*', 'xor', not ['+']"),
        ({"bits": 4}, "bits and modulus must not both be given, not 4 and 16"),
        ({"bits": 4, "modulus": "x"}, "bits and modulus must not both be given, not 4 and 'x'"),
        ({"seed": 1}, "state and seed must not both be given, not [4, 5, 6] and 1"),
        (
            {"state": [7] * 10**5, "seed": 1},
            f"state and seed must not both be given, not [{'7, ' * 20}...] and 1",
        ),
        ({"output": 5}, "output must be None or a pair (shift, bits) of integers, not 5"),
        ({"output": (1,)}, "output must be None or a pair (shift, bits) of integers, not (1,)"),
        ({"output": (1, 2, 3)}, "output must be None or a pair (shift, bits) of integers, not (1, 2, 3)"),
        ({"output": "12"}, "output must be None or a pair (shift, bits) of integers, not '12'"),
        ({"state": 5}, "state must be a sequence of integers, not 5"),
        ({"state": "123"}, "state must be a sequence of integers, not '123'"),
        ({"state": {1, 2, 3}}, "state must be a sequence of integers, not {1, 2, 3}"),
        ({"state": [1, [2], 3]}, "state[1] must be an integer from 0 to 15, not [2]"),
    ],
)
def test_of_the_wrong_type(change: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match="must") as raised:
        LaggedFibonacci(**{**LEGAL, **change})
    assert str(raised.value) == message


@pytest.mark.parametrize("value", [5.0, np.float32(5), "5", b"5", True, np.bool_(True), 5j, [5], {5}])
def test_not_an_integer(value: Any) -> None:
    cases = {
        "modulus": ({"modulus": value}, f"2 to {LIMITS}"),
        "bits": ({"modulus": None, "bits": value}, "1 to 64"),
        "seed": ({"state": None, "seed": value}, "0 to 18446744073709551615"),
        "lags[0]": ({"lags": (value, 3)}, "1 to 65536"),
        "lags[1]": ({"lags": [3, value]}, "1 to 65536"),
        "state[0]": ({"state": [value, 5, 6]}, "0 to 15"),
        "state[2]": ({"state": (4, 5, value)}, "0 to 15"),
        "output[0]": ({"output": (value, 1)}, "0 to 3"),
        "output[1]": ({"output": (0, value)}, "1 to 4"),
    }
    for name, (change, limits) in cases.items():
        with pytest.raises(TypeError, match="must be an integer from") as raised:
            LaggedFibonacci(**{**LEGAL, **change})
        assert str(raised.value) == f"{name} must be an integer from {limits}, not {value!r}"


@pytest.mark.parametrize(
    ("op", "change", "message"),
    [
        (
            "+",
            {"state": [4, 2, 6], "output": None},
            "state['state'] must have an odd integer in it for '+' modulo 2^4, ",
        ),
        ("+", {"state": [4, 2, 16]}, "state['state'][2] must be an integer from 0 to 15, not 16"),
        ("+", {"lags": [1, 4]}, "state['state'] must be 4 integers, as many as the larger lag, not 3"),
        ("+", {"lags": [2, 2]}, "state['lags'] must be two different integers, not 2 twice"),
        ("+", {"op": "*"}, "state['state'][0] must be an odd integer from 1 to 15 for '*', not 4"),
        ("+", {"op": "xor", "modulus": 18}, "state['modulus'] must be a power of two for 'xor', not 18"),
        ("+", {"modulus": 4}, "state['output'][1] must be an integer from 1 to 1, not 2"),
        ("+", {"modulus": 4, "output": None}, "state['state'][0] must be an integer from 0 to 3, not 4"),
        ("xor", {"state": [0] * 3}, "state['state'] must have an integer from 1 to 15 in it, or it stays 0, not 3 zer"),
        ("*", {"state": [1, 3, 4]}, "state['state'][2] must be an odd integer from 1 to 15 for '*', not 4"),
    ],
)
def test_a_bad_state_changes_nothing(op: str, change: dict[str, Any], message: str) -> None:
    words = [5, 7, 9] if op == "*" else [4, 5, 6]
    generator = LaggedFibonacci((1, 3), op, bits=4, state=words, output=(1, 2)).advance(0)
    moved = generator.jumped(50)
    for one in (generator, moved):
        before, inside = one.state, dict(vars(one))
        with pytest.raises((TypeError, ValueError), match="must") as raised:
            one.state = {**generator.state, **change}
        assert str(raised.value).startswith(message)
        assert (one.state, vars(one)) == (before, inside)


def test_a_state_takes_over_everything() -> None:
    moving = LaggedFibonacci((1, 3), "+", bits=4, state=[4, 5, 6]).advance(10)
    other = LaggedFibonacci((17, 5), "*", bits=40, seed=1, output=(3, 30)).advance(10**6)
    moving.state = other.state
    assert moving == other
    assert moving.jumped(10**9).words == other.jumped(10**9).words
    assert moving.sequence(50).tolist() == other.sequence(50).tolist()
    assert moving.parameters_version == 1


@pytest.mark.parametrize(
    ("op", "size", "rows", "message"),
    [
        ("+", {"bits": 4}, [[1, 2, 3], [2, 4, 6]], "seeds[1] must have an odd word, or the lowest bit stays 0, not "),
        ("-", {"bits": 64}, [[2**64 - 2] * 3], "seeds[0] must have an odd word, or the lowest bit stays 0, not "),
        ("-", {"modulus": 10}, [[2, 4, 6], [0, 0, 0]], "seeds[1] must not be all 0, which would stay so, not "),
        ("xor", {"bits": 4}, [[2, 4, 6], [1, 0, 0], [0, 0, 0]], "seeds[2] must not be all 0, which would stay so, not"),
        (
            "*",
            {"bits": 4},
            [[1, 3, 5], [1, 3, 6]],
            "seeds[1] must have odd words only, which word 2, 6, is not, not [1, 3, 6]",
        ),
        ("*", {"bits": 4}, [[1, 3, 5], [1, 3, 0]], "seeds[1, 2] must be an integer from 1 to 15, not 0"),
        ("+", {"bits": 4}, [[1, 3, 16]], "seeds[0, 2] must be an integer from 0 to 15, not 16"),
    ],
)
def test_bad_states_of_streams(op: str, size: dict[str, Any], rows: list[list[int]], message: str) -> None:
    generator = LaggedFibonacci((1, 3), op, **size, seed=1)
    for given_rows in (rows, np.array(rows, np.uint64)):
        with pytest.raises(ValueError, match="^seeds") as raised:
            generator.checked_states("seeds", given_rows)
        assert str(raised.value).startswith(message)


def test_the_largest_lags_are_taken() -> None:
    generator = LaggedFibonacci((65536, 65535), "xor", seed=1)
    x = [*generator.words, *generator.sequence(5).tolist()]
    assert x[65536] == x[0] ^ x[1]
    assert x[65540] == x[4] ^ x[5]
    assert generator.jumped(5).words[-5:] == tuple(x[-5:])


def test_looking_at_it_loses_nothing_that_others_do_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    moving = LaggedFibonacci((1, 3), "+", seed=1).advance(100)
    expected, after = moving.jumped(5).words, LaggedFibonacci.state_after

    def slow(self: LaggedFibonacci, words: tuple[int, ...], n: int) -> tuple[int, ...]:
        monkeypatch.undo()
        self.advance(5)  # as another thread might while this one computes
        return after(self, words, n)

    monkeypatch.setattr(LaggedFibonacci, "state_after", slow)
    assert moving.words == LaggedFibonacci((1, 3), "+", seed=1).advance(100).words
    assert moving.words == expected


def test_a_jump_of_many_digits() -> None:
    generator = LaggedFibonacci((1, 3), "xor", bits=1, state=[0, 0, 1])
    assert generator.period == 7
    assert generator.jumped(2**70001).words == generator.jumped(pow(2, 70001, 7)).words
