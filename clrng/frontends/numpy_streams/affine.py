"""Offsets plus factors times values, rounded as NumPy's C code rounds them."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl import arrays, templates
from clrng.opencl.arrays import wait_list
from clrng.opencl.kernel import kernel_of
from clrng.proof.examples import Example, prove_by

LENGTH = 257
"""The values of an example."""

Numbers = npt.NDArray[np.float64]


@cache
def is_fused() -> bool:
    """Return whether NumPy's C code multiplies and adds in one operation, where the processor has it."""
    one, same = (np.random.Generator(np.random.PCG64(1)) for _ in range(2))
    return not np.array_equal(one.uniform(0.1, 1.2, LENGTH), 0.1 + (1.2 - 0.1) * same.random(LENGTH))


def affine(queue: cl.CommandQueue, values: cla.Array, factor: Numbers, offset: Numbers) -> None:
    """Replace `values`, contiguous and of float64, by offset + factor * value; both are broadcast to their shape."""
    kernel = kernel_of(queue, "affine", templates.program, "numpy_streams/affine.cl.mako", values={"fused": is_fused()})
    prove_by(queue, [kernel], _example, _examples())
    given = [each if each.size == 1 else np.broadcast_to(each, values.shape) for each in (factor, offset)]
    factors, offsets = (arrays.upload(queue, each) for each in given)
    event = kernel.for_each(
        queue, values.size, values=values.base_data, begin=values.offset // values.dtype.itemsize, n=values.size,
        factors=factors.base_data, factor_step=int(factors.size > 1), offsets=offsets.base_data,
        offset_step=int(offsets.size > 1), wait_for=wait_list(values),
    )  # fmt: skip
    arrays.attach_event(queue, values, event)


def _example(given: Sequence[cla.Array], _: object, factor: Numbers, offset: Numbers) -> None:
    queue: Any = given[0].queue
    affine(queue, given[0], factor, offset)


def _examples() -> Iterator[Example]:
    """Yield values with one factor and offset, and with one for each."""
    rng = np.random.default_rng(LENGTH)
    for shape in ((), (LENGTH,)):
        values, factor, offset = rng.random(LENGTH), rng.normal(0, 3, shape), rng.normal(0, 2, shape)
        rows = zip(values, *(np.broadcast_to(each, LENGTH) for each in (factor, offset)), strict=True)
        once = np.array([float(Fraction(b) + Fraction(a) * Fraction(x)) for x, a, b in rows])
        expected = once if is_fused() else offset + factor * values
        yield Example([values], {"value": expected}, {}, (np.asarray(factor), np.asarray(offset)), in_place=0)
