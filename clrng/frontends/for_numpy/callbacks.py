"""What C code calls for NumPy: a stream as iterators of four kinds of numbers, by its interface bitgen.h."""

import ctypes
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial, reduce
from itertools import chain, cycle, repeat, starmap
from operator import itemgetter, length_hint
from random import Random
from sys import maxsize
from threading import RLock
from typing import Any, ClassVar, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from clrng.distributions.transforms.uniform import steps_for
from clrng.frontends.drawing import Queue
from clrng.frontends.generator import Generator
from clrng.generators import BitGenerator
from clrng.generators.halves import Halved

Array: TypeAlias = Any
"""An array of NumPy."""

SIGNIFICAND = 53
"""The bits of the significand of a double."""

HALF, LOW = 32, 2**32 - 1
"""The bits of half a word, and a mask of the lower half."""


class Kind(NamedTuple):
    """One of the kinds of values: `steps` raw values make one, and `make` makes n of them of n * steps raw values.

    With `halves` one raw value makes two, as in `Halved`.
    """

    steps: int
    make: Callable[[Array], Array]
    halves: bool = False


def kinds(bits: BitGenerator) -> dict[str, Kind]:
    """Return by name what `bits` gives: "uint64", "uint32", "double" and "raw"; an error if it has one raw value."""
    low, bound = bits.min_value, bits.upper_bound
    if bound - low < 2:  # noqa: PLR2004  # nothing is random with fewer
        raise ValueError(f"bit_generator must have at least 2 raw values, not {bound - low} as {bits!r}")
    found = {}
    for length in (64, 32):
        steps = steps_for(2**length, bound - low)
        found[f"uint{length}"] = Kind(steps, partial(words, length, steps, low, bound))
    if bits.has_halves:
        found["uint32"] = Kind(1, both_halves, halves=True)
    return {**found, "double": Kind(1, partial(doubles, bound)), "raw": Kind(1, np.asarray)}


def both_halves(raw: Array) -> Array:
    """Return the halves of raw values of 64 bits, the low one of each first."""
    return np.stack([raw & np.uint64(LOW), raw >> np.uint64(HALF)], axis=1).ravel()


