"""What a transform must make of raw values: by its definition, on the host, with nothing of the device's code.

Every class of transforms has its form here. Integers are Python's, or NumPy's where they cannot overflow; products and
sums that devices fuse are rounded once, as S. Boldo and G. Melquiond prove for sums that are rounded to odd ("Emulation
of FMA and correctly rounded sums", IEEE Transactions on Computers 57, 2008). Each form returns the values, and which of
them it is sure of: a product or sum that is neither 0 nor a normal number may come out differently.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from clrng.distributions import Transform, Uniform
from clrng.distributions.quantiles.elementary import two_sum
from clrng.distributions.transforms.inverse import Inverse, Logarithms, Thresholds
from clrng.distributions.transforms.rounded import Rounded
from clrng.distributions.transforms.uniform import InInterval, Lead, LibraryFloat, Stretched, UniformIntegers
from clrng.generators import BitGenerator
from clrng.proof import logarithms

Values = tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]
"""Values, and which of them are sure; None where all are."""

Raw = npt.NDArray[Any]
"""Raw values, shape (n, steps), as the generator yields them."""

TWO_PI = (
    ("0x1.921fb6p+2", "-0x1.777a5cp-23", "0x1.45f306p-3", "0x1.921fb4p+1"),
    ("0x1.921fb54442d18p+2", "0x1.1a62633145c07p-52", "0x1.45f306dc9c883p-3", "0x1.921fb54442d18p+1"),
)
"""Of float32 and of float64: 2 pi as a float and what is left, its reciprocal, and the largest float below pi."""


class Stream:
    """A bit generator at its position, as the key of a cache."""

    def __init__(self, bits: BitGenerator) -> None:
        shown = bits.sequence(3).tolist()  # what is shown of words is no part of some states
        self.bits, self._key = bits, (type(bits), repr(bits.state), *shown)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and self._key == other._key


@lru_cache(maxsize=64)
def raw_values(stream: Stream, first: int, count: int) -> npt.NDArray[Any]:
    """Return `count` raw values of a stream from value `first` on, by the sequential recurrence; they are cached."""
    found = stream.bits.jumped(first).sequence(count) if first else stream.bits.sequence(count)
    found.flags.writeable = False
    return found


def values(transform: Transform, bits: BitGenerator, raw: Raw) -> Values:
    """Return what `transform` makes of raw values of a generator with the bounds of `bits`."""
    form = FORMS.get(type(transform))
    if form is None:
        raise TypeError(f"transform must be of a class that {__name__}.FORMS has, not {type(transform).__name__}")
    made, sure = form(transform, bits, raw)
    with np.errstate(over="ignore"):  # of 16 bits
        return made.astype(transform.dtype or raw.dtype, copy=False), sure


def numbers(bits: BitGenerator, raw: Raw) -> list[int]:
    """Return the numbers whose digits, the highest first, raw values are, counted from 0."""
    least, base = bits.min_value, bits.upper_bound - bits.min_value
    found = [value - least for value in raw[:, 0].tolist()]
    for digits in raw.T[1:].tolist():
        found = [number * base + digit - least for number, digit in zip(found, digits, strict=True)]
    return found


def _raw(transform: Transform, bits: BitGenerator, raw: Raw) -> Values:  # noqa: ARG001  # as the others
    return raw[:, 0], None


def _uniform(transform: Uniform, bits: BitGenerator, raw: Raw) -> Values:
    """Return x / d: of float64 the nearest number where x is exact, else the multiple of 2^-bits below."""
    d, dtype = bits.upper_bound, transform.dtype
    if transform.bits == 53 and d <= 2**53:  # noqa: PLR2004  # bits of a double
        return raw[:, 0].astype(np.float64) / float(d), None
    quotients = [(x << transform.bits) // d for x in raw[:, 0].tolist()]
    return np.array([float(q) * 2.0**-transform.bits for q in quotients], dtype), None


def _integers(transform: UniformIntegers, bits: BitGenerator, raw: Raw) -> Values:
    """Return low + floor(X n / N) for N = m^K; or, of a closed range, floor(X (n - 1) / (N - 1))."""
    last, low = (int(number) for number in transform.arguments[:2])
    whole = (bits.upper_bound - bits.min_value) ** raw.shape[1] - transform.closed
    found = [(low + number * (last + 1) // whole) % 2**64 for number in numbers(bits, raw)]
    made: npt.NDArray[Any] = np.array(found, np.uint64)
    return made.astype(transform.dtype), None


def _interval(transform: InInterval, bits: BitGenerator, raw: Raw) -> Values:
    """Return (least + i) unit, but for the i `special` the bound; from above, places count down from the last."""
    dtype, index = cast("np.dtype[Any]", transform.dtype), cast("UniformIntegers", transform.index)
    if transform.from_above:
        mirrored, _ = _integers(index, bits, raw.dtype.type(bits.min_value + bits.upper_bound - 1) - raw)
        places = [int(index.arguments[0]) - place for place in mirrored.tolist()]
    else:
        places = _integers(index, bits, raw)[0].tolist()
    special, bound = transform.arguments[-2:]
    if transform.in_bits:
        least, added = (int(number) for number in transform.arguments[-6:-4])
        signs = 1 << 8 * dtype.itemsize - np.finfo(dtype).nmant - 1
        exponent = ((added >> np.finfo(dtype).nmant) ^ signs) - signs
        bound = bound.view(dtype)
    else:
        least, exponent = int(transform.arguments[-4]), int(np.frexp(transform.arguments[-3])[1]) - 1
    found = [float(bound) if i == int(special) else math.ldexp(i + least, exponent) for i in places]
    return np.array(found, dtype), None


def _narrow(transform: Rounded, bits: BitGenerator, raw: Raw) -> Values:
    """Return the numbers that NumPy then rounds, those beyond the ends of a bounded one replaced by these."""
    made, sure = values(transform.whole, bits, raw)
    if transform.bounded:
        ends = np.array(transform.arguments[-2:], np.int32)
        made = np.clip(made, *np.where(ends < 0, ends ^ 0x7FFFFFFF, ends).view(np.float32))
    return made, sure


def _stretched(transform: Stretched, bits: BitGenerator, raw: Raw) -> Values:
    """Return low + width x, each operation rounded by NumPy, for a uniform x."""
    x, _ = _uniform(cast("Uniform", transform.inner), bits, raw)
    width, low = transform.arguments
    return low + width * x, None


def _thresholds(transform: Thresholds, bits: BitGenerator, raw: Raw) -> Values:
    """Return low + k with the least k for which X < thresholds[k]; the last is not compared."""
    table, low = transform.arguments[2].numbers, int(transform.arguments[-1])
    last = int(transform.arguments[-2])
    found = np.searchsorted(table[:last], np.array(numbers(bits, raw), np.uint64), side="right")
    return (found + low).astype(transform.dtype), None


def _lead(transform: Lead, bits: BitGenerator, raw: Raw) -> Values:
    chosen = transform.values(bits.min_value, bits.upper_bound)
    shifted = [number << chosen["shift"] for number in numbers(bits, raw[:, : chosen["digits"]])]
    return np.array([(y + (y >> 32) * chosen["spread"]) % 2**64 for y in shifted], np.uint64), None


def _library_float(transform: LibraryFloat, bits: BitGenerator, raw: Raw) -> Values:
    dtype: Any = transform.dtype
    digit_bits, kept = bits.upper_bound.bit_length() - 1, 53 if dtype == np.float64 else 24
    rows = raw.tolist()
    if transform.function == "random_sample":
        if raw.shape[1] == 2:  # noqa: PLR2004  # two raw values
            return np.array([((x >> 5) * 2**26 + (y >> 6)) * 2.0**-53 for x, y in rows]), None
        return np.array([(x >> (digit_bits - kept)) * 2.0**-kept for (x,) in rows], dtype), None
    whole = [sum(digit << digit_bits * place for place, digit in enumerate(row)) for row in rows]
    made = np.array(whole, np.uint64).astype(dtype) * dtype.type(2.0 ** -(digit_bits * raw.shape[1]))
    return np.minimum(made, dtype.type(1 - 2.0**-kept)), None


def _inverse(transform: Inverse, bits: BitGenerator, raw: Raw) -> Values:
    """Return the polynomial of the segment of z = 2 min(X, N - 1 - X) + 1, by Horner's rule in fused operations."""
    dtype: Any = transform.dtype
    whole, single = (bits.upper_bound - bits.min_value) ** raw.shape[1], dtype == np.float32
    mantissa, bias, word = (23, 127, np.uint32) if single else (52, 1023, np.uint64)
    x: npt.NDArray[Any] = np.array(numbers(bits, raw), np.uint64)
    other = np.uint64(whole - 1) - x
    upper, z = x > other, np.minimum(x, other) * np.uint64(2) + np.uint64(1)
    if single and whole > 2**32:
        z = _leading(z, 32)
    word_of_z: npt.NDArray[Any] = _rounded(z, dtype).view(word)
    kept = mantissa - transform.segment_bits
    rows = (word_of_z >> word(kept)).astype(np.int64) - (bias << transform.segment_bits)
    t = ((word_of_z & word(2**kept - 1)) | word(bias << mantissa)).view(dtype) - dtype.type(
        1 + 2.0 ** -(transform.segment_bits + 1)
    )
    if not transform.symmetric:
        rows = rows + np.where(upper, transform.rows, 0)
    y, sure = _packed(transform, rows, t) if transform.packed else _horner(_columns(transform), rows, t)
    if transform.symmetric:
        y = np.where(upper, -y, y)
    return _placed(transform, y, sure)


