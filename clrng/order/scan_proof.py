"""Known values for the proofs of sums and selections, and what these must give."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl.transfers import upload
from clrng.order.kernels import SMALL
from clrng.order.known import crowded_values, placed, sort_rank, spread_values
from clrng.order.scan import Scan
from clrng.proof.fills import GUARD, check_guard, poisoned
from clrng.proof.prove import MismatchError, compare

Array = npt.NDArray[Any]

WORDS = {"uchar": "uint8", "ushort": "uint16", "uint": "uint32", "ulong": "uint64"}
"""The dtypes of OpenCL's types."""

EACH_VALUE, MOST_VALUES = 4, 10_000
"""About how often a value comes among sorted ones at least, and how many there are at most."""


def _results(queue: cl.CommandQueue, n: int, *dtypes: Any) -> list[cla.Array]:
    """Return memory for results of `n` values and a few more."""
    return [poisoned(queue, n + GUARD, np.dtype(dtype)) for dtype in dtypes]


def _compare(what: str, made: cla.Array, expected: Array) -> None:
    """Compare a result, and check what lies behind it."""
    found = made.get()
    compare(what, found[: expected.size], expected)
    check_guard("behind", found[expected.size :])


def _check_total(scan: Scan, expected: int) -> None:
    found = int(scan.total.get())
    if found != expected:
        raise MismatchError("the sum of all", found, expected)


def check_cumsum(dtype: np.dtype[Any], total: Any, queue: cl.CommandQueue, values: dict[str, Any], n: int) -> None:
    """Check the sums of `n` integers of `dtype`, which are of the unsigned dtype `total`.

    Parameters
    ----------
    dtype, total : numpy.dtype
    queue : pyopencl.CommandQueue
    values : dict
        Those of the template.
    n : int

    Raises
    ------
    MismatchError
        If a sum is not right.
    """
    terms = spread_values(dtype, n)
    (out,) = _results(queue, n, total)
    scan = Scan(queue, "cumsum", n, total, [placed(queue, terms)], **values)
    scan.place([], [out])
    queue.finish()
    wide = terms.astype(np.int64 if dtype.kind == "i" else np.uint64).view(np.uint64)
    sums = np.cumsum(wide, dtype=np.uint64)
    _compare("sum", out, (sums - wide if values["exclusive"] else sums).astype(total))


def check_selection(template: str, queue: cl.CommandQueue, values: dict[str, Any], n: int) -> None:
    """Check what `compress`, `flatnonzero` or `split` make of `n` values: some, and of many all or none.

    Parameters
    ----------
    template : {"compress", "flatnonzero", "split"}
    queue : pyopencl.CommandQueue
    values : dict
        Those of the template.
    n : int

    Raises
    ------
    MismatchError
        If a selection is not right.
    """
    flag = np.dtype(WORDS[values["flag"]])
    condition, third = spread_values(flag, n), n // 3
    condition[np.random.default_rng(n).random(n) < 1 / 2] = 0
    condition[third : 2 * third] = (1 << np.arange(third) % (8 * flag.itemsize)).astype(flag)  # a bit alone holds, too
    condition[2 * third : 2 * third + third // 2] = 0
    others = [np.zeros_like(condition), np.ones_like(condition)] if n > SMALL else []
    for given in (condition, *others):
        scan = Scan(queue, template, n, np.uint32, [placed(queue, given)], **values)
        holds = given != 0
        _check_total(scan, int(holds.sum()))
        if template == "flatnonzero":
            (out,) = _results(queue, n, np.uint32)
            scan.place([], [out])
            expected = np.flatnonzero(holds).astype(np.uint32)
        else:
            a = spread_values(np.dtype(WORDS[values["value"]]), n)
            (out,) = _results(queue, n, a.dtype)
            scan.place([placed(queue, a)], [out])
            expected = a[holds] if template == "compress" else np.concatenate([a[holds], a[~holds]])
        queue.finish()
        _compare(f"of {template} value", out, expected)


def check_unique(dtype: np.dtype[Any], queue: cl.CommandQueue, values: dict[str, Any], n: int) -> None:
    """Check what is found of `n` sorted keys of `dtype`.

    Parameters
    ----------
    dtype : numpy.dtype
    queue : pyopencl.CommandQueue
    values : dict
        Those of the template.
    n : int

    Raises
    ------
    MismatchError
        If something is not right.
    """
    random = np.random.default_rng(n)
    table = np.concatenate([spread_values(dtype, min(n // EACH_VALUE, MOST_VALUES)), crowded_values(dtype, GUARD)])
    table = table[np.argsort(sort_rank(table), kind="stable")]
    keys = table[np.sort(random.integers(0, table.size, n, np.uint16))]
    places = random.permutation(n).astype(np.uint32)
    ranks = sort_rank(keys)
    begins = np.append(True, ranks[1:] != ranks[:-1])
    inverse = np.empty(n, np.uint32)
    inverse[places] = np.cumsum(begins) - 1
    expected = {"": keys[begins]}
    expected |= {"index": places[begins], "inverse": inverse, "starts": np.flatnonzero(begins).astype(np.uint32)}
    wanted = ["", *(name for name in ("index", "inverse", "starts") if values[name])]
    scan = Scan(queue, "unique", n, np.uint32, [placed(queue, keys)], **values)
    _check_total(scan, int(begins.sum()))
    results = _results(queue, n, *(expected[name].dtype for name in wanted))
    scan.place([placed(queue, places)] if values["index"] or values["inverse"] else [], results)
    queue.finish()
    for name, made in zip(wanted, results, strict=True):
        _compare(f"{name or 'distinct'} value", made, expected[name])


def check_lengths(queue: cl.CommandQueue, lengths: Any, n: int) -> None:
    """Check the lengths of `n` groups, by a function of where they begin, of memory for them, and of their end.

    Raises
    ------
    MismatchError
        If one is not right.
    """
    starts = np.cumsum(np.random.default_rng(n).integers(1, 9, n + 1)).astype(np.uint32)
    (out,) = _results(queue, n, np.uint32)
    lengths(upload(queue, starts[:-1]), out[:n], int(starts[-1]))
    queue.finish()
    _compare("length", out, np.diff(starts))
