"""What TensorFlow's stateless functions make of a seed, on any device."""

from collections.abc import Sequence
from typing import Any

import pyopencl.array as cla

from clrng import validation
from clrng.documented import complete, complete_all
from clrng.frontends.device_libraries.counted import TENSORFLOW, Request, counted
from clrng.frontends.device_libraries.forms import WORD, Form
from clrng.frontends.device_libraries.library_stream import STREAM, WORDS, LibraryStream, chosen, whole_range
from clrng.frontends.drawing import Queue, Size
from clrng.generators.maths.bijections import BIJECTIONS
from clrng.generators.parameters import Attribute

MIXING = 0x3EC8F720, 0x02461E29
"""The key under which TensorFlow turns a seed into a key and a counter."""

BITS = {"uint32": WORD, "uint64": Form("word", "uint64", 2, low_first=True)}
UNIFORM = {"float32": Form("scaled", "float32", bits=23), "float64": Form("scaled", "float64", 2, bits=52)}
NORMAL = Form("tensorflow_normal", "float32", 2, 2)
WHOLE = {
    "int32": Form("remainder", "int32"), "int64": Form("remainder", "int64", 2, low_first=True),
}  # fmt: skip


class TensorFlowSeed(LibraryStream):
    """A seed of TensorFlow: what ``tf.random.stateless_uniform`` and its like make of it, on any device.

    What it makes is a function of the seed alone, and the same at each call.

    Parameters
    ----------
    seed : sequence of 2 int
        That of the argument ``seed``, each from -2^63 to 2^63 - 1.

    Attributes
    ----------
    seed : tuple of int

    Notes
    -----
    These are the numbers of Philox, TensorFlow's algorithm on processors and GPUs. `uniform`, `integers` and `bits` are
    TensorFlow's bit for bit.

    Examples
    --------
    >>> import clrng
    >>> seed = clrng.TensorFlowSeed((1, 2))
    >>> print(seed.uniform(3))  # tf.random.stateless_uniform([3], seed=[1, 2])
    [0.8440604  0.19204533 0.9962232 ]
    """

    __slots__ = ("_mixed", "_seed")

    _arguments = ("seed",)

    seed = Attribute[tuple[int, int]]("The seed.")

    def __init__(self, seed: Sequence[int], queue: Queue | None = None, allocator: Any = None) -> None:
        if len(validation.sequence("seed", seed)) != len(MIXING):
            raise ValueError(f"seed must be 2 integers, not {len(seed)}")
        first, second = (validation.integer(f"seed[{i}]", seed[i], -(2**63), 2**63 - 1) for i in range(2))
        self._seed = first, second
        super().__init__(queue, allocator)
        words = tuple(number >> shift & 2**32 - 1 for number in self._seed for shift in (0, 32))
        self._mixed = BIJECTIONS["philox4x32"].made(words, MIXING)

    def _values(self, form: Form, out: cla.Array, place: None, low: int = 0, number_range: int = 1) -> None:  # noqa: ARG002
        upper = self._mixed[2], self._mixed[3]
        request = Request(TENSORFLOW, form, self._mixed[:2], range=number_range, low=low, upper=upper)
        counted(self._queue, request, out)

    def bits(self, size: Size = None, dtype: Any = "uint32") -> Any:
        """Return words, uint32 or uint64: ``tf.random.stateless_uniform`` without bounds.

        >>> print(clrng.TensorFlowSeed((1, 2)).bits(3))
        [1105988140 1738052849 3959391294]
        """
        return self._made("bits", chosen(BITS, dtype), size)

    def uniform(self, size: Size = None, dtype: Any = "float32") -> Any:
        """Return uniform numbers in [0, 1), float32 or float64: ``tf.random.stateless_uniform``.

        >>> print(clrng.TensorFlowSeed((1, 2)).uniform(3))
        [0.8440604  0.19204533 0.9962232 ]
        """
        return self._made("uniform", chosen(UNIFORM, dtype), size)

    def integers(self, low: int, high: int, size: Size = None, dtype: Any = "int32") -> Any:
        """Return integers from `low` to `high` - 1, int32 or int64: ``tf.random.stateless_uniform`` with bounds.

        >>> print(clrng.TensorFlowSeed((1, 2)).integers(0, 100, 3))
        [40 49 94]
        """
        form = chosen(WHOLE, dtype)
        return self._made("integers", form, size, *whole_range(low, high, form.dtype))

    def normal(self, size: Size = None) -> Any:
        """Return normal numbers of float32: near those of ``tf.random.stateless_normal``.

        Notes
        -----
        They are those of TensorFlow's formula, of a logarithm, a sine and a cosine that are rounded to nearest. On a
        processor TensorFlow's differ by less than 10^-6.

        Examples
        --------
        >>> print(clrng.TensorFlowSeed((1, 2)).normal(3))
        [0.5441101  0.20738031 0.07356432]
        """
        return self._made("normal", NORMAL, size)


complete(TensorFlowSeed, STREAM)
complete_all(TensorFlowSeed, WORDS, "bits", "uniform", "integers", "normal")
