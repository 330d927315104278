"""Fills with integers and uniform numbers between bounds that every element has of its own."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions.transforms.in_ranges import (
    LARGEST,
    Bounds,
    FloatBounds,
    InRanges,
    IntegerBounds,
    NumpyBounds,
    most_of_steps,
)
from clrng.distributions.transforms.uniform import LARGEST_SHORT_FACTOR
from clrng.fill.by_element import INNER, FillerOfArrays, Layouts, axes_of_two, in_rows, layout_of
from clrng.generators import source
from clrng.generators.generator_code import CTYPES, GeneratorCode, suffix
from clrng.opencl import arrays
from clrng.opencl.arrays import first_of, upload, wait_list
from clrng.opencl.devices import DeviceInfo, group_size_of, info
from clrng.opencl.kernel import USUAL_GROUP, Kernel, kernel_of, of_queue, whole_groups
from clrng.opencl.spare import Lent
from clrng.opencl.templates import prelude, program, render
from clrng.opencl.traits import LONGEST_LOOP, loaded_width, traits_of, vector_width
from clrng.proof.examples import Example, prove_by
from clrng.proof.prove import compare, poisoned, prove
from clrng.proof.references import Stream, raw_values, values
from clrng.validation import name_of

ITEMS = {"cpu": 2**10, "gpu": 2**16}
"""So many work-items look at bounds, or as many as there are elements; more where their loops would be too long."""

LENGTH = (1 << 9) + 5
"""The values of a proof."""

TOGETHER = 8
"""A work-item reads the bounds of so many elements at once."""

EXPONENTS = -50, 60
"""From where to where exponents of bounds of a proof are."""

FEWER = 37
"""The work-items of a proof that look at bounds."""

WORD = np.dtype(np.uint64)

KINDS: Mapping[type[Bounds], str] = {
    IntegerBounds: "integers", FloatBounds: "floats", NumpyBounds: "numpys",
}  # fmt: skip
"""What templates call the kinds of bounds."""


def of_bounds(bounds: Bounds, low: str, high: str) -> dict[str, Any]:
    """Return what templates are told of bounds, and of the dtypes of their arrays."""
    own: dict[str, Any] = dict.fromkeys(["least", "largest", "endpoint", "interval"])
    if isinstance(bounds, IntegerBounds):
        own |= {"least": bounds.least % 2**64, "largest": min(bounds.largest, LARGEST), "endpoint": bounds.endpoint}
    if isinstance(bounds, FloatBounds):
        own["interval"] = bounds.interval
    kind = KINDS[type(bounds)]
    return {
        "q": "",
        "low": CTYPES[low],
        "high": CTYPES[high],
        "out": CTYPES[bounds.dtype],
        "kind": kind,
        "largest_bound": LARGEST,
        **own,
    }


def _text_of_sizes(bounds: Bounds, low: str, high: str, values: Mapping[str, Any]) -> str:
    return program("fill/range_sizes.cl.mako", {"together": TOGETHER, **values, **of_bounds(bounds, low, high)})


def range_sizes(
    queue: cl.CommandQueue, bounds: Bounds, low: cla.Array, high: cla.Array,
    meanwhile: Callable[[], object] | None = None,
) -> tuple[int, int]:  # fmt: skip
    """Return the least and the largest of the sizes of all bounds, and wait; one of 0 says that bounds are not taken.

    Bounds are arrays of the device that are contiguous and are broadcast. `meanwhile` is called while the device looks.
    """
    own, device = (bounds, name_of(low.dtype), name_of(high.dtype)), info(queue.device)
    values = {"width": vector_width(device), "group_size": _group_size(device)}
    kernel = kernel_of(queue, "find_range_sizes", _text_of_sizes, *own, values=values)

    def example(given: Sequence[cla.Array], _: object) -> list[npt.NDArray[Any]]:
        own: Any = given[0].queue
        return [np.array(_find_sizes(own, kernel, given[0], given[1], FEWER), np.uint64)]

    prove_by(queue, [kernel], example, _examples_of_sizes(bounds, low.dtype, high.dtype))
    return _find_sizes(queue, kernel, low, high, meanwhile=meanwhile)


def _group_size(device: DeviceInfo) -> int:
    """Return the work-items of a work-group that look at bounds: a power of 2, or one if they are not side by side."""
    return group_size_of(device, USUAL_GROUP if traits_of(device).side_by_side else 1)


def _find_sizes(
    queue: cl.CommandQueue, kernel: Kernel, low: cla.Array, high: cla.Array, most_items: int | None = None,
    meanwhile: Callable[[], object] | None = None,
) -> tuple[int, int]:  # fmt: skip
    """Do what `range_sizes` does, by about so many work-items."""
    axes = axes_of_two(low.shape, high.shape)
    sizes, steps = of_queue(queue).cached(layout_of)((*axes[0], *axes[1]))
    n = int(np.prod(np.broadcast_shapes(low.shape, high.shape)))
    device = info(queue.device)
    group = _group_size(device)
    most_items = most_items or ITEMS[traits_of(device).family]
    items = whole_groups(max(min(n, most_items), -(-n * (1 + 2 * len(axes[0])) // LONGEST_LOOP)), group)
    turns = -(-n // items)
    with Lent(queue, device) as lent:
        found: Any = lent.array(2 * items // group, WORD, "bounds")
        event = kernel(
            queue, items, group, found=found.base_data, n=n, turns=turns,
            apart=1 if group > 1 else turns, step=items if group > 1 else 1, lows=low.base_data,
            first_low=low.offset // low.dtype.itemsize, highs=high.base_data,
            first_high=high.offset // high.dtype.itemsize, axes=len(axes[0]), sizes=sizes, steps=steps,
            wait_for=wait_list(found, low, high),
        )  # fmt: skip
        for each in (found, low, high):
            arrays.attach_event(queue, each, event)
        made = first_of(found, found.size, meanwhile).reshape(-1, 2)
    return int(made[:, 0].min()), int(made[:, 1].max())


def _integers(bounds: IntegerBounds, dtypes: Sequence[np.dtype[Any]], most: int) -> tuple[list[int], list[int]]:
    """Return bounds for a proof, which are as far apart as they may be, with at most so many integers between them."""
    low, high = (np.iinfo(each) for each in dtypes)
    random = np.random.default_rng(LENGTH)
    lows, highs = [], []
    for place in range(LENGTH):
        n = min(int(2.0 ** random.uniform(0, 64)) if place % 3 else 1 << place % 64, most)
        least = max(int(low.min), bounds.least, int(high.min) - n + bounds.endpoint)
        largest = min(int(high.max), LARGEST) - n + bounds.endpoint
        largest = min(int(low.max), LARGEST, bounds.largest - n + 1, largest)
        if least <= largest:
            lows.append(least + int(random.random() * (largest - least)) if place % 5 else (least, largest)[place % 2])
            highs.append(lows[-1] + n - bounds.endpoint)
    return lows, highs


def _floats(dtypes: Sequence[np.dtype[Any]]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return bounds for a proof, of both signs and many sizes, and some that are 0, whole or next to each other."""
    random = np.random.default_rng(LENGTH)
    drawn = np.ldexp(random.uniform(-1, 1, (2, LENGTH)), random.integers(*EXPONENTS, (2, LENGTH)))
    drawn[:, ::5] = random.integers(-3, 4, drawn[:, ::5].shape)
    drawn[1, 1::7] = np.nextafter(drawn[0, 1::7].astype(np.float32), np.float32(np.inf))
    drawn.sort(axis=0)
    return drawn[0].astype(dtypes[0]), drawn[1].astype(dtypes[1])


