"""Lagged Fibonacci sequences by the recurrence itself, and rows of parameters to try."""

import random
from typing import Any

from hypothesis import strategies as st

from clrng.generators import LaggedFibonacci
from clrng.generators.lagged_fibonacci import OPS

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
    op = draw(st.sampled_from(list(OPS)))
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
