"""Values of an array for which a condition holds, in their order."""

from functools import partial
from typing import Any

import numpy as np
import pyopencl.array as cla

from clrng.opencl import arrays
from clrng.order.keys import WORDS
from clrng.order.moves import info
from clrng.order.scan import Scan
from clrng.order.scan_proof import check_selection
from clrng.order.selection_arguments import CONDITIONS, legal_array, queue_of, same_places


def compress(condition: cla.Array, a: cla.Array) -> cla.Array:
    """Return the values of `a` for which the condition holds, in their order, as ``numpy.compress`` does.

    This waits until the condition is counted: the host has to know how long the result is. `split` does not wait.

    Parameters
    ----------
    condition : pyopencl.array.Array, shape (n,)
        Bools or integers, which hold where they are not 0.
    a : pyopencl.array.Array, shape (n,)
        Values of 1, 2, 4 or 8 bytes.

    Returns
    -------
    pyopencl.array.Array, shape (count,)
        On the queue of `a`.

    Raises
    ------
    TypeError
        If `condition` or `a` is no ``pyopencl.array.Array``.
    ValueError
        If one is not of one dimension, C-contiguous and of a legal dtype, or they differ in length or context.
    """
    scan = _counted("compress", condition, a)
    out = _new(a, int(scan.total.get()))
    scan.place([a], [out])
    return out


def flatnonzero(condition: cla.Array) -> cla.Array:
    """Return the indices at which the condition holds, in rising order, as ``numpy.flatnonzero`` does.

    This waits until the condition is counted: the host has to know how long the result is.

    Parameters
    ----------
    condition : pyopencl.array.Array, shape (n,)
        Bools or integers, which hold where they are not 0.

    Returns
    -------
    pyopencl.array.Array of uint32, shape (count,)
        On the queue of `condition`.

    Raises
    ------
    TypeError
        If `condition` is no ``pyopencl.array.Array``.
    ValueError
        If it is not of one dimension, C-contiguous and of bools or integers.
    """
    legal_array("condition", condition, CONDITIONS)
    queue, template = queue_of(condition), "flatnonzero"
    check = partial(check_selection, template)
    scan = Scan(queue, template, condition.size, np.uint32, [condition], check, flag=_flag(condition))
    out = _new(condition, int(scan.total.get()), np.dtype(np.uint32))
    scan.place([], [out])
    return out


def split(condition: cla.Array, a: cla.Array) -> tuple[cla.Array, cla.Array]:
    """Return the values for which the condition holds followed by the others, both in their order, and how many hold.

    Nothing is waited for. ``int(count.get())`` waits, and ``values[:int(count.get())]`` is then what `compress` gives.

    Parameters
    ----------
    condition : pyopencl.array.Array, shape (n,)
        Bools or integers, which hold where they are not 0.
    a : pyopencl.array.Array, shape (n,)
        Values of 1, 2, 4 or 8 bytes.

    Returns
    -------
    values : pyopencl.array.Array, shape (n,)
    count : pyopencl.array.Array of uint32, shape ()
        Both are on the queue of `a`.

    Raises
    ------
    TypeError, ValueError
        As `compress` does.
    """
    scan = _counted("split", condition, a)
    out = _new(a, a.size)
    scan.place([a], [out])
    return out, scan.total


def _counted(template: str, condition: cla.Array, a: cla.Array) -> Scan:
    """Return the scan of a condition on the values of `a`, after checking both."""
    legal_array("a", a)
    legal_array("condition", condition, CONDITIONS)
    same_places("condition", condition, a)
    types = {"flag": _flag(condition), "value": WORDS[a.dtype.itemsize]}
    check = partial(check_selection, template)
    return Scan(queue_of(a), template, a.size, np.uint32, [condition], check, **types)


def _flag(condition: cla.Array) -> str:
    return WORDS[condition.dtype.itemsize]


def _new(a: cla.Array, size: int, dtype: np.dtype[Any] | None = None) -> cla.Array:
    """Return a new array of `size` values on the queue of `a`, of its dtype and allocator if nothing else is said."""
    queue = queue_of(a)
    return arrays.output_array(queue, info(queue.device), (size,), dtype or a.dtype, None, "a", a.allocator)
