"""Sums of an array's values, those for which a condition holds, and the distinct ones: all by prefix sums.

The terms of a sum are cut into parts. A first kernel adds up each part. A second one adds up the sums of the parts
before each, and goes through the part again, from there on. No work-group waits for another one, as in schemes that
read terms only once: OpenCL does not promise that such waiting ends.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng import validation
from clrng.cuda.foreign import filled
from clrng.generators.generator_code import CTYPES
from clrng.opencl.arrays import is_foreign, output_array, upload, wait_list
from clrng.opencl.devices import info
from clrng.opencl.kernel import Kernel
from clrng.opencl.results import Array as DeviceArray
from clrng.opencl.spare import Lent
from clrng.order.arguments import (
    CONDITIONS,
    KEYS,
    WORD,
    WORDS,
    array_of,
    as_bytes,
    attach,
    check_beside,
    key_values,
    new_array,
    offset_of,
    overlap,
    queue_of,
)
from clrng.order.kernels import (
    LARGE,
    SMALL,
    TURNS,
    Examples,
    Launch,
    Proof,
    crowded_values,
    group_sizes,
    kernels_for,
    launch,
    places_of,
    prepared,
    rehearse,
    sort_rank,
    spread_values,
)
from clrng.order.plans import ScanPlan, scan_plan
from clrng.order.sorting import radix_sort
from clrng.proof.examples import Array, Example

SUMS = ("int32", "uint32", "int64", "uint64")

EACH_VALUE, MAX_DISTINCT = 4, 10_000
"""About the minimum mean count of a value in an example of sorted ones, and the maximum number of distinct ones."""

KERNELS = ("sum_parts", "place_terms")

TILES_ALONE = 4
"""The maximum tiles that are one part, whose sum nobody needs, rather than several."""


def larger_sizes(plan: ScanPlan) -> list[int]:
    """Return sizes of further examples: with parts that are too many for a work-group to add up their sums at once."""
    return [(plan.group_size + 3) * plan.min_part + 1] if plan.group_size > 1 else []


class Scan:
    """Prefix sums of terms, and the kernel that uses them; those of whole parts are launched when it is made.

    The template, of the folder ``order``, inherits from ``scan`` and takes the values `given`; sums have the dtype
    `total`. `names` are those of its arrays, first of the one that terms are read from, and `numbers` those of further
    arguments of `place`. The kernels are proved by scans of examples or by a proof of the caller's own; only their
    scans have no `proof`. `with_total` says whether anybody needs the sum of all terms: the template, the host by
    `count`, or the user by `total`. Sums are in memory that is `lent` where nobody sees `total`.
    """

    def __init__(
        self, template: str, total: Any, names: Sequence[str], terms: cla.Array,
        proof: Examples | Proof | None = None, *, with_total: bool = True, lent: Lent | None = None,
        numbers: Sequence[str] = (), **given: Any,
    ) -> None:  # fmt: skip
        self._queue = queue = queue_of(terms)
        self._terms, self._parts = terms, 0
        self._sums: cla.Array
        if not terms.size:
            self._sums = upload(queue, np.zeros(1, total))
            return
        kind, plan, n = np.dtype(total), scan_plan(info(queue.device)), terms.size
        if proof is None:  # in many parts, each of several tiles unless terms are many
            plan = replace(plan, parts_per_unit=n, min_part=max(plan.min_part, TURNS * plan.tile if n <= LARGE else 0))
        what = template, kind, plan, with_total, tuple(given.items())
        if proof is not None:
            own = (partial(_example, template, total, names, with_total, given), proof) if callable(proof) else proof
            rehearse(queue, what, own, larger=larger_sizes(plan))
        length = plan.part_length(n, info(queue.device).units)
        if not with_total and n <= TILES_ALONE * plan.tile and proof is not None:
            length = TILES_ALONE * plan.tile
        self._parts = parts = -(-n // length)
        self._sums = lent.array(parts + 1, kind, "a") if lent else cla.Array(queue, parts + 1, kind)
        self._given = [n, length, parts, *places_of(self._sums, terms)]

        def make() -> list[Launch]:
            shape = {"group_size": plan.group_size, "each": plan.each, "total": CTYPES[validation.name_of(kind)]}
            kernels = kernels_for(queue, template, shape | given, *KERNELS)
            return _launches(kernels, plan.group_size, names, numbers)

        add, self._place = prepared(queue, what, make)
        if with_total or parts > 1:
            self._sums.events[:] = [add(queue, parts, self._given, wait_list(terms, self._sums))]

    def count(self) -> int:
        """Wait, and return the sum of all terms."""
        if not self._parts:
            return 0
        of_parts, sums = np.empty(self._parts, self._sums.dtype), cast("cl.Buffer", self._sums.base_data)
        cl.enqueue_copy(self._queue, of_parts, sums, wait_for=wait_list(self._sums))
        return int(of_parts.sum(dtype=of_parts.dtype))

    @property
    def total(self) -> cla.Array:
        """The sum of all terms, an array of shape (), which `place` makes where the template has a use for it."""
        sums = self._sums
        place = self._parts * sums.dtype.itemsize
        return DeviceArray(self._queue, (), sums.dtype, data=sums.base_data, offset=place, events=sums.events)

    def place(self, *others: cla.Array, numbers: Sequence[int] = ()) -> None:
        """Launch what the template does with all terms.

        `others` are its other arrays and `numbers` its further arguments, both in the order of their names.
        """
        if self._parts:
            given = [*self._given, *places_of(*others), *numbers]
            event = self._place(self._queue, self._parts, given, wait_list(self._terms, self._sums, *others))
            self._sums.events[:] = [event]
            attach(self._queue, event, self._terms, *others)


def _launches(kernels: Sequence[Kernel], group_size: int, names: Sequence[str], numbers: Sequence[str]) -> list[Launch]:
    """Prepare both kernels. They are given three numbers, the sums, the arrays by `names`, and further `numbers`."""
    taken = {"n": 0, "part_length": 1, "sums": 3, names[0]: 5, f"{names[0]}_offset": 6}
    add = Launch(kernels[0], group_size, taken, {})
    for i, name in enumerate(names):
        taken |= {name: 5 + 2 * i, f"{name}_offset": 6 + 2 * i}
    taken |= {name: 5 + 2 * len(names) + i for i, name in enumerate(numbers)}
    return [add, Launch(kernels[1], group_size, taken | {"parts": 2}, {})]


def _example(
    template: str, total: Any, names: Sequence[str], with_total: bool, values: dict[str, Any],
    given: Sequence[cla.Array], results: Sequence[cla.Array],
) -> list[int]:  # fmt: skip
    """Scan an example, of which the first array has the terms; return the sum of all terms if anybody needs it."""
    scan = Scan(template, total, names, given[0], with_total=with_total, **values)
    count = [scan.count()] if with_total else []
    scan.place(*given[1:], *results)
    return count + [int(scan.total.get())] * (template == "split")


def cumsum(a: cla.Array, dtype: Any = None, *, exclusive: bool = False, out: cla.Array | None = None) -> cla.Array:
    """Return the sums of the values up to each, as ``numpy.cumsum`` does.

    Parameters
    ----------
    a : pyopencl.array.Array, shape (n,)
        Integers of any dtype, or bool.
    dtype : {"int32", "uint32", "int64", "uint64"}, optional
        Of the sums. By default that of `out`, or else uint64 where `a` is unsigned and int64 where it is not. Values
        are converted to it before they are added, and sums are exact modulo 2^32 or 2^64.
    exclusive : bool, optional
        Whether each sum leaves out the value at its own place, so that the first one is 0.
    out : pyopencl.array.Array, shape (n,), optional
        What is filled and returned, of the dtype of the sums; it may be `a`, or have memory in common with it.

    Returns
    -------
    clrng.Array, shape (n,)
        On the queue of `a`; nothing is waited for.

    Raises
    ------
    TypeError
        If `a` or `out` is no ``pyopencl.array.Array``, or `dtype` names no dtype, or `exclusive` is not a bool.
    ValueError
        If `a` is not of one dimension, C-contiguous and of integers, `dtype` is another one, or `out` is not as above.
        Sums of floating-point numbers depend on the order of the additions, and are not supported.

    Examples
    --------
    >>> import clrng
    >>> a = clrng.Generator(clrng.ParkMiller(seed=1)).integers(0, 10, 8, dtype="int32")
    >>> print(clrng.order.cumsum(a), clrng.order.cumsum(a, "uint32", exclusive=True))
    [ 0  7 12 12 18 21 29 29] [ 0  0  7 12 12 18 21 29]
    """
    a = array_of("a", a, CONDITIONS)
    queue = queue_of(a)
    if is_foreign(out):
        into: cla.Array = filled(queue, out, lambda array: cumsum(a, dtype, exclusive=exclusive, out=array))
        return into
    if dtype is None and not isinstance(out, cla.Array):
        total = np.dtype("uint64" if a.dtype.kind == "u" else "int64")
    else:
        name, asked = ("dtype", dtype) if dtype is not None else ("out.dtype", cast("cla.Array", out).dtype)
        total = validation.dtype(name, asked, SUMS)
    without_own = validation.flag("exclusive", exclusive)
    new = out is None
    out = output_array(queue, info(queue.device), a.shape, total, out, name="a", allocator=a.allocator)
    if not new and a.size and overlap(a, out) and (a.offset, a.dtype.itemsize) != (out.offset, total.itemsize):
        a = a.copy()  # sums would be written to values that are still to be read
    value = "uchar" if a.dtype == bool else CTYPES[validation.name_of(a.dtype)]
    kind, word = np.dtype(np.uint8) if a.dtype == bool else a.dtype, np.dtype(f"uint{8 * total.itemsize}")
    examples = partial(_sums, kind, word, without_own)
    with Lent(queue, info(queue.device)) as lent:
        Scan(
            "cumsum", word, ("a", "out"), a, examples, with_total=False, lent=lent, value=value, exclusive=without_own
        ).place(out)
    return out


def _sums(dtype: np.dtype[Any], total: np.dtype[Any], exclusive: bool, n: int) -> Iterator[Example]:
    """Yield the sums of integers of `dtype`, which are of the unsigned dtype `total`."""
    terms = spread_values(dtype, n)
    wide = terms.astype(np.int64 if dtype.kind == "i" else np.uint64).view(np.uint64)
    sums = np.cumsum(wide, dtype=np.uint64)
    made = (sums - wide if exclusive else sums).astype(total)
    yield Example([terms], {"sum": made})


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
    clrng.Array, shape (count,)
        On the queue of `a`.

    Raises
    ------
    TypeError
        If `condition` or `a` is no ``pyopencl.array.Array``.
    ValueError
        If one is not of one dimension, C-contiguous and of a legal dtype, or they differ in length or context.

    Examples
    --------
    >>> import clrng
    >>> a = clrng.Generator(clrng.ParkMiller(seed=1)).integers(0, 10, 8, dtype="int32")
    >>> print(a, clrng.order.compress(a > 4, a))
    [0 7 5 0 6 3 8 0] [7 5 6 8]
    """
    a = array_of("a", a)
    scan = _counted("compress", condition, a)
    out = new_array(a, scan.count())
    scan.place(a, out)
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
    clrng.Array of uint32, shape (count,)
        On the queue of `condition`.

    Raises
    ------
    TypeError
        If `condition` is no ``pyopencl.array.Array``.
    ValueError
        If it is not of one dimension, C-contiguous and of bools or integers.

    Examples
    --------
    >>> import clrng
    >>> a = clrng.Generator(clrng.ParkMiller(seed=1)).integers(0, 10, 8, dtype="int32")
    >>> print(a, clrng.order.flatnonzero(a > 4))
    [0 7 5 0 6 3 8 0] [1 2 4 6]
    """
    condition = array_of("condition", condition, CONDITIONS)
    word = WORDS[condition.dtype.itemsize]
    examples = partial(_selections, "flatnonzero", condition.dtype, WORD)
    scan = Scan("flatnonzero", WORD, ("condition", "out"), condition, examples, flag=word)
    out = new_array(condition, scan.count(), WORD)
    scan.place(out)
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
    values : clrng.Array, shape (n,)
    count : clrng.Array of uint32, shape ()
        Both are on the queue of `a`.

    Raises
    ------
    TypeError, ValueError
        As `compress` does.

    Examples
    --------
    >>> import clrng
    >>> a = clrng.Generator(clrng.ParkMiller(seed=1)).integers(0, 10, 8, dtype="int32")
    >>> print(a, *clrng.order.split(a > 4, a))
    [0 7 5 0 6 3 8 0] [7 5 6 8 0 0 3 0] 4
    """
    a = array_of("a", a)
    scan = _counted("split", condition, a)
    out = new_array(a)
    scan.place(a, out)
    return out, scan.total


