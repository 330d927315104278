"""Which distributions a user wants in his own kernels, and under which names."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from clrng import validation
from clrng.distributions.catalog import name_of
from clrng.distributions.distribution import Distribution
from clrng.errors import UnsupportedError
from clrng.opencl.devices import DeviceInfo

TAKEN = ("raw", "float", "double")
"""Names that the functions of every generator have."""

LEGAL = "a list of distributions, or a dictionary of them by name"


@dataclass(frozen=True)
class Wanted:
    """A distribution that a user wants functions for.

    Attributes
    ----------
    name : str
        What their names end with.
    distribution : Distribution
    dtype : numpy.dtype
        The type of values.
    """

    name: str
    distribution: Distribution
    dtype: np.dtype[Any]


def wanted(distributions: Any, device: DeviceInfo) -> list[Wanted]:
    """Return what `distributions`, an argument of `clrng.device_code`, asks for.

    Raises
    ------
    TypeError, ValueError, UnsupportedError
        As `clrng.device_code` does.
    """
    rows: list[tuple[Any, Any]]
    if isinstance(distributions, Mapping):
        rows = [(_checked_name(name), value) for name, value in distributions.items()]
    elif isinstance(distributions, (list, tuple)):
        rows = [(None, value) for value in distributions]
    else:
        raise TypeError(f"distributions must be {LEGAL}, not {validation.shown(distributions)}")
    found = [_wanted(name, value, device) for name, value in rows]
    _check_different(found)
    return found


def _wanted(name: str | None, value: Any, device: DeviceInfo) -> Wanted:
    pair = value if isinstance(value, tuple) and len(value) == 2 else (value, None)  # noqa: PLR2004  # a pair
    distribution, dtype = pair
    if not isinstance(distribution, Distribution):
        raise TypeError(
            f"distributions must be {LEGAL}, each a distribution or a pair of one and a dtype, not "
            f"{validation.shown(value)}"
        )
    return Wanted(name or name_of(distribution), distribution, _checked_dtype(distribution, dtype, device))


def _checked_name(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(f"distributions must have names that are strings, not {validation.shown(name)}")
    if not re.fullmatch(r"[A-Za-z0-9_]+", name) or name in TAKEN:
        raise ValueError(
            f"distributions must have names of letters, digits and underscores, other than {', '.join(TAKEN)}, not "
            f"{validation.shown(name)}"
        )
    return name


def _checked_dtype(distribution: Distribution, dtype: Any, device: DeviceInfo) -> np.dtype[Any]:
    legal = distribution.dtypes
    chosen = validation.dtype("distributions: a dtype", legal[0] if dtype is None else dtype, legal)
    if chosen == np.float64 and not device.fp64:
        raise UnsupportedError(
            f"distributions of float64 need double precision, which {device.name} does not have; use float32"
        )
    return chosen


def _check_different(found: list[Wanted]) -> None:
    """Raise an error if two functions would have one name."""
    owners: dict[str, Wanted] = {}
    for each in found:
        for name in (each.name, *(f"{each.name}_{ending}" for ending in ("local", "with", "with_local"))):
            if name in owners:
                raise ValueError(
                    f"distributions must have different names, but {owners[name].name} and {each.name} would both "
                    f"define next_{name}; choose the names by a dictionary of distributions"
                )
            owners[name] = each
