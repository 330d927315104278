"""Fills with multinomial counts: column by column, binomial numbers of the trials that are left of each row."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions.transforms.binomial_near import BinomialByElement
from clrng.distributions.vectors import OfCategories
from clrng.errors import BuildError, WrongNumbersError
from clrng.fill.convert import Converter, MakeRaw
from clrng.fill.near import NearFiller
from clrng.fill.on_host import HostFiller
from clrng.generators.generator_code import CTYPES, GeneratorCode
from clrng.opencl import arrays
from clrng.opencl.arrays import wait_list
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import kernel_of
from clrng.opencl.spare import Lent
from clrng.opencl.templates import program
from clrng.proof.examples import Example, poison, prove_by

LEAST_ROWS = 2**9
"""The host makes the counts of fewer rows: PoCL takes 0.3 ms a column, as the host does for so many rows."""

AT_ONCE = 2**12
"""At least so many rows are made at once, where memory allows it."""

ROWS, WIDTH, FIRST = 261, 3, 5
"""The rows and columns of a proof, and the first row of which raw values are taken."""

COUNT = np.dtype(np.uint32)
"""The dtype of the counts of a column, and of the trials that are left."""


def _text(values: dict[str, Any]) -> str:
    return program("fill/categories.cl.mako", values)


def _rows_of(array: npt.NDArray[Any], shape: tuple[int, ...], first: int, some: int) -> npt.NDArray[Any]:
    """Return what rows have of an array that is broadcast to the shape of all rows; one number if all have that."""
    return array.reshape(()) if array.size == 1 else np.broadcast_to(array, shape).flat[first : first + some]


class CategoriesFiller:
    """Makes values of `OfCategories` on one queue: on its device or, of few rows, by the host."""

    def __init__(
        self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, converter: Converter, near: NearFiller,
        host: HostFiller,
    ) -> None:  # fmt: skip
        self._queue, self._device, self._code, self._converter = queue, device, code, converter
        self._near, self._host = near, host
        self._refused = False  # Whether the device cannot make them

    def prepare(self, transform: OfCategories) -> None:
        """Build and prove the kernels."""
        self._proved(transform)

    def fill(self, transform: OfCategories, out: cla.Array, make: MakeRaw, inner: int = 1) -> None:
        """Fill `out` as `HostFiller` does."""
        width = transform.width
        rows = out.size // width
        columns = self._proved(transform) if inner == 1 < width and rows >= LEAST_ROWS else None
        if columns is None:
            self._host.fill(transform, out, make, inner)
            return

        def use(part: cla.Array, first: int, some: int) -> cl.Event:
            return self._make(transform, columns, part, arrays.part(out, first * width, some * width), first)

        self._converter.in_parts(rows, 1, transform.steps * width, make, use, least=AT_ONCE)

    def _proved(self, transform: OfCategories) -> "Columns | None":
        """Return what copies columns, or None if the device makes wrong counts or refuses the kernels."""
        if self._refused:
            return None
        dtype: Any = transform.dtype
        try:
            self._near.prepare(self._binomial(transform, np.zeros(()), np.zeros(1, COUNT)))
            return Columns(self._queue, self._code.value, dtype, transform.steps)
        except (BuildError, WrongNumbersError):
            self._refused = True
            return None

    def _make(
        self, transform: OfCategories, columns: "Columns", raw: cla.Array, out: cla.Array, first: int
    ) -> cl.Event:
        """Fill `out` with rows of counts from row `first` on, made of raw values; return the last event."""
        width, rows = transform.width, out.size // transform.width
        where = transform.shape[:-1], first + transform.first // width, rows
        with Lent(self._queue, self._device) as lent:
            left, counts = (lent.array(rows, COUNT, "size") for _ in range(2))
            self._begin(left, _rows_of(transform.trials[..., 0], *where).astype(COUNT))
            for j in range(width - 1):
                column = self._binomial(transform, _rows_of(transform.chances[..., j], *where), left)
                self._near.fill(column, counts, partial(columns.take, raw, width, j))
                event = columns.put(out, counts, left, width, j)
        return event

    def _begin(self, left: Any, trials: npt.NDArray[Any]) -> None:
        """Store the trials of rows, or one number that all have."""
        memory, waiting = left.base_data, wait_list(left)
        if trials.ndim:
            event = cl.enqueue_copy(self._queue, memory, trials, wait_for=waiting)
        else:
            event = cl.enqueue_fill_buffer(self._queue, memory, trials, 0, left.nbytes, wait_for=waiting)
        arrays.attach_event(self._queue, left, event)

    @staticmethod
    def _binomial(transform: OfCategories, chances: npt.NDArray[Any], left: Any) -> BinomialByElement:
        """Return the transform of counts of a category."""
        largest = transform.most / 4  # of the variances
        return BinomialByElement(
            "binomial", COUNT, transform.steps, {}, False, chances, left.shape, largest=largest, trials=left
        )


class Columns:
    """Copies columns of rows: of raw values, of which each value has so many steps, and of counts."""

    def __init__(self, queue: cl.CommandQueue, raw: np.dtype[Any], out: np.dtype[Any], steps: int) -> None:
        self._steps = steps
        values = {"value": CTYPES[raw.name], "out": CTYPES[out.name], "steps": steps}
        self._take, self._put = (kernel_of(queue, name, _text, values=values) for name in ("take_column", "put_counts"))
        prove_by(queue, [self._take, self._put], self._example, _examples(raw, out, steps))

    def take(self, raw: cla.Array, width: int, column: int, part: cla.Array, first: int) -> None:
        """Fill `part` with raw values of a column of rows of so many values, from number `first` of the column on."""
        queue: Any = part.queue
        n = part.size // self._steps
        event = self._take.for_each(
            queue, n, raw=raw.base_data, first=first // self._steps, width=width, column=column, taken=part.base_data,
            offset=part.offset // part.dtype.itemsize, n=n, wait_for=wait_list(raw, part),
        )  # fmt: skip
        arrays.attach_event(queue, part, event)

    def put(self, out: cla.Array, counts: cla.Array, left: cla.Array, width: int, column: int) -> cl.Event:
        """Put counts in their column of `out`, and take them from what is left; return the event."""
        queue: Any = counts.queue
        event = self._put.for_each(
            queue, counts.size, out=out.base_data, offset=out.offset // out.dtype.itemsize, width=width, column=column,
            counts=counts.base_data, left=left.base_data, n=counts.size, wait_for=wait_list(out, counts, left),
        )  # fmt: skip
        for each in (out, counts, left):
            arrays.attach_event(queue, each, event)
        return event

    def _example(self, given: Sequence[cla.Array], results: Sequence[cla.Array], column: int) -> None:
        left, taken, out = results
        self.take(given[0], WIDTH, column, taken, FIRST * self._steps)
        self.put(out, given[1], left, WIDTH, column)


def _examples(raw: np.dtype[Any], out: np.dtype[Any], steps: int) -> Iterator[Example]:
    """Yield each column of counts but the last."""
    drawn = np.random.default_rng(ROWS).integers(0, 2**32, (ROWS, WIDTH, steps), np.uint32).astype(raw)
    left = np.arange(ROWS).astype(COUNT) % COUNT.type(np.iinfo(np.int8).max)
    counts = left // COUNT.type(3)
    for column in range(WIDTH - 1):
        rows = poison(ROWS * WIDTH, out).reshape(ROWS, WIDTH)
        rows[:, column] = counts
        if column == WIDTH - 2:
            rows[:, -1] = left - counts
        results = {"number of trials left": left - counts, "raw value": drawn[FIRST:, column], "count": rows}
        yield Example([drawn, counts, left], results, numbers=(column,), offsets=(0, 0, 0), in_place=2)
