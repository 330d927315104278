"""The generators for the host of cuRAND, which need no GPU, where its library is installed."""

import ctypes
import ctypes.util
import importlib.util
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

KINDS = {"xorwow": 101, "mrg32k3a": 121, "mtgp32": 141, "mt19937": 142, "philox4_32_10": 161}
ORDERINGS = {"default": 101, "legacy": 103}
METHODS = {
    "generate": ("Generate", "uint32"), "uniform": ("GenerateUniform", "float32"),
    "uniform_double": ("GenerateUniformDouble", "float64"), "normal": ("GenerateNormal", "float32"),
    "normal_double": ("GenerateNormalDouble", "float64"),
}  # fmt: skip


@cache
def library() -> Any:
    """Return the library of a wheel of NVIDIA, or that of the system; the test is skipped where there is none."""
    spec = importlib.util.find_spec("nvidia")
    folders = spec.submodule_search_locations or [] if spec else []
    found = [str(path) for folder in folders for path in sorted(Path(folder).glob("*/lib/libcurand.so.*"))]
    name = found[-1] if found else ctypes.util.find_library("curand")
    if name is None:
        pytest.skip("cuRAND is not installed")
    return ctypes.CDLL(name)


class CurandHost:
    """A generator for the host."""

    def __init__(self, kind: str, seed: int, offset: int = 0, ordering: str = "default") -> None:
        self._generator = ctypes.c_void_p()
        self._call("CreateGeneratorHost", KINDS[kind], at=ctypes.byref(self._generator))
        self._call("SetPseudoRandomGeneratorSeed", ctypes.c_uint64(seed))
        self._call("SetGeneratorOrdering", ORDERINGS[ordering])
        if offset:
            self._call("SetGeneratorOffset", ctypes.c_uint64(offset))

    def _call(self, name: str, *arguments: Any, at: Any = None) -> None:
        status = getattr(library(), f"curand{name}")(at or self._generator, *arguments)
        if status:
            raise RuntimeError(f"curand{name} gave status {status}")

    def __del__(self) -> None:
        if self._generator:
            self._call("DestroyGenerator")

    def draw(self, method: str, n: int) -> Any:
        """Return `n` values of a method of `clrng.Curand`."""
        name, dtype = METHODS[method]
        out = np.empty(n, dtype)
        number = ctypes.c_double if method.endswith("double") else ctypes.c_float
        mean_and_deviation = [number(0), number(1)] if method.startswith("normal") else []
        self._call(name, out.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(n), *mean_and_deviation)
        return out
