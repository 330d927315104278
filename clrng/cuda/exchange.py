"""Arrays as CUDA's libraries take them: the CUDA array interface, version 3, and DLPack, version 0.8.

References
----------
https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html
https://dmlc.github.io/dlpack/latest/python_spec.html
"""

from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import pyopencl.array as cla

from clrng.opencl.arrays import contiguous
from clrng.opencl.dlpack import BITS, CODES, Device, tensor_of
from clrng.opencl.results import extent
from clrng.validation import BFLOAT16, dtype_named


class _Placed:
    """An array at an address of CUDA's, in NumPy's terms; whoever holds it holds the array."""

    def __init__(self, array: cla.Array, address: int) -> None:
        self._array = array
        kind = np.dtype(np.uint16) if array.dtype.name == BFLOAT16 else array.dtype
        self.__array_interface__ = {
            "version": 3, "shape": array.shape, "typestr": kind.str, "strides": array.strides,
            "data": (address + array.offset, False),
        }  # fmt: skip


def interface(array: cla.Array, address: int) -> dict[str, Any]:
    """Return ``__cuda_array_interface__`` of an array whose memory CUDA has at `address`."""
    if array.dtype.kind == "V" or array.dtype.name == "bfloat16":
        raise AttributeError(f"__cuda_array_interface__: it has no name for {array.dtype}; from_dlpack takes the array")
    return {
        "version": 3,
        "shape": array.shape,
        "typestr": array.dtype.str,
        "data": (address + array.offset if array.size else 0, False),
        "strides": None if array.flags.c_contiguous else array.strides,
        "stream": None,
    }


def capsule(
    array: cla.Array, address: int, place: tuple[int, int], *, max_version: tuple[int, int] | None = None,
    dl_device: tuple[int, int] | None = None, copy: bool | None = None,
) -> Any:  # fmt: skip
    """Return a capsule of an array whose memory CUDA has at `address`; the array lives as long as its tensor.

    NumPy makes it, of an array that is never read, and then it is told that the memory is CUDA's.

    Raises
    ------
    BufferError
        If a copy is asked for, or an array on another device.
    """
    del max_version  # which may be any: a consumer takes older capsules, too
    if dl_device is not None and tuple(dl_device) != place:
        raise BufferError(f"dl_device must be {place}, where the array is, not {dl_device}")
    if copy:
        raise BufferError("copy must not be True: the values are shared; x.copy() is a copy of them")
    made = np.asarray(_Placed(array, address)).__dlpack__()  # NumPy frees it, whatever thread and state Python is in
    tensor = tensor_of(made)
    tensor.device = Device(*place)
    if array.dtype.name == BFLOAT16:
        tensor.dtype.code = CODES["V"]
    return made


@dataclass(frozen=True)
class Described:
    """An array of CUDA that another library has: where its values are, and what they are.

    `held` keeps the memory as long as this lives. `stream` is the one in which the library works on the array, as its
    driver numbers streams, or None where it does not say, and `device` is the number of the device or None likewise.
    """

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]  # In bytes
    dtype: np.dtype[Any]
    read_only: bool = False
    stream: int | None = None
    device: int | None = None
    held: Any = None

    @property
    def nbytes(self) -> int:
        """The bytes of the values."""
        return prod(self.shape) * self.dtype.itemsize

    @property
    def extent(self) -> tuple[int, int]:
        """The lowest address, and how many bytes from there on have all values, of which there are some."""
        before, nbytes = extent(self.shape, self.strides, self.dtype.itemsize)
        return self.address - before, nbytes


def _strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """Return the strides, in bytes, of a C-contiguous array."""
    return tuple(itemsize * step for step in contiguous(shape))


def described_by_interface(given: dict[str, Any]) -> Described:
    """Return what a ``__cuda_array_interface__`` says."""
    if given.get("mask") is not None:
        raise ValueError("it has a mask")
    shape, dtype = tuple(map(int, given["shape"])), np.dtype(given["typestr"])
    if dtype.kind == "V" or not dtype.isnative:
        raise TypeError(f"its dtype is {dtype}")
    address, read_only = given["data"]
    strides = given.get("strides")
    return Described(
        int(address or 0), shape, tuple(map(int, strides)) if strides else _strides(shape, dtype.itemsize), dtype,
        bool(read_only), given.get("stream"),
    )  # fmt: skip


def described_by_dlpack(capsule: Any) -> Described:
    """Return what a capsule of DLPack says, which is not used up by this and lives as long as what is returned."""
    tensor = tensor_of(capsule)
    kind = tensor.dtype
    if kind.lanes != 1 or kind.code not in CODES.values():
        raise TypeError(f"its values are of DLPack's kind {kind.code}, of {kind.lanes} lanes")
    letter = {code: letter for letter, code in CODES.items()}[kind.code]
    dtype = dtype_named(BFLOAT16) if letter == "V" else np.dtype(f"{letter}{kind.bits // BITS}")
    shape = tuple(tensor.shape[axis] for axis in range(tensor.ndim))
    strides = _strides(shape, dtype.itemsize)
    if tensor.strides:
        strides = tuple(tensor.strides[axis] * dtype.itemsize for axis in range(tensor.ndim))
    address = (tensor.data or 0) + tensor.byte_offset
    return Described(address, shape, strides, dtype, device=tensor.device.id, held=capsule)
