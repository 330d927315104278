"""Streams in kernels of one's own, whose states stay on the device: what the workloads that draw have in common."""

from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

import clrng
from clrng.validation import integer, shown
from harness.kernels import kernels, render

LONGEST_STATE = 64
"""The most words of a state that a work-item holds in private memory."""


def drawing(bits: Any, device: cl.Device, distributions: Any = ()) -> str:
    """Return OpenCL C that draws by functions whose names begin with ``draw_``, from states of the type ``state``.

    Parameters
    ----------
    bits : BitGenerator
        With raw values of 32 bits and a state of at most 64 words.
    device : pyopencl.Device
    distributions : optional
        As for `clrng.device_code`, which this raises the errors of too.

    Raises
    ------
    ValueError
        If the values or the state of `bits` are larger.
    """
    code = clrng.device_code(bits, device=device, prefix="draw_", distributions=distributions)
    if bits.dtype != np.uint32 or bits.order > LONGEST_STATE:
        raise ValueError(
            f"bits must have values of 32 bits and a state of at most {LONGEST_STATE} words, not be {shown(bits)}"
        )
    suffix, word = ("UL", "ulong") if bits.modulus > 2**32 else ("u", "uint")
    words = [f"{each}{suffix}" for each in bits.words]
    return code + render("own_streams", words=words, word=word)


def below(bits: clrng.BitGenerator, chance: float) -> int:
    """Return the uint32 below which a raw value is with this chance, to the nearest of the chances that there are."""
    return min(bits.min_value + round(chance * (bits.upper_bound - bits.min_value)), 2**32 - 1)


def resident_states(
    queue: cl.CommandQueue, code: str, bits: clrng.BitGenerator, count: int, distance: Any
) -> cla.Array:
    """Return the memory of the states of `count` streams, which begin `distance` steps apart.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    code : str
        That of `drawing` for `bits`.
    bits : BitGenerator
    count : int
    distance : int
        At least 1; times `count` it is at most the period of `bits`, if that is known, and 2^64.

    Raises
    ------
    TypeError
        If `distance` is not an integer.
    ValueError
        If it is out of range.
    """
    apart = integer("distance", distance, 1, min(bits.period or 2**64, 2**64) // count)
    state_size, begin = kernels(queue, code, "state_size", "begin")
    size = cla.Array(queue, 1, np.uint32)
    state_size(queue, 1, 1, size.data)
    states = cla.Array(queue, count * int(size.get()[0]), np.uint8)
    begin(queue, count, None, states.data, apart)
    return states
