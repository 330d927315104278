"""Checks of the arguments that the front ends share."""

from typing import Any

import pyopencl as cl
import pyopencl.array as cla

from clrng import contexts, devices, processes, validation
from clrng.distributions import UNIFORM, Distribution
from clrng.errors import UnsupportedError
from clrng.recurrences import BitGenerator


def check_bit_generator(value: Any) -> BitGenerator:
    """Return `value` if it is a bit generator.

    Raises
    ------
    TypeError
        If it is not.
    """
    if not isinstance(value, BitGenerator):
        raise TypeError(f"bit_generator must be a clrng bit generator such as clrng.ParkMiller(seed=1), not {value!r}")
    return value


class Watch:
    """Tells when a front end's bit generator has other parameters: by an assignment to it or to its state.

    Parameters
    ----------
    bit_generator : BitGenerator
        The one whose parameters are in use.
    """

    def __init__(self, bit_generator: BitGenerator) -> None:
        self._known, self._restored = bit_generator, bit_generator.restored
        self._parameters = bit_generator.parameters

    def changed(self, bit_generator: Any) -> bool:
        """Return whether the parameters of `bit_generator` are others.

        Raises
        ------
        TypeError
            If it is no bit generator.
        """
        if bit_generator is self._known and bit_generator.restored == self._restored:
            return False
        if check_bit_generator(bit_generator).parameters != self._parameters:
            return True
        self._known, self._restored = bit_generator, bit_generator.restored
        return False


def check_queue(value: Any) -> cl.CommandQueue:
    """Return `value` if it is a queue, a queue on the best device if it is None.

    Raises
    ------
    TypeError
        If it is neither.
    NoDeviceError
        If there is no device.
    ForkError
        If this process was forked from one that used OpenCL before.
    """
    processes.check()
    queue = devices.make_queue() if value is None else value
    if not isinstance(queue, cl.CommandQueue):
        raise TypeError(f"queue must be a pyopencl.CommandQueue or None, not {queue!r}")
    contexts.of_queue(queue)
    return queue


def check_uniform(dtype: Any, out: Any, device: devices.DeviceInfo) -> Distribution:
    """Return the uniform distribution of `dtype`; None is that of `out`, and float32 without it.

    Raises
    ------
    TypeError, ValueError
        If `dtype` is neither float32 nor float64.
    UnsupportedError
        If it is float64 and the device has no double precision.
    """
    if dtype is None:
        dtype = out.dtype if isinstance(out, cla.Array) else "float32"
    chosen = UNIFORM[validation.dtype("dtype", dtype, tuple(UNIFORM)).name]
    if chosen is UNIFORM["float64"] and not device.fp64:
        raise UnsupportedError(
            f"dtype float64 needs double precision, which {device.name} does not have; use dtype='float32'"
        )
    return chosen
