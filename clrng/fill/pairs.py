"""Numbers of pairs of numbers, on the device."""

from collections.abc import Iterator

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.fill.made import made_of
from clrng.opencl.arrays import wait_list
from clrng.opencl.kernel import Kernel, kernel_of
from clrng.opencl.templates import program
from clrng.proof.examples import Example

LENGTH = 5123
"""The pairs of a proof."""

SIZES = 1, 7, 2**16
"""What the second numbers are below in proofs."""


def _text(_: object = None) -> str:
    return program("fill/pair.cl.mako", {})


def paired(queue: cl.CommandQueue, first: cla.Array, second: cla.Array, size: int) -> cla.Array:
    """Return first * size + second of two arrays of uint32 of one shape; all numbers must be below 2^32."""
    kernel = kernel_of(queue, "pair", _text)
    return made_of(queue, kernel, _pair, [first, second], first.shape, np.dtype(np.uint32), _examples(), size)


def _pair(
    queue: cl.CommandQueue, kernel: Kernel, pairs: cla.Array, first: cla.Array, second: cla.Array, size: int
) -> cl.Event:
    return kernel.for_each(
        queue, pairs.size, pairs=pairs.base_data, offset=pairs.offset // 4, n=pairs.size, first=first.base_data,
        first_offset=first.offset // 4, second=second.base_data, second_offset=second.offset // 4, size=size,
        wait_for=wait_list(pairs, first, second),
    )  # fmt: skip


def _examples() -> Iterator[Example]:
    """Yield pairs with numbers up to the largest ones."""
    random = np.random.default_rng(LENGTH)
    for size in SIZES:
        first = random.integers(0, 2**32 // size, LENGTH).astype(np.uint32)
        second = random.integers(0, size, LENGTH).astype(np.uint32)
        yield Example([first, second], {"number of a pair": first * np.uint32(size) + second}, {}, (size,))
