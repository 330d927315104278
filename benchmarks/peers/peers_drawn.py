"""What draws from distributions beside clrng: NumPy on one core, and cuRAND, CuPy and PyTorch on the CUDA device."""

import importlib
from collections.abc import Callable
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
from harness.c_loop import Host

import clrng
from clrng.measuring.timing import pieces
from peers.drawn_cases import Case
from peers.peer import FEW, SIGMAS, TRIED, Maker, Peer, filled, renewed
from peers.peers_cuda import FEWER, ORDERINGS, PSEUDO, Cuda, library, number_of

NUMPY = ["PCG64", "SFC64"]
"""NumPy's default, and its fastest."""

CUPY = ["XORWOW", "Philox4x3210"]

FILLS = {"random", "standard_normal", "standard_exponential", "standard_gamma"}
"""The methods of NumPy and CuPy that fill an array; the others return a new one."""

TYPED = {"NumPy": {"integers"}, "CuPy": {"integers", "beta", "uniform"}}
"""The methods that return a new array of a dtype that is asked for; the others have one of 64 bits."""


def look(case: Case, who: str, out: Any) -> dict[str, Any]:
    """Return what there is to say of the values in `out`, which was poisoned before they were made: their dtype.

    Raises
    ------
    ClrngError
        If some are still poisoned, or the mean is not plausible.
    """
    values = np.concatenate([values for _, values in pieces(out, TRIED)])
    words = values.view(f"u{values.itemsize}")
    if np.count_nonzero(words == np.iinfo(words.dtype).max) > FEW:
        raise clrng.ClrngError(f"{who} left values unwritten")
    off = abs(float(values.mean(dtype=np.float64)) - case.mean) / case.deviation * sqrt(values.size)
    if not off <= SIGMAS:
        raise clrng.ClrngError(f"{who} gave values whose mean is off by {off:.1f} standard deviations")
    return {"dtype": str(out.dtype)}


def by_method(case: Case, rng: Any, library_name: str, queue: Any, out: Any) -> Peer:
    """Return the peer that calls the method of NumPy's or CuPy's `Generator`; `out` is of as many values."""
    method, who = getattr(rng, case.method), f"{library_name}'s {case.name}"
    if case.method in FILLS:
        fill = partial(method, **case.arguments, size=out.size, dtype=out.dtype, out=out)
        return filled(out, fill, queue, partial(look, case, who, out))
    more = {"dtype": out.dtype} if case.method in TYPED[library_name] else {}
    return renewed(partial(method, **case.arguments, size=out.size, **more), queue, partial(look, case, who))


def numpy_peer(case: Case, values: int, name: str) -> Peer:
    """Return the peer that draws by NumPy from one of its bit generators."""
    rng = np.random.Generator(getattr(np.random, name)(1))
    return by_method(case, rng, "NumPy", Host(), np.empty(values, case.dtype))


def numpy_peers(case: Case, values: int) -> dict[str, Maker]:
    """Return what makes the peers of NumPy."""
    known = hasattr(np.random.Generator, case.method)
    return {f"NumPy {name}": partial(numpy_peer, case, values, name) for name in NUMPY if known}


def cupy_peer(case: Case, out: Any, name: str) -> Peer:
    """Return the peer that draws by CuPy from one of its bit generators."""
    cuda = Cuda()
    rng = cuda.cupy.random.Generator(getattr(cuda.cupy.random, name)(1))
    return by_method(case, rng, "CuPy", cuda, out)


def cupy_peers(case: Case, out: Any) -> dict[str, Maker]:
    """Return what makes the peers of CuPy; they are given a quarter of `out`, as some take 8 bytes for 4."""
    known = hasattr(Cuda().cupy.random.Generator, case.method)
    return {f"CuPy {name}": partial(cupy_peer, case, out[: out.size // 4], name) for name in CUPY if known}


def curand_call(host: Any, case: Case, generator: Any, out: Any) -> Callable[[], object] | None:
    """Return the call of cuRAND's host interface, or None where it has no such distribution of this dtype."""
    given = generator, out.data.ptr, out.size
    if case.method in {"standard_normal", "normal"}:
        make = host.generateNormal if case.dtype == "float32" else host.generateNormalDouble
        return partial(make, *given, case.mean, case.deviation)
    if case.method == "random":
        return partial(host.generateUniform if case.dtype == "float32" else host.generateUniformDouble, *given)
    if case.method == "poisson" and case.dtype == "int32":
        return partial(host.generatePoisson, *given, case.mean)
    return None


def curand_peer(case: Case, out: Any, name: str, ordering: str) -> Peer:
    """Return a fill of `out` by cuRAND's generator of this name, such as ``"MT19937"``."""
    host, cuda = library(), Cuda()
    generator = host.createGenerator(number_of(host, f"PSEUDO_{name}"))
    host.setGeneratorOrdering(generator, ORDERINGS[ordering])
    call = curand_call(host, case, generator, out)
    if call is None:
        raise clrng.ClrngError(f"cuRAND has no {case.label}")
    return filled(out, call, cuda, partial(look, case, f"cuRAND {name} {ordering}", out))


def curand_peers(case: Case, out: Any) -> dict[str, Maker]:
    """Return what makes cuRAND's fills of `out`, by generator and by two orderings, where it has the distribution."""
    if curand_call(library(), case, None, out) is None:
        return {}
    return {
        f"cuRAND {name} {ordering}": partial(curand_peer, case, out, name, ordering)
        for name in PSEUDO
        for ordering in FEWER
    }


TORCH: dict[str, Callable[[Case, Any], Callable[[], object]]] = {
    "standard_normal": lambda case, tensor: partial(tensor.normal_, case.mean, case.deviation),
    "normal": lambda case, tensor: partial(tensor.normal_, case.mean, case.deviation),
    "standard_exponential": lambda _, tensor: tensor.exponential_,
    "uniform": lambda case, tensor: partial(tensor.uniform_, case.arguments["low"], case.arguments["high"]),
    "random": lambda _, tensor: tensor.uniform_,
    "integers": lambda case, tensor: partial(tensor.random_, case.arguments["low"], case.arguments["high"]),
}
"""What fills a tensor of PyTorch, by the method of NumPy that does the same."""


def torch_peer(case: Case, out: Any) -> Peer:
    """Return a fill by PyTorch of the CUDA memory of `out`."""
    torch = importlib.import_module("torch")
    signed = out if out.dtype.kind == "f" else out.view(f"i{out.dtype.itemsize}")
    call = TORCH[case.method](case, torch.as_tensor(signed, device="cuda"))
    return filled(out, call, Cuda(), partial(look, case, "PyTorch", out))


def torch_peers(case: Case, out: Any) -> dict[str, Maker]:
    """Return what makes PyTorch's fill, where it has the distribution."""
    importlib.import_module("torch")
    return {"PyTorch, CUDA": partial(torch_peer, case, out)} if case.method in TORCH else {}
