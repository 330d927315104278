"""Which checks prove on a device that the arithmetics of a generator are exact."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyopencl as cl

from clrng.generators import BitGenerator
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import code_for, select, why_not
from clrng.generators.generator_code import GeneratorCode
from clrng.opencl.devices import DeviceInfo, describe
from clrng.opencl.traits import traits_of
from clrng.quality import checks, digests
from clrng.quality.checks import LENGTH, PLACES, CheckSteps

CHOSEN = 2**14
"""How many states are chosen and stepped; fewer of large orders."""

BASELINE_SAMPLE = 2**25
"""States of a published baseline that are tried on a CPU unless all are asked for."""


@dataclass(frozen=True)
class Jobs:
    """The checks to run: arithmetic, title, number of cases and the check itself, not yet begun.

    `skipped` has the arithmetics that are not exact here, and why.
    """

    device: DeviceInfo
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
        baseline = code.arithmetic.baseline and traits_of(device).family == "cpu" and not full
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
    if published := len(checks.published_rows(code)):
        yield "published values", published, checks.published_values(queue, code)
    if code.digits is not None:
        yield "digit bounds", 2 * len(checks.digit_cases(code.digits)), checks.digit_limits(queue, code)
    if code.plain_step is None:
        yield from _chosen_checks(queue, code, sample)
        return
    low, high = bit_generator.word_limits[0]
    states = sum(n for _, n in checks.pieces(low, high, sample))
    yield "steps", states, checks.every_step(queue, code, sample)
    values = bit_generator.upper_bound - bit_generator.min_value
    if sample is None and bit_generator.period == states <= values:  # each state gives a value of its own
        yield "full period", states, checks.distinct_values(queue, code, states)


def _chosen_checks(
    queue: cl.CommandQueue, code: GeneratorCode, sample: int | None
) -> Iterator[tuple[str, int, CheckSteps]]:
    """Yield the checks of a recurrence that has too many states to try them all."""
    order, lagged = code.recurrence.order, code.fill_strategy == "lagged"
    count = max(min(sample or CHOSEN, CHOSEN) // order, 128)
    yield "chosen steps", count, checks.chosen_steps(queue, code, count)
    length = 2 * order + LENGTH if lagged else LENGTH // order
    total = len(checks.places(code.recurrence, PLACES)) * length
    yield "far pieces", total, checks.far_pieces(queue, code, PLACES, length)
    if lagged:
        n = max(min(2**10 * max(order, 2**8), sample or 2**24), LENGTH)
        yield "long piece", sum(checks.stretches(n).values()), checks.long_piece(queue, code, n)
