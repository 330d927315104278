"""The experiments of the paper of 2012 (figures 5 to 9): its algorithm beside the direct fill, a C loop and cuRAND.

The three congruential generators and the first two lagged Fibonacci generators are the paper's; the lags of the other
two reach past those for which it finds the algorithm fast. Time and speed-up are measured against the number of values
n (figures 6 and 8, from which follows the one against the lags), against the shape s/r of the matrix and the work-group
size at one n (figures 5 and 7), and beside every generator of cuRAND at some n (figure 9). Words of one size share the
rounds of each n, and in them the best plain store of as many bytes: the write wall where they are past the caches.

Speed-ups are over the sequential loop in C on one core of the host. It is measured once for each recurrence, at a
number of values past the caches of the core: its time is proportional to n, and its rate is taken for every n.

The published algorithm begins at the same state every time and keeps the vectors y and t from call to call, which
favours it: the first of its steps afresh, and the other two, are timed apart. The direct fill is
`clrng.Generator.random_raw`, which goes on along the stream from call to call.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import isqrt
from typing import Any, NamedTuple

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from harness import c_loop
from harness.common import Results, arguments, attempt, checked, kind_of, measure, run
from harness.compiled import version
from peers import peers_cuda

import clrng
from clrng.frontends.divide_and_conquer import Steps, steps_of
from clrng.measuring import timing
from clrng.measuring.timing import Work, filling
from clrng.opencl.devices import describe

Make = Callable[[], Work]

CONGRUENTIAL: dict[str, clrng.BitGenerator] = {
    "Numerical Recipes, 2^32": clrng.named("numerical_recipes", 1),
    "MMIX, 2^64": clrng.named("mmix", 1),
    "Park-Miller, 2^31 - 1": clrng.ParkMiller(seed=1),
}
LAGGED: dict[str, clrng.BitGenerator] = {
    f"lags {p1}, {p2}": clrng.LaggedFibonacci((p1, p2), "+", seed=1)
    for p1, p2 in ((7, 10), (5, 17), (24, 55), (30, 127))
}
GENERATORS = CONGRUENTIAL | LAGGED
SWEPT = ["Numerical Recipes, 2^32", "lags 7, 10", "lags 30, 127"]
"""The generators whose matrix and work-groups are varied."""

CURAND = ["XORWOW", "MRG32K3A", "MTGP32", "MT19937", "PHILOX4_32_10"]

RATIO, GROUP = 10, 256
"""What the paper finds best."""


class Sizes(NamedTuple):
    """How much is measured.

    Attributes
    ----------
    narrow, wide : list of int
        The numbers of words of 32 and of 64 bits.
    lagged, vendor : list of int
        Those of `narrow` with which lagged Fibonacci generators and cuRAND's are measured.
    swept : dict of str to int
        The number at which matrix and work-groups are varied, by generator.
    ratios : list of float
        Of s to r.
    groups : list of int
        Work-items of a work-group.
    loop : int
        Values of the C loop.
    """

    narrow: list[int]
    wide: list[int]
    lagged: list[int]
    vendor: list[int]
    swept: dict[str, int]
    ratios: list[float]
    groups: list[int]
    loop: int


def powers(*exponents: int) -> list[int]:
    """Return 2 to each."""
    return [2**exponent for exponent in exponents]


RATIOS = [0.1, 1, 10, 100, 1000]
GROUPS = [32, 128, 256, 512, 1024]
SIZES = {
    "gpu": Sizes(
        narrow=powers(16, 20, 23, 26, 28, 30),
        wide=powers(16, 22, 26, 30),
        lagged=powers(20, 23, 26),
        vendor=powers(23, 26, 30),
        swept=dict(zip(SWEPT, powers(26, 23, 23), strict=True)),
        ratios=RATIOS,
        groups=GROUPS,
        loop=2**24,
    ),
    "cpu": Sizes(
        narrow=powers(16, 18, 20, 22, 24, 26),
        wide=powers(16, 18, 20, 22, 24, 26),
        lagged=powers(16, 18, 20, 22, 24),
        vendor=[],
        swept=dict.fromkeys(SWEPT, 2**22),
        ratios=RATIOS,
        groups=GROUPS,
        loop=2**24,
    ),
    "quick": Sizes(
        narrow=powers(14, 16),
        wide=powers(14),
        lagged=powers(14),
        vendor=powers(16),
        swept={"lags 7, 10": 2**14},
        ratios=[1, 10],
        groups=[32, 256],
        loop=2**16,
    ),
}
QUICK = ["MMIX, 2^64", "Park-Miller, 2^31 - 1", "lags 7, 10"]
"""The generators that are measured with --quick."""


@dataclass
class Run:
    """What every part of a run needs.

    Attributes
    ----------
    queue : pyopencl.CommandQueue
    results : Results
    sizes : Sizes
    rounds : int
    memory : pyopencl.array.Array
        Where all on the device put their values.
    generators : dict of str to BitGenerator
    loops : dict of str to float
        The rate of the C loop of each generator that has one, in values a second.
    parts : int
        How many rows there will be.
    """

    queue: cl.CommandQueue
    results: Results
    sizes: Sizes
    rounds: int
    memory: cla.Array
    generators: dict[str, clrng.BitGenerator]
    loops: dict[str, float]
    parts: int

    def out(self, n: int, bits: int) -> cla.Array:
        """Return room for `n` words of so many bits."""
        return cla.Array(self.queue, n, np.dtype(f"uint{bits}"), data=self.memory.base_data)

    def group(self, name: str) -> int:
        """Return the work-group size that the paper finds best for a generator, or the most there can be."""
        return min(GROUP, self.largest_group(name))

    def largest_group(self, name: str) -> int:
        """Return the most work-items of a work-group for a generator."""
        bits = self.generators[name]
        return int(steps_of(bits).largest_group(describe(self.queue.device), bits))

    def works(self, makes: Mapping[str, Make], where: str = "") -> dict[str, Work]:
        """Return what can be made, by name; keep why the others cannot, once for each name and `where`."""
        found = {name: attempt(self.results, f"{name}{where}", make) for name, make in makes.items()}
        return {name: work for name, work in found.items() if work}

    def add(self, name: str, row: dict[str, Any], rates: dict[str, dict[str, Any]]) -> None:
        """Add and print a row; give each rate the seconds of a call, and its speed-up over the C loop if it has one."""
        for who, rate in rates.items():
            rate["seconds"] = rate["values"] / rate["rate"]
            of = row.get("generator", who.split(": ")[-1])
            if of in self.loops:
                rate["speed-up"] = rate["rate"] / self.loops[of]
        self.results.add(name, {**row, "rates": rates})
        for who, rate in rates.items():
            print(f"[{len(self.results.rows)}/{self.parts}] {name}: {who}: {line(rate)}", flush=True)


def line(rate: Mapping[str, Any]) -> str:
    """Return one line about a rate."""
    found = f"{rate['rate'] / 1e9:.3f} G/s ({rate['low'] / 1e9:.3f} to {rate['high'] / 1e9:.3f})"
    if "ratio" in rate:
        found += f", {rate['ratio']:.3f} of the wall"
    if "speed-up" in rate:
        found += f", {rate['speed-up']:.3g} times the C loop"
    return f"{found}, {1e3 * rate['seconds']:.3f} ms"


def column(n: int, ratio: float, solver: Steps) -> int:
    """Return the column length s of `n` values in about s / `ratio` columns."""
    return max(solver.shortest, isqrt(round(n * ratio)))


def solved(run: Run, bits: clrng.BitGenerator, out: cla.Array, ratio: float, group: int) -> tuple[Steps, int]:
    """Return what fills `out` by the published algorithm, and the length s of its columns."""
    solver = steps_of(bits)(run.queue, bits, group)
    return solver, column(out.size, ratio, solver)


def published(run: Run, bits: clrng.BitGenerator, out: cla.Array, ratio: float, group: int) -> Work:
    """Return a fill of `out` by the published algorithm, which was checked."""
    solver, s = solved(run, bits, out, ratio, group)
    who = f"the published algorithm in columns of {s} and work-groups of {group}"
    return checked(partial(solver.fill, out, bits.words, s), bits, out, who)


def wall(queue: cl.CommandQueue, out: cla.Array) -> Work:
    """Return the fastest plain store to the bytes of `out`, each shape tried once: there are many sizes."""
    words = cla.Array(queue, out.nbytes // 4, np.uint32, data=out.base_data)
    calls = [timing.store(queue, plan, words) for plan in timing.store_plans(describe(queue.device))]
    return Work(out.size, min(calls, key=partial(timing.seconds, queue)))


def loops(run: Run) -> None:
    """Measure the loop in C of each generator."""
    for name, bits in run.generators.items():
        where = "C loop"
        works = run.works({where: partial(c_loop.loop, bits, run.sizes.loop)}, f", {name}")
        if works:
            rates = measure(run.queue, works, run.rounds, None)
            run.add(f"{where}, {name}", {"sweep": where, "generator": name}, rates)
            run.loops[name] = rates[where]["rate"]


def against_n(run: Run, bits: int, sizes: list[int]) -> None:
    """Measure all generators of words of so many bits for each n, and cuRAND's beside those of 32 bits."""
    nvidia = "NVIDIA" in describe(run.queue.device).platform
    for n in sizes:
        out = run.out(n, bits)
        makes: dict[str, Make] = {}
        for name, generator in run.generators.items():
            if generator.dtype == out.dtype and (name in CONGRUENTIAL or n in run.sizes.lagged):
                makes[f"direct: {name}"] = partial(filling, run.queue, generator, out)
                makes[f"published: {name}"] = partial(published, run, generator, out, RATIO, run.group(name))
        works = {"wall": wall(run.queue, out), **run.works(makes, f", n = {n}")}
        if nvidia and bits == 32 and n in run.sizes.vendor:  # noqa: PLR2004
            works |= run.works({f"cuRAND {kind}": partial(peers_cuda.curand, n, kind) for kind in CURAND})
        rates = measure(run.queue, works, run.rounds)
        run.add(f"n = {n}, {bits} bits", {"sweep": "n", "n": n, "bits": bits}, rates)


