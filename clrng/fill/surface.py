"""Fills with values of surfaces, of which every element has a shape of its own."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions.quantiles.surfaces import Surface
from clrng.distributions.transforms.surface import BySurface, values_of
from clrng.distributions.transforms.transform import Table
from clrng.fill.by_element import INNER, FillerOfArrays, Layouts, copied, in_rows, work_items
from clrng.fill.convert import Converter
from clrng.generators import source
from clrng.generators.generator_code import CTYPES, GeneratorCode, suffix
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import Kernel, kernel_of
from clrng.opencl.templates import joined, program
from clrng.opencl.traits import vector_width
from clrng.proof import surfaces
from clrng.proof.prove import compare, poisoned, prove
from clrng.proof.references import Stream, numbers, raw_values
from clrng.validation import name_of

LENGTH = (1 << 9) + 5
"""The values of a proof; no number of whole vectors."""

SCALES = 0.75, 1.5
"""The least and the largest scale of a proof."""

PLACES = -9.0, 9.0
"""By how much angles are moved in a proof, at least and at most."""


def _text(code: GeneratorCode, values: Mapping[str, Any]) -> str:
    """Return the program for values of surfaces."""
    least, end = code.recurrence.min_value, code.recurrence.upper_bound
    own = {
        "value": CTYPES[code.value.name], "min_value": least, "raw_values": end - least, "p": source.SCALAR,
        "w": suffix(values["width"]), "joined": joined,
    }  # fmt: skip
    of_numbers = values_of((end - least) ** values["steps"], values["out"])
    return program("fill/surface.cl.mako", {**own, **of_numbers, **values})


class SurfaceFiller(FillerOfArrays):
    """Makes values of surfaces, each element by its shape, on one queue."""

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, converter: Converter) -> None:
        super().__init__(queue, code, converter)
        self._device = device
        self._copies: WeakKeyDictionary[Surface, dict[str, Any]] = WeakKeyDictionary()

    def prepare(self, transform: BySurface) -> None:
        """Build and prove the kernel, and copy the surface."""
        super().prepare(transform)
        self._copied(transform.surface)

    @staticmethod
    def _layouts(queue: cl.CommandQueue, transform: BySurface, out: cla.Array) -> Layouts:
        return Layouts(queue, transform, out, {"shape": transform.each, "scale": transform.scales})

    def _make(
        self, kernel: Kernel, transform: BySurface, layout: Layouts, out: cla.Array, part: cla.Array, first: int,
        some: int, inner: int,
    ) -> cl.Event:  # fmt: skip
        queue: Any = part.queue  # another one in a proof
        return kernel.for_each(
            queue, work_items(queue, some, self._width(out.dtype)), raw=part.base_data, inner=inner, n=some,
            **layout.arguments(first), **self._copied(transform.surface), first_octave=transform.surface.first,
            doublings=transform.doublings,
            wait_for=wait_list(part, out, *layout.arrays),
        )  # fmt: skip

    def _copied(self, surface: Surface) -> dict[str, Any]:
        """Return copies of what a surface has, on the device, which are kept as long as this."""
        if surface not in self._copies:
            tables = {name: getattr(surface, name) for name in ("rows", "octaves")}
            self._copies[surface] = {name: copied(self._queue, name, Table(each)) for name, each in tables.items()}
        return self._copies[surface]

    def _width(self, dtype: np.dtype[Any]) -> int:
        """Return how many values of a dtype a work-item makes."""
        return vector_width(self._device, dtype.itemsize)

    def _kernel(self, transform: BySurface) -> Kernel:
        """Return the kernel, proved."""
        dtype: Any = transform.dtype
        values = {
            "out": CTYPES[name_of(dtype)], "shape": CTYPES[name_of(transform.each.dtype)],
            "scale": CTYPES[name_of(transform.scales.dtype)], "steps": transform.steps,
            **transform.surface.form.values, **transform.surface.family.values, "width": self._width(dtype),
        }  # fmt: skip
        kernel = kernel_of(self._queue, "values_of_shapes", _text, self._code, values=values)
        if not kernel.proved:
            prove(self._queue, [kernel], partial(self._check, kernel=kernel, like=transform))
        return kernel

    def _check(self, own: cl.CommandQueue, kernel: Kernel, like: BySurface) -> None:
        """Compare values of many shapes and scales with those of the host."""
        dtype: Any = like.dtype
        octaves, first, family = like.surface.octaves.shape[0], like.surface.first, like.surface.family
        shapes = np.exp2(np.linspace(0, octaves, LENGTH, endpoint=False) + first + like.doublings)
        if first == family.from_zero:
            shapes[1::50] = np.exp2(first - np.arange(len(shapes[1::50])))
        if first == family.from_zero or family.of_zero is not None:
            shapes[::50] = 0
        scales = np.linspace(*(PLACES if family.circular else SCALES), LENGTH).astype(like.scales.dtype)
        shapes = shapes.astype(like.each.dtype)
        example = replace(like, each=shapes, scales=scales, shape=shapes.shape, first=0)
        stream = Stream(self._code.recurrence)
        raw = raw_values(stream, 0, LENGTH * like.steps).reshape(LENGTH, like.steps)
        count = (stream.bits.upper_bound - stream.bits.min_value) ** like.steps
        made, sure = surfaces.values(example, numbers(stream.bits, raw), count, shapes.tolist())
        expected, fine = surfaces.located(example, made)
        sure &= fine & ((expected == 0) | (abs(expected) > 2 * np.finfo(dtype).tiny))
        for inner in (1, INNER):
            n = LENGTH // inner * inner
            out: Any = poisoned(own, n, dtype)
            part = upload(own, in_rows(raw[:n], inner))
            self._make(kernel, example, self._layouts(own, example, out), out, part, 0, n, inner).wait()
            compare("value of a shape", out.get(), expected[:n], sure=sure[:n])
