"""Run the short battery on every named generator: on its stream, and on streams by jumps and by leapfrog.

Of the stream it finds the fewest words, a power of four, of which a test fails; once of all bits of raw values, and
once of the 24 bits that a uniform float32 has of them.
"""

import time
from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
from harness.common import Results, arguments, attempt, run

import clrng
from clrng.quality import short_battery
from clrng.quality.batteries import FAR
from clrng.quality.short_battery import FAIL, SUSPICIOUS, Result
from clrng.quality.tested_words import MAX_BITS, MIN_WORDS, words_of

SOME = ("randu", "lfg_418_1279")
"""The generators of --quick."""

STREAMS, WORDS_OF_STREAMS = 8, 2**18
"""How many streams are compared, and the words of all of them together."""

FLOAT_BITS = 24
"""The bits of raw values that a uniform float32 has."""


def drawn(bits: clrng.BitGenerator, queue: cl.CommandQueue, count: int) -> npt.NDArray[Any]:
    """Return the next `count` raw values of `bits`, which stays where it is."""
    return np.asarray(clrng.Generator(bits.copy(), queue).random_raw(count).get())


def told(results: Iterable[Result], words: int) -> dict[str, Any]:
    """Return a row of results: the verdict, the worst test, and the tests that did not pass."""
    every = list(results)
    worst = min(every, key=lambda found: found.p)
    return {
        "words": words,
        "verdict": worst.verdict,
        "worst": {"test": worst.test, "p": worst.p, "detail": worst.detail},
        "not_passed": {found.test: found.p for found in every if found.verdict != "pass"},
    }


def stream(bits: clrng.BitGenerator, queue: cl.CommandQueue, most: int, highest: int) -> dict[str, Any]:
    """Return rows of the first words of the stream, four times as many each, until one fails or `most` are tested.

    Of words with more bits than `highest` that many of the most significant ones are tested.
    """
    rows: list[dict[str, Any]] = []
    count, width, failed = MIN_WORDS, 0, False
    while count <= most and not failed:
        words, width = words_of(drawn(bits, queue, count), bits.upper_bound)
        words, width = words >> np.uint64(max(0, width - highest)), min(width, highest)
        rows.append(told(short_battery.run(words, width), count))
        failed = rows[-1]["verdict"] == "fail"
        count *= 4
    return {"bits": width, "fails_at": rows[-1]["words"] if failed else None, "sizes": rows}


def jumped(bits: clrng.BitGenerator, queue: cl.CommandQueue, words: int) -> dict[str, Any]:
    """Return the row of streams that begin a jump of the default distance apart."""
    starts = [bits]
    while len(starts) < STREAMS:
        starts.append(starts[-1].jumped(FAR if bits.period is None else None))
    values = np.stack([drawn(start, queue, words // STREAMS) for start in starts])
    return told(short_battery.between_streams(*words_of(values, bits.upper_bound)), words)


def leapfrog(bits: clrng.BitGenerator, queue: cl.CommandQueue, words: int) -> dict[str, Any]:
    """Return the row of streams that the stream is dealt out to, value by value: of the first, and of all of them.

    Interleaved they are the stream itself, which is tested already.
    """
    every, width = words_of(drawn(bits, queue, words * STREAMS).reshape(-1, STREAMS).T, bits.upper_bound)
    first = short_battery.run(every[0], width)
    between = short_battery.between_streams(every[:, : words // STREAMS], width, interleaved=False)
    return told([*first, *between], words)


def row(name: str, queue: cl.CommandQueue, most: int) -> dict[str, Any]:
    """Return what is found of a named generator with the least legal seed from 1 on."""
    seed = max(1, clrng.NAMED[name].seeds[0])
    bits, began = clrng.named(name, seed), time.perf_counter()
    together = min(most, WORDS_OF_STREAMS)
    return {
        "seed": seed,
        "raw": stream(bits, queue, most, MAX_BITS),
        "float32": stream(bits, queue, most, FLOAT_BITS),
        "jumped": jumped(bits, queue, together),
        "leapfrog": leapfrog(bits, queue, together),
        "seconds": round(time.perf_counter() - began, 1),
    }


def main() -> None:
    """Test, and print a line for each generator."""
    options = arguments(
        __doc__,
        words={"type": int, "default": 2**22, "help": "the most words of a stream, at least 2^16"},
        names={"help": "generators of clrng.NAMED, with commas between them; by default all"},
    )
    names = options.names.split(",") if options.names else SOME if options.quick else list(clrng.NAMED)
    if unknown := set(names) - set(clrng.NAMED):
        raise ValueError(f"--names must be of clrng.NAMED, not {', '.join(sorted(unknown))}")
    if options.words < MIN_WORDS:
        raise ValueError(f"--words must be at least {MIN_WORDS}, not {options.words}")
    most = MIN_WORDS if options.quick else options.words
    queue = clrng.make_queue(options.device)
    limits = {"fail": FAIL, "suspicious": SUSPICIOUS}
    results = Results(options, "short_battery", queue, most_words=most, streams=STREAMS, p_below=limits)
    for name in names:
        found = attempt(results, name, partial(row, name, queue, most))
        if found is not None:
            results.add(name, found)
            fails = (f"{what} {found[what]['fails_at'] or 'never'}" for what in ("raw", "float32"))
            streams = (f"{what} {found[what]['verdict']}" for what in ("jumped", "leapfrog"))
            print(f"{name}: fails at words: {', '.join(fails)}; streams: {', '.join(streams)}", flush=True)
    results.close()


if __name__ == "__main__":
    run(main)
