"""What libraries of GPUs make of words of 32 bits: for devices as text, and the same on the host for proofs."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.generators.generator_code import CTYPES
from clrng.opencl.templates import render

Words = npt.NDArray[np.uint32]

LOGARITHM = tuple(2 / (2 * i + 3) for i in range(11))
"""log(1 + f) = f - f²/2 + s (f²/2 + R), s = f / (2 + f): the coefficients of R by powers of s²."""

SINE = tuple((-1) ** i / math.factorial(2 * i + 3) * -1 for i in range(8))
COSINE = tuple((-1) ** i / math.factorial(2 * i + 4) for i in range(8))
"""The coefficients behind the first term of a sine and the first two of a cosine."""

LOG2_HIGH, LOG2_LOW = float.fromhex("0x1.62e42fee00000p-1"), float.fromhex("0x1.a39ef35793c76p-33")
QUARTER_HIGH, QUARTER_LOW = float.fromhex("0x1.921fb54400000p+0"), float.fromhex("0x1.0b4611a626331p-34")
"""log 2 and pi / 2, in two parts, the first of few digits."""

CENTRAL = (
    2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503, -0.00417768164,
    0.246640727, 1.50140941,
)  # fmt: skip
OUTER = (
    -0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047,
    1.00167406, 2.83297682,
)  # fmt: skip
"""The coefficients of Giles's inverse error function, "Approximating the erfinv function", 2010, as XLA has them."""

TURN = float(np.float32(2.0**-32 * 2 * math.pi))
BIASED = 0x3FE6A09E00000000