def _bounds(
    bounds: Bounds, dtypes: Sequence[np.dtype[Any]], most: int = LARGEST
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return bounds for a proof of arrays of these dtypes: `LENGTH` that are taken, with at most so many numbers."""
    if isinstance(bounds, IntegerBounds):
        low, high = (np.array(each, dtype) for each, dtype in zip(_integers(bounds, dtypes, most), dtypes, strict=True))
    else:
        low, high = _floats(dtypes)
    taken = bounds.sizes(low, high) > 0
    return np.resize(low[taken], LENGTH), np.resize(high[taken], LENGTH)


def _examples_of_sizes(bounds: Bounds, *dtypes: np.dtype[Any]) -> Iterator[Example]:
    """Yield bounds that are taken, and others with some that are not; of one shape, and broadcast."""
    low, high = _bounds(bounds, dtypes)
    equal = [np.arange(1, 99).astype(dtype) for dtype in dtypes]
    lows, highs = (np.resize(each, 4 * LENGTH) for each in (low, high))  # so that many are looked at in a turn
    alike = [lows, highs], [lows[:1], highs], [lows, highs[-1:]]
    for given in ([low, high], *alike, [low[::-1].copy(), high], [low[:, None], high[-FEWER:]], equal):
        sizes = bounds.sizes(*given)
        yield Example(given, {}, {"number between bounds": np.array([sizes.min(), sizes.max()], np.uint64)})


def _text(code: GeneratorCode, bounds: Bounds, low: str, high: str, values: Mapping[str, Any]) -> str:
    """Return the program for numbers between bounds of these dtypes."""
    least, steps = code.recurrence.min_value, values["steps"]
    count = code.recurrence.upper_bound - least
    width, form = values["width"], bounds.form(steps, values["wide"])
    prefix = source.SCALAR if width == 1 else source.VECTOR
    convert = source.transform(code, form, prefix, width, of_each=True)
    return prelude() + convert + render(
        "fill/in_ranges.cl.mako", p=prefix, width=width, w=suffix(width), value=CTYPES[code.value.name],
        min_value=least, steps=steps, most_of_steps=[most_of_steps(each, count) for each in range(steps)],
        **of_bounds(bounds, low, high),
    )  # fmt: skip


class RangeFiller(FillerOfArrays):
    """Makes numbers between bounds, each element by its own, on one queue."""

    @staticmethod
    def _layouts(queue: cl.CommandQueue, transform: InRanges, out: cla.Array) -> Layouts:
        return Layouts(queue, transform, out, {"low": transform.each, "high": transform.highs})

    def _width(self, dtype: np.dtype[Any]) -> int:
        device, itemsize = info(self._queue.device), max(dtype.itemsize, 4)
        return loaded_width(device, itemsize, vector_width(device, itemsize))

    def _kernel(self, transform: InRanges) -> Kernel:
        """Return the kernel, proved."""
        recurrence = self._code.recurrence
        wide = transform.is_wide(recurrence.upper_bound - recurrence.min_value)
        names = name_of(transform.each.dtype), name_of(transform.highs.dtype)
        values = {"steps": transform.steps, "wide": wide, "width": self._width(np.dtype(transform.bounds.dtype))}
        kernel = kernel_of(self._queue, "values_in_ranges", _text, self._code, transform.bounds, *names, values=values)
        if not kernel.proved:
            prove(self._queue, [kernel], partial(self._check, kernel=kernel, like=transform, wide=wide))
        return kernel

    def _check(self, own: cl.CommandQueue, kernel: Kernel, like: InRanges, wide: bool) -> None:
        """Compare numbers between many bounds with those of laws on the host."""
        stream, steps, dtype = Stream(self._code.recurrence), like.steps, np.dtype(like.bounds.dtype)
        count = stream.bits.upper_bound - stream.bits.min_value
        most = min(max(most_of_steps(steps, count), 1), LARGEST if wide else LARGEST_SHORT_FACTOR)
        low, high = _bounds(like.bounds, (like.each.dtype, like.highs.dtype), most)
        example = replace(like, each=low, highs=high, shape=low.shape, first=0)
        raw = raw_values(stream, 0, LENGTH * steps).reshape(LENGTH, steps)
        expected = np.empty(LENGTH, dtype)
        for place, (a, b) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
            law = like.bounds.law(a, b, count)
            expected[place] = values(law, stream.bits, raw[place : place + 1, : law.steps])[0][0]
        for inner in (1, INNER):
            n = LENGTH // inner * inner
            out: Any = poisoned(own, n, dtype)
            part = upload(own, in_rows(raw[:n], inner))
            self._make(kernel, example, self._layouts(own, example, out), out, part, 0, n, inner).wait()
            compare("number between bounds", out.get(), expected[:n])
