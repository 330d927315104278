"""Queues that draw together: on every device there is, and two on the first."""

import pyopencl as cl

import clrng
from tests.conftest import DEVICES, make_queue


def several_queues() -> list[cl.CommandQueue]:
    """Return new queues: two on the first device and one on every other, of different platforms where there are any."""
    return [clrng.make_queue(0), *(clrng.make_queue(info.index) for info in DEVICES)]


def doubles() -> bool:
    """Return whether all devices have double precision."""
    return all(make_queue(info.index).device.double_fp_config for info in DEVICES)
