"""What is made of each number of an array, on the device: its exponential, or the nearest number of another dtype."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions.quantiles.elementary import EXP_TERMS, LN2_HIGH, LN2_LOW, LOG2_E, exp
from clrng.fill.by_element import work_items
from clrng.fill.made import made_of
from clrng.generators.generator_code import CTYPES, suffix
from clrng.opencl.arrays import wait_list
from clrng.opencl.devices import info
from clrng.opencl.kernel import Kernel, kernel_of
from clrng.opencl.templates import program
from clrng.opencl.traits import width_of_doubles
from clrng.proof.examples import Example

LENGTH = 5123
"""The numbers of a proof."""

ENDS = {"float32": (-104.0, 88.7), "float64": (-746.0, 709.7)}
"""From where to where numbers of a proof are, by the dtype of their exponentials."""

EXPONENT = 120
"""In proofs, the maximum of the exponents of floats that are rounded, and minus their minimum."""


def text_of_exponentials(given: str, out: str, width: int = 1) -> str:
    """Return the program, of the OpenCL types of the array and its exponentials; a work-item makes `width` of these."""
    numbers = {"terms": EXP_TERMS, "log2_e": LOG2_E, "ln2_high": LN2_HIGH, "ln2_low": LN2_LOW}
    numbers |= {"width": width, "w": suffix(width)}
    return program("fill/exponentials.cl.mako", {"given": given, "out": out, **numbers})


def text_of_rounding(given: str, out: str) -> str:
    """Return the program, of the OpenCL types of the array and what it is rounded to."""
    return program("fill/rounded.cl.mako", {"given": given, "out": out})


def _text(text: Callable[..., str], given: str, out: str, values: Mapping[str, Any]) -> str:
    return text(CTYPES[given], CTYPES[out], **values)


def exponentials(queue: cl.CommandQueue, array: cla.Array, dtype: np.dtype[Any]) -> cla.Array:
    """Return exp(x) for the x of a contiguous array of float32 or float64, in double precision and then as `dtype`."""
    names, width = (array.dtype.name, dtype.name), width_of_doubles(info(queue.device))
    kernel = kernel_of(queue, "exponentials", _text, text_of_exponentials, *names, values={"width": width})
    examples = _of_exponentials(array.dtype.name, dtype)
    return made_of(queue, kernel, partial(_launch, width=width), [array], array.shape, dtype, examples)


def rounded(queue: cl.CommandQueue, array: cla.Array, dtype: np.dtype[Any]) -> cla.Array:
    """Return a contiguous array of integers, float32 or float64 as float32 or float64: the nearest numbers."""
    kernel = kernel_of(queue, "rounded", _text, text_of_rounding, array.dtype.name, dtype.name)
    return made_of(queue, kernel, _launch, [array], array.shape, dtype, _of_rounding(array.dtype, dtype))


def _launch(queue: cl.CommandQueue, kernel: Kernel, made: cla.Array, numbers: cla.Array, width: int = 1) -> cl.Event:
    return kernel.for_each(
        queue, work_items(queue, made.size, width), made=made.base_data, offset=made.offset // made.dtype.itemsize,
        n=made.size, numbers=numbers.base_data, first=numbers.offset // numbers.dtype.itemsize,
        wait_for=wait_list(made, numbers),
    )  # fmt: skip


def _of_exponentials(given: str, dtype: np.dtype[Any]) -> Iterator[Example]:
    """Yield numbers of all sizes; denormal exponentials, which devices may take for 0, are none of them."""
    numbers = np.concatenate([np.linspace(*ENDS[dtype.name], LENGTH), [0.0, -0.0, 2.0**-60]]).astype(given)
    found = exp(numbers.astype(np.float64))
    normal = found >= float(np.finfo(dtype).tiny)
    yield Example([numbers[normal]], {"exponential": found[normal].astype(dtype)})


def _of_rounding(given: np.dtype[Any], dtype: np.dtype[Any]) -> Iterator[Example]:
    """Yield numbers of all sizes, of which many are nearly in the middle between two."""
    random = np.random.default_rng(LENGTH)
    if given.kind == "f":
        numbers = np.ldexp(random.uniform(-2, 2, LENGTH), random.integers(-EXPONENT, EXPONENT, LENGTH))
        single = numbers.astype(np.float32)
        middle = (single.astype(np.float64) + np.nextafter(single, np.float32(np.inf))) / 2
        numbers[::2] = (middle * random.choice([1 - 2.0**-50, 1, 1 + 2.0**-50], LENGTH))[::2]
    else:
        bits, most = random.integers(0, 2**64, LENGTH, np.uint64), np.uint64(np.iinfo(given).max)
        less = np.uint64(64 - (np.finfo(dtype).nmant + 2))
        middle = (bits >> less | np.uint64(1)) << random.integers(0, less, LENGTH, np.uint64)
        bits >>= random.integers(0, 64, LENGTH, np.uint64)
        numbers = (np.concatenate([bits, middle, [most]]) & most).astype(given)
        if given.kind == "i":
            numbers[::2] = ~numbers[::2]
    held = numbers.astype(given)
    yield Example([held], {"rounded number": held.astype(dtype)})
