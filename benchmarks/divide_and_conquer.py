"""How fast is the divide-and-conquer algorithm of 2012 beside the direct fill and the device's write wall?

The three congruential generators are those of the paper, and so are the first two lagged Fibonacci generators; the
others have lags of the same table of good ones and reach past those for which the paper finds it fast. What is swept is
the paper's too: the number of values n, the ratio s/r of the matrix and the work-group size. Beside the whole stand
step 2, which one work-item does, or the host for lagged Fibonacci generators, and step 3. The vectors y and t are kept
from call to call, as they are where requests have one size; step 1 with all of it is timed apart.
"""

from collections.abc import Callable
from functools import partial
from math import isqrt
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from common import arguments, save

import clrng
from clrng import arithmetic, bench
from clrng.devices import describe
from clrng.distributions import RAW
from clrng.divide_and_conquer import DivideAndConquer, solver_of
from clrng.divide_and_conquer_steps import Steps
from clrng.fill import Fillers
from clrng.forms import form_of

Bits = clrng.LCG | clrng.LaggedFibonacci

GENERATORS: dict[str, Bits] = {
    "Numerical Recipes, 2^32": clrng.LCG(1664525, 1013904223, 2**32, seed=1),
    "MMIX, 2^64": clrng.LCG(6364136223846793005, 1442695040888963407, 2**64, seed=1),
    "Park-Miller, 2^31 - 1": clrng.ParkMiller(seed=1),
    **{
        f"lagged Fibonacci {p1}, {p2}, 2^32": clrng.LaggedFibonacci((p1, p2), "+", seed=1)
        for p1, p2 in ((7, 10), (5, 17), (24, 55), (30, 127))
    },
}
SIZES = {"gpu": [2**18, 2**20, 2**22, 2**24, 2**26, 2**28, 2**30], "cpu": [2**16, 2**18, 2**20, 2**22, 2**24]}
LAGGED_SIZES = {"gpu": [2**24, 2**26, 2**28], "cpu": [2**20, 2**22, 2**24]}
SWEPT = {"gpu": 2**28, "cpu": 2**22}
"""The size at which ratios and groups are swept."""

RATIOS = [0.1, 1, 10, 100, 1000]
GROUPS = [32, 64, 128, 256, 512, 1024]
RATIO, GROUP = 10, 256

Work = tuple[int, Callable[[], object]]


