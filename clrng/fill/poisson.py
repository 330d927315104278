"""Fills with Poisson numbers of which every element has a mean of its own."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import on_host
from clrng.distributions.discrete import Poisson
from clrng.distributions.transforms import poisson_near
from clrng.distributions.transforms.poisson import probabilities
from clrng.distributions.transforms.poisson_near import ENTRY, HEADER, PoissonByElement
from clrng.fill.by_element import INNER, Layout, in_rows
from clrng.fill.convert import Converter, MakeRaw
from clrng.generators.generator_code import CTYPES, GeneratorCode, suffix
from clrng.opencl import arrays
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import Kernel, kernel_of
from clrng.opencl.templates import program
from clrng.opencl.traits import LONGEST_VECTOR, traits_of
from clrng.proof.prove import compare, poisoned, prove
from clrng.proof.references import Stream, numbers, raw_values

CAPACITY = 1 << 10
"""The minimum number of elements that a list of those that are not sure has room for."""

ONE_IN = 1 << 10
"""Without double precision it has room for one in so many elements."""

AT_ONCE = 64
"""So many of the list are read together with their number."""

WORD = np.uint64(32)

NAMES = "poisson_by_element", "put_settled"

PLACED = "out", "offset", "first", "mean_axes", "out_axes", "sizes", "steps"
"""The arguments by which the place of an element is found."""

LENGTH = (1 << 11) + 5
"""The values of a proof."""

DOWN_TO, UP_TO = -40, 14.9
"""The binary logarithms of means of a proof."""


def _text(code: GeneratorCode, values: dict[str, Any]) -> str:
    """Return the program of Poisson numbers."""
    least, end, width = code.recurrence.min_value, code.recurrence.upper_bound, values["width"]
    return program(
        "fill/poisson.cl.mako",
        {
            "value": CTYPES[code.value.name], "min_value": least, "raw_values": end - least, "q": "",
            "numbers": (end - least) ** values["steps"], "w": suffix(width), **poisson_near.constants(), **values,
        },
    )  # fmt: skip


class PoissonFiller:
    """Makes Poisson numbers of many means on one queue."""

    def __init__(
        self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, converter: Converter
    ) -> None:
        self._queue, self._code, self._converter = queue, code, converter
        self._base = code.recurrence.upper_bound - code.recurrence.min_value
        self._fp64 = device.fp64
        traits = traits_of(device)
        self._width = LONGEST_VECTOR if traits.in_vectors and not traits.side_by_side else 1

    def prepare(self, transform: PoissonByElement) -> None:
        """Build and prove the kernels."""
        self._kernels(transform)

    def fill(self, transform: PoissonByElement, out: cla.Array, make: MakeRaw, inner: int = 1) -> None:
        """Fill `out`, which need not be contiguous, with the elements from the first one of `transform` on, and wait.

        `make` makes rows of raw values: `out` is rows of `inner` values, of as many of these as a value has steps.
        """
        if not out.size:
            return
        kernels, layout = self._kernels(transform), Layout(self._queue, transform, out)

        def use(part: cla.Array, first: int, some: int) -> None:
            self._make(kernels, transform, layout, out, part, first * inner, some * inner, inner)

        self._converter.in_parts(out.size // inner, inner, transform.steps, make, use)

    def _make(
        self, kernels: Sequence[Kernel], transform: PoissonByElement, layout: Layout, out: cla.Array, part: cla.Array,
        first: int, some: int, inner: int,
    ) -> None:  # fmt: skip
        """Make `some` values of raw values, and wait."""
        queue: Any = part.queue
        capacity = CAPACITY if self._fp64 else max(some // ONE_IN, CAPACITY)
        while True:
            listed: Any = cla.Array(queue, HEADER + ENTRY * capacity, np.uint32)
            cleared = cl.enqueue_fill_buffer(queue, listed.base_data, np.uint32(0), 0, 4 * HEADER)
            event = kernels[0].for_each(
                queue, -(-some // self._width), raw=part.base_data, inner=inner, n=some,
                **layout.arguments("mean", first), unsure=listed.base_data, capacity=capacity,
                wait_for=wait_list(part, out, *layout.arrays, cleared),
            )  # fmt: skip
            arrays.attach_event(queue, out, event)
            listed.add_event(event)
            words = listed[: HEADER + ENTRY * min(AT_ONCE, capacity)].get()
            count = int(words[0])
            if count <= capacity:
                break
            capacity = count
        if count:
            if count > AT_ONCE:
                words = listed[: HEADER + ENTRY * count].get()
            rows = words[HEADER : HEADER + ENTRY * count].reshape(count, ENTRY).astype(np.uint64)
            found, bits = (rows[:, i] | rows[:, i + 1] << WORD for i in (1, 3))
            values = self._settled(transform, found, bits).astype(out.dtype)
            self._put(kernels[1], layout.arguments("mean", first), out, listed, values)

    @staticmethod
    def _put(kernel: Kernel, given: dict[str, Any], out: cla.Array, listed: cla.Array, values: npt.NDArray[Any]) -> None:
        """Put values in the places of the list, which follow from what the kernel of elements is given."""
        queue: Any = listed.queue
        event = kernel.for_each(
            queue, values.size, **{name: given[name] for name in PLACED}, unsure=listed.base_data,
            values=upload(queue, values).base_data, n=values.size, wait_for=wait_list(out, listed),
        )  # fmt: skip
        arrays.attach_event(queue, out, event)

    def _settled(
        self, transform: PoissonByElement, found: npt.NDArray[np.uint64], bits: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """Return the values of numbers X and of means with these bits, by exact thresholds where nothing else decides."""
        dtype = transform.each.dtype
        means = abs(bits.astype(f"u{dtype.itemsize}").view(dtype).astype(np.float64))
        return on_host.values(Poisson, {"lam": means}, found, self._base**transform.steps)

    def _kernels(self, transform: PoissonByElement) -> list[Kernel]:
        """Return the kernel that makes values and that which puts others in their places, proved."""
        dtype: Any = transform.dtype
        values = {
            "out": CTYPES[dtype.name], "mean": CTYPES[transform.each.dtype.name], "steps": transform.steps,
            "fp64": self._fp64, "width": self._width, "off": poisson_near.OFF, "certain": poisson_near.CERTAIN,
        }  # fmt: skip
        kernels = [kernel_of(self._queue, name, _text, self._code, values=values) for name in NAMES]
        if not all(kernel.proved for kernel in kernels):
            prove(self._queue, kernels, partial(self._check, kernels=kernels, like=transform))
        return kernels

    def _check(self, own: cl.CommandQueue, kernels: Sequence[Kernel], like: PoissonByElement) -> None:
        """Compare numbers of many means with those of exact thresholds."""
        dtype: Any = np.dtype(like.dtype)
        up_to = min(UP_TO, np.iinfo(dtype).max.bit_length() - 1)  # the largest numbers fit the dtype
        given = like.each.dtype
        if given.kind in "iu":
            up_to = min(up_to, np.iinfo(given).max.bit_length() - 0.1)
        means = np.exp2(np.linspace(DOWN_TO, up_to, LENGTH)).astype(given)
        means[::7] = np.minimum(np.arange(means[::7].size), 2.0**up_to).astype(given)
        transform = PoissonByElement("poisson", dtype, like.steps, {}, like.of_halves, means, means.shape)
        stream = Stream(self._code.recurrence)
        raw = raw_values(stream, 0, LENGTH * like.steps).reshape(LENGTH, like.steps)
        expected = list(self._values(means.astype(np.float64), numbers(stream.bits, raw), like.steps))
        for inner in (1, INNER):
            n = LENGTH // inner * inner
            out: Any = poisoned(own, n, dtype)
            part = upload(own, in_rows(raw[:n], inner))
            self._make(kernels, transform, Layout(own, transform, out), out, part, 0, n, inner)
            compare("Poisson number", out.get(), np.array(expected[:n], dtype))
            listed = np.zeros((n, ENTRY), np.uint32)
            listed[:, 0] = np.arange(n)[::-1]
            again = poisoned(own, n, dtype)
            words = upload(own, np.append(np.uint32(n), listed.reshape(-1)))
            given = Layout(own, transform, again).arguments("mean", 0)
            self._put(kernels[1], given, again, words, np.array(expected[:n], dtype)[::-1])
            compare("Poisson number in its place", again.get(), np.array(expected[:n], dtype))

    def _values(self, means: npt.NDArray[Any], found: list[int], steps: int) -> Iterator[int]:
        """Yield the smallest k for which X < F(k) N, in double precision."""
        for mean, number in zip(means.tolist(), found, strict=True):
            wanted = float(Fraction(number, self._base**steps))
            low, reached = probabilities(mean)
            yield low + int(np.searchsorted(reached, wanted, side="right"))
