"""Linear recurrences against plain loops, matrices, congruential generators and published values."""

from collections import deque
from itertools import accumulate, repeat
from math import gcd
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clrng.generators import LCG, LinearRecurrence

MODULI = st.one_of(st.integers(2, 2**64), st.integers(2, 30), st.sampled_from([2**64, 2**64 - 59, 2**31 - 1, 10**19]))
Row = tuple[list[int], list[int], int, int]


@st.composite
def parameters(draw: st.DrawFn, longest: int = 6) -> Row:
    """Return coefficients, state, modulus and constant, all legal."""
    m, p = draw(MODULI), draw(st.integers(1, longest))
    numbers = st.one_of(st.integers(0, m - 1), st.just(0), st.just(m - 1))
    coefficients = [*draw(st.lists(numbers, min_size=p - 1, max_size=p - 1)), draw(st.integers(1, m - 1))]
    constant = draw(st.one_of(st.just(0), st.integers(0, m - 1)))
    state = draw(st.lists(numbers, min_size=p, max_size=p))
    return coefficients, state if any(state) or constant else [*state[1:], 1], m, constant


def walked(coefficients: list[int], state: list[int], m: int, constant: int, n: int) -> list[int]:
    """Return the `n` numbers after `state`, one by one."""
    last, values = deque(reversed(state)), []
    for _ in range(n):
        x = constant
        for j, a in enumerate(coefficients):
            x += a * last[j]
        last.appendleft(x % m)
        last.pop()
        values.append(x % m)
    return values


def companion_power(coefficients: list[int], m: int, constant: int, n: int) -> Any:
    """Return the matrix of `n` steps on the column of x_0, ..., x_{p-1} and 1, of Python's integers."""
    p = len(coefficients)
    step = np.zeros((p + 1, p + 1), object)
    for i in range(p - 1):
        step[i, i + 1] = 1
    step[p - 1, :p] = coefficients[::-1]
    step[p - 1, p], step[p, p] = constant, 1
    result = np.eye(p + 1, dtype=int).astype(object)
    while n:
        if n & 1:
            result = result @ step % m
        step, n = step @ step % m, n >> 1
    return result


@given(parameters())
def test_the_sequence_is_the_recurrence(row: Row) -> None:
    coefficients, state, m, constant = row
    generator = LinearRecurrence(coefficients, state, m, constant)
    values = walked(*row, 60)
    assert generator.sequence(60).tolist() == values
    for n in range(30):
        assert generator.jumped(n).words == tuple([*state, *values][n : n + len(state)])


@given(parameters(), st.integers(0, 2**200))
@settings(max_examples=60)
def test_a_jump_is_a_power_of_the_companion_matrix(row: Row, n: int) -> None:
    coefficients, state, m, constant = row
    *expected, one = companion_power(coefficients, m, constant, n) @ np.array([*state, 1], object) % m
    assert LinearRecurrence(coefficients, state, m, constant).jumped(n).words == tuple(expected)
    assert one == 1


@pytest.mark.parametrize("order", [16, 33, 64])
@pytest.mark.parametrize("constant", [0, 12345])
@pytest.mark.parametrize("modulus", [2, 2**31 - 1, 2**64])
def test_large_orders(order: int, constant: int, modulus: int) -> None:
    coefficients = [pow(3, 5 * j + 40, modulus) for j in range(order - 1)] + [modulus - 1]
    state = [pow(7, 11 * j + 20, modulus) for j in range(order)]
    generator = LinearRecurrence(coefficients, state, modulus, constant % modulus)
    values = walked(coefficients, state, modulus, constant % modulus, 1000)
    assert generator.sequence(1000).tolist() == values
    assert generator.jumped(1000).words == tuple(values[-order:])
    n = 10**6 + 1
    *expected, _ = companion_power(coefficients, modulus, constant % modulus, n) @ np.array([*state, 1], object)
    assert generator.jumped(n).words == tuple(x % modulus for x in expected)
    assert generator.state_after(generator.jumped(n).words, -n) == generator.words


