"""The distinct values of an array."""

from functools import partial
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl import arrays
from clrng.opencl.transfers import wait_list
from clrng.order.arguments import flag
from clrng.order.count_values import group_sizes
from clrng.order.kernels import kernels_of, rehearse
from clrng.order.keys import KEYS, key_values
from clrng.order.moves import as_bytes, info, memory, new_array
from clrng.order.radix_sort import radix_sort
from clrng.order.scan import Scan
from clrng.order.scan_proof import check_lengths, check_unique
from clrng.order.selection_arguments import legal_array, queue_of


def unique(
    a: cla.Array, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False
) -> cla.Array | tuple[cla.Array, ...]:
    """Return the distinct values of an array in order, as ``numpy.unique`` does.

    0.0 and -0.0 are equal, and so are all NaNs, which come last; what is returned is the first that the array has of
    equal values. This waits until the distinct values are counted: the host has to know how many there are.

    Parameters
    ----------
    a : pyopencl.array.Array, shape (n,)
        Of bools or of a dtype that `sort` takes.
    return_index : bool, optional
        Whether to return too where in `a` each of the distinct values is first.
    return_inverse : bool, optional
        Whether to return too which of the distinct values each value of `a` is.
    return_counts : bool, optional
        Whether to return too how often each of the distinct values is in `a`.

    Returns
    -------
    unique : pyopencl.array.Array, shape (count,)
        On the queue of `a`. It is in a tuple if anything else is wanted, which follows in this order.
    index : pyopencl.array.Array of uint32, shape (count,)
    inverse : pyopencl.array.Array of uint32, shape (n,)
    counts : pyopencl.array.Array of uint32, shape (count,)

    Raises
    ------
    TypeError
        If `a` is no ``pyopencl.array.Array``, or another argument is not a bool.
    ValueError
        If `a` is not of one dimension, C-contiguous and of a legal dtype.

    See Also
    --------
    sort, bincount

    Examples
    --------
    >>> import clrng, numpy
    >>> import pyopencl.array as cla
    >>> queue = clrng.make_queue()
    >>> values, counts = clrng.order.unique(cla.to_device(queue, numpy.array([3, 1, 1, 5])), return_counts=True)
    >>> print(values, counts)
    [1 3 5] [2 1 1]
    """
    legal_array("a", a, ("bool", *KEYS))
    given = {"return_index": return_index, "return_inverse": return_inverse, "return_counts": return_counts}
    wanted = {name: flag(name, value) for name, value in given.items()}
    queue, word = queue_of(a), np.dtype(np.uint32)
    as_keys = a if a.dtype != bool else as_bytes(a)
    keys, places = _sorted(as_keys, places=return_index or return_inverse)
    values = {"index": wanted["return_index"], "inverse": wanted["return_inverse"], "starts": wanted["return_counts"]}
    check = partial(check_unique, as_keys.dtype)
    scan = Scan(queue, "unique", a.size, word, [keys], check, **key_values(as_keys.dtype), **values)
    count = int(scan.total.get())

    def made(size: int, dtype: np.dtype[Any] = word) -> cla.Array:
        return arrays.output_array(queue, info(queue.device), (size,), dtype, name="a", allocator=a.allocator)

    found = made(count, a.dtype)
    others = [made(a.size if name == "return_inverse" else count) for name in wanted if wanted[name]]
    scan.place([places] if places is not None else [], [found, *others])
    if return_counts:
        others[-1] = _lengths(others[-1], made(count), a.size)
    return (found, *others) if others else found


def _sorted(a: cla.Array, *, places: bool) -> tuple[cla.Array, cla.Array | None]:
    """Return the sorted values and, if wanted, their places in `a`."""
    queue = queue_of(a)
    keys = new_array(queue, a)
    found = new_array(queue, a, np.dtype(np.uint32)) if places else None
    if a.size:
        radix_sort(a, keys, None, found, (0, 8 * a.dtype.itemsize))
    return keys, found


def _lengths(starts: cla.Array, out: cla.Array, n: int) -> cla.Array:
    """Return `out` with how many places there are from each of `starts` to the next, or to `n` behind the last."""
    if out.size:
        queue = queue_of(starts)
        rehearse(queue, "lengths", lambda own, n: check_lengths(own, partial(_launch_lengths, own), n))
        _launch_lengths(queue, starts, out, n)
    return out


def _launch_lengths(queue: cl.CommandQueue, starts: cla.Array, out: cla.Array, n: int) -> None:
    event = kernels_of(queue).launch(
        queue, "lengths", "lengths", {}, group_sizes(out.size, queue), starts.base_data, *memory(out), out.size, n,
        wait_for=wait_list(starts, out),
    )  # fmt: skip
    for array in (starts, out):
        arrays.attach_event(queue, array, event)
