"""Sort arrays on the device."""

import pyopencl.array as cla

from clrng.opencl import arrays
from clrng.order.arguments import array_of, bit_range, value_array
from clrng.order.memory import KEYS, WORD, info, new_array, queue_of
from clrng.order.radix_sort import radix_sort
from clrng.validation import flag

Bits = tuple[int, int]


def sort(
    a: cla.Array, *, bits: Bits | None = None, descending: bool = False, out: cla.Array | None = None
) -> cla.Array:
    """Return the values of an array in order.

    The sort is stable. The order is that of ``numpy.sort``: 0.0 and -0.0 are equal and stay in the order they had, and
    NaNs, which are equal to one another, come last.

    Parameters
    ----------
    a : pyopencl.array.Array, shape (n,)
        C-contiguous, n at most 2^31, of dtype uint8, int8, uint16, int16, float16, uint32, int32, float32, uint64,
        int64 or float64; the device need not support floats of that size. The work is done on its queue.
    bits : (int, int), optional
        The first bit to sort by and the one behind the last, counted from the lowest; values that differ in other bits
        alone are equal. They are bits of an unsigned integer that has the order of the values: an unsigned value
        itself, a signed one with its highest bit inverted; a float with that bit inverted or, if it is negative, with
        all of them inverted, where -0.0 is taken for 0.0, and all bits of a NaN are 1.
    descending : bool, optional
        Whether the largest comes first: NaNs, then the others. Equal values stay in the order they had.
    out : pyopencl.array.Array, shape (n,), optional
        What is filled and returned; it may be `a`.

    Returns
    -------
    pyopencl.array.Array, shape (n,)
        Of the dtype of `a`, on its queue and from its allocator.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above, or `out` is read-only or of another context; before anything is begun.

    See Also
    --------
    sort_pairs, argsort
    """
    a = array_of("a", a, KEYS)
    queue = queue_of(a)
    chosen, down = bit_range(bits, a.dtype), flag("descending", descending)
    out = arrays.output_array(queue, info(queue.device), a.shape, a.dtype, out, name="a", allocator=a.allocator)
    if a.size:
        radix_sort(a, out, None, None, chosen, descending=down)
    return out


def sort_pairs(
    keys: cla.Array, values: cla.Array, *, bits: Bits | None = None, descending: bool = False
) -> tuple[cla.Array, cla.Array]:
    """Return keys in order, and values that are moved with them.

    Parameters
    ----------
    keys : pyopencl.array.Array, shape (n,)
        As `a` of `sort`.
    values : pyopencl.array.Array, shape (n,)
        C-contiguous, of numbers of 4 or 8 bytes, in the context of `keys`.
    bits, descending
        As for `sort`.

    Returns
    -------
    keys, values : pyopencl.array.Array, shape (n,)
        New arrays of the same dtypes, on the queue of `keys`; values of equal keys are in the order they had.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above; before anything is begun.

    See Also
    --------
    sort, argsort
    """
    keys = array_of("keys", keys, KEYS)
    values = value_array("values", values, keys)
    chosen, down = bit_range(bits, keys.dtype), flag("descending", descending)
    new_keys, new_values = (new_array(keys, dtype=each.dtype, name="a sort") for each in (keys, values))
    if keys.size:
        radix_sort(keys, new_keys, values, new_values, chosen, descending=down)
    return new_keys, new_values


def argsort(a: cla.Array, *, bits: Bits | None = None, descending: bool = False) -> cla.Array:
    """Return the places of the values of an array, in the order of the values.

    Parameters
    ----------
    a, bits, descending
        As for `sort`.

    Returns
    -------
    pyopencl.array.Array of uint32, shape (n,)
        The place of the first value in order, of the second one, and so on: what ``numpy.argsort`` with
        ``kind="stable"`` returns, in another dtype. It is on the queue of `a` and from its allocator.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above; before anything is begun.

    See Also
    --------
    sort, sort_pairs
    """
    a = array_of("a", a, KEYS)
    chosen, down = bit_range(bits, a.dtype), flag("descending", descending)
    places = new_array(a, dtype=WORD, name="a sort")
    if a.size:
        radix_sort(a, None, None, places, chosen, descending=down)
    return places