def _logarithms(transform: Logarithms, bits: BitGenerator, raw: Raw) -> Values:
    """Return powers of two, or hyperbolic sines, of polynomials."""
    whole = (bits.upper_bound - bits.min_value) ** raw.shape[1]
    y: npt.NDArray[Any] = np.array([logarithms.value(transform, x, whole) for x in numbers(bits, raw)], transform.dtype)
    if not transform.scaled:
        return y, None
    return placed(y, *transform.arguments[-2:])


def _columns(transform: Inverse) -> list[npt.NDArray[Any]]:
    """Return the coefficients of each power, of all rows, as the table has them: four of each row, then the others."""
    table, rows = transform.arguments[0].numbers, transform.rows * (1 if transform.symmetric else 2)
    first, others = table[: 4 * rows].reshape(rows, 4), table[4 * rows :]
    return [*first.T, *(others[i * rows : (i + 1) * rows] for i in range(transform.degree - 3))]


def _horner(columns: list[npt.NDArray[Any]], rows: Any, t: npt.NDArray[Any]) -> tuple[Any, npt.NDArray[np.bool_]]:
    """Return the polynomials of rows at t, by fused operations, and which are sure."""
    y, sure = columns[-1][rows], np.ones(len(t), bool)
    for column in columns[-2::-1]:
        y, fine = fma(y, t, column[rows])
        sure &= fine
    return y, sure


