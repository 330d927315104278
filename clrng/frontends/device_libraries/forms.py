"""What libraries of GPUs make of words of 32 bits: for devices as text, and the same on the host for proofs."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from clrng.frontends.device_libraries import exact
from clrng.generators.generator_code import CTYPES
from clrng.opencl.templates import render
from clrng.validation import dtype_named

F = np.float32
OF_DOUBLES = "box_muller", "erf_inv", "tensorflow_normal", "inverse_normal", "approximate_normal"
"""The kinds of numbers of any dtype that are made in double precision."""

Words = npt.NDArray[np.uint32]


class Combined(NamedTuple):
    """What a library makes of the values of a combined recurrence, from 1 to its modulus.

    `bits`, `norm`: what they are multiplied by, for words and for uniform numbers. `least`: what is subtracted before
    words are made. `single`: whether normal numbers of float64 are made of uniform ones of float32.
    """

    bits: float
    norm: float
    least: int = 0
    single: bool = False


@dataclass(frozen=True)
class Form:
    """How a library makes numbers of words.

    `kind`: which of the functions of the template. `dtype`: that of the numbers. `words`, `values`: how many words make
    how many values. `turned`: whether 1 becomes 0. `combined`: what is made of words that are the values of a combined
    recurrence. `low_first`: whether the lower word of 64 bits comes first. `dropped`: how many of the lowest bits of
    the upper word are left out. `shift`, `bits`: numbers are so many `bits` of the words, without the lowest `shift`
    ones, over a power of 2. `added`: how many units are added to them.
    """

    kind: str
    dtype: str
    words: int = 1
    values: int = 1
    turned: bool = False
    combined: Combined | None = None
    low_first: bool = False
    dropped: int = 0
    shift: int = 0
    bits: int = 0
    added: float = 0

    @property
    def needs_double(self) -> bool:
        """Whether a device needs double precision."""
        return self.combined is not None or self.dtype == "float64" or self.kind in OF_DOUBLES

    @property
    def ctype(self) -> str:
        """The type of values in OpenCL C."""
        return CTYPES[self.dtype]

    def text(self) -> str:
        """Return the function for devices."""
        shown = {
            "logarithm": [each.hex() for each in exact.LOGARITHM], "sine": [each.hex() for each in exact.SINE],
            "cosine": [each.hex() for each in exact.COSINE],
            "log2_high": exact.LOG2_HIGH.hex(), "log2_low": exact.LOG2_LOW.hex(),
            "quarter_high": exact.QUARTER_HIGH.hex(), "quarter_low": exact.QUARTER_LOW.hex(), "turn": exact.TURN.hex(),
            "cephes": {
                name.lower().removeprefix("cephes_"): tuple(f"{float(np.float32(each)).hex()}f" for each in numbers)
                for name, numbers in vars(exact).items() if name.startswith("CEPHES_")
            },
            "half_root": f"{float(np.float32(exact.HALF_ROOT)).hex()}f",
            "per_quarter": f"{float(np.float32(exact.PER_QUARTER)).hex()}f",
            "of_doubles": OF_DOUBLES, "winitzki": exact.WINITZKI.hex(), "root_2": exact.ROOT_2.hex(),
            "inverse": [[[c.hex() for c in each] for each in part] for part in (exact.MIDDLE, exact.TAIL)],
            "central": [each.hex() for each in exact.CENTRAL], "outer": [each.hex() for each in exact.OUTER],
        }  # fmt: skip
        return render("device_libraries/forms.cl.mako", ctype=self.ctype, **vars(self), **shown)

    def made(self, words: Words, number_range: int = 0, low: int = 0) -> npt.NDArray[Any]:
        """Return the values of `words`, shape (count, words), as an array of shape (count, values)."""
        made: npt.NDArray[Any] = getattr(self, f"_{self.kind}")(words.astype(np.uint64), number_range, low)
        return made.reshape(len(words), self.values)

    def _joined(self, w: Any) -> Any:
        upper, lower = (w[:, 1], w[:, 0]) if self.low_first else (w[:, 0], w[:, -1])
        return w[:, 0] if self.words == 1 else upper >> np.uint64(self.dropped) << np.uint64(32) | lower

    def _word(self, w: Any, *_: int) -> Any:
        if self.combined:
            scaled = (w[:, 0].astype(np.float64) - self.combined.least) * self.combined.bits
            return np.minimum(scaled, 2**32 - 1).astype(np.uint32)
        return self._joined(w).astype(self.dtype)

    def _pieces(self, w: Any, *_: int) -> Any:
        words = self._word(w)[:, None].astype(np.uint64) if self.combined else w
        bits = [divmod(32 * self.words // self.values * i, 32) for i in range(self.values)]
        return np.stack([words[:, i] >> np.uint64(shift) for i, shift in bits], axis=1).astype(self.dtype)

    def _scaled(self, w: Any, *_: int) -> Any:
        kept = self._joined(w) >> np.uint64(self.shift) & np.uint64(2**self.bits - 1)
        kind = np.dtype(self.dtype).type
        return kept.astype(self.dtype) * kind(2.0**-self.bits) + kind(self.added * 2.0**-self.bits)

    def _half_open(self, w: Any, *_: int) -> Any:
        if self.combined:
            return (w[:, 0].astype(np.float64) * self.combined.norm).astype(self.dtype)
        if self.words == 1:
            x: Any = w[:, 0].astype(np.float32) * np.float32(2.0**-32) + np.float32(2.0**-33)
        else:
            x = exact.of_53_bits(w) * 2.0**-53 + 2.0**-54
        x = x.astype(dtype_named(self.dtype))
        return np.where(x == 1, np.zeros_like(x), x) if self.turned else x

    def _middle(self, w: Any, *_: int) -> Any:
        return (2 * w[:, 0] + np.uint64(1)).astype(self.dtype) * np.dtype(self.dtype).type(2.0**-33)

    def _upper_end(self, w: Any, *_: int) -> Any:
        return (w[:, 0] + np.uint64(1)).astype(self.dtype) * np.dtype(self.dtype).type(2.0**-32)

    def _inverse_normal(self, w: Any, *_: int) -> Any:
        centred = (2 * w[:, 0].astype(np.int64) + 1 - 2**32).astype(np.float64) * 2.0**-33
        tail = np.abs(centred) > 0.425  # noqa: PLR2004  # where the other polynomials begin
        r = np.where(tail, np.sqrt(-exact.log(0.5 - np.abs(centred))) - 1.6, 0.180625 - centred * centred)
        inner, outer = (
            exact.polynomial(above, r) / exact.polynomial(below, r) for above, below in (exact.MIDDLE, exact.TAIL)
        )
        return np.where(tail, np.where(centred < 0, -outer, outer), centred * inner).astype(self.dtype)

    def _approximate_normal(self, w: Any, *_: int) -> Any:
        x = (w[:, 0].astype(np.float64) + 1.0) * 2.0**-31 - 1.0
        y = (1.0 - x) * (1.0 + x)
        logarithm = exact.log(np.where(y > 0, y, 1.0))
        near = exact.WINITZKI + 0.5 * logarithm
        root = np.sqrt(np.sqrt(near * near - logarithm / 0.147) - near)
        return np.where(x < 0, -root, root) * exact.ROOT_2

    def _remainder(self, w: Any, number_range: int, low: int) -> Any:
        return (self._joined(w) % np.uint64(number_range) + np.uint64(low % 2**64)).astype(self.dtype)

    def _erf_inv(self, w: Any, *_: int) -> Any:
        x = ((w[:, 0] >> np.uint64(9)).astype(np.int64) * 4 - 16777215).astype(np.float64) * 2.0**-24
        q = -exact.log(1.0 - np.square(x.astype(np.float32)).astype(np.float64))
        central = q < 5.0  # noqa: PLR2004  # where the other polynomial begins
        q = np.where(central, q - 2.5, np.sqrt(np.maximum(q, 0)) - 3.0)
        r = np.where(central, exact.CENTRAL[0], exact.OUTER[0])
        for c, o in zip(exact.CENTRAL[1:], exact.OUTER[1:], strict=True):
            r = r * q + np.where(central, c, o)
        return (r * x).astype(np.float32) * np.float32(2**0.5)

    def _box_muller(self, w: Any, *_: int) -> Any:
        if self.dtype == "float32":
            u = w[:, 0].astype(np.float32) * np.float32(2.0**-32) + np.float32(self.added * 2.0**-32)
            v = w[:, 1].astype(np.float32).astype(np.float64) * exact.TURN + exact.TURN * self.added
            v = v.astype(np.float32)
            if self.combined:
                u, v = ((w[:, i].astype(np.float64) * self.combined.norm).astype(np.float32) for i in range(2))
                v = v * F(2 * np.pi)
            s = np.sqrt(-2 * exact.log(u.astype(np.float64)).astype(np.float32).astype(np.float64)).astype(np.float32)
            wide = v.astype(np.float64)
            quarter = (wide * float.fromhex("0x1.45f306dc9c883p-1") + 0.5).astype(np.int64)
            sine, cosine = exact.sincos(quarter, (wide - quarter * exact.QUARTER_HIGH) - quarter * exact.QUARTER_LOW)
            return np.stack([sine.astype(np.float32) * s, cosine.astype(np.float32) * s], axis=1)
        if self.combined:
            u, v = (w[:, i].astype(np.float64) * self.combined.norm for i in range(2))
            if self.combined.single:
                u, v = (x.astype(np.float32).astype(np.float64) for x in (u, v))
            v = v * 2.0
        else:
            u, v = (exact.of_53_bits(w[:, i:]) * 2.0**-53 + self.added * 2.0**-53 for i in (0, 2))
            v = v * 2.0
        quarter, s = (2 * v + 0.5).astype(np.int64), np.sqrt(-2 * exact.log(u))
        sine, cosine = exact.sincos(quarter, (v - 0.5 * quarter) * np.pi)
        return np.stack([sine * s, cosine * s], axis=1)

    def _tensorflow_normal(self, w: Any, *_: int) -> Any:
        u, v = ((w[:, i] & np.uint64(2**23 - 1)).astype(F) * F(2.0**-23) for i in range(2))
        logarithm = exact.log(np.maximum(u, F(1e-7)).astype(np.float64)).astype(F)
        radius = np.sqrt(-2 * logarithm.astype(np.float64)).astype(F)
        wide = (F(2 * np.pi) * v).astype(np.float64)
        quarter = (wide * float.fromhex("0x1.45f306dc9c883p-1") + 0.5).astype(np.int64)
        sine, cosine = exact.sincos(quarter, (wide - quarter * exact.QUARTER_HIGH) - quarter * exact.QUARTER_LOW)
        return np.stack([sine.astype(F) * radius, cosine.astype(F) * radius], axis=1)

    def _torch_normal(self, w: Any, *_: int) -> Any:
        if self.dtype == "float32":
            u, v = ((w[:, i] & np.uint64(2**24 - 1)).astype(F) * F(2.0**-24) for i in range(2))
            radius = np.sqrt(F(-2) * exact.cephes_log(F(1) - u))
            sine, cosine = exact.cephes_sincos(F(2 * np.pi) * v)
        else:
            u, v = (
                (w[:, i] << np.uint64(32) & np.uint64(2**53 - 1) | w[:, i + 1]).astype(np.float64) * 2.0**-53
                for i in (0, 2)
            )
            radius, angle = np.sqrt(-2 * exact.log(1.0 - u)), 2 * np.pi * v
            quarter = (angle * float.fromhex("0x1.45f306dc9c883p-1") + 0.5).astype(np.int64)
            sine, cosine = exact.sincos(quarter, (angle - quarter * exact.QUARTER_HIGH) - quarter * exact.QUARTER_LOW)
        return np.where(radius[:, None] > 0, np.stack([radius * cosine, radius * sine], axis=1), F(0))


WORD = Form("word", "uint32")
