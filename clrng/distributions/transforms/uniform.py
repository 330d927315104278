"""Uniform numbers: integers, and reals in [0, 1), as quotients or as other libraries make them, and between two bounds.

Those of several raw values take these as the digits of one number.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, frexp, isfinite
from typing import Any

import numpy as np

from clrng import validation
from clrng.distributions.transforms.transform import Declaration, Transform

LARGEST_OF_ONE_STEP = 2**32
"""Where a generator has more raw values, one of them makes a value that needs more than 32 bits; else two do."""

HALF = 2**32
"""The numbers that half a value of 64 bits can be."""

LARGEST_SHORT_FACTOR = 2**32
"""Products of two numbers of at most 2^32 fit words of 64 bits."""

LARGEST_DIFFERENCE = 2**12
"""How much less than 2^32 raw values may be so that the first one of several often decides alone."""

CLOSENESS_BITS = 40
"""The total variation from the uniform distribution is at most 2^-40."""

LEAD_BITS = 64

SMALLEST_GAP = 16
"""Leads are spread out where more than a sixteenth of the integers of 64 bits would stay unused above them."""


def digits(raw_values: int) -> int:
    """Return how many raw values make a number of more than 32 bits: one, or two where they have at most 32 bits."""
    return 1 if raw_values > LARGEST_OF_ONE_STEP else 2


def steps_for(n: int, raw_values: int) -> int:
    """Return how many raw values make one of `n` integers, so that they are equally likely up to 2^-40.

    With K raw values of m each, 2 <= m <= 2^64, the total variation is at most n/(4 m^K), and 0 where n divides m^K.
    The result is the smallest K for which it is at most 2^-40; at most 5 for m of 2^21 or more.
    """
    validation.integer("n", n, 1, 2**64)
    validation.integer("raw_values", raw_values, 2, 2**64)
    steps, numbers = 1, raw_values
    while numbers % n and n << CLOSENESS_BITS > 4 * numbers:
        steps, numbers = steps + 1, numbers * raw_values
    return steps


@dataclass(frozen=True)
class UniformIntegers(Transform):
    """Integers of a range by Canon's method, in products of 64 bits, or 128 where n or m is above 2^32.

    They are the integers low + floor(X n / m^K), where K raw values, of m each, are the digits of X. In a `closed`
    range they are spread so that the first X makes one end and the last X the other.
    """

    product_bits: int = 64
    closed: bool = False

    first_decides: bool = False
    """Whether the first raw value alone often decides, as m is little below 2^32."""

    @property
    def has_hot(self) -> bool:  # noqa: D102  # as inherited
        return self.first_decides

    @property
    def fits_half(self) -> bool:  # noqa: D102  # as inherited
        return bool(self.arguments[0] == HALF - 1)

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: D102  # as inherited
        found = super().values(min_value, upper_bound)
        raw_values = found["raw_values"]
        return {**found, "divisor": raw_values**self.steps - 1 if self.closed else raw_values}


def _range(last: int, low: int) -> dict[Declaration, np.uint64]:
    """Return the largest integer of a range counted from its lowest, and the lowest, as they are declared."""
    return {Declaration("ulong", "last"): np.uint64(last), Declaration("ulong", "low"): np.uint64(low % 2**64)}


def index_transform(
    n: int, raw_values: int, steps: int, dtype: np.dtype[Any], low: int = 0, *, closed: bool = False
) -> UniformIntegers:
    """Return what makes the integers from `low` to low + n - 1, n from 1 to 2^64, of K = `steps` raw values of m each.

    In a `closed` range, of which n is above N = m^K and below 2^63, X makes low + floor(X (n - 1) / (N - 1)).
    """
    given = _range(n - 1 - closed, low)
    if raw_values & (raw_values - 1) and n < raw_values <= LARGEST_SHORT_FACTOR:
        given[Declaration("ulong", "quotient")] = np.uint64((n << 32) // raw_values)
        near = LARGEST_SHORT_FACTOR - raw_values < LARGEST_DIFFERENCE
        return UniformIntegers("short_integers", dtype, steps, given, first_decides=steps > 1 and near)
    bits = 64 if max(n, raw_values) <= LARGEST_SHORT_FACTOR else 128
    return UniformIntegers("integers", dtype, steps, given, product_bits=bits, closed=closed)


@dataclass(frozen=True)
class Lead(Transform):
    """The first raw values of a key as one integer of 64 bits; a smaller key never has a larger lead.

    The raw values of the steps of a value are the digits of the key. As many of the first ones as fit are the digits of
    a number, which is then shifted up and, if need be, multiplied, so that leads are spread about evenly over all
    integers of 64 bits.
    """

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: D102  # as inherited
        raw_values = upper_bound - min_value
        digits = 1
        while digits < self.steps and raw_values ** (digits + 1) <= 2**LEAD_BITS:
            digits += 1
        shift = LEAD_BITS - (raw_values**digits - 1).bit_length()
        used = raw_values**digits << shift
        unused = 2**LEAD_BITS - used
        return {
            "min_value": min_value,
            "raw_values": raw_values,
            "digits": digits,
            "shift": shift,
            "spread": (unused << 32) // used if unused * SMALLEST_GAP > 2**LEAD_BITS else 0,
        }


def lead(steps: int) -> Lead:
    """Return what makes the leads of keys of so many raw values."""
    return Lead("lead", np.dtype(np.uint64), steps)


@dataclass(frozen=True)
class Uniform(Transform):
    """A raw value divided by the upper bound of raw values, with so many bits of the significand."""

    bits: int = 24

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: ARG002, D102  # as inherited
        return {"bits": self.bits, "division": self.division(upper_bound), "denominator": upper_bound}

    def division(self, denominator: int) -> str:
        """Return how it divides a raw value x by `denominator` d.

        ``"shift"`` where d is a power of two, or one less than one of more than `bits` bits, as the lower bits of x
        can then not reach the next multiple of 2^-bits; ``"divide"`` for float64 where x is exact and IEEE division
        rounds correctly; else a quotient that may be one too small and is put right, from a reciprocal of ``"short"``
        words of 32 bits or ``"long"`` ones of 64.
        """
        exact = self.bits == np.finfo(np.float64).nmant + 1 and denominator <= 2**self.bits
        if denominator & (denominator - 1) == 0:
            return "shift"
        if exact:
            return "divide"
        if denominator & (denominator + 1) == 0 and denominator > 2**self.bits:
            return "shift"
        return "short" if denominator <= 2**32 else "long"


UNIFORM = {
    "float32": Uniform("uniform", np.dtype("float32"), bits=24),
    "float64": Uniform("uniform", np.dtype("float64"), bits=53),
}
"""The uniform distributions on [0, 1) by dtype."""

LIBRARY_FLOATS = ("random_sample", "generate_canonical")
"""The names of the functions of libraries."""


@dataclass(frozen=True)
class LibraryFloat(Transform):
    """What a function of a library, one of `LIBRARY_FLOATS`, makes of raw values."""

    function: str = LIBRARY_FLOATS[0]

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: D102  # as inherited
        return {**super().values(min_value, upper_bound), "digit_bits": upper_bound.bit_length() - 1}


@dataclass(frozen=True)
class Stretched(Transform):
    """Numbers low + width x for x of `UNIFORM`, rounded after each operation, as NumPy's `uniform` makes them."""

    @property
    def inner(self) -> Transform | None:  # noqa: D102  # as inherited
        return UNIFORM["float64"]


