"""A pool of memory that OpenCL and CUDA share.

Memory is made in multiples of 2 MiB. One of these is cut into pieces of one size, a power of two, for small arrays; a
larger array has memory of its own. What an array leaves goes to the next one that fits.
"""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from threading import Lock
from typing import Any, cast
from weakref import WeakValueDictionary

import numpy as np
import pyopencl as cl

from clrng.cuda.driver import GRANULE, OUT_OF_MEMORY, SURE, CudaDevice, CudaError, SharedMemory
from clrng.cuda.exchange import capsule, interface
from clrng.cuda.order import Order
from clrng.opencl.kernel import check_process, of_queue
from clrng.opencl.results import Array, Owner
from clrng.validation import shown

LEAST = 512
"""The least bytes of a piece: those that buffers of OpenCL on NVIDIA's GPUs begin at a multiple of."""

SEEN = 2**29
"""Bytes of larger arrays of about one size that CUDA may still use, beyond which all of CUDA's work is waited for."""

KEPT = 1.25
"""Memory of a larger array is used again for one that needs at least 1 / KEPT of it."""


@dataclass(order=True)
class Slot:
    """Memory for one array, again and again: a buffer of OpenCL, and where CUDA has it."""

    size: int
    address: int
    buffer: cl.Buffer = field(compare=False)
    whole: SharedMemory | None = field(default=None, compare=False)  # What it is, where it is not a piece of that
    events: Sequence[cl.Event] = field(default=(), compare=False)  # What the last array in it had to wait for
    queues: dict[int, cl.CommandQueue] = field(default_factory=dict, compare=False)  # Those that have used it
    seen: bool = field(default=False, compare=False)  # Whether CUDA may still use it


class Memory(Owner):
    """The memory of one array and of its views; when they and CUDA's users are gone, it goes back to the pool."""

    def __init__(self, pool: "Pool", slot: Slot) -> None:
        self._pool, self._slot = pool, slot
        self.buffer, self.address, self.order = slot.buffer, slot.address, pool.order
        self.events: Sequence[cl.Event] = slot.events
        self.queues = slot.queues

    def __del__(self) -> None:
        self._slot.events, self._slot.queues = self.events, self.queues
        self._pool.returned.append(self._slot)

    def cuda_array_interface(self, array: Array) -> dict[str, Any]:
        """Return ``__cuda_array_interface__`` of an array, when OpenCL has ended its work on it."""
        described = interface(array, self.address)
        if array.events:
            cl.wait_for_events(array.events)
        self.is_seen()
        return described

    def dlpack_device(self, _: Array) -> tuple[int, int]:
        """Return ``__dlpack_device__``."""
        return self._pool.place

    def dlpack(self, array: Array, stream: int | None = None, **named: Any) -> Any:
        """Return ``__dlpack__``; commands that `stream` is given from now on run after OpenCL's work on the array."""
        made = capsule(array, self.address, self._pool.place, **named)
        self.order.stream_waits(array, stream)
        self.is_seen()
        return made

    @property
    def size(self) -> int:
        """The bytes of the memory."""
        return self._slot.size

    def is_seen(self) -> None:
        """Note that CUDA may still use the memory when this is gone."""
        self._slot.seen = True

    def before_writing(self) -> None:
        """Wait for CUDA's work on the memory, which OpenCL is about to write to."""
        if self._slot.seen:
            self._pool.device.synchronize()


