"""OpenCL C of continuous distributions whose shapes a kernel of the user's chooses, and the tables for it."""

from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.distributions.catalog import DISTRIBUTIONS
from clrng.distributions.distribution import Continuous, Distribution
from clrng.distributions.parameters import Range
from clrng.distributions.quantiles.families import FAMILIES
from clrng.distributions.quantiles.surfaces import FORMS, Surface, surface
from clrng.distributions.shapes import FLOATS, RATIOS, SURFACES, legal
from clrng.distributions.transforms.surface import values_of
from clrng.frontends.literals import number_of
from clrng.generators.generator_code import CTYPES, GeneratorCode
from clrng.opencl.templates import joined, render

NAMES: dict[Any, str] = {DISTRIBUTIONS[name].law: name for name in SURFACES}
"""By the class of a quantile function, the name of a distribution that has surfaces."""

HEADER = 8
"""Words of tables before where the rows of octaves are: the first octave, how many there are, where the rows begin, and
of what family and dtype they are; four more keep the rest where numbers of 16 bytes can be."""


def with_surfaces(distribution: Distribution) -> str | None:
    """Return the name by which it has surfaces, if kernels can choose its shape."""
    return NAMES.get(type(distribution.quantile)) if isinstance(distribution, Continuous) else None


def shape_of(name: str) -> str:
    """Return what a kernel chooses: a parameter, or a ratio of two."""
    parts = SURFACES[name]
    return f"{parts.shape} / {parts.over}" if parts.over else parts.shape


def _kind(family: str, dtype: str) -> int:
    """Return a number that says of what tables are."""
    return crc32(f"{family} {dtype}".encode())


def _legal_shapes(name: str) -> Range:
    return RATIOS if SURFACES[name].over else legal(name, SURFACES[name].shape)


def shape_tables(distribution: Distribution, least: float, most: float, dtype: Any = "float32") -> npt.NDArray[Any]:
    """Return what kernels of `clrng.device_code` look up whose own shapes are from `least` to `most`.

    Parameters
    ----------
    distribution : Distribution
        One of ``gamma``, ``standard_gamma``, ``chisquare``, ``weibull``, ``pareto``, ``power``, ``standard_t``,
        ``vonmises``, ``lognormal`` or ``wald``, of any parameters.
    least, most : float
        The smallest and the largest shape; of ``wald`` the shape is scale / mean, of ``lognormal`` it is sigma.
    dtype : {"float32", "float64"}, optional
        That of the values, and of the shapes in the kernel.

    Returns
    -------
    ndarray of uint32
        To be copied to the device and given to ``next_..._of``. It has all shapes of each power of 2: up to 200 KB as
        float32, and 2.5 MB as float64, for each doubling from `least` to `most`. Where they are of another dtype than
        the kernel's values, or of another family of distributions, these are NaN.

    Raises
    ------
    TypeError
        If `distribution` is no distribution, `least` or `most` is no number, or `dtype` is no dtype.
    ValueError
        If `distribution` or `dtype` is another one, a shape is out of its range, or `most` is below `least`.

    Notes
    -----
    The host takes about half a second as float32, and 2.5 s as float64, for each doubling, but only the first time in a
    process.

    Examples
    --------
    >>> import clrng
    >>> tables = clrng.shape_tables(clrng.distribution("gamma", shape=1), 1, 3.5)
    >>> tables.dtype, tables.nbytes < 400_000
    (dtype('uint32'), True)
    """
    if not isinstance(distribution, Distribution):
        raise TypeError(f"distribution must be a distribution, not {validation.shown(distribution)}")
    name = with_surfaces(distribution)
    if name is None:
        raise ValueError(f"distribution must be one of {', '.join(SURFACES)}, not {validation.shown(distribution)}")
    kind = validation.dtype("dtype", "float32" if dtype is None else dtype, FLOATS)
    ends = [_legal_shapes(name).check(key, value) for key, value in (("least", least), ("most", most))]
    if ends[1] < ends[0]:
        raise ValueError(f"most must be at least {ends[0]!r}, which is least, not {ends[1]!r}")
    parts = SURFACES[name]
    return _laid_out(surface(parts.family, kind.name, *parts.octaves(*ends)), _kind(parts.family, kind.name))


def _laid_out(found: Surface, kind: int) -> npt.NDArray[np.uint32]:
    """Return a surface as words."""
    octaves = found.octaves.reshape(-1)
    rows = HEADER + octaves.size
    header = np.array([found.first, len(found.octaves), rows, kind, 0, 0, 0, 0], np.int64).astype(np.uint32)
    return np.concatenate([header, octaves, found.rows.view(np.uint32).reshape(-1)])


def functions_of_shapes(code: GeneratorCode, name: str, prefix: str, dtype: np.dtype[Any], raw: list[str]) -> str:
    """Return the function ``of`` of tables, a shape and the raw values, of these names, that a value is made of."""
    out, parts = CTYPES[dtype.name], SURFACES[name]
    base = code.recurrence.upper_bound - code.recurrence.min_value
    return render(
        "user/shape.cl.mako",
        p=f"{prefix}shape_",
        q=prefix,
        out=out,
        shape=out,
        w="",
        width=1,
        joined=joined,
        doublings=parts.doublings,
        header=HEADER,
        kind=_kind(parts.family, dtype.name),
        zero_is_legal=bool(_legal_shapes(name).takes(0.0)),
        **number_of(code, raw),
        **values_of(base ** len(raw), out),
        **FORMS[dtype.name].values,
        **FAMILIES[parts.family].values,
    )
