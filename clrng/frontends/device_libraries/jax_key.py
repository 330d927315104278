"""What JAX makes of its keys, on any device."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng import validation
from clrng.documented import complete, complete_all
from clrng.frontends.device_libraries.counted import JAX_32, JAX_64, JAX_BEFORE, Request, counted
from clrng.frontends.device_libraries.forms import WORD, Form
from clrng.frontends.device_libraries.library_stream import STREAM, WORDS, LibraryStream, chosen, whole_range
from clrng.frontends.drawing import Queue, Size
from clrng.generators.generator_code import CTYPES
from clrng.generators.maths.bijections import BIJECTIONS
from clrng.generators.parameters import Attribute
from clrng.opencl import arrays, templates
from clrng.opencl.arrays import wait_list
from clrng.opencl.kernel import kernel_of
from clrng.proof.examples import Example, prove_by
from clrng.validation import shown

WORD_64 = Form("word", "uint64", 2)
BITS = {"uint32": WORD, "uint64": WORD_64}
UNIFORM = {
    "float32": Form("scaled", "float32", shift=9, bits=23),
    "float64": Form("scaled", "float64", 2, shift=12, bits=52),
}
NORMAL = Form("erf_inv", "float32")
MAX_KEYS = 2**20
"""The most keys that a key is split into at once."""


class JaxKey(LibraryStream):
    """A key of JAX: what ``jax.random`` makes of it, on any device.

    A key is no stream: what it makes is a function of the key alone, and the same at each call.

    Parameters
    ----------
    seed : int, optional
        That of ``jax.random.key(seed)`` or ``PRNGKey(seed)``, from 0 to 2^32 - 1.
    data : sequence of 2 int, optional
        In place of a seed, the words of a key, ``jax.random.key_data(key)``.
    partitionable : bool, optional
        Whether arrays are numbered as JAX does by default since version 0.5. Before, and with the option
        ``jax_threefry_partitionable`` off, words went by halves of the array: give False.

    Attributes
    ----------
    data : tuple of int
        The two words of the key.
    partitionable : bool

    Raises
    ------
    TypeError
        If not one of a seed and data is given.

    Notes
    -----
    Keys are those of ``threefry2x32``, JAX's default. `bits`, `uniform` and `randint` are JAX's bit for bit, and those
    of 64 bits are what JAX makes with ``jax_enable_x64``. JAX's compiler has a logarithm of its own for normal numbers:
    `normal` says how near they are.

    See Also
    --------
    clrng.named : ``"jax_bits"``, the bits of a key as a bit generator.

    Examples
    --------
    >>> import clrng
    >>> key = clrng.JaxKey(2026)
    >>> first, second = key.split()
    >>> print(first.data, second.uniform(3))
    (3789761601, 119823817) [0.10451698 0.21795857 0.89927864]
    """

    __slots__ = ("_data", "_partitionable")

    _arguments = ("data", "partitionable")

    data = Attribute[tuple[int, int]]("The two words of the key.")
    partitionable = Attribute[bool]("Whether arrays are numbered as JAX does by default since version 0.5.")

    def __init__(
        self, seed: int | None = None, *, data: Sequence[int] | None = None, partitionable: bool = True,
        queue: Queue | None = None, allocator: Any = None,
    ) -> None:  # fmt: skip
        if (seed is None) == (data is None):
            raise TypeError(f"one of seed and data must be given, not {shown(seed)} and {shown(data)}")
        if data is None:
            self._data = 0, validation.integer("seed", seed, 0, 2**32 - 1)
        else:
            if len(validation.sequence("data", data)) != len(("upper", "lower")):
                raise ValueError(f"data must be 2 integers, not {len(data)}")
            words = [validation.integer(f"data[{i}]", word, 0, 2**32 - 1) for i, word in enumerate(data)]
            self._data = words[0], words[1]
        self._partitionable = validation.flag("partitionable", partitionable)
        super().__init__(queue, allocator)

    def __eq__(self, other: object) -> bool:
        """Return whether both keys make the same on any device."""
        if not isinstance(other, JaxKey):
            return NotImplemented
        return (self._data, self._partitionable) == (other._data, other._partitionable)

    def __hash__(self) -> int:
        return hash((self._data, self._partitionable))

    def _words(self, *counter: int) -> tuple[int, ...]:
        return BIJECTIONS["threefry2x32"].made(counter, self._data)

    def _like(self, data: Sequence[int]) -> "JaxKey":
        return JaxKey(data=data, partitionable=self._partitionable, queue=self._queue, allocator=self.allocator)

    def split(self, num: int = 2) -> "list[JaxKey]":
        """Return new keys: ``jax.random.split(key, num)``.

        Parameters
        ----------
        num : int, optional
            How many, from 0 to 2^20.

        Returns
        -------
        list of JaxKey

        Examples
        --------
        >>> [key.data for key in clrng.JaxKey(0).split()]
        [(1797259609, 2579123966), (928981903, 3453687069)]
        """
        count = validation.integer("num", num, 0, MAX_KEYS)
        if self._partitionable:
            return [self._like(self._words(0, i)) for i in range(count)]
        pairs = [self._words(i, count + i) for i in range(count)]
        flat = [word for words in zip(*pairs, strict=True) for word in words]
        return [self._like(flat[2 * i : 2 * i + 2]) for i in range(count)]

    def fold_in(self, data: int) -> "JaxKey":
        """Return a new key: ``jax.random.fold_in(key, data)``.

        Parameters
        ----------
        data : int
            From 0 to 2^32 - 1.

        Returns
        -------
        JaxKey

        Examples
        --------
        >>> clrng.JaxKey(0).fold_in(7).data
        (2716826189, 292468403)
        """
        return self._like(self._words(0, validation.integer("data", data, 0, 2**32 - 1)))

    def _values(self, form: Form, out: cla.Array, *_: object) -> None:
        layout = JAX_BEFORE if not self._partitionable else JAX_64 if form.words > 1 else JAX_32
        counted(self._queue, Request(layout, form, self._data, threads=-(-out.size * form.words // 2)), out)

    def bits(self, size: Size = None, dtype: Any = "uint32") -> Any:
        """Return words, uint32 or uint64: ``jax.random.bits(key, size, dtype)``.

        >>> print(clrng.JaxKey(0).bits(3))
        [4070199207 4202968722 1427181096]
        """
        return self._made("bits", chosen(BITS, dtype), size)

    def uniform(self, size: Size = None, dtype: Any = "float32") -> Any:
        """Return uniform numbers in [0, 1), float32 or float64: ``jax.random.uniform(key, size, dtype)``.

        >>> print(clrng.JaxKey(0).uniform(3))
        [0.947667   0.9785799  0.33229148]
        """
        return self._made("uniform", chosen(UNIFORM, dtype), size)

    def normal(self, size: Size = None) -> Any:
        """Return normal numbers of float32: near those of ``jax.random.normal(key, size)``.

        Notes
        -----
        Three quarters of them are those of JAX 0.10 on a processor, and the others differ by up to 3 units in the last
        place: JAX rounds each operation to float32, and takes the logarithm of its compiler.

        Examples
        --------
        >>> print(clrng.JaxKey(0).normal(3))
        [ 1.622642    2.0252647  -0.43359444]
        """
        return self._made("normal", NORMAL, size)

    def randint(self, size: Size, low: int, high: int, dtype: Any = "int32") -> Any:
        """Return integers from `low` to `high` - 1, int32 or int64, as ``jax.random.randint(key, size, low, high)``.

        >>> print(clrng.JaxKey(0).randint(3, 0, 100))
        [89  0 12]
        """
        kind = validation.dtype("dtype", dtype, ("int32", "int64"))
        first, count = whole_range(low, high, kind.name)
        form = WORD if kind == np.int32 else WORD_64
        upper_key, lower_key = self.split()

        def fill(out: cla.Array, _: object) -> None:
            words: cla.Array = cla.Array(
                self._queue, out.shape, form.dtype, data=out.base_data, offset=out.offset, events=out.events
            )
            upper = cla.Array(self._queue, words.shape, words.dtype)
            upper_key._values(form, upper)  # noqa: SLF001  # of this class
            lower_key._values(form, words)  # noqa: SLF001
            jax_integers(self._queue, words, upper, count, first)
            out.add_event(words.events[-1])

        return self._draw(size, kind, fill)


complete(JaxKey, STREAM)
complete_all(JaxKey, WORDS, "split", "fold_in", "bits", "uniform", "normal", "randint")


def jax_integers(queue: cl.CommandQueue, words: cla.Array, upper: cla.Array, span: int, low: int) -> None:
    """Replace words, contiguous, by integers from `low` to ``low + span - 1``; `upper` are the upper ones."""
    bits = 8 * words.dtype.itemsize
    values = {"ctype": CTYPES[words.dtype.name], "bits": bits}
    kernel = kernel_of(
        queue, "jax_integers", templates.program, "device_libraries/jax_integers.cl.mako", values=values
    )  # fmt: skip
    prove_by(queue, [kernel], _example, _examples(words.dtype))
    half = 2 ** (bits // 2) % span
    event = kernel.for_each(
        queue, words.size, lower=words.base_data, begin=words.offset // words.dtype.itemsize, n=words.size,
        upper=upper.base_data, range=span, power=half * half % 2**bits % span, low=low % 2**64,
        wait_for=wait_list(words, upper),
    )  # fmt: skip
    arrays.attach_event(queue, words, event)


def _example(given: Sequence[cla.Array], _: object, span: int, low: int) -> None:
    queue: Any = given[0].queue
    jax_integers(queue, given[0], arrays.part(given[1], 0, given[1].size), span, low)


def _examples(dtype: np.dtype[Any]) -> Iterator[Example]:
    """Yield words whose integers are few or many."""
    bits, rng = 8 * dtype.itemsize, np.random.default_rng(3)
    for span, low in ((10, -3), (2 ** (bits - 1) + 12345, 5)):
        upper, lower = (rng.integers(0, 2**bits, 257, dtype) for _ in range(2))
        half = 2 ** (bits // 2) % span
        power = half * half % 2**bits % span
        found = [
            ((int(a) % span * power + int(b) % span) % 2**bits % span + low) % 2**bits
            for a, b in zip(upper, lower, strict=True)
        ]
        yield Example([lower, upper], {"value": np.array(found, dtype)}, {}, (span, low), offsets=(3, 0), in_place=0)