class Pool:
    """Memory that CUDA shares, of one device in one context: an allocator for the arrays that clrng returns.

    `pool_of` returns the pool of a queue. Threads may share it.
    """

    def __init__(self, context: cl.Context, device: cl.Device) -> None:
        self._context, self.device = context, CudaDevice(device)
        self.place = (2, self.device.number)  # As DLPack has it: CUDA, and which device
        self._lock = Lock()
        self._pieces: dict[int, list[Slot]] = defaultdict(list)
        self._seen: dict[int, list[Slot]] = defaultdict(list)  # Pieces that CUDA may still use
        self._large: list[Slot] = []
        self.returned: deque[Slot] = deque()  # Which threads may append to while another one has the lock
        self.order = Order(self.device, SharedMemory(context, self.device, GRANULE))
        self._live: WeakValueDictionary[int, Memory] = WeakValueDictionary()

    def __repr__(self) -> str:
        return f"<memory that CUDA shares, of its device {self.place[1]}>"

    def __call__(self, nbytes: int) -> Memory:
        """Return memory of `nbytes` bytes or more.

        Raises
        ------
        MemoryError
            If the device has not so much left, or OpenCL's driver does not import so much at once.
        """
        check_process()
        with self._lock:
            self._take_back()
            made = Memory(self, self._piece(nbytes) if nbytes <= GRANULE // 2 else self._own(nbytes))
            self._live[made.address] = made
            return made

    def owner_of(self, address: int, nbytes: int) -> Memory | None:
        """Return the memory of an array that has these bytes of CUDA's, or None if there is none in this pool."""
        with self._lock:
            live = list(self._live.values())
        for each in live:
            if each.address <= address and address + nbytes <= each.address + each.size:
                return each
        return None

    def empty(self, queue: cl.CommandQueue, shape: int | tuple[int, ...], dtype: Any) -> Array:
        """Return a new array of any values in this memory."""
        return Array(queue, shape, np.dtype(dtype), allocator=cast("Any", self))

    def largest_allocation(self) -> int:
        """Return the most bytes that one array may have now."""
        with self._lock:
            self._take_back()
            most = self.device.free() + sum(slot.size for slot in self._large)
        return most if self.takes(most) else SURE

    def takes(self, nbytes: int) -> bool:
        """Return whether an array may have so many bytes, if there is memory left."""
        return nbytes <= SURE or self.device.imports_much

    def free(self) -> int:
        """Give memory of larger arrays that is not in use back to the device; return how many bytes."""
        with self._lock:
            self._take_back()
            return self._free()

    def _wait_for_cuda(self) -> None:
        """Wait for all work of CUDA on the device: nothing that has come back is in use then."""
        self.device.synchronize()
        for slot in (*self._large, *chain(*self._seen.values())):
            slot.seen = False
        for size, slots in self._seen.items():
            self._pieces[size] += slots
            slots.clear()

    def _take_back(self) -> None:
        """Sort what has come back."""
        while self.returned:
            slot = self.returned.popleft()
            if slot.whole is not None:
                insort(self._large, slot)
            else:
                (self._seen if slot.seen else self._pieces)[slot.size].append(slot)

    def _piece(self, nbytes: int) -> Slot:
        """Return a piece of memory that was cut."""
        size = max(LEAST, 1 << (nbytes - 1).bit_length())
        slots = self._pieces[size]
        if not slots and self._seen[size]:
            self._wait_for_cuda()
        if not slots:
            whole = self._made(GRANULE)
            slots.extend(
                Slot(size, whole.address + first, whole.buffer.get_sub_region(first, size))
                for first in range(0, GRANULE, size)
            )
        return slots.pop()

    def _own(self, nbytes: int) -> Slot:
        """Return memory of a larger array."""
        begin = bisect_left(self._large, nbytes, key=lambda slot: slot.size)
        end = bisect_right(self._large, max(KEPT * nbytes, nbytes + GRANULE), key=lambda slot: slot.size)
        fitting = self._large[begin:end]
        unseen = next((i for i, slot in enumerate(fitting) if not slot.seen), None)
        if unseen is None and sum(slot.size for slot in fitting) > SEEN:
            self._wait_for_cuda()
            unseen = 0
        if unseen is not None:
            return self._large.pop(begin + unseen)
        whole = self._made(nbytes)
        return Slot(whole.size, whole.address, whole.buffer, whole)

    def _made(self, nbytes: int) -> SharedMemory:
        """Return new memory; where there is too little, what is not in use is given back first."""
        if not self.takes(nbytes):
            raise MemoryError(
                f"an array of {shown(nbytes)} bytes is too large: OpenCL's driver of this host imports at most {SURE} "
                f"bytes of CUDA's memory at once"
            )
        for last in (False, True):
            try:
                return SharedMemory(self._context, self.device, nbytes)
            except CudaError as error:
                if error.code not in OUT_OF_MEMORY:
                    raise
            if not last:
                self._free()
        raise MemoryError(f"an array of {shown(nbytes)} bytes is too large: the device has {self.device.free()} free")

    def _free(self) -> int:
        """Give larger memory back that is not in use."""
        unused, self._large = self._large, []
        if not unused:
            return 0
        self._wait_for_cuda()
        for slot in unused:
            if slot.events:
                cl.wait_for_events(slot.events)
            for queue in slot.queues.values():  # which may still read it, without an event
                queue.finish()
            if slot.whole is not None:
                slot.whole.release()
        return sum(slot.size for slot in unused)


def pool_of(queue: cl.CommandQueue) -> Pool:
    """Return the pool of the device of a queue.

    Raises
    ------
    UnsupportedError
        If the device is not an NVIDIA GPU that CUDA can share memory of.
    """
    found: Pool = of_queue(queue).cached(Pool)(queue.device)
    return found
