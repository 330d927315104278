"""Measure rates: fills, steps in registers and launches, beside the most a device can write.

Everything is timed with the host's clock around work that has finished, in rounds that measure one thing after the
other, so that a ratio compares what ran side by side.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import RAW
from clrng.errors import ClrngError
from clrng.fill.fill import Plan
from clrng.frontends.generator import Generator
from clrng.generators import BitGenerator, source
from clrng.generators.families import code_for, exact_arithmetics
from clrng.generators.generator_code import GeneratorCode
from clrng.opencl.devices import DeviceInfo, describe
from clrng.opencl.kernel import Kernel
from clrng.opencl.templates import prelude, render
from clrng.opencl.traits import LONGEST_LOOP, traits_of
from clrng.version import __version__

MIN_SECONDS = 0.02
"""The minimum seconds of one timing by default; short work is repeated to fill them."""

MAX_REPEATS = 4096

CHECKED = 1000
"""Values compared with the host's at the beginning, in the middle and at the end."""

SHOWN_WORDS = 8
"""The maximum number of words of a state that are shown."""

Rates = dict[str, dict[str, float]]
"""By what was measured: the median ``rate`` in values a second, the ``low``est and the ``high``est of the rounds, and
the median over the rounds of the ``ratio`` of the rate to the wall's of the same round, 0 where there is none."""


class Waiting(Protocol):
    """What waits until all work given to it has finished, as a queue does."""

    def finish(self) -> object:
        """Wait."""


class Work(NamedTuple):
    """What is measured: a call that makes so many values, or enqueues work that makes them, for which `queue` waits.

    By default that is the queue on which all else is measured. After all rounds `check` makes the values once more,
    into poisoned memory, and raises if they are wrong.
    """

    values: int
    call: Callable[[], object]
    queue: Waiting | None = None
    check: Callable[[], object] | None = None


def seconds(queue: Waiting, work: Callable[[], object], shortest: float = MIN_SECONDS) -> float:
    """Return the seconds of one `work`: the mean of several in a row, after one to warm up.

    Without the warm-up, what ran before would count too: on a CPU, a store past the caches took twice as long after a
    slow kernel as after itself. The several take at least `shortest` seconds together.
    """
    work()
    queue.finish()
    repeats = 1
    while True:
        begin = perf_counter()
        for _ in range(repeats):
            work()
        queue.finish()
        elapsed = perf_counter() - begin
        if elapsed >= shortest or repeats >= MAX_REPEATS:
            return elapsed / repeats
        repeats *= 4


def rounds(
    queue: Waiting,
    works: Mapping[str, Work],
    count: int,
    wall: str | None,
    shortest: float = MIN_SECONDS,
) -> Iterator[Rates]:
    """Measure all `works` in turn, `count` times; after each round yield the rates so far; ratios are to the `wall`."""
    rates: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(count):
        for name, work in works.items():
            rates[name].append(work.values / seconds(work.queue or queue, work.call, shortest))
        yield {name: _summary(found, rates[wall] if wall else None) for name, found in rates.items()}
    for work in works.values():
        if work.check is not None:
            work.check()


def _summary(found: list[float], walls: list[float] | None) -> dict[str, float]:
    ratio = median(a / b for a, b in zip(found, walls, strict=True)) if walls else 0.0
    return {"rate": median(found), "low": min(found), "high": max(found), "ratio": ratio}


def store_plans(device: DeviceInfo) -> list[Plan]:
    """Return the shapes of plain stores among which the fastest is the wall."""
    traits = traits_of(device)
    if traits.in_vectors:
        streams = (False, True) if traits.stores_past_caches else (False,)
        return [Plan(16, 1, interleaved, True, s, 32 * device.units, 1) for s in streams for interleaved in (1, 4)]
    group_size = min(256, device.device.max_work_group_size)
    return [Plan(1, 4, 1, False, False, 512 * device.units * n, group_size) for n in (1, 2, 4, 8)]


