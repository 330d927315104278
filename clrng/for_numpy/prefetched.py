"""A stream as iterators of Python's numbers, which C code can ask one by one."""

from collections.abc import Iterator
from itertools import chain
from operator import length_hint
from random import Random
from sys import maxsize
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from clrng.arguments import Queue
from clrng.bit_generators import BitGenerator
from clrng.for_numpy.host_values import Kind, kinds
from clrng.generator import Generator

FEWEST, MOST = 2**9, 2**15
"""How many raw values are drawn at a time: few at first, then twice as many each time, up to MOST."""

_other = Random(1)  # noqa: S311  # no secrets
STAND_INS: dict[str, list[Any]] = {
    "uint64": [_other.getrandbits(64) for _ in range(1000)],
    "uint32": [_other.getrandbits(32) for _ in range(1000)],
    "double": [_other.random() for _ in range(1000)],
    "raw": [0] * 1000,
}
"""What is served after an error, to end the call of NumPy whose result the error replaces: numbers that look random, as
loops that reject numbers would not end with a constant."""


class Block:
    """Raw values that were drawn, and what they make.

    Parameters
    ----------
    start : BitGenerator
        Where it stands, `raw` follows.
    raw : ndarray
    generator : Generator
        It draws the values that follow `raw`.
    kinds : dict of str to Kind
        Those of the bit generator.

    Attributes
    ----------
    start, raw, generator, kinds
    lists : dict of (str, int) to list
        Values by their kind and the raw value with which the first begins; made when they are needed first.
    """

    def __init__(
        self, start: BitGenerator, raw: npt.NDArray[Any], generator: Generator, kinds: dict[str, Kind]
    ) -> None:
        self.start, self.raw, self.generator, self.kinds = start, raw, generator, kinds
        self.lists: dict[tuple[str, int], list[Any]] = {}

    def make(self, name: str, first: int) -> list[Any]:
        """Make the list of a kind that begins with raw value number `first`."""
        kind = self.kinds[name]
        count = (len(self.raw) - first) // kind.steps
        made: list[Any] = kind.make(self.raw[first : first + count * kind.steps]).tolist()
        self.lists[name, first] = made
        return made

    def following(self, offset: int) -> "Block":
        """Return a block of the raw values from number `offset` on: what is left of these, and as many again twice."""
        drawn: Any = self.generator.random_raw(min(max(2 * len(self.raw), FEWEST), MOST), out=cast("Any", np.ndarray))
        left = self.raw[offset:]
        raw = np.concatenate([left, drawn]) if left.size else drawn
        return Block(self.start.jumped(offset), raw, self.generator, self.kinds)


Place = tuple[Block, int, int, int, Any]
"""Where a stream stands: a block; of the list of it that is being read, with which raw value it begins, how many raw
values make one of its values, and how many it has; and the iterator of what is left. One assignment changes all."""


def offset_in(place: Place) -> int:
    """Return how many raw values of the block have been read."""
    _, first, steps, length, rest = place
    return first + steps * (length - length_hint(rest))


def _beginning(generator: Generator) -> Place:
    """Return the place where `generator` stands."""
    start = generator.bit_generator.copy()
    return Block(start, np.empty(0, start.dtype), generator, kinds(start)), 0, 1, 0, iter([])


class Prefetched:
    """The stream of a bit generator as an endless iterator for each kind of values, which share the stream.

    C code asks an iterator and runs no Python code until a list is at its end. One list is read at a time. Where
    another kind is asked for, its iterator first looks how far that list was read, and then ends it, so that the
    iterator of the kind before looks here too when it is asked again.

    Errors cannot pass through the C code that asks. They are kept, and after one the iterators go on with other
    numbers; whoever called that code must then ask `settle`.

    Parameters
    ----------
    bits : BitGenerator
        The stream; it stays where it is.
    queue, arithmetic
        As for `Generator`.

    Raises
    ------
    ValueError
        If `bits` has one raw value alone; or as for `Generator`, with its other errors.
    """

    def __init__(self, bits: BitGenerator, queue: Queue | None, arithmetic: str) -> None:
        self._error: BaseException | None = None
        self._served: dict[str, Any] = {}
        self._place = _beginning(Generator(bits.copy(), queue, arithmetic))
        self._arithmetic = arithmetic

    def iterators(self) -> dict[str, Iterator[Any]]:
        """Return the iterators by their kinds; to be called once and not kept here, as they keep this."""
        return {name: chain.from_iterable(self._lists(name)) for name in STAND_INS}

    @property
    def generator(self) -> Generator:
        """What draws the raw values; it stands further on than what was read."""
        return self._place[0].generator

    @property
    def bits(self) -> BitGenerator:
        """A new bit generator that stands behind the last value that was read."""
        return self._place[0].start.jumped(offset_in(self._place))

    def seek(self, bits: BitGenerator) -> None:
        """Go on with the stream of `bits` where it stands; an error, as for a new one, leaves all as it was."""
        place = _beginning(Generator(bits.copy(), self.generator.queue, self._arithmetic))
        for values in self._served.values():
            values.__setstate__(maxsize)
        self._place = place

    def settle(self) -> BaseException | None:
        """Return the error since the last call of this, or None; the stream stands where the error came."""
        error = self._error
        if error is not None:
            self.seek(self.bits)
            self._error = None
        return error

    def _lists(self, name: str) -> Iterator[Iterator[Any]]:
        """Yield iterators of the values of a kind that come next."""
        while True:
            try:
                while True:  # in which Ctrl-C may come at any place, also where it begins again
                    values = self._go_on(name) if self._error is None else self._stand_ins(name)
                    self._served[name] = values
                    yield values
            except GeneratorExit:  # noqa: PERF203  # the loop goes on after an error
                return
            except BaseException as error:  # noqa: BLE001  # that of Ctrl-C too cannot pass through C code
                self._error = error

    def _stand_ins(self, name: str) -> Any:
        """Return an iterator of other numbers; the stream stays where it is."""
        block, *_, before = place = self._place
        self._place = block, offset_in(place), 1, 0, iter([])
        before.__setstate__(maxsize)
        return iter(STAND_INS[name])

    def _go_on(self, name: str) -> Any:
        """Return an iterator of what follows in the stream as values of a kind."""
        block, first, steps, length, before = self._place
        offset = first + steps * (length - length_hint(before))
        steps = block.kinds[name].steps
        if len(block.raw) - offset < steps:
            block, offset = block.following(offset), 0
        first = offset % steps
        values = block.lists.get((name, first))
        if values is None:
            values = block.make(name, first)
        rest: Any = iter(values)
        rest.__setstate__(offset // steps)
        self._place = block, first, steps, len(values), rest
        before.__setstate__(maxsize)
        return rest