def _packed(transform: Inverse, rows: Any, t: npt.NDArray[Any]) -> tuple[Any, npt.NDArray[np.bool_]]:
    """Return what rows of four words make of t: c[0] + c[1] t (1 + t (...)), of coefficients in few bits."""
    words: Any = transform.arguments[0].numbers.reshape(-1, 4)
    ends, w, v = words[:, :2].copy().view(np.float64), words[:, 2].astype(object), words[:, 3].astype(object)
    numbers = {
        2: (w % 2**32 // 2**24 * 2**32 + w // 2**32, 40),
        3: (v // 2**32, 32),
        4: (v % 2**32, 32),
        5: (w % 2**24, 24),
        6: (v % 64 * 64 + w % 64, 12),
    }
    columns = [np.ones(len(words))]
    for k, (number, bits) in numbers.items():
        unit = 2.0 ** ((k - 1) * (transform.segment_bits - 5) + 1 - bits)
        columns.append((number - 2 ** (bits - 1)).astype(np.float64) * unit)
    y, sure = _horner(columns, rows, t)
    found, fine = fma(ends[rows, 1] * t, y, ends[rows, 0])
    return found, sure & fine


def _placed(transform: Inverse, y: npt.NDArray[Any], sure: npt.NDArray[np.bool_]) -> Values:
    """Return loc + scale y, and angles without whole turns."""
    last = y.dtype.type(float.fromhex(TWO_PI[int(y.dtype == np.float64)][3]))
    if transform.circular:
        y = np.clip(y, -last, last)
    if transform.scaled:
        y, fine = placed(y, *transform.arguments[-2:])
        sure = sure & fine
    return on_circle(y, sure) if transform.circular and transform.scaled else (y, sure)


def placed(y: npt.NDArray[Any], scale: Any, loc: Any) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_]]:
    """Return loc + scale·y, rounded once, or the largest number in size where that is beyond it."""
    largest, scale, loc = np.finfo(y.dtype).max, np.full_like(y, scale), np.full_like(y, loc)
    found, sure = fma(y, scale, loc)
    beyond = ~np.isfinite(found)
    with np.errstate(all="ignore"):
        part, _ = fma(y, scale * y.dtype.type(2.0**-64), loc * y.dtype.type(2.0**-64))
        size = np.where(np.isfinite(part), part * y.dtype.type(2.0**64), np.copysign(np.inf, y) * scale)
    return np.clip(np.where(beyond, size, found), -largest, largest), sure | beyond