@given(parameters())
def test_backwards_solves_for_the_oldest(row: Row) -> None:
    coefficients, state, m, constant = row
    generator = LinearRecurrence(coefficients, state, m, constant)
    assert generator.reversible == (gcd(coefficients[-1], m) == 1)
    if not generator.reversible:
        with pytest.raises(ValueError, match="n must be 0 or more.* have a factor in common"):
            generator.state_after(generator.words, -1)
        return
    *newer, last = coefficients
    x = state[-1] - constant - sum(a * word for a, word in zip(newer, state[-2::-1], strict=True))
    assert generator.state_after(generator.words, -1) == (x * pow(last, -1, m) % m, *state[:-1])


@given(MODULI, st.data())
def test_order_1_is_congruential(m: int, data: st.DataObject) -> None:
    a, c = data.draw(st.integers(1, m - 1)), data.draw(st.integers(0, m - 1))
    seed, n = data.draw(st.integers(int(c == 0), m - 1)), data.draw(st.integers(0, 2**100))
    linear, congruential = LinearRecurrence([a], [seed], m, c), LCG(a, c, m, seed)
    assert linear.sequence(20).tolist() == congruential.sequence(20).tolist()
    assert linear.jumped(n).words == congruential.jumped(n).words
    assert linear.reversible == congruential.reversible
    if linear.reversible:
        assert linear.state_after((seed,), -n) == congruential.state_after((seed,), -n)


@given(MODULI, st.data())
def test_a_congruential_generator_without_its_increment(m: int, data: st.DataObject) -> None:
    """Two neighbouring steps differ by a times the difference before: x'' = (a + 1) x' - a x."""
    a, c = data.draw(st.integers(1, m - 1)), data.draw(st.integers(1, m - 1))
    congruential = LCG(a, c, m, data.draw(st.integers(0, m - 1)))
    first = [congruential.word, congruential.jumped(1).word]
    linear = LinearRecurrence([(a + 1) % m, m - a], first, m)
    assert [*first, *linear.sequence(30).tolist()] == [congruential.word, *congruential.sequence(31).tolist()]


@pytest.mark.parametrize("lag", [1, 2, 5, 31, 64])
@pytest.mark.parametrize(("a", "c", "m"), [(16807, 0, 2**31 - 1), (1664525, 1013904223, 2**32), (25, 7, 10**19)])
def test_every_so_manieth_value_of_a_congruential_generator(lag: int, a: int, c: int, m: int) -> None:
    congruential = LCG(a, c, m, seed=1)
    multiplier, increment = pow(a, lag, m), c * sum(pow(a, i, m) for i in range(lag)) % m
    values = congruential.sequence(lag + 500).tolist()
    linear = LinearRecurrence([0] * (lag - 1) + [multiplier], values[:lag], m, increment)
    assert linear.sequence(500).tolist() == values[lag:]
    assert linear.jumped(10**15).words[0] == congruential.jumped(10**15 + 1).word


