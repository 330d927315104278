"""How much faster than one device are several, which fill one array with one exact stream?

By default all devices of the name of the best one are measured, each alone and all together, beside plain stores.
Where there is only one device, two queues on it show what more than one piece costs.
"""

from dataclasses import replace
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
from harness.common import Results, arguments, buffer_bytes, chosen, kind_of, measure, run, wall

import clrng
from clrng.frontends.parallel.multi_device_generator import ArrayPart
from clrng.measuring.timing import Work, poison
from clrng.opencl.devices import describe, queue_on

GENERATORS: dict[str, clrng.BitGenerator] = {
    "Park-Miller": clrng.ParkMiller(seed=1),
    "LFG(418,1279)": clrng.LaggedFibonacci((418, 1279), "+", seed=1),
    "MRG32k3a": clrng.MRG32k3a(),
}
METHODS = {"random_raw": "uint32", "random": "float32", "standard_normal": "float32"}
MIB = {"cpu": 256, "gpu": 4096}
"""Bytes that one device fills."""

CHECKED = 1000
"""Values compared at both ends of each part."""

CALLS = 20
"""Calls of which the median says what the host does in one."""


class All:
    """What waits for several queues."""

    def __init__(self, queues: list[cl.CommandQueue]) -> None:
        self._queues = queues

    def finish(self) -> None:
        """Wait."""
        for queue in self._queues:
            queue.finish()


def queues_of(which: str) -> list[cl.CommandQueue]:
    """Return a queue on each of the devices, given as names or numbers between commas, or on all like the best."""
    if which:
        found = [clrng.make_queue(one.strip()) for one in which.split(",")]
    else:
        best = clrng.choose_device()
        found = [clrng.make_queue(info.index) for info in clrng.list_devices(best.kind) if info.name == best.name]
    return found if len(found) > 1 else [found[0], queue_on(found[0].device)]


def viewed(out: clrng.MultiDeviceArray, dtype: str) -> clrng.MultiDeviceArray:
    """Return the same memory as values of 4 bytes of another dtype."""
    parts = [replace(part, array=part.array.view(np.dtype(dtype))) for part in out.parts]
    return clrng.MultiDeviceArray(out.shape, np.dtype(dtype), parts)


def check(bits: clrng.BitGenerator, method: str, parts: list[ArrayPart], who: str) -> None:
    """Compare both ends of each part with the sequential recurrence, or with what one device draws there.

    Raises
    ------
    ClrngError
        If a value is other.
    """
    for part in parts:
        array: Any = part.array
        n = min(CHECKED, array.size)
        for first in (0, array.size - n):
            start = bits.jumped(part.begin + first)
            expected: npt.NDArray[Any] = start.sequence(n)
            if method != "random_raw":
                expected = getattr(clrng.Generator(start, parts[0].array.queue), method)(n, out=np.ndarray)
            if not np.array_equal(array[first : first + n].get(), expected):
                place = part.begin + first
                raise clrng.ClrngError(f"{method} of {bits.summary} on {who} gave wrong values near {place}")


def filling(rng: Any, method: str, out: Any, parts: list[ArrayPart], queue: Any, who: str) -> Work:
    """Return the fill of `out`, which has the `parts`, with the next values by a method of `rng`, after a check."""

    def call() -> None:
        getattr(rng, method)(out=out)

    def once_more() -> None:
        begin = rng.bit_generator.copy()
        for part in parts:
            poison(part.array)
        call()
        queue.finish()
        check(begin, method, parts, who)

    once_more()
    return Work(out.size, call, queue, once_more)


def host_seconds(work: Work) -> float:
    """Return how long the host takes to have a fill begun."""
    taken = []
    for _ in range(CALLS):
        if work.queue is not None:
            work.queue.finish()
        begin = perf_counter()
        work.call()
        taken.append(perf_counter() - begin)
    return median(taken)


def walls(queues: list[cl.CommandQueue], buffers: list[cla.Array], out: clrng.MultiDeviceArray) -> dict[str, Work]:
    """Return the plain stores of each device, and of all at the same time."""
    alone = zip(queues, buffers, strict=True)
    found = {f"wall {i}": wall(queue, buffer)._replace(queue=queue) for i, (queue, buffer) in enumerate(alone)}
    parts = [wall(part.array.queue, part.array) for part in out.parts]

    def together() -> None:
        for part in parts:
            part.call()
        for queue in queues:
            queue.flush()

    return {**found, "wall": Work(out.size, together, All(queues))}


