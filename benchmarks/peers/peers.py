"""How fast is clrng beside the field's other generators, raw and uniform, each as its users have it?

Kinds of values are raw ones of 32 and 64 bits, float32 and float64. On the device, clrng's exact streams and whatever
is installed of pyopencl.clrandom, reikna, cuRAND's host interface with all its generators and orderings, CuPy and
PyTorch fill the same bytes, in the same rounds as the best plain store, the wall; but that the peers take a part of
them on a CPU. On the host, NumPy, mkl_random, randomgen, C++ <random>, PyTorch and clrng's recurrences as loops in C
fill smaller arrays, past the caches of one core, but not past one of the last level that is larger than they are.

Every peer's values are poisoned before and inspected after a first call, and after another one at the end. Uniform
numbers of clrng have as many bits as the raw values that they are made of, but at most those of their type: 31 for
float64 of Park-Miller, for instance. "Times" is how many times as fast as the peer the fastest of clrng's generators
for new work was on the device; those for old work, which test batteries reject, do not count.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from harness.common import Results, arguments, attempt, buffer_bytes, kind_of, run, wall
from harness.compiled import version
from harness.typical import NEW_WORK

import clrng
from clrng.opencl.devices import describe
from peers import peers_cuda, peers_device, peers_host
from peers.peer import DTYPES, Maker, Peer, rates_of

MIB = {"gpu": 4096, "cpu": 1024}
PART = {"gpu": 1, "cpu": 16}
"""What part of the buffer the peers of the device are given: on a CPU some take a minute for all."""

QUICK_MIB = 2
HOST_VALUES = 2**24
QUICK_HOST_VALUES = 2**14

KINDS = ["raw32", "float32", "raw64", "float64"]
"""The most telling first."""

QUICK_KINDS = ["raw32", "float64"]

Family = Callable[..., dict[str, Maker]]


def made(results: Results, kind: str, families: Mapping[str, Family], *given: Any) -> dict[str, Peer]:
    """Return the peers of `families` that can be made, by name; tell why others are missing, in a line each."""
    found = {}
    for family, makers in families.items():
        for name, make in (attempt(results, family, partial(makers, *given)) or {}).items():
            peer = attempt(results, f"{name}, {kind}", make)
            if peer:
                found[name] = peer
    return found


def compare(row: dict[str, Any], best: tuple[str, float]) -> None:
    """Say in a row which generator of clrng is `best`, and in all other rates how many times as fast that is."""
    row["fastest"] = best[0]
    for name, rate in row["rates"].items():
        if name != "wall" and not name.startswith("clrng"):
            rate["times"] = best[1] / rate["rate"]


def show(where: str, row: dict[str, Any]) -> None:
    """Print a line for each rate."""
    for name, rate in row["rates"].items():
        bits = f" {rate['bits']} bits" if rate.get("bits") else ""
        one = " reaches 1" if rate.get("greatest") == 1 else ""
        ratio = f" {rate['ratio']:6.3f} of the wall" if "ratio" in rate else ""
        times = f" {row['fastest']} is {rate['times']:.3g} times as fast" if "times" in rate else ""
        print(
            f"{where:16} {name:30} {rate['rate'] / 1e9:9.3f} G/s ({rate['low'] / 1e9:.3f} to {rate['high'] / 1e9:.3f})"
            f"{ratio}{bits}{one}{times}",
            flush=True,
        )


def fastest(rates: Mapping[str, dict[str, Any]]) -> tuple[str, float] | None:
    """Return the name and the rate of clrng's fastest generator for new work; None where there is none."""
    ours = [(name, float(rate["rate"])) for name, rate in rates.items() if name.startswith(NEW_WORK)]
    return max(ours, key=lambda one: one[1], default=None)


def cuda_buffer(nbytes: int) -> Any:
    """Return an array of so many bytes on the CUDA device."""
    return peers_cuda.Cuda().cupy.empty(nbytes, "uint8")


