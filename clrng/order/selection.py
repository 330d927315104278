"""Sums of an array's values, those for which a condition holds, and the distinct ones: all by scans."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyopencl.array as cla

from clrng import validation
from clrng.generators.generator_code import CTYPES
from clrng.opencl.transfers import wait_list
from clrng.order.arguments import array_of, check_beside
from clrng.order.count_values import group_sizes
from clrng.order.examples import SMALL, Array, Example, crowded_values, sort_rank, spread_values
from clrng.order.kernels import launch, rehearse
from clrng.order.memory import (
    CONDITIONS,
    KEYS,
    WORD,
    WORDS,
    as_bytes,
    attach,
    key_values,
    name_of,
    new_array,
    offset_of,
    queue_of,
)
from clrng.order.radix_sort import radix_sort
from clrng.order.scan import Scan

SUMS = ("int32", "uint32", "int64", "uint64")

EACH_VALUE, MAX_DISTINCT = 4, 10_000
"""About the minimum mean count of a value in an example of sorted ones, and the maximum number of distinct ones."""


def cumsum(a: cla.Array, dtype: Any = None, *, exclusive: bool = False) -> cla.Array:
    """Return the sums of the values up to each, as ``numpy.cumsum`` does.

    Parameters
    ----------
    a : pyopencl.array.Array, shape (n,)
        Integers of any dtype, or bool.
    dtype : {"int32", "uint32", "int64", "uint64"}, optional
        Of the sums. By default uint64 where `a` is unsigned, else int64. Values are converted to it before they are
        added, and sums are exact modulo 2^32 or 2^64.
    exclusive : bool, optional
        Whether each sum leaves out the value at its own place, so that the first one is 0.

    Returns
    -------
    pyopencl.array.Array, shape (n,)
        On the queue of `a`; nothing is waited for.

    Raises
    ------
    TypeError
        If `a` is no ``pyopencl.array.Array``, or `dtype` names no dtype, or `exclusive` is not a bool.
    ValueError
        If `a` is not of one dimension, C-contiguous and of integers, or `dtype` is another one. Sums of floating-point
        numbers depend on the order of the additions, and are not supported.

    Examples
    --------
    >>> import clrng, numpy
    >>> import pyopencl.array as cla
    >>> queue = clrng.make_queue()
    >>> a = cla.to_device(queue, numpy.array([3, 1, 4, 1, 5], numpy.uint32))
    >>> print(clrng.order.cumsum(a), clrng.order.cumsum(a, "uint32", exclusive=True))
    [ 3  4  8  9 14] [0 3 4 8 9]
    """
    array_of("a", a, CONDITIONS)
    if dtype is None:
        total = np.dtype("uint64" if a.dtype.kind == "u" else "int64")
    else:
        total = validation.dtype("dtype", dtype, SUMS)
    without_own = validation.flag("exclusive", exclusive)
    out = new_array(a, dtype=total)
    value = "uchar" if a.dtype == bool else CTYPES[name_of(a.dtype)]
    kind, word = np.dtype(np.uint8) if a.dtype == bool else a.dtype, np.dtype(f"uint{8 * total.itemsize}")
    examples = partial(_sums, kind, word, without_own)
    Scan(queue_of(a), "cumsum", word, [a], examples, value=value, exclusive=without_own).place([], [out])
    return out


def _sums(dtype: np.dtype[Any], total: np.dtype[Any], exclusive: bool, n: int) -> Iterator[Example]:
    """Yield the sums of integers of `dtype`, which are of the unsigned dtype `total`."""
    terms = spread_values(dtype, n)
    wide = terms.astype(np.int64 if dtype.kind == "i" else np.uint64).view(np.uint64)
    sums = np.cumsum(wide, dtype=np.uint64)
    made = (sums - wide if exclusive else sums).astype(total)
    yield Example([terms], {"sum": made}, {"the sum of all": int(sums[-1].astype(total))})


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
    out = new_array(a, int(scan.total.get()))
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
    array_of("condition", condition, CONDITIONS)
    word = WORDS[condition.dtype.itemsize]
    examples = partial(_selections, "flatnonzero", condition.dtype, WORD)
    scan = Scan(queue_of(condition), "flatnonzero", WORD, [condition], examples, flag=word)
    out = new_array(condition, int(scan.total.get()), WORD)
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
    out = new_array(a)
    scan.place([a], [out])
    return out, scan.total


def _counted(template: str, condition: cla.Array, a: cla.Array) -> Scan:
    """Return the scan of a condition on the values of `a`, after checking both."""
    array_of("a", a)
    array_of("condition", condition, CONDITIONS)
    check_beside("condition", condition, "a", a)
    types = {"flag": WORDS[condition.dtype.itemsize], "value": WORDS[a.dtype.itemsize]}
    examples = partial(_selections, template, condition.dtype, a.dtype)
    return Scan(queue_of(a), template, WORD, [condition], examples, **types)


def _selections(template: str, condition: np.dtype[Any], value: np.dtype[Any], n: int) -> Iterator[Example]:
    """Yield what `template` makes of `n` values of which some are selected and, if there are many, all or none."""
    kind, third = np.dtype(f"uint{8 * condition.itemsize}"), n // 3
    some = spread_values(kind, n)
    some[np.random.default_rng(n).random(n) < 1 / 2] = 0
    some[third : 2 * third] = (1 << np.arange(third) % (8 * kind.itemsize)).astype(kind)  # a bit alone holds, too
    some[2 * third : 2 * third + third // 2] = 0
    a = spread_values(f"uint{8 * value.itemsize}", n)
    for given in (some, np.zeros_like(some), np.ones_like(some)) if n > SMALL else (some,):
        holds = given != 0
        made: dict[str, Array] = {
            "flatnonzero": np.flatnonzero(holds).astype(WORD),
            "compress": a[holds],
            "split": np.concatenate([a[holds], a[~holds]]),
        }
        arrays = [given] if template == "flatnonzero" else [given, a]
        yield Example(arrays, {f"of {template} value": made[template]}, {"the sum of all": int(holds.sum())})


def unique(
    a: cla.Array, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False
) -> cla.Array | tuple[cla.Array, ...]:
    """Return the distinct values of an array in order, as ``numpy.unique`` does.

    0.0 and -0.0 are equal, and so are all NaNs, which come last; of equal values the first one in the array is
    returned. This waits until the distinct values are counted: the host has to know how many there are.

    Parameters
    ----------
    a : pyopencl.array.Array, shape (n,)
        Of bools or of a dtype that `sort` takes.
    return_index : bool, optional
        Whether to return also where in `a` each of the distinct values first occurs.
    return_inverse : bool, optional
        Whether to return also which of the distinct values each value of `a` is.
    return_counts : bool, optional
        Whether to return also how often each of the distinct values occurs in `a`.

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
    array_of("a", a, ("bool", *KEYS))
    given = {"return_index": return_index, "return_inverse": return_inverse, "return_counts": return_counts}
    wanted = {name: validation.flag(name, value) for name, value in given.items()}
    as_keys = a if a.dtype != bool else as_bytes(a)
    keys, places = _sorted(as_keys, places=return_index or return_inverse)
    values = {"index": wanted["return_index"], "inverse": wanted["return_inverse"], "starts": wanted["return_counts"]}
    examples = partial(_distinct, as_keys.dtype, values)
    scan = Scan(queue_of(a), "unique", WORD, [keys], examples, **key_values(as_keys.dtype), **values)
    count = int(scan.total.get())
    found = new_array(a, count)
    others = [new_array(a, a.size if name == "return_inverse" else count, WORD) for name in wanted if wanted[name]]
    scan.place([places] if places is not None else [], [found, *others])
    if return_counts:
        others[-1] = _lengths(others[-1], new_array(a, count, WORD), a.size)
    return (found, *others) if others else found


