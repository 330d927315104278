"""Copies of arrays of a device that need not be contiguous, and of elements that other arrays pick."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

import pyopencl as cl
import pyopencl.array as cla

from clrng.generators.generator_code import CTYPES
from clrng.opencl import arrays, contexts
from clrng.opencl.kernel import Kernel
from clrng.opencl.templates import prelude, render
from clrng.opencl.transfers import wait_list
from clrng.order.copies_proof import Copy, check_move
from clrng.proof.prove import apart, prove

ELEMENTS = {1: "uchar", 2: "ushort", 4: "uint", 8: "ulong"}
"""What elements are copied as, by their bytes; longer ones as several."""

LONGEST_ELEMENT = 8

Axis = tuple[int, int, int, int]
"""How many elements lie along an axis of the result; and how many elements of the source, of the result and of the
picks its neighbours are apart."""


@dataclass(frozen=True)
class Picks:
    """Which elements along an axis are taken.

    Attributes
    ----------
    places : pyopencl.array.Array
        Of integers, contiguous: places along the axis of the source.
    axis : int
    strides : sequence of int
        For each axis of the result, how many of `places` neighbours are apart.
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
    """Copy an array, or of each row along an axis the elements that are picked.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    given : pyopencl.array.Array
    out : pyopencl.array.Array, optional
        Of the same dtype, with other memory; its shape is that of `given` but for the axis of `picks`. By default a new
        array of the shape of `given`.
    picks : Picks, optional

    Returns
    -------
    pyopencl.array.Array
        `out`, with the event of the copy.
    """
    if out is None:
        out = cla.Array(queue, given.shape, given.dtype)
    if out.size == 0:
        return out
    rows, step = _axes(given, out, picks)
    n, element = prod(size for size, *_ in rows), min(given.dtype.itemsize, LONGEST_ELEMENT)
    kernel = build(queue, given, out, picks)
    picked: list[Any] = []
    if picks:
        picked = [picks.places.base_data, picks.places.offset // picks.places.dtype.itemsize, step]
    numbers = (number for row in rows for number in row)
    places = given.base_data, given.offset // element, out.base_data, out.offset // element
    event = kernel.for_each(
        queue, n, *places, n, *picked, *numbers, wait_for=wait_list(given, out, picks.places if picks else None)
    )
    arrays.attach_event(queue, out, event)
    arrays.attach_event(queue, given, event)  # what writes to it afterwards waits
    return out


def build(queue: cl.CommandQueue, given: cla.Array, out: cla.Array, picks: Picks | None = None) -> Kernel:
    """Return the kernel of `move` for such arrays, proved; what asks for it before the stream moves, loses no numbers.

    Raises
    ------
    BuildError
        If the device's compiler refuses it.
    WrongNumbersError
        If it copies wrongly.
    """
    rows, _ = _axes(given, out, picks)
    index, element = "uint" if out.nbytes < 2**32 else "ulong", min(given.dtype.itemsize, LONGEST_ELEMENT)
    pick = CTYPES[picks.places.dtype.name] if picks else ""
    found: Kernel = contexts.of_queue(queue).cached(_kernel)(ELEMENTS[element], index, pick, len(rows))
    if not found.proved:
        kind, own = picks.places.dtype.name if picks else None, apart(queue)
        prove(queue, [found], lambda: check_move(own, element, kind, len(rows), partial(_launch, own, found)))
    return found


def _launch(queue: cl.CommandQueue, kernel: Kernel, copy: Copy) -> None:
    """Launch `kernel` to prove it."""
    given, out, picks, begins, step, axes = copy
    picked = [] if picks is None else [picks.base_data, begins[2], step]
    n, numbers = prod(size for size, *_ in axes), (number for axis in axes for number in axis)
    kernel.for_each(
        queue, n, given.base_data, begins[0], out.base_data, begins[1], n, *picked, *numbers,
        wait_for=wait_list(given, out, picks),
    )  # fmt: skip


def _kernel(context: cl.Context, element: str, index: str, pick: str, axes_count: int) -> Kernel:
    text = render("permutations/move.cl.mako", element=element, index=index, pick=pick, axes_count=axes_count)
    return Kernel(context, prelude() + text, "move")


def _axes(given: cla.Array, out: cla.Array, picks: Picks | None) -> tuple[list[Axis], int]:
    """Return the axes of a copy, as few as there can be, and how far apart what is picked lies in the source."""
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
    return _joined([*rows, (parts, 1, 1, 0)]), step * parts


def _joined(rows: list[Axis]) -> list[Axis]:
    """Return the axes without those of one element, and with those as one that lie like one."""
    found: list[Axis] = []
    for row in rows:
        if row[0] == 1:
            continue
        if found and all(outer == inner * row[0] for outer, inner in zip(found[-1][1:], row[1:], strict=True)):
            found[-1] = (found[-1][0] * row[0], *row[1:])
        else:
            found.append(row)
    return found or [(1, 0, 0, 0)]
