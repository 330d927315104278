"""L'Ecuyer's combined multiple recursive generators MRG32k3a and MRG31k3p."""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.generators import seeding
from clrng.generators.arithmetic import Arithmetic
from clrng.generators.base import BitGenerator, Words, first_bad
from clrng.generators.family import Family, Named
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.linear_recurrence import LinearRecurrence, LinearRecurrenceCode, double_sum, jump_rows
from clrng.generators.parameters import constant
from clrng.opencl.templates import render


class Combined(BitGenerator):
    """What combined multiple recursive generators have in common: two recurrences of order 3 and their difference."""

    parts: ClassVar[tuple[LinearRecurrence, LinearRecurrence]]
    """The two recurrences, in any state."""

    order: int = 6
    min_value = constant(1, "The least raw value there can be, 1.")
    _words_are = ", three for each recurrence"

    def __init__(self, seed: int | Sequence[int] = 12345) -> None:
        if not validation.is_sequence(seed):
            seed = [validation.integer("seed", seed, 1, self.parts[1].modulus - 1)] * 6
        self._set(state=seed)

    @property
    def _modulus(self) -> int:  # type: ignore[override]
        return self.parts[0].modulus

    @property
    def word_limits(self) -> Sequence[tuple[int, int]]:
        """The least and the largest legal value of each word of the state."""
        return [(0, part.modulus - 1) for part in self.parts for _ in range(3)]

    @property
    def upper_bound(self) -> int:
        """m_1 + 1."""
        return self.modulus + 1

    @property
    def period(self) -> int:
        """The number of values before the sequence repeats: (m_1^3 - 1) (m_2^3 - 1) / 2."""
        first, second = (part.modulus**3 - 1 for part in self.parts)
        return first * second // 2

    @property
    def components(self) -> tuple[LinearRecurrence, LinearRecurrence]:
        """The two recurrences, as they stand."""
        first, second = self.parts
        return first.with_state(self._words[:3]), second.with_state(self._words[3:])

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: D102  # as inherited
        halves = (("first", states[:, :3]), ("last", states[:, 3:]))
        legal = "have an integer other than 0 in its {} three, or they stay 0"
        found = (first_bad(~half.any(axis=1), legal.format(which)) for which, half in halves)
        return min(filter(None, found), default=None)

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        first, second = self.parts
        return first.step(words[:3]) + second.step(words[3:])

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        return (words[2] - words[5]) % self._modulus or self._modulus

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        first, second = self.parts
        return first.state_after(words[:3], n) + second.state_after(words[3:], n)

    def states_after(self, states: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        first, second = self.parts
        return np.hstack([first.states_after(states[:, :3], n), second.states_after(states[:, 3:], n)])


def _parts(*both: tuple[Sequence[int], int]) -> tuple[LinearRecurrence, LinearRecurrence]:
    first, second = (LinearRecurrence(coefficients, [1, 1, 1], modulus) for coefficients, modulus in both)
    return first, second


MODULI = 2**32 - 209, 2**32 - 22853


class MRG32k3a(Combined):
    """The combined multiple recursive generator MRG32k3a.

    Two recurrences of order 3, x_n = 1403580 x_{n-2} - 810728 x_{n-3} mod m_1 and
    y_n = 527612 y_{n-1} - 1370589 y_{n-3} mod m_2, with m_1 = 2^32 - 209 and m_2 = 2^32 - 22853. A value is
    x_n - y_n mod m_1, with m_1 in place of 0, and a uniform number is that divided by m_1 + 1. L'Ecuyer's own
    programs, cuRAND and rocRAND have the same definition; float64 is the quotient correctly rounded here, which their
    products with a rounded reciprocal may miss by one in the last place.

    Parameters
    ----------
    seed : int or sequence of 6 int, optional
        x_0, x_1, x_2, each from 0 to m_1 - 1 and not all 0, and y_0, y_1, y_2, each from 0 to m_2 - 1 and not all
        0; a single integer from 1 to m_2 - 1 stands for all six. By default 12345, as in L'Ecuyer's programs.

    Attributes
    ----------
    modulus : int
        m_1, that of the values and of the first three words of the state.

    Notes
    -----
    The period is (m_1^3 - 1) (m_2^3 - 1) / 2, about 2^191.

    References
    ----------
    P. L'Ecuyer, "Good parameters and implementations for combined multiple recursive random number generators",
    Operations Research 47(1), 1999, pp. 159-164.

    Examples
    --------
    >>> import clrng
    >>> clrng.MRG32k3a().sequence(3).tolist()
    [545508589, 1368065410, 1327943761]
    """

    name = "mrg32k3a"
    parts = _parts(
        ((0, 1403580, MODULI[0] - 810728), MODULI[0]),
        ((527612, 0, MODULI[1] - 1370589), MODULI[1]),
    )


class MRG31k3p(Combined):
    """The combined multiple recursive generator MRG31k3p, whose multipliers are sums of two powers of two at most.

    Two recurrences of order 3, x_n = 2^22 x_{n-2} + (2^7 + 1) x_{n-3} mod m_1 and y_n = 2^15 y_{n-1} +
    (2^15 + 1) y_{n-3} mod m_2, with m_1 = 2^31 - 1 and m_2 = 2^31 - 21069. A value is x_n - y_n mod m_1, with m_1 in
    place of 0, and a uniform number is that divided by 2^31.

    Parameters
    ----------
    seed : int or sequence of 6 int, optional
        x_0, x_1, x_2, each from 0 to m_1 - 1 and not all 0, and y_0, y_1, y_2, each from 0 to m_2 - 1 and not all
        0; a single integer from 1 to m_2 - 1 stands for all six. By default 12345.

    Attributes
    ----------
    modulus : int
        m_1, that of the values and of the first three words of the state.

    Notes
    -----
    The period is (m_1^3 - 1) (m_2^3 - 1) / 2, about 2^185.

    References
    ----------
    P. L'Ecuyer and R. Touzin, "Fast combined multiple recursive generators with multipliers of the form
    a = ±2^q ± 2^r", Proceedings of the 2000 Winter Simulation Conference, pp. 683-689.

    Examples
    --------
    >>> import clrng
    >>> clrng.MRG31k3p().sequence(3).tolist()
    [1579097239, 1319000434, 236390836]
    """

    name = "mrg31k3p"
    parts = _parts(((0, 2**22, 2**7 + 1), 2**31 - 1), ((2**15, 0, 2**15 + 1), 2**31 - 21069))


def _mover(recurrence: LinearRecurrence, n: int) -> Callable[[Words], Words]:
    """Return what moves the three words of one recurrence by `n` steps: the products with its rows, written out."""
    ((a, b, c), (d, e, f), (g, h, i)), m = jump_rows(recurrence.jumps, n, recurrence.order), recurrence.modulus

    def moved(words: Words) -> Words:
        x, y, z = words
        return (a * x + b * y + c * z) % m, (d * x + e * y + f * z) % m, (g * x + h * y + i * z) % m

    return moved


class CombinedCode(GeneratorCode):
    """Two linear recurrences and their difference."""

    recurrence: Combined
    fill_strategy = "blocks"
    fastest_first = LinearRecurrenceCode.fastest_first

    def __init__(self, recurrence: BitGenerator, arithmetic: Arithmetic) -> None:
        super().__init__(recurrence, arithmetic)
        self._parts = [LinearRecurrenceCode(part, arithmetic) for part in self.recurrence.components]

    @classmethod
    def why_not(cls, arithmetic: Arithmetic, recurrence: BitGenerator) -> str | None:
        """Return why the mathematics of `arithmetic` is not that of the two recurrences, or None if it is."""
        parts = cast("Combined", recurrence).parts
        return next(filter(None, (LinearRecurrenceCode.why_not(arithmetic, part) for part in parts)), None)

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        first, second = self._parts
        return first.stride(n) + second.stride(n)

    def mover(self, n: int) -> Callable[[Words], Words]:  # noqa: D102  # as inherited
        first, second = (_mover(part, n) for part in self.recurrence.parts)
        return lambda words: first(words[:3]) + second(words[3:])

    @property
    def max_vector_width(self) -> int:  # noqa: D102  # as inherited
        return self._parts[0].max_vector_width

    @property
    def constant_bytes(self) -> int:  # noqa: D102  # as inherited
        return sum(part.constant_bytes for part in self._parts)

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        first, second = self._parts
        x, y = map(double_sum, self.recurrence.parts)
        between = x.half - y.half if self.arithmetic.name == "double" else None  # what residues 0 of both are apart
        values = {**self._common(prefix, width), "weight_words": len(first.stride(0)), "between": between}
        parts = [first.generator(f"{prefix}x_", width), second.generator(f"{prefix}y_", width)]
        return "".join([*parts, render("generators/mrg32k3a.cl.mako", **values)])


FAMILIES = (
    Family(
        generator=MRG32k3a,
        code=CombinedCode,
        title="Linear recurrences",
        arguments={"seed": 12345},
        about="L'Ecuyer's combined multiple recursive generator",
        seeds="1 to 4294944442",
        source="L'Ecuyer 1999",
        helps={"seed": "by default 12345", "state": "six integers, in place of a seed"},
    ),
    Family(
        generator=MRG31k3p,
        code=CombinedCode,
        title="Linear recurrences",
        arguments={"seed": 12345},
        about="L'Ecuyer and Touzin's combined multiple recursive generator of 31 bits",
        seeds="1 to 2147462578",
        source="L'Ecuyer and Touzin 2000",
        helps={"seed": "by default 12345", "state": "six integers, in place of a seed"},
    ),
)


def _of_r(seed: int) -> MRG32k3a:
    return MRG32k3a(list(islice((word for word in seeding.of_r(seed) if word < MODULI[1]), 1, 7)))


NAMED = (
    Named("r_lecuyer_cmrg", "set.seed of R with the kind L'Ecuyer-CMRG; runif() is a value times the float64 nearest "
          "to 1 / (m_1 + 1)", "R 4.2, RNGkind; P. L'Ecuyer, Good parameters and implementations for combined multiple "
          "recursive random number generators, Operations Research 47(1), 1999, pp. 159-164", (0, 2**32 - 1), _of_r),
)  # fmt: skip
"""The combined multiple recursive generators of libraries, seeded as these seed them."""
