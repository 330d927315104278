"""Fills with noncentral chi-square numbers: Poisson numbers first, and of each a number of more degrees of freedom."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions.transforms.noncentral import NoncentralByElement
from clrng.distributions.transforms.poisson_near import PoissonByElement
from clrng.distributions.transforms.surface import BySurface
from clrng.fill.by_element import INNER, Layout, in_rows
from clrng.fill.convert import Converter, MakeRaw
from clrng.fill.locate import on_device
from clrng.fill.near import NearFiller
from clrng.fill.surface import SurfaceFiller
from clrng.generators.generator_code import CTYPES, GeneratorCode, suffix
from clrng.opencl import arrays
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import Kernel, kernel_of
from clrng.opencl.spare import Lent
from clrng.opencl.templates import program
from clrng.opencl.traits import vector_width
from clrng.proof.examples import Example, prove_by

COUNT, FREEDOM = np.dtype(np.uint32), np.dtype(np.float64)
"""The dtypes of Poisson numbers, and of degrees of freedom."""

NAMES = "take_raw", "add_counts"
"""The kernels; the second one is in double precision."""

LENGTH, BEGIN = 520, 16
"""The values of a proof, and the first of them whose raw values are copied."""


def _text(values: dict[str, Any]) -> str:
    return program("fill/noncentral.cl.mako", values)


class NoncentralFiller:
    """Makes values of `NoncentralByElement` on one queue; without double precision the host adds counts."""

    def __init__(
        self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, converter: Converter, near: NearFiller,
        surfaces: SurfaceFiller,
    ) -> None:  # fmt: skip
        self._queue, self._device, self._code, self._converter = queue, device, code, converter
        self._near, self._surfaces, self._width = near, surfaces, vector_width(device)

    def prepare(self, transform: NoncentralByElement) -> None:
        """Build and prove the kernels."""
        self._near.prepare(self._poisson(transform))
        self._surfaces.prepare(self._of_freedom(transform, np.zeros(1)))
        self._kernels(transform)

    def fill(self, transform: NoncentralByElement, out: cla.Array, make: MakeRaw, inner: int = 1) -> None:
        """Fill `out`, which is contiguous, with the elements from the first one of `transform` on, and wait.

        `make` makes rows of raw values: `out` is rows of `inner` values, of as many of these as a value has steps.
        """
        if not out.size:
            return
        kernels = self._kernels(transform)
        held = {name: getattr(transform, name) for name in ("each", "twice_means")}
        held = {name: on_device(self._queue, it, out) for name, it in held.items() if isinstance(it, cla.Array)}
        transform = replace(transform, **held)  # which no part of `out` that is made overwrites
        if not self._device.fp64 and "each" in held:
            transform = replace(transform, each=held["each"].get())

        def use(raw: cla.Array, first: int, some: int) -> None:
            part = arrays.part(out, first * inner, some * inner)
            own = replace(transform, first=transform.first + first * inner)
            self._make(kernels, own, part, raw, inner)
            self._queue.finish()  # so that the memory of raw values is free

        self._converter.in_parts(out.size // inner, inner, transform.steps, make, use)

    def _make(
        self, kernels: Sequence[Kernel], own: NoncentralByElement, out: cla.Array, raw: cla.Array, inner: int
    ) -> None:
        """Fill `out` with the values of raw values."""
        steps = own.steps // 2
        takes = [partial(self._take, kernels[0], raw, begin, steps, inner) for begin in (0, steps)]
        with Lent(self._queue, self._device) as lent:
            counts = lent.array(out.size, COUNT, "size")
            self._near.fill(self._poisson(own), counts, takes[0], inner)
            if self._device.fp64:
                freedom = lent.array(out.size, FREEDOM, "size")
                self._add(kernels[1], own, freedom, counts)
            else:
                df = np.broadcast_to(own.each, own.shape).flat[own.first : own.first + out.size]
                freedom = upload(self._queue, df + 2.0 * counts.get())
            self._surfaces.fill(self._of_freedom(own, freedom), out, takes[1], inner)

    @staticmethod
    def _poisson(own: NoncentralByElement) -> PoissonByElement:
        return PoissonByElement(
            "poisson", COUNT, own.steps // 2, {}, False, own.twice_means, own.shape, own.first, largest=own.largest,
            halved=True,
        )  # fmt: skip

    @staticmethod
    def _of_freedom(own: NoncentralByElement, freedom: Any) -> BySurface:
        """Return the transform of chi-square numbers, of which each has its degrees of freedom."""
        one: Any = np.ones((), own.dtype)
        return BySurface(
            "surface", own.dtype, own.steps // 2, {}, False, freedom, freedom.shape, surface=own.surface, scales=one,
            doublings=1,
        )  # fmt: skip

    def _kernels(self, transform: NoncentralByElement) -> list[Kernel]:
        """Return what copies raw values and, in double precision, what adds counts to degrees of freedom; proved."""
        steps, fp64 = transform.steps // 2, self._device.fp64
        values = {
            "value": CTYPES[self._code.value.name], "steps": steps, "df": CTYPES[transform.each.dtype.name],
            "fp64": fp64, "width": self._width, "w": suffix(self._width), "out": "double",
        }  # fmt: skip
        kernels = [kernel_of(self._queue, name, _text, values=values) for name in NAMES[: 1 + fp64]]

        def example(given: Sequence[cla.Array], results: Sequence[cla.Array], begin: int, inner: int) -> None:
            self._take(kernels[0], given[0], begin, steps, inner, results[0], BEGIN * steps)
            if fp64:
                own = replace(transform, each=given[2], shape=given[2].shape, first=0)
                self._add(kernels[1], own, results[1], given[1])

        examples = _examples(self._code.value, transform.each.dtype, steps, fp64=fp64)
        prove_by(self._queue, kernels, example, examples)
        return kernels

    def _take(
        self, kernel: Kernel, raw: cla.Array, begin: int, steps: int, inner: int, taken: cla.Array, first: int
    ) -> None:
        """Fill `taken` with so many of the raw values of each value, from row `first` of those taken on."""
        queue: Any = taken.queue
        n = taken.size // steps
        event = kernel.for_each(
            queue, -(-n // self._width), raw=raw.base_data, **{"from": first // steps * inner}, begin=begin,
            inner=inner, taken=taken.base_data, offset=taken.offset // taken.dtype.itemsize, n=n,
            wait_for=wait_list(raw, taken),
        )  # fmt: skip
        arrays.attach_event(queue, taken, event)

    def _add(self, kernel: Kernel, own: NoncentralByElement, freedom: cla.Array, counts: cla.Array) -> None:
        """Fill `freedom` with degrees of freedom and twice the counts."""
        queue: Any = freedom.queue
        layout = Layout(queue, own, freedom)
        event = kernel.for_each(
            queue, -(-freedom.size // self._width), n=freedom.size, counts=counts.base_data,
            **layout.arguments("df", 0), wait_for=wait_list(freedom, counts, *layout.arrays),
        )  # fmt: skip
        for each in (freedom, *layout.arrays):
            arrays.attach_event(queue, each, event)


def _examples(raw: np.dtype[Any], df: np.dtype[Any], steps: int, *, fp64: bool) -> Iterator[Example]:
    """Yield both halves of raw values, of values in one row and side by side."""
    random = np.random.default_rng(LENGTH)
    drawn = random.integers(0, 2**32, (LENGTH, 2 * steps), np.uint32).astype(raw)
    counts, freedom = random.integers(0, 2**11, LENGTH).astype(COUNT), random.uniform(0.1, 99, LENGTH).astype(df)
    for begin in (0, steps):
        for inner in (1, INNER):
            results = {"raw value": in_rows(drawn[BEGIN * inner :, begin : begin + steps], inner)}
            if fp64:
                results["degree of freedom"] = freedom + 2.0 * counts
            yield Example([in_rows(drawn, inner), counts, freedom], results, numbers=(begin, inner), offsets=(0, 0, 3))
