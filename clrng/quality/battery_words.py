"""The words that test batteries read: made of raw values, uniform numbers or values of distributions."""

from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl

from clrng import validation
from clrng.distributions.catalog import distribution
from clrng.frontends.generator import Generator
from clrng.frontends.streams import Streams
from clrng.generators import BitGenerator

OUTPUTS = ("raw", "uniform", "normal", "exponential")
"""What words are made of; see `blocks`."""

STREAMS = ("sequential", "jumped", "leapfrog")
"""Which values of the sequence they are made of; see `blocks`."""

COUNT = 64
"""How many streams are dealt by jumps, or by leapfrog."""

FAR = 0x9E3779B97F4A7C15
"""How many values streams are apart whose period is not known: an odd number near 0.618 times 2^64."""

BLOCK = 2**20
"""Values drawn at a time, a multiple of `COUNT`."""

WORD = 32
"""Bits of the words that uniform numbers become."""

Draw = Callable[[int, str], npt.NDArray[Any]]
"""Returns the next n values on the host: raw ones, or of float64 what its second argument says."""


def whole_bytes(bits: BitGenerator) -> int:
    """Return how many bytes of a raw value are tested: 8 of one with 64 bits, else those that it fills, up to 4."""
    most = bits.upper_bound.bit_length() - 1
    if most < 8:  # noqa: PLR2004  # a byte
        raise ValueError(
            f"--output must be uniform for raw values below {bits.upper_bound}, which fill no byte, not raw"
        )
    return 8 if most == 64 else min(most // 8, 4)  # noqa: PLR2004  # all of them


def word_bytes(bits: BitGenerator, output: str) -> int:
    """Return of how many bytes the words are that `blocks` yields."""
    return whole_bytes(bits) if output == "raw" else WORD // 8


def blocks(bits: BitGenerator, output: str, streams: str, queue: cl.CommandQueue) -> Iterator[npt.NDArray[Any]]:
    """Yield words without end, as arrays of unsigned integers; each is good until the next is asked for.

    With m for what raw values x are divided by to be uniform, the `output` "raw" is the highest whole bytes of the
    value, which is floor(2^w x / m) for w = 32, 24, 16 or 8, the largest that 2^w <= m allows, and the value itself for
    m = 2^64; "uniform" is floor(2^32 x / m), the first 32 bits of the uniform number x / m; "normal" and "exponential"
    are standard ones of float64, which their distribution function makes uniform again, and of these the first 32 bits.

    The `streams` are "sequential": the values one after the other; "jumped": `COUNT` streams, each begun by a jump of
    ``jump_distance`` from the beginning of the one before, dealt value by value: the first of each, the second of each,
    and so on; "leapfrog": the first of the `COUNT` streams that dealing makes: every `COUNT`-th value.

    `bits` stays where it is. `ValueError` is raised if raw values fill no byte, or values of distributions are to be
    dealt, and `UnsupportedError` if the device has no double precision and it is needed.
    """
    validation.choice("output", output, OUTPUTS)
    validation.choice("streams", streams, STREAMS)
    if output in ("normal", "exponential") and streams != "sequential":
        raise ValueError(f"--streams must be sequential for the values of a distribution, not {streams}")
    draw = {"sequential": _sequential, "jumped": _jumped, "leapfrog": _leapfrog}[streams](bits.copy(), queue)
    make = _made_raw(bits, draw) if output == "raw" else _made_uniform(bits, draw, output)
    return map(make, repeat(BLOCK))


def _sequential(bits: BitGenerator, queue: cl.CommandQueue) -> Draw:
    rng = Generator(bits, queue)
    memories: dict[tuple[int, str], npt.NDArray[Any]] = {}

    def draw(n: int, what: str) -> npt.NDArray[Any]:
        dtype = bits.dtype if what == "raw" else np.dtype(np.float64)
        memory: Any = memories.setdefault((n, what), np.empty(n, dtype))
        if what == "raw":
            return np.asarray(rng.random_raw(n, memory))
        if what == "uniform":
            return np.asarray(rng.random(n, "float64", memory))
        return np.asarray(rng.sample(distribution(f"standard_{what}"), n, "float64", memory))

    return draw


def _jumped(bits: BitGenerator, queue: cl.CommandQueue) -> Draw:
    streams = Streams.by_jumps(bits, COUNT, FAR if bits.period is None else bits.jump_distance, queue)

    def draw(n: int, what: str) -> npt.NDArray[Any]:
        steps = n // COUNT
        values = streams.random_raw(steps) if what == "raw" else streams.random(steps, "float64")
        return np.asarray(values.get()).reshape(-1)

    return draw


def _leapfrog(bits: BitGenerator, queue: cl.CommandQueue) -> Draw:
    draw_all = _sequential(bits, queue)

    def draw(n: int, what: str) -> npt.NDArray[Any]:
        return np.concatenate([draw_all(BLOCK, what)[::COUNT].copy() for _ in range(n * COUNT // BLOCK)])

    return draw


def _made_raw(bits: BitGenerator, draw: Draw) -> Callable[[int], npt.NDArray[Any]]:
    """Return what draws the highest whole bytes of raw values."""
    count, bound = whole_bytes(bits), bits.upper_bound

    def make(n: int) -> npt.NDArray[Any]:
        if count == bits.dtype.itemsize and bound == 2 ** (8 * count):
            return draw(n, "raw")
        words = _scaled(bound, draw, n, 8 * count)
        if count == 3:  # noqa: PLR2004  # no dtype has three bytes
            return words.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :3]
        return words.astype(f"u{count}")

    return make


def _made_uniform(bits: BitGenerator, draw: Draw, what: str) -> Callable[[int], npt.NDArray[Any]]:
    """Return what draws the first 32 bits of uniform numbers."""
    if what == "uniform":
        return lambda n: _scaled(bits.upper_bound, draw, n, WORD)
    function = _distribution_function(what)
    most = np.nextafter(1.0, 0.0)
    return lambda n: _first_bits(np.minimum(function(draw(n, what)), most), WORD)


def _scaled(bound: int, draw: Draw, n: int, width: int) -> npt.NDArray[np.uint32]:
    """Return floor(2^width x / bound) for the next `n` raw values x."""
    if bound & (bound - 1):
        return _first_bits(draw(n, "uniform"), width)
    spare = bound.bit_length() - 1 - width
    raw = draw(n, "raw")
    return (raw >> spare if spare >= 0 else raw << -spare).astype(np.uint32, copy=False)


def _first_bits(numbers: npt.NDArray[np.float64], width: int) -> npt.NDArray[np.uint32]:
    """Return the first `width` bits of numbers in [0, 1)."""
    return (numbers * 2.0**width).astype(np.uint32)


def _distribution_function(what: str) -> Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]:
    if what == "exponential":
        return lambda x: -np.expm1(-x)
    try:
        from scipy.special import ndtr  # noqa: PLC0415  # clrng runs without SciPy
    except ImportError:
        raise ValueError("--output normal needs SciPy, which is not installed; pip install scipy brings it") from None
    return ndtr  # type: ignore[no-any-return]  # of NumPy's arrays
