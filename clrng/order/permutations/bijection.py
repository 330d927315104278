"""Orders that a keyed one-to-one mapping makes, without memory for anything but the result."""

from functools import partial
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.generators import source
from clrng.generators.generator_code import CTYPES
from clrng.opencl import arrays, contexts, program
from clrng.opencl.templates import render
from clrng.opencl.transfers import wait_list
from clrng.order.permutations.moves_proof import check_mapping
from clrng.proof.prove import apart, prove

ROUNDS = 24
"""Rounds of the network, which are as many keys of 32 bits: as many as in Mitchell, Stokes, Frank and Holmes,
Bandwidth-optimal random shuffling for GPUs, ACM Transactions on Parallel Computing 9 (2022)."""


def _kernel(context: cl.Context, out: str) -> program.Kernel:
    text = source.prelude() + render("permutations/bijection.cl.mako", out=out, rounds=ROUNDS)
    return program.Kernel(context, text, "map_places")


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


def _launch(
    queue: cl.CommandQueue, kernel: program.Kernel, order: cla.Array, some: int, n: int, keys: cla.Array
) -> None:
    """Map the first `some` of `n` places."""
    bits = max((n - 1).bit_length(), 2)
    event = kernel.for_each(
        queue, some, order.base_data, order.offset // order.dtype.itemsize, n, keys.base_data, bits // 2,
        bits - bits // 2, wait_for=wait_list(order, keys),
    )  # fmt: skip
    arrays.attach_event(queue, order, event)
