"""Prove on a device that an arithmetic is exact: published values, every state, the digits at their bounds, the period.

Each check yields how many of its cases it has done since it last said so, and returns what it found.
"""

from collections.abc import Callable, Sequence
from collections.abc import Generator as Steps
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng import program, source
from clrng.arithmetic import ARITHMETICS, Arithmetic, balanced, digit_bounds, float_form, select, why_not
from clrng.devices import DeviceInfo, describe
from clrng.distributions import RAW
from clrng.generator import Generator
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


def _program(arithmetic: Arithmetic, recurrence: ParkMiller, width: int) -> str:
    values = {
        "multiplier": recurrence.multiplier,
        "modulus": recurrence.modulus,
        "digits": arithmetic.name in ("float", "float-nofma"),
    }
    return source.kernel("verify.cl.mako", recurrence, arithmetic, RAW, width, values)


def published_values(queue: cl.CommandQueue, arithmetic: Arithmetic) -> Check:
    """Draw the values of `PUBLISHED` whose multiplier the arithmetic is exact for."""
    rows = [row for row in PUBLISHED if row[0] <= arithmetic.limit]
    wrong = []
    for multiplier, position, expected, origin in rows:
        recurrence = ParkMiller(seed=1, multiplier=multiplier).advance(max(position - 1000, 0))
        rng = Generator(recurrence, queue, arithmetic.name)
        found = int(rng.random_raw(min(position, 1000)).get()[-1])
        if found != expected:
            wrong.append(f"value {position} of multiplier {multiplier} is {found}, not {expected} ({origin})")
        yield 1
    return Finding("published values", len(rows), not wrong, "; ".join(wrong) or "Park and Miller, C++ standard")