def fibonacci(n: int, m: int) -> tuple[int, int]:
    """Return F(n) and F(n + 1) modulo m, by the identities for twice the index."""
    if n == 0:
        return 0, 1 % m
    a, b = fibonacci(n // 2, m)
    even, odd = a * (2 * b - a) % m, (a * a + b * b) % m
    return (odd, (even + odd) % m) if n % 2 else (even, odd)


def test_fibonaccis_numbers() -> None:
    generator = LinearRecurrence([1, 1], [0, 1], 2**64)
    assert generator.sequence(12).tolist() == [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233]
    assert generator.jumped(93).words == (12200160415121876738, 19740274219868223167 % 2**64)
    assert generator.jumped(100).words[0] == 354224848179261915075 % 2**64
    for m in (2, 10, 1000, 10**9 + 7, 2**64):
        for n in (10**18, 2**200 - 1):
            assert LinearRecurrence([1, 1], [0, 1], m).jumped(n).words == fibonacci(n, m)
    assert LinearRecurrence([1, 1], [1, 0], 2**64).jumped(10**18).words[1] == fibonacci(10**18, 2**64)[0]


@pytest.mark.parametrize(("m", "period"), [(2, 3), (3, 8), (10, 60), (100, 300), (1000, 1500), (10**9, 1500000000)])
def test_pisanos_periods(m: int, period: int) -> None:
    generator = LinearRecurrence([1, 1], [0, 1], m)
    assert generator.jumped(period) == generator
    for prime in (2, 3, 5):
        assert period % prime or generator.jumped(period // prime) != generator


@pytest.mark.parametrize(
    ("taps", "order"), [((2, 5), 5), ((1, 15), 15), ((3, 31), 31), ((3, 4, 5, 7), 7), ((1, 63), 63)]
)
def test_primitive_polynomials_modulo_2(taps: tuple[int, ...], order: int) -> None:
    generator = LinearRecurrence([int(j in taps) for j in range(1, order + 1)], [1] + [0] * (order - 1), 2)
    period = 2**order - 1
    assert generator.jumped(period) == generator
    for prime in (3, 5, 7, 31, 73, 127, 151, 337, 92737, 649657, 2147483647):
        assert period % prime or period == prime or generator.jumped(period // prime) != generator
    if order <= 15:
        states = set(accumulate(repeat(0, period - 1), lambda words, _: generator.step(words), initial=generator.words))
        assert len(states) == period


def test_random_of_glibc() -> None:
    state = [1]
    for _ in range(30):
        state.append(16807 * state[-1] % (2**31 - 1))
    generator = LinearRecurrence([0, 0, 1] + [0] * 27 + [1], [*state[3:], *state[:3]], 2**32)
    values = generator.advance(310).sequence(6) >> np.uint32(1)
    assert values.tolist() == [1804289383, 846930886, 1681692777, 1714636915, 1957747793, 424238335]


def test_a_constant_may_have_a_state_of_0() -> None:
    assert LinearRecurrence([1, 1], [0, 0], 1000, constant=1).sequence(8).tolist() == [1, 2, 4, 7, 12, 20, 33, 54]
    assert LinearRecurrence([5], [0], 16, constant=1).sequence(3).tolist() == LCG(5, 1, 16, 0).sequence(3).tolist()


def test_what_there_is_to_say_of_one() -> None:
    generator = LinearRecurrence([1, 2, 3], [4, 5, 6], 101, constant=7)
    assert (generator.coefficients, generator.constant, generator.modulus) == ((1, 2, 3), 7, 101)
    assert (generator.words, generator.order, generator.period) == ((4, 5, 6), 3, None)
    assert (generator.min_value, generator.upper_bound) == (0, 101)
    assert generator.word_limits == [(0, 100)] * 3
    assert repr(generator) == "LinearRecurrence([1, 2, 3], state=[4, 5, 6], modulus=101, constant=7)"
    assert repr(LinearRecurrence([1], [4], 5)) == "LinearRecurrence([1], state=[4], modulus=5)"
    assert generator.state == {
        "bit_generator": "LinearRecurrence",
        "coefficients": [1, 2, 3],
        "modulus": 101,
        "constant": 7,
        "yarn": None,
        "state": [4, 5, 6],
    }
    for kind in (tuple, np.array, lambda v: np.array(v, np.uint64), lambda v: np.array(v, object)):
        same = LinearRecurrence(kind([1, 2, 3]), kind([4, 5, 6]), np.uint8(101), np.int64(7))  # type: ignore[arg-type]
        assert same == generator
        assert {type(x) for x in (*same.coefficients, *same.words, same.modulus, same.constant)} == {int}
    assert (generator.dtype, LinearRecurrence([1], [1], 2**32 + 1).dtype) == (np.uint32, np.uint64)


LEGAL = {"coefficients": [1, 2, 3], "state": [4, 5, 6], "modulus": 101, "constant": 7}
SIXTY_FIVE = {"coefficients": [1] * 65, "state": [1] * 65}


def test_the_largest_order_is_taken() -> None:
    assert LinearRecurrence([1] * 64, [1] * 64, 101).sequence(1).tolist() == [64]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"modulus": 1}, "modulus must be an integer from 2 to 18446744073709551616, not 1"),
        ({"modulus": 0}, "modulus must be an integer from 2 to 18446744073709551616, not 0"),
        ({"modulus": -7}, "modulus must be an integer from 2 to 18446744073709551616, not -7"),
        ({"modulus": 2**64 + 1}, "modulus must be an integer from 2 to 18446744073709551616, not 18446744073709551617"),
        ({"constant": -1}, "constant must be an integer from 0 to 100, not -1"),
        ({"constant": 101}, "constant must be an integer from 0 to 100, not 101"),
        ({"coefficients": [], "state": []}, "coefficients must be 1 to 64 integers, not 0"),
        (SIXTY_FIVE, "coefficients must be 1 to 64 integers, not 65"),
        ({"coefficients": [1, 2, 0]}, "coefficients[2], the last, must be an integer from 1 to 100, not 0"),
        ({"coefficients": [0], "state": [1]}, "coefficients[0], the last, must be an integer from 1 to 100, not 0"),
        ({"coefficients": [1, -2, 3]}, "coefficients[1] must be an integer from 0 to 100, not -2"),
        ({"coefficients": [101, 2, 3]}, "coefficients[0] must be an integer from 0 to 100, not 101"),
        ({"coefficients": [1, 2, 2**80]}, f"coefficients[2] must be an integer from 0 to 100, not {2**80}"),
        ({"state": [4, 5]}, "state must be 3 integers, one for each coefficient, not 2"),
        ({"state": [4, 5, 6, 7]}, "state must be 3 integers, one for each coefficient, not 4"),
        ({"state": []}, "state must be 3 integers, one for each coefficient, not 0"),
        ({"state": [4, 5, -1]}, "state[2] must be an integer from 0 to 100, not -1"),
        ({"state": [4, 101, 6]}, "state[1] must be an integer from 0 to 100, not 101"),
        ({"state": np.array([4, 5, -6])}, "state[2] must be an integer from 0 to 100, not -6"),
        (
            {"state": [0, 0, 0], "constant": 0},
            "state must have an integer from 1 to 100 in it, or it stays 0, not [0, 0, 0]",
        ),
    ],
)
def test_out_of_range(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match="must") as raised:
        LinearRecurrence(**{**LEGAL, **change})
    assert str(raised.value) == message


