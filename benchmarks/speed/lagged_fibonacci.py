"""How close does a lagged Fibonacci fill of one exact stream come to the device's write wall, against its larger lag?

Each pair of lags is measured with the four ops, warm, in one stream that goes on from call to call. In the same rounds
stand the wall and, for words of 32 bits, cuRAND's MT19937 where CuPy is installed, and for + the published algorithm of
2012 where its sums are short, with the best ratio of its matrix and its vector kept from call to call, and a plain loop
in C on one core of the host.

Set-up is timed apart: the first call of a new generator, which plans and builds programs if neither this process nor a
cache of the driver's has them, and its first call at another size. Both are the seconds of the whole call, values too.
"""

from collections.abc import Callable, Mapping
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from harness import c_loop
from harness.common import Results, arguments, attempt, checked, chosen, kind_of, measure, run, wall
from harness.compiled import version
from peers import peers_cuda

import clrng
from clrng.frontends.divide_and_conquer import steps_of
from clrng.generators.lagged_fibonacci import OPS
from clrng.measuring.timing import Work, check, going_on, poison
from clrng.opencl.devices import describe

PAIRS = [
    (7, 10),
    (5, 17),
    (24, 55),
    (30, 127),
    (103, 250),
    (273, 607),
    (418, 1279),
    (1029, 2281),
    (576, 3217),
    (4187, 9689),
]
WORD = 32
"""Bits of a word, but where `CASES` says otherwise."""

CASES: dict[str, tuple[tuple[int, int], int]] = {f"{p1},{p2}": ((p1, p2), WORD) for p1, p2 in PAIRS}
CASES |= {f"{p1},{p2} of 64 bits": ((p1, p2), 64) for p1, p2 in ((5, 17), (418, 1279))}

QUICK = ["30,127", "5,17 of 64 bits"]
"""The pairs that are measured with --quick."""

VALUES = {"gpu": 2**30, "cpu": 2**28, "quick": 2**18}
PUBLISHED_VALUES = {"gpu": 2**28, "cpu": 2**24, "quick": 2**16}
PUBLISHED_LAG = 127
"""The largest lag at which the published algorithm is measured; a value takes it sums of p1 and p2 products."""

LOOP_VALUES = 2**26
MERSENNE = "cuRAND MT19937"