def on_device(queue: cl.CommandQueue, results: Results, kind: str, buffers: tuple[cla.Array, Any], rounds: int) -> Any:
    """Return the row of one kind of values on the device, made in the bytes of `buffers`, of OpenCL and of CUDA."""
    buffer, cuda = buffers
    before = results.rows.get("raw32, device", {"rates": {}})["rates"]
    device = describe(queue.device)
    if kind == "float64" and not device.fp64:
        results.skip("float64 on the device", "it has no double precision")
        return None
    out = peers_device.as_kind(buffer, kind)
    part = out[: out.size // PART[kind_of(device)]]
    peers = made(results, kind, {"clrng": peers_device.clrng_peers}, queue, kind, out)
    families = {"pyopencl.clrandom": peers_device.pyopencl_peers, "reikna": peers_device.reikna_peers}
    peers |= made(results, kind, families, queue, kind, part)
    if cuda is not None:
        curand = partial(peers_cuda.curand_peers, orderings=peers_cuda.orderings_of(before))
        on_cuda: dict[str, Any] = {"cuRAND": curand, "CuPy": peers_cuda.cupy_peers, "PyTorch": peers_cuda.torch_peers}
        peers |= made(results, kind, on_cuda, kind, cuda.view(DTYPES[kind]))
    print(f"{kind}, device: {len(peers)} fills and the wall, in {rounds} rounds", flush=True)
    rates = rates_of(queue, results, kind, peers, wall(queue, out), rounds)
    return {"kind": kind, "where": "device", "bytes": buffer.nbytes, "rates": rates}


def on_host(queue: cl.CommandQueue, results: Results, kind: str, values: int, rounds: int) -> Any:
    """Return the row of one kind of values on the host."""
    families = {
        "C loop": peers_host.loop_peers,
        "NumPy": peers_host.numpy_peers,
        "C++ <random>": peers_host.cpp_peers,
        "mkl_random": peers_host.mkl_peers,
        "randomgen": peers_host.randomgen_peers,
        "PyTorch on the host": peers_host.torch_peers,
    }
    peers = made(results, kind, families, kind, values)
    print(f"{kind}, host: {len(peers)} fills, in {rounds} rounds", flush=True)
    rates = rates_of(queue, results, kind, peers, None, rounds)
    return {"kind": kind, "where": "host", "bytes": values * DTYPES[kind].itemsize, "rates": rates}


def main() -> None:
    """Measure, print and save, after each kind of values on the device and on the host what there is so far."""
    options = arguments(
        __doc__,
        mib={"type": int, "help": "MiB of the device's buffer; by default 4096, 1024 on a CPU, or what fits"},
        rounds=3,
        kinds={"nargs": "+", "choices": KINDS, "help": "by default all, or with --quick two of them"},
    )
    queue = clrng.make_queue(options.device)
    device = describe(queue.device)
    nbytes = buffer_bytes(device, options.mib, QUICK_MIB if options.quick else MIB[kind_of(device)])
    rounds, values = options.rounds, QUICK_HOST_VALUES if options.quick else HOST_VALUES
    compilers = {f"{language} compiler": version(language) for language in ("C", "C++")}
    results = Results(options, "peers", queue, bytes=nbytes, host_values=values, rounds=rounds, **compilers)
    buffer, cuda = cla.Array(queue, nbytes // 4, np.uint32), None
    if kind_of(device) == "gpu":
        cuda = attempt(results, "cuRAND, CuPy and PyTorch on the device", partial(cuda_buffer, buffer.nbytes))
    else:
        results.skip("cuRAND, CuPy and PyTorch on the device", f"{device.name} is no GPU")
    best: dict[str, tuple[str, float]] = {}
    kinds = options.kinds or (QUICK_KINDS if options.quick else KINDS)
    steps = [(kind, where) for where in ("device", "host") for kind in kinds]
    for number, (kind, where) in enumerate(steps, 1):
        if where == "device":
            row = on_device(queue, results, kind, (buffer, cuda), rounds)
            if row is None:
                continue
            ours = fastest(row["rates"])
            if ours:
                best[kind] = ours
        else:
            row = on_host(queue, results, kind, values, rounds)
        if kind in best:
            compare(row, best[kind])
        results.add(f"{kind}, {where}", row)
        show(f"[{number}/{len(steps)}] {kind}", row)
    results.close()


if __name__ == "__main__":
    run(main)