@pytest.mark.parametrize("value", [5.0, np.float32(5), "5", b"5", None, True, np.bool_(True), 5j, {5}])
def test_not_an_integer(value: Any) -> None:
    for name, low in (("modulus", 2), ("constant", 0)):
        with pytest.raises(TypeError, match=f"^{name} must be an integer from {low} to [0-9]+, not ") as raised:
            LinearRecurrence(**{**LEGAL, name: value})
        assert str(raised.value).endswith(f", not {value!r}")
    for name in ("coefficients", "state"):
        with pytest.raises(TypeError, match=f"^{name} must be a sequence of integers, not ") as raised:
            LinearRecurrence(**{**LEGAL, name: value})
        assert str(raised.value).endswith(f", not {value!r}")
        for i in range(3):
            row: list[Any] = [1, 2, 3]
            row[i] = value
            with pytest.raises(TypeError, match=rf"^{name}\[{i}\] must be an integer from 0 to 100, not ") as raised:
                LinearRecurrence(**{**LEGAL, name: row})
            assert str(raised.value).endswith(f", not {value!r}")


@pytest.mark.parametrize("name", ["coefficients", "state"])
@pytest.mark.parametrize(
    "value",
    [
        5,
        "123",
        [[1, 2, 3]] * 3,
        [1, [2], 3],
        [1, (2, 3), 4],
        np.ones((3, 1), int),
        np.ones(3),
        np.array(5),
        {1: 1},
    ],
    ids=str,
)
def test_no_sequence_of_integers(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match=rf"^{name}(\[\d\])? must be "):
        LinearRecurrence(**{**LEGAL, name: value})


