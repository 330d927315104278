"""Proofs of calls by examples, whose results the host computes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl.arrays import upload
from clrng.opencl.kernel import Kernel
from clrng.proof.prove import GUARD, POISON, MismatchError, check_guard, compare, prove

Array = npt.NDArray[Any]


class Example(NamedTuple):
    """Arguments of a call, and what must come of it."""

    given: Sequence[Array]
    """What the call reads, each from an array of the device."""
    results: Mapping[str, Array]
    """What it must write, each to an array of its own; the names are what errors call one of the values."""
    returned: Mapping[str, Array | int] = {}
    """What it must return to the host, by the names in errors; other results are not checked."""
    numbers: tuple[Any, ...] = ()
    """Further arguments."""
    offsets: Sequence[int] = (3, 4, 5)
    """How many values of memory lie before each of those given."""
    before_results: int = GUARD
    """How many values of memory lie before each result."""
    in_place: int | None = None
    """The index of the given array whose memory the first result shares, if one does."""


Call = Callable[..., Any]
"""Called with the arrays given, those for results, and numbers, does what is proved; may return results of the host."""


def prove_by(queue: cl.CommandQueue, kernels: Sequence[Kernel], call: Call, examples: Iterable[Example]) -> None:
    """Have `kernels`, which `call` launches, proved by examples on a queue of their own."""
    prove(queue, kernels, partial(check, call=call, examples=examples))


def check(queue: cl.CommandQueue, call: Call, examples: Iterable[Example]) -> None:
    """Compare what `call` makes of examples on `queue` with what is expected, and check that memory around it stays.

    It raises `MismatchError` for the first number that is not right.
    """
    for example in examples:
        given = [_placed(queue, *each) for each in zip(example.given, example.offsets, strict=False)]
        expected, before = example.results.values(), example.before_results
        results = [_placed(queue, poison(each.size, each.dtype), before) for each in expected]
        if example.in_place is not None:
            results[0] = given[example.in_place]
        returned = call(given, results, *example.numbers)
        queue.finish()
        for (name, right), made in zip(example.results.items(), results, strict=True):
            before = made.offset // made.dtype.itemsize
            found = cla.Array(queue, before + made.size + GUARD, made.dtype, data=made.base_data).get()
            compare(name, found[before:-GUARD], right.reshape(-1))
            check_guard("before", found[:before])
            check_guard("behind", found[-GUARD:])
        for (name, value), found in zip(example.returned.items(), returned or (), strict=False):
            if isinstance(value, np.ndarray):
                compare(name, found.reshape(-1), value.reshape(-1))
            elif found != value:
                raise MismatchError(name, found, value)


def _placed(queue: cl.CommandQueue, values: Array, before: int) -> cla.Array:
    """Return an array of the device with `values`, in memory that has `before` others in front and some behind."""
    kind = values.dtype
    memory = upload(queue, np.concatenate([poison(before, kind), values.reshape(-1), poison(GUARD, kind)]))
    return cla.Array(queue, values.shape, kind, data=memory.base_data, offset=before * kind.itemsize)


def poison(size: int, dtype: np.dtype[Any]) -> Array:
    """Return values of which all bytes are `POISON`."""
    return np.full(size * dtype.itemsize, POISON, np.uint8).view(dtype)
