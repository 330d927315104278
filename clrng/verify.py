"""Prove on a device that an arithmetic is exact: published values, every state, the digits at their bounds, the period.

Each check yields how many of its cases it has done since it last said so, and returns what it found.
"""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Generator as Steps
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng import program, source
from clrng.arithmetic import ARITHMETICS, Arithmetic, select, why_not
from clrng.devices import DeviceInfo, describe
from clrng.distributions import RAW
from clrng.generator import Generator
from clrng.plan import LONGEST_LOOP
from clrng.recurrences import ParkMiller

CHUNK = 2**26
"""States of one launch."""

PUBLISHED = [
    (16807, 1, 16807, "Park and Miller 1988"),
    (16807, 10_000, 1043618065, "Park and Miller 1988, p. 1195; C++ [rand.predef] minstd_rand0"),
    (16807, 1_000_000, 1227283347, "R. Whittle's rand31 table"),
    (16807, 2147483646, 1, "the period of a primitive root"),
    (48271, 10_000, 399268537, "C++ [rand.predef] minstd_rand"),
    (48271, 1_000_000, 1263606197, "C++ minstd_rand"),
]
"""Multiplier, position, the value there from seed 1, and where it is published."""


@dataclass(frozen=True)
class Finding:
    """What a check found.

    Attributes
    ----------
    check : str
        What was checked.
    cases : int
        How many cases were tried.
    passed : bool
    detail : str
        What was wrong, or what the cases were.
    """

    check: str
    cases: int
    passed: bool
    detail: str


Check = Steps[int, None, Finding]


def _kernel(
    queue: cl.CommandQueue, arithmetic: Arithmetic, recurrence: ParkMiller, width: int, name: str, types: list[Any]
) -> program.Kernel:
    values = {
        "multiplier": recurrence.multiplier,
        "modulus": recurrence.modulus,
        "digits": arithmetic.digits is not None,
    }
    text = source.kernel("verify.cl.mako", recurrence, arithmetic, RAW, width, values)
    return program.Kernel(queue.context, text, name, types)


def published_rows(arithmetic: Arithmetic) -> list[tuple[int, int, int, str]]:
    """Return the rows of `PUBLISHED` whose multiplier the arithmetic is exact for."""
    return [row for row in PUBLISHED if row[0] <= arithmetic.limit]


def published_values(queue: cl.CommandQueue, arithmetic: Arithmetic) -> Check:
    """Draw the values of `published_rows`."""
    wrong = []
    for multiplier, position, expected, origin in published_rows(arithmetic):
        recurrence = ParkMiller(seed=1, multiplier=multiplier).advance(max(position - 1000, 0))
        rng = Generator(recurrence, queue, arithmetic.name)
        found = int(rng.random_raw(min(position, 1000)).get()[-1])
        if found != expected:
            wrong.append(f"value {position} of multiplier {multiplier} is {found}, not {expected} ({origin})")
        yield 1
    cases = len(published_rows(arithmetic))
    return Finding("published values", cases, not wrong, "; ".join(wrong) or "Park and Miller, C++ standard")


