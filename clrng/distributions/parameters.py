"""Checks of the parameters of distributions."""

import math
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from clrng import validation


def real(name: str, value: Any, legal: str, is_legal: Callable[[float], bool]) -> float:
    """Return `value` as a float64.

    Parameters
    ----------
    name : str
    value : real number
    legal : str
        What is legal, as in "`name` must be `legal`".
    is_legal : callable
        Whether a finite float is legal.

    Raises
    ------
    TypeError
        If `value` is not a real number; a bool is not one.
    ValueError
        If it is not finite, or not legal.
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise TypeError(f"{name} must be {legal}, not {validation.shown(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    except Exception:  # noqa: BLE001  # whatever the __float__ of somebody's class raises
        raise TypeError(f"{name} must be {legal}, not {validation.shown(value)}") from None
    if not math.isfinite(number) or not is_legal(number):
        raise ValueError(f"{name} must be {legal}, not {validation.shown(value)}")
    return number


def probability(name: str, value: Any) -> float:
    """Return `value` as a float64 from 0 to 1.

    Raises
    ------
    TypeError, ValueError
        As `real` does.
    """
    return real(name, value, "a number from 0 to 1", lambda p: 0 <= p <= 1)


def positive_probability(name: str, value: Any) -> float:
    """Return `value` as a float64 above 0 and at most 1.

    Raises
    ------
    TypeError, ValueError
        As `real` does.
    """
    return real(name, value, "a number above 0 and at most 1", lambda p: 0 < p <= 1)


def probabilities(name: str, values: Any) -> tuple[float, ...]:
    """Return `values` as float64 numbers from 0 to 1 whose sum is 1, but for what rounding may have done to it.

    As in NumPy the sum may be off by the square root of the spacing of numbers at 1: 1.5e-8, or 3.5e-4 for arrays of
    float32 and 0.031 for those of float16.

    Parameters
    ----------
    name : str
    values : sequence or array of real numbers, shape (k,), k >= 1

    Raises
    ------
    TypeError
        If `values` is not a sequence of real numbers.
    ValueError
        If it is empty or not one-dimensional, or one value is out of range (the first such is named), or the sum is.
    """
    legal = "a sequence of one or more numbers from 0 to 1 whose sum is 1"
    epsilon = np.finfo(np.float64).eps
    if isinstance(values, np.ndarray):
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
    if isinstance(values, np.ndarray) and values.dtype.kind in "fiu":
        array = values.astype(np.float64)
        if ((array >= 0) & (array <= 1)).all():
            return tuple(array.tolist())
    return tuple(probability(f"{name}[{i}]", value) for i, value in enumerate(values))
