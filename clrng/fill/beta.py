"""Fills with beta and F values of which every element has parameters of its own."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import beta_values
from clrng.distributions.transforms import beta_near
from clrng.distributions.transforms.beta_near import BetaByElement
from clrng.fill.by_element import INNER, in_rows
from clrng.fill.convert import Converter, MakeRaw
from clrng.fill.near import HEADER, ListedLayout, NearFiller
from clrng.generators.generator_code import CTYPES, GeneratorCode, suffix
from clrng.opencl.arrays import upload
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import Kernel, kernel_of
from clrng.opencl.templates import program
from clrng.opencl.traits import LONGEST_VECTOR
from clrng.proof.prove import compare, poisoned, prove
from clrng.proof.references import Stream, numbers, raw_values

ENTRY = 9
"""Words of an element that is not sure: its index, number and two parameters, the lower words first, and one more."""

KERNELS = "beta_by_element", "put_settled", "settle_beta"
"""The last one is in double precision, as the first one is; without it there is only the second."""

REGISTERS = 2
"""A vector of a CPU takes so many registers: as one waits for a result, the other one is worked on."""

LENGTH = (1 << 10) + 5
"""The values of a proof."""

SHAPES_IN_TURN = 41
"""The parameters of a proof, which go over their whole range."""

SMALL = 13
"""The number of them that are small; half of the parameters are."""

HOST_AT_ONCE = 2**16
"""The raw values of which the host makes values at once."""


def _text(code: GeneratorCode, values: dict[str, Any]) -> str:
    """Return the program."""
    least, end = code.recurrence.min_value, code.recurrence.upper_bound
    own = {
        "value": CTYPES[code.value.name], "min_value": least, "numbers": end - least,
        "half": "0.5 * " if values["is_ratio"] else "", "suffix_of": suffix,
        "header": HEADER, "entry": ENTRY,
    }  # fmt: skip
    return program("fill/beta_near.cl.mako", {**own, **beta_near.constants(), **values})


def margins() -> dict[str, Any]:
    """Return how far values may be off, which kernels differ by."""
    return {name.lower(): getattr(beta_near, name) for name in ("OFF", "OFF_OF_FRACTION", "OFF_OF_MOST")}


def _elements(each: Any, transform: BetaByElement) -> npt.NDArray[Any]:
    """Return a parameter of all elements, on the host."""
    return np.broadcast_to(each.get() if isinstance(each, cla.Array) else each, transform.shape)


def _halved(transform: BetaByElement, given: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return a or b of parameters."""
    wide = given.astype(np.float64)
    return wide / 2 if transform.is_ratio else wide


def _listed(place: npt.NDArray[np.int64]) -> npt.NDArray[np.uint32]:
    """Return a list of elements for the kernel that puts values in their places."""
    rows = np.zeros((place.size, ENTRY), np.uint32)
    rows[:, 0], rows[:, 1] = place & 0xFFFFFFFF, place >> 32
    return np.append(np.array([place.size, 0], np.uint32), rows)


