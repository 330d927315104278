"""What fills a buffer on the CUDA device: cuRAND's host interface and CuPy's generators, by way of CuPy, and PyTorch.

No module here may be called cuda: CuPy imports a package of that name.
"""

import importlib
from collections.abc import Mapping
from functools import partial
from typing import Any

import clrng
from clrng.measuring.timing import Work
from peers.peer import DTYPES, Maker, Peer, into, returned

ORDERINGS = {"BEST": 100, "DEFAULT": 101, "SEEDED": 102, "LEGACY": 103, "DYNAMIC": 104}
"""cuRAND's ``CURAND_ORDERING_PSEUDO_``, of which CuPy does not name all."""

PSEUDO = ["PHILOX4_32_10", "XORWOW", "MRG32K3A", "MT19937", "MTGP32"]
QUASI = {32: ["SOBOL32", "SCRAMBLED_SOBOL32"], 64: ["SOBOL64", "SCRAMBLED_SOBOL64"]}
"""The quasirandom generators by the bits of a value; they have one ordering."""

FEWER = ["DEFAULT", "DYNAMIC"]
"""The orderings of which the faster for raw words of 32 bits is measured for the other kinds of values."""

CUPY = ["XORWOW", "Philox4x3210", "MRG32k3a"]


class Cuda:
    """Waits for the CUDA device."""

    def __init__(self) -> None:
        self.cupy: Any = importlib.import_module("cupy")

    def finish(self) -> None:
        """Wait for all its work."""
        self.cupy.cuda.runtime.deviceSynchronize()


def library() -> Any:
    """Return CuPy's module of cuRAND's host interface."""
    return importlib.import_module("cupy_backends.cuda.libs").curand


def number_of(curand: Any, name: str) -> int:
    """Return cuRAND's number of a kind of generators, such as ``"PSEUDO_MT19937"``.

    Raises
    ------
    ClrngError
        If cuRAND has no such generator.
    """
    number = getattr(curand, f"CURAND_RNG_{name}", None)
    if number is None:
        raise clrng.ClrngError(f"cuRAND has no generator {name}")
    return int(number)


def curand(values: int, kind: str) -> Work:
    """Return a call that makes so many values of 32 bits by cuRAND's generator of this kind, such as ``"MT19937"``.

    Raises
    ------
    ImportError
        If there is no CuPy.
    ClrngError
        If cuRAND has no such generator, or its values are not plausible.
    """
    return curand_peer("raw32", Cuda().cupy.empty(values, "uint32"), f"PSEUDO_{kind}").work


def curand_peer(kind: str, out: Any, name: str, ordering: str | None = None) -> Peer:
    """Return a fill of the CuPy array `out` by cuRAND's generator of this name, such as ``"PSEUDO_MT19937"``.

    Pseudorandom generators make values of 64 bits as two words.
    """
    cuda, host = Cuda(), library()
    generator = host.createGenerator(number_of(host, name))
    if ordering:
        host.setGeneratorOrdering(generator, ORDERINGS[ordering])
    size = out.size
    if kind == "float32":
        make = host.generateUniform
    elif kind == "float64":
        make = host.generateUniformDouble
    elif name.endswith("SOBOL64"):
        make = host.generateLongLong
    else:
        make, size = host.generate, out.nbytes // 4
    return into(
        out, partial(make, generator, out.data.ptr, size), kind, f"cuRAND {name} {ordering or ''}".rstrip(), cuda
    )


def orderings_of(rates: Mapping[str, dict[str, Any]]) -> dict[str, list[str]]:
    """Return the faster of `FEWER` by generator, as measured, or both where they were not."""
    found = {}
    for name in PSEUDO:
        measured = [ordering for ordering in FEWER if f"cuRAND {name} {ordering}" in rates]
        measured.sort(key=lambda ordering: -rates[f"cuRAND {name} {ordering}"]["rate"])
        found[name] = measured[:1] or FEWER
    return found


def curand_peers(kind: str, out: Any, orderings: Mapping[str, list[str]]) -> dict[str, Maker]:
    """Return what makes cuRAND's fills of `out`, by generator and by its `orderings`, or for raw32 by all."""
    library()
    found: dict[str, Maker] = {
        f"cuRAND {name} {ordering}": partial(curand_peer, kind, out, f"PSEUDO_{name}", ordering)
        for name in PSEUDO
        for ordering in (ORDERINGS if kind == "raw32" else orderings[name])
    }
    for bits, names in QUASI.items():
        if DTYPES[kind].itemsize * 8 == bits:
            found |= {f"cuRAND {name}": partial(curand_peer, kind, out, f"QUASI_{name}") for name in names}
    return found


def cupy_peer(kind: str, out: Any, name: str) -> Peer:
    """Return a fill by a generator of CuPy; integers it returns in a new array."""
    cuda, dtype, who = Cuda(), DTYPES[kind], f"CuPy {name}"
    rng = cuda.cupy.random.Generator(getattr(cuda.cupy.random, name)(1))
    if dtype.kind == "f":
        return into(out, partial(rng.random, out.size, dtype, out), kind, who, cuda)  # without a size, one for all
    high = 2 ** (8 * dtype.itemsize)
    return returned(partial(rng.integers, 0, high, out.size, dtype), kind, who, cuda)


def cupy_peers(kind: str, out: Any) -> dict[str, Maker]:
    """Return what makes the fills by CuPy's generators."""
    return {f"CuPy {name}": partial(cupy_peer, kind, out, name) for name in CUPY}


def torch_peer(kind: str, out: Any) -> Peer:
    """Return a fill by PyTorch of the CUDA memory of `out`."""
    torch = importlib.import_module("torch")
    dtype = DTYPES[kind]
    tensor = torch.as_tensor(out if dtype.kind == "f" else out.view(f"i{dtype.itemsize}"), device="cuda")
    call = {
        "raw32": partial(tensor.random_, -(2**31), 2**31),
        "raw64": partial(tensor.random_, -(2**63), None),
    }.get(kind, tensor.uniform_)
    return into(out, call, kind, "PyTorch", Cuda())


def torch_peers(kind: str, out: Any) -> dict[str, Maker]:
    """Return what makes PyTorch's fill on the CUDA device, where there is one."""
    importlib.import_module("torch")
    return {"PyTorch, CUDA": partial(torch_peer, kind, out)}
