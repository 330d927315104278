"""Prove on a device that an arithmetic is exact: published values, every state, the digits at their bounds, the period.

States too many to try them all are tried at both ends of every word and between, and so are pieces of the stream.

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
from clrng.arithmetic import ARITHMETICS, Arithmetic, is_multiplicative, select, why_not
from clrng.devices import DeviceInfo, describe
from clrng.distributions import RAW
from clrng.forms import Form, form_of
from clrng.generator import Generator
from clrng.plan import LONGEST_LOOP
from clrng.recurrences import LCG, BitGenerator, LaggedFibonacci, MRG32k3a, ParkMiller
from clrng.streams import Streams

CHUNK = 2**26
"""States of one launch."""

PUBLISHED: list[tuple[BitGenerator, int, int, str]] = [
    (ParkMiller(1), 1, 16807, "Park and Miller 1988"),
    (ParkMiller(1), 10_000, 1043618065, "Park and Miller 1988, p. 1195; C++ [rand.predef] minstd_rand0"),
    (ParkMiller(1), 1_000_000, 1227283347, "R. Whittle's rand31 table"),
    (ParkMiller(1), 2147483646, 1, "the period of a primitive root"),
    (ParkMiller(1, 48271), 10_000, 399268537, "C++ [rand.predef] minstd_rand"),
    (ParkMiller(1, 48271), 1_000_000, 1263606197, "C++ minstd_rand"),
    (LCG.named("numerical_recipes", 0), 11, 0xCBF633B1, "Numerical Recipes in C, 1992, p. 284"),
    (LCG.named("mmix", 1), 2, 9396908728118811419, "Knuth, MMIX"),
    (LCG.named("lrand48", 0), 3, 206956554, "POSIX lrand48"),
    (LCG.named("glibc_type_3", 1), 6, 424238335, "GNU C Library, random() after srandom(1)"),
    (LCG.named("knuth_ran_array_2002", 310952), 2009 * 1009 + 1, 995235265, "Knuth, vol. 2, section 3.6"),
    (MRG32k3a(), 5, 951893194, "L'Ecuyer 1999"),
    (MRG32k3a(), 10_000, 878310219, "L'Ecuyer 1999"),
]
"""A generator, a position, the value there, and where it is published."""


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


def _kernel(queue: cl.CommandQueue, form: Form, width: int, name: str, types: list[Any]) -> program.Kernel:
    recurrence = form.recurrence
    congruential = isinstance(recurrence, LCG) and recurrence.modulus <= 2**32
    values = {
        "multiplier": recurrence.multiplier if isinstance(recurrence, LCG) else 0,
        "increment": recurrence.increment if isinstance(recurrence, LCG) else 0,
        "modulus": recurrence.modulus,
        "congruential": congruential,
        "digits": is_multiplicative(recurrence) and form.arithmetic.digits is not None,
    }
    text = source.kernel("verify.cl.mako", form, RAW, width, values)
    return program.Kernel(queue.context, text, name, types)


def published_rows(recurrence: BitGenerator, arithmetic: Arithmetic) -> list[tuple[BitGenerator, int, int, str]]:
    """Return the rows of `PUBLISHED` for `recurrence`; of multiplicative ones, all that the arithmetic is exact for."""
    if is_multiplicative(recurrence):
        return [row for row in PUBLISHED if isinstance(row[0], ParkMiller) and row[0].multiplier <= arithmetic.limit]
    return [row for row in PUBLISHED if row[0].parameters == recurrence.parameters]


def published_values(queue: cl.CommandQueue, form: Form) -> Check:
    """Draw the values of `published_rows`."""
    wrong = []
    rows = published_rows(form.recurrence, form.arithmetic)
    for generator, position, expected, origin in rows:
        rng = Generator(generator.jumped(max(position - 1000, 0)), queue, form.arithmetic.name)
        found = int(rng.random_raw(min(position, 1000)).get()[-1])
        if found != expected:
            wrong.append(f"value {position} of {generator!r} is {found}, not {expected} ({origin})")
        yield 1
    detail = "; ".join(wrong) or "; ".join(dict.fromkeys(row[3] for row in rows))
    return Finding("published values", len(rows), not wrong, detail)


def chosen_states(recurrence: BitGenerator, count: int) -> npt.NDArray[Any]:
    """Return at most `count` legal states: of every word the ends, the middle and what is next to them, then others.

    The others are those of the stream itself, far from one another, so that the same are chosen everywhere.
    """
    rng = np.random.Generator(np.random.PCG64(0))
    columns = []
    for low, high in recurrence.word_limits:
        middle = (low + high) // 2
        ends = [low, low + 1, middle - 1, middle, middle + 1, high - 1, high]
        powers = [2**k + d for k in range(high.bit_length()) for d in (-1, 0, 1)]
        legal = [word for word in ends + powers if low <= word <= high]
        columns.append(rng.choice(np.array(legal, np.uint64), count // 2))
    rows = np.stack(columns, 1).astype(recurrence.word_dtype)
    if isinstance(recurrence, LaggedFibonacci) and recurrence.op == "*":
        rows |= rows.dtype.type(1)
    far = [recurrence.after(recurrence.words, i * 0x9E3779B97F4A7C15) for i in range(64)]
    walked = [row for words in far for row in _walk(recurrence, words, count // 128)]
    states = np.concatenate([rows, np.array(walked, recurrence.word_dtype)])
    while (bad := recurrence.bad_states(states)) is not None:
        states = np.delete(states, bad[0], axis=0)
    return states


def _walk(recurrence: BitGenerator, words: tuple[int, ...], n: int) -> Iterator[tuple[int, ...]]:
    for _ in range(n):
        words = recurrence.step(words)
        yield words


def chosen_steps(queue: cl.CommandQueue, form: Form, count: int) -> Check:
    """Step `chosen_states` on the device, and compare states and values with the recurrence in Python's integers."""
    recurrence = form.recurrence
    states = chosen_states(recurrence, count)
    streams = Streams(recurrence, states if form.order > 1 else states[:, 0], 1, queue, form.arithmetic.name)
    values = streams.random_raw(1).get()[0]
    after = streams.states.reshape(len(states), form.order)
    wrong: list[Any] = []
    for state, found, value in zip(states.tolist(), after.tolist(), values.tolist(), strict=True):
        expected = recurrence.step(tuple(state))
        if tuple(found) != expected or value != recurrence.value(expected):
            wrong.append(state)
    yield len(states)
    detail = f"{len(wrong)} states step wrongly, such as {wrong[0]}" if wrong else "ends, powers of two and others"
    return Finding("chosen steps", len(states), not wrong, detail)


