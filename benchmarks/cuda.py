"""cuRAND's host interface, by way of CuPy."""

import importlib
from typing import Any

import clrng
from clrng.bench import Work


class Cuda:
    """Waits for the CUDA device."""

    def __init__(self) -> None:
        self.cupy: Any = importlib.import_module("cupy")

    def finish(self) -> None:
        """Wait for all its work."""
        self.cupy.cuda.runtime.deviceSynchronize()


def curand(values: int, kind: str) -> Work:
    """Return a call that makes so many values of 32 bits by cuRAND's generator of this kind, such as ``"MT19937"``.

    Raises
    ------
    ImportError
        If there is no CuPy.
    ClrngError
        If cuRAND has no such generator.
    """
    cuda, library = Cuda(), importlib.import_module("cupy_backends.cuda.libs.curand")
    number = getattr(library, f"CURAND_RNG_PSEUDO_{kind}", None)
    if number is None:
        raise clrng.ClrngError(f"cuRAND has no generator {kind}")
    out = cuda.cupy.empty(values, "uint32")
    generator = library.createGenerator(number)
    return Work(values, lambda: library.generate(generator, out.data.ptr, out.size), cuda)
