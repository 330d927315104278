"""Orders that a keyed one-to-one mapping makes, without memory for anything but the result."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.generators.generator_code import CTYPES
from clrng.opencl import arrays, templates
from clrng.opencl.kernel import Kernel, kernel_of
from clrng.opencl.transfers import wait_list
from clrng.order.examples import Array, Example
from clrng.order.kernels import prove_by
from clrng.order.memory import queue_of

ROUNDS = 24
"""Rounds of the network, which are as many keys of 32 bits: as many as in Mitchell, Stokes, Frank and Holmes,
Bandwidth-optimal random shuffling for GPUs, ACM Transactions on Parallel Computing 9 (2022)."""


MAPPED = 5123
"""The number of places of an example in which all are mapped; many of them follow cycles."""

LARGEST, PART = 2**31 - 1, 5184
"""The number of places of an example, and how many of them are mapped, the first ones: those of whole work-groups."""


def build(queue: cl.CommandQueue, dtype: np.dtype[Any]) -> Kernel:
    """Return the kernel of `map_places` for places of `dtype`, proved."""
    values = {"out": CTYPES[dtype.name], "rounds": ROUNDS}
    kernel = kernel_of(queue, "map_places", templates.program, "permutations/bijection.cl.mako", values=values)
    prove_by(queue, [kernel], partial(_example, kernel), _examples(dtype))
    return kernel


def map_places(queue: cl.CommandQueue, order: cla.Array, keys: cla.Array) -> None:
    """Fill `order` with the mapping of 0, 1, ... that the `ROUNDS` integers `keys`, of uint32, choose.

    It is C-contiguous, of a dtype of integers that holds the places.
    """
    arrays.attach_event(queue, order, _launch(queue, build(queue, order.dtype), order, keys, order.size))


def _launch(queue: cl.CommandQueue, kernel: Kernel, order: cla.Array, keys: cla.Array, n: int) -> cl.Event:
    """Map the first of `n` places, as many as fit `order`."""
    bits = max((n - 1).bit_length(), 2)
    return kernel.for_each(
        queue, order.size, order=order.base_data, offset=order.offset // order.dtype.itemsize, n=n,
        keys=keys.base_data, low_bits=bits // 2, high_bits=bits - bits // 2, wait_for=wait_list(order, keys),
    )  # fmt: skip


def _example(kernel: Kernel, given: Sequence[cla.Array], results: Sequence[cla.Array], n: int) -> None:
    _launch(queue_of(given[0]), kernel, results[0], given[0], n)


def _examples(dtype: np.dtype[Any]) -> Iterator[Example]:
    """Yield mappings to places of `dtype`: of few places, of many, and of the first of the maximum number."""
    keys = np.random.default_rng(ROUNDS).integers(0, 2**32, ROUNDS, np.uint32)
    for n in sorted({min(n, int(np.iinfo(dtype).max) + 1) for n in (3, 64, MAPPED, LARGEST)}):
        places = mapped(n if n <= MAPPED else PART, n, keys).astype(dtype)
        yield Example([keys], {f"among {n} places place": places}, numbers=(n,), offsets=[0])


def mapped(some: int, n: int, keys: Array) -> Array:
    """Return where the network of the bijection sends the first `some` of `n` places, by 64-bit arithmetic."""
    bits = max((n - 1).bit_length(), 2)
    low_bits, high_bits = bits // 2, bits - bits // 2
    x = np.arange(some, dtype=np.uint64)
    left = np.arange(some)
    while left.size:
        high, low = np.divmod(x[left], np.uint64(2**low_bits))
        for key_of_low, key_of_high in keys.astype(np.uint64).reshape(-1, 2):
            low = low ^ (_mixed(high ^ key_of_low) // np.uint64(2 ** (32 - low_bits)))
            high = high ^ (_mixed(low ^ key_of_high) // np.uint64(2 ** (32 - high_bits)))
        x[left] = high * np.uint64(2**low_bits) + low
        left = left[x[left] >= n]
    return x


def _mixed(x: Array) -> Array:
    """Return the 32-bit finalizer of MurmurHash3 of each integer, computed in 64 bits."""
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        x = (x ^ (x // np.uint64(2**shift))) * np.uint64(factor) % np.uint64(2**32)
    return x ^ (x // np.uint64(2**16))
