"""Prove on a device that an arithmetic is exact: published values and digests, every state, digits, the period.

States too many to try them all are tried at both ends of every word and between, and so are pieces of the stream.

Each check yields how many of its cases it has done since it last said so, and returns what it found.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl

from clrng.frontends.generator import Generator
from clrng.frontends.streams import Streams
from clrng.generators import MT19937, MT19937_64, BitGenerator, MRG32k3a, ParkMiller, RANLUXpp
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.catalog import named
from clrng.generators.families import code_for, select, why_not
from clrng.generators.generator_code import GeneratorCode
from clrng.opencl.devices import DeviceInfo, describe
from clrng.quality import digests, verify_states
from clrng.quality.checks import CheckResult, CheckSteps

PUBLISHED: list[tuple[BitGenerator, int, int, str]] = [
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
    (RANLUXpp(), 69, 49145148745150, "ROOT, RanluxppEngine2048"),
]
"""A generator, a position, the value there, and where it is published."""


def published_rows(code: GeneratorCode) -> list[tuple[BitGenerator, int, int, str]]:
    """Return the rows of `PUBLISHED` that say whether `code` is right."""
    return [row for row in PUBLISHED if code.shares_values(row[0])]


def published_values(queue: cl.CommandQueue, code: GeneratorCode) -> CheckSteps:
    """Draw the values of `published_rows`."""
    wrong = []
    rows = published_rows(code)
    for generator, position, expected, origin in rows:
        rng = Generator(generator.jumped(max(position - 1000, 0)), queue, code.arithmetic.name)
        found = int(rng.random_raw(min(position, 1000)).get()[-1])
        if found != expected:
            wrong.append(f"value {position} of {generator!r} is {found}, not {expected} ({origin})")
        yield 1
    detail = "; ".join(wrong) or "; ".join(dict.fromkeys(row[3] for row in rows))
    return CheckResult("published values", len(rows), not wrong, detail)


def chosen_states(bit_generator: BitGenerator, count: int) -> npt.NDArray[Any]:
    """Return at most `count` legal states: of every word the ends, the middle and what is next to them, then others.

    The others are those of the stream itself, far from one another, so that the same are chosen everywhere.
    """
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
    """Return `count` positions of the stream: the beginning, and ever farther on, up to 10^18."""
    return [0, *(10**18 * i**5 // count**5 + i for i in range(1, count))] if bit_generator.reversible else [0]


def far_pieces(queue: cl.CommandQueue, code: GeneratorCode, count: int, length: int) -> CheckSteps:
    """Draw `length` values at each of `count` places, and compare with the recurrence in Python's integers."""
    astray = []
    found = places(code.recurrence, count)
    for place in found:
        at = code.recurrence.jumped(place)
        expected = at.sequence(length)
        if not np.array_equal(Generator(at, queue, code.arithmetic.name).random_raw(length).get(), expected):
            astray.append(place)
        yield length
    detail = f"wrong at positions {astray}" if astray else f"{len(found)} places up to position {found[-1]}"
    return CheckResult("far pieces", len(found) * length, not astray, detail)


