"""A stream as iterators of Python's numbers, which C code can ask one by one."""

from collections.abc import Callable, Iterator
from itertools import chain, cycle, repeat, starmap
from operator import itemgetter, length_hint
from random import Random
from sys import maxsize
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from clrng.frontends.arguments import Queue
from clrng.frontends.for_numpy.host_values import Kind, kinds
from clrng.frontends.generator import Generator
from clrng.generators import BitGenerator

FEWEST, MOST = 2**9, 2**15
"""How many raw values are drawn at a time: few at first, then twice as many each time, up to MOST."""

_other = Random(1)  # noqa: S311  # no secrets


class BrokenOffError(KeyboardInterrupt):
    """Several interrupts have come so fast that one got through to the C code that asked for numbers."""


STAND_INS: dict[str, list[Any]] = {
    "uint64": [_other.getrandbits(64) for _ in range(1000)],
    "uint32": [_other.getrandbits(32) for _ in range(1000)],
    "double": [_other.random() for _ in range(1000)],
    "raw": [0] * 1000,
}
"""What is served after an error of the device, to end the call of NumPy whose result the error replaces: numbers that
look random, as loops that reject numbers would not end with a constant."""


class Block:
    """Raw values that were drawn, and what they make.

    Parameters
    ----------
    start : BitGenerator
        Where it stands, `raw` follows.
    raw : ndarray
    end : BitGenerator
        It stands behind `raw`.
    generator : Generator
        It draws the values that follow `raw`; its own bit generator may be anywhere, as an interrupt may come when it
        has drawn.
    kinds : dict of str to Kind
        Those of the bit generator.

    Attributes
    ----------
    start, raw, end, generator, kinds
    lists : dict of (str, int) to list
        Values by their kind and the raw value with which the first begins; made when they are needed first.
    """

    def __init__(
        self,
        start: BitGenerator,
        raw: npt.NDArray[Any],
        end: BitGenerator,
        generator: Generator,
        kinds: dict[str, Kind],
    ) -> None:
        self.start, self.raw, self.end, self.generator, self.kinds = start, raw, end, generator, kinds
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
        self.generator.bit_generator = end = self.end.copy()
        drawn: Any = self.generator.random_raw(min(max(2 * len(self.raw), FEWEST), MOST), out=cast("Any", np.ndarray))
        left = self.raw[offset:]
        raw = np.concatenate([left, drawn]) if left.size else drawn
        return Block(self.start.jumped(offset), raw, end, self.generator, self.kinds)


Place = list[Any]
"""Where a stream stands: a block; of the list of it that is being read, with which raw value it begins, how many raw
values make one of its values, and how many it has; and the iterator of what is left. One assignment changes all."""


def offset_in(place: Place) -> int:
    """Return how many raw values of the block have been read."""
    _, first, steps, length, rest = place
    return int(first + steps * (length - length_hint(rest)))


def _beginning(generator: Generator) -> Place:
    """Return the place where `generator` stands."""
    start = generator.bit_generator.copy()
    return [Block(start, np.empty(0, start.dtype), start, generator, kinds(start)), 0, 1, 0, iter([])]


