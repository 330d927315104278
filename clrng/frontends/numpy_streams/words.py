"""The words of NumPy's bit generators on a device, from where one stands, which stays where it is."""

from copy import deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
from typing_extensions import Self

from clrng.opencl.arrays import upload
from clrng.opencl.devices import DeviceInfo


class Words:
    """What NumPy's ``next_uint64`` and ``next_uint32`` give from where a bit generator stands."""

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, bits: Any) -> None:
        self.queue, self.device, self.bits = queue, device, bits
        self._twister = isinstance(bits, np.random.MT19937)

    @classmethod
    def of(cls, queue: cl.CommandQueue, device: DeviceInfo, bits: Any) -> Self:
        """Return the words of `bits` on a queue."""
        return cls(queue, device, bits)

    @property
    def double_of(self) -> str:
        """An expression of OpenCL C that makes the double of a step of the macro argument ``x``."""
        if self._twister:
            return "(((x) >> 37) * 67108864.0 + (((x) & 0xFFFFFFFFUL) >> 6)) / 9007199254740992.0"
        return "((x) >> 11) * 0x1p-53"

    def _host_steps(self, bits: Any, n: int) -> npt.NDArray[np.uint64]:
        if self._twister:
            pairs = bits.random_raw(2 * n).reshape(n, 2)
            found: npt.NDArray[np.uint64] = pairs[:, 0] << np.uint64(32) | pairs[:, 1]
            return found
        return np.asarray(bits.random_raw(n), np.uint64)

    def steps(self, n: int, first: int = 0) -> cla.Array:
        """Return `n` values of ``next_uint64``, uint64, from number `first` on."""
        return upload(self.queue, self._host_steps(self.after_steps(first), n))

    def halves(self, n: int, first: int = 0) -> cla.Array:
        """Return `n` values of ``next_uint32``, uint32, from number `first` on, the half that waits before all."""
        bits = self.after_halves(first)
        if self._twister:
            return upload(self.queue, bits.random_raw(n).astype(np.uint32))
        waiting = [bits.state["uinteger"]] if bits.state["has_uint32"] else []
        made = self._host_steps(bits, -(-n // 2)).astype("<u8").view("<u4")
        return upload(self.queue, np.concatenate([np.array(waiting, np.uint32), made])[:n])

    def after_steps(self, k: int) -> Any:
        """Return the bit generator that stands `k` steps further on."""
        bits = deepcopy(self.bits)
        bits.random_raw(2 * k if self._twister else k, output=False)
        return bits

    def after_halves(self, k: int) -> Any:
        """Return the bit generator that stands `k` halves further on."""
        bits = deepcopy(self.bits)
        if self._twister:
            bits.random_raw(k, output=False)
        elif k:
            waits = bits.state["has_uint32"]
            steps = (k - waits + 1) // 2
            if steps:
                last = bits.random_raw(steps)[-1]
                bits.state = {**bits.state, "uinteger": int(last) >> 32}
            bits.state = {**bits.state, "has_uint32": (k - waits) % 2}
        return bits