def places(recurrence: BitGenerator, count: int) -> list[int]:
    """Return `count` positions of the stream: the beginning, and ever farther on, up to 10^18."""
    return [0, *(10**18 * i**5 // count**5 + i for i in range(1, count))] if recurrence.reversible else [0]


def far_pieces(queue: cl.CommandQueue, form: Form, count: int, length: int) -> Check:
    """Draw `length` values at each of `count` places, and compare with the recurrence in Python's integers."""
    astray = []
    found = places(form.recurrence, count)
    for place in found:
        at = form.recurrence.jumped(place)
        expected = at.sequence(length)
        if not np.array_equal(Generator(at, queue, form.arithmetic.name).random_raw(length).get(), expected):
            astray.append(place)
        yield length
    detail = f"wrong at positions {astray}" if astray else f"{len(found)} places up to position {found[-1]}"
    return Finding("far pieces", len(found) * length, not astray, detail)


def long_piece(queue: cl.CommandQueue, form: Form, n: int) -> Check:
    """Draw `n` values at once, so many that they are made in blocks, and compare some at `PLACES` places.

    The last ones are followed by others in a second call, which goes on where the first ended on the device.
    """
    rng = Generator(form.recurrence.jumped(0), queue, form.arithmetic.name)
    drawn = rng.random_raw(n)
    values = np.concatenate([drawn.get(), rng.random_raw(LENGTH).get()])
    astray = []
    for place in sorted({n - LENGTH, *(i * n // PLACES for i in range(PLACES))}):
        length = 2 * LENGTH if place == n - LENGTH else LENGTH
        if not np.array_equal(values[place : place + length], form.recurrence.jumped(place).sequence(length)):
            astray.append(place)
        yield length
    detail = f"wrong at positions {astray}" if astray else f"{PLACES} places of {n} values"
    return Finding("long piece", (PLACES + 2) * LENGTH, not astray, detail)


def pieces(low: int, high: int, sample: int | None) -> list[tuple[int, int]]:
    """Return ranges (first, number) of the states from `low` to `high`: all, or 64 even pieces with both ends."""
    states = high - low + 1
    if sample is None or sample >= states:
        return [(first, min(CHUNK, high + 1 - first)) for first in range(low, high + 1, CHUNK)]
    length = max(sample // 64, 1)
    return [(low + (states - length) * i // 63, length) for i in range(64)]


def every_step(queue: cl.CommandQueue, form: Form, sample: int | None) -> Check:
    """Step every state, or `sample` of them, and compare with the remainder of the 64-bit integer product and sum."""
    device = describe(queue.device)
    width = form.widest if device.kind == "cpu" else 1
    kernel = _kernel(queue, form, width, "check_steps", [np.uint32, np.uint32, np.uint32, None])
    low, high = form.recurrence.word_limits[0]
    wrong = cases = left_out = 0
    least = 2**32 - 1
    for first, n in pieces(low, high, sample):
        report = cla.to_device(queue, np.array([0, 2**32 - 1, 0], np.uint32))
        items, each = _split(device, n, width)
        kernel(queue, items, None, first, n, each, report.data)
        found = [int(number) for number in report.get()]
        wrong, least, cases, left_out = (
            wrong + found[0],
            min(least, found[1]),
            cases + found[2],
            left_out + n - found[2],
        )
        yield n
    every = "every state" if cases == high - low + 1 else "a sample of the states, both ends in it"
    detail = f"{wrong} states step wrongly, the least is {least}" if wrong else every
    if left_out:
        detail = f"{left_out} states were not stepped at all; {detail}"
    return Finding("steps", cases, wrong == left_out == 0, detail)


def _split(device: DeviceInfo, n: int, width: int) -> tuple[int, int]:
    """Return the work-items for `n` states and the states, a multiple of `width`, of each."""
    items = 64 * device.units if device.kind == "cpu" else 2048 * device.units
    each = min(-(-n // (items * width)), LONGEST_LOOP // (2 * width)) * width  # a lane takes two turns
    return -(-n // each), each


def distinct_values(queue: cl.CommandQueue, form: Form, total: int) -> Check:
    """Draw `total` values and mark each in a bitmap: none may occur twice or lie outside.

    The last value of every piece must be the state that the jump on the host gives there, so the order is seen too;
    after the full period, all states, that is the seed.
    """
    device, recurrence = describe(queue.device), form.recurrence
    kernel = _kernel(queue, form, 1, "mark_values", [None, *[np.uint32] * 4, None, None])
    rng = Generator(recurrence.jumped(0), queue, form.arithmetic.name)
    values = cla.Array(queue, min(CHUNK, total), np.uint32)
    low, high = recurrence.word_limits[0]
    bitmap = cla.zeros(queue, (high >> 5) + 1, np.uint32)
    counts = np.zeros(3, np.int64)
    astray = 0
    for first in range(0, total, CHUNK):
        n = min(CHUNK, total - first)
        rng.random_raw(out=values[:n])
        items, each = _split(device, n, 1)
        report = cla.zeros(queue, 3, np.uint32)
        kernel(queue, items, None, values.data, n, each, low, high, bitmap.data, report.data)
        counts += report.get()
        astray += int(values[n - 1].get()) != rng.bit_generator.words[0]
        yield n
    twice, outside, marked = (int(number) for number in counts)
    passed = twice == outside == astray == 0 and marked == total
    detail = (
        f"{marked} marked, {twice} twice, {outside} outside, {astray} pieces end at another state than a jump there"
    )
    if passed:
        full = total == high - low + 1 and rng.bit_generator.words == recurrence.words
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


def digit_limits(queue: cl.CommandQueue, form: Form) -> Check:
    """Step residues whose digits are as large as they can get, balanced or not, in scalars and in vectors.

    A step treats the two digits apart, so every l with h = 0 and every h with l = 0 prove the splitting of each;
    the largest together prove the sums. The digits that come out must lie within the same bounds again.
    """
    bounds, recurrence = _bounds(form), form.recurrence
    multiplier = form.stride(1)[0]
    digits = digit_cases(bounds)
    h, low = digits.T.astype(np.int64)
    expected = (h * 2**16 + low) * multiplier % recurrence.modulus
    nonzero = expected != 0  # a residue of 0 is no state; it may come out as 0 or as m
    wrong, largest = 0, np.zeros(2)
    for width in (1, form.widest):
        kernel = _kernel(queue, form, width, "step_digits", [None] * 5)
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


def _bounds(form: Form) -> tuple[int, int]:
    if form.arithmetic.digits is None:
        raise ValueError(f"arithmetic must be one that computes with digits, not {form.arithmetic.name!r}")
    return form.arithmetic.digits(form.stride(1)[0])


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


CHOSEN, PLACES, LENGTH = 2**14, 32, 2**11
"""How many states are chosen and stepped, and the places and lengths of pieces; less for large orders."""


def jobs(
    queue: cl.CommandQueue,
    names: Sequence[str],
    recurrence: BitGenerator,
    sample: int | None = None,
    full: bool = False,
) -> Jobs:
    """Return the checks of the arithmetics `names`, or of every one that is exact if there are none.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    names : sequence of str
    recurrence : BitGenerator
        Its full period is run only if that is every state.
    sample : int, optional
        Try about this many states, and no full period.
    full : bool, optional
        Whether published baselines are tried in full on a CPU too.

    Raises
    ------
    UnsupportedError
        If one of `names` is not exact here.
    """
    device = describe(queue.device)
    found = Jobs(device, {}, [])
    for name in names or ARITHMETICS:
        reason = why_not(name, device, recurrence)
        if reason is not None:
            if names:
                select(name, device, recurrence)  # raises
            found.skipped[name] = reason
            continue
        form = form_of(recurrence, ARITHMETICS[name])
        baseline = form.arithmetic.baseline and device.kind == "cpu" and not full
        found.checks.extend(
            (name, *check) for check in _checks(queue, form, sample or (BASELINE_SAMPLE if baseline else None))
        )
    return found


def _checks(queue: cl.CommandQueue, form: Form, sample: int | None) -> Iterator[tuple[str, int, Check]]:
    """Yield the title, the number of cases and the check itself of each check of one recurrence in one arithmetic."""
    recurrence = form.recurrence
    published = len(published_rows(recurrence, form.arithmetic))
    if published:
        yield "published values", published, published_values(queue, form)
    if is_multiplicative(recurrence) and form.arithmetic.digits is not None:
        yield "digit bounds", 2 * len(digit_cases(_bounds(form))), digit_limits(queue, form)
    if not isinstance(recurrence, LCG) or recurrence.modulus > 2**32:
        count = max(min(sample or CHOSEN, CHOSEN) // recurrence.order, 128)
        yield "chosen steps", count, chosen_steps(queue, form, count)
        lagged = isinstance(recurrence, LaggedFibonacci)
        length = 2 * recurrence.order + LENGTH if lagged else LENGTH // recurrence.order
        yield "far pieces", len(places(recurrence, PLACES)) * length, far_pieces(queue, form, PLACES, length)
        if lagged:
            n = min(2**10 * max(recurrence.order, 2**8), sample or 2**24)
            yield "long piece", (PLACES + 2) * LENGTH, long_piece(queue, form, n)
        return
    low, high = recurrence.word_limits[0]
    states = sum(n for _, n in pieces(low, high, sample))
    yield "steps", states, every_step(queue, form, sample)
    if sample is None and recurrence.period == states and recurrence.output is None:
        yield "full period", states, distinct_values(queue, form, states)


def finish(check: Check, advance: Callable[[int], None]) -> Finding:
    """Run `check` to its end, telling `advance` of every piece done, and return what it found."""
    try:
        while True:
            advance(next(check))
    except StopIteration as end:
        found: Finding = end.value
        return found
