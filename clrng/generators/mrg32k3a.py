"""L'Ecuyer's combined multiple recursive generator MRG32k3a."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.generators.arithmetic import Arithmetic
from clrng.generators.base import BitGenerator, Words, first_bad
from clrng.generators.family import Family
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.linear_recurrence import LinearRecurrence, LinearRecurrenceCode, double_sum, jump_rows
from clrng.generators.parameters import constant
from clrng.opencl.templates import render

MODULI = 2**32 - 209, 2**32 - 22853
COEFFICIENTS = (0, 1403580, MODULI[0] - 810728), (527612, 0, MODULI[1] - 1370589)


class MRG32k3a(BitGenerator):
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
    order: int = 6
    _modulus = MODULI[0]
    word_limits = constant(
        tuple((0, modulus - 1) for modulus in MODULI for _ in range(3)),
        "The least and the largest legal value of each word of the state.",
    )
    min_value = constant(1, "The least raw value there can be, 1.")
    upper_bound = constant(MODULI[0] + 1, "m_1 + 1.")
    period = constant(
        (MODULI[0] ** 3 - 1) * (MODULI[1] ** 3 - 1) // 2,
        "The number of values before the sequence repeats: (m_1^3 - 1) (m_2^3 - 1) / 2, about 2^191.",
    )
    _words_are = ", three for each recurrence"

    def __init__(self, seed: int | Sequence[int] = 12345) -> None:
        if not validation.is_sequence(seed):
            seed = [validation.integer("seed", seed, 1, MODULI[1] - 1)] * 6
        self._set(state=seed)

    @property
    def components(self) -> tuple[LinearRecurrence, LinearRecurrence]:
        """The two recurrences, as they stand."""
        first, second = COMPONENTS
        return first.with_state(self._words[:3]), second.with_state(self._words[3:])

    def bad_states(self, states: npt.NDArray[Any]) -> tuple[int, str] | None:  # noqa: D102  # as inherited
        halves = (("first", states[:, :3]), ("last", states[:, 3:]))
        legal = "have an integer other than 0 in its {} three, or they stay 0"
        found = (first_bad(~half.any(axis=1), legal.format(which)) for which, half in halves)
        return min(filter(None, found), default=None)

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        first, second = COMPONENTS
        return first.step(words[:3]) + second.step(words[3:])

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        return (words[2] - words[5]) % self._modulus or self._modulus

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        first, second = COMPONENTS
        return first.state_after(words[:3], n) + second.state_after(words[3:], n)

    def states_after(self, states: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        first, second = COMPONENTS
        return np.hstack([first.states_after(states[:, :3], n), second.states_after(states[:, 3:], n)])


COMPONENTS = (
    LinearRecurrence(COEFFICIENTS[0], [1, 1, 1], MODULI[0]),
    LinearRecurrence(COEFFICIENTS[1], [1, 1, 1], MODULI[1]),
)
"""The two recurrences, in any state."""


def _mover(recurrence: LinearRecurrence, n: int) -> Callable[[Words], Words]:
    """Return what moves the three words of one recurrence by `n` steps: the products with its rows, written out."""
    ((a, b, c), (d, e, f), (g, h, i)), m = jump_rows(recurrence.jumps, n, recurrence.order), recurrence.modulus

    def moved(words: Words) -> Words:
        x, y, z = words
        return (a * x + b * y + c * z) % m, (d * x + e * y + f * z) % m, (g * x + h * y + i * z) % m

    return moved


class MRG32k3aCode(GeneratorCode):
    """Two linear recurrences and their difference."""

    recurrence: MRG32k3a
    fill_strategy = "blocks"
    fastest_first = LinearRecurrenceCode.fastest_first

    def __init__(self, recurrence: BitGenerator, arithmetic: Arithmetic) -> None:
        super().__init__(recurrence, arithmetic)
        self._parts = [LinearRecurrenceCode(part, arithmetic) for part in self.recurrence.components]

    @classmethod
    def why_not(cls, arithmetic: Arithmetic, recurrence: BitGenerator) -> str | None:  # noqa: ARG003  # it has no parameters
        """Return why the mathematics of `arithmetic` is not that of the two recurrences, or None if it is."""
        return next(filter(None, (LinearRecurrenceCode.why_not(arithmetic, part) for part in COMPONENTS)), None)

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        first, second = self._parts
        return first.stride(n) + second.stride(n)

    def mover(self, n: int) -> Callable[[Words], Words]:  # noqa: D102  # as inherited
        first, second = (_mover(part, n) for part in COMPONENTS)
        return lambda words: first(words[:3]) + second(words[3:])

    @property
    def max_vector_width(self) -> int:  # noqa: D102  # as inherited
        return self._parts[0].max_vector_width

    @property
    def constant_bytes(self) -> int:  # noqa: D102  # as inherited
        return sum(part.constant_bytes for part in self._parts)

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        first, second = self._parts
        x, y = map(double_sum, COMPONENTS)
        between = x.half - y.half if self.arithmetic.name == "double" else None  # what residues 0 of both are apart
        values = {**self._common(prefix, width), "weight_words": len(first.stride(0)), "between": between}
        parts = [first.generator(f"{prefix}x_", width), second.generator(f"{prefix}y_", width)]
        return "".join([*parts, render("generators/mrg32k3a.cl.mako", **values)])


FAMILIES = (
    Family(
        generator=MRG32k3a,
        code=MRG32k3aCode,
        title="Linear recurrences",
        arguments={"seed": 12345},
        about="L'Ecuyer's combined multiple recursive generator",
        seeds="1 to 4294944442",
        source="L'Ecuyer 1999",
        helps={"seed": "by default 12345", "state": "six integers, in place of a seed"},
    ),
)
