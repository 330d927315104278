"""OpenCL C of continuous distributions whose shapes a kernel of the user's chooses, and the tables for it."""

from typing import Any

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.distributions.catalog import DISTRIBUTIONS
from clrng.distributions.distribution import Continuous, Distribution
from clrng.distributions.parameters import Range
from clrng.distributions.quantiles.families import FAMILIES
from clrng.distributions.quantiles.surfaces import FORMS, Surface, surface
from clrng.distributions.shapes import FLOATS, RATIOS, SURFACES, Parts, legal
from clrng.distributions.transforms.surface import values_of
from clrng.frontends.literals import number_of
from clrng.generators.generator_code import CTYPES, GeneratorCode
from clrng.opencl.templates import joined, render

BY_LAW: dict[Any, tuple[str, Parts]] = {DISTRIBUTIONS[name].law: (name, parts) for name, parts in SURFACES.items()}
"""By the class of a quantile function, a distribution that has surfaces: its name, and what values are made of."""

HEADER = 4
"""Words of tables before the rows of octaves: the first octave, how many there are, and where the others begin."""


def parts_of(distribution: Distribution) -> Parts | None:
    """Return what its values are made of, if kernels can choose its shape."""
    found = BY_LAW.get(type(distribution.quantile)) if isinstance(distribution, Continuous) else None
    return found[1] if found else None


def shape_of(parts: Parts) -> str:
    """Return what a kernel chooses: a parameter, or a ratio of two."""
    return f"{parts.shape} / {parts.over}" if parts.over else parts.shape


def _legal_shapes(parts: Parts) -> Range:
    return RATIOS if parts.over else next(legal(name, parts.shape) for name, own in BY_LAW.values() if own is parts)


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
        To be copied to the device and given to ``next_..._of``. It has all shapes of each power of 2: about 150 KB as
        float32, and 2.5 MB as float64, for each doubling from `least` to `most`.

    Raises
    ------
    TypeError
        If `distribution` is no distribution, or `least` or `most` is no number.
    ValueError
        If `distribution` is another one, a shape is out of its range, `most` is below `least`, or there is no such
        dtype.

    Examples
    --------
    >>> import clrng
    >>> tables = clrng.shape_tables(clrng.distribution("gamma", shape=1), 1, 3.5)
    >>> tables.dtype, tables.nbytes < 400_000
    (dtype('uint32'), True)
    """
    if not isinstance(distribution, Distribution):
        raise TypeError(f"distribution must be a distribution, not {validation.shown(distribution)}")
    parts = parts_of(distribution)
    if parts is None:
        raise ValueError(f"distribution must be one of {', '.join(SURFACES)}, not {validation.shown(distribution)}")
    kind = validation.choice("dtype", np.dtype(dtype).name, FLOATS)
    ends = [_legal_shapes(parts).check(key, value) for key, value in (("least", least), ("most", most))]
    if ends[1] < ends[0]:
        raise ValueError(f"most must be at least {ends[0]!r}, which is least, not {ends[1]!r}")
    first, last = parts.octaves(*ends)
    return _laid_out(surface(parts.family, kind, first, last))


def _laid_out(found: Surface) -> npt.NDArray[np.uint32]:
    """Return a surface as words."""
    octaves = found.octaves.reshape(-1)
    heights = HEADER + octaves.size
    bends = heights + 2 * found.heights.size
    header = np.array([found.first, len(found.octaves), heights, bends], np.int64).astype(np.uint32)
    rows = (np.ascontiguousarray(each).view(np.uint32).reshape(-1) for each in (found.heights, found.bends))
    return np.concatenate([header, octaves, *rows])


def functions_of_shapes(code: GeneratorCode, parts: Parts, prefix: str, dtype: np.dtype[Any], raw: list[str]) -> str:
    """Return the function ``of`` of tables, a shape and the raw values, of these names, that a value is made of."""
    out = CTYPES[dtype.name]
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
        zero_is_legal=bool(_legal_shapes(parts).takes(0.0)),
        **number_of(code, raw),
        **values_of(base ** len(raw), out),
        **FORMS[dtype.name].values,
        **FAMILIES[parts.family].values,
    )
