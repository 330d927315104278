"""Checks on a device that an arithmetic is exact: published values, every state, digits, the period, far pieces.

Where there are too many states to try all, some are chosen: from both ends of every word, from its middle, and along
the stream. A check yields how many cases it has done since it last yielded, and returns what it found.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import RAW
from clrng.frontends.generator import Generator
from clrng.frontends.streams import Streams
from clrng.generators import (
    MT19937,
    MT19937_64,
    BitGenerator,
    CounterBased,
    MRG32k3a,
    ParkMiller,
    Philox,
    RANLUXpp,
    source,
)
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import code_for, named, select, why_not
from clrng.generators.generator_code import GeneratorCode
from clrng.opencl.devices import DeviceInfo, describe
from clrng.opencl.kernel import Kernel
from clrng.opencl.traits import LONGEST_LOOP, traits_of
from clrng.quality import digests
from clrng.quality.digests import CheckResult, CheckSteps

Values = npt.NDArray[Any]
Published = tuple[BitGenerator, int, int, str]

CHUNK = 2**26
"""States of one launch."""

CHOSEN = 2**14
"""How many states are chosen and stepped; fewer of large orders."""

BASELINE_SAMPLE = 2**25
"""States of a published baseline that are tried on a CPU unless all are asked for."""

PLACES, LENGTH = 32, 2**11
"""The number of pieces, and the length of each."""

PUBLISHED: list[Published] = [
    (ParkMiller(1), 1, 16807, "Park and Miller 1988"),
    (ParkMiller(1), 10_000, 1043618065, "Park and Miller 1988, p. 1195; C++ [rand.predef] minstd_rand0"),
    (ParkMiller(1), 1_000_000, 1227283347, "R. Whittle's rand31 table"),
    (ParkMiller(1), 2147483646, 1, "the period of a primitive root"),
    (ParkMiller(1, 48271), 10_000, 399268537, "C++ [rand.predef] minstd_rand"),
    (ParkMiller(1, 48271), 1_000_000, 1263606197, "C++ minstd_rand"),
    (named("numerical_recipes", 0), 11, 0xCBF633B1, "Numerical Recipes in C, 1992, p. 284"),
    (named("mmix", 1), 2, 9396908728118811419, "Knuth, MMIX"),
    (named("lrand48", 0), 3, 206956554, "POSIX lrand48"),
    (named("glibc_type_3", 1), 6, 424238335, "GNU C Library, random() after srandom(1)"),
    (named("knuth_ran_array_2002", 310952), 2009 * 1009 + 1, 995235265, "Knuth, vol. 2, section 3.6"),
    (MRG32k3a(), 5, 951893194, "L'Ecuyer 1999"),
    (MRG32k3a(), 10_000, 878310219, "L'Ecuyer 1999"),
    (MT19937(), 10_000, 4123659995, "C++ [rand.predef]"),
    (MT19937_64(), 10_000, 9981545732273789042, "C++ [rand.predef]"),
    (named("std_ranlux24_base", 19780503), 10_000, 7937952, "C++ [rand.predef]"),
    (named("std_ranlux48_base", 19780503), 10_000, 61839128582725, "C++ [rand.predef]"),
    (named("std_ranlux24", 19780503), 10_000, 9901578, "C++ [rand.predef]"),
    (named("std_ranlux48", 19780503), 10_000, 249142670248501, "C++ [rand.predef]"),
    (named("trng_yarn2", 1), 10_000, 950040746, "TRNG 4"),
    (named("trng_yarn3", 1), 10_000, 1193340821, "TRNG 4"),
    (named("trng_yarn3s", 1), 10_000, 2133715943, "TRNG 4"),
    (named("trng_yarn4", 1), 10_000, 1348877900, "TRNG 4"),
    (named("trng_yarn5", 1), 10_000, 1497347807, "TRNG 4"),
    (named("trng_yarn5s", 1), 10_000, 1230188384, "TRNG 4"),
    (Philox(key=0, counter=2**256 - 1), 4, 0x7E68B68AEC7BA23B, "Random123, kat_vectors"),
    (named("std_philox4x32", 20111115), 10_000, 1955073260, "C++26 [rand.predef]"),
    (named("std_philox4x64", 20111115), 10_000, 3409172418970261260, "C++26 [rand.predef]"),
    (CounterBased("threefry2x32", key=0), 2, 0x99BA4EFE, "Random123, kat_vectors"),
    (CounterBased("threefry4x32", key=0), 4, 0x5256A7D8, "Random123, kat_vectors"),
    (CounterBased("threefry2x64", key=0), 2, 0x6F81ED42F350084D, "Random123, kat_vectors"),
    (CounterBased("threefry4x64", key=0), 4, 0xEE29EC846BD2E40B, "Random123, kat_vectors"),
    (CounterBased("chacha", key=0), 1, 0xADE0B876, "RFC 8439, appendix A.1"),
    (RANLUXpp(), 69, 49145148745150, "ROOT, RanluxppEngine2048"),
]
"""A generator, a position, the value there, and where it is published."""


def published_values(queue: cl.CommandQueue, code: GeneratorCode, rows: list[Published]) -> CheckSteps:
    """Draw the values of rows of `PUBLISHED`, and compare them."""
    wrong = []
    for generator, position, expected, origin in rows:
        rng = Generator(generator.jumped(max(position - 1000, 0)), queue, code.arithmetic.name)
        found = int(rng.random_raw(min(position, 1000)).get()[-1])
        if found != expected:
            wrong.append(f"value {position} of {generator!r} is {found}, not {expected} ({origin})")
        yield 1
    detail = "; ".join(wrong) or "; ".join(dict.fromkeys(row[3] for row in rows))
    return CheckResult("published values", len(rows), not wrong, detail)


def chosen_states(bit_generator: BitGenerator, count: int) -> npt.NDArray[Any]:
    """Return up to `count` legal states, half with words near the ends, the middle or 2^k, half along the stream."""
    rng = np.random.Generator(np.random.PCG64(0))
    columns = []
    for low, high in bit_generator.word_limits:
        middle = (low + high) // 2
        ends = [low, low + 1, middle - 1, middle, middle + 1, high - 1, high]
        powers = [2**k + d for k in range(high.bit_length()) for d in (-1, 0, 1)]
        legal = [word for word in ends + powers if low <= word <= high]
        columns.append(rng.choice(np.array(legal, np.uint64), count // 2))
    rows = bit_generator.made_legal(np.stack(columns, 1).astype(bit_generator.word_dtype))
    far = [bit_generator.state_after(bit_generator.words, i * 0x9E3779B97F4A7C15) for i in range(64)]
    walked = [row for words in far for row in _walk(bit_generator, words, count // 128)]
    states = np.concatenate([rows, np.array(walked, bit_generator.word_dtype)])
    while (bad := bit_generator.bad_states(states)) is not None:
        states = np.delete(states, bad[0], axis=0)
    return states


def _walk(bit_generator: BitGenerator, words: tuple[int, ...], n: int) -> Iterator[tuple[int, ...]]:
    for _ in range(n):
        words = bit_generator.step(words)
        yield words


def chosen_steps(queue: cl.CommandQueue, code: GeneratorCode, count: int) -> CheckSteps:
    """Step `chosen_states` on the device, and compare states and values with the recurrence in Python's integers."""
    bit_generator = code.recurrence
    states = chosen_states(bit_generator, count)
    streams = Streams(bit_generator, states if code.order > 1 else states[:, 0], 1, queue, code.arithmetic.name)
    values = streams.random_raw(1).get()[0]
    after = streams.states.reshape(len(states), code.order)
    wrong: list[Any] = []
    for state, found, value in zip(states.tolist(), after.tolist(), values.tolist(), strict=True):
        expected = bit_generator.step(tuple(state))
        if tuple(found) != expected or value != bit_generator.value(expected):
            wrong.append(state)
    yield len(states)
    detail = f"{len(wrong)} states step wrongly, such as {wrong[0]}" if wrong else "ends, powers of two and others"
    return CheckResult("chosen steps", len(states), not wrong, detail)


