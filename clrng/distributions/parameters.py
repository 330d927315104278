"""Parameters of distributions, each declared once: its name, what is legal, and NumPy's default.

A distribution is a frozen dataclass that derives from `Declared`; its fields made by `number` and `whole` are its
parameters. Checks with their messages, options of the command line and tables of the docs follow from them.
"""

import math
from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from clrng import validation

Kind = Literal["number", "integer", "numbers", "flag", "dtype", "text"]

LARGEST_INTEGER = 2**63 - 1

BY_NUMPY = "numpy.random.Generator(clrng.numpy_bit_generator(...)) draws it"
"""What errors say of legal arguments of NumPy."""

NEEDED = object()
"""Stands for the default of a parameter that has none."""


@dataclass(frozen=True)
class Parameter:
    """A parameter by NumPy's name; its default is `NEEDED` where there is none. `legal` is in words, if it is known.

    `check`, called with the name and a value, returns it or raises an error if it is not legal whatever others are.
    """

    name: str
    default: Any = NEEDED
    kind: Kind = "number"
    legal: str = ""
    check: Callable[[str, Any], Any] | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        return self.name if self.default is NEEDED else f"{self.name}={self.default!r}"


@dataclass(frozen=True)
class Range:
    """Which finite numbers are legal: those from `low` to `high`, without an end that is not, and 0 with `or_zero`.

    `wider` says whether NumPy draws of all positive numbers.
    """

    low: float
    high: float
    low_is_legal: bool = True
    high_is_legal: bool = True
    or_zero: bool = False
    wider: bool = False

    def __str__(self) -> str:
        """Return what is legal, as in "`name` must be a number from 0 to 1"."""
        low, high = validation.limit(self.low), validation.limit(self.high)
        above = f"of {low} or more" if self.low_is_legal else f"above {low}"
        if self.high == math.inf:
            legal = f"a finite number {above}"
        elif self.low_is_legal and self.high_is_legal:
            legal = f"a number from {low} to {high}"
        else:
            legal = f"a number {above} and {'at most' if self.high_is_legal else 'below'} {high}"
        return f"{legal}, or 0" if self.or_zero else legal

    def check(self, name: str, value: Any) -> float:
        """Return `value` as a legal float64, or raise an error; a bool, a text and an array are not numbers."""
        number = None
        if not isinstance(value, (bool, np.bool_, str, bytes, complex, np.complexfloating)):
            try:
                number = None if getattr(value, "shape", ()) else float(value)
            except OverflowError:
                number = math.inf
            except Exception:  # noqa: BLE001  # whatever the __float__ of somebody's class raises
                number = None
        if number is None:
            raise TypeError(f"{name} must be {self}, not {validation.shown(value)}")
        inside = self.low <= number <= self.high and math.isfinite(number)
        at_open_end = (number == self.low and not self.low_is_legal) or (number == self.high and not self.high_is_legal)
        if (not inside or at_open_end) and not (self.or_zero and number == 0):
            instead = f"; {BY_NUMPY}" if self.wider and 0 < number < math.inf else ""
            raise ValueError(f"{name} must be {self}, not {validation.shown(value)}{instead}")
        return number + 0.0  # of -0.0 makes 0.0, which has another hash in its bytes

    def takes(self, values: Any) -> Any:
        """Return which elements of an array of real numbers are legal."""
        low = values >= self.low if self.low_is_legal else values > self.low
        high = values <= self.high if self.high_is_legal else values < self.high
        return (low & high & np.isfinite(values)) | (self.or_zero & (values == 0))


PROBABILITY = Range(0.0, 1.0)


def number(low: float, high: float, *, default: Any = MISSING, **options: bool) -> Any:
    """Declare a parameter that is a number of a `Range`."""
    legal = Range(low, high, **options)
    return field(
        default=default, metadata={"check": legal.check, "kind": "number", "legal": str(legal), "range": legal}
    )


def integer(name: str, value: Any, low: int | None, high: int | None) -> int:
    """Return an integer as `validation.integer` does; errors of floats say what truncates them."""
    try:
        return validation.integer(name, value, low, high)
    except TypeError as error:
        raise TypeError(f"{error}; {BY_NUMPY}" if isinstance(value, (float, np.floating)) else str(error)) from None


def whole(low: int = 0, high: int = LARGEST_INTEGER) -> Any:
    """Declare a parameter that is an integer."""
    legal = f"an integer from {low} to {high}" if high < LARGEST_INTEGER else f"an integer of {low} or more"

    def check(name: str, value: Any) -> int:
        return integer(name, value, low, high)

    return field(metadata={"check": check, "kind": "integer", "legal": legal, "range": (low, high)})


@lru_cache
def _declared(kind: Any) -> tuple[tuple[str, Callable[[str, Any], Any]], ...]:
    return tuple((each.name, each.metadata["check"]) for each in fields(kind) if "check" in each.metadata)


class Declared:
    """A frozen dataclass that checks its parameters as they are declared."""

    def __post_init__(self) -> None:
        kind: Any = type(self)
        for name, check in _declared(kind):
            object.__setattr__(self, name, check(name, getattr(self, name)))

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return its parameters, in order."""
        kind: Any = cls
        own = (each for each in fields(kind) if each.init)
        defaults = ((each, NEEDED if each.default is MISSING else each.default) for each in own)
        said = ((each.name, default, each.metadata) for each, default in defaults)
        return tuple(
            Parameter(name, default, of.get("kind", "number"), of.get("legal", ""), of.get("check"))
            for name, default, of in said
        )

    def limit(self, name: str, low: float, high: float, **options: bool) -> None:
        """Check the parameter `name` once more, by a range that follows from others."""
        Range(low, high, **options).check(name, getattr(self, name))


def probabilities(name: str, values: Any) -> tuple[float, ...]:
    """Return one or more numbers from 0 to 1 as float64 whose sum is 1, but for what rounding may have done to it.

    As in NumPy the sum may be off by the square root of the spacing of numbers at 1: 1.5e-8, or 3.5e-4 for arrays of
    float32 and 0.031 for those of float16. The first value that is out of range is named. Truth values are 0 and 1.
    """
    legal = "a sequence of one or more numbers from 0 to 1 whose sum is 1"
    epsilon = np.finfo(np.float64).eps
    if isinstance(values, (list, tuple)):
        values = [int(value) if isinstance(value, (bool, np.bool_)) else value for value in values]
    if isinstance(values, np.ndarray):
        values = np.ma.getdata(values)
        if values.ndim != 1 or values.size == 0:
            raise ValueError(f"{name} must be {legal}, not an array of shape {values.shape}")
        if values.dtype.kind == "f":
            epsilon = max(epsilon, np.finfo(values.dtype).eps)
    elif not isinstance(values, (list, tuple)):
        raise TypeError(f"{name} must be {legal}, not {validation.shown(values)}")
    elif not values:
        raise ValueError(f"{name} must be {legal}, not {validation.shown(values)}")
    checked = _each(name, values)
    total = math.fsum(checked)
    if abs(total - 1) > math.sqrt(epsilon):
        raise ValueError(f"{name} must be {legal}, and its sum is {total!r}; divide {name} by it")
    return checked


def _each(name: str, values: Any) -> tuple[float, ...]:
    if isinstance(values, np.ndarray) and values.dtype.kind in "fiub":
        array = values.astype(np.float64)
        if ((array >= 0) & (array <= 1)).all():
            return tuple(array.tolist())
    return tuple(PROBABILITY.check(f"{name}[{i}]", value) for i, value in enumerate(values))
