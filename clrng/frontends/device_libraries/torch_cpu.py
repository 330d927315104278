"""What PyTorch draws on a processor, on any device."""

import math
from typing import Any

import numpy as np
import pyopencl.array as cla

from clrng.documented import complete, complete_all
from clrng.frontends.device_libraries.converted import BLOCK, Laid, converted
from clrng.frontends.device_libraries.forms import Form
from clrng.frontends.device_libraries.library_stream import STREAM
from clrng.frontends.device_libraries.torch_stream import TORCHES, TorchStream
from clrng.frontends.drawing import Queue, Size
from clrng.frontends.numpy_streams.positions import MT19937
from clrng.frontends.numpy_streams.words import Words
from clrng.opencl import arrays

RAND = {
    "float32": Form("scaled", "float32", bits=24),
    "float64": Form("scaled", "float64", 2, bits=53),
}
RANDN = {"float32": Form("torch_normal", "float32", 2, 2), "float64": Form("torch_normal", "float64", 4, 2)}


class TorchCpu(TorchStream):
    """What PyTorch draws on a processor, on any device.

    Parameters
    ----------
    seed : int
        What ``torch.manual_seed`` was given, from -2^63 to 2^64 - 1; PyTorch takes its lowest 32 bits.

    Attributes
    ----------
    seed : int

    Notes
    -----
    `rand` and `randint` are those of PyTorch 2.7 and later bit for bit, and so is `randn` of float32 on processors with
    AVX2. Arrays have one value behind another, as those of contiguous tensors.

    See Also
    --------
    TorchCuda : what PyTorch draws on a CUDA device.

    Examples
    --------
    >>> import clrng
    >>> rng = clrng.TorchCpu(0)  # torch.manual_seed(0)
    >>> print(rng.rand(3), rng.randn(2))  # torch.rand(3), torch.randn(2)
    [0.4962566  0.7682218  0.08847743] [0.3643382  0.13439633]
    """

    __slots__ = ("_words",)

    def __init__(self, seed: int, queue: Queue | None = None, allocator: Any = None) -> None:
        super().__init__(seed, queue, allocator, None)
        state: Any = np.random.RandomState(self._seed % 2**32).get_state(legacy=False)
        self._place = MT19937.of(state)
        self._words = Words.of(self._queue, self._device, self._place)

    def _values(self, form: Form, out: cla.Array, place: MT19937, low: int = 0, number_range: int = 1) -> MT19937:
        """Fill `out` from where a Mersenne Twister stands, and return where it stands then."""
        if form.kind == "torch_normal":
            return self._normals(form, out, place)
        count, words = out.size * form.words, self._words.at(place)
        converted(self._queue, form, words.halves(count), out, number_range, low)
        return _after(words, place, count)

    def rand(self, size: Size = None, dtype: Any = "float32") -> Any:
        """Return uniform numbers in [0, 1), float32 or float64: ``torch.rand(size)``.

        >>> print(clrng.TorchCpu(0).rand(3))
        [0.4962566  0.7682218  0.08847743]
        """
        return self._reals("rand", RAND, size, dtype)

    def randn(self, size: Size = None, dtype: Any = "float32") -> Any:
        """Return normal numbers, float32 or float64: ``torch.randn(size)``.

        Notes
        -----
        Sizes of 16 and more are made in blocks of 16, as PyTorch makes them. Of float32 they are those of processors
        with AVX2, bit for bit; others take the logarithm and cosine of the C library. Of float64 they are within a few
        units in the last place. Smaller sizes are made on the host by the functions of its C library, as PyTorch makes
        them; every other one waits for the next call.

        Examples
        --------
        >>> print(clrng.TorchCpu(0).randn(3))
        [ 1.5409961 -0.2934289 -2.1787894]
        """
        return self._reals("randn", RANDN, size, dtype)

    def _normals(self, form: Form, out: cla.Array, bits: MT19937) -> MT19937:
        if out.size < BLOCK:
            return self._few_normals(out, bits)
        each, n, words = form.words // 2, out.size, self._words.at(bits)
        whole = n - n % BLOCK
        drawn = n if whole == n else n + BLOCK
        made = words.halves(drawn * each)
        flat: Any = arrays.part(out, 0, n)
        for place, first in ((0, 0), (n - BLOCK, n))[: 1 if whole == n else 2]:
            length = BLOCK if first else whole
            part = arrays.part(flat, place, length)
            converted(self._queue, form, arrays.part(made, first * each, length * each), part, laid=Laid("in_blocks"))
            out.add_event(part.events[-1])
            flat.add_event(part.events[-1])
        return _after(words, bits, drawn * each)

    def _few_normals(self, out: cla.Array, bits: MT19937) -> MT19937:
        """Make normal numbers on the host, of which that waits that a call has left over."""
        found = [] if bits.gauss is None else [bits.gauss]
        pairs = -(-(out.size - len(found)) // 2)
        words = bits.sequence(4 * pairs).astype(np.uint64).reshape(pairs, 2, 2)
        numbers = (words[:, :, 0] << np.uint64(32) & np.uint64(2**53 - 1) | words[:, :, 1]).astype(
            np.float64
        ) * 2.0**-53
        for angle, of_radius in numbers.tolist():
            radius = math.sqrt(-2.0 * math.log1p(-of_radius))
            found += [radius * math.cos(2.0 * math.pi * angle), radius * math.sin(2.0 * math.pi * angle)]
        out.set(np.array(found[: out.size], out.dtype).reshape(out.shape), self._queue)
        after = bits.jumped(4 * pairs)
        after.gauss = found[-1] if len(found) > out.size else None
        return after


def _after(words: Words, bits: MT19937, count: int) -> MT19937:
    """Return the Mersenne Twister that stands `count` words further on, with the same normal number waiting."""
    after: Any = words.after_halves(count)
    after.gauss = bits.gauss
    found: MT19937 = after
    return found


complete(TorchCpu, STREAM)
complete_all(TorchCpu, TORCHES, "rand", "randn")