def stretches(n: int) -> dict[int, int]:
    """Return the places of a long piece of `n` values, `LENGTH` or more, that are compared, and how many at each.

    They are even apart; and those at its end are followed by as many of the next piece.
    """
    return {i * n // PLACES: LENGTH for i in range(PLACES)} | {n - LENGTH: 2 * LENGTH}


def long_piece(queue: cl.CommandQueue, code: GeneratorCode, n: int) -> CheckSteps:
    """Draw `n` values at once, so many that they are made in blocks, and compare those of `stretches`.

    The last ones are followed by others in a second call, which goes on where the first ended on the device.
    """
    rng = Generator(code.recurrence.copy(), queue, code.arithmetic.name)
    drawn = rng.random_raw(n)
    values = np.concatenate([drawn.get(), rng.random_raw(LENGTH).get()])
    astray, compared = [], stretches(n)
    for place, length in compared.items():
        if not np.array_equal(values[place : place + length], code.recurrence.jumped(place).sequence(length)):
            astray.append(place)
        yield length
    detail = f"wrong at positions {sorted(astray)}" if astray else f"{len(compared)} places of {n} values"
    return CheckResult("long piece", sum(compared.values()), not astray, detail)


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
    checks : list of (str, str, int, CheckSteps)
        Arithmetic, title, number of cases and the check itself, not yet begun.
    """

    device: DeviceInfo
    skipped: dict[str, str]
    checks: list[tuple[str, str, int, CheckSteps]]


CHOSEN, PLACES, LENGTH = 2**14, 32, 2**11
"""How many states are chosen and stepped, and the places and lengths of pieces; less for large orders."""


def jobs(
    queue: cl.CommandQueue,
    names: Sequence[str],
    bit_generator: BitGenerator,
    sample: int | None = None,
    full: bool = False,
) -> Jobs:
    """Return the checks of the arithmetics `names`, or of every one that is exact if there are none.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    names : sequence of str
    bit_generator : BitGenerator
        Its full period is run only if that is every state.
    sample : int, optional
        Try about this many states, or all if there are fewer, and no full period.
    full : bool, optional
        Whether published baselines are tried in full on a CPU too.

    Raises
    ------
    UnsupportedError
        If one of `names` is not exact here.
    """
    device = describe(queue.device)
    found, entry = Jobs(device, {}, []), digests.entry_of(bit_generator)
    for name in names or ARITHMETICS:
        reason = why_not(name, device, bit_generator)
        if reason is not None:
            if names:
                select(name, device, bit_generator)  # raises
            found.skipped[name] = reason
            continue
        code = code_for(bit_generator, ARITHMETICS[name])
        baseline = code.arithmetic.baseline and device.kind == "cpu" and not full
        if entry is not None:
            values = digests.LENGTH * len(entry.drawn_on(device))
            found.checks.append((name, digests.TITLE, values, digests.compared(queue, entry, name)))
        found.checks.extend(
            (name, *check) for check in _checks(queue, code, sample or (BASELINE_SAMPLE if baseline else None))
        )
    return found


def _checks(queue: cl.CommandQueue, code: GeneratorCode, sample: int | None) -> Iterator[tuple[str, int, CheckSteps]]:
    """Yield the title, the number of cases and the check itself of each check of one recurrence in one arithmetic."""
    bit_generator = code.recurrence
    published = len(published_rows(code))
    if published:
        yield "published values", published, published_values(queue, code)
    if code.digits is not None:
        cases = 2 * len(verify_states.digit_cases(code.digits))
        yield "digit bounds", cases, verify_states.digit_limits(queue, code)
    if code.plain_step is None:
        count = max(min(sample or CHOSEN, CHOSEN) // bit_generator.order, 128)
        yield "chosen steps", count, chosen_steps(queue, code, count)
        lagged = code.fill_strategy == "lagged"
        length = 2 * bit_generator.order + LENGTH if lagged else LENGTH // bit_generator.order
        yield "far pieces", len(places(bit_generator, PLACES)) * length, far_pieces(queue, code, PLACES, length)
        if lagged:
            n = max(min(2**10 * max(bit_generator.order, 2**8), sample or 2**24), LENGTH)
            yield "long piece", sum(stretches(n).values()), long_piece(queue, code, n)
        return
    low, high = bit_generator.word_limits[0]
    states = sum(n for _, n in verify_states.pieces(low, high, sample))
    yield "steps", states, verify_states.every_step(queue, code, sample)
    values = bit_generator.upper_bound - bit_generator.min_value
    if sample is None and bit_generator.period == states <= values:  # each state gives a value of its own
        yield "full period", states, verify_states.distinct_values(queue, code, states)
