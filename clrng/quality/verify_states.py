"""Check an arithmetic state by state: every step, the digits at their bounds, and a whole period."""

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import RAW
from clrng.fill.plan import LONGEST_LOOP
from clrng.frontends.generator import Generator
from clrng.generators import source
from clrng.generators.generator_code import GeneratorCode
from clrng.opencl import program
from clrng.opencl.devices import DeviceInfo, describe
from clrng.quality.checks import CheckResult, CheckSteps

CHUNK = 2**26
"""States of one launch."""


def kernel(queue: cl.CommandQueue, code: GeneratorCode, width: int, name: str) -> program.Kernel:
    """Return the kernel `name` of the checks for one recurrence in one arithmetic."""
    values = {"plain_step": code.plain_step, "digits": code.digits is not None}
    text = source.kernel("quality/verify.cl.mako", code, RAW, width, values)
    return program.Kernel(queue.context, text, name)


def pieces(low: int, high: int, sample: int | None) -> list[tuple[int, int]]:
    """Return ranges (first, number) of the states from `low` to `high`: all, or 64 even pieces with both ends."""
    states = high - low + 1
    if sample is None or sample >= states:
        return [(first, min(CHUNK, high + 1 - first)) for first in range(low, high + 1, CHUNK)]
    length = max(sample // 64, 1)
    return [(low + (states - length) * i // 63, length) for i in range(64)]


def every_step(queue: cl.CommandQueue, code: GeneratorCode, sample: int | None) -> CheckSteps:
    """Step every state, or `sample` of them, and compare with the step in plain integers."""
    device = describe(queue.device)
    width = code.max_vector_width if device.kind == "cpu" else 1
    launch = kernel(queue, code, width, "check_steps")
    low, high = code.recurrence.word_limits[0]
    wrong = cases = left_out = 0
    least = 2**32 - 1
    for first, n in pieces(low, high, sample):
        report = cla.to_device(queue, np.array([0, 2**32 - 1, 0], np.uint32))
        items, each = _split(device, n, width)
        launch(queue, items, None, first, n, each, report.data)
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
    return CheckResult("steps", cases, wrong == left_out == 0, detail)


def _split(device: DeviceInfo, n: int, width: int) -> tuple[int, int]:
    """Return the work-items for `n` states and the states, a multiple of `width`, of each."""
    items = 64 * device.units if device.kind == "cpu" else 2048 * device.units
    each = min(-(-n // (items * width)), LONGEST_LOOP // (2 * width)) * width  # a lane takes two turns
    return -(-n // each), each


def distinct_values(queue: cl.CommandQueue, code: GeneratorCode, total: int) -> CheckSteps:
    """Draw `total` values and mark each in a bitmap: none may occur twice or lie outside.

    The last value of every piece must be the state that the jump on the host gives there, so the order is seen too;
    after the full period, all states, that is the seed.
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
    """Return digits (h, l): every l with h = 0, every h with l = 0, and every h with both largest l."""
    most_h, most_l = bounds
    h, low = np.arange(-most_h, most_h + 1), np.arange(-most_l, most_l + 1)
    parts = [np.stack([np.zeros_like(low), low], 1), np.stack([h, np.zeros_like(h)], 1)]
    parts += [np.stack([h, np.full_like(h, end)], 1) for end in (-most_l, most_l)]
    parts += [np.stack([np.full_like(low, end), low], 1) for end in (-most_h, most_h)]
    return np.concatenate(parts).astype(np.float32)


def digit_limits(queue: cl.CommandQueue, code: GeneratorCode) -> CheckSteps:
    """Step residues whose digits are as large as they can get, balanced or not, in scalars and in vectors.

    A step treats the two digits apart, so every l with h = 0 and every h with l = 0 prove the splitting of each;
    the largest together prove the sums. The digits that come out must lie within the same bounds again.
    """
    most, bit_generator = code.digits, code.recurrence
    if most is None:
        raise ValueError(f"arithmetic must be one that computes with digits, not {code.arithmetic.name!r}")
    multiplier = code.stride(1)[0]
    digits = digit_cases(most)
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
    inside = bool((largest <= most).all())
    detail = f"|h| <= {most[0]}, |l| <= {most[1]} before and after a step"
    if wrong or not inside:
        detail = f"{wrong} digit pairs step wrongly; the largest come out as {largest.tolist()}, not within {detail}"
    return CheckResult("digit bounds", 2 * len(digits), wrong == 0 and inside, detail)
