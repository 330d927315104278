"""The keys that are sorted: dtypes, and what kernels are told of them."""

from typing import Any

import numpy as np

KEYS = (
    "uint8", "int8", "uint16", "int16", "float16", "uint32", "int32", "float32", "uint64", "int64", "float64",
)  # fmt: skip
"""The dtypes of keys."""

WORDS = {1: "uchar", 2: "ushort", 4: "uint", 8: "ulong"}
"""The OpenCL types of unsigned integers, by bytes: all keys and values are moved as these."""


def key_values(dtype: np.dtype[Any]) -> dict[str, Any]:
    """Return the values of templates for keys of `dtype`; those of floats too take no other words than integers."""
    return {
        "word": WORDS[dtype.itemsize],
        "key_bits": 8 * dtype.itemsize,
        "kind": dtype.kind,
        "mantissa_bits": int(np.finfo(dtype).nmant) if dtype.kind == "f" else 0,
        "suffix": "UL" if dtype.itemsize == np.dtype(np.uint64).itemsize else "u",
    }
