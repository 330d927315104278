"""What fills an array of the host: NumPy, mkl_random, randomgen, C++ <random>, PyTorch and the loop in C."""

import ctypes
import importlib
from functools import cache, partial
from typing import Any

import numpy as np
from harness.c_loop import Host, loop
from harness.compiled import library
from harness.typical import TYPICAL, typical

import clrng
from peers.peer import DTYPES, Maker, Peer, into, returned

NUMPY = ["PCG64", "SFC64", "Philox", "MT19937"]
RANDOMGEN = ["Xoshiro256", "Xoroshiro128", "Xorshift1024", "LXM", "PCG64DXSM", "MT64", "SFMT", "DSFMT"]
MKL = ["MCG31", "MCG59", "R250", "MRG32K3A", "MT19937", "SFMT19937", "PHILOX4X32X10"]

NARROW = {"MT19937", "DSFMT"}
"""Bit generators whose raw values have fewer than 64 bits."""

LOOPS: dict[str, clrng.BitGenerator] = {
    **{f"C loop of {name}": bits for name, bits in typical("Park-Miller", "LCG 2^32", "LCG 2^64").items()},
    "C loop of LFG(418,1279)": TYPICAL["LFG 418,1279"],
}

CPP = {"minstd_rand0": 31, "mt19937": 32, "ranlux24": 24, "mt19937_64": 64}
"""The bits of a raw value by the engine."""

SLOW = {"ranlux24": 16}
"""What part of the values an engine is given that takes seconds for all."""

CPP_SOURCE = """
#include <cstddef>
#include <cstdint>
#include <random>

template <class Engine, class Value> static void raw(Value *out, std::size_t n)
{
    static Engine engine;
    for (std::size_t k = 0; k < n; k++)
        out[k] = engine();
}

template <class Engine, class Value> static void uniform(Value *out, std::size_t n)
{
    static Engine engine;
    std::uniform_real_distribution<Value> distribution;
    for (std::size_t k = 0; k < n; k++)
        out[k] = distribution(engine);
}

#define FILL(ENGINE, KIND, FUNCTION, VALUE) \\
    void ENGINE##_##KIND(VALUE *out, std::size_t n) { FUNCTION<std::ENGINE>(out, n); }
#define FILLS(ENGINE, KIND, WORD) \\
    FILL(ENGINE, KIND, raw, WORD) FILL(ENGINE, float32, uniform, float) FILL(ENGINE, float64, uniform, double)

extern "C" {
FILLS(minstd_rand0, raw32, std::uint32_t)
FILLS(mt19937, raw32, std::uint32_t)
FILLS(ranlux24, raw32, std::uint32_t)
FILLS(mt19937_64, raw64, std::uint64_t)
}
"""


def by_numpy(module: Any, name: str, kind: str, values: int) -> Peer:
    """Return the peer that draws by NumPy's `Generator` from a bit generator of a module, or its raw values."""
    bits, who = getattr(module, name)(1), f"{module.__name__} {name}"
    rng, dtype = np.random.Generator(bits), DTYPES[kind]
    if dtype.kind == "f":
        out = np.empty(values, dtype)
        return into(out, partial(rng.random, dtype=dtype, out=out), kind, who, Host())
    if kind == "raw64" and name not in NARROW:
        return returned(partial(bits.random_raw, values), kind, who, Host())
    high = 2 ** (8 * dtype.itemsize)
    return returned(partial(rng.integers, 0, high, dtype=dtype, size=values), kind, who, Host())


def numpy_peers(kind: str, values: int) -> dict[str, Maker]:
    """Return what makes the peers of NumPy."""
    return {f"NumPy {name}": partial(by_numpy, np.random, name, kind, values) for name in NUMPY}


def randomgen_peers(kind: str, values: int) -> dict[str, Maker]:
    """Return what makes the peers of randomgen, whose bit generators NumPy's `Generator` takes."""
    module = importlib.import_module("randomgen")
    return {f"randomgen {name}": partial(by_numpy, module, name, kind, values) for name in RANDOMGEN}