def _counted(template: str, condition: cla.Array, a: cla.Array) -> Scan:
    """Return the scan of a condition, which is checked, on the values of `a`."""
    condition = array_of("condition", condition, CONDITIONS)
    check_beside("condition", condition, "a", a)
    types: dict[str, Any] = {"flag": WORDS[condition.dtype.itemsize], "value": WORDS[a.dtype.itemsize]}
    examples = partial(_selections, template, condition.dtype, a.dtype)
    return Scan(template, WORD, ("condition", "a", "out"), condition, examples, **types)


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
        sums = {"the sum of all": int(holds.sum()), "the sum of all on the device": int(holds.sum())}
        yield Example(arrays, {f"of {template} value": made[template]}, sums)


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
    unique : clrng.Array, shape (count,)
        On the queue of `a`. It is in a tuple if anything else is wanted, which follows in this order.
    index : clrng.Array of uint32, shape (count,)
    inverse : clrng.Array of uint32, shape (n,)
    counts : clrng.Array of uint32, shape (count,)

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
    >>> import clrng
    >>> a = clrng.Generator(clrng.ParkMiller(seed=1)).integers(0, 10, 8, dtype="int32")
    >>> print(*clrng.order.unique(a, return_counts=True))
    [0 3 5 6 7 8] [3 1 1 1 1 1]
    """
    a = array_of("a", a, ("bool", *KEYS))
    given = {"return_index": return_index, "return_inverse": return_inverse, "return_counts": return_counts}
    wanted = {name: validation.flag(name, value) for name, value in given.items()}
    as_keys = a if a.dtype != bool else as_bytes(a)
    values: dict[str, Any] = {
        "index": wanted["return_index"],
        "inverse": wanted["return_inverse"],
        "starts": wanted["return_counts"],
    }
    examples = partial(_distinct, as_keys.dtype, values)
    queue, device = queue_of(a), info(queue_of(a).device)
    with Lent(queue, device, a.allocator) as lent, Lent(queue, device) as kept:
        keys = lent.array(a.size, as_keys.dtype, "a sort")
        places = lent.array(a.size, WORD, "a sort") if return_index or return_inverse else None
        if a.size:
            radix_sort(as_keys, keys, None, places, (0, 8 * a.dtype.itemsize))
        names = ["keys", *["places"] * (places is not None), "found", *(name for name in values if values[name])]
        scan = Scan("unique", WORD, names, keys, examples, lent=kept, **key_values(as_keys.dtype), **values)
        count = scan.count()
        found = new_array(a, count)
        others = [new_array(a, a.size if name == "return_inverse" else count, WORD) for name in wanted if wanted[name]]
        scan.place(*(each for each in (places, found, *others) if each is not None))
    if return_counts:
        starts, others[-1] = others[-1], new_array(a, count, WORD)
        if count:
            rehearse(queue_of(a), "lengths", (_lengths, _differences))
            _lengths([starts], [others[-1]], a.size)
    return (found, *others) if others else found


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


def _lengths(given: Sequence[cla.Array], results: Sequence[cla.Array], n: int) -> None:
    """Store the distance from each of the places given to the next one, and from the last to `n`."""
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