class Prefetched:
    """The stream of a bit generator as an endless iterator for each kind of values, which share the stream.

    C code asks an iterator and runs no Python code until a list is at its end. One list is read at a time. Where
    another kind is asked for, that list is ended and the place noted how far it was read, both by one bytecode, so that
    the iterator of the kind before looks here too when it is asked again.

    Nothing that is raised can pass through the C code that asks. An interrupt is kept in `errors`, and the stream goes
    on, so that it stands behind the call of NumPy that was interrupted. An error of the device is kept there too, and
    as long as it is, the iterators give other numbers. Whoever called that C code must look into `errors` and empty it.

    Two interrupts may come one behind the other, wherever they like. Should more of them get through, C code has a 0,
    `BrokenOffError` is in `errors`, and the iterators go on: `_survivor` says why.

    Parameters
    ----------
    bits : BitGenerator
        The stream; it stays where it is.
    queue, arithmetic
        As for `Generator`.

    Attributes
    ----------
    errors : list of BaseException, or of classes of them

    Raises
    ------
    ValueError
        If `bits` has one raw value alone; or as for `Generator`, with its other errors.
    """

    def __init__(self, bits: BitGenerator, queue: Queue | None, arithmetic: str) -> None:
        self.errors: list[Any] = []
        self._place = _beginning(Generator(bits.copy(), queue, arithmetic))
        self._arithmetic = arithmetic

    def iterators(self) -> dict[str, Iterator[Any]]:
        """Return the iterators by their kinds; to be called once and not kept here, as they keep this."""
        return {name: _survivor(self._lists, name, self.errors) for name in STAND_INS}

    @property
    def generator(self) -> Generator:
        """What draws the raw values; it stands elsewhere than what was read."""
        return cast("Generator", self._place[0].generator)

    @property
    def bits(self) -> BitGenerator:
        """A new bit generator that stands behind the last value that was read."""
        return cast("BitGenerator", self._place[0].start.jumped(offset_in(self._place)))

    def seek(self, bits: BitGenerator) -> None:
        """Go on with the stream of `bits` where it stands; an error, as for a new one, leaves all as it was."""
        self._go_to(*_beginning(Generator(bits.copy(), self.generator.queue, self._arithmetic)))

    def _lists(self, name: str) -> Iterator[Iterator[Any]]:
        """Yield an empty iterator, and then iterators of the values of a kind that come next.

        An interrupt that comes behind the first `yield` is kept, and one more while it is being kept.
        """
        while True:
            try:
                while True:
                    try:
                        yield iter(())
                        while True:
                            yield self._next(name)
                    except GeneratorExit:  # noqa: PERF203  # the loop goes on after an error
                        return
                    except BaseException as error:  # noqa: BLE001  # none can pass through C code
                        self.errors.insert(0, error)
            except BaseException as error:  # noqa: BLE001, PERF203
                self.errors.insert(0, error)

    def _next(self, name: str) -> Any:
        """Return an iterator of what follows as values of a kind; of other numbers while there is an error."""
        errors = self.errors  # of which one is the mark that there will be a list
        if len(errors) > 1 and any(isinstance(error, Exception) for error in errors):
            self._go_to(self._place[0], offset_in(self._place), 1, 0, iter([]))
            return map(itemgetter(0), zip(cycle(STAND_INS[name]), iter(errors.__len__, 0), strict=False))
        return self._go_on(name)

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
        self._go_to(block, first, steps, len(values), rest)
        return rest

    def _go_to(self, *place: Any) -> None:
        """Go on at a place; the list that was being read is ended.

        The bytecode of the assignment does both: it reads an iterator, which ends the list and gives nothing, and then
        the new place.
        """
        self._place[:] = chain(filter(None, map(self._place[-1].__setstate__, (maxsize,))), place)


def _survivor(lists: Callable[[str], Iterator[Iterator[Any]]], name: str, errors: list[Any]) -> Iterator[Any]:
    """Return an iterator of the values of the lists of a kind, which goes on whatever is raised in between.

    A generator ends when something is raised in it. `chain` then passes that on, and asks for another one when it is
    called again. It would end itself if the iterator that gives it generators, or lists, raised anything; but the one
    is a `map`, and there is a chain of chains of the other. All of that is C. So is the mark in `errors`, which is
    there whenever a list is asked for and has not come.
    """
    found = chain.from_iterable(map(lists, repeat(name)))
    next(found)  # the generator is now where it keeps interrupts
    marks, taken_off = starmap(errors.append, repeat((BrokenOffError,))), starmap(errors.pop, repeat(()))
    marked = map(itemgetter(1), zip(marks, found, taken_off, strict=False))
    return chain.from_iterable(map(chain.from_iterable, repeat(marked)))