def pieces(modulus: int, sample: int | None) -> list[tuple[int, int]]:
    """Return ranges (first, number) of states: all of them, or 64 even pieces with both ends, `sample` in all."""
    if sample is None or sample >= modulus - 1:
        return [(first, min(CHUNK, modulus - first)) for first in range(1, modulus, CHUNK)]
    length = max(sample // 64, 1)
    return [(1 + (modulus - 1 - length) * i // 63, length) for i in range(64)]


def every_step(queue: cl.CommandQueue, arithmetic: Arithmetic, recurrence: ParkMiller, sample: int | None) -> Check:
    """Step every state, or `sample` of them, and compare with the remainder of the 64-bit integer product."""
    device = describe(queue.device)
    width = arithmetic.widest if device.kind == "cpu" else 1
    kernel = program.Kernel(
        queue.context, _program(arithmetic, recurrence, width), "check_steps", [np.uint32, np.uint32, np.uint32, None]
    )
    report = cla.to_device(queue, np.array([0, 2**32 - 1], np.uint32))
    ranges = pieces(recurrence.modulus, sample)
    for first, n in ranges:
        items, each = _split(device, n, width)
        kernel(queue, items, None, first, n, each, report.data)
        queue.finish()
        yield n
    wrong, least = (int(number) for number in report.get())
    cases = sum(n for _, n in ranges)
    every = "every state" if cases == recurrence.modulus - 1 else "a sample of the states, both ends in it"
    detail = f"{wrong} states step wrongly, the least is {least}" if wrong else every
    return Finding("steps", cases, wrong == 0, detail)


def _split(device: DeviceInfo, n: int, width: int) -> tuple[int, int]:
    """Return the work-items for `n` states and the states, a multiple of `width`, of each."""
    items = 64 * device.units if device.kind == "cpu" else 2048 * device.units
    each = -(-n // items)
    each = -(-each // width) * width
    return -(-n // each), each


def full_period(queue: cl.CommandQueue, arithmetic: Arithmetic, recurrence: ParkMiller) -> Check:
    """Draw modulus - 1 values and mark each in a bitmap: none may occur twice or lie outside."""
    device = describe(queue.device)
    kernel = program.Kernel(
        queue.context,
        _program(arithmetic, recurrence, 1),
        "mark_values",
        [None, np.uint32, np.uint32, None, None],
    )
    rng = Generator(recurrence.jumped(0), queue, arithmetic.name)
    values = cla.Array(queue, CHUNK, np.uint32)
    bitmap = cla.zeros(queue, 2**26, np.uint32)
    report = cla.zeros(queue, 2, np.uint32)
    for first in range(0, recurrence.modulus - 1, CHUNK):
        n = min(CHUNK, recurrence.modulus - 1 - first)
        rng.random_raw(out=values[:n])
        items, each = _split(device, n, 1)
        kernel(queue, items, None, values.data, n, each, bitmap.data, report.data)
        queue.finish()
        yield n
    twice, outside = (int(number) for number in report.get())
    back = rng.bit_generator.word == recurrence.word
    passed = twice == outside == 0 and back
    detail = "each state once, and back at the seed" if passed else f"{twice} values twice, {outside} outside"
    return Finding("full period", recurrence.modulus - 1, passed, detail)


def digit_cases(bounds: tuple[int, int]) -> npt.NDArray[np.float32]:
    """Return digits (h, l): every l with h = 0, every h with l = 0, and every h with both largest l."""
    most_h, most_l = bounds
    h, low = np.arange(-most_h, most_h + 1), np.arange(-most_l, most_l + 1)
    parts = [np.stack([np.zeros_like(low), low], 1), np.stack([h, np.zeros_like(h)], 1)]
    parts += [np.stack([h, np.full_like(h, end)], 1) for end in (-most_l, most_l)]
    parts += [np.stack([np.full_like(low, end), low], 1) for end in (-most_h, most_h)]
    return np.concatenate(parts).astype(np.float32)


def step_bounds(arithmetic: Arithmetic, recurrence: ParkMiller) -> tuple[int, int]:
    """Return the largest abs(h) and abs(l) with which a step of a ``float`` arithmetic may begin."""
    if arithmetic.name == "float-nofma":
        return 16640, 33280
    short = digit_bounds(recurrence.multiplier)
    if short is not None:
        return short
    return 2**14, 2**15 + (abs(balanced(recurrence.multiplier)) + 1) // 2 + 64


def digit_limits(queue: cl.CommandQueue, arithmetic: Arithmetic, recurrence: ParkMiller) -> Check:
    """Step residues whose digits are as large as they can get, balanced or not.

    A step treats the two digits apart, so every l with h = 0 and every h with l = 0 prove the splitting of each;
    the largest together prove the sums. The digits that come out must lie within the same bounds again.
    """
    bounds = step_bounds(arithmetic, recurrence)
    digits = digit_cases(bounds)
    kernel = program.Kernel(queue.context, _program(arithmetic, recurrence, 1), "step_digits", [None, None, None])
    given = cla.to_device(queue, digits)
    stepped, values = cla.zeros_like(given), cla.zeros(queue, len(digits), np.uint32)
    kernel(queue, len(digits), None, given.data, stepped.data, values.data)
    h, low = digits.T.astype(np.int64)
    expected = (h * 2**16 + low) * recurrence.multiplier % recurrence.modulus
    nonzero = expected != 0  # a residue of 0 is no state; it may come out as 0 or as m
    wrong = int(np.count_nonzero((values.get() != expected) & nonzero))
    largest = np.abs(stepped.get()).max(axis=0)
    yield len(digits)
    inside = bool(largest[0] <= bounds[0] and largest[1] <= bounds[1])
    detail = f"|h| <= {bounds[0]}, |l| <= {bounds[1]} before and after a step"
    if wrong or not inside:
        detail = (
            f"{wrong} digit pairs step wrongly; the largest digits come out as {largest.tolist()}, not within {detail}"
        )
    return Finding("digit bounds", len(digits), wrong == 0 and inside, detail)


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
    skipped = {}
    for name in names or ARITHMETICS:
        reason = why_not(name, device, multiplier)
        if reason is not None and names:
            select(name, device, multiplier)
        if reason is not None:
            skipped[name] = reason
    checks: list[tuple[str, str, int, Check]] = []
    for name in names or ARITHMETICS:
        if name in skipped:
            continue
        arithmetic = ARITHMETICS[name]
        part = sample or (BASELINE_SAMPLE if arithmetic.baseline and device.kind == "cpu" and not full else None)
        states = part or recurrence.modulus - 1
        checks.append((name, "published values", len(PUBLISHED), published_values(queue, arithmetic)))
        if name == "float-nofma" or (name == "float" and float_form(multiplier) != "long"):
            checks.append((name, "digit bounds", 1, digit_limits(queue, arithmetic, recurrence)))
        checks.append((name, "steps", states, every_step(queue, arithmetic, recurrence, part)))
        if part is None and recurrence.period == recurrence.modulus - 1:
            checks.append((name, "full period", states, full_period(queue, arithmetic, recurrence)))
    return Jobs(device, skipped, checks)


def finish(check: Check, advance: Callable[[int], None]) -> Finding:
    """Run `check` to its end, telling `advance` of every piece done, and return what it found."""
    try:
        while True:
            advance(next(check))
    except StopIteration as end:
        found: Finding = end.value
        return found
