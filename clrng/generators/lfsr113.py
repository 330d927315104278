"""L'Ecuyer's combined Tausworthe generator LFSR113."""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.generators.base import Words
from clrng.generators.binary_recurrence import BinaryRecurrence, BinaryRecurrenceCode
from clrng.generators.family import GSL, Family, Named
from clrng.generators.parameters import constant
from clrng.opencl.templates import render

MASK = 2**32 - 1


class Component(NamedTuple):
    """A component: bits of the recurrence x_i = x_{i-k} + x_{i-k+q} modulo 2, which go on by s at every step."""

    k: int
    q: int
    s: int

    @property
    def least(self) -> int:
        """The least legal word, whose upper k bits are not all 0."""
        return 1 << 32 - self.k


COMPONENTS = Component(31, 6, 18), Component(29, 2, 2), Component(28, 13, 7), Component(25, 3, 13)


class LFSR113(BinaryRecurrence):
    """The combined Tausworthe generator LFSR113.

    Four linear feedback shift registers of 31, 29, 28 and 25 bits, each in the upper bits of a word; a value is the xor
    of the four words.

    Parameters
    ----------
    seed : int or sequence of 4 int, optional
        The four words before the first value, from 2, 8, 16 and 128 to 4294967295; a single integer from 128 stands for
        all four. The lowest 1, 3, 4 and 7 bits of the words have no influence on any value, and are replaced by those
        that the recurrences lead to, which a `state` must have. By default 987654321, as in L'Ecuyer's program.

    Notes
    -----
    The period is (2^31 - 1) (2^29 - 1) (2^28 - 1) (2^25 - 1), about 2^113. A step is linear over GF(2), and a jump
    takes O(log n), as that of `XorShift`.

    References
    ----------
    P. L'Ecuyer, "Tables of maximally equidistributed combined LFSR generators", Mathematics of Computation 68(225),
    1999, pp. 261-269.

    Examples
    --------
    >>> import clrng
    >>> clrng.LFSR113(seed=12345).sequence(3).tolist()
    [3338197162, 227261592, 1979908174]
    """

    name = "lfsr113"
    sample_word = 130
    _modulus = 2**32

    linear_order = 4
    linear_period = prod((1 << component.k) - 1 for component in COMPONENTS)
    state_count = constant(
        linear_period, "How many states there are: of each, the lowest bits of the words follow from the others."
    )
    word_limits = constant(
        tuple((component.least, MASK) for component in COMPONENTS),
        "The least and the largest legal value of each word of the state.",
    )
    _words_are = ", one for each component"

    def __init__(self, seed: int | Sequence[int] = 987654321) -> None:
        if not validation.is_sequence(seed):
            seed = [validation.integer("seed", seed, COMPONENTS[-1].least, MASK)] * 4
        self._words = tuple(map(canonical, self._checked_words("seed", seed), COMPONENTS))

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: ARG002, D102  # as inherited; they are short
        registers = (f"x[i] = x[i - {k}] ⊕ x[i - {k - q}], {s} bits a step" for k, q, s in COMPONENTS)
        return f"four registers of bits: {'; '.join(registers)}"

    def value_formula(self, number: Callable[[int], str] = str) -> str:  # noqa: ARG002, D102  # as inherited
        return "the exclusive or of the four words"

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: D102  # as inherited
        legal = self.made_legal(states)
        for row in np.flatnonzero((states != legal).any(axis=1)):
            return int(row), f"have lowest bits that the recurrence leads to, as {legal[row].tolist()}"
        return None

    def made_legal(self, states: npt.NDArray[Any]) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        return np.stack([canonical(z, component) for z, component in zip(states.T, COMPONENTS, strict=True)], axis=1)

    def linear_step(self, words: Any) -> Any:  # noqa: D102  # as inherited
        found = []
        for z, (k, q, s) in zip(words, COMPONENTS, strict=True):
            b = ((z << q & MASK) ^ z) >> k - s
            found.append(((z >> 32 - k << 32 - k) << s & MASK) ^ b)
        return tuple(found)

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        z1, z2, z3, z4 = words
        return z1 ^ z2 ^ z3 ^ z4


def canonical(z: Any, component: Component) -> Any:
    """Return `z`, or every word of it, with the lowest bits that the recurrence leads to from the upper k ones."""
    k, q, _ = component
    upper = z >> 32 - k << 32 - k
    return upper | ((z << q & MASK) ^ upper) >> k


class LFSR113Code(BinaryRecurrenceCode):
    """Four linear feedback shift registers and their xor."""

    def step(self, values: dict[str, Any]) -> str:  # noqa: D102  # as inherited
        return render("generators/lfsr113.cl.mako", **values, components=COMPONENTS)


FAMILIES = (
    Family(
        generator=LFSR113,
        code=LFSR113Code,
        title="Tausworthe generators",
        arguments={"seed": 987654321},
        about="L'Ecuyer's combined Tausworthe generator",
        seeds="128 to 4294967295",
        source="L'Ecuyer 1999",
        helps={"seed": "by default 987654321", "state": "four integers, in place of a seed"},
    ),
)


def _gsl(seed: int) -> LFSR113:
    """Return what ``taus113_set`` of GSL makes: words, each 69069 times the one before, made legal by additions.

    GSL draws ten values before its first.
    """
    words, word = [], seed
    for component in COMPONENTS:
        word = 69069 * word % 2**32
        word += component.least if word < component.least else 0
        words.append(word)
    return LFSR113(words).advance(10)


NAMED = (
    Named("gsl_taus113", "taus113 of GSL, which is LFSR113; GSL takes 1 for seed 0",
          "P. L'Ecuyer, Tables of maximally equidistributed combined LFSR generators, Mathematics of Computation "
          f"68(225), 1999, pp. 261-269; {GSL}, gsl_rng_taus113", (1, 2**32 - 1), _gsl),
)  # fmt: skip
