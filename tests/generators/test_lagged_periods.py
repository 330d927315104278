"""The periods of lagged Fibonacci generators."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clrng.generators import LaggedFibonacci
from clrng.generators.lagged_fibonacci import OPS
from tests.generators.maths.test_primitive_trinomials import counted
from tests.support.lagged_recurrences import Row, made, parameters


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
