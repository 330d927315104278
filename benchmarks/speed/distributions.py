"""How close do clrng's distributions come to the device's write wall, and how fast are they beside other libraries?

Each distribution fills the same bytes by the methods of `Generator`, from several bit generators, in the same rounds as
the best plain store, the wall, and as NumPy on one core of the host, and cuRAND, CuPy and PyTorch on a CUDA device,
where they are installed and have it. A ratio is that of values a second; NumPy and CuPy make some in 8 bytes each where
clrng takes 4, which the rate says by its dtype. "Times" is how many times as fast the fastest of clrng's generators for
new work was.

After all rounds the values of clrng are compared with the host's; those of the others are inspected.

Then a kernel of the user's own adds up normal numbers, by clrng's device code and by cuRAND's. At last it is timed what
the first call with a new parameter costs, of a distribution that has been drawn from with another one.
"""

from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from harness.common import Results, arguments, attempt, buffer_bytes, chosen, kind_of, run, wall
from harness.typical import TYPICAL, typical
from peers import normals, peers_drawn
from peers.drawn_cases import CASES, Case
from peers.peer import Maker, Peer, rates_of
from peers.peers import compare, cuda_buffer, fastest, made, show

import clrng
from clrng.measuring.timing import Work, poison
from clrng.opencl import program
from clrng.opencl.devices import describe

GENERATORS: dict[str, clrng.BitGenerator] = {
    **typical("PCG64", "MRG32k3a", "Park-Miller", "LCG 2^32", "LCG 2^64"),
    "XorShift32": clrng.XorShift32(1),
    "LFG(418,1279)": TYPICAL["LFG 418,1279"],
}
QUICK_GENERATORS = ("PCG64", "Park-Miller")
QUICK_CASES = ("standard_normal, float32", "integers(6), int64", "poisson(3.5), int32")

MIB = {"gpu": 4096, "cpu": 256}
QUICK_MIB = 1
HOST_VALUES = 2**21
QUICK_HOST_VALUES = 2**14

KERNELS = {"gpu": (2**18, 2**16), "cpu": (2**14, 2**12)}
"""Items of a kernel, and normal numbers of an item."""

QUICK_KERNELS = (2**8, 2**8)

NEW: dict[str, Callable[[clrng.Generator, int], object]] = {
    "normal(loc)": lambda rng, i: rng.normal(i, 2, size=FEW_VALUES),
    "standard_gamma(shape)": lambda rng, i: rng.standard_gamma(2.5 + i / 64, size=FEW_VALUES),
    "beta(a, 5)": lambda rng, i: rng.beta(2 + i / 64, 5, size=FEW_VALUES),
    "standard_t(df)": lambda rng, i: rng.standard_t(4 + i / 64, size=FEW_VALUES),
    "poisson(about 3.5)": lambda rng, i: rng.poisson(3.5 + i / 64, size=FEW_VALUES),
    "poisson(about 1000)": lambda rng, i: rng.poisson(1000 + i, size=FEW_VALUES),
    "binomial(20, p)": lambda rng, i: rng.binomial(20, 0.3 + i / 256, size=FEW_VALUES),
    "integers(n)": lambda rng, i: rng.integers(10**6 + i, size=FEW_VALUES),
}
"""Draws with a parameter that a number chooses."""

FEW_VALUES = 1000
NEW_PARAMETERS = 15


def ours(rng: clrng.Generator, case: Case, out: cla.Array) -> Peer:
    """Return a fill of `out` by clrng that goes on along the stream, after one that was checked.

    Raises
    ------
    ClrngError
        If a value is wrong at the beginning, the middle or the end of `out`, which was poisoned before.
    """

    def once_more() -> None:
        begin = rng.bit_generator.copy()
        poison(out)
        case.draw(rng, out)
        case.check(begin, out, rng.queue.device.name)

    once_more()
    return Peer(Work(out.size, partial(case.draw, rng, out), None, once_more), {})


def our_peers(rngs: dict[str, clrng.Generator], case: Case, out: cla.Array) -> dict[str, Maker]:
    """Return what makes clrng's fills of `out`, by bit generator; raw values where they are of its dtype."""
    return {
        f"clrng {name}": partial(ours, rng, case, out)
        for name, rng in rngs.items()
        if case.method != "random_raw" or rng.bit_generator.dtype == out.dtype
    }


def peers_of(
    results: Results, case: Case, rngs: dict[str, clrng.Generator], out: cla.Array, cuda: Any, host_values: int
) -> dict[str, Peer]:
    """Return what draws from one distribution: into `out`, into `cuda` if there is CUDA, and on the host."""
    peers = made(results, case.label, {"clrng": our_peers}, rngs, case, out)
    peers |= made(results, case.label, {"NumPy": peers_drawn.numpy_peers}, case, host_values)
    if cuda is not None:
        families = {
            "cuRAND": peers_drawn.curand_peers,
            "CuPy": peers_drawn.cupy_peers,
            "PyTorch": peers_drawn.torch_peers,
        }
        peers |= made(results, case.label, families, case, cuda.view(case.dtype))
    return peers


