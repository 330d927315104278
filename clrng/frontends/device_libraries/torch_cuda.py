"""What PyTorch draws on a CUDA device, on any device."""

from typing import Any

import pyopencl.array as cla

from clrng import validation
from clrng.documented import complete, complete_all
from clrng.frontends.device_libraries.counted import TORCH, Request, counted
from clrng.frontends.device_libraries.forms import Form
from clrng.frontends.device_libraries.library_stream import STREAM
from clrng.frontends.device_libraries.torch_stream import TORCHES, TorchStream
from clrng.frontends.drawing import Queue, Size
from clrng.generators.parameters import Attribute
from clrng.opencl import arrays

BLOCK = 256
"""The threads of a block of PyTorch's kernels."""

EACH = 4
"""The words of a counter, by which PyTorch counts its offset."""

MAX_BYTES = 2**31 - 1
"""The most bytes between the first and the last value of a kernel; larger arrays are made in two halves."""

RAND = {
    "float32": Form("half_open", "float32", turned=True),
    "float64": Form("half_open", "float64", 2, turned=True),
    "float16": Form("half_open", "float16", turned=True),
    "bfloat16": Form("half_open", "bfloat16", turned=True),
}
RANDN = {
    "float32": Form("box_muller", "float32", 2, 2, added=0.5),
    "float64": Form("box_muller", "float64", 4, 2, added=0.5),
}


class TorchCuda(TorchStream):
    """What PyTorch draws on a CUDA device, on any device: the generator of a GPU of given multiprocessors.

    PyTorch deals the elements of a large array out to as many threads as the GPU holds at a time, so that its numbers
    depend on the GPU. With the GPU's number of multiprocessors they are made here.

    Parameters
    ----------
    seed : int
        What ``torch.manual_seed`` was given, from -2^63 to 2^64 - 1.
    multiprocessors : int
        Those of the GPU: ``torch.cuda.get_device_properties(0).multi_processor_count``.
    threads : int, optional
        The most threads of a multiprocessor, ``max_threads_per_multi_processor``: 1024 on Turing (as T4), 1536 on
        GeForce and workstation cards since Ampere and on L4, L40 and A10, and by default 2048, on V100, A100, H100,
        H200 and B200.

    Attributes
    ----------
    seed, multiprocessors, threads : int
    offset : int
        What ``torch.Generator.get_offset`` returns: how far the stream of every thread has gone. Assign one, a multiple
        of 4, to go there.

    Notes
    -----
    `rand` and `randint` are those of PyTorch 2.7 and later bit for bit. Arrays have one value behind another, as those
    of contiguous tensors. Normal numbers differ in their last digits, as `randn` says.

    See Also
    --------
    TorchCpu : what PyTorch draws on a processor.

    Examples
    --------
    >>> import clrng
    >>> h100 = clrng.TorchCuda(42, multiprocessors=132)  # torch.manual_seed(42) on an H100 SXM
    >>> print(h100.rand(3), h100.offset)  # torch.rand(3, device="cuda")
    [0.61295986 0.01005884 0.3984137 ] 4
    """

    __slots__ = ("_multiprocessors", "_threads")

    _arguments = ("seed", "multiprocessors", "threads")

    multiprocessors = Attribute[int]("The multiprocessors of the GPU.")
    threads = Attribute[int]("The most threads of a multiprocessor.")

    def __init__(
        self, seed: int, multiprocessors: int, threads: int = 2048, queue: Queue | None = None, allocator: Any = None
    ) -> None:
        self._multiprocessors = validation.integer("multiprocessors", multiprocessors, 1, 2**16)
        self._threads = validation.integer("threads", threads, BLOCK, 2**16)
        if self._threads % BLOCK:
            raise ValueError(f"threads must be a multiple of {BLOCK}, as those of all GPUs are, not {threads}")
        super().__init__(seed, queue, allocator, 0)

    @property
    def offset(self) -> int:
        """How far the stream of every thread has gone."""
        return int(self._place)

    @offset.setter
    def offset(self, value: int) -> None:
        found = validation.integer("offset", value, 0, 2**64 - EACH)
        if found % EACH:
            raise ValueError(f"offset must be a multiple of {EACH}, not {value}")
        self._place = found

    def _values(self, form: Form, out: cla.Array, place: int, low: int = 0, number_range: int = 1) -> int:
        """Fill `out` from an offset on, and return the offset behind."""
        request = Request(TORCH, form, (self._seed % 2**32, self._seed % 2**64 >> 32), place // EACH)
        n, blocks = out.size, min(-(-out.size // BLOCK), self._multiprocessors * (self._threads // BLOCK))
        after: int = (place + EACH * -(-n // (blocks * BLOCK * request.of_each))) % 2**64
        if (n - 1) * out.dtype.itemsize >= MAX_BYTES:
            first = arrays.part(out, 0, n // 2)
            between = self._values(form, first, after, low, number_range)
            out.add_event(first.events[-1])
            second = arrays.part(out, n // 2, n - n // 2)
            after = self._values(form, second, between, low, number_range)
            out.add_event(second.events[-1])
            return after
        counted(self._queue, Request(TORCH, form, request.key, request.first, blocks * BLOCK, number_range, low), out)
        return after

    def rand(self, size: Size = None, dtype: Any = "float32") -> Any:
        """Return uniform numbers in [0, 1): ``torch.rand(size, device="cuda")`` of float32, 64, 16 or bfloat16.

        >>> print(clrng.TorchCuda(0, 132).rand(3))
        [0.39904648 0.51667917 0.02493039]
        """
        return self._reals("rand", RAND, size, dtype)

    def randn(self, size: Size = None, dtype: Any = "float32") -> Any:
        """Return normal numbers, float32 or float64: near those of ``torch.randn(size, device="cuda")``.

        Notes
        -----
        The words, and so which numbers come from which, are PyTorch's. A float64 number is within 3 units in the last
        place of that of an H200. For a float32 number a GPU takes the sine and the cosine of its hardware, which have
        errors of up to 2^-21; here they are rounded to nearest. On an H200 numbers differ by less than 2^-18.

        Examples
        --------
        >>> print(clrng.TorchCuda(0, 132).randn(3))
        [-0.9246624  -0.42534393 -2.6438458 ]
        """
        return self._reals("randn", RANDN, size, dtype)


complete(TorchCuda, STREAM)
complete_all(TorchCuda, TORCHES, "rand", "randn")
