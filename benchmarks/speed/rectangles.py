"""How fast are rectangles of an array made, whose runs of values are apart in the stream, beside a contiguous fill?

A rectangle has the middle half of the columns of an array, so that a run of it is followed by a gap of its own length.
Runs are of 64 bytes to 1 MiB; those of an odd number of values begin at places of memory that are not aligned. A slice
is every other column of an array in memory, all of whose values are made. The contiguous fill and the wall are of as
many bytes and measured in the same rounds.
"""

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from harness.common import Results, arguments, buffer_bytes, chosen, kind_of, measure, run, wall

import clrng
from clrng.distributions.distribution import transform_of
from clrng.fill.runs import runs_of
from clrng.measuring.timing import Work, poison
from clrng.opencl.arrays import value_strides
from clrng.opencl.devices import describe

MIB = {"gpu": 1024, "cpu": 128}
QUICK_MIB = 2
RUNS = [16, 64, 256, 1023, 1024, 1025, 4096, 16384, 65536, 262144]
"""Values of a run, of four bytes each."""

QUICK_RUNS = [16, 1023, 4096]
GENERATORS = {
    "Park-Miller": clrng.ParkMiller(seed=1),
    "LCG 2^64": clrng.LCG(6364136223846793005, 1442695040888963407, 2**64, seed=1),
    "MRG32k3a": clrng.MRG32k3a(),
    "LFG(418,1279)": clrng.LaggedFibonacci((418, 1279), "+", seed=1),
}
QUICK = ["Park-Miller", "LFG(418,1279)"]
DISTRIBUTIONS = {"uniforms": clrng.distribution("uniform"), "normals": clrng.distribution("normal")}


class Rows:
    """Draws the rows of an array, of which each begins a pitch behind the one before, and checks them.

    Parameters
    ----------
    rng : Generator
    distribution : Distribution
    out : pyopencl.array.Array
        The rows, contiguous each or not.
    memory : pyopencl.array.Array
        That in which they are, whole.
    begin, pitch : int
        Where the first row begins in the values that a call goes over, and how far the next one is from it.
    """

    def __init__(
        self, rng: clrng.Generator, distribution: Any, out: cla.Array, memory: cla.Array, begin: int, pitch: int
    ) -> None:
        self._rng, self._distribution, self._out, self._memory = rng, distribution, out, memory
        self._begin, self._pitch = begin, pitch
        bits = rng.bit_generator
        self._steps = transform_of(distribution, bits.min_value, bits.upper_bound, out.dtype).steps

    def work(self, call: Callable[[], object]) -> Work:
        """Return the work of `call`, which fills the rows, after one that was checked.

        Raises
        ------
        ClrngError
            If a value of the first, the middle or the last row is wrong; so does the check of what is returned.
        """

        def once_more() -> None:
            poison(self._memory)
            begin = self._rng.bit_generator.copy()
            call()
            for row in dict.fromkeys((0, len(self._out) // 2, len(self._out) - 1)):
                place = (self._begin + row * self._pitch) * self._steps
                alone = clrng.Generator(begin.jumped(place), self._rng.queue)
                expected = alone.sample(self._distribution, self._out.shape[1], self._out.dtype).get()
                if not np.array_equal(values_of(self._out[row]), expected):
                    raise clrng.ClrngError(f"{begin!r}: wrong values in row {row} of {self._out.shape}")

        once_more()
        return Work(self._out.size, call, None, once_more)


def values_of(row: cla.Array) -> Any:
    """Return a copy of a row on the host, which PyOpenCL gives of contiguous ones alone."""
    size, (stride,) = row.dtype.itemsize, row.strides
    memory = np.empty(((row.size - 1) * stride + size) // size, row.dtype)
    cl.enqueue_copy(row.queue, memory, row.base_data, src_offset=row.offset, wait_for=row.events)  # type: ignore[arg-type]  # PyOpenCL has narrower types
    return memory[:: stride // size]


def rectangle(
    rng: clrng.Generator, distribution: Any, shape: tuple[int, ...], out: cla.Array, begins: tuple[int, ...]
) -> cla.Array:
    """Fill `out` with the rectangle of the next array that begins at `begins`, as chunks of dask are, and move on."""
    bits = rng.bit_generator
    transform = transform_of(distribution, bits.min_value, bits.upper_bound, out.dtype)
    rng._fill(transform, out, bits, runs=runs_of(shape, begins, out.shape, value_strides(out)))  # noqa: SLF001
    bits.advance(prod(shape) * transform.steps)
    return out


def works(rng: clrng.Generator, distribution: Any, buffer: cla.Array, length: int) -> dict[str, Work]:
    """Return fills of half of `buffer` with runs of `length` values: contiguous, a rectangle and a slice."""
    count = buffer.size // 2 // length
    shape = count, 2 * length
    memory = cla.Array(rng.queue, shape, np.float32, data=buffer.base_data)
    rows = cla.Array(rng.queue, (count, length), np.float32, data=buffer.base_data)
    slices = memory[:, ::2]
    begins = 0, length // 2
    return {
        "contiguous": Rows(rng, distribution, rows, memory, 0, length).work(
            lambda: rng.sample(distribution, out=rows, dtype=rows.dtype)
        ),
        "rectangle": Rows(rng, distribution, rows, memory, length // 2, 2 * length).work(
            lambda: rectangle(rng, distribution, shape, rows, begins)
        ),
        "slice": Rows(rng, distribution, slices, memory, 0, length).work(
            lambda: rng.sample(distribution, out=slices, dtype=slices.dtype)
        ),
    }


def main() -> None:
    """Measure, print and save."""
    options = arguments(__doc__, mib={"type": int}, rounds=3, only={"default": "", "help": "a generator"})
    queue = clrng.make_queue(options.device)
    device, rounds = describe(queue.device), options.rounds
    nbytes = buffer_bytes(device, options.mib, QUICK_MIB if options.quick else MIB[kind_of(device)])
    results = Results(options, "rectangles", queue, nbytes=nbytes, rounds=rounds)
    buffer = cla.Array(queue, nbytes // 2, np.float32)
    plain = wall(queue, buffer[: nbytes // 4])
    for name in chosen(QUICK if options.quick else GENERATORS, options.only):
        rng = clrng.Generator(GENERATORS[name].copy(), queue)
        for kind, distribution in DISTRIBUTIONS.items():
            for length in QUICK_RUNS if options.quick else RUNS:
                found = measure(queue, {"wall": plain, **works(rng, distribution, buffer, length)}, rounds)
                results.add(f"{name}, {kind}, runs of {4 * length} bytes", {"length": length, **found})
                ratios = "  ".join(f"{what} {row['ratio']:6.3f}" for what, row in found.items() if what != "wall")
                print(f"{name:14} {kind:8} {4 * length:8} B  of the wall: {ratios}", flush=True)
    results.close()


if __name__ == "__main__":
    run(main)