def _sorted(a: cla.Array, *, places: bool) -> tuple[cla.Array, cla.Array | None]:
    """Return the sorted values and, if wanted, their places in `a`."""
    keys = new_array(a, name="a sort")
    found = new_array(a, dtype=WORD, name="a sort") if places else None
    if a.size:
        radix_sort(a, keys, None, found, (0, 8 * a.dtype.itemsize))
    return keys, found


def _distinct(dtype: np.dtype[Any], values: dict[str, bool], n: int) -> Iterator[Example]:
    """Yield what is found of `n` sorted keys of `dtype`, of which many are equal; `values` say what is wanted."""
    random = np.random.default_rng(n)
    table = np.concatenate([spread_values(dtype, min(n // EACH_VALUE, MAX_DISTINCT)), crowded_values(dtype, 64)])
    table = table[np.argsort(sort_rank(table), kind="stable")]
    keys = table[np.sort(random.integers(0, table.size, n, np.uint16))]
    places = random.permutation(n).astype(WORD)
    ranks = sort_rank(keys)
    begins = np.append(True, ranks[1:] != ranks[:-1])
    inverse = np.empty(n, WORD)
    inverse[places] = np.cumsum(begins) - 1
    made = {"index": places[begins], "inverse": inverse, "starts": np.flatnonzero(begins).astype(WORD)}
    results = {"distinct value": keys[begins]} | {f"{name} value": made[name] for name in made if values[name]}
    given = [keys, places] if values["index"] or values["inverse"] else [keys]
    yield Example(given, results, {"the sum of all": int(begins.sum())})


def _lengths(starts: cla.Array, out: cla.Array, n: int) -> cla.Array:
    """Return `out` with the distance from each of `starts` to the next one, and from the last to `n`."""
    if out.size:
        rehearse(queue_of(starts), "lengths", (_launch_lengths, _differences))
        _launch_lengths([starts], [out], n)
    return out


def _launch_lengths(given: Sequence[cla.Array], results: Sequence[cla.Array], n: int) -> None:
    (starts,), (out,) = given, results
    queue = queue_of(starts)
    event = launch(
        queue, "lengths", "lengths", {}, group_sizes(out.size, queue), starts=starts.base_data, lengths=out.base_data,
        offset=offset_of(out), groups=out.size, n=n, wait_for=wait_list(starts, out),
    )  # fmt: skip
    attach(queue, event, starts, out)


def _differences(n: int) -> Iterator[Example]:
    """Yield the lengths of `n` groups."""
    starts = np.cumsum(np.random.default_rng(n).integers(1, 9, n + 1)).astype(WORD)
    yield Example([starts[:-1]], {"length": np.diff(starts)}, numbers=(int(starts[-1]),), offsets=[0])