def stretched(low: float, high: float) -> Stretched:
    """Return what makes float64 numbers from `low` to `high`; an error is raised where their difference is infinite."""
    width = high - low
    if not isfinite(width):
        raise ValueError(
            f"high must be a finite float64 away from low, {low!r}, not {high!r}; intervals but '[)' take these bounds"
        )
    declared = {Declaration("double", "width"): np.float64(width), Declaration("double", "low"): np.float64(low)}
    return Stretched("stretched", np.dtype(np.float64), 1, declared)


INTERVALS = ("[)", "(]", "()", "[]")
"""Which bounds are among the numbers: a square bracket says that one is."""

NOWHERE = np.uint64(2**64 - 1)
"""The place of a bound that is not among the numbers."""


@dataclass(frozen=True)
class Grid:
    """Numbers between two bounds, all as far apart as the floats at the larger bound are.

    Number i is (first + i) * unit, and number `special` is `bound`, which need not be a multiple of the unit. None is a
    negative zero. The unit is a power of two, and may be a subnormal number.
    """

    first: int
    count: int
    unit: float
    special: int
    bound: float

    def is_normal(self, dtype: np.dtype[Any]) -> bool:
        """Return whether no number of it, nor its unit, is subnormal as `dtype`, so that devices may flush those."""
        smallest = float(np.finfo(dtype).tiny)
        bound = abs(self.bound) if 0 <= self.special < self.count else 0.0
        return self.unit >= smallest and (bound == 0 or bound >= smallest)


def bounds(low: float, high: float, dtype: np.dtype[Any], largest: float) -> tuple[Any, Any]:
    """Return the bounds of an interval rounded to `dtype`, if its `largest` number is not exceeded and they differ."""
    kind: Any = dtype.type
    with np.errstate(over="ignore", under="ignore"):
        a, b = (kind(bound) + kind(0) for bound in (low, high))  # of -0.0 it makes 0.0
    for name, given, rounded in (("low", low, a), ("high", high, b)):
        if not np.isfinite(rounded):
            limit = validation.limit(largest)
            raise ValueError(f"{name} must be at most {limit} in size as dtype is {dtype}, not {given!r}")
    if not a < b:
        raise ValueError(f"high must be above low, {low!r} as {dtype}, not {high!r}")
    return a, b


