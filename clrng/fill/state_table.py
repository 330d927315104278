"""The states of requests that are expected: where requests of one size follow one another, those of several at once."""

from dataclasses import dataclass

import pyopencl.array as cla

from clrng.generators.base import Words

Place = tuple[Words, int]
"""A place in a stream, as `Lagged.place` gives it."""

Shape = tuple[int, int]
"""The number of blocks of a request, and the values of each."""

RADIX, DEPTH = 4, 2
"""A table has the states of RADIX requests first, and of RADIX^DEPTH where these have come."""

MOST_BYTES = 2**26
"""The most bytes of a table."""


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
    """Finds out which request will come next, from those that came."""

    def __init__(self) -> None:
        self._last: tuple[Place, Shape] | None = None
        self.apart = 0
        self._depth = 0

    def note(self, place: Place, shape: Shape) -> bool:
        """Take note of a request; return whether it came as the two before it let expect."""
        gap = 0
        if self._last is not None and self._last[1] == shape and self._last[0][0] is place[0]:
            gap = max(place[1] - self._last[0][1], 0)
        as_expected = gap == self.apart != 0
        self._last, self.apart = (place, shape), gap
        self._depth = self._depth if as_expected else 0
        return as_expected

    def deeper(self, request_bytes: int, most: int) -> int:
        """Return of how many levels the next table is, for a request's states of so many bytes and at most `most`."""
        self._depth = min(self._depth + 1, DEPTH)
        while self._depth and RADIX**self._depth * request_bytes > most:
            self._depth -= 1
        return self._depth
