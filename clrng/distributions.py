"""What a raw value is turned into before it is stored: itself, or a uniform number."""

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Distribution:
    """A transform of raw values, one output for each.

    Attributes
    ----------
    template : str
        Its file in ``cl_kernels/distributions``, without the ending.
    ctype : str
        The OpenCL type of an output.
    dtype : numpy.dtype
        The same type in NumPy.
    """

    template: str
    ctype: str
    dtype: np.dtype[Any]

    def values(self, modulus: int) -> dict[str, Any]:
        """Return the values its template needs for raw values below `modulus`."""
        return {"modulus": modulus, "shift": modulus.bit_length() - 24}


RAW = Distribution("raw", "uint", np.dtype("uint32"))
UNIFORM = {
    "float32": Distribution("uniform_float32", "float", np.dtype("float32")),
    "float64": Distribution("uniform_float64", "double", np.dtype("float64")),
}
"""The uniform distributions on [0, 1) by dtype."""
