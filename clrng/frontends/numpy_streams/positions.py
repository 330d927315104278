"""Where a NumPy bit generator stands, as a bit generator of clrng, and back."""

from copy import deepcopy
from typing import Any, cast

import numpy as np


def of_numpy(bits: np.random.BitGenerator) -> Any:
    """Return the bit generator of clrng that stands where NumPy's does, in the middle of a half too."""
    return deepcopy(bits)


def as_numpy(bits: Any) -> np.random.BitGenerator:
    """Return NumPy's bit generator that stands where one of clrng does."""
    return cast("np.random.BitGenerator", deepcopy(bits))
