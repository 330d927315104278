"""Capsules of DLPack, version 0.8, which NumPy makes and which say something else afterwards.

References
----------
https://dmlc.github.io/dlpack/latest/python_spec.html
"""

import ctypes as c
from typing import Any

import numpy as np
import numpy.typing as npt

CODES = {"i": 0, "u": 1, "f": 2, "V": 4, "c": 5, "b": 6}
"""DLPack's numbers of kinds of values; a "V" of NumPy is a bfloat16."""


class Device(c.Structure):
    """The type and the number of a device."""

    _fields_ = (("type", c.c_int32), ("id", c.c_int32))


class _Type(c.Structure):
    _fields_ = (("code", c.c_uint8), ("bits", c.c_uint8), ("lanes", c.c_uint16))


class _Tensor(c.Structure):
    _fields_ = (
        ("data", c.c_void_p), ("device", Device), ("ndim", c.c_int32), ("dtype", _Type),
        ("shape", c.POINTER(c.c_int64)), ("strides", c.POINTER(c.c_int64)), ("byte_offset", c.c_uint64),
    )  # fmt: skip


class Managed(c.Structure):
    """What a capsule has."""

    _fields_ = (("tensor", _Tensor), ("context", c.c_void_p), ("deleter", c.c_void_p))


NAME = b"dltensor"

BITS = 8
"""Of a byte."""

_pointer = c.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = c.c_void_p, (c.py_object, c.c_char_p)


def tensor_of(capsule: Any) -> Any:
    """Return what a capsule of DLPack says, which may be changed."""
    return c.cast(_pointer(capsule, NAME), c.POINTER(Managed)).contents.tensor


def of_bfloat16(values: npt.NDArray[np.uint16], **named: Any) -> Any:
    """Return a capsule of an array of the host whose values are bfloat16, which NumPy's DLPack does not know."""
    named.pop("max_version", None)  # which may be any: a consumer takes older capsules, too
    made = values.__dlpack__(**named)
    tensor_of(made).dtype.code = CODES["V"]
    return made