@dataclass(frozen=True)
class Form:
    """How a library makes numbers of words.

    `kind`: which of the functions of the template. `dtype`: that of the numbers. `words`, `values`: how many words make
    how many values. `turned`: whether 1 becomes 0. `shift`, `factor`: what a word or two are shifted or masked and then
    multiplied by.
    """

    kind: str
    dtype: str
    words: int = 1
    values: int = 1
    turned: bool = False
    shift: str = ""
    factor: str = ""

    @property
    def needs_double(self) -> bool:
        """Whether a device needs double precision."""
        return self.dtype == "float64" or self.kind in ("box_muller", "erf_inv")

    @property
    def ctype(self) -> str:
        """The type of values in OpenCL C."""
        return CTYPES[self.dtype]

    def text(self) -> str:
        """Return the function for devices."""
        shown = {
            "logarithm": [each.hex() for each in LOGARITHM], "sine": [each.hex() for each in SINE],
            "cosine": [each.hex() for each in COSINE], "log2_high": LOG2_HIGH.hex(), "log2_low": LOG2_LOW.hex(),
            "quarter_high": QUARTER_HIGH.hex(), "quarter_low": QUARTER_LOW.hex(), "turn": TURN.hex(),
            "central": [each.hex() for each in CENTRAL], "outer": [each.hex() for each in OUTER],
        }  # fmt: skip
        return render("device_libraries/forms.cl.mako", ctype=self.ctype, **vars(self), **shown)

    def made(self, words: Words, number_range: int = 0, low: int = 0) -> npt.NDArray[Any]:
        """Return the values of `words`, shape (count, words), as an array of shape (count, values)."""
        made: npt.NDArray[Any] = getattr(self, f"_{self.kind}")(words.astype(np.uint64), number_range, low)
        return made.reshape(len(words), self.values)

    def _joined(self, w: Any) -> Any:
        return w[:, 0] if self.words == 1 else w[:, 0] << np.uint64(32) | w[:, 1]

    def _word(self, w: Any, *_: int) -> Any:
        return self._joined(w).astype(self.dtype)

    def _scaled(self, w: Any, *_: int) -> Any:
        joined = self._joined(w)
        operation, number = self.shift.split()
        by = np.uint64(int(number.rstrip("UL"), 0))
        kept = joined >> by if operation == ">>" else joined & by
        return kept.astype(self.dtype) * np.dtype(self.dtype).type(float.fromhex(self.factor.rstrip("f")))

    def _half_open(self, w: Any, *_: int) -> Any:
        if self.words == 1:
            x: Any = w[:, 0].astype(np.float32) * np.float32(2.0**-32) + np.float32(2.0**-33)
        else:
            x = _of_53_bits(w) * 2.0**-53 + 2.0**-54
        return np.where(x == 1, np.zeros_like(x), x) if self.turned else x

    def _remainder(self, w: Any, number_range: int, low: int) -> Any:
        return (self._joined(w) % np.uint64(number_range) + np.uint64(low % 2**64)).astype(self.dtype)

    def _erf_inv(self, w: Any, *_: int) -> Any:
        x = ((w[:, 0] >> np.uint64(9)).astype(np.int64) * 4 - 16777215).astype(np.float64) * 2.0**-24
        q = -_log(1.0 - np.square(x.astype(np.float32)).astype(np.float64))
        central = q < 5.0  # noqa: PLR2004  # where the other polynomial begins
        q = np.where(central, q - 2.5, np.sqrt(np.maximum(q, 0)) - 3.0)
        r = np.where(central, CENTRAL[0], OUTER[0])
        for c, o in zip(CENTRAL[1:], OUTER[1:], strict=True):
            r = r * q + np.where(central, c, o)
        return (r * x).astype(np.float32) * np.float32(2**0.5)

    def _box_muller(self, w: Any, *_: int) -> Any:
        if self.dtype == "float32":
            u = w[:, 0].astype(np.float32) * np.float32(2.0**-32) + np.float32(2.0**-33)
            v = (w[:, 1].astype(np.float32).astype(np.float64) * TURN + TURN * 0.5).astype(np.float32)
            s = np.sqrt(-2 * _log(u.astype(np.float64)).astype(np.float32).astype(np.float64)).astype(np.float32)
            wide = v.astype(np.float64)
            quarter = (wide * float.fromhex("0x1.45f306dc9c883p-1") + 0.5).astype(np.int64)
            sine, cosine = _sincos(quarter, (wide - quarter * QUARTER_HIGH) - quarter * QUARTER_LOW)
            return np.stack([sine.astype(np.float32) * s, cosine.astype(np.float32) * s], axis=1)
        u, v = _of_53_bits(w) * 2.0**-53 + 2.0**-54, _of_53_bits(w[:, 2:]) * 2.0**-52 + 2.0**-53
        quarter, s = (2 * v + 0.5).astype(np.int64), np.sqrt(-2 * _log(u))
        sine, cosine = _sincos(quarter, (v - 0.5 * quarter) * math.pi)
        return np.stack([sine * s, cosine * s], axis=1)


def _of_53_bits(w: Any) -> Any:
    return (w[:, 0] ^ w[:, 1] << np.uint64(21)).astype(np.float64)


def _polynomial(coefficients: tuple[float, ...], z: Any) -> Any:
    made = np.full_like(z, coefficients[-1])
    for c in reversed(coefficients[:-1]):
        made = made * z + c
    return made


def _log(x: Any) -> Any:
    """Return logarithms by the very operations of the template."""
    bits = x.view(np.uint64) - np.uint64(BIASED)
    k = bits.view(np.int64) >> np.int64(52)
    f = ((bits & np.uint64(2**52 - 1)) + np.uint64(BIASED)).view(np.float64) - 1.0
    s, h = f / (2.0 + f), 0.5 * f * f
    z = s * s
    r = _polynomial(LOGARITHM, z)
    return k * LOG2_HIGH - ((h - (s * (h + r * z) + k * LOG2_LOW)) - f)


def _sincos(quarter: Any, angle: Any) -> tuple[Any, Any]:
    """Return sines and cosines by the very operations of the template."""
    z = angle * angle
    a, b = angle + angle * z * _polynomial(SINE, z), 1.0 - (0.5 * z - z * z * _polynomial(COSINE, z))
    odd = quarter & 1 != 0
    s, c = np.where(odd, b, a), np.where(odd, a, b)
    return np.where(quarter & 2 != 0, -s, s), np.where((quarter + 1) & 2 != 0, -c, c)


WORD = Form("word", "uint32")