def works_of(
    bits: clrng.BitGenerator, method: str, queues: list[cl.CommandQueue], buffers: list[cla.Array],
    out: clrng.MultiDeviceArray,
) -> dict[str, Work]:  # fmt: skip
    """Return the fills of each device alone, and of all together."""
    found = {}
    for i, (queue, buffer) in enumerate(zip(queues, buffers, strict=True)):
        array = buffer.view(np.dtype(METHODS[method]))
        rng, parts = clrng.Generator(bits.copy(), queue), [ArrayPart(0, array.size, None, array)]
        found[f"device {i}"] = filling(rng, method, array, parts, queue, queue.device.name)
    several, target = clrng.MultiDeviceGenerator(bits.copy(), queues), viewed(out, METHODS[method])
    found["together"] = filling(several, method, target, list(target.parts), All(queues), "several devices")
    return found


def copies(out: clrng.MultiDeviceArray) -> dict[str, Work]:
    """Return the copies to the host of what the first device has, and of all at the same time."""
    first = out.parts[0]
    one = clrng.MultiDeviceArray((first.end,), out.dtype, [first])
    host = np.zeros(out.shape, out.dtype)
    queues = All([part.array.queue for part in out.parts])

    def copied() -> None:
        host[:] = 0
        out.get(host)
        for part in out.parts:
            array: Any = part.array
            last = host[max(part.end - CHECKED, part.begin) : part.end]
            if not np.array_equal(array[-last.size :].get(), last):
                raise clrng.ClrngError(f"a copy to the host gave wrong values before {part.end}")

    return {
        "device 0": Work(one.size, lambda: one.get(host[: one.size]), queues),
        "together": Work(out.size, lambda: out.get(host), queues, copied),
    }


def main() -> None:
    """Measure, print and save."""
    options = arguments(
        __doc__, mib={"type": int}, rounds=5, only={"default": "", "help": "a part of the names"},
        devices={"default": "", "help": "their numbers or names, between commas"},
    )  # fmt: skip
    queues = queues_of(options.devices or options.device or "")
    info = describe(queues[0].device)
    nbytes = buffer_bytes(info, options.mib, 1 if options.quick else MIB[kind_of(info)])
    rounds = options.rounds
    names = [queue.device.name.strip() for queue in queues]
    results = Results(options, "several_devices", queues[0], devices=names, nbytes=nbytes, rounds=rounds)
    buffers = [cla.Array(queue, nbytes // 4, np.uint32) for queue in queues]
    made: Any = clrng.MultiDeviceGenerator(clrng.ParkMiller(seed=1), queues, [1] * len(queues)).random_raw(
        nbytes // 4 * len(queues)
    )
    plain = walls(queues, buffers, made)
    for name in chosen(GENERATORS, options.only):
        for method in METHODS:
            works = works_of(GENERATORS[name], method, queues, buffers, made)
            row: dict[str, Any] = measure(queues[0], {**plain, **works}, rounds, "wall")
            one, every = row["device 0"], row["together"]
            times = every["rate"] / one["rate"]
            host = {who: host_seconds(works[who]) for who in ("device 0", "together")}
            results.add(f"{name}, {method}", {**row, "times one": times, "seconds": host})
            print(
                f"{name:14} {method:16} one {one['rate'] / 1e9:9.3f}, together {every['rate'] / 1e9:9.3f} G/s: "
                f"{times:.3f} times one, {every['ratio']:.3f} of the wall of all, {row['wall']['rate'] / 1e9:.3f}; "
                f"the host takes {1e6 * host['together']:.0f} µs",
                flush=True,
            )
    row = measure(queues[0], copies(made), rounds, None)
    results.add("copies to the host", row)
    rates = [4 * row[who]["rate"] / 1e9 for who in ("device 0", "together")]
    print(f"copies to the host: one {rates[0]:.3f}, together {rates[1]:.3f} GB/s", flush=True)
    results.close()


if __name__ == "__main__":
    run(main)
