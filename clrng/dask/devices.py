"""Which device a worker of dask draws on, and the generators that it keeps there."""

import multiprocessing
import os
import re
import socket
import sys
from itertools import count
from threading import local
from typing import Any

import pyopencl as cl

from clrng.errors import NoDeviceError
from clrng.frontends.generator import Generator
from clrng.generators import BitGenerator
from clrng.opencl import devices

MOST_KEPT = 16
"""The generators that a thread keeps, each with kernels for parameters of its own."""

_threads = count()
"""Numbers for the threads of this process that draw."""


class _Kept(local):
    """What each thread keeps."""

    def __init__(self) -> None:
        self.queue: cl.CommandQueue | None = None
        self.generators: dict[Any, Generator] = {}


_kept = _Kept()


def generator_for(bits: BitGenerator) -> Generator:
    """Return the generator that this thread keeps for bit generators of these parameters; its position is anywhere.

    Raises
    ------
    NoDeviceError
        If there is no device, or none that the environment variable ``CLRNG_DEVICE`` asks for.
    ForkError
        If this process was forked from one that had used OpenCL.
    """
    generators, key = _kept.generators, (type(bits), str(bits.parameters))
    found = generators.pop(key, None) or Generator(bits.copy(), _queue())
    generators[key] = found  # the last one is the one used last
    if len(generators) > MOST_KEPT:
        del generators[next(iter(generators))]
    return found


def _queue() -> cl.CommandQueue:
    """Return the queue of this thread."""
    if _kept.queue is None:
        try:
            _kept.queue = devices.queue_on(_device(next(_threads)).device)
        except NoDeviceError as error:
            raise NoDeviceError(f"on {_worker()[0]}, {error}") from None
    return _kept.queue


def _device(thread: int) -> devices.DeviceInfo:
    """Return the device of a thread: the one that the environment asks for, else one of the GPUs by turns."""
    if not os.environ.get(devices.DEVICE_VARIABLE, "").strip():
        gpus = devices.list_devices("gpu")
        if len(gpus) > 1 and (working := [info for info in gpus if info.fault is None]):
            return working[(_worker()[1] + thread) % len(working)]
    return devices.choose_device()


def _worker() -> tuple[str, int]:
    """Return what errors call this worker, and its number: the one that its name ends with, or 0.

    A worker of ``distributed`` has a name of its own; of other workers it is that of the process, which Python numbers
    from 1 where it is one of a pool.
    """
    process, host = multiprocessing.current_process().name, socket.gethostname()
    name, first = process, 1
    if "distributed" in sys.modules:
        from distributed import get_worker  # noqa: PLC0415  # only where it is in use

        try:
            worker = get_worker()
        except ValueError:  # no worker of distributed runs this
            pass
        else:
            first, name = 0, str(worker.name)
            if name == worker.address:  # a worker without a name, whose address ends with the number of a port
                return f"worker {name} of {host}", 0
    number = re.search("[0-9]+$", name)
    return f"worker {name} of {host}", int(number[0]) - first if number else 0
