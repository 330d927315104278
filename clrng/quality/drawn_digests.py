"""The published digests of distributions: of fixed pieces of what the methods of `Generator` draw, and of tables.

They are in the same file as those of generators, made by ``python -m tests.support.make_digests`` in a checkout from
the definitions in integers and exactly rounded operations.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions.distribution import Continuous, Counted, Distribution
from clrng.distributions.quantiles.inverse_table import inverse_table
from clrng.distributions.transforms.integers import digits
from clrng.frontends.generator import Generator
from clrng.opencl.devices import DeviceInfo, describe
from clrng.quality import checks
from clrng.quality.checks import CheckResult, CheckSteps
from clrng.quality.digests import LENGTH, TITLE, digest, path
from clrng.quality.digests import entries as generator_entries


@dataclass(frozen=True)
class DrawnPiece:
    """Consecutive values of a distribution.

    Attributes
    ----------
    generator : str
        The stream that they are made of: an entry among those of generators.
    offset : int
        How many raw values come before.
    dtype : str
    first : int or float
        The first value.
    sha256 : str
        The digest of all.
    table : str or None
        The digest of the table that they are made by, if there is one.
    """

    generator: str
    offset: int
    dtype: str
    first: float
    sha256: str
    table: str | None


@dataclass(frozen=True)
class DrawnEntry:
    """A distribution with its parameters.

    Attributes
    ----------
    name : str
        Its key in the file.
    method : str
        Of `Generator`.
    arguments : dict
        By keyword.
    pieces : tuple of DrawnPiece
    """

    name: str
    method: str
    arguments: dict[str, Any]
    pieces: tuple[DrawnPiece, ...]

    def drawn_on(self, device: DeviceInfo) -> tuple[DrawnPiece, ...]:
        """Return the pieces that `device` can draw: all, or without double precision all but float64."""
        return tuple(piece for piece in self.pieces if piece.dtype != "float64" or device.fp64)


class Asked(Generator):
    """A generator without a stream: its methods keep the distribution that they are asked for, and draw nothing."""

    distribution: Distribution

    def __init__(self) -> None:
        pass

    def sample(self, distribution: Distribution, *_: Any, **__: Any) -> Any:
        """Keep the distribution."""
        self.distribution = distribution

    def _located(self, quantile: Any, loc: Any, scale: Any, *_: Any, **__: Any) -> Any:
        self.distribution = Continuous(quantile, loc, scale)


def table_digest(entry: DrawnEntry, piece: DrawnPiece) -> str | None:
    """Return the digest of the table that this machine makes for a piece, or None if there is none.

    Of continuous distributions these are the coefficients; of discrete ones the least value and the thresholds, 16
    bytes each, the least significant first.
    """
    asked = Asked()
    getattr(asked, entry.method)(**entry.arguments, dtype=piece.dtype)
    bits, found = generator_entries()[piece.generator].make(), asked.distribution
    raw_values = bits.upper_bound - bits.min_value
    if isinstance(found, Continuous):
        steps = 1 if piece.dtype == "float32" else digits(raw_values)
        return inverse_table(found.quantile, raw_values**steps, piece.dtype).digest
    if not isinstance(found, Counted):
        return None
    low, thresholds = found.discrete.thresholds(raw_values ** digits(raw_values))
    numbers = (number.to_bytes(16, "little", signed=True) for number in (low, *thresholds))
    return hashlib.sha256(b"".join(numbers)).hexdigest()


@cache
def entries() -> dict[str, DrawnEntry]:
    """Return what the file has, by name."""
    rows = json.loads(path().read_text())["distributions"]
    return {
        name: DrawnEntry(name, row["method"], row["arguments"], tuple(DrawnPiece(**piece) for piece in row["pieces"]))
        for name, row in rows.items()
    }


def compared(queue: cl.CommandQueue, entry: DrawnEntry, arithmetic: str = "auto") -> CheckSteps:
    """Draw every piece of `entry` that the device can draw, and compare the digests of values and tables.

    The memory for a piece is set to all ones before, so that none is taken for right that was not written.
    """
    drawn, wrong = entry.drawn_on(describe(queue.device)), []
    for piece in drawn:
        rng = Generator(generator_entries()[piece.generator].make().jumped(piece.offset), queue, arithmetic)
        out = cla.to_device(queue, np.frombuffer(b"\xff" * (LENGTH * np.dtype(piece.dtype).itemsize), piece.dtype))
        getattr(rng, entry.method)(**entry.arguments, out=out)
        values = out.get()
        if table_digest(entry, piece) != piece.table:
            wrong.append(f"the table of {piece.dtype} for {piece.generator} is another one")
        elif digest(values) != piece.sha256:
            wrong.append(_fault(piece, values[0].item()))
        yield LENGTH
    about = dict.fromkeys(f"{piece.dtype} of {piece.generator}" for piece in drawn)
    return CheckResult(TITLE, LENGTH * len(drawn), not wrong, "; ".join(wrong) or ", ".join(about))


def finding(
    queue: cl.CommandQueue, entry: DrawnEntry, advance: Callable[[int], None], arithmetic: str = "auto"
) -> CheckResult:
    """Run `compared` to its end, and return what it found."""
    return checks.finding(TITLE, compared(queue, entry, arithmetic), advance)


def _fault(piece: DrawnPiece, first: float) -> str:
    where = f"{piece.dtype} of {piece.generator} after {piece.offset} raw values the next is {first}"
    return f"{where}, as published, but not all {LENGTH} are" if first == piece.first else f"{where}, not {piece.first}"
