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
"""The distance between streams whose period is not known, in values: an odd number near 0.618 times 2^64."""

BLOCK = 2**20
"""Values drawn at a time, a multiple of `COUNT`."""

WORD = 32
"""Bits of a word made of a uniform number."""

Draw = Callable[[int, str], npt.NDArray[Any]]
"""Returns the next n values on the host: of "raw" the raw ones, of any other `output` those numbers in float64."""


def whole_bytes(bits: BitGenerator) -> int:
    """Return how many bytes of a raw value are tested: 8 of one with 64 bits, else the bytes it fills, at most 4."""
    most = bits.upper_bound.bit_length() - 1
    if most < 8:  # noqa: PLR2004  # a byte
        raise ValueError(
            f"--output must be uniform for raw values below {bits.upper_bound}, which fill no byte, not raw"
        )
    return 8 if most == 64 else min(most // 8, 4)  # noqa: PLR2004  # all of them


def word_bytes(bits: BitGenerator, output: str) -> int:
    """Return the number of bytes of each word that `blocks` yields."""
    return whole_bytes(bits) if output == "raw" else WORD // 8


def blocks(bits: BitGenerator, output: str, streams: str, queue: cl.CommandQueue) -> Iterator[npt.NDArray[Any]]:
    """Yield words without end, as arrays of unsigned integers; each is valid until the next is asked for.

    A raw value x is made uniform as x / m, m being its upper bound. With the `output` "raw", a word is the highest
    whole bytes of x: floor(2^w x / m) for the largest w of 32, 24, 16 and 8 with 2^w <= m, and x itself for m = 2^64.
    With "uniform" it is the first 32 bits of x / m, floor(2^32 x / m). With "normal" and "exponential" it is the first
    32 bits of F(y), for standard values y in float64 and their distribution function F.

    With the `streams` "sequential" these are the values one after the other; with "jumped" those of `COUNT` streams,
    each a jump of ``jump_distance`` from the one before, dealt value by value: the first of each, the second of each,
    and so on; with "leapfrog" every `COUNT`-th value, which is the first of the `COUNT` streams of a leapfrog.

    `bits` itself is not advanced. `ValueError` is raised if raw values fill no byte, or for values of distributions
    that are not "sequential", and `UnsupportedError` if double precision is needed and the device has none.
    """
    validation.choice("output", output, OUTPUTS)
    validation.choice("streams", streams, STREAMS)
    if output in ("normal", "exponential") and streams != "sequential":
        raise ValueError(f"--streams must be sequential for the values of a distribution, not {streams}")
    draw = {"sequential": _sequential, "jumped": _jumped, "leapfrog": _leapfrog}[streams](bits.copy(), queue)
    width, bound = 8 * word_bytes(bits, output), bits.upper_bound
    if output in ("normal", "exponential"):
        function, most = _distribution_function(output), np.nextafter(1.0, 0.0)
        return (_first_bits(np.minimum(function(draw(n, output)), most), WORD) for n in repeat(BLOCK))
    if output == "raw" and bound == 2**width and width == 8 * bits.dtype.itemsize:
        return (draw(n, "raw") for n in repeat(BLOCK))
    words = (_scaled(bound, draw, n, width) for n in repeat(BLOCK))
    if width == 24:  # noqa: PLR2004  # no dtype has three bytes
        return (each.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :3] for each in words)
    return (each.astype(f"u{width // 8}", copy=False) for each in words)


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
