"""A peer: what is measured, after an inspection of its values, whose stream is its own, and may fail alone."""

from collections.abc import Callable, Mapping
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
from harness.common import Results, in_a_line, measure

import clrng
from clrng.measuring.timing import Waiting, Work, pieces, poison

DTYPES: dict[str, np.dtype[Any]] = {
    "raw32": np.dtype(np.uint32),
    "raw64": np.dtype(np.uint64),
    "float32": np.dtype(np.float32),
    "float64": np.dtype(np.float64),
}
"""What a value is, by the kind of values."""

TRIED = 2**16
"""Values looked at in the beginning, in the middle and at the end."""

SIGMAS = 6
"""How far, in standard deviations, the mean of those may be from the middle of their range."""

FEW = 3
"""How many of them may have all bits set, as poison has and one value of 2^32 may."""


class Peer(NamedTuple):
    """What is measured, and what was found of its values.

    Attributes
    ----------
    work : Work
    about : dict
        Plain values: ``bits`` of raw values; ``least`` and ``greatest`` of all floats of a call.
    """

    work: Work
    about: dict[str, Any]


Maker = Callable[[], Peer]


class Guard:
    """A peer's call and its queue, which fail once and then do nothing, so that the others are measured."""

    def __init__(self, work: Work, queue: Waiting) -> None:
        _, self._call, own, self._check = work
        self._queue = own or queue
        self.failure: Exception | None = None

    def _try(self, what: Callable[[], object]) -> None:
        if self.failure is None:
            try:
                what()
            except Exception as error:  # noqa: BLE001  # whatever a peer fails by
                self.failure = error

    def call(self) -> None:
        """Call the peer."""
        self._try(self._call)

    def finish(self) -> None:
        """Wait for it."""
        self._try(self._queue.finish)

    def check(self) -> None:
        """Check the peer, if it can be."""
        if self._check is not None:
            self._try(self._check)


def extremes(out: Any) -> tuple[float, float]:
    """Return the least and the greatest value of an array of the host, of OpenCL or of CuPy."""
    if isinstance(out, cla.Array):
        return float(cla.min(out).get()), float(cla.max(out).get())
    return float(out.min()), float(out.max())


def off_centre(values: npt.NDArray[Any], centre: float, width: float) -> float:
    """Return how many standard deviations the mean of uniform numbers from a range of `width` is from its `centre`."""
    return abs(float(values.mean(dtype=np.float64)) - centre) / width * sqrt(12 * values.size)


def inspect(out: Any, kind: str, bits: int, who: str) -> dict[str, Any]:
    """Return what there is to say of the values in `out`, which was poisoned before they were made.

    Parameters
    ----------
    out : array
        Of the host, of OpenCL or of CuPy, with the dtype of `kind`.
    kind : str
        Of `DTYPES`.
    bits : int
        Raw values are below 2^bits.
    who : str
        Who made them.

    Raises
    ------
    ClrngError
        If some are still poisoned, floats are not within [0, 1], or the mean is not plausible.
    """
    values = np.concatenate([values for _, values in pieces(out, TRIED)])
    words = values.view(f"u{values.itemsize}")
    if np.count_nonzero(words == np.iinfo(words.dtype).max) > FEW:
        raise clrng.ClrngError(f"{who} left values unwritten")
    about: dict[str, Any] = {"bits": bits}
    if DTYPES[kind].kind == "f":
        least, greatest = extremes(out)
        if not 0 <= least <= greatest <= 1:
            raise clrng.ClrngError(f"{who} gave values from {least} to {greatest}, which is not within [0, 1]")
        about = {"least": least, "greatest": greatest}
    width = 2.0 ** about.get("bits", 0)
    off = off_centre(values, width / 2, width)
    if not off <= SIGMAS:
        raise clrng.ClrngError(f"{who} gave values whose mean is off by {off:.1f} standard deviations")
    return about


def into(out: Any, call: Callable[[], object], kind: str, who: str, queue: Waiting, bits: int = 0) -> Peer:
    """Return the peer whose `call` fills `out`, tried once; raise as `inspect` does.

    `bits` are those of a raw value, by default all of its dtype.
    """
    return filled(out, call, queue, lambda: inspect(out, kind, bits or 8 * DTYPES[kind].itemsize, who))


def filled(out: Any, call: Callable[[], object], queue: Waiting, look: Callable[[], dict[str, Any]]) -> Peer:
    """Return the peer whose `call` fills `out`, tried once; `look` says what it finds there, or raises."""

    def checked() -> dict[str, Any]:
        poison(out)
        call()
        queue.finish()
        return look()

    return Peer(Work(out.size, call, queue, checked), checked())


def returned(call: Callable[[], Any], kind: str, who: str, queue: Waiting, bits: int = 0) -> Peer:
    """Return the peer whose `call` returns a new array, tried twice; raise as `inspect` does."""

    def look(out: Any) -> dict[str, Any]:
        if out.dtype != DTYPES[kind]:
            raise clrng.ClrngError(f"{who} gave {out.dtype}, not {DTYPES[kind]}")
        return inspect(out, kind, bits or 8 * DTYPES[kind].itemsize, who)

    return renewed(call, queue, look)


def renewed(call: Callable[[], Any], queue: Waiting, look: Callable[[Any], dict[str, Any]]) -> Peer:
    """Return the peer whose `call` returns a new array, tried twice; `look` says what it finds there, or raises.

    The first array is poisoned and given back, so that the second has its memory, or fresh one of zeros.
    """

    def checked() -> tuple[int, dict[str, Any]]:
        first = call()
        queue.finish()
        poison(first)
        del first
        out = call()
        queue.finish()
        return out.size, look(out)

    values, about = checked()
    return Peer(Work(values, call, queue, checked), about)


def rates_of(
    queue: cl.CommandQueue, results: Results, what: str, peers: Mapping[str, Peer], plain: Work | None, rounds: int
) -> dict[str, dict[str, Any]]:
    """Return what was measured of `peers`, in turns with the plain store if there is one, and found of their values.

    Those that fail on the way are left out, with a line that says so and `what` was measured.
    """
    guards = {name: Guard(peer.work, queue) for name, peer in peers.items()}
    works = {"wall": plain} if plain else {}
    works |= {name: Work(peers[name].work.values, guard.call, guard, guard.check) for name, guard in guards.items()}
    rates = measure(queue, works, rounds, "wall" if plain else None) if works else {}
    for name, guard in guards.items():
        if guard.failure:
            results.skip(f"{name}, {what}", f"failed in the rounds: {in_a_line(guard.failure)}")
            del rates[name]
        else:
            rates[name] |= peers[name].about
    return rates