def doubles(bound: int, raw: Array) -> Array:
    """Return raw values divided by `bound`: rounded correctly if that is at most 2^53, else down to n 2^-53."""
    if bound <= 2**SIGNIFICAND:
        return raw.astype(np.float64) / float(bound)
    if bound & (bound - 1) == 0:
        numbers = raw >> np.uint64(bound.bit_length() - 1 - SIGNIFICAND)
    else:
        numbers = np.array([(x << SIGNIFICAND) // bound for x in raw.tolist()])
    return numbers.astype(np.float64) * 2.0**-SIGNIFICAND


def words(length: int, steps: int, low: int, bound: int, raw: Array) -> Array:
    """Return integers of `length` bits, 32 or 64, in uint64 or as objects: floor(X 2^length / m^steps).

    X is the number whose digits to the base m = `bound` - `low` are `steps` raw values, counted from `low`, the
    highest first.
    """
    m = bound - low
    digits = np.ascontiguousarray(raw.reshape(-1, steps).T, dtype=np.uint64) - np.uint64(low)
    bits, power_of_two = m.bit_length() - 1, m & (m - 1) == 0
    if power_of_two and bits >= length:
        return digits[0] >> np.uint64(bits - length)
    if not power_of_two and m > 2**HALF:
        x = reduce(lambda x, digit: x * m + digit, digits.astype(object))
        return (x << length) // m**steps
    # t is 0 at first; for each digit x, from the lowest to the highest, it becomes floor((x 2^length + t) / m), which
    # stays below 2^length as x < m. For 64 bits that is a long division with digits of 32 bits.
    half, lower, divisor = np.uint64(HALF), np.uint64(LOW), np.uint64(m)
    t = np.zeros_like(digits[0])
    for x in digits[::-1]:
        if power_of_two:
            t = x << np.uint64(length - bits) | t >> np.uint64(bits)
        elif length == HALF:
            t = (x << half | t) // divisor
        else:
            upper = x << half | t >> half
            quotient = upper // divisor
            t = quotient << half | (upper - quotient * divisor << half | t & lower) // divisor
    return t


FUNCTIONS = {
    "uint64": ctypes.CFUNCTYPE(ctypes.c_uint64),
    "uint32": ctypes.CFUNCTYPE(ctypes.c_uint32),
    "double": ctypes.CFUNCTYPE(ctypes.c_double),
    "raw": ctypes.CFUNCTYPE(ctypes.c_uint64),
}
"""The types of the functions, by the kinds of their values.

C code calls them with the state, which these types may leave out, as in C's calling conventions the caller removes the
arguments. So ctypes calls an iterator itself, which is twice as fast as calling a Python function."""

_get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


class Bitgen(ctypes.Structure):
    """The structure bitgen_t."""

    _fields_: ClassVar = [("state", ctypes.c_void_p), *((f"next_{kind}", FUNCTIONS[kind]) for kind in FUNCTIONS)]


def fill_in(capsule: Any, iterators: Mapping[str, Iterator[Any]]) -> list[Any]:
    """Let the functions of the bitgen_t in `capsule` give the values of `iterators`; return what must live as long."""
    bitgen = Bitgen.from_address(_get_pointer(capsule, b"BitGenerator"))
    functions = {kind: FUNCTIONS[kind](iterators[kind].__next__) for kind in FUNCTIONS}
    for kind, function in functions.items():
        setattr(bitgen, f"next_{kind}", function)
    return list(functions.values())


class _Method(ctypes.Structure):
    """The structure PyMethodDef, which describes a C function to Python."""

    _fields_: ClassVar = [
        ("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("text", ctypes.c_char_p)
    ]  # fmt: skip


_FASTCALL = 0x80
"""Such a function is given its object, the address of the arguments and their number."""

_next = _Method(b"next", ctypes.cast(ctypes.pythonapi.PyIter_Next, ctypes.c_void_p), _FASTCALL, None)

_new_function = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
    ("PyCFunction_NewEx", ctypes.pythonapi)
)


def asking(iterator: Iterator[Any]) -> Callable[..., Any]:
    """Return a C function that returns the next value of an iterator; it ignores its arguments."""
    found: Callable[..., Any] = _new_function(ctypes.addressof(_next), iterator, None)
    return found


def _raise_first(errors: list[BaseException], *_: None) -> None:
    """Raise the first of the errors that were there when a lock was released."""
    if errors:
        try:
            raise errors[0]
        finally:
            del errors  # which hold this frame


class Lock:
    """The lock that NumPy holds while it draws. Its release empties `errors`, where callbacks put them, and raises one.

    So the error of a callback ends the very call of NumPy during which it occurred. The lock is reentrant.

    A signal may come at any time, and a handler that raises something while Python acquires or releases the lock would
    leave it held for ever. So both are functions of C alone, and no handler runs before the lock is free.
    """

    __slots__ = ("__enter__", "__exit__", "acquire", "release")

    def __init__(self, errors: list[BaseException]) -> None:
        lock = RLock()
        self.acquire = self.__enter__ = lock.acquire
        steps = (starmap(call, repeat(())) for call in (errors.copy, errors.clear, lock.release))
        self.release = self.__exit__ = asking(map(_raise_first, *steps))  # which calls them in turn, as `in_turn` does


MIN_DRAWN, MAX_DRAWN = 2**9, 2**15
"""How many raw values are drawn at a time: few at first, then twice as many each time, up to the larger number."""

_other = Random(1)  # noqa: S311  # no secrets


class BrokenOffError(KeyboardInterrupt):
    """Several interrupts have come so fast that one got through to the C code that asked for numbers."""


STAND_INS: dict[str, list[Any]] = {
    "uint64": [_other.getrandbits(64) for _ in range(1000)],
    "uint32": [_other.getrandbits(32) for _ in range(1000)],
    "double": [_other.random() for _ in range(1000)],
    "raw": [0] * 1000,
}
"""The numbers that are returned after an error of the device until the call of NumPy ends, which then raises the error.
They look random, as loops that reject numbers would not end with a constant."""


@dataclass(eq=False)
class Block:
    """Raw values, where the stream stands before and after them, and the lists of values made of them.

    `generator` draws the values that follow; its own bit generator may be anywhere, as an interrupt may come when it
    has drawn. A list is made when it is first needed: ``lists[kind, first]`` has the values of a kind that are made of
    the raw values from number `first` on.
    """

    start: BitGenerator
    raw: npt.NDArray[Any]
    end: BitGenerator
    generator: Generator
    kinds: dict[str, Kind]
    lists: dict[tuple[str, int], list[Any]] = field(default_factory=dict)

    def make(self, name: str, first: int) -> list[Any]:
        """Make the list of a kind that begins with raw value number `first`."""
        kind = self.kinds[name]
        count = (len(self.raw) - first) // kind.steps
        made: list[Any] = kind.make(self.raw[first : first + count * kind.steps]).tolist()
        self.lists[name, first] = made
        return made

    def following(self, offset: int) -> "Block":
        """Return a block of the raw values from number `offset` on: what is left, and up to twice as many new ones."""
        self.generator.bit_generator = end = self.end.copy()
        count = min(max(2 * len(self.raw), MIN_DRAWN), MAX_DRAWN)
        drawn: Any = self.generator.random_raw(count, out=cast("Any", np.ndarray))
        left = self.raw[offset:]
        raw = np.concatenate([left, drawn]) if left.size else drawn
        return Block(self.start.jumped(offset), raw, end, self.generator, self.kinds)


Position = list[Any]
"""Where a stream stands: a block; the half that waits, as in the last word of `Halved`; the number of the raw value
with which the list that is being read begins, the number of raw values that make a value of it, and the list; and the
iterator of what is left of it. One assignment changes all.

For halves, that number of raw values is 0. The list is then the half that waits alone, or both halves of all raw values
of the block, which is read from the number of the raw value on."""


def reached(position: Position) -> tuple[int, int]:
    """Return how many raw values of the block have been read, and the half that waits."""
    _, waiting, first, steps, values, rest = position
    read = len(values) - length_hint(rest)
    if steps:
        return first + steps * read, waiting
    if waiting > LOW:
        return first, waiting - (read << HALF)
    if read == 2 * first:
        return first, waiting
    return (read + 1) // 2, values[read] | 1 << HALF if read % 2 else values[read - 1]


def _beginning(generator: Generator) -> Position:
    start = generator.bit_generator.copy()
    waiting = start.has_uint32 << HALF | start.uinteger if isinstance(start, Halved) else 0
    return [Block(start, np.empty(0, start.dtype), start, generator, kinds(start)), waiting, 0, 1, [], iter([])]


class Prefetched:
    """The stream of `bits`, which stays where it is, as an endless iterator for each kind; these share the stream.

    C code asks an iterator and runs no Python code until a list is at its end. One list is read at a time. Where
    another kind is asked for, one bytecode ends that list and stores the position up to which it was read; so the
    iterator of the first kind, too, comes back here when it is asked again.

    Nothing that is raised can pass through the C code that asks. An interrupt is stored in `errors`, and the stream
    goes on, so that it stands after the call of NumPy that was interrupted. An error of the device is stored there
    too, and as long as it is, the iterators give other numbers. Whoever called that C code must look into `errors` and
    empty it.

    Two interrupts may come in quick succession, at any point. Should more of them get through, C code gets a 0,
    `BrokenOffError` is in `errors`, and the iterators go on: `_survivor` says why.
    """

    def __init__(self, bits: BitGenerator, queue: Queue | None, arithmetic: str) -> None:
        self.errors: list[Any] = []
        self._position = _beginning(Generator(bits.copy(), queue, arithmetic))
        self._arithmetic = arithmetic

    def iterators(self) -> dict[str, Iterator[Any]]:
        """Return the iterators by their kinds; called once and not stored here, as they refer to this object."""
        return {name: _survivor(self._lists, name, self.errors) for name in STAND_INS}

    @property
    def generator(self) -> Generator:
        """What draws the raw values; it stands further on than what was read."""
        return cast("Generator", self._position[0].generator)

    @property
    def bits(self) -> BitGenerator:
        """A new bit generator that stands after the last value that was read."""
        offset, waiting = reached(self._position)
        bits: BitGenerator = self._position[0].start.jumped(offset)
        if bits.has_halves:
            bits.state = {**bits.state, "has_uint32": waiting >> HALF, "uinteger": waiting & LOW}
        return bits

    def seek(self, bits: BitGenerator) -> None:
        """Go on with the stream of `bits` where it stands; an error, as for a new one, leaves all as it was."""
        self._go_to(*_beginning(Generator(bits.copy(), self.generator.queue, self._arithmetic)))

    def _lists(self, name: str) -> Iterator[Iterator[Any]]:
        """Yield an empty iterator, and then iterators of the values of a kind; from then on interrupts are stored."""
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
            except BaseException as error:  # noqa: BLE001, PERF203  # one more, while the first was being stored
                self.errors.insert(0, error)

    def _next(self, name: str) -> Any:
        """Return an iterator of what follows as values of a kind; of other numbers while there is an error."""
        errors = self.errors  # one of these is the mark of `_survivor`
        if len(errors) > 1 and any(isinstance(error, Exception) for error in errors):
            offset, waiting = reached(self._position)
            self._go_to(self._position[0], waiting, offset, 1, [], iter([]))
            return map(itemgetter(0), zip(cycle(STAND_INS[name]), iter(errors.__len__, 0), strict=False))
        return self._go_on(name)

    def _go_on(self, name: str) -> Any:
        """Return an iterator of what follows in the stream as values of a kind."""
        block = self._position[0]
        offset, waiting = reached(self._position)
        steps, _, halves = block.kinds[name]
        if halves and waiting > LOW:
            values = [waiting & LOW]
            rest: Any = iter(values)
            self._go_to(block, waiting, offset, 0, values, rest)
            return rest
        if len(block.raw) - offset < steps:
            block, offset = block.following(offset), 0
        first = offset % steps
        values = block.lists.get((name, first))
        if values is None:
            values = block.make(name, first)
        rest = iter(values)
        if halves:
            rest.__setstate__(2 * offset)
            self._go_to(block, waiting, offset, 0, values, rest)
        else:
            rest.__setstate__(offset // steps)
            self._go_to(block, waiting, first, steps, values, rest)
        return rest

    def _go_to(self, *position: Any) -> None:
        """Go on at a position; the list that was being read is ended.

        The bytecode of the assignment does both: it reads an iterator, which ends the list and gives nothing, and then
        the new position.
        """
        self._position[:] = chain(filter(None, map(self._position[-1].__setstate__, (maxsize,))), position)


def _survivor(lists: Callable[[str], Iterator[Iterator[Any]]], name: str, errors: list[Any]) -> Iterator[Any]:
    """Return an iterator of the values of the lists of a kind, which goes on whatever is raised in between.

    A generator ends when something is raised in it. `chain` then passes that on, and asks for another generator when it
    is called again. It would end itself if the iterator that it takes generators, or lists, from raised anything; but
    generators come from a `map`, and lists from a chain of chains. All of this is C, and so is the mark in `errors`,
    which is there from when a list is asked for until it has come.
    """
    found = chain.from_iterable(map(lists, repeat(name)))
    next(found)  # the generator is now where it stores interrupts
    marks, taken_off = starmap(errors.append, repeat((BrokenOffError,))), starmap(errors.pop, repeat(()))
    marked = map(itemgetter(1), zip(marks, found, taken_off, strict=False))
    return chain.from_iterable(map(chain.from_iterable, repeat(marked)))
