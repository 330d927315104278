"""Copies of arrays of a device that need not be contiguous, and of elements that other arrays pick."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.generators.generator_code import CTYPES
from clrng.opencl import arrays, templates
from clrng.opencl.arrays import wait_list
from clrng.opencl.kernel import Kernel, kernel_of
from clrng.order.arguments import WORDS, offset_of
from clrng.proof.examples import Array, Example, poison, prove_by

LONGEST_ELEMENT = 8
"""Bytes of the longest elements that are copied as one; longer ones are copied as several."""

ELEMENTS = 5200
"""About how many elements an example copies."""

GAP = 3
"""The spacing of neighbouring elements in a result of an example that is not contiguous."""

FEW = 97
"""The number of elements from which examples pick."""

MARGIN = 32
"""Elements before those that examples read."""

Axis = tuple[int, ...]
"""The size of an axis of the result, and its strides in the source, in the result and in the picks, in elements."""


@dataclass(frozen=True)
class Picks:
    """Which elements along an `axis` of the source are taken: those at `places`, contiguous integers of any dtype.

    For each axis of the result, `strides` has the stride along it in `places`.
    """

    places: cla.Array
    axis: int
    strides: Sequence[int]

    @classmethod
    def along(cls, axis: int, dimensions: int, places: cla.Array) -> "Picks":
        """Return the same `places` for all rows along an axis."""
        return cls(places, axis, [int(d == axis) for d in range(dimensions)])


def move(
    queue: cl.CommandQueue, given: cla.Array, out: cla.Array | None = None, picks: Picks | None = None
) -> cla.Array:
    """Copy an array, or of each row along an axis the elements that are picked; return `out`, with the event.

    `out`, by default a new array of the shape of `given`, is of the same dtype and has memory of its own; its shape is
    that of `given` except along the axis of `picks`.
    """
    if out is None:
        out = cla.Array(queue, given.shape, given.dtype)
    if out.size == 0:
        return out
    rows, step = _axes(given, out, picks)
    places = picks.places if picks else None
    kernel = _kernel(queue, given, out, picks, len(rows))
    event = _launch(queue, kernel, given, out, places, (0, 0, 0), step, rows)
    arrays.attach_event(queue, out, event)
    arrays.attach_read(queue, event, *((given,) if places is None else (given, places)))
    return out


def build(queue: cl.CommandQueue, given: cla.Array, out: cla.Array, picks: Picks | None = None) -> Kernel:
    """Return the kernel of `move` for such arrays, proved; asked for first, so that an error loses no numbers.

    It raises `BuildError` where the device's compiler refuses it, and `WrongNumbersError` where it copies wrongly.
    """
    return _kernel(queue, given, out, picks, len(_axes(given, out, picks)[0]))


def _kernel(queue: cl.CommandQueue, given: cla.Array, out: cla.Array, picks: Picks | None, axes_count: int) -> Kernel:
    index, element = "uint" if out.nbytes < 2**32 else "ulong", min(given.dtype.itemsize, LONGEST_ELEMENT)
    kind = picks.places.dtype.name if picks else None
    values = {
        "element": WORDS[element], "index": index, "pick": CTYPES[kind] if kind else "", "axes_count": axes_count,
    }  # fmt: skip
    found = kernel_of(queue, "move", templates.program, "permutations/move.cl.mako", values=values)
    prove_by(queue, [found], partial(_example, found), _examples(element, kind, axes_count))
    return found


def _launch(
    queue: cl.CommandQueue, kernel: Kernel, given: cla.Array, out: cla.Array, picks: cla.Array | None,
    begins: tuple[int, int, int], step: int, axes: Sequence[Axis],
) -> cl.Event:  # fmt: skip
    """Copy from and to places that lie behind the beginnings of `given`, `out` and `picks` by `begins` elements."""
    n, element = prod(size for size, *_ in axes), min(given.dtype.itemsize, LONGEST_ELEMENT)
    named: dict[str, Any] = {
        "from": given.base_data, "from_offset": given.offset // element + begins[0],
        "to": out.base_data, "to_offset": out.offset // element + begins[1], "n": n,
    }  # fmt: skip
    if picks is not None:
        named |= {"picks": picks.base_data, "pick_offset": offset_of(picks) + begins[2], "pick_step": step}
    for d, axis in enumerate(axes):
        named |= zip((f"size_{d}", f"from_{d}", f"to_{d}", f"pick_{d}"), axis, strict=True)
    return kernel.taking(*named).for_each(queue, n, *named.values(), wait_for=wait_list(given, out, picks))


def _axes(given: cla.Array, out: cla.Array, picks: Picks | None) -> tuple[list[Axis], int]:
    """Return the axes of a copy, as few as possible, and the stride in the source along the axis of `picks`."""
    begins, ends = arrays.value_strides(given), arrays.value_strides(out)
    steps = list(picks.strides) if picks else [0] * out.ndim
    step = 0
    if picks:
        step, begins[picks.axis] = begins[picks.axis], 0
    parts = max(given.dtype.itemsize // LONGEST_ELEMENT, 1)
    rows: list[Axis] = [
        (size, begin * parts, end * parts, pick)
        for size, begin, end, pick in zip(out.shape, begins, ends, steps, strict=True)
    ]
    return arrays.joined_axes([*rows, (parts, 1, 1, 0)]) or [(1, 0, 0, 0)], step * parts


def _example(kernel: Kernel, given: Sequence[cla.Array], results: Sequence[cla.Array], *where: Any) -> None:
    queue: Any = given[0].queue
    _launch(queue, kernel, given[0], results[0], given[1] if len(given) > 1 else None, *where)


def _examples(itemsize: int, pick: str | None, axes_count: int) -> Iterator[Example]:
    """Yield copies of elements of `itemsize` bytes along so many axes, in both directions.

    Where elements are picked, `pick` is the dtype of the picks.
    """
    random, word = np.random.default_rng(ELEMENTS), np.dtype(f"uint{8 * itemsize}")
    ends = [round(ELEMENTS ** (d / axes_count)) for d in range(axes_count + 1)]
    sizes = [max(end // begin, 1) + (d == 0) for d, (begin, end) in enumerate(pairwise(ends))]
    rising, falling = arrays.contiguous(sizes), list(arrays.contiguous(sizes[::-1]))[::-1]
    falling[0] *= -1
    step = prod(sizes[1:]) if pick else 0
    length = MARGIN + (FEW * step if pick else prod(sizes)) + MARGIN
    along = [0 if pick and d == 0 else stride for d, stride in enumerate(rising)]
    turned = [-stride if d == axes_count - 1 else stride for d, stride in enumerate(along)]
    choice = [0] * axes_count
    choice[0], choice[-1] = sizes[-1], 1
    picked = MARGIN + 1 + sum((size - 1) * stride for size, stride in zip(sizes, choice, strict=True))
    for from_strides, to_strides in ((along, falling), (turned, [GAP * stride for stride in rising])):
        axes = list(zip(sizes, from_strides, to_strides, choice, strict=True))
        memory = random.integers(0, 256, length * itemsize, np.uint8).view(word)
        (taken, at), (target, to) = _places(axes, 1), _places(axes, 2)
        given = [memory]
        if pick is not None:
            given.append(random.integers(0, FEW, picked).astype(pick))
            taken = taken + given[1][MARGIN + _places(axes, 3)[0]].astype(np.int64) * step
        result = poison(int(target.max()) + 1, word)
        result[target] = memory[MARGIN + taken]
        yield Example(given, {"element": result}, numbers=((at + MARGIN, to, MARGIN), step, axes))
    if pick is not None and itemsize <= np.dtype(pick).itemsize:  # each element may be stored where its own pick is
        spacing, places = np.dtype(pick).itemsize // itemsize, random.permutation(FEW).astype(pick)
        memory = random.integers(0, 256, FEW * itemsize, np.uint8).view(word)
        result = places.copy()
        result.view(word)[::spacing] = memory[places.astype(np.int64)]
        axes = [(1, 0, 0, 0)] * (axes_count - 1) + [(FEW, 0, spacing, 1)]
        yield Example([memory, places], {"element": result}, numbers=((0, 0, 0), 1, axes), in_place=1)


def _places(axes: Sequence[Axis], which: int) -> tuple[Array, int]:
    """Return the places of elements in memory, counted from the lowest, and the place at which the axes begin."""
    place = np.zeros((), np.int64)
    for axis in axes:
        place = place[..., np.newaxis] + np.arange(axis[0]) * axis[which]
    begin = -int(place.min())
    return place.reshape(-1) + begin, begin
