"""How close do today's engines come to the device's write wall, raw, as floats and as normal numbers?

Each engine fills the same bytes in the same rounds as the best plain store, the wall. Floats are measured beside
cuRAND's Philox too, where CuPy is installed. Afterwards the values of clrng are compared with the host's; those of
cuRAND are inspected.
"""

from functools import partial
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from harness.common import Results, arguments, attempt, buffer_bytes, chosen, kind_of, run, wall
from peers import peers_drawn
from peers.drawn_cases import CASES, Case
from peers.peer import rates_of
from peers.peers import cuda_buffer, made, show

import clrng
from clrng.opencl.devices import describe
from speed.distributions import MIB, QUICK_MIB, our_peers

ENGINES = (
    "numpy_pcg64", "std_philox4x32", "std_philox4x64", "rust_chacha8", "xoshiro128plusplus",
    "xoshiro256plusplus", "xoroshiro128plusplus", "splitmix64", "java_l64x128mix", "pcg32", "sprng_mlfg_63_31",
)  # fmt: skip
"""By the catalogue's names."""

QUICK = ("std_philox4x32", "splitmix64")

METHODS = ("random_raw", "random", "standard_normal")


def cases() -> list[Case]:
    """Return the calls that are measured, raw values of 64 bits among them."""
    found = [case for case in CASES if case.method in METHODS]
    return [Case("random_raw", "uint64", "random_raw", {}), *found]


def measured(
    results: Results, queue: cl.CommandQueue, case: Case, buffer: cla.Array, cuda: Any, engines: list[str], rounds: int
) -> dict[str, Any]:
    """Return the row of one call: the rates of all engines that have it, of the wall and of cuRAND's Philox."""
    dtype = np.dtype(case.dtype)
    out = cla.Array(queue, buffer.nbytes // dtype.itemsize, dtype, data=buffer.base_data)
    rngs = {name: clrng.Generator(clrng.named(name, 1), queue) for name in engines}
    peers = made(results, case.label, {"clrng": our_peers}, rngs, case, out)
    if cuda is not None and case.method != "random_raw":
        philox = partial(peers_drawn.curand_peer, case, cuda.view(dtype), "PHILOX4_32_10", "DEFAULT")
        peer = attempt(results, f"cuRAND PHILOX4_32_10, {case.label}", philox)
        peers |= {"cuRAND PHILOX4_32_10": peer} if peer else {}
    rates = rates_of(queue, results, case.label, peers, wall(queue, out), rounds)
    return {"dtype": case.dtype, "bytes": buffer.nbytes, "rates": rates}


def main() -> None:
    """Measure, print and save."""
    options = arguments(__doc__, mib={"type": int}, rounds=3, only={"default": "", "help": "a part of the names"})
    queue = clrng.make_queue(options.device)
    device = describe(queue.device)
    kind = kind_of(device)
    nbytes = buffer_bytes(device, options.mib, QUICK_MIB if options.quick else MIB[kind])
    engines = chosen(QUICK if options.quick else ENGINES, options.only)
    results = Results(options, "engines", queue, nbytes=nbytes, rounds=options.rounds)
    buffer, cuda = cla.Array(queue, nbytes // 4, np.uint32), None
    if kind == "gpu":
        cuda = attempt(results, "cuRAND", partial(cuda_buffer, nbytes))
    for case in cases():
        if case.dtype == "float64" and not device.fp64:
            results.skip(case.label, "the device has no double precision")
            continue
        row = measured(results, queue, case, buffer, cuda, engines, options.rounds)
        results.add(case.label, row)
        show(case.label, row)
    results.close()


if __name__ == "__main__":
    run(main)