def grid(low: float, high: float, interval: str, dtype: np.dtype[Any]) -> Grid:
    """Return the gamma-section of one of `INTERVALS`: its numbers are floats, and equally far apart.

    The bounds are first rounded to `dtype`; an error is raised where one is not finite then, or there is no number.

    References
    ----------
    F. Goualard, "Drawing random floating-point numbers from an interval", ACM Transactions on Modeling and Computer
    Simulation 32(3), 2022, article 16.
    """
    a, b = bounds(low, high, dtype, float(np.finfo(dtype).max))
    above, below = float(np.nextafter(a, b)), float(np.nextafter(b, a))
    unit = max(Fraction(above) - Fraction(float(a)), Fraction(float(b)) - Fraction(below))
    lower, upper = Fraction(float(a)), Fraction(float(b))
    last = ceil((upper - lower) / unit)
    from_above = abs(lower) <= abs(upper)
    first = int(upper / unit) - last if from_above else int(lower / unit)
    begin, end = int(interval[0] == "("), last + (interval[1] == "]")
    if end <= begin:
        raise ValueError(f"high must be further above low, {low!r}, not {high!r}: no {dtype} is between them")
    special, bound = (0, float(a)) if from_above else (last, float(b))
    return Grid(first + begin, end - begin, float(unit), special - begin, bound)


@dataclass(frozen=True)
class InInterval(Transform):
    """Numbers of a grid, by the numbers of its places, which `index` makes."""

    index: UniformIntegers | None = None

    from_above: bool = False
    """Whether the largest raw value makes the last place, and the others count down from there."""

    in_bits: bool = False
    """Whether integers make the bits of the numbers, as devices may take subnormal ones for 0."""

    @property
    def inner(self) -> Transform | None:  # noqa: D102  # as inherited
        return self.index

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: D102  # as inherited
        return {
            "index_parameters": len(self.index.parameters) if self.index else 0,
            "ends": min_value + upper_bound - 1,
            "from_above": self.from_above,
            "in_bits": self.in_bits,
        }


def interval_transform(low: float, high: float, interval: str, raw_values: int, dtype: np.dtype[Any]) -> InInterval:
    """Return what makes numbers between bounds of raw values, one or, as float64, as many as `digits` says."""
    found = grid(low, high, interval, dtype)
    steps = 1 if dtype == np.float32 else digits(raw_values)
    few = found.count > raw_values**steps
    closed = few and interval == "[]"
    index = index_transform(found.count, raw_values, steps, np.dtype(np.uint64), closed=closed)
    normal = found.is_normal(dtype)
    declared = _scaled(found, dtype) if normal else _in_bits(found, dtype)
    return InInterval(
        "interval",
        dtype,
        steps,
        {**index.given, **declared},
        index=index,
        from_above=few and interval == "(]",
        in_bits=not normal,
    )


def _scaled(found: Grid, dtype: np.dtype[Any]) -> dict[Declaration, Any]:
    """Return the arguments, by how they are declared, that make numbers of a grid by a product with its unit."""
    ctype = "float" if dtype == np.float32 else "double"
    return {
        Declaration("long", "least_number"): np.int64(found.first),
        Declaration(ctype, "unit"): dtype.type(found.unit),
        Declaration("ulong", "special"): _special(found),
        Declaration(ctype, "bound"): dtype.type(found.bound),
    }


def _in_bits(found: Grid, dtype: np.dtype[Any]) -> dict[Declaration, Any]:
    """Return the arguments, by how they are declared, that make the bits of numbers of a grid.

    Let s be the smallest subnormal number. The bits of a float below 2^p * s, where the significand has p bits, are
    those of the float divided by s: they are the bits of k for k * s. So where the unit is s * 2^shift, they are
    k << shift for k below 2^p / 2^shift, the limit. Other floats are normal, and the unit is added to their exponent.
    """
    ctype, word = ("uint", np.uint32) if dtype == np.float32 else ("ulong", np.uint64)
    stored = np.finfo(dtype).nmant
    exponent = int(frexp(found.unit)[1]) - 1
    shift = exponent - int(frexp(float(np.finfo(dtype).smallest_subnormal))[1]) + 1
    limit = 1 << stored + 1 - shift if shift <= stored + 1 else 1
    return {
        Declaration("long", "least_number"): np.int64(found.first),
        Declaration(ctype, "exponent"): word((exponent << stored) % 2 ** (8 * dtype.itemsize)),
        Declaration("uint", "shift"): np.uint32(shift if limit > 1 else 0),
        Declaration("ulong", "limit"): np.uint64(limit),
        Declaration("ulong", "special"): _special(found),
        Declaration(ctype, "bound"): dtype.type(found.bound).view(word),
    }


def _special(found: Grid) -> np.uint64:
    return np.uint64(found.special) if 0 <= found.special < found.count else NOWHERE
