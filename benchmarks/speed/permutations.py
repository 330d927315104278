"""How fast are random orders made and arrays shuffled, beside NumPy, PyTorch and CuPy?

In the same rounds: `permutation` of n integers, `shuffle` of an array of n, `permuted` of rows of 128, a mapping in
place of a sort, and what the peers have. After all rounds each of clrng's is asked once more: an order must have every
place once, and its first and last keys in the order must ascend.
"""

import importlib
from functools import partial
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from harness.c_loop import Host
from harness.common import Results, arguments, attempt, kind_of, measure, run, takes_host
from harness.typical import typical
from peers.peers_cuda import Cuda

import clrng
from clrng.frontends.permutations import key_steps
from clrng.measuring.timing import Work
from clrng.opencl.devices import DeviceInfo, describe

GENERATORS = typical("Park-Miller", "LCG 2^64", "MRG32k3a", "LFG 24,55")

SIZES = {"cpu": [10**6, 10**7, 10**8], "gpu": [2**16, 2**20, 2**24, 2**28]}
QUICK_SIZE = 10**4

ROW = 128

CHECKED = 100
"""How many keys at each end of an order are compared."""

ELEMENTS = ("uint32", "float64")
"""The dtypes of arrays that are shuffled."""


def check(begin: clrng.BitGenerator, order: Any) -> None:
    """Raise an error if `order` has not every place once, or keys at its ends do not ascend."""
    n, steps = len(order), key_steps(len(order), begin.upper_bound - begin.min_value)
    there = np.zeros(n, bool)
    there[order] = True
    if not there.all():
        raise clrng.ClrngError(f"{begin!r}: an order of {n} does not have every place once")
    for part in (order[:CHECKED], order[-CHECKED:]):
        keys = [tuple(begin.jumped(steps * place).sequence(steps).tolist()) for place in part.tolist()]
        if keys != sorted(keys):
            raise clrng.ClrngError(f"{begin!r}: the keys in an order of {n} do not ascend")


def sorted_order(rng: clrng.Generator, n: int) -> Work:
    """Return permutations of `n`, with their check."""

    def once_more() -> None:
        begin = rng.bit_generator.copy()
        check(begin, rng.permutation(n).get())

    return Work(n, partial(rng.permutation, n), None, once_more)


def ours(queue: cl.CommandQueue, n: int, bits: clrng.BitGenerator, *, every: bool) -> dict[str, Work]:
    """Return what clrng does with `n` elements by one generator: all, or its permutation alone."""
    rng = clrng.Generator(bits.copy(), queue)
    works = {"permutation": sorted_order(rng, n)}
    if not every:
        return works
    for dtype in ELEMENTS:
        array = cla.arange(queue, n, dtype=dtype)
        works[f"shuffle, {dtype}"] = Work(n, partial(rng.shuffle, array))
    rows = cla.zeros(queue, (n // ROW, ROW), np.uint32)
    works[f"permuted, rows of {ROW}, uint32"] = Work(rows.size, partial(rng.permuted, rows, 1, rows))
    works["permutation, bijective"] = Work(n, partial(rng.permutation, n, method="bijective"))
    return works


def numpys(n: int) -> dict[str, Work]:
    """Return what NumPy does."""
    rng, host = np.random.default_rng(1), Host()
    works = {"NumPy permutation": Work(n, partial(rng.permutation, n), host)}
    for dtype in ELEMENTS:
        works[f"NumPy shuffle, {dtype}"] = Work(n, partial(rng.shuffle, np.arange(n).astype(dtype)), host)
    rows = np.zeros((n // ROW, ROW), np.uint32)
    works[f"NumPy permuted, rows of {ROW}, uint32"] = Work(
        rows.size, partial(rng.permuted, rows, axis=1, out=rows), host
    )
    return works


def torchs(n: int, where: str) -> Work:
    """Return PyTorch's permutations, on "cuda" or the host."""
    torch = importlib.import_module("torch")
    return Work(n, lambda: torch.randperm(n, device=where), Cuda() if where == "cuda" else Host())


def cupys(n: int) -> Work:
    """Return CuPy's permutations."""
    cuda = Cuda()
    return Work(n, lambda: cuda.cupy.random.permutation(n), cuda)


def peers(results: Results, n: int, device: DeviceInfo) -> dict[str, Work]:
    """Return what the peers that are installed do, those of the host where that takes no minutes."""
    on_host = takes_host(device, n)
    makers = {"PyTorch on the host": partial(torchs, n, "cpu")} if on_host else {}
    if device.kind == "gpu":
        makers |= {"PyTorch, CUDA": partial(torchs, n, "cuda"), "CuPy": partial(cupys, n)}
    made = {name: attempt(results, name, maker) for name, maker in makers.items()}
    return (numpys(n) if on_host else {}) | {name: work for name, work in made.items() if work is not None}


def main() -> None:
    """Measure, print and save."""
    options = arguments(__doc__, n={"type": int, "help": "one size"}, rounds=3)
    queue = clrng.make_queue(options.device)
    device, rounds = describe(queue.device), options.rounds
    sizes = [options.n or QUICK_SIZE] if options.quick or options.n else SIZES[kind_of(device)]
    results = Results(options, "permutations", queue, rounds=rounds)
    for n in sizes:
        works = peers(results, n, device)
        for name, bits in GENERATORS.items():
            own = ours(queue, n, bits, every=name == next(iter(GENERATORS)))
            works |= {f"clrng {name}, {what}": work for what, work in own.items()}
        rates = measure(queue, works, rounds, wall=None)
        results.add(str(n), {"n": n, "rates": rates})
        for name, rate in rates.items():
            print(f"{n:12} {name:45} {rate['rate'] / 1e9:8.4f} G/s", flush=True)
    results.close()


if __name__ == "__main__":
    run(main)
