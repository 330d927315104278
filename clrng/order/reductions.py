"""Sums, extremes and their places, of all values of an array or along axes: by the same tree on every device."""

from collections.abc import Iterator, Sequence
from functools import partial
from math import prod
from typing import Any, cast

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.errors import UnsupportedError
from clrng.generators.generator_code import CTYPES
from clrng.opencl import results, templates
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.devices import info
from clrng.opencl.kernel import Kernel, check_process, kernel_of
from clrng.opencl.traits import traits_of
from clrng.order.arguments import CONDITIONS, attach, placed, queue_of
from clrng.order.copies import move
from clrng.order.kernels import hard_values, spread_values
from clrng.proof.examples import Array, Example, prove_by
from clrng.validation import flag, integer, shown

WIDTH, TURNS = 256, 16
"""Values of a block that are combined side by side, and how often: with 16 sums in a row float32 is as NumPy's."""

WHOLE = WIDTH * TURNS
REALS = ("float32", "float64")
SHORT_REALS = ("float16", "bfloat16")
"""Floats that are float32 in all that is made of them."""


def host_tree(terms: Array, operation: str) -> Array:
    """Return what the kernel makes of each block of each row of `terms`."""
    combine: Any = {"sum": np.add, "min": np.minimum, "max": np.maximum}[operation]
    rows, n = terms.shape
    blocks = -(-n // WHOLE)
    nothing = terms[:, ::WHOLE, np.newaxis] if operation != "sum" else np.array(-0.0).astype(terms.dtype)
    lanes = np.empty((rows, blocks, WHOLE), terms.dtype)
    lanes[:] = nothing
    held = np.arange(n)
    lanes[:, held // WHOLE, held % WHOLE] = terms
    turns = lanes.reshape(rows, blocks, TURNS, WIDTH)
    made = turns[:, :, 0]
    with np.errstate(all="ignore"):
        for turn in range(1, TURNS):
            made = combine(made, turns[:, :, turn])
        while (half := made.shape[-1] // 2) > 0:
            made = combine(made[..., :half], made[..., half:])
    found: Array = made[..., 0]
    return np.where(np.isnan(found), np.array(np.nan, found.dtype), found) if found.dtype.kind == "f" else found


def _example(kernel: Kernel, given: Sequence[cla.Array], out: Sequence[cla.Array], rows: int, n: int) -> None:
    _launch(kernel, given[0], rows, n, given[1] if len(given) > 1 else None, out[0])


def _examples(value: np.dtype[Any], total: np.dtype[Any], operation: str, term: str) -> Iterator[Example]:
    """Yield two rows of values of several blocks; of floats the second has infinities and NaNs."""
    wide, real = (np.dtype(np.float32) if value.name in SHORT_REALS else value), value.name in (*REALS, *SHORT_REALS)
    for rows, n in ((2, 2 * WHOLE + 3 * WIDTH + 5), (3, 7)):
        made = spread_values("uint32", rows * n).reshape(rows, n)
        held = (made / 2**20 if real else made).astype(value)
        if real and operation != "sum":
            hard = hard_values(wide)[-4:].astype(value)
            held[1, n - hard.size :] = hard
        given, a = held.view(np.uint16) if wide != value else held, held.astype(wide)
        if term == "value":
            yield Example([given], {operation: host_tree(a.astype(total), operation)}, numbers=(rows, n))
            continue
        of = a[:, n // 2].astype(total if term == "square" else wide)
        terms = (a.astype(total) - of[:, np.newaxis]) ** 2 if term == "square" else _places(a, of)
        yield Example([given, of], {f"{operation} of {term}s": host_tree(terms, operation)}, numbers=(rows, n))


def _places(a: Array, of: Array) -> Array:
    """Return the place of each value of a row that equals the row's value of `of` or is NaN; others are the maximum."""
    wanted = (a == of[:, np.newaxis]) | (a != a)  # noqa: PLR0124  # NaN
    return np.where(wanted, np.arange(a.shape[1], dtype=np.uint64), np.uint64(2**64 - 1))


def _launch(kernel: Kernel, a: cla.Array, rows: int, n: int, of: cla.Array | None, out: cla.Array) -> None:
    queue, blocks = queue_of(a), -(-n // WHOLE)
    size = _group(queue)
    named = {"n": n, "blocks": blocks, **placed(("a", a), ("of", of), ("out", out))}
    attach(queue, kernel(queue, rows * blocks * size, size, **named, wait_for=wait_list(a, of, out)), a, out)


def _group(queue: cl.CommandQueue) -> int:
    device = info(queue.device)
    return WIDTH if traits_of(device).side_by_side and queue.device.max_work_group_size >= WIDTH else 1


class Rows:
    """The values of an array as rows, contiguous, of which each becomes one value; what was asked for is checked."""

    def __init__(self, a: results.Array, axis: Any, keepdims: Any) -> None:
        check_process()
        if a.queue is None:
            raise ValueError("an array must have a queue, on which the work is done; with_queue(queue) gives it one")
        if a.dtype.name not in (*CONDITIONS, *REALS, *SHORT_REALS):
            raise ValueError(f"values must be bool, integers or floats, not {shown(a.dtype)}")
        self.kind = np.dtype(np.float32 if a.dtype.name in SHORT_REALS else a.dtype)
        """The dtype of values as they are combined."""
        given = tuple(range(a.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        axes = [integer("axis", each, -a.ndim, a.ndim - 1) % a.ndim for each in given]
        if len(set(axes)) < len(axes):
            raise ValueError(f"axis must name each axis once, not {axis}")
        kept = [d for d in range(a.ndim) if d not in axes]
        keep = flag("keepdims", keepdims)
        self.shape = tuple(1 if d in axes else size for d, size in enumerate(a.shape) if keep or d not in axes)
        self.rows, self.n = prod(a.shape[d] for d in kept), prod(a.shape[d] for d in axes)
        self.queue, array = a.queue, cast("Any", a)
        turned = array.transpose([*kept, *axes])
        self.values: cla.Array = turned if turned.flags.c_contiguous or not a.size else move(a.queue, turned)

    def reduced(self, operation: str, total: Any, term: str = "value", of: Any = None) -> Any:
        """Return one value of the dtype `total` for each row, an array of one dimension."""
        a, n, kind = self.values, self.n, np.dtype(total)
        while True:
            value = np.dtype(np.uint8) if a.dtype == bool else a.dtype
            short = value.name in SHORT_REALS
            if np.dtype(np.float64) in (value, kind) and not info(self.queue.device).fp64:
                raise UnsupportedError(f"{self.queue.device.name} has no double precision, which this needs")
            values = {
                "value": value.name if short else CTYPES[value.name], "total": CTYPES[kind.name],
                "operation": operation, "term": term, "width": WIDTH, "turns": TURNS, "group": _group(self.queue),
                "of": "float" if short else CTYPES[(kind if term == "square" else value).name],
            }  # fmt: skip
            kernel = kernel_of(self.queue, "reduce", templates.program, "order/reduce.cl.mako", values=values)
            prove_by(self.queue, [kernel], partial(_example, kernel), _examples(value, kind, operation, term))
            blocks = -(-n // WHOLE)
            out = results.Array(self.queue, self.rows * blocks, kind)
            _launch(kernel, a, self.rows, n, of, out)
            if blocks == 1:
                return out
            a, n, term, of = out, blocks, "value", None


def sum(a: results.Array, axis: Any, dtype: Any, keepdims: Any) -> Any:  # noqa: A001  # as NumPy's
    """Return what `Array.sum` does."""
    rows = Rows(a, axis, keepdims)
    usual: Any = {"u": np.uint64, "f": rows.kind}.get(rows.kind.kind, np.int64)
    kind = np.dtype(usual if dtype is None else dtype)
    if kind.name not in ("int32", "uint32", "int64", "uint64", *REALS) or rows.kind.kind == "f" != kind.kind:
        raise ValueError(f"dtype must be of sums of {a.dtype}: of 32 or 64 bits, not {shown(dtype)}")
    if not rows.n or not rows.rows:
        return upload(rows.queue, np.zeros(rows.shape, kind))
    return rows.reduced("sum", kind).reshape(rows.shape)


def extreme(a: results.Array, name: str, axis: Any, keepdims: Any) -> Any:
    """Return the least or greatest values, or where they are, by the name of the method."""
    rows = Rows(a, axis, keepdims)
    operation = name.removeprefix("arg")
    if not a.size:
        return upload(rows.queue, np.asarray(getattr(np.empty(a.shape, a.dtype), name)(axis=axis, keepdims=keepdims)))
    kind = np.dtype(np.uint8) if a.dtype == bool else rows.kind
    found = rows.reduced(operation, kind)
    if operation != name:
        found = rows.reduced("min", np.uint64, "place", found)
    return found.view(np.int64 if operation != name else rows.kind).reshape(rows.shape)


def moment(a: results.Array, name: str, axis: Any, dtype: Any, keepdims: Any, ddof: Any = 0) -> Any:
    """Return means, variances or their roots, by the name of the method."""
    rows = Rows(a, axis, keepdims)
    kind = np.dtype((rows.kind if rows.kind.kind == "f" else np.float64) if dtype is None else dtype)
    if kind.name not in REALS:
        raise ValueError(f"dtype must be float32 or float64, not {shown(dtype)}")
    if not a.size:
        options = {"axis": axis, "dtype": kind, "keepdims": keepdims} | ({"ddof": ddof} if name != "mean" else {})
        return upload(rows.queue, np.asarray(getattr(np.empty(a.shape, a.dtype), name)(**options)))
    exact = rows.kind.kind != "f" and a.dtype.itemsize < np.dtype(np.int64).itemsize
    total = (np.uint64 if a.dtype.kind == "u" else np.int64) if exact else kind
    found = np.divide(rows.reduced("sum", total).get(), kind.type(rows.n), dtype=np.float64 if exact else kind)
    found = found.astype(kind)
    if name != "mean":
        squares = rows.reduced("sum", kind, "square", upload(rows.queue, found)).get()
        found = squares / kind.type(max(rows.n - ddof, 0))
        found = np.sqrt(found) if name == "std" else found
    return upload(rows.queue, found.reshape(rows.shape))
