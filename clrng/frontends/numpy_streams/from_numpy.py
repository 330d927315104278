"""NumPy's generators, taken to a device."""

from typing import Any, overload

import numpy as np

from clrng.frontends.drawing import Queue
from clrng.frontends.numpy_streams.generator import NumpyGenerator
from clrng.frontends.numpy_streams.random_state import NumpyRandomState
from clrng.validation import shown


@overload
def from_numpy(rng: np.random.Generator, queue: Queue | None = None, allocator: Any = None) -> NumpyGenerator: ...
@overload
def from_numpy(rng: np.random.RandomState, queue: Queue | None = None, allocator: Any = None) -> NumpyRandomState: ...
def from_numpy(
    rng: np.random.Generator | np.random.RandomState, queue: Queue | None = None, allocator: Any = None
) -> NumpyGenerator | NumpyRandomState:
    """Return a generator on a device that draws exactly what a generator of NumPy would draw next.

    Parameters
    ----------
    rng : numpy.random.Generator or numpy.random.RandomState
        It stays where it stands.
    queue, allocator : optional
        As for `Generator`.

    Returns
    -------
    NumpyGenerator or NumpyRandomState

    Raises
    ------
    TypeError, ValueError, UnsupportedError, WrongNumbersError, NoDeviceError, ForkError
        As for `NumpyGenerator`.

    See Also
    --------
    default_rng : clrng's own distributions, one step or a fixed number of steps a value.
    numpy_bit_generator : NumPy's distributions, of clrng's bit generators.

    Examples
    --------
    >>> import clrng
    >>> import numpy as np
    >>> rng = np.random.default_rng(2026)
    >>> ours = clrng.from_numpy(rng)
    >>> bool(np.all(ours.random(1000, dtype="float32").get() == rng.random(1000, dtype="float32")))
    True
    """
    if isinstance(rng, np.random.RandomState):
        return NumpyRandomState(rng, queue, allocator)
    if isinstance(rng, np.random.Generator):
        return NumpyGenerator(rng, queue, allocator)
    raise TypeError(f"rng must be a numpy.random.Generator or a numpy.random.RandomState, not {shown(rng)}")