def store(queue: cl.CommandQueue, plan: Plan, out: cla.Array) -> Callable[[], object]:
    """Return a call that stores to the whole tiles of `out` and does nothing else."""
    text = prelude() + render(
        "bench/wall.cl.mako",
        width=plan.width,
        consecutive=plan.consecutive,
        interleaved=plan.interleaved,
        streaming=plan.streaming,
    )
    kernel = Kernel(queue.context, text, "wall")
    plan = replace(plan, group_size=min(plan.group_size, kernel.largest_group))
    tiles = out.size // plan.tile
    launch = plan.launch(tiles * plan.tile)
    return lambda: kernel(queue, launch.global_size, plan.group_size, out.data, tiles, *launch[1:])


def wall(queue: cl.CommandQueue, out: cla.Array, *, cached: bool = False) -> Callable[[], object]:
    """Return a call that fills `out` with the fastest plain store of `store_plans`; `cached`, not past the caches."""
    shapes = [plan for plan in store_plans(describe(queue.device)) if not (cached and plan.streaming)]
    calls = [store(queue, plan, out) for plan in shapes]
    return min(calls, key=lambda call: median(seconds(queue, call) for _ in range(5)))


def poison(out: Any) -> None:
    """Set every bit of a contiguous array of the host, of OpenCL or of CuPy."""
    if isinstance(out, cla.Array):
        held: Any = out  # which has a queue
        kernel = Kernel(held.queue.context, prelude() + render("bench/poison.cl.mako"), "poison")
        # a fill command fails beyond 2^31 bytes with NVIDIA's driver 580.159
        kernel.for_each(held.queue, -(-held.nbytes // 16), held.base_data, held.offset, held.nbytes).wait()
    else:
        out.view("uint8")[...] = 255


def pieces(out: Any, max_size: int = CHECKED) -> list[tuple[int, npt.NDArray[Any]]]:
    """Return the beginning, the middle and the end of an array, each with its place, as arrays of the host."""
    n = min(max_size, out.size)
    found = []
    for first in dict.fromkeys((0, (out.size - n) // 2, out.size - n)):
        part = out[first : first + n]
        found.append((first, part.get() if hasattr(part, "get") else part.copy()))
    return found


def check(bit_generator: BitGenerator, out: Any, who: str) -> None:
    """Raise `ClrngError` if the `pieces` of `out` are not the values of the host from `bit_generator` on."""
    for first, values in pieces(out):
        if not np.array_equal(values, bit_generator.jumped(first).sequence(values.size)):
            raise ClrngError(f"{bit_generator!r}: {who} gave wrong values near {first}")


def going_on(rng: Generator, out: cla.Array) -> Work:
    """Return the fill of `out` by `rng`, which goes on along its stream; its check raises as `check` does."""

    def once_more() -> None:
        begin = rng.bit_generator.copy()
        poison(out)
        rng.random_raw(out=out)
        check(begin, out, f"{rng.queue.device.name} in {rng.arithmetic}")

    return Work(out.size, lambda: rng.random_raw(out=out), None, once_more)


def filling(queue: cl.CommandQueue, bit_generator: BitGenerator, out: cla.Array, arithmetic: str = "auto") -> Work:
    """Return the fill of `out` with the next values of a bit generator's stream, after a first one that is checked."""
    work = going_on(Generator(bit_generator.copy(), queue, arithmetic), out)
    if work.check is not None:
        work.check()
    return work


def fills(queue: cl.CommandQueue, bit_generator: BitGenerator, nbytes: int, count: int) -> Iterator[Rates]:
    """Measure the walls and the fill of `nbytes` by every exact arithmetic, in raw values; yield as `rounds` does."""
    device = describe(queue.device)
    traits = traits_of(device)
    out = cla.Array(queue, nbytes // bit_generator.dtype.itemsize, bit_generator.dtype)
    words = cla.Array(queue, nbytes // 4, np.uint32, data=out.base_data)
    works = {"wall": Work(out.size, wall(queue, words))}
    if traits.stores_past_caches:
        works["wall (cached)"] = Work(out.size, wall(queue, words, cached=True))
    for arithmetic in exact_arithmetics(device, bit_generator):
        part = out[: out.size // 16] if arithmetic.baseline and traits.family == "cpu" else out  # they take seconds
        works[arithmetic.name] = filling(queue, bit_generator, part, arithmetic.name)
    yield from rounds(queue, works, count, "wall")


def register_shape(device: DeviceInfo, code: GeneratorCode) -> tuple[int, int, int, int]:
    """Return the lanes of a vector, the interleaved states, the work-items and the group size of steps in registers."""
    if traits_of(device).in_vectors:
        return code.max_vector_width, 4 if code.order == 1 else 1, 16 * device.units, 1
    return 1, 4 if code.order == 1 else 1, 2048 * device.units, 256


def stepping(queue: cl.CommandQueue, code: GeneratorCode, steps: int) -> Work:
    """Return work that steps states in registers.

    One call has been checked by its last values. With the lanes of all work-items numbered from 0, the words of the
    first state of lane i are all s + 4 i modulo m, where s is the generator's `sample_word`. `ClrngError` is raised if
    a state is wrong after all its steps.
    """
    bit_generator = code.recurrence
    width, interleaved, items, group_size = register_shape(describe(queue.device), code)
    values = {"interleaved": interleaved, "modulus": bit_generator.modulus, "first": bit_generator.sample_word}
    text = source.kernel("bench/registers.cl.mako", code, RAW, width, values)
    kernel = Kernel(queue.context, text, "registers")
    sums = cla.Array(queue, items, np.uint32)

    def work() -> Any:
        return kernel(queue, items, min(group_size, kernel.largest_group), sums.data, steps)

    work()
    for item, found in enumerate(sums.get()[:2]):
        lanes = range(interleaved * width * item, interleaved * width * (item + 1))
        words = ((bit_generator.sample_word + 4 * lane) % bit_generator.modulus for lane in lanes)
        ends = (bit_generator.state_after((word,) * code.order, steps) for word in words)
        if found != sum(map(bit_generator.value, ends)) % 2**32:
            raise ClrngError(f"{described(bit_generator)} on {queue.device.name} gave wrong states in registers")
    return Work(items * width * interleaved * steps, work)


def registers(queue: cl.CommandQueue, bit_generator: BitGenerator, steps: int, count: int) -> Iterator[Rates]:
    """Measure the steps of every exact arithmetic in registers, if the state fits them; yield as `rounds` does."""
    exact = exact_arithmetics(describe(queue.device), bit_generator)
    codes = [code_for(bit_generator, arithmetic) for arithmetic in exact]
    works = {code.arithmetic.name: stepping(queue, code, steps) for code in codes if code.fits_registers}
    yield from rounds(queue, works, count, None)


def described(bit_generator: BitGenerator) -> str:
    """Return the repr of `bit_generator`, or for a long state its parameters alone."""
    return repr(bit_generator) if bit_generator.order <= SHOWN_WORDS else bit_generator.summary


def title(report: dict[str, Any]) -> str:
    """Return one line that says what was measured, and on what."""
    return (
        f"{report['generator']} on {report['device']}, {report['platform']}, driver {report['driver']}: "
        f"{report['nbytes'] / 2**20:.0f} MiB, median of {report['rounds']} rounds"
    )


def report(
    queue: cl.CommandQueue, bit_generator: BitGenerator, mib: int | None, count: int, advance: Callable[[int], None]
) -> dict[str, Any]:
    """Return plain values: what was measured, and the `Rates` of fills of `mib` MiB and of steps in registers."""
    device = describe(queue.device)
    max_mib = device.largest_allocation // 2**20
    mib = mib or min(1024 if traits_of(device).family == "cpu" else 4096, max_mib)
    if mib > max_mib:
        raise ValueError(f"mib must be at most {max_mib} for the largest allocation of {device.name}, not {mib}")
    results: dict[str, Rates] = {"fills": {}, "registers": {}}
    kinds = {
        "fills": fills(queue, bit_generator, mib * 2**20, count),
        "registers": registers(queue, bit_generator, LONGEST_LOOP, count),
    }
    for kind, measured in kinds.items():
        for rates in measured:
            results[kind] = rates
            advance(1)
    return {
        "device": device.name,
        "platform": device.platform,
        "driver": device.driver,
        "clrng": __version__,
        "generator": described(bit_generator),
        "nbytes": mib * 2**20,
        "rounds": count,
        **results,
    }
