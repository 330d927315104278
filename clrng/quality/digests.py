"""The published digests: of fixed pieces of many streams, for any device to be compared with.

The file is made by the recurrences in Python's integers alone, with
``python -m tests.support.make_digests`` in a checkout.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import UNIFORM
from clrng.frontends.generator import Generator
from clrng.generators import BitGenerator
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.catalog import NAMED
from clrng.generators.families import FAMILIES, why_not
from clrng.opencl.devices import DeviceInfo, describe
from clrng.quality import checks
from clrng.quality.checks import CheckResult, CheckSteps

LENGTH = 4096
"""The values of a piece."""

TITLE = "published digests"

CLASSES = {family.generator.__name__: family.generator for family in FAMILIES.values()}
"""What a generator without a name in `clrng.NAMED` can be, by the names of classes."""


@dataclass(frozen=True)
class Piece:
    """Consecutive values of a stream.

    Attributes
    ----------
    place : str
        ``"start"``, ``"middle"`` or ``"far"``.
    offset : int
        How many values come before.
    dtype : str
        float32 or float64 for uniform values; that of raw values, for these.
    first : int or float
        The first value.
    sha256 : str
        The digest of all, as `digest` takes it.
    """

    place: str
    offset: int
    dtype: str
    first: float
    sha256: str


@dataclass(frozen=True)
class Entry:
    """A seeded generator and pieces of its stream.

    Attributes
    ----------
    name : str
        Its key in the file.
    generator : str
        A name in `clrng.NAMED`, or that of a class.
    arguments : dict
        What makes the generator, by keyword.
    pieces : tuple of Piece
    """

    name: str
    generator: str
    arguments: dict[str, Any]
    pieces: tuple[Piece, ...]

    def make(self) -> BitGenerator:
        """Return the generator at the start of its stream."""
        return make(self.generator, self.arguments)

    def drawn_on(self, device: DeviceInfo) -> tuple[Piece, ...]:
        """Return the pieces that `device` can draw: all, or without double precision all but float64."""
        return tuple(piece for piece in self.pieces if piece.dtype != "float64" or device.fp64)

    def exact_on(self, device: DeviceInfo) -> list[str]:
        """Return the names of the arithmetics that are exact on `device`."""
        return [name for name in ARITHMETICS if why_not(name, device, self.make()) is None]


def make(generator: str, arguments: dict[str, Any]) -> BitGenerator:
    """Return the generator of a name in `clrng.NAMED` or of a class, made with these arguments."""
    made: BitGenerator = (NAMED[generator].make if generator in NAMED else CLASSES[generator])(**arguments)
    return made


def path() -> Path:
    """Return the file: inside an installed package, among the tests in a checkout."""
    package = Path(__file__).parents[1]
    for file in (package / "quality" / "digests.json", package.parent / "tests" / "data" / "digests.json"):
        if file.is_file():
            return file
    raise FileNotFoundError(f"clrng is installed without its digests: no digests.json in {package}")


@cache
def entries() -> dict[str, Entry]:
    """Return what the file has, by name."""
    rows = json.loads(path().read_text())["generators"]
    return {
        name: Entry(name, row["generator"], row["arguments"], tuple(Piece(**piece) for piece in row["pieces"]))
        for name, row in rows.items()
    }


def entry_of(bits: BitGenerator) -> Entry | None:
    """Return the entry of the stream that begins where `bits` stands, or None if the file has none."""
    return next((entry for entry in entries().values() if entry.make() == bits), None)


def digest(values: npt.NDArray[Any]) -> str:
    """Return the SHA-256 of the bytes of `values`, the least significant byte of each first."""
    return hashlib.sha256(values.astype(values.dtype.newbyteorder("<")).tobytes()).hexdigest()


def compared(queue: cl.CommandQueue, entry: Entry, arithmetic: str) -> CheckSteps:
    """Draw every piece of `entry` that the device can draw, in one arithmetic, and compare the digests.

    The memory for a piece is set to all ones before, so that none is taken for right that was not written.
    """
    start, drawn = entry.make(), entry.drawn_on(describe(queue.device))
    rng = Generator(start, queue, arithmetic)
    wrong = []
    for piece in drawn:
        rng.bit_generator = start.jumped(piece.offset)
        out = cla.to_device(queue, np.frombuffer(b"\xff" * (LENGTH * np.dtype(piece.dtype).itemsize), piece.dtype))
        values = (rng.random(out=out) if piece.dtype in UNIFORM else rng.random_raw(out=out)).get()
        if digest(values) != piece.sha256:
            wrong.append(_fault(piece, values[0].item()))
        yield LENGTH
    detail = "; ".join(wrong) or ", ".join(dict.fromkeys(f"{piece.dtype} at {piece.offset}" for piece in drawn))
    return CheckResult(TITLE, LENGTH * len(drawn), not wrong, detail)


def finding(queue: cl.CommandQueue, entry: Entry, arithmetic: str, advance: Callable[[int], None]) -> CheckResult:
    """Run `compared` to its end, and return what it found."""
    return checks.finding(TITLE, compared(queue, entry, arithmetic), advance)


def _fault(piece: Piece, first: float) -> str:
    where = f"{piece.dtype} after {piece.offset} values"
    if first != piece.first:
        return f"{where} the next is {first}, not {piece.first}"
    return f"{where} the next is {first}, as published, but not all {LENGTH} are"
