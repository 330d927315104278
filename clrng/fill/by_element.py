"""Fills whose elements have laws of their own: raw values first, and of these a value of each element's law."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import cycle, islice
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions.transforms.by_element import OTHERS, Alike, ByElement, InParts, Varying
from clrng.distributions.transforms.transform import Table, Transform
from clrng.fill.convert import Converter, MakeRaw
from clrng.fill.locate import on_device
from clrng.generators import source
from clrng.generators.generator_code import CTYPES, GeneratorCode
from clrng.opencl import arrays
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.devices import info
from clrng.opencl.kernel import Kernel, kernel_of, of_queue
from clrng.opencl.templates import prelude, render
from clrng.opencl.traits import traits_of
from clrng.proof.prove import compare, poisoned, prove
from clrng.proof.references import FORMS, Stream, raw_values, values

EXAMPLES = 5
"""Laws of those that are alike of which a proof makes values."""

LENGTH = 1 << 10
"""The values of a proof."""

INNER = 8
"""The values side by side in a proof."""

TURNS, ENOUGH, FEW = 4, 2**18, 2**14
"""Where work-items run side by side, they make values in turns if that leaves enough work-items: to begin them takes
time. Up to a few values are always made in turns, so that proofs see some."""

Axes = tuple[tuple[int, int], ...]
"""Of each axis, how many elements it has, and the step of memory between two."""


def _text(code: GeneratorCode, transform: Transform, steps: int, _: object = None) -> str:
    """Return the program for laws whose transforms are like this one, where a value of any law has so many steps."""
    convert = source.transform(code, transform, source.SCALAR, 1)
    return prelude() + convert + render(
        "fill/by_element.cl.mako", p=source.SCALAR, value=CTYPES[code.value.name],
        out=CTYPES[source.output_dtype(code, transform).name], steps_of_all=steps, own_steps=transform.steps,
        parameters=transform.parameters, others=OTHERS,
    )  # fmt: skip


def work_items(queue: cl.CommandQueue, values: int, width: int) -> int:
    """Return how many work-items make so many values, `width` in a turn."""
    items, traits = -(-values // width), traits_of(info(queue.device))
    if not traits.side_by_side or traits.short_loops:
        return items
    fewer = -(-items // TURNS)
    return fewer if values <= FEW else max(fewer, min(items, ENOUGH))


def layout_of(context: cl.Context, axes: Axes) -> tuple[cl.Buffer, cl.Buffer]:
    """Return the sizes of axes, and the steps along them, on the device."""
    flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
    sizes, steps = zip(*(axes or ((1, 0),)), strict=True)
    return (
        cl.Buffer(context, flags, hostbuf=np.array(sizes, np.uint64)),
        cl.Buffer(context, flags, hostbuf=np.array(steps, np.int64)),
    )


def axes_of_two(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[Axes, Axes]:
    """Return the axes along which elements of two arrays that are broadcast are found; none if both have one shape."""
    if one == other:
        return (), ()
    both = np.broadcast_arrays(*(np.empty(shape, np.uint8) for shape in (one, other)))
    rows = arrays.joined_axes(zip(both[0].shape, *(each.strides for each in both), strict=True))
    return tuple((size, step) for size, step, _ in rows), tuple((size, step) for size, _, step in rows)


def in_rows(raw: npt.NDArray[Any], inner: int) -> npt.NDArray[Any]:
    """Return raw values of shape (values, steps) as rows have them of `inner` values side by side."""
    return np.ascontiguousarray(raw.reshape(-1, inner, raw.shape[1]).swapaxes(1, 2))


class Layout:
    """How a kernel finds what elements of an array have of a transform, or of what is `given`, and where they are."""

    def __init__(self, queue: cl.CommandQueue, transform: Varying, out: cla.Array, given: Any = None) -> None:
        each, first, each_axes = transform.each_of(out.size, given)
        self._each_axes = arrays.joined_axes(each_axes)
        self._each: Any = on_device(queue, each, out)
        if self._each_axes and self._each.offset:
            self._each = self._each.copy(queue=queue)  # axes are those of elements from the beginning of memory on
        self._at = self._each.offset // each.dtype.itemsize + first
        self.arrays: tuple[Any, ...] = (self._each,)
        contiguous = out.flags.c_contiguous
        out_axes = [] if contiguous else arrays.joined_axes(zip(out.shape, arrays.value_strides(out), strict=True))
        sizes, steps = of_queue(queue).cached(layout_of)((*self._each_axes, *out_axes))
        self._common = {
            "out": out.base_data, "offset": out.offset // out.dtype.itemsize, "out_axes": len(out_axes),
            "sizes": sizes, "steps": steps,
        }  # fmt: skip

    def arguments(self, name: str, first: int) -> dict[str, Any]:
        """Return the arguments for elements from number `first` on; those of what elements have begin with `name`."""
        return {
            f"{name}s": self._each.base_data, f"first_{name}": self._at + first, f"{name}_axes": len(self._each_axes),
            "first": first, **self._common,
        }  # fmt: skip


class Layouts:
    """How a kernel finds what elements have of several arrays, by name, and where they are in memory.

    The arguments of the first array are those of `Layout`; the sizes and steps of others begin with their names.
    """

    def __init__(self, queue: cl.CommandQueue, transform: Varying, out: cla.Array, given: Mapping[str, Any]) -> None:
        self._each = {name: Layout(queue, transform, out, array) for name, array in given.items()}
        self.arrays = tuple(array for layout in self._each.values() for array in layout.arrays)

    def arguments(self, first: int) -> dict[str, Any]:
        """Return the arguments for elements from number `first` on."""
        found: dict[str, Any] = {}
        for name, layout in self._each.items():
            own = layout.arguments(name, first)
            if found:
                found |= {f"{name}_{key}": own[key] for key in ("sizes", "steps")}
                own = {key: own[key] for key in (f"{name}s", f"first_{name}", f"{name}_axes")}
            found |= own
        return found


class FillerOfArrays:
    """Makes values of raw values and of what elements have in several arrays, each value alone, on one queue."""

    def __init__(self, queue: cl.CommandQueue, code: GeneratorCode, converter: Converter) -> None:
        self._queue, self._code, self._converter = queue, code, converter

    def prepare(self, transform: Any) -> None:
        """Build and prove the kernel."""
        self._kernel(transform)

    def fill(self, transform: Any, out: cla.Array, make: MakeRaw, inner: int = 1) -> None:
        """Fill `out`, which need not be contiguous, with the elements from the first one of `transform` on.

        `make` makes rows of raw values: `out` is rows of `inner` values, of as many of these as a value has steps.
        """
        if not out.size:
            return
        kernel, layout = self._kernel(transform), self._layouts(self._queue, transform, out)

        def use(part: cla.Array, first: int, some: int) -> cl.Event:
            event = self._make(kernel, transform, layout, out, part, first * inner, some * inner, inner)
            for each in (out, *layout.arrays):
                arrays.attach_event(self._queue, each, event)
            return event

        self._converter.in_parts(out.size // inner, inner, transform.steps, make, use)
        self._queue.flush()  # arrays of parameters may be a caller's, and of another queue

    def _make(
        self, kernel: Kernel, _transform: Any, layout: Layouts, out: cla.Array, part: cla.Array, first: int, some: int,
        inner: int,
    ) -> cl.Event:  # fmt: skip
        """Make `some` values of raw values on their queue."""
        queue: Any = part.queue  # another one in a proof
        return kernel.for_each(
            queue, work_items(queue, some, self._width(out.dtype)), raw=part.base_data, inner=inner, n=some,
            **layout.arguments(first), wait_for=wait_list(part, out, *layout.arrays),
        )  # fmt: skip

    def _width(self, dtype: np.dtype[Any]) -> int:  # noqa: ARG002  # some make more
        """Return how many values of a dtype a work-item makes."""
        return 1

    def _kernel(self, transform: Any) -> Kernel:
        """Return the kernel, proved."""
        raise NotImplementedError

    @staticmethod
    def _layouts(queue: cl.CommandQueue, transform: Any, out: cla.Array) -> Layouts:
        """Return how the kernel finds what elements have."""
        raise NotImplementedError


def copied(queue: cl.CommandQueue, name: str, table: Table) -> Any:
    """Return the memory of the device of a queue with a copy of a table; errors call it `name`."""
    device, nbytes = queue.device, table.numbers.nbytes
    if nbytes > device.max_mem_alloc_size:
        raise MemoryError(
            f"parameters must have fewer different values, as their {name} takes {nbytes} bytes, and the largest "
            f"allocation of {device.name.strip()} is {device.max_mem_alloc_size} bytes"
        )
    return upload(queue, table.numbers).base_data


class ByElementFiller:
    """Makes values of laws, each element by its own, on one queue."""

    def __init__(self, queue: cl.CommandQueue, code: GeneratorCode, converter: Converter) -> None:
        self._queue, self._code, self._converter = queue, code, converter
        self._copies: WeakKeyDictionary[Alike, dict[str, Any]] = WeakKeyDictionary()

    def prepare(self, transform: ByElement) -> None:
        """Build and prove the kernels, and copy the tables."""
        for kind in transform.kinds:
            self._kernel(kind, transform.steps)
            self._arguments(kind)

    def fill(self, transform: ByElement, out: cla.Array, make: MakeRaw, inner: int = 1) -> None:
        """Fill `out`, which need not be contiguous, with the elements from the first one of `transform` on.

        `make` makes rows of raw values: `out` is rows of `inner` values, of as many of these as a value has steps.
        """
        if not out.size:
            return
        self.prepare(transform)
        layout = Layout(self._queue, transform, out)

        def use(part: cla.Array, first: int, some: int) -> cl.Event | None:
            event = None
            for kind in transform.kinds:
                event = self._kernel(kind, transform.steps).for_each(
                    self._queue, some * inner, raw=part.base_data, inner=inner, n=some * inner,
                    **layout.arguments("code", first * inner), **self._arguments(kind),
                    wait_for=wait_list(part, *layout.arrays, out, event),
                )  # fmt: skip
                arrays.attach_event(self._queue, out, event)
            return event

        self._converter.in_parts(out.size // inner, inner, transform.steps, make, use)

    def _arguments(self, kind: Alike) -> dict[str, Any]:
        """Return what a kernel is given of the laws of one kind; copies of their tables are kept as long as these."""
        found = self._copies.get(kind)
        if found is None:
            given: dict[str, Table] = {"rows": kind.rows}
            for each in kind.arguments:
                name = each.declaration.name
                given |= (
                    {f"{name}_of": each.numbers}
                    if each.begins is None
                    else {name: each.numbers, f"{name}_at": each.begins}
                )
            found = {name: copied(self._queue, name, table) for name, table in given.items()}
            self._copies[kind] = found
        return found

    def _kernel(self, kind: Alike, steps: int) -> Kernel:
        """Return the kernel of laws of one kind, proved."""
        kernel = kernel_of(self._queue, "convert_by_element", _text, self._code, kind.transform, steps)
        if not kernel.proved:
            prove(self._queue, [kernel], partial(self._check, kernel=kernel, kind=kind, steps=steps))
        return kernel

    def _check(self, own: cl.CommandQueue, kernel: Kernel, kind: Alike, steps: int) -> None:
        """Compare values of a few laws, which elements have by turns, with those of the host."""
        if type(kind.transform) not in FORMS:
            return
        few = list(dict.fromkeys(np.linspace(0, len(kind.transforms) - 1, EXAMPLES).astype(int).tolist()))
        numbers = np.flatnonzero(kind.rows.numbers != OTHERS)[few].astype(np.uint32)
        codes = np.array(list(islice(cycle(numbers), LENGTH)), np.uint32)
        stream = Stream(self._code.recurrence)
        raw = raw_values(stream, 0, LENGTH * steps).reshape(LENGTH, steps)
        for inner in (1, INNER):
            out: Any = poisoned(own, LENGTH, source.output_dtype(self._code, kind.transform))
            layout = Layout(own, ByElement("by_element", out.dtype, steps, {}, False, codes, codes.shape), out)
            kernel.for_each(
                own, LENGTH, raw=upload(own, in_rows(raw, inner)).base_data, inner=inner, n=LENGTH,
                **layout.arguments("code", 0), **self._arguments(kind), wait_for=wait_list(out),
            ).wait()  # fmt: skip
            made: npt.NDArray[Any] = out.get()
            for which, number in zip(few, numbers, strict=True):
                chosen = kind.transforms[which]
                expected, sure = values(chosen, stream.bits, raw[codes == number, : chosen.steps])
                compare("value of an element", made[codes == number], expected, sure=sure)


class PartsFiller:
    """Makes values of laws of which only some have tables at a time."""

    def __init__(self, queue: cl.CommandQueue, filler: ByElementFiller) -> None:
        self._queue, self._filler = queue, filler

    def prepare(self, transform: InParts) -> None:
        """Do nothing: kernels are those of the laws whose turn it is."""

    def fill(self, transform: InParts, out: cla.Array, make: MakeRaw, inner: int = 1) -> None:
        """Fill `out` as `ByElementFiller` does, with all laws in turn: raw values are made again for each part."""
        if not out.size:
            return
        for part in transform.parts():
            self._filler.fill(replace(part, first=transform.first, steps=transform.steps), out, make, inner)
            self._queue.finish()  # so that the tables are no longer needed when the next ones are made
