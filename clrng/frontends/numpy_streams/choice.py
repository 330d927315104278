"""Choices with replacement, as NumPy makes them: places drawn with given probabilities.

NumPy looks for a uniform double in the sums of the probabilities up to each. A double is an integer times 2^-53, so it
is at least such a sum where the integer is at least 2^53 times the sum, rounded up: a device needs no doubles.
"""

from collections.abc import Iterator, Sequence
from math import fsum
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.frontends.numpy_streams.bounded import EXAMPLE, PORTION
from clrng.frontends.numpy_streams.words import DIGITS_OF_TWO, Words
from clrng.opencl import arrays, templates
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.kernel import kernel_of, launches
from clrng.opencl.traits import traits_of
from clrng.order.arguments import offset_of, queue_of
from clrng.proof.examples import Example, prove_by
from clrng.validation import shown

TOLERANCE = np.finfo(np.float64).eps ** 0.5
"""How far the sum of probabilities may be from 1, as in NumPy; it may be further for those of a narrower dtype."""

MAX_SIZE = 2**31
"""The most places among which a device chooses with probabilities."""


def bounds(p: Any, size: int) -> npt.NDArray[np.uint64]:
    """Return 2^53 times the sums of the `size` probabilities `p` up to each, made as NumPy makes them and rounded up.

    Errors are raised for what NumPy does not take.
    """
    try:
        given = np.asarray(p, np.float64, order="C")
    except (TypeError, ValueError):
        raise TypeError(f"p must be probabilities, numbers whose sum is 1, not {shown(p)}") from None
    if given.shape != (size,):
        raise ValueError(f"p must have shape {(size,)}, as many probabilities as a has values, not {given.shape}")
    if size > MAX_SIZE:
        raise ValueError(f"p must have at most 2^31 = {MAX_SIZE} probabilities, not {size}")
    narrow = isinstance(p, np.ndarray) and p.dtype.kind == "f"
    tolerance = max(TOLERANCE, np.finfo(p.dtype).eps ** 0.5) if narrow else TOLERANCE
    if not np.all(given >= 0):
        raise ValueError(f"p must be probabilities of 0 or more, not {shown(given[~(given >= 0)][0].item())}")
    total = fsum(given)
    if abs(total - 1) > tolerance:
        raise ValueError(f"p must be probabilities whose sum is 1, not {shown(total)}")
    sums = given.cumsum()
    sums /= sums[-1]
    return np.ceil(sums * 2.0**53).astype(np.uint64)


def draw_places(words: Words, among: npt.NDArray[np.uint64], out: cla.Array) -> Any:
    """Fill `out`, contiguous and of int64, with places drawn by `bounds`; return where the stream stands then."""
    if out.size:
        table = upload(words.queue, among)
        most = min(PORTION[traits_of(words.device).family], words.device.largest_allocation // 8)
        for first, n in launches(0, out.size, most):
            steps = words.steps(n, first)
            _place(words.queue, words.digits_of, steps, table, arrays.part(out, first, n))
    return words.after_steps(out.size)


def _place(queue: cl.CommandQueue, digits_of: str, steps: cla.Array, table: cla.Array, out: cla.Array) -> None:
    """Fill `out` with the places of steps."""
    values = {"digits_of": digits_of}
    kernel = kernel_of(queue, "place_choices", templates.program, "numpy_streams/choice.cl.mako", values=values)

    def example(given: Sequence[cla.Array], results: Sequence[cla.Array]) -> None:
        _place(queue_of(given[0]), digits_of, *given, *results)

    prove_by(queue, [kernel], example, _place_examples(digits_of))
    event = kernel.for_each(
        queue, out.size, steps=steps.base_data, n=out.size, bounds=table.base_data, size=table.size,
        top=1 << table.size.bit_length() - 1, out=out.base_data, offset=offset_of(out),
        wait_for=wait_list(steps, table, out),
    )  # fmt: skip
    arrays.attach_event(queue, out, event)


def _place_examples(digits_of: str) -> Iterator[Example]:
    """Yield the places of steps among few and many bounds, which are at digits of some of the steps or above."""
    steps = np.random.PCG64(EXAMPLE).random_raw(EXAMPLE // 10)
    digits = steps >> np.uint64(11)
    if digits_of == DIGITS_OF_TWO:
        digits = steps >> np.uint64(37) << np.uint64(26) | (steps & np.uint64(2**32 - 1)) >> np.uint64(6)
    for size in (1, 7, 64, 1001):
        table = np.append(np.sort(digits[: size - 1] + np.arange(size - 1, dtype=np.uint64) % 2), np.uint64(2**53))
        yield Example([steps, table], {"place": table.searchsorted(digits, "right")}, offsets=[0, 0])
