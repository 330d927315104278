"""General linear recurrences over Z_m, x_k = c + a_1 x_{k-1} + ... + a_p x_{k-p} mod m."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import gcd
from operator import mul
from typing import Any

import numpy.typing as npt

from clrng import validation
from clrng.generators.base import LARGEST_MODULUS, BitGenerator, Words, all_zero
from clrng.generators.maths.affine import mapped
from clrng.generators.maths.number_theory import is_prime, is_primitive_root
from clrng.generators.maths.polynomials import Polynomial, PowersOfX, powers_of_x
from clrng.validation import shown

LARGEST_ORDER = 64


def argument(key: str) -> str:
    """Return what the constructor calls a key of the state: the same."""
    return key


class LinearRecurrence(BitGenerator):
    """The recurrence x_k = c + a_1 x_{k-1} + ... + a_p x_{k-p} mod m.

    Parameters
    ----------
    coefficients : sequence of int
        a_1, ..., a_p, from 0 to m - 1; the last is not 0. The order p is from 1 to 64.
    state : sequence of int
        x_0, ..., x_{p-1}, from 0 to m - 1. The first value is x_p. They must not all be 0 where the constant is 0,
        unless a_p and m have a factor in common, which may bring states to 0.
    modulus : int
        The modulus m, from 2 to 2^64.
    constant : int, optional
        The constant c, from 0 to m - 1.
    yarn : int, optional
        A primitive root g modulo m, which must be an odd prime: a value is then g^x mod m of the newest word x, or 0
        of 0. By default a value is the newest word itself.

    Raises
    ------
    TypeError
        If an argument is not made of integers.
    ValueError
        If one is out of range, there are not as many words of state as coefficients, or `yarn` is no primitive root.

    Notes
    -----
    Vectors of successive values of a linear recurrence lie on a lattice. Powers g^x, the output of the YARN generators
    of TRNG ("yet another random number"), do not. As g is a primitive root, the powers of all words but 0 are these
    words in another order: every value is as frequent as it was, and the period stays. The state, and so all jumps and
    streams, are those of the linear recurrence.

    A jump of n takes O(p^2 log n): x_n is the combination of x_0, ..., x_{p-1} whose weights are the coefficients of
    x^n modulo the characteristic polynomial. A constant is one more dimension: it multiplies that polynomial by x - 1.

    References
    ----------
    P. Stpiczynski, D. Szalkowski and J. Potiopa, "Parallel GPU-accelerated recursion-based generators of pseudorandom
    numbers", FedCSIS 2012, pp. 571-578, equation (3). D. E. Knuth, The Art of Computer Programming, vol. 2, 3rd ed.,
    section 3.2.2, Addison-Wesley, 1997. H. Bauke and S. Mertens, "Random numbers for large-scale distributed Monte
    Carlo simulations", Physical Review E 75, 066701, 2007, for `yarn`.

    Examples
    --------
    >>> import clrng
    >>> clrng.LinearRecurrence([1, 1], state=[0, 1], modulus=1000).sequence(10).tolist()
    [1, 2, 3, 5, 8, 13, 21, 34, 55, 89]
    >>> clrng.LinearRecurrence([1, 1], state=[0, 1], modulus=101, yarn=2).sequence(10).tolist()
    [2, 4, 8, 32, 54, 11, 89, 70, 69, 83]
    """

    name = "linear_recurrence"

    def __init__(
        self,
        coefficients: Sequence[int],
        state: Sequence[int],
        modulus: int,
        constant: int = 0,
        yarn: int | None = None,
    ) -> None:
        self._set(argument, coefficients=coefficients, state=state, modulus=modulus, constant=constant, yarn=yarn)

    def _set(self, name: Callable[[str], str], **values: Any) -> None:
        m = validation.integer(name("modulus"), values["modulus"], 2, LARGEST_MODULUS)
        c = validation.integer(name("constant"), values["constant"], 0, m - 1)
        coefficients = _integers(name("coefficients"), values["coefficients"], m)
        p = len(coefficients)
        if not 1 <= p <= LARGEST_ORDER:
            raise ValueError(f"{name('coefficients')} must be 1 to {LARGEST_ORDER} integers, not {p}")
        if coefficients[-1] == 0:
            raise ValueError(f"{name('coefficients')}[{p - 1}], the last, must be an integer from 1 to {m - 1}, not 0")
        words = _integers(name("state"), values["state"], m)
        if len(words) != p:
            raise ValueError(f"{name('state')} must be {p} integers, one for each coefficient, not {len(words)}")
        if c == 0 and gcd(coefficients[-1], m) == 1 and not any(words):
            raise ValueError(
                f"{name('state')} must have an integer from 1 to {m - 1} in it, or it stays 0, not {shown(list(words))}"
            )
        yarn = _primitive_root(name("yarn"), values["yarn"], name("modulus"), m)
        powers = jumps(coefficients, c, m)
        self._modulus, self._coefficients, self._constant, self._yarn = m, coefficients, c, yarn
        self._words, self.jumps = words, powers

    def _values(self) -> dict[str, Any]:
        return {
            "coefficients": list(self._coefficients),
            "modulus": self._modulus,
            "constant": self._constant,
            "yarn": self._yarn,
            "state": list(self._words),
        }

    def __repr__(self) -> str:
        constant = f", constant={self._constant}" if self._constant else ""
        yarn = f", yarn={self._yarn}" if self._yarn else ""
        return (
            f"LinearRecurrence({list(self._coefficients)}, state={list(self._words)}, "
            f"modulus={self.modulus}{constant}{yarn})"
        )

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: D102  # as inherited
        terms = [f"{f'{number(a)} ' if a > 1 else ''}x[i - {j}]" for j, a in enumerate(self._coefficients, 1) if a]
        terms += [number(self._constant)] if self._constant else []
        m = number(self._modulus)
        power = f"; a value is {number(self._yarn)}^x[i] mod {m}, or 0 where x[i] is 0" if self._yarn else ""
        return f"x[i] = ({' + '.join(terms)}) mod {m}{power}"

    @property
    def coefficients(self) -> Words:
        """The coefficients a_1, ..., a_p."""
        return self._coefficients

    @property
    def constant(self) -> int:
        """The constant c."""
        return self._constant

    @property
    def yarn(self) -> int | None:
        """The primitive root g of values g^x mod m, or None where a value is x."""
        return self._yarn

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:
        """Return the first of `states` that is all 0, where it would stay so, and what is legal."""
        return None if self._constant or not self.reversible else all_zero(states)

    def has_common_factor(self, words: Words) -> bool:
        """Return whether nothing is added to the sum and all `words` have a factor in common with m."""
        return self._constant == 0 and gcd(self._modulus, *words) > 1

    @property
    def min_value(self) -> int:
        """The least raw value there can be, 0."""
        return 0

    @property
    def upper_bound(self) -> int:
        """The modulus."""
        return self._modulus

    @property
    def reversible(self) -> bool:
        """Whether every state has a single one before it: whether a_p and m have no factor in common."""
        return gcd(self._coefficients[-1], self._modulus) == 1

    @property
    def period(self) -> None:
        """Not known: None."""
        return None

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        total = sum(a * x for a, x in zip(self._coefficients, reversed(words), strict=True))
        return (*words[1:], (total + self._constant) % self._modulus)

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        x = words[-1]
        return pow(self._yarn, x, self._modulus) if self._yarn and x else x

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        if n < 0 and not self.reversible:
            raise ValueError(f"n must be 0 or more, not {n}: last coefficient and modulus have a factor in common")
        if n < 0:
            return self._reversed().state_after(words[::-1], -n)[::-1]
        longer = words if self.jumps.degree == self.order else (*words, self.step(words)[-1])
        return tuple([sum(map(mul, row, longer)) % self._modulus for row in jump_rows(self.jumps, n, self.order)])

    def states_after(self, states: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        if n < 0:
            return self._reversed().states_after(states[:, ::-1], -n)[:, ::-1]
        p, m, rows = self.order, self._modulus, jump_rows(self.jumps, n, self.order)
        if self._constant == 0:
            return mapped(states, rows, [0] * p, m)
        first_new = self._coefficients[::-1]  # x_p is the sum of these times x_0, ..., x_{p-1}, and the constant
        matrix = [[(w + row[p] * a) % m for w, a in zip(row[:p], first_new, strict=True)] for row in rows]
        return mapped(states, matrix, [row[p] * self._constant % m for row in rows], m)

    def _reversed(self) -> "LinearRecurrence":
        """Return the recurrence that goes backwards, from x_k, ..., x_{k-p+1} to x_{k-p}."""
        m, inverse = self._modulus, pow(self._coefficients[-1], -1, self._modulus)
        others = [-a * inverse % m for a in self._coefficients[-2::-1]]
        return LinearRecurrence([*others, inverse], [1] * self.order, modulus=m, constant=-self._constant * inverse % m)


def jumps(coefficients: Sequence[int], constant: int, modulus: int) -> PowersOfX:
    """Return the powers of x modulo the characteristic polynomial, times x - 1 where there is a constant."""
    if constant == 0:
        return powers_of_x(coefficients, modulus)
    longer = [*coefficients, 0]
    shifted = [-1, *coefficients]
    return powers_of_x([a - b for a, b in zip(longer, shifted, strict=True)], modulus)


@lru_cache(maxsize=16)
def jump_rows(jumps: PowersOfX, n: int, order: int) -> list[Polynomial]:
    """Return the weights of x_n, ..., x_{n+order-1}: calls that move a state on by the same `n` share them."""
    rows = [jumps.power(n)]
    for _ in range(order - 1):
        rows.append(jumps.times_x(rows[-1]))
    return rows


def _primitive_root(name: str, value: Any, modulus_name: str, modulus: int) -> int | None:
    """Return `value` if it is a primitive root modulo `modulus`, an odd prime, or None."""
    if value is None:
        return None
    root = validation.integer(name, value, 1, modulus - 1)
    if modulus == 2 or not is_prime(modulus):  # noqa: PLR2004  # the even prime
        raise ValueError(f"{modulus_name} must be an odd prime where {name} is given, not {modulus}")
    if not is_primitive_root(root, modulus):
        raise ValueError(
            f"{name} must be a primitive root modulo {modulus}, whose powers are all of 1 to {modulus - 1}, not {root}"
        )
    return root


def _integers(name: str, values: Any, modulus: int) -> Words:
    validation.sequence(name, values)
    return tuple(validation.integer(f"{name}[{i}]", value, 0, modulus - 1) for i, value in enumerate(values))