def places(bit_generator: BitGenerator, count: int) -> list[int]:
    """Return `count` positions of the stream, from 0 ever farther on, up to 10^18; only 0 if it is not reversible."""
    return [0, *(10**18 * i**5 // count**5 + i for i in range(1, count))] if bit_generator.reversible else [0]


def _compared(title: str, pieces: Iterable[tuple[int, Values, Values]], right: str) -> CheckSteps:
    """Compare pieces, each with its position, the values of the recurrence in Python's integers and those drawn."""
    cases, astray = 0, []
    for place, expected, found in pieces:
        if not np.array_equal(found, expected):
            astray.append(place)
        cases += len(expected)
        yield len(expected)
    return CheckResult(title, cases, not astray, f"wrong at positions {sorted(astray)}" if astray else right)


def far_pieces(queue: cl.CommandQueue, code: GeneratorCode, count: int, length: int) -> CheckSteps:
    """Draw `length` values at each of `count` places."""
    found, name = places(code.recurrence, count), code.arithmetic.name
    starts = zip(found, map(code.recurrence.jumped, found), strict=True)
    drawn = ((place, at.sequence(length), Generator(at, queue, name).random_raw(length).get()) for place, at in starts)
    return (yield from _compared("far pieces", drawn, f"{len(found)} places up to position {found[-1]}"))


def stretches(n: int) -> dict[int, int]:
    """Return places in `n` values, evenly spaced, and how many to compare at each; the last go on beyond them."""
    return {i * n // PLACES: LENGTH for i in range(PLACES)} | {n - LENGTH: 2 * LENGTH}


def long_piece(queue: cl.CommandQueue, code: GeneratorCode, n: int) -> CheckSteps:
    """Draw `n` values at once, in blocks, and `LENGTH` more in a second call; compare those of `stretches`."""
    rng = Generator(code.recurrence.copy(), queue, code.arithmetic.name)
    drawn = rng.random_raw(n)
    values = np.concatenate([drawn.get(), rng.random_raw(LENGTH).get()])
    bits, compared = code.recurrence, stretches(n)
    parts = ((i, bits.jumped(i).sequence(length), values[i : i + length]) for i, length in compared.items())
    return (yield from _compared("long piece", parts, f"{len(compared)} places of {n} values"))


def kernel(queue: cl.CommandQueue, code: GeneratorCode, width: int, name: str) -> Kernel:
    """Return the kernel `name` of the checks for one recurrence in one arithmetic."""
    values = {"plain_step": code.plain_step, "digits": code.digits is not None}
    text = source.kernel("quality/verify.cl.mako", code, RAW, width, values)
    return Kernel(queue.context, text, name)


def pieces(low: int, high: int, sample: int | None) -> list[tuple[int, int]]:
    """Return ranges (first, number) of the states from `low` to `high`: all, or 64, evenly spaced from end to end."""
    states = high - low + 1
    if sample is None or sample >= states:
        return [(first, min(CHUNK, high + 1 - first)) for first in range(low, high + 1, CHUNK)]
    length = max(sample // 64, 1)
    return [(low + (states - length) * i // 63, length) for i in range(64)]


def every_step(queue: cl.CommandQueue, code: GeneratorCode, sample: int | None) -> CheckSteps:
    """Step every state, or `sample` of them, and compare with the step in plain integers."""
    device = describe(queue.device)
    width = code.max_vector_width if traits_of(device).in_vectors else 1
    launch = kernel(queue, code, width, "check_steps")
    low, high = code.recurrence.word_limits[0]
    wrong = cases = left_out = 0
    smallest = 2**32 - 1
    for first, n in pieces(low, high, sample):
        report = cla.to_device(queue, np.array([0, 2**32 - 1, 0], np.uint32))
        items, each = _split(device, n, width)
        launch(queue, items, None, first, n, each, report.data)
        more, first_wrong, stepped = (int(number) for number in report.get())
        wrong, smallest, cases = wrong + more, min(smallest, first_wrong), cases + stepped
        left_out += n - stepped
        yield n
    every = "every state" if cases == high - low + 1 else "a sample of the states, both ends in it"
    detail = f"{wrong} states step wrongly, the smallest is {smallest}" if wrong else every
    if left_out:
        detail = f"{left_out} states were not stepped at all; {detail}"
    return CheckResult("steps", cases, wrong == left_out == 0, detail)


def _split(device: DeviceInfo, n: int, width: int) -> tuple[int, int]:
    """Return the work-items for `n` states and the states, a multiple of `width`, of each."""
    items = (64 if traits_of(device).family == "cpu" else 2048) * device.units
    each = min(-(-n // (items * width)), LONGEST_LOOP // (2 * width)) * width  # a lane takes two turns
    return -(-n // each), each


def distinct_values(queue: cl.CommandQueue, code: GeneratorCode, total: int) -> CheckSteps:
    """Draw `total` values and mark each in a bitmap: none may occur twice or lie outside.

    The last value of every piece must be the state that a jump on the host gives there, so the order is checked too;
    after the full period that is the seed.
    """
    device, bit_generator = describe(queue.device), code.recurrence
    launch = kernel(queue, code, 1, "mark_values")
    rng = Generator(bit_generator.copy(), queue, code.arithmetic.name)
    values = cla.Array(queue, min(CHUNK, total), np.uint32)
    low, high = bit_generator.word_limits[0]
    bitmap = cla.zeros(queue, (high >> 5) + 1, np.uint32)
    counts = np.zeros(3, np.int64)
    astray = 0
    for first in range(0, total, CHUNK):
        n = min(CHUNK, total - first)
        rng.random_raw(out=values[:n])
        items, each = _split(device, n, 1)
        report = cla.zeros(queue, 3, np.uint32)
        launch(queue, items, None, values.data, n, each, low, high, bitmap.data, report.data)
        counts += report.get()
        astray += int(values[n - 1].get()) != rng.bit_generator.words[0]
        yield n
    twice, outside, marked = (int(number) for number in counts)
    passed = twice == outside == astray == 0 and marked == total
    detail = (
        f"{marked} marked, {twice} twice, {outside} outside, {astray} pieces end at another state than a jump there"
    )
    if passed:
        full = total == high - low + 1 and rng.bit_generator.words == bit_generator.words
        detail = "each state once, and back at the seed" if full else "no value twice"
    return CheckResult("full period", marked, passed, detail)


def digit_cases(bounds: tuple[int, int]) -> npt.NDArray[np.float32]:
    """Return digits (h, l): every l with h = 0 and both extreme h, and every h with l = 0 and both extreme l."""
    most_h, most_l = bounds
    h, low = np.arange(-most_h, most_h + 1), np.arange(-most_l, most_l + 1)
    parts = [np.stack([np.zeros_like(low), low], 1), np.stack([h, np.zeros_like(h)], 1)]
    parts += [np.stack([h, np.full_like(h, end)], 1) for end in (-most_l, most_l)]
    parts += [np.stack([np.full_like(low, end), low], 1) for end in (-most_h, most_h)]
    return np.concatenate(parts).astype(np.float32)


def digit_limits(queue: cl.CommandQueue, code: GeneratorCode) -> CheckSteps:
    """Step residues with digits as large as they can be, balanced or not, in scalars and in vectors.

    A step splits each digit by itself, which every l with h = 0 and every h with l = 0 prove; the largest digits
    together prove the sums. The digits of the result must lie within the same bounds.
    """
    bounds, bit_generator = code.digits, code.recurrence
    if bounds is None:
        raise ValueError(f"arithmetic must be one that computes with digits, not {code.arithmetic.name!r}")
    multiplier = code.stride(1)[0]
    digits = digit_cases(bounds)
    h, low = digits.T.astype(np.int64)
    expected = (h * 2**16 + low) * multiplier % bit_generator.modulus
    nonzero = expected != 0  # a residue of 0 is no state; it may come out as 0 or as m
    wrong, largest = 0, np.zeros(2)
    for width in (1, code.max_vector_width):
        launch = kernel(queue, code, width, "step_digits")
        padded = np.resize(digits, (-(-len(digits) // width) * width, 2))
        given = [cla.to_device(queue, np.ascontiguousarray(column)) for column in padded.T]
        stepped = [cla.zeros_like(column) for column in given]
        values = cla.zeros(queue, len(padded), np.uint32)
        launch(queue, len(padded) // width, None, *(array.data for array in (*given, *stepped, values)))
        wrong += int(np.count_nonzero((values.get()[: len(digits)] != expected) & nonzero))
        largest = np.maximum(largest, [np.abs(column.get()).max() for column in stepped])
        yield len(digits)
    inside = bool((largest <= bounds).all())
    detail = f"|h| <= {bounds[0]}, |l| <= {bounds[1]} before and after a step"
    if wrong or not inside:
        detail = f"{wrong} digit pairs step wrongly; the largest come out as {largest.tolist()}, not within {detail}"
    return CheckResult("digit bounds", 2 * len(digits), wrong == 0 and inside, detail)


class Jobs(NamedTuple):
    """Why arithmetics are skipped, and the checks to run: arithmetic, title, number of cases, and the steps to come."""

    skipped: dict[str, str]
    checks: list[tuple[str, str, int, CheckSteps]]


def jobs(
    queue: cl.CommandQueue,
    names: Sequence[str],
    bit_generator: BitGenerator,
    sample: int | None = None,
    full: bool = False,
) -> Jobs:
    """Return the checks of the arithmetics `names`, or of every exact one if there are no names.

    With `sample` about so many states are tried, and no full period. With `full` published baselines are tried in full
    on a CPU too. `UnsupportedError` is raised if one of `names` is not exact here.
    """
    device, entry, found = describe(queue.device), digests.entry_of(bit_generator), Jobs({}, [])
    for name in names or ARITHMETICS:
        reason = why_not(name, device, bit_generator)
        if reason is not None:
            if names:
                select(name, device, bit_generator)  # raises
            found.skipped[name] = reason
            continue
        code = code_for(bit_generator, ARITHMETICS[name])
        baseline = code.arithmetic.baseline and traits_of(device).family == "cpu" and not full
        if entry is not None:
            values = digests.LENGTH * len(entry.drawn_on(device))
            found.checks.append((name, digests.TITLE, values, digests.compared(queue, entry, name)))
        tried = sample or (BASELINE_SAMPLE if baseline else None)
        found.checks.extend((name, *check) for check in _checks(queue, code, tried))
    return found


def _checks(queue: cl.CommandQueue, code: GeneratorCode, sample: int | None) -> Iterator[tuple[str, int, CheckSteps]]:
    """Yield the title, the number of cases and the check itself of each check of one recurrence in one arithmetic."""
    bits = code.recurrence
    if rows := [row for row in PUBLISHED if code.shares_values(row[0])]:
        yield "published values", len(rows), published_values(queue, code, rows)
    if code.digits is not None:
        yield "digit bounds", 2 * len(digit_cases(code.digits)), digit_limits(queue, code)
    if code.plain_step is not None:
        low, high = bits.word_limits[0]
        states = sum(n for _, n in pieces(low, high, sample))
        yield "steps", states, every_step(queue, code, sample)
        if sample is None and bits.period == states <= bits.upper_bound - bits.min_value:  # values are as many
            yield "full period", states, distinct_values(queue, code, states)
        return
    lagged = code.fill_strategy == "lagged"
    count = max(min(sample or CHOSEN, CHOSEN) // bits.order, 128)
    yield "chosen steps", count, chosen_steps(queue, code, count)
    length = 2 * bits.order + LENGTH if lagged else LENGTH // bits.order
    yield "far pieces", len(places(bits, PLACES)) * length, far_pieces(queue, code, PLACES, length)
    if lagged:
        n = max(min(2**10 * max(bits.order, 2**8), sample or 2**24), LENGTH)
        yield "long piece", sum(stretches(n).values()), long_piece(queue, code, n)
