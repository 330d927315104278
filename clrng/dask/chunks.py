"""A chunk of an array: what travels to a worker, and what the worker makes of it."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.dask.devices import generator_for
from clrng.dask.places import Place
from clrng.distributions import Transform
from clrng.distributions.distribution import Distribution
from clrng.frontends.arguments import check_dtype
from clrng.generators import BitGenerator


@dataclass(frozen=True)
class Source:
    """A whole array, of which a worker makes one chunk or another.

    Attributes
    ----------
    bits : BitGenerator
        It stands where the array begins.
    chosen : Transform or Distribution
        What the values are.
    shape : tuple of int
        Of the whole array.
    dtype : str
        Of the values.
    """

    bits: BitGenerator
    chosen: Transform | Distribution
    shape: tuple[int, ...]
    dtype: str


def fill(place: Place, source: Source) -> npt.NDArray[Any]:
    """Return the chunk of an array that lies at `place`.

    Raises
    ------
    NoDeviceError, ForkError
        As `generator_for` does.
    UnsupportedError
        If the dtype is float64 and the device of this worker has no double precision.
    """
    starts, sizes = place
    out = np.empty(sizes, source.dtype)
    if out.size == 0:
        return out
    rng = generator_for(source.bits)
    kind = check_dtype((source.dtype,), source.dtype, None, rng.device)
    rng.bit_generator = source.bits.copy()
    rng._draw_rectangle(  # noqa: SLF001  # of the same package
        source.chosen, source.shape, starts, sizes, out, kind if isinstance(source.chosen, Distribution) else None
    )
    return out
