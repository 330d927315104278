"""32-bit numbers as the halves of 64-bit values: the low half first, while the other one waits."""

from collections.abc import Callable
from typing import Any, Literal, cast

from clrng.distributions import Transform
from clrng.distributions.transforms.uniform import HALF
from clrng.documented import complete_all
from clrng.generators.base import BitGenerator, Words
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.parameters import constant
from clrng.generators.words import MAKING
from clrng.opencl.templates import render


class Halved(BitGenerator):
    """A bit generator of 64-bit values from which a number of 32 bits takes half a value, as in NumPy.

    The low half is taken first. The other one waits for the next number of 32 bits, however many whole values are
    drawn before that. The last word of the state is the half that waits plus 2^32, or the last one that has waited.
    """

    has_halves = True

    @property
    def has_uint32(self) -> bool:
        """Whether half of a value waits for the next number of 32 bits."""
        return self._words[-1] >= HALF

    @property
    def uinteger(self) -> int:
        """The half of a value that waits or was the last to wait, 0 at first."""
        return self._words[-1] % HALF

    def halves(self) -> "Halves":
        """Return a bit generator of the halves that follow."""
        return Halves(self)

    def taken(self, transform: Transform) -> BitGenerator:  # noqa: D102  # as inherited
        return self.halves() if transform.fits_half else self

    def drawn(self, taken: BitGenerator, count: int) -> None:  # noqa: D102  # as inherited
        self._words = taken.state_after(self._words, count)

    def advance(self, delta: int) -> "Halved":
        """Move on by `delta` values, as if they had been drawn, in O(log abs(delta)); no half waits then, as in NumPy.

        Returns
        -------
        BitGenerator
            This generator itself.

        Examples
        --------
        >>> clrng.PCG64(2026).advance(1).sequence(1)
        array([11804314397344746687], dtype=uint64)
        """
        self._words = (*self.state_after(self._words, self.checked_delta(delta))[:-1], 0)
        return self


complete_all(Halved, MAKING, "advance")


class Halves(BitGenerator):
    """The halves of the values of `whole`, from where that stands; a state has the same words."""

    name = "halves"
    _modulus = 2**64
    _reversible = False
    upper_bound = constant(HALF, "2^32.")

    def __init__(self, whole: Halved) -> None:
        self.whole, self._words = whole, whole.words

    @property
    def parameters(self) -> dict[str, Any]:  # noqa: D102  # as inherited
        return {**self.whole.parameters, "halves": True}

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        if words[-1] >= HALF:
            return (*words[:-1], words[-1] - HALF)
        return self._after(words, 1, waits=True)

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        return self.whole.value(words) % HALF if words[-1] >= HALF else words[-1]

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        if n and words[-1] >= HALF:
            n, words = n - 1, (*words[:-1], words[-1] - HALF)
        return self._after(words, (n + 1) // 2, waits=n % 2 == 1) if n else words

    def _after(self, words: Words, values: int, *, waits: bool) -> Words:
        """Return the words after so many whole values, of which the last one's other half `waits` or was taken."""
        words = self.whole.state_after(words, values)
        return (*words[:-1], HALF * waits + self.whole.value(words) // HALF)


class HalvesCode(GeneratorCode):
    """The halves of the values of another code.

    `leaping`: whether its strides are not of halves, but those of the whole values to the next that is halved.
    """

    recurrence: Halves

    def __init__(self, whole: GeneratorCode, *, leaping: bool = False) -> None:
        super().__init__(cast("Halved", whole.recurrence).halves(), whole.arithmetic)
        self.whole, self.leaping = whole, leaping
        self.word = whole.word
        self.variant = whole.key, leaping
        strategies: dict[str, Literal["halves", "counters"]] = {"strides": "halves", "counters": "counters"}
        self.fill_strategy = strategies.get(whole.fill_strategy, "blocks")

    @property
    def max_vector_width(self) -> int:  # noqa: D102  # as inherited
        return 1

    @property
    def constant_bytes(self) -> int:  # noqa: D102  # as inherited
        return self.whole.constant_bytes

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        return (*self.whole.stride(n // 2), n % 2)

    def mover(self, n: int) -> Callable[[Words], Words]:  # noqa: D102  # as inherited
        after, value = self.recurrence.state_after, self.recurrence.whole.value
        move, waits = self.whole.mover((n + 1) // 2), HALF * (n % 2)

        def moved(words: Words) -> Words:
            if words[-1] >= HALF:
                return after(words, n)
            words = move(words)
            return (*words[:-1], waits + value(words) // HALF)

        return moved

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        values = {
            **self._common(prefix, width),
            "stride_words": len(self.whole.stride(1)),
            "leaping": self.leaping,
        }
        return self.whole.generator(f"{prefix}whole_", width) + render("generators/halves.cl.mako", **values)
