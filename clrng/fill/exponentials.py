"""Exponentials of an array of numbers, on the device, in double precision: those of `clrng.distributions.quantiles`."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions.quantiles.elementary import EXP_TERMS, LN2_HIGH, LN2_LOW, LOG2_E, exp
from clrng.generators.generator_code import CTYPES
from clrng.opencl import arrays
from clrng.opencl.arrays import wait_list
from clrng.opencl.kernel import Kernel, kernel_of
from clrng.opencl.templates import program
from clrng.proof.examples import Example, prove_by

LENGTH = 5123
"""The numbers of a proof."""

ENDS = {"float32": (-104.0, 88.7), "float64": (-746.0, 709.7)}
"""From where to where numbers of a proof are, by the dtype of their exponentials."""


def text(given: str, out: str) -> str:
    """Return the program, of the OpenCL types of the array and its exponentials."""
    numbers = {"terms": EXP_TERMS, "log2_e": LOG2_E, "ln2_high": LN2_HIGH, "ln2_low": LN2_LOW}
    return program("fill/exponentials.cl.mako", {"given": given, "out": out, **numbers})


def _text(given: str, out: str, _: object) -> str:
    return text(CTYPES[given], CTYPES[out])


def exponentials(queue: cl.CommandQueue, array: cla.Array, dtype: np.dtype[Any]) -> cla.Array:
    """Return exp(x) for the x of a contiguous array of float32 or float64, in double precision and then as `dtype`."""
    kernel = kernel_of(queue, "exponentials", _text, array.dtype.name, dtype.name)

    def example(given: Sequence[cla.Array], results: Sequence[cla.Array]) -> None:
        own: Any = given[0].queue
        _raise(own, kernel, results[0], given[0])

    prove_by(queue, [kernel], example, _examples(array.dtype.name, dtype))
    made = cla.Array(queue, array.shape, dtype)
    _raise(queue, kernel, made, array)
    return made


def _raise(queue: cl.CommandQueue, kernel: Kernel, made: cla.Array, array: cla.Array) -> None:
    event = kernel.for_each(
        queue, made.size, made=made.base_data, offset=made.offset // made.dtype.itemsize, n=made.size,
        numbers=array.base_data, first=array.offset // array.dtype.itemsize, wait_for=wait_list(made, array),
    )  # fmt: skip
    for each in (made, array):  # which may be of another queue, though `with_queue` has put it on this one
        arrays.attach_event(queue, each, event)
    queue.flush()


def _examples(given: str, dtype: np.dtype[Any]) -> Iterator[Example]:
    """Yield numbers of all sizes; denormal exponentials, which devices may take for 0, are none of them."""
    numbers = np.concatenate([np.linspace(*ENDS[dtype.name], LENGTH), [0.0, -0.0, 2.0**-60]]).astype(given)
    found = exp(numbers.astype(np.float64))
    normal = found >= float(np.finfo(dtype).tiny)
    yield Example([numbers[normal]], {"exponential": found[normal].astype(dtype)})
