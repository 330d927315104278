"""Queues that draw together: on every device there is, and two on the first."""

from typing import Any

import pyopencl as cl

import clrng
from clrng.generators import BitGenerator
from tests.conftest import DEVICES, make_queue


def several_queues() -> list[cl.CommandQueue]:
    """Return new queues: two on the first device and one on every other, of different platforms where there are any."""
    return [clrng.make_queue(0), *(clrng.make_queue(info.index) for info in DEVICES)]


def doubles() -> bool:
    """Return whether all devices have double precision."""
    return all(make_queue(info.index).device.double_fp_config for info in DEVICES)


QUEUES = several_queues()
SHARES = [[1, 2, *[1] * (len(QUEUES) - 2)], [0, 1, *[5] * (len(QUEUES) - 2)], [1, *[0] * (len(QUEUES) - 1)]]


def several(bits: BitGenerator, shares: Any = tuple(SHARES[0])) -> clrng.MultiDeviceGenerator:
    """Return a generator of a copy of `bits` on all of these queues."""
    return clrng.MultiDeviceGenerator(bits.copy(), QUEUES, shares)