def exact(queue: cl.CommandQueue, bits: clrng.LaggedFibonacci, out: cla.Array) -> tuple[Work, dict[str, float]]:
    """Return a call that fills `out` with the next values of the stream, and the seconds of the first calls.

    Raises
    ------
    ClrngError
        If a value of the first call is wrong at the beginning, the middle or the end of `out`, which was poisoned.
    """
    poison(out)
    begin = perf_counter()
    rng = clrng.Generator(bits.copy(), queue)
    rng.random_raw(out=out)
    queue.finish()
    first = perf_counter() - begin
    check(bits, out, queue.device.name)
    other = out[: out.size // 2]
    begin = perf_counter()
    rng.random_raw(out=other)
    queue.finish()
    again = perf_counter() - begin
    return going_on(rng, out), {"first call": first, "first call at half the size": again}


def published(queue: cl.CommandQueue, bits: clrng.LaggedFibonacci, out: cla.Array) -> Work:
    """Return a call that fills `out` with the published algorithm, from the same state every time."""
    peer = clrng.DivideAndConquer(bits.copy(), queue)
    length, _ = peer.columns(out.size)
    solver = steps_of(bits)(queue, bits, peer.group)
    return checked(partial(solver.fill, out, bits.words, length), bits, out, "the published algorithm")


def peers(
    queue: cl.CommandQueue, bits: clrng.LaggedFibonacci, out: cla.Array, values: int
) -> dict[str, Callable[[], Work]]:
    """Return what makes each peer of the additive generator `bits`, by its name; the published one has `values`."""
    found: dict[str, Callable[[], Work]] = {}
    if bits.order <= PUBLISHED_LAG:
        found["published +"] = partial(published, queue, bits, out[:values])
    found["C loop +"] = partial(c_loop.loop, bits, min(out.size, LOOP_VALUES))
    return found


def row(
    results: Results,
    queue: cl.CommandQueue,
    name: str,
    ops: list[str],
    out: cla.Array,
    common: Mapping[str, Work],
    values: int,
    rounds: int,
) -> dict[str, Any]:
    """Return the rates of one pair of lags by op and peer, and why peers are missing.

    Parameters
    ----------
    results : Results
    queue : pyopencl.CommandQueue
    name : str
        The pair's, in `CASES`.
    ops : list of str
    out : pyopencl.array.Array
        Where all on the device put their values.
    common : dict of str to Work
        What has no lags: the wall of `out`, and cuRAND.
    values : int
        How many the published algorithm makes.
    rounds : int
    """
    lags, word = CASES[name]
    works, setup, missing = dict(common), {}, {}
    for op in ops:
        works[op], setup[op] = exact(queue, clrng.LaggedFibonacci(lags, op, word, seed=1), out)
    others = peers(queue, clrng.LaggedFibonacci(lags, "+", seed=1), out, values) if word == WORD else {}
    for who, make in others.items():
        what = f"{name}, {who}"
        if work := attempt(results, what, make):
            works[who] = work
        else:
            missing[who] = results.missing[what]
    rates = {who: {**rate, **setup.get(who, {})} for who, rate in measure(queue, works, rounds).items()}
    return {"lags": lags, "bits": word, "rates": rates, "missing": missing}


def show(name: str, rates: dict[str, dict[str, Any]]) -> None:
    """Print a line for each rate of one pair of lags."""
    for who, rate in rates.items():
        first = ", ".join(f"{key} {1e3 * rate[key]:8.1f} ms" for key in rate if key.startswith("first"))
        print(
            f"{name:20} {who:15} {rate['rate'] / 1e9:9.3f} G/s ({rate['low'] / 1e9:9.3f} to {rate['high'] / 1e9:9.3f}) "
            f"{rate['ratio']:6.3f} of the wall  {first}".rstrip(),
            flush=True,
        )


def main() -> None:
    """Measure, print and save, after each pair of lags what there is so far."""
    options = arguments(
        __doc__,
        values={"type": int, "help": "values of 32 bits a call; by default 2^30, 2^28 on a CPU, or what fits"},
        rounds=7,
        only={"default": "", "help": "a part of the names of the pairs to measure, such as '5,17' or '64 bits'"},
        ops={"nargs": "+", "choices": tuple(OPS), "default": tuple(OPS)},
    )
    queue = clrng.make_queue(options.device)
    device = describe(queue.device)
    kind = "quick" if options.quick else kind_of(device)
    rounds = options.rounds
    names = chosen(QUICK if options.quick else CASES, options.only)
    most = device.largest_allocation // 4 - 1
    if options.values and options.values > most:
        raise ValueError(
            f"values must be at most {most} for the largest allocation of {device.name}, not {options.values}"
        )
    n = options.values or min(VALUES[kind], most)
    out = cla.Array(queue, n + n % 2, np.uint32)
    results = Results(options, "lagged_fibonacci", queue, values=out.size, rounds=rounds, compiler=version("C"))
    store = wall(queue, out)
    mersenne = attempt(results, MERSENNE, partial(peers_cuda.curand, out.size, "MT19937"))
    for i, name in enumerate(names, 1):
        if CASES[name][1] == WORD:
            mine, ops, common = out, options.ops, {"wall": store, **({MERSENNE: mersenne} if mersenne else {})}
        else:
            mine, ops = cla.Array(queue, out.size // 2, np.uint64, data=out.base_data), ["+"]
            common = {"wall": store._replace(values=mine.size)}
        found = row(results, queue, name, ops, mine, common, PUBLISHED_VALUES[kind], rounds)
        results.add(name, found)
        show(f"[{i}/{len(names)}] {name}", found["rates"])
    results.close()


if __name__ == "__main__":
    run(main)