class BetaFiller(NearFiller):
    """Makes beta and F values of many parameters on one queue; without double precision the host makes them."""

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, converter: Converter) -> None:
        super().__init__(queue, device, code, converter)
        if self._width > 1:
            self._width = min(max(REGISTERS * device.device.native_vector_width_double, 4), LONGEST_VECTOR)

    def fill(self, transform: Any, out: cla.Array, make: MakeRaw, inner: int = 1) -> None:
        """Fill `out` as `NearFiller` does."""
        if self._fp64 or not out.size:
            super().fill(transform, out, make, inner)
            return
        (put,), layout = self._kernels(transform), ListedLayout(self._queue, transform, out)
        elements = [_elements(each, transform) for each in (transform.each, transform.trials)]
        least = np.uint64(self._code.recurrence.min_value)

        def use(part: cla.Array, first: int, some: int) -> None:
            place = first * inner + np.arange(some * inner)
            a, b = (_halved(transform, each.flat[transform.first + place]) for each in elements)
            found = part.get().reshape(-1).astype(np.uint64) - least
            values = beta_values.exact(a, b, found, self._base, is_ratio=transform.is_ratio)
            self._put(put, layout, out, upload(self._queue, _listed(place)), values)

        self._converter.in_parts(out.size // inner, inner, 1, make, use, HOST_AT_ONCE)

    def _exact(self, transform: Any, words: npt.NDArray[Any], count: int) -> npt.NDArray[Any]:
        rows = words[HEADER : HEADER + ENTRY * count].reshape(count, ENTRY)
        _, found, a, b = np.ascontiguousarray(rows[:, :8]).view(np.uint64).T.copy()
        return beta_values.exact(a.view(np.float64), b.view(np.float64), found, self._base, is_ratio=transform.is_ratio)

    def _kernels(self, transform: Any) -> list[Kernel]:
        values = {
            "mean": CTYPES[transform.each.dtype.name], "trial": CTYPES[transform.trials.dtype.name],
            "fp64": self._fp64, "width": self._width, "is_ratio": transform.is_ratio,
            **margins(),
        }  # fmt: skip
        kernels = [
            kernel_of(self._queue, name, _text, self._code, values=values)
            for name in (KERNELS if self._fp64 else KERNELS[1:2])
        ]
        if not all(kernel.proved for kernel in kernels):
            prove(self._queue, kernels, partial(self._check, kernels=kernels, like=transform))
        return kernels

    def _check(self, own: cl.CommandQueue, kernels: Sequence[Kernel], like: Any) -> None:
        """Compare values of many parameters with those of the host."""
        a, b = _examples()
        given = [2 * each if like.is_ratio else each for each in (a, b)]
        transform = replace(
            like, each=given[0].astype(like.each.dtype), trials=given[1].astype(like.trials.dtype), shape=a.shape,
            first=0,
        )  # fmt: skip
        stream = Stream(self._code.recurrence)
        raw = raw_values(stream, 0, LENGTH).reshape(-1, 1)
        found = np.array(numbers(stream.bits, raw), np.uint64)
        a, b = _halved(like, transform.each), _halved(like, transform.trials)
        expected, fine = beta_values.values(a, b, found, self._base, is_ratio=like.is_ratio)
        filler = type(self)(own, self._device, self._code, self._converter)
        for inner in (1, INNER):
            n = LENGTH // inner * inner
            if self._fp64:
                out, part = poisoned(own, n, np.float32), upload(own, in_rows(raw[:n], inner))
                layout = ListedLayout(own, transform, out)
                left, unsure = (upload(own, np.zeros(HEADER + ENTRY * n, np.uint32)) for _ in range(2))
                filler._make(kernels[0], layout, out, part, 0, n, inner, unsure)
                left = filler._settle(kernels[2], layout, out, unsure, left)  # noqa: SLF001  # its own
                words, sure = left.get(), fine[:n].copy()
                sure[words[HEADER::ENTRY][: words[0]]] = False
                compare("beta value", out.get(), expected[:n], sure=sure)
            again = poisoned(own, n, np.float32)
            listed = upload(own, _listed(np.arange(n)[::-1]))
            self._put(
                kernels[1 if self._fp64 else 0], ListedLayout(own, transform, again), again, listed, expected[:n][::-1]
            )
            compare("beta value in its place", again.get(), expected[:n])


def _examples() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return parameters of a proof, over their whole range."""
    exponents = np.linspace(-10, 40, SHAPES_IN_TURN)
    a, b = np.resize(exponents, LENGTH), np.resize(np.repeat(exponents, SHAPES_IN_TURN)[::3], LENGTH)
    a[::2], b[::2] = (
        np.resize(exponents[:SMALL], a[::2].size),
        np.resize(np.repeat(exponents[:SMALL], SMALL), a[::2].size),
    )
    return np.exp2(a), np.exp2(np.clip(b, a - 39, a + 39))