def mkl_peer(kind: str, values: int, name: str) -> Peer:
    """Return the peer that draws by mkl_random, which has no float32."""
    module = importlib.import_module("mkl_random")
    rng, dtype = module.MKLRandomState(1, brng=name), DTYPES[kind]
    if dtype.kind == "f":
        return returned(partial(rng.random_sample, values), kind, f"mkl_random {name}", Host())
    high = 2 ** (8 * dtype.itemsize)
    return returned(partial(rng.randint, 0, high, size=values, dtype=dtype), kind, f"mkl_random {name}", Host())


def mkl_peers(kind: str, values: int) -> dict[str, Maker]:
    """Return what makes the peers of mkl_random."""
    importlib.import_module("mkl_random")
    return {f"mkl_random {name}": partial(mkl_peer, kind, values, name) for name in MKL if kind != "float32"}


@cache
def cpp_fills() -> ctypes.CDLL:
    """Return the compiled fills of C++ <random>; raise as `library` does."""
    return library("C++", CPP_SOURCE)


def cpp_peer(fills: ctypes.CDLL, kind: str, values: int, engine: str) -> Peer:
    """Return the peer that fills an array in a C++ loop around a default-seeded engine of <random>."""
    out = np.empty(values, DTYPES[kind])
    fill = partial(getattr(fills, f"{engine}_{kind}"), ctypes.c_void_p(out.ctypes.data), ctypes.c_size_t(values))
    bits = CPP[engine] if DTYPES[kind].kind == "u" else 0

    def call() -> None:
        fill()
        _ = out  # which has to live as long as its address is in use

    return into(out, call, kind, f"C++ {engine}", Host(), bits)


def cpp_peers(kind: str, values: int) -> dict[str, Maker]:
    """Return what makes the peers of C++ <random>."""
    fills = cpp_fills()
    return {
        f"C++ {engine}": partial(cpp_peer, fills, kind, values // SLOW.get(engine, 1), engine)
        for engine, bits in CPP.items()
        if DTYPES[kind].kind == "f" or (bits > 32) == (kind == "raw64")  # noqa: PLR2004  # bits of a word
    }


def loop_peer(bits: clrng.BitGenerator, values: int) -> Peer:
    """Return the loop in C of a recurrence."""
    return Peer(loop(bits, values), {"bits": (bits.upper_bound - 1).bit_length()})


def loop_peers(kind: str, values: int) -> dict[str, Maker]:
    """Return what makes the loops in C of clrng's recurrences, which have raw values only."""
    return {name: partial(loop_peer, bits, values) for name, bits in LOOPS.items() if bits.dtype == DTYPES[kind]}


def torch_peer(kind: str, values: int, threads: int) -> Peer:
    """Return the peer that fills a tensor of PyTorch on the host with so many threads."""
    torch = importlib.import_module("torch")
    out = np.empty(values, DTYPES[kind])
    signed = out if out.dtype.kind == "f" else out.view(f"i{out.dtype.itemsize}")
    tensor = torch.from_numpy(signed)

    def call() -> None:
        torch.set_num_threads(threads)
        if kind == "raw32":
            tensor.random_(-(2**31), 2**31)
        elif kind == "raw64":
            tensor.random_(-(2**63), None)
        else:
            tensor.uniform_()

    return into(out, call, kind, "PyTorch", Host())


@cache
def torch_threads() -> int:
    """Return how many threads PyTorch takes by default."""
    return importlib.import_module("torch").get_num_threads()


def torch_peers(kind: str, values: int) -> dict[str, Maker]:
    """Return what makes the peers of PyTorch on the host: on one core and on all."""
    return {
        f"PyTorch, threads: {threads}": partial(torch_peer, kind, values, threads)
        for threads in dict.fromkeys((1, torch_threads()))
    }
