"""The words of NumPy's bit generators on a device, from where one stands, which stays where it is."""

from copy import copy, deepcopy
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
from typing_extensions import Self

from clrng.distributions import RAW, Transform
from clrng.distributions.distribution import LibraryFloats
from clrng.distributions.transforms.uniform import index_transform
from clrng.fill.executor import executor_for
from clrng.fill.jump_tree import Reached
from clrng.frontends.numpy_streams.positions import BLOCK, MT19937
from clrng.generators import BitGenerator
from clrng.generators.families import code_for, select
from clrng.opencl import arrays
from clrng.opencl.arrays import upload
from clrng.opencl.devices import DeviceInfo

STEP_OF_TWO = index_transform(2**64, 2**32, 2, np.dtype(np.uint64))
"""A step of two raw values of 32 bits, the upper half first."""

DIGITS_OF_TWO = "((x) >> 37 << 26 | ((x) & 0xFFFFFFFFUL) >> 6)"
DIGITS_OF_ONE = "((x) >> 11)"
DOUBLE_OF_TWO = "(((x) >> 37) * 0x1p26 + (((x) & 0xFFFFFFFFUL) >> 6)) * 0x1p-53"
DOUBLE_OF_ONE = "((x) >> 11) * 0x1p-53"


KEPT = 2**27
"""Bytes of the longest array that is kept for the next call."""


class Scratch:
    """Memory of a queue for what kernels pass to one another, kept by name; threads must not share it."""

    def __init__(self, queue: cl.CommandQueue) -> None:
        self._queue, self._kept = queue, dict[str, cla.Array]()

    def array(self, name: str, n: int, dtype: Any) -> cla.Array:
        """Return an array of `n` values, which may have been the last one of this name."""
        kept = self._kept.get(name)
        if kept is None or kept.dtype != dtype or kept.size < n:
            kept = cla.Array(self._queue, n, dtype)
            if kept.nbytes <= KEPT:
                self._kept[name] = kept
        return arrays.part(kept, 0, n)


