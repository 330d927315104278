"""Small pieces of everything that runs on a device, for Oclgrind, which writes what it finds to its log.

It is run with ``PYOPENCL_NO_CACHE=1 oclgrind --build-options -Drestrict=``: Oclgrind stops at what its compiler makes
of a restricted pointer that is passed on in a loop. So no pointer is restricted, and no program is that of another run.
"""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np
import pyopencl.array as cla

import clrng
from clrng.distributions import RAW
from clrng.fill import convert, fill_lagged, fill_runs
from clrng.fill.fill import BlockPlan, FillKernel, Plan
from clrng.fill.fill_lagged import Blocks, LaggedStreamFiller, LinePlan, RingPlan, ring_shape
from clrng.fill.fill_runs import RunsKernel
from clrng.fill.runs import runs_of
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import FAMILIES, code_for, why_not
from clrng.generators.lagged import Lagged, LaggedCode
from clrng.generators.mersenne_twister import MersenneTwister
from clrng.measuring import timing
from clrng.opencl.devices import describe
from clrng.order.plans import SortPlan
from clrng.order.sorting import radix_sort
from clrng.quality import checks, digests
from tests.support import oracle
from tests.support.distributions_under_oclgrind import distributions
from tests.support.kept import keep_memory, kept, same
from tests.support.permutations_under_oclgrind import permutations
from tests.support.selections_under_oclgrind import selections

SHORT_WORD = 4
"""Bytes of words of which Oclgrind multiplies vectors rightly."""


def fills(queue: Any, name: str) -> None:
    """Fill in pieces, in both ways to share out the work, with vectors, and at odd places of a buffer."""
    rng = kept(clrng.Generator(clrng.ParkMiller(seed=1), queue, name))
    same(rng.random_raw(5), oracle.sequence(1, 5))
    same(rng.random_raw(1), oracle.sequence(1, 1, first=6))
    same(rng.random_raw(203), oracle.sequence(1, 203, first=7))
    same(rng.random(37), (oracle.sequence(1, 37, first=210) >> 7) * np.float32(2**-24))
    same(rng.random(37, dtype="float64"), oracle.sequence(1, 37, first=247) / oracle.M)
    whole = kept(cla.zeros(queue, 150, np.uint32))
    rng.random_raw(out=kept(whole[3:140]))
    same(whole, np.concatenate([np.zeros(3), oracle.sequence(1, 137, first=284), np.zeros(10)]))
    shapes = [Plan(1, 8, 2, True, False, 3, 1), Plan(1, 4, 3, False, False, 8, 4)]
    shapes += [Plan(4, 1, 2, True, False, 3, 1)] * (ARITHMETICS[name].max_vector_width > 1)
    code = code_for(clrng.ParkMiller(seed=1), ARITHMETICS[name])
    for shape in shapes:
        out = kept(cla.zeros(queue, 301, np.uint32))
        FillKernel(queue, describe(queue.device), code, RAW, shape).fill(out, clrng.ParkMiller(9))
        same(out, oracle.sequence(9, 301))


def streams(queue: Any, name: str) -> None:
    """Advance streams made in every way, in counts that leave some over."""
    for count in (8, 37):
        dealt = kept(clrng.Streams.by_leapfrog(clrng.ParkMiller(seed=1), count, queue, name))
        same(dealt.random_raw(3), oracle.sequence(1, 3 * count))
        jumped = kept(clrng.Streams.by_jumps(clrng.ParkMiller(seed=1), count, 5, queue, name))
        same(jumped.random_raw(5), oracle.sequence(1, 5 * count).reshape(count, 5).T)
        listed = kept(clrng.Streams.from_seeds(clrng.ParkMiller(seed=1), np.arange(1, count + 1), queue, name))
        same(listed.random_raw(2, keep="last"), [oracle.sequence(seed, 2)[1] for seed in range(1, count + 1)])
        kept(kept(clrng.Streams.from_master_seed(clrng.ParkMiller(seed=1), count, queue, name)).random(2))


