"""Fills with hypergeometric numbers of which every element has parameters of its own."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import on_host
from clrng.distributions.discrete import Hypergeometric
from clrng.distributions.transforms.hypergeometric import HypergeometricByElement, constants
from clrng.fill.by_element import INNER, Layouts, in_rows
from clrng.fill.convert import Converter, MakeRaw, copying
from clrng.fill.on_host import HostFiller
from clrng.generators.generator_code import CTYPES, GeneratorCode, suffix
from clrng.opencl import arrays
from clrng.opencl.arrays import first_of, upload, wait_list
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import Kernel, kernel_of
from clrng.opencl.spare import Lent
from clrng.opencl.templates import program
from clrng.opencl.traits import traits_of, vector_width
from clrng.proof.prove import compare, poisoned, prove
from clrng.proof.references import Stream, numbers, raw_values

NAMES = "good", "bad", "sample"
"""The parameters, as a transform and kernels call them."""

CAPACITY = 1 << 12
"""The elements that a list of those that are not sure has room for; if there are more, the host makes all."""

ENTRY = 9
"""Words of an element in the list: its index, X and its parameters. One word, their number, comes before the first."""

LENGTH = 520
"""The values of a proof."""

LARGEST = 500
"""The largest number of good and of bad ones in a proof."""


def _text(code: GeneratorCode, values: dict[str, Any]) -> str:
    least, end, steps = code.recurrence.min_value, code.recurrence.upper_bound, values["steps"]
    own = {"value": CTYPES[code.value.name], "min_value": least, "raw_values": end - least, "q": "", "entry": ENTRY}
    types = dict(zip(NAMES, values["types"], strict=True))
    shown = {**values, "w": suffix(values["width"]), "types": types, "numbers": (end - least) ** steps}
    return program("fill/hypergeometric.cl.mako", {**own, **constants(), **shown})


class HypergeometricFiller:
    """Makes values of `HypergeometricByElement` on one queue; the host makes them if the device cannot."""

    def __init__(
        self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, converter: Converter, host: HostFiller
    ) -> None:
        self._queue, self._device, self._code, self._converter, self._host = queue, device, code, converter, host
        self._on_device = device.fp64 and not traits_of(device).short_loops
        self._width = vector_width(device)

    def prepare(self, transform: HypergeometricByElement) -> None:
        """Build and prove the kernels."""
        if self._on_device:
            self._kernels(transform)

    def fill(self, transform: HypergeometricByElement, out: cla.Array, make: MakeRaw, inner: int = 1) -> None:
        """Fill `out` as `HostFiller` does."""
        if not out.size:
            return
        if not self._on_device:
            self._host.fill(transform, out, make, inner)
            return
        kernels = self._kernels(transform)
        with Lent(self._queue, self._device) as lent:
            unsure = lent.array(1 + ENTRY * CAPACITY, np.dtype(np.uint32), "size")

            def use(part: cla.Array, first: int, some: int) -> None:
                own = replace(transform, first=transform.first + first * inner)
                here = arrays.part(out, first * inner, some * inner)
                self._make(kernels[0], own, here, part, inner, unsure)
                self._settle(kernels[1], own, here, unsure, part, inner)

            self._converter.in_parts(out.size // inner, inner, transform.steps, make, use)

    def _make(
        self, kernel: Kernel, own: HypergeometricByElement, out: cla.Array, raw: cla.Array, inner: int, unsure: Any
    ) -> None:
        """Fill `out` with values of raw values, and the list with those that are not sure."""
        queue: Any = raw.queue  # another one in a proof
        waiting = wait_list(unsure)
        unsure.events[:] = [cl.enqueue_fill_buffer(queue, unsure.base_data, bytes(4), 0, 4, wait_for=waiting)]
        layout = Layouts(queue, own, out, {name: getattr(own, name) for name in NAMES})
        event = kernel.for_each(
            queue, -(-out.size // self._width), raw=raw.base_data, n=out.size, inner=inner, **layout.arguments(0),
            unsure=unsure.base_data, capacity=CAPACITY, wait_for=wait_list(raw, out, unsure, *layout.arrays),
        )  # fmt: skip
        for each in (out, *layout.arrays):
            arrays.attach_event(queue, each, event)
        unsure.events[:] = [event]

    def _settle(
        self, kernel: Kernel, own: HypergeometricByElement, out: cla.Array, unsure: Any, raw: cla.Array, inner: int
    ) -> None:
        """Wait, and make the values of the list on the host; of a list that is too long, all values."""
        count = int(first_of(unsure, 1)[0])
        if count > CAPACITY:
            self._host.fill(own, out, copying(self._queue, raw, inner), inner)
        elif count:
            rows = first_of(unsure, 1 + ENTRY * count)[1:].reshape(count, ENTRY)
            found, *given = np.ascontiguousarray(rows[:, 1:]).view(np.uint64).T.copy()
            named = {f"n{name}": each.astype(np.int64) for name, each in zip(NAMES, given, strict=True)}
            base = self._code.recurrence.upper_bound - self._code.recurrence.min_value
            values = on_host.values(Hypergeometric, named, found, base**own.steps).astype(out.dtype)
            self._put(kernel, out, unsure, values)

    @staticmethod
    def _put(kernel: Kernel, out: cla.Array, unsure: cla.Array, values: npt.NDArray[Any]) -> None:
        """Put values in the places of the list."""
        queue: Any = unsure.queue
        event = kernel.for_each(
            queue, values.size, out=out.base_data, offset=out.offset // out.dtype.itemsize, unsure=unsure.base_data,
            values=upload(queue, values).base_data, n=values.size, wait_for=wait_list(out, unsure),
        )  # fmt: skip
        arrays.attach_event(queue, out, event)

    def _kernels(self, transform: HypergeometricByElement) -> list[Kernel]:
        """Return the kernel that makes values and that which puts others in their places, proved."""
        dtype: Any = transform.dtype
        types = tuple(CTYPES[getattr(transform, name).dtype.name] for name in NAMES)
        values = {"out": CTYPES[dtype.name], "steps": transform.steps, "types": types, "width": self._width}
        kernels = [
            kernel_of(self._queue, name, _text, self._code, values=values)
            for name in ("hypergeometric_by_element", "put_listed")
        ]
        if not all(kernel.proved for kernel in kernels):
            prove(self._queue, kernels, partial(self._check, kernels=kernels, like=transform))
        return kernels

    def _check(self, own: cl.CommandQueue, kernels: Sequence[Kernel], like: HypergeometricByElement) -> None:
        """Compare values of many parameters with those of the host."""
        dtype: Any = like.dtype
        random = np.random.default_rng(LENGTH)
        most = min(LARGEST, *(int(np.iinfo(getattr(like, name).dtype).max) // 2 for name in NAMES), np.iinfo(dtype).max)
        good, bad = random.integers(0, most + 1, (2, LENGTH))
        given = (good, bad, (random.random(LENGTH) * (good + bad + 1)).astype(np.int64))
        parameters = {name: each.astype(getattr(like, name).dtype) for name, each in zip(NAMES, given, strict=True)}
        example = replace(like, **parameters, shape=good.shape, first=0)
        stream = Stream(self._code.recurrence)
        raw = raw_values(stream, 0, LENGTH * like.steps).reshape(LENGTH, like.steps)
        found = np.array(numbers(stream.bits, raw), np.uint64)
        base = stream.bits.upper_bound - stream.bits.min_value
        named = {f"n{name}": each for name, each in zip(NAMES, given, strict=True)}
        expected = on_host.values(Hypergeometric, named, found, base**like.steps).astype(dtype)
        for inner in (1, INNER):
            out, again = poisoned(own, LENGTH, dtype), poisoned(own, LENGTH, dtype)
            unsure = upload(own, np.zeros(1 + ENTRY * CAPACITY, np.uint32))
            self._make(kernels[0], example, out, upload(own, in_rows(raw, inner)), inner, unsure)
            words, sure = unsure.get(), np.ones(LENGTH, np.bool_)
            sure[words[1::ENTRY][: words[0]]] = False
            compare("hypergeometric number", out.get(), expected, sure=sure)
            rows = np.zeros((LENGTH, ENTRY), np.uint32)
            rows[:, 0] = np.arange(LENGTH)[::-1]
            self._put(kernels[1], again, upload(own, np.append(np.uint32(LENGTH), rows)), expected[::-1].copy())
            compare("hypergeometric number in its place", again.get(), expected)
