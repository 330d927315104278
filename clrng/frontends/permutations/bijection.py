"""Orders that a keyed one-to-one mapping makes, without memory for anything but the result."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.generators.generator_code import CTYPES
from clrng.opencl import arrays, contexts
from clrng.opencl.kernel import Kernel
from clrng.opencl.templates import prelude, render
from clrng.opencl.transfers import upload, wait_list
from clrng.proof.fills import GUARD, check_guard, poisoned
from clrng.proof.prove import apart, compare, prove

ROUNDS = 24
"""Rounds of the network, which are as many keys of 32 bits: as many as in Mitchell, Stokes, Frank and Holmes,
Bandwidth-optimal random shuffling for GPUs, ACM Transactions on Parallel Computing 9 (2022)."""


MAPPED = 5123
"""Places that are mapped, all of them; an odd number, which follows many cycles."""

LARGEST = 2**31 - 1
"""Places of which the first are mapped."""

Array = npt.NDArray[Any]


def _kernel(context: cl.Context, out: str) -> Kernel:
    text = prelude() + render("permutations/bijection.cl.mako", out=out, rounds=ROUNDS)
    return Kernel(context, text, "map_places")


def build(queue: cl.CommandQueue, dtype: np.dtype[Any]) -> None:
    """Build the kernel of `map_places` for places of `dtype`, if it is not built yet, and prove it."""
    kernel = contexts.of_queue(queue).cached(_kernel)(CTYPES[dtype.name])
    if not kernel.proved:
        own = apart(queue)
        prove(queue, [kernel], lambda: check_mapping(own, dtype, ROUNDS, partial(_launch, own, kernel)))


def map_places(queue: cl.CommandQueue, order: cla.Array, keys: cla.Array) -> None:
    """Fill `order` with the mapping of 0, 1, ... that the `ROUNDS` integers `keys`, of uint32, choose.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    order : pyopencl.array.Array
        C-contiguous, of a dtype of integers that holds the places.
    keys : pyopencl.array.Array of uint32, shape (24,)
    """
    build(queue, order.dtype)
    kernel = contexts.of_queue(queue).cached(_kernel)(CTYPES[order.dtype.name])
    _launch(queue, kernel, order, order.size, order.size, keys)


def _launch(queue: cl.CommandQueue, kernel: Kernel, order: cla.Array, some: int, n: int, keys: cla.Array) -> None:
    """Map the first `some` of `n` places."""
    bits = max((n - 1).bit_length(), 2)
    event = kernel.for_each(
        queue, some, order.base_data, order.offset // order.dtype.itemsize, n, keys.base_data, bits // 2,
        bits - bits // 2, wait_for=wait_list(order, keys),
    )  # fmt: skip
    arrays.attach_event(queue, order, event)


MapPlaces = Callable[[cla.Array, int, int, cla.Array], None]
"""Maps the first places, called with an array for them, their number, the number of all places, and keys."""


def check_mapping(queue: cl.CommandQueue, dtype: np.dtype[Any], rounds: int, launch: MapPlaces) -> None:
    """Check mappings to places of `dtype`: of few places and of many, and of the first of the most that there can be.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    dtype : numpy.dtype
    rounds : int
        How many keys there are.
    launch : callable
        As `MapPlaces` says.

    Raises
    ------
    MismatchError
        If a place is not right.
    """
    keys = np.random.default_rng(rounds).integers(0, 2**32, rounds, np.uint32)
    held, most = upload(queue, keys), int(np.iinfo(dtype).max) + 1
    for n in sorted({min(n, most) for n in (3, 64, MAPPED, LARGEST)}):
        some = min(n, MAPPED)
        out = poisoned(queue, some + GUARD, dtype)
        launch(out, some, n, held)
        queue.finish()
        found = out.get()
        compare(f"among {n} places place", found[:some], mapped(some, n, keys).astype(dtype))
        if some == n:
            check_guard("behind", found[some:])


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
    """Return the finalizer of MurmurHash3 of integers of 32 bits, in 64 bits."""
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        x = (x ^ (x // np.uint64(2**shift))) * np.uint64(factor) % np.uint64(2**32)
    return x ^ (x // np.uint64(2**16))