def proofs(queue: Any, name: str) -> None:
    """Run the kernels of the proofs and of the measurements."""
    code = code_for(clrng.ParkMiller(seed=1), ARITHMETICS[name])
    assert digests.run_check(checks.every_step(queue, code, 640), lambda _: None).passed
    timing.stepping(queue, code, 3)


EXAMPLES = [family.example for family in FAMILIES.values()]

OTHERS = [
    *(bits for bits in EXAMPLES if not isinstance(bits, Lagged)),
    clrng.LCG(0x5DEECE66D, 11, 2**48, 5, (17, 31)),
    clrng.LCG(40692, 7, 2**32 - 5, 5),
    clrng.LCG(2**63 + 11, 7, 2**64 - 59, 5),
    clrng.LinearRecurrence([2**60, 5], [1, 2], 2**61 - 1, constant=3),
]


def others(queue: Any, generator: clrng.BitGenerator, name: str) -> None:
    """Fill pieces at odd places, and advance streams.

    Blocks in vectors are left out: Oclgrind's search for uninitialised values ends itself where halves of vectors are
    assigned. They use no memory that others write.
    """
    rng = kept(clrng.Generator(generator.copy(), queue, name))
    whole = kept(cla.zeros(queue, 900, generator.dtype))
    rng.random_raw(out=kept(whole[3:890]))
    same(whole, np.concatenate([np.zeros(n, generator.dtype) if n else generator.sequence(887) for n in (3, 0, 10)]))
    below = [value * 2**24 // generator.upper_bound for value in generator.jumped(887).sequence(9).tolist()]
    if not generator.has_halves:  # which Oclgrind joins by a funnel shift, and ends itself
        same(rng.random(9), np.array(below) * np.float32(2**-24))
    same(kept(clrng.Streams.by_leapfrog(generator, 13, queue, name)).random_raw(3), generator.sequence(39))
    if isinstance(generator, clrng.LCG):
        published = kept(clrng.DivideAndConquer(generator.copy(), queue, s=19, r=8, group=8))
        same(published.random_raw(150), generator.sequence(150))


LAGGED = [
    clrng.LaggedFibonacci((2, 5), "+", seed=1),
    clrng.LaggedFibonacci((5, 3), "-", 64, seed=2, output=(40, 24)),
    clrng.LaggedFibonacci((4, 9), "xor", 8, seed=3),
]


def published(queue: Any, generator: clrng.LaggedFibonacci) -> None:
    """Fill at an odd place by the algorithm of 2012, with a last column that ends in every part of one."""
    for n in (19, 38, 150, 169):
        rng = kept(clrng.DivideAndConquer(generator.copy(), queue, s=19, r=9, group=8))
        whole = kept(cla.zeros(queue, n + 5, generator.dtype))
        rng.random_raw(out=kept(whole[3 : 3 + n]))
        same(whole, np.pad(generator.sequence(n), (3, 2)))


RINGED = [
    *(bits for bits in EXAMPLES if isinstance(bits, clrng.LaggedFibonacci)),
    clrng.LaggedFibonacci((5, 70), "*", seed=4),
    clrng.LaggedFibonacci((3, 70), "-", 64, seed=5, output=(33, 30)),
    clrng.LaggedFibonacci((10, 7), "+", modulus=10**9, seed=6),
    clrng.LaggedFibonacci((4, 9), "xor", 32, seed=7),
]


def lagged_fibonacci(queue: Any, generator: clrng.LaggedFibonacci) -> None:
    """Fill by rings in both memories, by rows and by lanes, in several blocks, and advance streams.

    The rows of a CPU are made in scalars. They are moved in vectors, which go beyond the ends of states, so their
    memory is made zero before.
    """
    device = describe(queue.device)
    code = cast("LaggedCode", code_for(generator, ARITHMETICS["integer"]))
    step, p = min(generator.lags), generator.order
    words, blocks = (-(-p // step) + 1) * step, Blocks(3, 3, 1, 1)
    mirrored = max(-lag % step for lag in generator.lags)
    shapes: list[Any] = [(RingPlan(8, step, words, mirrored, inside, blocks), None) for inside in (True, False)]
    shapes.append((LinePlan(1, 16, 2, False, Blocks(3, 3, 16, 1), 32), None))
    if code.fits_registers:
        shapes.append((shapes[0][0], BlockPlan(1, 16, False, 9, 1, 8, unrolled=False)))
    for rings, lanes in shapes:
        fillers, moving = kept(LaggedStreamFiller(queue, device, code, rings, lanes)), kept(generator.copy())
        if isinstance(rings, LinePlan):
            for count in (1, 2, 3):
                fillers._ready(False, RAW, False)._memory(count).fill(0)
        for n in (203, 5, 431):
            whole = kept(cla.zeros(queue, n + 10, generator.dtype))
            fillers.fill(RAW, kept(whole[3 : 3 + n]), moving)
            same(whole, np.pad(moving.sequence(n), (3, 7)))
            moving.advance(n)
    rng = kept(clrng.Generator(generator.jumped(10**9), queue))
    same(rng.random_raw(37), generator.jumped(10**9).sequence(37))
    below = [value * 2**24 // generator.upper_bound for value in rng.bit_generator.sequence(19).tolist()]
    same(rng.random(19), np.array(below) * np.float32(2**-24))
    for count in (9, 37):
        jumped = kept(clrng.Streams.by_jumps(generator, count, 50, queue))
        expected = np.array([generator.jumped(50 * i).sequence(6) for i in range(count)]).T
        same(jumped.random_raw(4), expected[:4])
        same(jumped.random_raw(2, keep="last"), expected[5])
    same(kept(clrng.Streams.by_leapfrog(generator, 13, queue)).random_raw(3), generator.sequence(39))


TWISTERS = [bits for bits in EXAMPLES if isinstance(bits, MersenneTwister)]


def twisters(queue: Any, generator: MersenneTwister) -> None:
    """Fill a block by rings in both memories and by a line, and step streams: jumps would take a simulator too long."""
    device = describe(queue.device)
    code = cast("LaggedCode", code_for(generator, ARITHMETICS["integer"]))
    _, words, mirrored = ring_shape(generator.lags, 10**6)
    one = Blocks(1, 1, 1, 1)
    shapes: list[Any] = [RingPlan(8, words // 4, words, mirrored, inside, one) for inside in (True, False)]
    for shape in (*shapes, LinePlan(1, 16, 2, False, one, 32)):
        fillers, moving = kept(LaggedStreamFiller(queue, device, code, shape)), kept(generator.copy())
        if isinstance(shape, LinePlan):
            fillers._ready(False, RAW, False)._memory(1).fill(0)
        for n in (703, 5, 131):
            whole = kept(cla.zeros(queue, n + 10, generator.dtype))
            fillers.fill(RAW, kept(whole[3 : 3 + n]), moving)
            same(whole, np.pad(moving.sequence(n), (3, 7)))
            moving.advance(n)
    starts = [generator.words, generator.jumped(50).words]
    streams = kept(clrng.Streams.from_seeds(generator, starts, queue))
    same(streams.random_raw(3), np.array([generator.sequence(3), generator.jumped(50).sequence(3)]).T)


def rectangles(queue: Any, generator: clrng.BitGenerator) -> None:
    """Make rectangles, contiguous and not, in the shapes of a GPU, and where Oclgrind can, of a CPU.

    It multiplies vectors of ``ulong`` wrongly, and its check for uninitialised memory ends with a segmentation fault
    where the lanes of a vector step through runs of their own.
    """
    device, code = describe(queue.device), code_for(generator, ARITHMETICS["integer"])
    fill_runs.LANES = {"cpu": 1, "gpu": 4}
    whole = generator.sequence(600).reshape(4, 150)
    vectors = code.fill_strategy == "strides" and code.word.itemsize == SHORT_WORD
    for kind in ("cpu", "gpu") if vectors else ("gpu",):
        filler = kept(RunsKernel(queue, replace(device, kind=kind), code, RAW))
        for first, last, step in ((3, 144, 1), (1, 5, 1), (2, 60, 2)):
            columns = last - first
            out = kept(cla.zeros(queue, (3, columns * step + 3), generator.dtype))
            runs = runs_of((4, 150), (1, first), (3, columns), (columns * step + 3, step))
            filler.fill(kept(out[:, 1:]), generator, runs, RAW)
            expected = np.zeros(out.shape, generator.dtype)
            expected[:, 1 : 1 + columns * step : step] = whole[1:, first:last]
            same(out, expected)


SORTS = [
    SortPlan(4, 1, 1, 3),
    SortPlan(4, 1, 1, 3, inner_bits=6, max_alone=300),
    SortPlan(4, 1, 1, 3, bucket_bits=3, inner_bits=6, shares=2),
    SortPlan(6, 16, 3, 2, copies=2),
    SortPlan(4, 8, 2, 2, rank_bits=2, copies=1),
    SortPlan(4, 32, 2, 3, ahead=True),
    SortPlan(4, 32, 8, 1, max_alone=256),
]


def sorts(queue: Any) -> None:
    """Sort pairs and places in every shape, evenly spread keys and others, in tiles of which the last is not whole."""
    for plan in SORTS:
        for least in (0, 2**32 - 9):
            values = np.random.default_rng(1).integers(least, 2**32, 247, dtype=np.uint32)
            expected = np.argsort(values, kind="stable")
            keys, found = (kept(cla.to_device(queue, array)) for array in (values, 0 * values))
            contents = kept(cla.to_device(queue, np.arange(247, dtype=np.uint64)))
            moved = kept(cla.to_device(queue, np.zeros(247, np.uint64)))
            radix_sort(keys, found, contents, moved, (0, 32), plan=plan)
            same(found, values[expected])
            same(moved, expected)
            places = kept(cla.to_device(queue, 0 * values))
            radix_sort(keys, None, None, places, (0, 32), plan=plan)
            same(places, expected)


Part = tuple[str, Callable[[], object]]
"""What is said of something to run, and what runs it."""


def parts(queue: Any) -> Iterator[Part]:
    """Yield everything."""
    device = describe(queue.device)
    for name in ARITHMETICS:
        if why_not(name, device, clrng.ParkMiller(seed=1)) is None:
            for run in (fills, streams, proofs):
                yield f"{name}: {run.__name__}", partial(run, queue, name)
    for generator in OTHERS:
        for name in (name for name in ARITHMETICS if why_not(name, device, generator) is None):
            yield f"{name}: {generator!r}", partial(others, queue, generator, name)
        yield f"rectangles: {generator!r}", partial(rectangles, queue, generator)
    for lagged in LAGGED:
        yield f"divide and conquer: {lagged!r}", partial(published, queue, lagged)
    for lagged in RINGED:
        yield f"fills and streams: {lagged!r}", partial(lagged_fibonacci, queue, lagged)
    for twister in TWISTERS:
        yield f"fills and streams: {twister!r}", partial(twisters, queue, twister)
    yield from distributions(queue)
    yield "permutations", partial(permutations, queue)
    yield "selections", partial(selections, queue)
    yield "sorts", partial(sorts, queue)


def main() -> None:
    """Run the I-th of N shares of everything, of arguments I and N, on the first device, which must be Oclgrind's."""
    keep_memory()
    fill_lagged.MIN_STEPS, fill_lagged.MIN_CHUNKS, convert.MIN_WORDS = 0, 1, 1
    queue = clrng.make_queue()
    if "Oclgrind" not in queue.device.platform.name:
        sys.exit(f"run this under oclgrind, not on {queue.device.platform.name}")
    if os.environ.get("OCLGRIND_BUILD_OPTIONS") != "-Drestrict=" or "PYOPENCL_NO_CACHE" not in os.environ:
        sys.exit("run this with PYOPENCL_NO_CACHE=1 oclgrind --build-options -Drestrict=")
    number, shares = map(int, sys.argv[1:] or (1, 1))
    for text, run in list(parts(queue))[number - 1 :: shares]:
        print(text, flush=True)
        run()
    print(f"all values right on {queue.device.name}")


if __name__ == "__main__":
    main()
