"""What a stream has on a device from one fill to the next: states, words made ahead, and what is expected of requests.

Where requests of one size follow one another, the states of several are made at once.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

import pyopencl as cl
import pyopencl.array as cla

from clrng.generators.base import Words
from clrng.generators.lagged import Lagged

Place = tuple[Words, int]
"""A place in a stream, as `Lagged.place` gives it."""

Shape = tuple[int, int]
"""The number of blocks of a request, and the values of each."""

RADIX, DEPTH = 4, 2
"""A table has the states of RADIX requests first, and of RADIX^DEPTH where these have come."""

MOST_TABLE_BYTES = 2**26
"""The maximum bytes of a table."""

MOST_ARRAYS = 10
"""The maximum arrays for a stream's states: one for a table, one for the state after the last value, and others."""


@dataclass(frozen=True)
class DeviceState:
    """A state in the memory of a device."""

    states: cla.Array  # States in rows; a row may have other words after its state
    index: int  # The row of the state
    event: cl.Event | None  # The event after which the state is there; None where it is there already
    place: Place | None = None  # Its place in the stream, where that is known

    @property
    def first_byte(self) -> int:
        """Where it begins in the memory of `states`, in bytes."""
        return int(self.index * self.states.shape[1] * self.states.dtype.itemsize)


@dataclass(frozen=True)
class AwaitedState:
    """A state that is put on the device if it is needed there: `steps` after one that the host or the device has."""

    place: Place
    origin: Lagged | DeviceState
    steps: int = 0


State = DeviceState | AwaitedState


@dataclass(frozen=True)
class Window:
    """Words of a stream in the memory of a device."""

    place: Place  # That of the state before the first word
    words: cla.Array  # The words of that state and those that follow it
    first: int  # Which of them is the first after the state
    count: int  # How many follow the state
    event: cl.Event | None  # The event after which they are there

    def has(self, place: Place, steps: int) -> bool:
        """Return whether it has the `steps` words after `place`, and the state there."""
        return place[0] is self.place[0] and 0 <= place[1] - self.place[1] <= self.count - steps

    def state(self, place: Place, order: int) -> DeviceState:
        """Return the state at a place that it has: the `order` words before it."""
        return DeviceState(self.words, self.first + place[1] - self.place[1] - order, self.event, place)


@dataclass
class StateTable:
    """The states of the blocks of several requests, each `apart` steps after the one before."""

    place: Place  # That of the next request
    shape: Shape
    apart: int
    states: cla.Array  # Row r * count + b has the state of block b of request r
    next: int = 0  # The number of the next request

    def take(self, place: Place, shape: Shape) -> int | None:
        """Return the last row of the next request if it is this one, which is then taken; else None."""
        (words, ahead), count = self.place, shape[0]
        if self.shape != shape or words is not place[0] or ahead != place[1] or self.left == 0:
            return None
        self.place, self.next = (words, ahead + self.apart), self.next + 1
        return self.next * count - 1

    @property
    def left(self) -> int:
        """How many requests have not come yet."""
        return len(self.states) // self.shape[0] - self.next


class Expected:
    """Predicts the next request from the last ones."""

    def __init__(self) -> None:
        self._last: tuple[Place, Shape] | None = None
        self.apart = 0
        self._depth = 0

    def note(self, place: Place, shape: Shape) -> bool:
        """Note a request; return whether it came as the two before it made expect."""
        gap = 0
        if self._last is not None and self._last[1] == shape and self._last[0][0] is place[0]:
            gap = max(place[1] - self._last[0][1], 0)
        as_expected = gap == self.apart != 0
        self._last, self.apart = (place, shape), gap
        self._depth = self._depth if as_expected else 0
        return as_expected

    def deeper(self, request_bytes: int, most: int) -> int:
        """Return the levels of the next table, of at most `most` bytes, if a request's states have `request_bytes`."""
        self._depth = min(self._depth + 1, DEPTH)
        while self._depth and RADIX**self._depth * request_bytes > most:
            self._depth -= 1
        return self._depth


@dataclass
class Reached:
    """What a stream has on a device from one fill to the next: a new one at its first fill, then the same."""

    # Where the last fill ended; None where there was no fill yet, or the last one did not come to its end
    place: Place | None = None
    state: DeviceState | None = None  # The state there, unless `window` has it
    window: Window | None = None  # Words that were made ahead
    table: StateTable | None = None  # The states of requests that are expected
    expected: Expected = field(default_factory=Expected)
    arrays: dict[Hashable, cla.Array] = field(default_factory=dict)  # What states are made in, the last used one last

    def array(self, use: Hashable, shape: tuple[int, int], made: Callable[[], cla.Array]) -> cla.Array:
        """Return the array for a use, which is `made` where there is none of this shape."""
        found = self.arrays.pop(use, None)
        if found is None or found.shape != shape:
            while len(self.arrays) >= MOST_ARRAYS:
                self.arrays.pop(next(iter(self.arrays)))
            found = made()
        self.arrays[use] = found
        return found

    def follows(self, place: Place) -> bool:
        """Return whether the last fill ended at `place`."""
        return self.place is not None and self.place[0] is place[0] and self.place[1] == place[1]

    def known(self, place: Place) -> Place:
        """Return `place`; where its words are equal to those of the last fill, with these, as identities count."""
        if self.place is not None and self.place[0] is not place[0] and self.place[0] == place[0]:
            return self.place[0], place[1]
        return place