def cases(device: clrng.DeviceInfo, bits: Bits) -> list[tuple[int, float, int]]:
    """Return every n, s/r and group to measure, each once."""
    kind = "cpu" if device.kind == "cpu" else "gpu"
    every = (SIZES if isinstance(bits, clrng.LCG) else LAGGED_SIZES)[kind]
    sizes = [n for n in every if 8 * n <= min(device.largest_allocation, device.memory // 3)]
    swept = min(SWEPT[kind], sizes[-1])
    groups = [group for group in GROUPS if group <= solver_of(bits).largest_group(device, bits)]
    usual = min(GROUP, groups[-1])
    found = [(n, RATIO, usual) for n in sizes]
    found += [(swept, ratio, usual) for ratio in RATIOS]
    found += [(swept, RATIO, group) for group in groups]
    return list(dict.fromkeys(found))


def column(n: int, ratio: float, solver: Steps) -> int:
    """Return the column length s of `n` values in about s / `ratio` columns."""
    return max(solver.shortest, isqrt(round(n * ratio)))


def direct(queue: cl.CommandQueue, bits: Bits, out: cla.Array) -> Callable[[], object]:
    """Return a call that fills `out` as `clrng.Generator` does."""
    device = describe(queue.device)
    fillers = Fillers(queue, device, form_of(bits, arithmetic.select("auto", device, bits)))
    return partial(fillers.fill, RAW, out, bits)


def wrong(queue: cl.CommandQueue, bits: Bits, out: cla.Array) -> bool:
    """Return whether `out` is other than what the direct fill makes."""
    other = cla.zeros_like(out)
    direct(queue, bits, other)()
    return bool((out != other).any().get())


def works(queue: cl.CommandQueue, bits: Bits, out: cla.Array, s: int, solver: Steps) -> dict[str, Work]:
    """Return what is measured for one case but the wall, after checking the values.

    Raises
    ------
    ClrngError
        If they are wrong.
    """
    out.fill(0)
    solver.fill(out, bits.words, s)
    if wrong(queue, bits, out):
        raise clrng.ClrngError(f"{bits!r} on {queue.device.name}: wrong values in columns of {s}")
    matrix, events = solver.step_1(out, bits.words, s)
    solver.step_2(matrix, events)

    def afresh() -> None:
        solver.forget()
        solver.step_1(out, bits.words, s)

    n = out.size
    return {
        "direct": (n, direct(queue, bits, out)),
        "divide and conquer": (n, partial(solver.fill, out, bits.words, s)),
        "step 1 afresh": (n, afresh),
        "step 2": (n, partial(solver.step_2, matrix, [])),
        "step 3": (n, partial(solver.step_3, matrix, [])),
    }


def measure(
    queue: cl.CommandQueue, bits: Bits, case: tuple[int, float, int], walls: dict[int, Work], rounds: int
) -> dict[str, Any]:
    """Return the rates of one case; `walls` keeps the wall of each number of bytes."""
    n, ratio, group = case
    out = cla.Array(queue, n, bits.dtype)
    if out.nbytes not in walls:
        walls[out.nbytes] = n, bench.wall(queue, cla.Array(queue, out.nbytes // 4, np.uint32))
    solver = solver_of(bits)(queue, bits, group)
    s = column(n, ratio, solver)
    measured = {"wall": (n, walls[out.nbytes][1]), **works(queue, bits, out, s, solver)}
    *_, rates = bench.rounds(queue, measured, rounds, "wall")
    found: dict[str, Any] = {rate.name: {k: v for k, v in vars(rate).items() if k != "name"} for rate in rates}
    r = DivideAndConquer(bits, queue, s=s).columns(n)[1]
    speed = found["divide and conquer"]["rate"] / found["direct"]["rate"]
    return {"n": n, "s": s, "r": r, "s/r": ratio, "group": group, "of direct": speed, **found}


def show(row: dict[str, Any]) -> None:
    """Print one case."""
    milliseconds = {name: 1e3 * row["n"] / row[name]["rate"] for name in ("step 1 afresh", "step 2", "step 3")}
    beside = (
        f", {row['of direct']:.3f} of the direct fill's {row['direct']['rate'] / 1e9:8.3f} "
        f"({row['direct']['ratio']:.3f} of the wall)"
    )
    print(
        f"  n {row['n']:>13,}, s {row['s']:>7,}, r {row['r']:>6,}, group {row['group']:>4}: "
        f"{row['divide and conquer']['rate'] / 1e9:8.3f} G/s, {row['divide and conquer']['ratio']:.3f} of the wall"
        f"{beside}; " + ", ".join(f"{name} {time:.3f}" for name, time in milliseconds.items()) + " ms"
    )


def main() -> None:
    """Measure, print and save."""
    options = arguments(
        __doc__,
        rounds={"type": int, "default": 3},
        only={"default": "", "help": "a part of the names of the generators to measure, such as 'lagged'"},
    )
    queue = clrng.make_queue(options.device)
    results: dict[str, list[dict[str, Any]]] = {}
    walls: dict[int, Work] = {}
    for name, bits in ((name, bits) for name, bits in GENERATORS.items() if options.only in name):
        print(name)
        results[name] = []
        for case in cases(describe(queue.device), bits):
            results[name].append(measure(queue, bits, case, walls, options.rounds))
            show(results[name][-1])
    save(options, "divide_and_conquer", queue, {"generators": results})


if __name__ == "__main__":
    main()
