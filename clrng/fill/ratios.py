"""Ratios of numbers of two arrays, on the device, in double precision."""

from collections.abc import Iterator

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.fill.by_element import axes_of_two, layout_of
from clrng.fill.made import made_of
from clrng.generators.generator_code import CTYPES
from clrng.opencl.arrays import wait_list
from clrng.opencl.kernel import Kernel, kernel_of, of_queue
from clrng.opencl.templates import program
from clrng.proof.examples import Example

LENGTH = 5123
"""The ratios of a proof of arrays of one shape."""

SHAPES = (7, 1, 149), (5, 1)
"""The shapes of arrays of a proof that are broadcast."""

EXPONENT = 40
"""In proofs, the maximum of the exponents of numbers, and minus their minimum."""


def _text(over: str, under: str, _: object) -> str:
    return program("fill/ratios.cl.mako", {"over": CTYPES[over], "under": CTYPES[under]})


def ratios(queue: cl.CommandQueue, over: cla.Array, under: cla.Array) -> cla.Array:
    """Return over/under of two contiguous arrays of float32 or float64, which are broadcast; each is rounded once."""
    kinds = over.dtype.name, under.dtype.name
    kernel = kernel_of(queue, "divide", _text, *kinds)
    shape = np.broadcast_shapes(over.shape, under.shape)
    return made_of(queue, kernel, _divide, [over, under], shape, np.dtype(np.float64), _examples(*kinds))


def _divide(queue: cl.CommandQueue, kernel: Kernel, made: cla.Array, over: cla.Array, under: cla.Array) -> cl.Event:
    axes = axes_of_two(over.shape, under.shape)
    sizes, steps = of_queue(queue).cached(layout_of)((*axes[0], *axes[1]))
    return kernel.for_each(
        queue, made.size, ratios=made.base_data, offset=made.offset // 8, n=made.size,
        over=over.base_data, over_offset=over.offset // over.dtype.itemsize,
        under=under.base_data, under_offset=under.offset // under.dtype.itemsize, axes=len(axes[0]),
        sizes=sizes, steps=steps, wait_for=wait_list(made, over, under),
    )  # fmt: skip


def _examples(over: str, under: str) -> Iterator[Example]:
    """Yield numbers of all exponents, and others that are broadcast."""
    random = np.random.default_rng(LENGTH)
    for shapes in (((LENGTH,), (LENGTH,)), SHAPES, SHAPES[::-1]):
        given = [
            np.ldexp(random.uniform(1, 2, shape), random.integers(-EXPONENT, EXPONENT, shape)).astype(kind)
            for shape, kind in zip(shapes, (over, under), strict=True)
        ]
        expected = given[0].astype(np.float64) / given[1].astype(np.float64)
        yield Example(given, {"ratio": expected})
