"""Fills with triangular numbers of which every element has parameters of its own."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions.transforms.by_element import Varying
from clrng.distributions.transforms.triangular import TriangularByElement, values
from clrng.fill.by_element import INNER, FillerOfArrays, Layouts, in_rows, work_items
from clrng.fill.convert import Converter, MakeRaw
from clrng.fill.on_host import HostFiller
from clrng.generators.generator_code import CTYPES, GeneratorCode, suffix
from clrng.opencl import arrays
from clrng.opencl.arrays import first_of, upload, wait_list
from clrng.opencl.devices import DeviceInfo, info
from clrng.opencl.kernel import Kernel, kernel_of
from clrng.opencl.templates import program
from clrng.opencl.traits import width_of_doubles
from clrng.proof.examples import Example, prove_by
from clrng.proof.prove import compare, poisoned, prove
from clrng.proof.references import Stream, numbers, raw_values

NAMES = "left", "mode", "right"
"""The parameters, as a transform and kernels call them."""

LENGTH = 1032
"""The values of a proof; no number of whole vectors."""

FEW = 37
"""The triangles of a proof."""


def _text(code: GeneratorCode, values: dict[str, Any]) -> str:
    least, end, steps = code.recurrence.min_value, code.recurrence.upper_bound, values["steps"]
    own = {
        "value": CTYPES[code.value.name],
        "min_value": least,
        "raw_values": end - least,
        "w": suffix(values["width"]),
    }
    types = dict(zip(NAMES, values["types"], strict=True))
    shown = {**values, "q": "", "types": types, "numbers": (end - least) ** steps}
    return program("fill/triangular.cl.mako", {**own, **shown})


def _text_of_check(types: tuple[str, ...], values: dict[str, Any]) -> str:
    own = {"types": dict(zip(NAMES, types, strict=True)), "w": suffix(values["width"])}
    return program("fill/are_triangles.cl.mako", {**own, **values})


def are_triangles(
    queue: cl.CommandQueue, held: Sequence[cla.Array], most: float, meanwhile: Callable[[], object]
) -> bool:
    """Return whether all left ends, modes and right ends are legal and from -`most` to `most`, and wait.

    They are arrays of the device that are contiguous and are broadcast. `meanwhile` is called while the device looks.
    """
    types, width = tuple(CTYPES[each.dtype.name] for each in held), width_of_doubles(info(queue.device))
    kernel = kernel_of(queue, "find_no_triangles", _text_of_check, types, values={"width": width, "most": most})

    def look(own: cl.CommandQueue, given: Sequence[cla.Array], meanwhile: Callable[[], object] | None = None) -> int:
        shape, found = np.broadcast_shapes(*(each.shape for each in given)), upload(own, np.zeros(1, np.uint32))
        out: Any = cla.Array(own, shape, np.uint32, data=found.base_data)  # of which only the first one is there
        layouts = Layouts(own, Varying("", out.dtype, 1, {}, shape=shape), out, dict(zip(NAMES, given, strict=True)))
        wait_for = wait_list(*layouts.arrays)
        event = kernel.for_each(
            own, work_items(own, out.size, width), n=out.size, **layouts.arguments(0), wait_for=wait_for
        )
        for each in (found, *layouts.arrays):
            arrays.attach_event(own, each, event)
        return int(first_of(found, 1, meanwhile)[0])

    examples = _examples([each.dtype for each in held])
    prove_by(queue, [kernel], lambda given, _: [look(cast("Any", given[0].queue), given)], examples)
    return look(queue, held, meanwhile) == 0


def _examples(dtypes: Sequence[np.dtype[Any]]) -> Iterator[Example]:
    """Yield numbers that are legal, and others of which one is not, at several places."""
    ends = (-9.0, -5.0), (-5.0, 3.0), (3.0, 4.0)
    legal = [np.linspace(*two, FEW).astype(dtype) for two, dtype in zip(ends, dtypes, strict=True)]
    wrong = [(0, np.nan), (1, np.nan), (2, np.nan), (0, -np.inf), (2, np.inf), (1, -9.5), (1, 4.5), (0, 3.5)]
    for place, (which, number) in enumerate([(0, -9.0), *wrong]):
        for given in (legal, [legal[0][:, None], legal[1][-1:], legal[2]]):
            changed = [each.copy() for each in given]
            changed[which].reshape(-1)[place * 5 % changed[which].size] = number
            yield Example(changed, {}, {"whether triangles are legal": int(place > 0)})
    yield Example([np.full(FEW, 3, dtype) for dtype in dtypes], {}, {"whether triangles are legal": 1})


class TriangularFiller(FillerOfArrays):
    """Makes values of `TriangularByElement` on one queue; without double precision the host makes them."""

    def __init__(
        self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, converter: Converter, host: HostFiller
    ) -> None:
        super().__init__(queue, code, converter)
        self._host, self._fp64, self._lanes = host, device.fp64, width_of_doubles(device)

    def prepare(self, transform: TriangularByElement) -> None:
        """Build and prove the kernel."""
        if self._fp64:
            super().prepare(transform)

    def fill(self, transform: TriangularByElement, out: cla.Array, make: MakeRaw, inner: int = 1) -> None:
        """Fill `out` as `HostFiller` does; the device does not wait."""
        if self._fp64:
            super().fill(transform, out, make, inner)
        else:
            self._host.fill(transform, out, make, inner)

    @staticmethod
    def _layouts(queue: cl.CommandQueue, transform: TriangularByElement, out: cla.Array) -> Layouts:
        return Layouts(queue, transform, out, {name: getattr(transform, name) for name in NAMES})

    def _width(self, dtype: np.dtype[Any]) -> int:  # noqa: ARG002  # doubles are what values are made of
        return self._lanes

    def _kernel(self, transform: TriangularByElement) -> Kernel:
        """Return the kernel, proved."""
        dtype: Any = transform.dtype
        types = tuple(CTYPES[getattr(transform, name).dtype.name] for name in NAMES)
        shown = {"out": CTYPES[dtype.name], "steps": transform.steps, "types": types, "width": self._lanes}
        kernel = kernel_of(self._queue, "triangular_by_element", _text, self._code, values=shown)
        if not kernel.proved:
            prove(self._queue, [kernel], partial(self._check, kernel=kernel, like=transform))
        return kernel

    def _check(self, own: cl.CommandQueue, kernel: Kernel, like: TriangularByElement) -> None:
        """Compare values of many parameters with those of the host."""
        random = np.random.default_rng(LENGTH)
        drawn = np.ldexp(random.uniform(-1, 1, (LENGTH, 3)), random.integers(-20, 20, (LENGTH, 1)))
        drawn = np.sort(drawn.astype(np.float32).astype(np.float64), axis=1)  # none is rounded, whatever the dtypes
        drawn[::7, 1], drawn[3::7, 1] = drawn[::7, 0], drawn[3::7, 2]
        given = {name: each.astype(getattr(like, name).dtype) for name, each in zip(NAMES, drawn.T, strict=True)}
        example = replace(like, **given, shape=(LENGTH,), first=0)
        stream = Stream(self._code.recurrence)
        raw = raw_values(stream, 0, LENGTH * like.steps).reshape(LENGTH, like.steps)
        count = (stream.bits.upper_bound - stream.bits.min_value) ** like.steps
        found = np.array(numbers(stream.bits, raw), np.uint64)
        dtype: Any = like.dtype
        left, mode, right = (each.astype(np.float64) for each in given.values())
        expected = values(found, count, left, mode, right, dtype).astype(dtype)
        for inner in (1, INNER):
            out: Any = poisoned(own, LENGTH, dtype)
            part = upload(own, in_rows(raw, inner))
            self._make(kernel, example, self._layouts(own, example, out), out, part, 0, LENGTH, inner).wait()
            compare("triangular number", out.get(), expected)
