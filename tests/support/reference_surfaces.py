"""Values of surfaces by their definition, in integers and fractions; it shares no code with the package."""

from fractions import Fraction
from math import frexp

from clrng import BitGenerator
from clrng.distributions.quantiles.surfaces import Surface
from tests.support.reference_inverse import DIGITS, rounded

LIMITS = {"float32": (-126, 127), "float64": (-1022, 1023)}


def value(number: int, raw_values: int, shape: float, surface: Surface, doublings: int = 0) -> float:
    """Return the value of the raw value `number` and one shape, before it is scaled."""
    family = surface.family
    if shape == 0 and family.of_zero is not None:
        return family.of_zero
    dtype, form = surface.bends.dtype.name, surface.form
    digits = DIGITS[dtype]
    b = 0
    while 2**b < raw_values:
        b += 1
    z = 2 * min(number, raw_values - 1 - number) + 1
    shifts = 0
    while z < 2**63:
        z, shifts = 2 * z, shifts + 1
    q = z * (2 ** (63 + b) // raw_values) // 2**64
    while q < 2**63:
        q, shifts = 2 * q, shifts + 1
    significand, exponent = Fraction(frexp(shape)[0]) * 2, frexp(shape)[1] - 1 - doublings
    part = significand - 1
    if family.from_zero is not None and shape < 2 ** (family.from_zero + 1):
        part, exponent = Fraction(int(Fraction(shape) * 2**63) >> family.from_zero, 2**64), family.from_zero
    cell = int(part * 2**form.cell_bits)
    side = 64 if number > raw_values - 1 - number else 0
    entry = int(surface.octaves[exponent - surface.first, cell, shifts + b - 65 + side])
    splits, first_row = entry // 2**28, entry // 16 % 2**24
    in_cell = (part * 2**form.cell_bits - cell) * 2**splits
    s = int((in_cell - int(in_cell)) * 2**64) - 2**63
    below = (q - 2**63) * 2 * 2 ** (entry % 16 - splits)
    row, t = first_row + int(in_cell) * 2 ** (entry % 16 - splits) + below // 2**64, below % 2**64 - 2**63
    first, second = surface.heights[row].tolist()
    least, most = family.fraction_bits
    v = (first + second * s // 2**64) / Fraction(2) ** (f := sorted((least, most + exponent, most))[1])
    in_s, in_t = (rounded(Fraction(each), digits) / 2**64 for each in (s, t))
    left, polynomials = surface.bends[row].tolist(), []
    for i, degree in enumerate(form.degrees):
        count = degree + 1 if i else degree - 1
        polynomials.append(_polynomial([Fraction(c) for c in left[:count]], in_s, digits))
        left = left[count:]
    bend = rounded(_polynomial(polynomials[1:], in_t, digits) * in_t, digits)
    bend = rounded(polynomials[0] * rounded(in_s**2, digits) + bend, digits)
    v += Fraction(int(bend * 2**f), 2**f)
    v = min(v, 0) if family.at_most_one else v
    n, bits = v.numerator // v.denominator, 32 if dtype == "float32" else 64
    x = rounded(Fraction(int((v - n) * 2**bits)), digits) / 2**bits
    y = rounded(_polynomial([Fraction(e) for e in form.powers], x, digits) * x + 1, digits)
    sign = 1
    if family.symmetric:
        sign, distance = (-1, raw_values - 1 - 2 * number) if side == 0 else (1, 2 * number - raw_values + 1)
        inverse = rounded(rounded(Fraction(1, raw_values), 53), digits)
        y = rounded(y * rounded(rounded(Fraction(distance), digits) * inverse, digits), digits)
    found = y * Fraction(2) ** (n + doublings)
    lowest, highest = LIMITS[dtype]
    largest = (2 - Fraction(2) ** (1 - digits)) * 2**highest
    return sign * float(min(found, largest)) if found >= Fraction(2) ** lowest else 0.0


def _polynomial(coefficients: list[Fraction], x: Fraction, digits: int) -> Fraction:
    found = coefficients[-1]
    for c in coefficients[-2::-1]:
        found = rounded(found * x + c, digits)
    return found


def drawn_numbers(bits: BitGenerator, dtype: str, n: int) -> tuple[list[int], int]:
    """Return the numbers X of n values, and how many such numbers there are."""
    raw_values = bits.upper_bound - bits.min_value
    if bits.has_halves and dtype == "float32":
        words = bits.sequence(-(-n // 2)).tolist()
        return [half for word in words for half in (word % 2**32, word >> 32)][:n], 2**32
    if dtype == "float32" or raw_values > 2**32:
        return [value - bits.min_value for value in bits.sequence(n).tolist()], raw_values
    digits = [value - bits.min_value for value in bits.sequence(2 * n).tolist()]
    return [a * raw_values + b for a, b in zip(digits[::2], digits[1::2], strict=True)], raw_values**2
