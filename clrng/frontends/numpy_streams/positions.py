"""Where a NumPy bit generator stands, as a bit generator of clrng, and back."""

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from typing_extensions import Self

from clrng.errors import UnsupportedError
from clrng.generators import PCG64, PCG64DXSM, Philox, mersenne_twister
from clrng.generators.base import Words

Drawn = TypeVar("Drawn")

BLOCK = 624
"""Words of a block of NumPy's MT19937, and of its state."""


class MT19937(mersenne_twister.MT19937):
    """A Mersenne Twister that knows where it stands in NumPy's blocks, and what `RandomState` has beside it.

    `origin`: the words at a place, how many words of a block were drawn there, and the block's first word as NumPy has
    it, if its lower bits, which have no influence, are others. `gauss`: the normal that waits, or None.
    """

    origin: tuple[Words, int, int | None]
    gauss: float | None = None

    @classmethod
    def of(cls, state: dict[str, Any]) -> Self:
        """Return the one of a state of NumPy."""
        key, position = state["state"]["key"], state["state"]["pos"]
        found = cls.from_block(key.tolist(), position)
        found.origin = found.place[0], BLOCK, int(key[0])
        if state.get("has_gauss"):
            found.gauss = state["gauss"]
        return found

    def for_numpy(self) -> dict[str, Any]:
        """Return the state of NumPy's."""
        known, first = self.origin[1:] if self.origin[0] is self.place[0] else (BLOCK, None)
        drawn = known + self.place[1]
        if first is None or not 0 <= drawn <= BLOCK:
            drawn, first = (drawn - 1) % BLOCK + 1, None
        key = np.array(self.jumped(BLOCK - drawn).words, np.uint32)
        if first is not None:
            key[0] = first
        return {"bit_generator": "MT19937", "state": {"key": key, "pos": drawn}}

    def known_at(self, values: npt.NDArray[np.uint32], steps: int) -> Self:
        """Return one that stands `steps` steps ahead, where these are the last values drawn, one for each word."""
        known = self.origin[1] if self.origin[0] is self.place[0] else BLOCK
        found = self.copy()
        found._words = tuple(untempered(values).tolist())  # noqa: SLF001  # of this class
        found.origin = found.place[0], (known + self.place[1] + steps - 1) % BLOCK + 1, None
        return found


def untempered(values: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Return the words that values were made of."""
    of_low, of_high = _untempered_halves()
    found: npt.NDArray[np.uint32] = of_low[values & np.uint32(0xFFFF)] ^ of_high[values >> np.uint32(16)]
    return found


@cache
def _untempered_halves() -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
    """Return the words of all values whose upper half is 0, or else the lower one: others are exclusive ors of two."""
    of, halves = MT19937.twister, np.arange(2**16, dtype=np.uint32)
    found = np.stack([halves, halves << np.uint32(16)])
    for shift, mask in ((of.l, 2**32 - 1), (-of.t, of.c), (-of.s, of.b), (of.u, of.d)):
        known = found
        for _ in range(32 // abs(shift)):  # each exclusive or of tempering is undone, a few bits at a time
            moved = found >> np.uint32(shift) if shift > 0 else found << np.uint32(-shift)
            found = known ^ moved & np.uint32(mask)
    return found[0], found[1]


KINDS = {"PCG64": PCG64, "PCG64DXSM": PCG64DXSM, "Philox": Philox}
"""The bit generators whose states are NumPy's, by its names."""


def of_numpy(bits: np.random.BitGenerator, name: str = "rng") -> Any:
    """Return the bit generator of clrng that stands where NumPy's, of the argument `name`, does, in mid-value too."""
    state: Any = bits.state
    kind = state["bit_generator"]
    if isinstance(bits, np.random.MT19937):
        found: Any = MT19937.of(state)
    elif kind in KINDS:
        found = KINDS[kind](0)
        found.state = state
    else:
        raise UnsupportedError(f"{name} must be of {', '.join(KINDS)} or MT19937, not of {type(bits).__name__}")
    found._seed_seq = deepcopy(bits.seed_seq)  # noqa: SLF001  # as `seeded` does
    return found


def as_numpy(bits: Any) -> Any:
    """Return NumPy's bit generator that stands where one of clrng does."""
    kind = getattr(np.random, type(bits).__name__)
    made = kind(0 if bits.seed_seq is None else deepcopy(bits.seed_seq))
    if bits.seed_seq is None and hasattr(made, "_legacy_seeding"):
        made._legacy_seeding(0)  # noqa: SLF001  # which takes the seed sequence away, as in RandomState
    made.state = bits.for_numpy() if isinstance(bits, MT19937) else bits.state
    return made


def drawn_by_numpy(bits: Any, draw: Callable[[np.random.Generator], Drawn]) -> tuple[Drawn, Any]:
    """Return what NumPy's generator that stands where one of clrng does draws, and where it stands then."""
    rng = np.random.Generator(as_numpy(bits))
    values, end = draw(rng), of_numpy(rng.bit_generator)
    end._seed_seq = bits.seed_seq  # noqa: SLF001  # which `as_numpy` makes up where there is none
    return values, end
