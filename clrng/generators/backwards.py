"""Xorshift generators whose values are handed out block after block, each backwards, as JavaScript's engine V8 does."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy.typing as npt

from clrng import validation
from clrng.generators.base import BitGenerator, Words
from clrng.generators.family import Family, Named
from clrng.generators.lxm import MURMUR
from clrng.generators.parameters import OUTPUT, Kind, Naming, Parameter
from clrng.generators.splitmix import mixed
from clrng.generators.xorshift import VIGNA, XorShift, XorShiftCode
from clrng.opencl.templates import render

LARGEST_BLOCK = 1024


def _block(name: Naming, key: str, value: Any, _: Any) -> int:
    found = validation.integer(name(key), value, 2, LARGEST_BLOCK)
    if found & (found - 1):
        raise ValueError(f"{name(key)} must be a power of two from 2 to {LARGEST_BLOCK}, not {found}")
    return found


def forward(block: int, place: int, n: int) -> tuple[int, int]:
    """Return by how many steps of the recurrence `n` values lead from a place in a block, and to which place."""
    blocks, back = divmod(n, block)
    ends, after = divmod(place + back, block)
    return block * (blocks + 2 * ends) - back, after


class XorShiftBackwards(XorShift):
    """A xorshift generator whose values come block after block, the last of each block first.

    JavaScript's engine V8 makes 64 numbers of ``Math.random()`` at a time, and then takes them from the end.

    Parameters
    ----------
    lags, shifts : sequence of int
        As for `XorShift`.
    state : sequence of int
        The words that the last value was made of, the oldest first, not all 0, and the place of that value in its
        block, from 0 to block - 1. From the last place on comes the next block.
    bits : int, optional
        The bits of a word, 64, the usual number, or 32.
    block : int, optional
        The values of a block, a power of two from 2 to 1024, by default 64.
    output : pair of int, optional
        The shift and the number of the bits that a value shows of the newest word. By default it shows all.

    See Also
    --------
    clrng.named : ``"v8_math_random"``.

    Notes
    -----
    A step goes back by one step of the recurrence, and after the last place of a block forward by 2 block - 1 of them.
    The period is that of the recurrence times block. A jump takes O(log n), as that of `XorShift`.

    References
    ----------
    V8, ``src/numbers/math-random.cc``.

    Examples
    --------
    >>> import clrng
    >>> rng = clrng.Generator(clrng.named("v8_math_random", 42))  # node --random-seed=42
    >>> (rng.bit_generator.sequence(2) / 2**52).tolist()
    [0.7939112874678715, 0.5254990606499601]
    """

    name = "xorshift_backwards"
    _increment, _scrambler = 0, None

    lags, shifts, bits = XorShift.lags, XorShift.declared["shifts"], XorShift.bits
    block = Parameter("The values of a block.", Kind(_block), usual=64)
    output = Parameter("The shift and the number of the bits that are shown, or None for all.", OUTPUT, usual=None)

    def __init__(
        self,
        lags: Sequence[int],
        shifts: Sequence[int],
        state: Sequence[int],
        bits: int = 64,
        block: int = 64,
        output: tuple[int, int] | None = None,
    ) -> None:
        self._set(lags=lags, shifts=shifts, state=state, bits=bits, block=block, output=output)

    def _derive(self) -> None:
        super()._derive()
        self._least = int(self.linear_order == 1)

    @property
    def _modulus(self) -> int:
        return 1 << self.bits

    @_modulus.setter
    def _modulus(self, _: int) -> None:
        """Leave it to the bits, which are set before `output` is checked."""

    @property
    def order(self) -> int:  # noqa: D102  # as inherited
        return self.linear_order + 1

    @property
    def word_limits(self) -> Sequence[tuple[int, int]]:
        """The least and the largest legal value of each word of the state."""
        return [(self._least, self.modulus - 1)] * self.linear_order + [(0, self.block - 1)]

    @property
    def period(self) -> int:  # noqa: D102  # as inherited
        return self.linear_period * self.block

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        return self.state_after(words, 1)

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        *x, place = words
        steps, place = forward(self.block, place, n)
        return (*self.powers.after(tuple(x), steps % self.linear_period), place)

    def states_after(self, states: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:  # noqa: D102  # as inherited
        return BitGenerator.states_after(self, states, n)

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        return self._shown(words[-2])

    @property
    def min_value(self) -> int:
        """The least raw value there can be."""
        return self._least if self.output is None else 0

    def formula(self, number: Callable[[int], str] = str) -> str:  # noqa: D102  # as inherited
        return f"{super().formula(number)}, {self.block} words at a time, the last of them first"

    def value_formula(self, number: Callable[[int], str] = str) -> str:  # noqa: D102  # as inherited
        return BitGenerator.value_formula(self, number) if self.output else "the newest word"


class XorShiftBackwardsCode(XorShiftCode):
    """A xorshift generator beside a place in a block; a stride also goes on by some places."""

    recurrence: XorShiftBackwards

    @property
    def plain_step(self) -> None:
        """Nothing: a state is more than one word of 32 bits."""

    @property
    def phases(self) -> int:  # type: ignore[override]
        """The steps after which a block ends."""
        return self.recurrence.block

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        recurrence = self.recurrence
        steps, places = forward(recurrence.block, 0, n)
        columns = recurrence.powers.columns(steps % recurrence.linear_period)
        return (*columns.ravel().tolist(), places)

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        recurrence = self.recurrence
        taps = dict(recurrence.taps)
        values = {
            **self._common(prefix, width),
            "linear": self.linear,
            "folded": self.folded,
            "word_bits": 8 * self.word.itemsize,
            "block": recurrence.block,
            "oldest": taps.pop(self.linear),
            "taps": list(taps.items()),
            "shift": recurrence.output.shift if recurrence.output else 0,
            "shown_bits": recurrence.output.bits if recurrence.output else 8 * self.word.itemsize,
        }
        return super().generator(f"{prefix}whole_", width) + render("generators/backwards.cl.mako", **values)


FAMILIES = (
    Family(
        generator=XorShiftBackwards,
        code=XorShiftBackwardsCode,
        title="Xorshift generators",
        arguments={"lags": [2, 2, 1], "shifts": [23, -17, -26], "state": [1, 2, 63]},
        about="xorshift generators of which values come in blocks, each --block backwards, from --state",
        source="V8",
        helps={
            "lags": "such as 2,2,1",
            "shifts": "as many, such as 23,-17,-26",
            "state": "x_0,x_1,...,place",
            "bits": "32 or 64, by default 64",
            "block": "a power of two, by default 64",
        },
    ),
)


def _v8(seed: int) -> XorShiftBackwards:
    """Return what V8 makes of a seed: the words before the first value of the first block."""
    words = mixed(seed, MURMUR, 64), mixed(seed ^ 2**64 - 1, MURMUR, 64)
    whole = XorShift((2, 2, 1), (23, -17, -26), words, 64).advance(-64)
    return XorShiftBackwards((2, 2, 1), (23, -17, -26), (*whole.words, 63), output=(12, 52))


NAMED = (
    Named("v8_math_random", "Math.random() of V8 as in Node.js 20, started with --random-seed; Generator.random gives "
          "its floats in double precision, and a value is one times 2^52", f"V8 11.3, math-random.cc; {VIGNA}",
          (1, 2**31 - 1), _v8),
)  # fmt: skip
"""Those of libraries."""