def pieces(modulus: int, sample: int | None) -> list[tuple[int, int]]:
    """Return ranges (first, number) of states: all, or 64 even pieces of sample // 64 with both ends among them."""
    if sample is None or sample >= modulus - 1:
        return [(first, min(CHUNK, modulus - first)) for first in range(1, modulus, CHUNK)]
    length = max(sample // 64, 1)
    return [(1 + (modulus - 1 - length) * i // 63, length) for i in range(64)]


def every_step(queue: cl.CommandQueue, arithmetic: Arithmetic, recurrence: ParkMiller, sample: int | None) -> Check:
    """Step every state, or `sample` of them, and compare with the remainder of the 64-bit integer product."""
    device = describe(queue.device)
    width = arithmetic.widest if device.kind == "cpu" else 1
    types = [np.uint32, np.uint32, np.uint32, None]
    kernel = _kernel(queue, arithmetic, recurrence, width, "check_steps", types)
    report = cla.to_device(queue, np.array([0, 2**32 - 1, 0], np.uint32))
    ranges = pieces(recurrence.modulus, sample)
    for first, n in ranges:
        items, each = _split(device, n, width)
        kernel(queue, items, None, first, n, each, report.data)
        queue.finish()
        yield n
    wrong, least, cases = (int(number) for number in report.get())
    left_out = sum(n for _, n in ranges) - cases
    every = "every state" if cases == recurrence.modulus - 1 else "a sample of the states, both ends in it"
    detail = f"{wrong} states step wrongly, the least is {least}" if wrong else every
    if left_out:
        detail = f"{left_out} states were not stepped at all; {detail}"
    return Finding("steps", cases, wrong == left_out == 0, detail)


def _split(device: DeviceInfo, n: int, width: int) -> tuple[int, int]:
    """Return the work-items for `n` states and the states, a multiple of `width`, of each."""
    items = 64 * device.units if device.kind == "cpu" else 2048 * device.units
    each = min(-(-n // (items * width)), LONGEST_LOOP // (2 * width)) * width  # a lane takes two turns
    return -(-n // each), each


def distinct_values(queue: cl.CommandQueue, arithmetic: Arithmetic, recurrence: ParkMiller, total: int) -> Check:
    """Draw `total` values and mark each in a bitmap: none may occur twice or lie outside.

    The last value of every piece must be the state that the jump on the host gives there, so the order is seen too;
    after the full period, modulus - 1 values, that is the seed.
    """
    device = describe(queue.device)
    kernel = _kernel(queue, arithmetic, recurrence, 1, "mark_values", [None, np.uint32, np.uint32, None, None])
    rng = Generator(recurrence.jumped(0), queue, arithmetic.name)
    values = cla.Array(queue, min(CHUNK, total), np.uint32)
    bitmap = cla.zeros(queue, 2**26, np.uint32)
    report = cla.zeros(queue, 3, np.uint32)
    astray = 0
    for first in range(0, total, CHUNK):
        n = min(CHUNK, total - first)
        rng.random_raw(out=values[:n])
        items, each = _split(device, n, 1)
        kernel(queue, items, None, values.data, n, each, bitmap.data, report.data)
        astray += int(values[n - 1].get()) != rng.bit_generator.word
        yield n
    twice, outside, marked = (int(number) for number in report.get())
    passed = twice == outside == astray == 0 and marked == total
    detail = (
        f"{marked} marked, {twice} twice, {outside} outside, {astray} pieces end at another state than a jump there"
    )
    if passed:
        full = total == recurrence.modulus - 1 and rng.bit_generator.word == recurrence.word
        detail = "each state once, and back at the seed" if full else "no value twice"
    return Finding("full period", marked, passed, detail)


def digit_cases(bounds: tuple[int, int]) -> npt.NDArray[np.float32]:
    """Return digits (h, l): every l with h = 0, every h with l = 0, and every h with both largest l."""
    most_h, most_l = bounds
    h, low = np.arange(-most_h, most_h + 1), np.arange(-most_l, most_l + 1)
    parts = [np.stack([np.zeros_like(low), low], 1), np.stack([h, np.zeros_like(h)], 1)]
    parts += [np.stack([h, np.full_like(h, end)], 1) for end in (-most_l, most_l)]
    parts += [np.stack([np.full_like(low, end), low], 1) for end in (-most_h, most_h)]
    return np.concatenate(parts).astype(np.float32)


def digit_limits(queue: cl.CommandQueue, arithmetic: Arithmetic, recurrence: ParkMiller) -> Check:
    """Step residues whose digits are as large as they can get, balanced or not, in scalars and in vectors.

    A step treats the two digits apart, so every l with h = 0 and every h with l = 0 prove the splitting of each;
    the largest together prove the sums. The digits that come out must lie within the same bounds again.
    """
    bounds = _bounds(arithmetic, recurrence)
    digits = digit_cases(bounds)
    h, low = digits.T.astype(np.int64)
    expected = (h * 2**16 + low) * recurrence.multiplier % recurrence.modulus
    nonzero = expected != 0  # a residue of 0 is no state; it may come out as 0 or as m
    wrong, largest = 0, np.zeros(2)
    for width in (1, arithmetic.widest):
        kernel = _kernel(queue, arithmetic, recurrence, width, "step_digits", [None] * 5)
        padded = np.resize(digits, (-(-len(digits) // width) * width, 2))
        given = [cla.to_device(queue, np.ascontiguousarray(column)) for column in padded.T]
        stepped = [cla.zeros_like(column) for column in given]
        values = cla.zeros(queue, len(padded), np.uint32)
        kernel(queue, len(padded) // width, None, *(array.data for array in (*given, *stepped, values)))
        wrong += int(np.count_nonzero((values.get()[: len(digits)] != expected) & nonzero))
        largest = np.maximum(largest, [np.abs(column.get()).max() for column in stepped])
        yield len(digits)
    inside = bool((largest <= bounds).all())
    detail = f"|h| <= {bounds[0]}, |l| <= {bounds[1]} before and after a step"
    if wrong or not inside:
        detail = f"{wrong} digit pairs step wrongly; the largest come out as {largest.tolist()}, not within {detail}"
    return Finding("digit bounds", 2 * len(digits), wrong == 0 and inside, detail)


def _bounds(arithmetic: Arithmetic, recurrence: ParkMiller) -> tuple[int, int]:
    if arithmetic.digits is None:
        raise ValueError(f"arithmetic must be one that computes with digits, not {arithmetic.name!r}")
    return arithmetic.digits(recurrence.multiplier)


BASELINE_SAMPLE = 2**25
"""States of a published baseline that are tried on a CPU unless all are asked for."""


@dataclass(frozen=True)
class Jobs:
    """The checks to run.

    Attributes
    ----------
    device : DeviceInfo
    skipped : dict of str to str
        The arithmetics that are not exact here, and why.
    checks : list of (str, str, int, Check)
        Arithmetic, title, number of cases and the check itself, not yet begun.
    """

    device: DeviceInfo
    skipped: dict[str, str]
    checks: list[tuple[str, str, int, Check]]


def jobs(
    queue: cl.CommandQueue, names: Sequence[str], multiplier: int, sample: int | None = None, full: bool = False
) -> Jobs:
    """Return the checks of the arithmetics `names`, or of every one that is exact if there are none.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    names : sequence of str
    multiplier : int
        From 1 to 2147483646. Its full period is run only if that is every state.
    sample : int, optional
        Try this many states, and no full period.
    full : bool, optional
        Whether published baselines are tried in full on a CPU too.

    Raises
    ------
    UnsupportedError
        If one of `names` is not exact here.
    """
    device, recurrence = describe(queue.device), ParkMiller(seed=1, multiplier=multiplier)
    found = Jobs(device, {}, [])
    for name in names or ARITHMETICS:
        reason = why_not(name, device, multiplier)
        if reason is not None:
            if names:
                select(name, device, multiplier)  # raises
            found.skipped[name] = reason
            continue
        arithmetic = ARITHMETICS[name]
        sampled = sample or (BASELINE_SAMPLE if arithmetic.baseline and device.kind == "cpu" and not full else None)
        found.checks.extend((name, *check) for check in _checks(queue, arithmetic, recurrence, sampled))
    return found


def _checks(
    queue: cl.CommandQueue, arithmetic: Arithmetic, recurrence: ParkMiller, sample: int | None
) -> Iterator[tuple[str, int, Check]]:
    """Yield the title, the number of cases and the check itself of each check of one arithmetic."""
    yield "published values", len(published_rows(arithmetic)), published_values(queue, arithmetic)
    if arithmetic.digits is not None:
        cases = 2 * len(digit_cases(_bounds(arithmetic, recurrence)))
        yield "digit bounds", cases, digit_limits(queue, arithmetic, recurrence)
    states = sum(n for _, n in pieces(recurrence.modulus, sample))
    yield "steps", states, every_step(queue, arithmetic, recurrence, sample)
    if sample is None and recurrence.period == states:
        yield "full period", states, distinct_values(queue, arithmetic, recurrence, states)


def finish(check: Check, advance: Callable[[int], None]) -> Finding:
    """Run `check` to its end, telling `advance` of every piece done, and return what it found."""
    try:
        while True:
            advance(next(check))
    except StopIteration as end:
        found: Finding = end.value
        return found