def on_circle(y: npt.NDArray[Any], sure: npt.NDArray[np.bool_]) -> Values:
    """Return angles without whole turns, from -pi to pi."""
    near, rest, inverse, last = (y.dtype.type(float.fromhex(text)) for text in TWO_PI[int(y.dtype == np.float64)])
    k = np.rint(y * inverse)
    y, fine = fma(-k, np.full_like(y, near), y)
    y, finer = fma(-k, np.full_like(y, rest), y)
    return np.clip(y, -last, last), sure & fine & finer


def _rounded(z: npt.NDArray[np.uint64], dtype: Any) -> npt.NDArray[Any]:
    """Return integers of 64 bits as floats, each rounded once; those for float32 have at most 32 leading bits."""
    if dtype == np.float64:  # two halves are exact
        return (z >> np.uint64(32)).astype(np.float64) * 2.0**32 + (z & np.uint64(2**32 - 1)).astype(np.float64)
    return z.astype(np.float32)


def _leading(z: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.uint64]:
    """Return `z` with all but the `count` leading bits of each set to 0."""
    return np.array([each >> (drop := max(each.bit_length() - count, 0)) << drop for each in z.tolist()], np.uint64)


def _sum_to_odd(a: Any, b: Any) -> Any:
    """Return a + b in float64, rounded to the neighbour of odd significand where it is inexact."""
    s, error = two_sum(a, b)
    even = (s.view(np.uint64) & np.uint64(1)) == 0
    return np.where((error != 0) & even, np.nextafter(s, np.where(error > 0, np.inf, -np.inf)), s)


def _two_product(a: Any, b: Any) -> Any:
    p, parts = a * b, []
    for x in (a, b):
        wide = (2.0**27 + 1) * x
        high = wide - (wide - x)
        parts.append((high, x - high))
    (a_high, a_low), (b_high, b_low) = parts
    return p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low


def fma(a: npt.NDArray[Any], b: npt.NDArray[Any], c: npt.NDArray[Any]) -> tuple[Any, npt.NDArray[np.bool_]]:
    """Return a·b + c, rounded once, of arrays of one dtype; and where that is sure.

    Of float32 the product is exact in float64 and the sum, rounded to odd there with 29 more bits than needed, rounds
    to float32 as the exact one does. Of float64 see theorem 5 of the article, for numbers that are scaled so that
    nothing overflows or underflows.
    """
    with np.errstate(all="ignore"):
        if a.dtype == np.float32:
            found = _sum_to_odd(a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)).astype(np.float32)
        else:
            size = np.maximum(np.abs(a), np.abs(c))
            scale = np.where(size > 2.0**900, 2.0**-100, np.where(size < 2.0**-700, 2.0**300, 1.0))
            high, low = _two_product(a * scale, b)
            t_high, t_low = two_sum(c * scale, low)
            v_high, v_low = two_sum(high, t_high)
            found = (v_high + _sum_to_odd(t_low, v_low)) / scale
    tiny = np.finfo(a.dtype).tiny
    normal = [(x == 0) | ((np.abs(x) >= 2**60 * tiny) & np.isfinite(x)) for x in (a, c, found)]
    vanished = (found == 0) & (a != 0) & (b != 0) & (c == 0)
    return found, normal[0] & normal[1] & normal[2] & ~vanished


FORMS: dict[type[Transform], Callable[..., Values]] = {
    Transform: _raw,
    Uniform: _uniform,
    UniformIntegers: _integers,
    InInterval: _interval,
    Rounded: _narrow,
    Stretched: _stretched,
    Thresholds: _thresholds,
    Lead: _lead,
    LibraryFloat: _library_float,
    Inverse: _inverse,
    Logarithms: _logarithms,
}
"""The form of each class of transforms."""