class Words:
    """What NumPy's ``next_uint64``, a step, and ``next_uint32``, a half, give from where a bit generator stands.

    Threads must not share it.
    """

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, bits: Any) -> None:
        self.queue, self.device, self.bits, self.scratch = queue, device, bits, Scratch(queue)
        self._in_two = bits.dtype == np.uint32  # whether a step is two raw values, each of which is a half
        self._made: tuple[int, cla.Array] | None = None  # the first raw value, counted from `bits`, of an array of them
        self._reached = Reached(), Reached()
        code = code_for(bits, select("auto", device, bits))
        self._executor = executor_for(queue, device, code)

    @classmethod
    def of(cls, queue: cl.CommandQueue, device: DeviceInfo, bits: Any) -> Self:
        """Return the words of `bits` on a queue."""
        return cls(queue, device, bits)

    def at(self, bits: BitGenerator) -> Self:
        """Return the words from where another bit generator of the same kind stands, with what this has made."""
        other = copy(self)
        other.bits, other._made = bits, None  # noqa: SLF001  # of this class
        return other

    @property
    def double_of(self) -> str:
        """An expression of OpenCL C that makes the double of a step of the macro argument ``x``."""
        return DOUBLE_OF_TWO if self._in_two else DOUBLE_OF_ONE

    @property
    def digits_of(self) -> str:
        """An expression of OpenCL C that makes 2^53 times that double, an integer."""
        return DIGITS_OF_TWO if self._in_two else DIGITS_OF_ONE

    def steps(self, n: int, first: int = 0, out: cla.Array | None = None) -> cla.Array:
        """Return `n` values of ``next_uint64``, uint64, from number `first` on, which must not be written to.

        They are in `out`, or in a new array.
        """
        out = cla.Array(self.queue, n, np.uint64) if out is None else out
        self._fill(STEP_OF_TWO if self._in_two else RAW, out, first)
        self._made = first, out
        return out

    def halves(self, n: int, first: int = 0, out: cla.Array | None = None) -> cla.Array:
        """Return `n` values of ``next_uint32``, uint32, as `steps` does, the half that waits before all."""
        out = cla.Array(self.queue, n, np.uint32) if out is None else out
        self._fill(RAW, out, first, halves=True)
        self._made = first, out
        return out

    def whole(self, out: cla.Array) -> BitGenerator:
        """Fill `out`, uint32, with halves, and return where the stream stands then."""
        self._fill(RAW, out, halves=True)
        return self.after_halves(out.size)

    def random(self, out: cla.Array) -> BitGenerator:
        """Fill `out` with uniform numbers in [0, 1) and return where the stream stands then."""
        halves = out.dtype == np.float32
        bound = 2**32 if halves else self.bits.upper_bound
        transform = LibraryFloats("random_sample").transform(0, bound, out.dtype)
        self._fill(transform, out, halves=halves)
        return self.after_halves(out.size) if halves else self.after_steps(out.size)

    def _fill(self, transform: Transform, out: cla.Array, first: int = 0, *, halves: bool = False) -> None:
        """Fill `out` with values of the raw values, or of halves, from number `first` of the values on."""
        if out.size == 0:
            return
        start = self.bits.halves() if halves and not self._in_two else self.bits
        start = start.jumped(first * transform.steps) if first else start
        self._executor.fill(transform, out, start, self._reached[halves and not self._in_two])

    def after_steps(self, k: int) -> BitGenerator:
        """Return the bit generator that stands `k` steps further on."""
        if self._in_two:
            return self._after_raw(2 * k)
        after: Any = self.bits.copy()
        after.drawn(self.bits, k)
        return cast("BitGenerator", after)

    def after_halves(self, k: int) -> BitGenerator:
        """Return the bit generator that stands `k` halves further on."""
        if self._in_two:
            return self._after_raw(k)
        after: Any = self.bits.copy()
        after.drawn(self.bits.halves(), k)
        return cast("BitGenerator", after)

    def _after_raw(self, k: int) -> MT19937:
        """Return the twister `k` raw values further on; its words are read from the device if it has them."""
        bits: MT19937 = self.bits
        if self._made is not None:
            first, made = self._made
            each = made.dtype.itemsize // 4
            begin = k - BLOCK - first * each
            if begin >= 0 and k <= (first + made.size) * each and begin % each == 0:
                values = arrays.part(made, begin // each, BLOCK // each).get()
                if each > 1:
                    values = np.stack([values >> np.uint64(32), values], axis=1).astype(np.uint32).reshape(-1)
                return bits.known_at(values, k)
        return bits.jumped(k)


class HostWords:
    """The same, made by NumPy's own bit generator on the host, for proofs."""

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, bits: Any) -> None:
        self.queue, self.device, self.bits, self.scratch = queue, device, bits, Scratch(queue)
        self._twister = isinstance(bits, np.random.MT19937)

    @property
    def double_of(self) -> str:
        """An expression of OpenCL C that makes the double of a step of the macro argument ``x``."""
        if self._twister:
            return "(((x) >> 37) * 0x1p26 + (((x) & 0xFFFFFFFFUL) >> 6)) * 0x1p-53"
        return "((x) >> 11) * 0x1p-53"

    @property
    def digits_of(self) -> str:
        """An expression of OpenCL C that makes 2^53 times that double, an integer."""
        return DIGITS_OF_TWO if self._twister else DIGITS_OF_ONE

    def _host_steps(self, bits: Any, n: int) -> npt.NDArray[np.uint64]:
        if self._twister:
            pairs = bits.random_raw(2 * n).reshape(n, 2)
            found: npt.NDArray[np.uint64] = pairs[:, 0] << np.uint64(32) | pairs[:, 1]
            return found
        return np.asarray(bits.random_raw(n), np.uint64)

    def steps(self, n: int, first: int = 0, _out: cla.Array | None = None) -> cla.Array:
        """Return `n` values of ``next_uint64``, uint64, from number `first` on."""
        return upload(self.queue, self._host_steps(self.after_steps(first), n))

    def halves(self, n: int, first: int = 0, _out: cla.Array | None = None) -> cla.Array:
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
