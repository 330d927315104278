"""Values of surfaces by the definition: its integers are Python's, and nothing of it is in the device's code."""

from collections.abc import Sequence
from math import frexp
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.distributions.transforms.surface import BySurface
from clrng.proof.references import TWO_PI, Values, fma, on_circle, placed

ONE = 2**64
"""1 as a fraction."""


def values(transform: BySurface, numbers: Sequence[int], whole: int, parameters: Sequence[float]) -> Values:
    """Return the values of numbers X below `whole` and of parameters, before they are scaled; and which are sure."""
    found = [_place(transform, x, whole, parameter) for x, parameter in zip(numbers, parameters, strict=True)]
    heights, digits, rows, s, t = map(list, zip(*found, strict=True))
    dtype: Any = np.dtype(transform.dtype)
    columns = iter(transform.surface.bends[rows].T)
    s_part, t_part = (np.array(part, np.int64).astype(dtype) * dtype.type(2.0**-64) for part in (s, t))
    sure = np.ones(len(rows), np.bool_)
    slopes = []
    for i, degree in enumerate(transform.surface.form.degrees):
        slope, fine = _horner([next(columns) for _ in range(degree + 1 if i else degree - 1)], s_part)
        sure &= fine
        slopes.append(slope)
    r, fine = _horner(slopes[1:], t_part)
    r, finer = fma(slopes[0], s_part * s_part, r * t_part)
    sure &= fine & finer
    sums = r.astype(np.float64) * np.exp2(digits)
    most = 0 if transform.surface.family.at_most_one else ONE
    v = [min(height + int(part), most) for height, part in zip(heights, sums.tolist(), strict=True)]
    n = np.array([each >> by for each, by in zip(v, digits, strict=True)]) + transform.doublings
    cut = 32 if dtype == np.float32 else 64
    rest = np.array([(each << 64 - by) % ONE >> 64 - cut for each, by in zip(v, digits, strict=True)], np.uint64)
    x = rest.astype(dtype) * dtype.type(2.0**-cut)
    y, fine = _horner([np.full_like(x, e) for e in transform.surface.form.powers], x)
    y, finer = fma(y, x, np.ones_like(x))
    sure &= fine & finer
    if (family := transform.surface.family).symmetric:
        shares = np.array([abs(whole - 1 - 2 * number) for number in numbers], np.uint64).astype(dtype)
        y = y * (shares * dtype.type(1 / whole))
    limits = np.finfo(dtype)
    with np.errstate(over="ignore"):
        made = np.minimum(np.ldexp(y.astype(np.float64), np.minimum(n, 2000)), 1.0 * limits.max)
    made[made < limits.tiny] = 0
    if family.of_zero is not None:
        made[np.array(parameters) == 0] = family.of_zero
    if family.symmetric:
        made[[2 * number < whole - 1 for number in numbers]] *= -1
    return made.astype(dtype), sure


def located(transform: BySurface, made: npt.NDArray[Any]) -> Values:
    """Return values times what is in `scales`, or angles moved by it."""
    scales = transform.scales.astype(made.dtype)
    if not transform.surface.family.circular:
        return placed(made, scales, 0)
    last = made.dtype.type(float.fromhex(TWO_PI[int(made.dtype == np.float64)][3]))
    return on_circle(*placed(np.clip(made, -last, last), 1, scales))


def _horner(columns: Sequence[npt.NDArray[Any]], x: npt.NDArray[Any]) -> tuple[Any, npt.NDArray[np.bool_]]:
    """Return polynomials at x, whose coefficients are `columns`, the constants first; and which are sure."""
    y, sure = columns[-1], np.ones(len(x), np.bool_)
    for column in columns[-2::-1]:
        y, fine = fma(y, x, column)
        sure &= fine
    return y, sure


def _place(transform: BySurface, x: int, whole: int, parameter: float) -> tuple[int, int, int, int, int]:
    """Return u and its digits, the row, and s and t in units of 2^-64."""
    surface, family = transform.surface, transform.surface.family
    if not parameter and family.of_zero is not None:
        return 0, family.bits_of(0), 0, 0, 0
    form, bits = surface.form, (whole - 1).bit_length()
    z, upper = 2 * min(x, whole - 1 - x) + 1, x > whole - 1 - x
    q = (z << 64 - z.bit_length()) * ((1 << 63 + bits) // whole) >> 64
    octave = 64 - z.bit_length() + 64 - q.bit_length() + bits - 65
    mantissa, exponent = frexp(parameter)
    exponent -= 1 + transform.doublings
    fraction = int((2 * mantissa - 1) * 2.0**53) << 11
    if family.from_zero is not None and exponent <= family.from_zero:
        fraction, exponent = int(mantissa * 2.0**53) << 11 >> family.from_zero - exponent, family.from_zero
    cell, rest = divmod(fraction << form.cell_bits, ONE)
    entry, rows = divmod(int(surface.octaves[exponent - surface.first, cell, octave + 64 * upper]), 16)
    split, first = divmod(entry, 2**24)
    part, rest = divmod(rest << split, ONE)
    segment, last = divmod((q << 65 - q.bit_length()) % ONE << rows - split, ONE)
    row, s = first + (part << rows - split) + segment, rest - ONE // 2
    height, second = surface.heights[row].tolist()
    return height + second * s // ONE, family.bits_of(exponent), row, s, last - ONE // 2
