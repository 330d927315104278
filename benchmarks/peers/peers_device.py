"""What fills a buffer on the OpenCL device: clrng, pyopencl.clrandom and reikna's cbrng."""

import importlib
from collections.abc import Callable
from functools import partial
from math import gcd
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
from harness.typical import TYPICAL, typical

import clrng
from clrng.distributions import UNIFORM
from clrng.measuring.timing import Work, filling, pieces, poison
from peers.peer import DTYPES, Maker, Peer, extremes, into

GENERATORS: dict[str, clrng.BitGenerator] = {
    **typical("Park-Miller", "LCG 2^32", "LCG 2^64", "MRG32k3a", "PCG64", "PCG64DXSM"),
    "LFG(418,1279)": TYPICAL["LFG 418,1279"],
    "LFG(418,1279) 64 bits": clrng.LaggedFibonacci((418, 1279), "+", bits=64, seed=1),
}

STREAMS = 2**20
"""The most work-items reikna's generators are given; each has a counter to read and to write back."""


def as_kind(buffer: cla.Array, kind: str) -> cla.Array:
    """Return the array of the values of `kind` that has the bytes of `buffer`."""
    dtype = DTYPES[kind]
    return cla.Array(buffer.queue, buffer.nbytes // dtype.itemsize, dtype, data=buffer.base_data)


def uniform(bits: clrng.BitGenerator, raw: npt.NDArray[Any], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Return the uniform numbers of raw values of `bits`, by exact arithmetic."""
    d, digits = bits.upper_bound, UNIFORM[dtype.name].bits
    if dtype == np.float64 and d <= 2**digits:
        return np.array([int(x) / d for x in raw])
    return np.array([((int(x) << digits) // d) * 2.0**-digits for x in raw]).astype(dtype)


def exact(queue: cl.CommandQueue, bits: clrng.BitGenerator, out: cla.Array) -> Peer:
    """Return a fill of `out` by clrng that goes on along the stream, after one that was checked.

    Raises
    ------
    ClrngError
        If a value is wrong at the beginning, the middle or the end of `out`, which was poisoned before.
    """
    digits = (bits.upper_bound - 1).bit_length()
    if out.dtype.kind == "u":
        return Peer(filling(queue, bits, out), {"bits": digits})
    rng = clrng.Generator(bits.copy(), queue)

    def once_more() -> None:
        begin = rng.bit_generator.copy().taken(UNIFORM[out.dtype.name])
        poison(out)
        rng.random(out=out)
        for first, values in pieces(out):
            if not np.array_equal(values, uniform(begin, begin.jumped(first).sequence(values.size), out.dtype)):
                raise clrng.ClrngError(f"{bits!r}: wrong uniform numbers near {first} from {queue.device.name}")

    once_more()
    least, greatest = extremes(out)
    work = Work(out.size, partial(rng.random, out=out), None, once_more)
    return Peer(work, {"least": least, "greatest": greatest})


def clrng_peers(queue: cl.CommandQueue, kind: str, out: cla.Array) -> dict[str, Maker]:
    """Return what makes clrng's fills of `out` by each generator whose values are of `kind`."""
    return {
        f"clrng {name}": partial(exact, queue, bits, out)
        for name, bits in GENERATORS.items()
        if DTYPES[kind].kind == "f" or bits.dtype == DTYPES[kind]
    }


def pyopencl_peer(queue: cl.CommandQueue, kind: str, out: cla.Array, name: str) -> Peer:
    """Return a fill of `out` by a generator of pyopencl.clrandom; its integers are signed, below 2^31 or 2^63."""
    who = f"pyopencl.clrandom {name}"
    generator = getattr(importlib.import_module("pyopencl.clrandom"), f"{name}Generator")(queue.context, seed=1)
    if DTYPES[kind].kind == "f":
        return into(out, partial(generator.fill_uniform, out, queue=queue), kind, who, queue)
    bits = 8 * out.dtype.itemsize - 1
    signed = cla.Array(queue, out.size, f"i{out.dtype.itemsize}", data=out.base_data)
    fill = partial(generator.fill_uniform, signed, a=0, b=2**bits - 1, queue=queue)
    return into(out, fill, kind, who, queue, bits)


def pyopencl_peers(queue: cl.CommandQueue, kind: str, out: cla.Array) -> dict[str, Maker]:
    """Return what makes the fills of `out` by pyopencl.clrandom."""
    return {
        f"pyopencl.clrandom {name}": partial(pyopencl_peer, queue, kind, out, name) for name in ("Philox", "Threefry")
    }


def reikna_peer(queue: cl.CommandQueue, kind: str, out: cla.Array, bijection: Callable[[], Any]) -> Peer:
    """Return a fill of `out` by reikna's counter-based generator; its integers are below 2^31 or 2^63."""
    api, core, cbrng = (importlib.import_module(f"reikna.{name}") for name in ("cluda", "core", "cbrng"))
    samplers = importlib.import_module("reikna.cbrng.samplers")
    thread = api.ocl_api().Thread(queue)
    bits = 8 * out.dtype.itemsize - 1
    if DTYPES[kind].kind == "f":
        sampler = samplers.uniform_float(bijection(), out.dtype, 0, 1)
    else:
        sampler = samplers.uniform_integer(bijection(), out.dtype, 0, 2**bits)
    streams = gcd(out.size, STREAMS)
    grid = out.reshape(out.size // streams, streams)
    computation = cbrng.CBRNG(core.Type(out.dtype, grid.shape), 1, sampler, seed=1)
    counters = thread.to_device(computation.create_counters())
    fill = computation.compile(thread)
    return into(out, partial(fill, counters, grid), kind, "reikna", queue, bits)


def reikna_peers(queue: cl.CommandQueue, kind: str, out: cla.Array) -> dict[str, Maker]:
    """Return what makes the fills of `out` by reikna's bijections of four words of 32 bits."""
    bijections = importlib.import_module("reikna.cbrng.bijections")
    return {
        f"reikna {name}4x32": partial(reikna_peer, queue, kind, out, partial(getattr(bijections, name), 32, 4))
        for name in ("philox", "threefry")
    }