def compared(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with clrng's fastest for new work, and how many times as fast that is as others."""
    ours = fastest(row["rates"])
    if ours:
        compare(row, ours)
    return row


def in_kernels(results: Results, queue: cl.CommandQueue, items: int, count: int, rounds: int) -> None:
    """Measure normal numbers in kernels of the user's own."""
    what = "normals in a kernel"
    families: dict[str, Callable[..., dict[str, Maker]]] = {"clrng": partial(normals.makers, queue)}
    if kind_of(describe(queue.device)) == "gpu":
        families["cuRAND in a kernel"] = normals.curand_makers
    peers = made(results, what, families, items, count)
    row = compared({"items": items, "each": count, "rates": rates_of(queue, results, what, peers, None, rounds)})
    results.add(what, row)
    show(what, row)


def new_parameters(queue: cl.CommandQueue, draw: Callable[[clrng.Generator, int], object], count: int) -> Any:
    """Return the seconds of calls with new parameters and with ones seen before, and how many programs they built.

    Of either these are the median, the lowest and the highest.
    """
    rng, taken, built = clrng.Generator(clrng.ParkMiller(seed=1), queue), {}, []
    draw(rng, 0)
    before = program.build

    def build(context: cl.Context, source: str) -> cl.Program:
        built.append(source)
        return before(context, source)

    program.build = build
    try:
        for kind in ("new", "seen"):
            found = []
            for i in range(1, count + 1):
                queue.finish()
                begin = perf_counter()
                draw(rng, i)
                queue.finish()
                found.append(perf_counter() - begin)
            taken[kind] = {"seconds": median(found), "low": min(found), "high": max(found)}
        return {**taken, "builds": len(built)}
    finally:
        program.build = before


def parameters(results: Results, queue: cl.CommandQueue, count: int) -> None:
    """Measure the first calls with new parameters."""
    row = {}
    for name, draw in NEW.items():
        if (found := attempt(results, f"{name}, a new parameter", partial(new_parameters, queue, draw, count))) is None:
            continue
        row[name] = found
        new, seen = (found[kind]["seconds"] * 1e3 for kind in ("new", "seen"))
        told = f"a new parameter {new:8.3f} ms, one seen before {seen:8.3f} ms"
        print(f"{name:24} {told}; built {found['builds']} programs", flush=True)
    results.add("new parameters", row)


def main() -> None:
    """Measure, print and save, after each distribution what there is so far."""
    options = arguments(
        __doc__,
        mib={"type": int, "help": "MiB of the device's buffer; by default 4096, 256 on a CPU, or what fits"},
        rounds=3,
        only={"default": "", "help": "a part of the names of distributions"},
    )
    queue = clrng.make_queue(options.device)
    device = describe(queue.device)
    kind, quick = kind_of(device), options.quick
    nbytes = buffer_bytes(device, options.mib, QUICK_MIB if quick else MIB[kind])
    rounds, host_values = options.rounds, QUICK_HOST_VALUES if quick else HOST_VALUES
    results = Results(options, "distributions", queue, nbytes=nbytes, rounds=rounds)
    buffer = cla.Array(queue, nbytes // 4, np.uint32)
    plain, cuda = wall(queue, buffer), None
    if kind == "gpu":
        cuda = attempt(results, "cuRAND, CuPy and PyTorch", partial(cuda_buffer, nbytes))
    else:
        results.skip("cuRAND, CuPy and PyTorch", f"{device.name} is no GPU")
    names = QUICK_GENERATORS if quick else GENERATORS
    rngs = {name: clrng.Generator(GENERATORS[name].copy(), queue) for name in names}
    labels = chosen(QUICK_CASES if quick else [case.label for case in CASES], options.only)
    cases = [case for case in CASES if case.label in labels]
    for number, case in enumerate(cases, 1):
        if case.dtype == "float64" and not device.fp64:
            results.skip(case.label, "the device has no double precision")
            continue
        dtype = np.dtype(case.dtype)
        out = cla.Array(queue, nbytes // dtype.itemsize, dtype, data=buffer.base_data)
        peers = peers_of(results, case, rngs, out, cuda, host_values)
        rates = rates_of(queue, results, case.label, peers, plain._replace(values=out.size), rounds)
        row = compared({"dtype": case.dtype, "bytes": nbytes, "rates": rates})
        results.add(case.label, row)
        show(f"[{number}/{len(cases)}] {case.label}", row)
    in_kernels(results, queue, *(QUICK_KERNELS if quick else KERNELS[kind]), rounds)
    parameters(results, queue, 2 if quick else NEW_PARAMETERS)
    results.close()


if __name__ == "__main__":
    run(main)