@pytest.mark.parametrize("root", [3, 5, 6, 10, 11, 12, 14])
def test_values_of_yarn_are_powers_of_the_words(root: int) -> None:
    generator = LinearRecurrence([1, 1], [1, 2], 17, yarn=root)
    words = walked([1, 1], [1, 2], 17, 0, 200)
    powers = {exponent: pow(root, exponent) % 17 for exponent in range(1, 17)}
    assert 0 in words
    assert sorted(powers.values()) == sorted(powers)  # a value of its own for each word
    assert generator.sequence(200).tolist() == [powers[word] if word else 0 for word in words]
    assert generator.jumped(150).sequence(50).tolist() == generator.sequence(200)[150:].tolist()
    assert generator.jumped(150).jumped(-150) == generator
    assert (generator.yarn, generator.min_value, generator.upper_bound) == (root, 0, 17)
    assert eval(repr(generator)) == generator != LinearRecurrence([1, 1], [1, 2], 17)


def test_values_of_yarn_with_a_constant_and_a_modulus_of_64_bits() -> None:
    m = 2**64 - 59
    generator = LinearRecurrence([m - 5, 7], [m - 1, 3], m, constant=m - 2, yarn=2)
    assert generator.sequence(50).tolist() == [pow(2, x, m) for x in walked([m - 5, 7], [m - 1, 3], m, m - 2, 50)]


@pytest.mark.parametrize("modulus", [3, 5, 7, 101, 257, 1009])
def test_primitive_roots_by_counting_their_powers(modulus: int) -> None:
    for g in range(1, modulus):
        powers = set(accumulate(repeat(g, modulus - 2), lambda x, y: x * y % modulus, initial=1))
        if len(powers) == modulus - 1:
            assert LinearRecurrence([1], [1], modulus, yarn=g).yarn == g
        else:
            with pytest.raises(
                ValueError, match=rf"^yarn must be a primitive root modulo {modulus}, whose powers are .*, not {g}$"
            ):
                LinearRecurrence([1], [1], modulus, yarn=g)


@pytest.mark.parametrize(
    ("modulus", "yarn", "message"),
    [
        (2, 1, "modulus must be an odd prime where yarn is given, not 2"),
        (9, 2, "modulus must be an odd prime where yarn is given, not 9"),
        (2**64, 3, "modulus must be an odd prime where yarn is given, not 18446744073709551616"),
        (101, 0, "yarn must be an integer from 1 to 100, not 0"),
        (101, 101, "yarn must be an integer from 1 to 100, not 101"),
    ],
)
def test_what_yarn_refuses(modulus: int, yarn: int, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        LinearRecurrence([1], [1], modulus, yarn=yarn)
    generator = LinearRecurrence([1], [1], modulus)
    with pytest.raises(ValueError, match="^state\\['(modulus|yarn)'\\] must be .*, not "):
        generator.state = {**generator.state, "yarn": yarn}
    assert generator == LinearRecurrence([1], [1], modulus)


@pytest.mark.parametrize("yarn", [2.0, "2", True, [2]])
def test_yarn_is_an_integer(yarn: Any) -> None:
    with pytest.raises(TypeError, match="^yarn must be an integer from 1 to 100, not "):
        LinearRecurrence([1], [1], 101, yarn=yarn)


def test_the_formula_of_powers_has_the_power() -> None:
    bits = LinearRecurrence([1, 2], state=[0, 1], modulus=101, yarn=2)
    assert bits.formula() == "x[i] = (x[i - 1] + 2 x[i - 2]) mod 101; a value is 2^x[i] mod 101, or 0 where x[i] is 0"
    assert LinearRecurrence([1, 2], state=[0, 1], modulus=101).formula().endswith(" mod 101")