def shapes(run: Run, name: str) -> Iterator[tuple[str, str, float, int]]:
    """Yield a name, what is varied, the ratio s/r and the work-group size of each shape, those found best once."""
    for ratio in run.sizes.ratios:
        yield f"s/r {ratio:g}", "s/r", ratio, run.group(name)
    for group in run.sizes.groups:
        if group != run.group(name) and group <= run.largest_group(name):
            yield f"group {group}", "group", RATIO, group


def against_shape(run: Run, name: str) -> None:
    """Measure the published algorithm with matrices and work-groups of several shapes, and each of its steps."""
    n, bits = run.sizes.swept[name], run.generators[name]
    out = run.out(n, 8 * bits.dtype.itemsize)
    found = {what: (ratio, group) for what, _, ratio, group in shapes(run, name)}
    makes: dict[str, Make] = {what: partial(published, run, bits, out, *shape) for what, shape in found.items()}
    rates = measure(run.queue, run.works(makes, f", {name}"), run.rounds, None)
    for what, rate in rates.items():
        ratio, group = found[what]
        s = column(n, ratio, steps_of(bits)(run.queue, bits, group))
        rate |= {"s": s, "r": -(-n // s), "s/r": ratio, "group": group}
    run.add(f"shapes, {name}", {"sweep": "shape", "generator": name, "n": n}, rates)


def steps(run: Run, name: str) -> None:
    """Measure the three steps of the published algorithm apart, if all of it could be measured."""
    if f"s/r {RATIO}" not in run.results.rows[f"shapes, {name}"]["rates"]:
        return
    n, bits = run.sizes.swept[name], run.generators[name]
    out = run.out(n, 8 * bits.dtype.itemsize)
    solver, s = solved(run, bits, out, RATIO, run.group(name))
    matrix, events = solver.step_1(out, bits.words, s)
    solver.step_2(matrix, events)

    def afresh() -> None:
        solver.forget()
        solver.step_1(out, bits.words, s)

    calls: dict[str, Callable[[], object]] = {
        "step 1 afresh": afresh,
        "step 2": partial(solver.step_2, matrix, []),
        "step 3": partial(solver.step_3, matrix, []),
    }
    rates = measure(run.queue, {what: Work(n, call) for what, call in calls.items()}, run.rounds, None)
    run.add(f"steps, {name}", {"sweep": "step", "n": n, "s": s, "r": -(-n // s)}, rates)


def fitting(sizes: list[int], itemsize: int, queue: cl.CommandQueue) -> list[int]:
    """Return the sizes that leave room on the device for what else there is."""
    device = describe(queue.device)
    return [n for n in sizes if itemsize * n <= min(device.largest_allocation, device.memory // 3)]


def prepared(options: argparse.Namespace) -> Run:
    """Return a run of the sizes that fit the device."""
    queue = clrng.make_queue(options.device)
    sizes = SIZES["quick" if options.quick else kind_of(describe(queue.device))]
    sizes = sizes._replace(narrow=fitting(sizes.narrow, 4, queue), wide=fitting(sizes.wide, 8, queue))
    generators = {name: GENERATORS[name] for name in QUICK} if options.quick else GENERATORS
    rounds = options.rounds
    results = Results(options, "paper_2012", queue, rounds=rounds, compiler=version("C"))
    memory = cla.Array(queue, max(4 * sizes.narrow[-1], 8 * sizes.wide[-1]), np.uint8)
    parts = len(generators) + len(sizes.narrow) + len(sizes.wide) + 2 * len(sizes.swept)
    return Run(queue, results, sizes, rounds, memory, generators, {}, parts)


def main() -> None:
    """Measure, print and save."""
    run = prepared(arguments(__doc__, rounds=3))
    loops(run)
    against_n(run, 32, run.sizes.narrow)
    against_n(run, 64, run.sizes.wide)
    for name in run.sizes.swept:
        against_shape(run, name)
        steps(run, name)
    run.results.close()


if __name__ == "__main__":
    run(main)
