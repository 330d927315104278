"""How long does the look-and-say sequence take to its 50th term, and beyond?

A term says of each run of equal digits of the one before how long it is, and of what: 1, 11, 21, 1211, 111221. A
kernel counts the runs of each work-group, a scan of these counts says where they go, and a second kernel writes them.
Only counts come back to the host. Beside it stand NumPy on the host, for fewer terms, and plain Python.

A rate is in digits of all terms a second.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import groupby, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
from harness.c_loop import Host
from harness.common import Results, arguments, kind_of, measure, run
from harness.kernels import kernels, render

import clrng
from clrng import order
from clrng.measuring.timing import Work
from clrng.opencl.devices import DeviceInfo, describe
from clrng.validation import integer, shown

TERMS = {"gpu": 70, "cpu": 60, "quick": 30}
NUMPY_TERMS, PYTHON_TERMS = 55, 45
"""The last terms that NumPy and plain Python are timed with."""

COMPARED = 60
"""The last term whose digits are compared with NumPy's."""

CONWAY = 1.3035772690342964
"""What the ratio of the lengths of terms tends to (Conway 1987)."""

MOST_SUMMED = 1024
"""Work-groups of which each adds up the counts of those before it; of more, the counts are scanned first."""

LONGEST_RUN = 9
SHORTEST = 0.02
"""Seconds of one timing."""


@dataclass(frozen=True)
class Plan:
    """How the kernels are laid out on a device.

    Attributes
    ----------
    group_size : int
        Work-items of a work-group, a power of two.
    each : int
        Digits of a work-item.
    """

    group_size: int
    each: int


def plan_for(device: DeviceInfo) -> Plan:
    """Return the plan for a device."""
    return Plan(1, 2**14) if kind_of(device) == "cpu" else Plan(min(256, device.device.max_work_group_size), 16)


class LookAndSay:
    """A term of a look-and-say sequence, on a device.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    digits : str
        The first term: digits from 1 to 9, no more than nine equal ones in a row.
    plan : Plan, optional
        By default the one for the device.

    Raises
    ------
    ValueError
        If `digits` is not such a string.
    """

    def __init__(self, queue: cl.CommandQueue, digits: str = "1", plan: Plan | None = None) -> None:
        self._queue, self._plan = queue, plan or plan_for(describe(queue.device))
        self._count, self._say = kernels(queue, render("look_and_say", **vars(self._plan)), "count_runs", "say_runs")
        self._runs = cla.Array(queue, MOST_SUMMED, np.uint32)
        self._memory = [cla.Array(queue, 2**16, np.uint8) for _ in range(2)]
        self.restart(digits)

    def restart(self, digits: str = "1") -> None:
        """Take another first term."""
        if not isinstance(digits, str) or not digits or set(digits) - set("123456789"):
            raise ValueError(f"digits must be a string of digits from 1 to 9, not {shown(digits)}")
        if (longest := max(len(list(run)) for _, run in groupby(digits))) > LONGEST_RUN:
            raise ValueError(f"digits must have no run of more than {LONGEST_RUN} equal ones, not one of {longest}")
        self._size = len(digits)
        self._reserve(0, self._size)
        self.term.set(np.frombuffer(digits.encode(), np.uint8) - np.uint8(ord("0")))

    @property
    def term(self) -> cla.Array:
        """The digits, uint8, in memory that is overwritten when the next terms are said."""
        return self._memory[0][: self._size]

    def _reserve(self, which: int, size: int) -> None:
        """See to room for so many digits in one of the two memories, whose contents may be lost."""
        if self._memory[which].size < size:
            self._memory[which] = cla.Array(self._queue, size + size // 2, np.uint8)

    def say(self, times: int = 1) -> list[int]:
        """Go on to the next term, so many times, and return their lengths."""
        return [self._next() for _ in range(integer("times", times, 0, None))]

    def _next(self) -> int:
        plan, queue, digits = self._plan, self._queue, self._memory[0].data
        groups = -(-self._size // (plan.group_size * plan.each))
        if self._runs.size < groups:
            self._runs = cla.Array(queue, 2 * groups, np.uint32)
        runs, items = self._runs[:groups], groups * plan.group_size
        self._count(queue, items, plan.group_size, digits, self._size, runs.data)
        if scanned := groups > MOST_SUMMED:
            runs = order.cumsum(runs, np.uint32)
        size = 2 * int(runs[-1:].get()[0] if scanned else runs.get().sum(dtype=np.int64))
        self._reserve(1, size)
        self._say(queue, items, plan.group_size, digits, self._size, runs.data, int(scanned), self._memory[1].data)
        self._memory.reverse()
        self._size = size
        return size


def by_numpy(digits: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return the next term."""
    first = np.flatnonzero(np.concatenate(([True], digits[1:] != digits[:-1])))
    lengths = np.diff(first, append=digits.size).astype(np.uint8)
    return np.column_stack((lengths, digits[first])).ravel()


def by_python(digits: str) -> str:
    """Return the next term."""
    return "".join(f"{len(list(run))}{digit}" for digit, run in groupby(digits))


def repeated(step: Callable[[Any], Any], first: Any, terms: int) -> Any:
    """Return the term of this number, the first being number 1."""
    for _ in range(terms - 1):
        first = step(first)
    return first


def compare(device: LookAndSay, terms: int) -> list[int]:
    """Return the lengths of the first terms, whose digits NumPy has too as far as `COMPARED`.

    Raises
    ------
    ClrngError
        If a digit is other, or the last lengths do not grow by Conway's constant.
    """
    device.restart()
    host, lengths = np.array([1], np.uint8), [1]
    for term in range(2, terms + 1):
        lengths += device.say()
        if term <= COMPARED:
            host = by_numpy(host)
            if not np.array_equal(device.term.get(), host):
                raise clrng.ClrngError(f"term {term} is not that of NumPy")
    off = max(abs(after / before / CONWAY - 1) for before, after in list(pairwise(lengths))[-3:])
    if off > 1 / lengths[-1] ** 0.5:
        raise clrng.ClrngError(f"the lengths {lengths[-3:]} do not grow by {CONWAY:.6f}")
    return lengths


def main() -> None:
    """Measure, print and save."""
    options = arguments(__doc__, rounds=3, terms={"type": int, "help": "the last term"})
    queue = clrng.make_queue(options.device)
    terms = options.terms or TERMS["quick" if options.quick else kind_of(describe(queue.device))]
    rounds = options.rounds
    device = LookAndSay(queue)
    lengths = compare(device, terms)
    results = Results(options, "look_and_say", queue, rounds=rounds, lengths=lengths)

    def said(terms: int) -> None:
        device.restart()
        device.say(terms - 1)

    one = np.array([1], np.uint8)
    lasts = sorted({min(terms, last) for last in (PYTHON_TERMS, 50, NUMPY_TERMS, terms)})
    for last in lasts:
        digits = sum(lengths[:last])
        works = {"clrng": Work(digits, partial(said, last))}
        if last <= NUMPY_TERMS:
            works["NumPy"] = Work(digits, partial(repeated, by_numpy, one, last), Host())
        if last <= PYTHON_TERMS:
            works["Python"] = Work(digits, partial(repeated, by_python, "1", last), Host())
        row = measure(queue, works, rounds, None, SHORTEST)
        results.add(f"to term {last}", row)
        for name, rate in row.items():
            print(f"to term {last}, {lengths[last - 1]:,} digits: {name:8} {digits / rate['rate'] * 1e3:10.2f} ms",
                  flush=True)  # fmt: skip
    results.close()


if __name__ == "__main__":
    run(main)
