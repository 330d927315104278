"""What the quantile functions of continuous distributions have in common."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from clrng import validation
from clrng.distributions.quantiles.elementary import Array, Pair

MEDIAN = 0.5
LEAST_PROBABILITY = 2.0**-70
"""The least tail probability that the quantiles are made for; tables of 64 bits need 2^-65."""


def real(
    name: str, value: Any, low: float, high: float, *, low_is_legal: bool = True, zero_is_legal: bool = False
) -> float:
    """Return `value` as a float from `low` to `high`, or 0 where `zero_is_legal`.

    Raises
    ------
    TypeError
        If `value` is not a real number; a bool is not one.
    ValueError
        If it is nan, infinite or out of range.
    """
    legal = f"a number from {low:g} to {high:g}" if low_is_legal else f"a number above {low:g}, at most {high:g}"
    legal += ", or 0" if zero_is_legal else ""
    shown = validation.shown(value)
    if isinstance(value, (bool, np.bool_, str, bytes, complex, np.complexfloating)):
        raise TypeError(f"{name} must be {legal}, not {shown}")
    try:
        number = float(value)
    except Exception:  # noqa: BLE001  # whatever the __float__ of somebody's class raises
        raise TypeError(f"{name} must be {legal}, not {shown}") from None
    inside = low <= number <= high and (number != low or low_is_legal)
    if not inside and not (zero_is_legal and number == 0):
        raise ValueError(f"{name} must be {legal}, not {shown}")
    return number + 0.0  # of -0.0 makes 0.0, which has another hash in its bytes


@dataclass(frozen=True)
class Quantile(ABC):
    """The inverse of the distribution function F of a continuous distribution.

    Frozen and hashable: two of the same class and parameters are equal. A call gives the same bits on every machine.

    Attributes
    ----------
    name : str
        Of the method of `numpy.random.Generator` that draws from it with the same parameters.
    symmetric : bool
        Whether F^-1(1 - p) = -F^-1(p).
    circular : bool
        Whether values are angles from -pi to pi; with loc added they are brought back to these.
    at_most_one : bool
        Whether no value is above 1.
    sine_factor : float or None
        The number c where `logarithm` is the w of values c·sinh w.
    """

    name: ClassVar[str]
    symmetric: ClassVar[bool] = False
    circular: ClassVar[bool] = False
    at_most_one: ClassVar[bool] = False

    @property
    def ends(self) -> tuple[float, float] | None:
        """The ends of the support, where rounding might put values beyond one."""
        return None

    @property
    def sine_factor(self) -> float | None:  # noqa: D102  # an attribute of the class
        return None

    def logarithm(self, p: Array, upper: bool) -> Pair | None:  # noqa: ARG002  # some have none
        """Return log F^-1 of the tail as a pair, also where F^-1 is no float64; None where values are not all positive.

        Where there is a `sine_factor`, the upper side's w >= 0 of values c·sinh w instead, whichever side is asked for.
        """
        return None

    def __call__(self, p: Any, upper: bool) -> Array:
        """Return F^-1(p), or F^-1(1 - p) where `upper`.

        Parameters
        ----------
        p : array_like of float64
            Tail probabilities, 2^-70 <= p <= 1/2.
        upper : bool

        Returns
        -------
        ndarray of float64, shape as that of `p`

        Raises
        ------
        ValueError
            If a probability is out of range or nan.
        """
        tails = np.asarray(p, np.float64)
        if tails.size and not (tails.min() >= LEAST_PROBABILITY and tails.max() <= MEDIAN):
            raise ValueError(f"p must be numbers from 2^-70 to 1/2, not {validation.shown(p)}")
        return self.tail(tails, bool(upper))

    @classmethod
    def parameters(cls) -> tuple[str, ...]:
        """Return the names of its parameters, in order."""
        return tuple(field.name for field in fields(cls))

    @abstractmethod
    def tail(self, p: Array, upper: bool) -> Array:
        """Return what a call returns, of legal probabilities."""

    def tables(self) -> dict[tuple[int, str], Any] | None:
        """Return where tables are kept, by numbers of raw values and dtypes, if others might be made elsewhere."""
        return None

    def check(self, name: str, low: float, high: float, **options: bool) -> None:
        """Replace the parameter `name` by a legal float, as `real` does."""
        object.__setattr__(self, name, real(name, getattr(self, name), low, high, **options))
