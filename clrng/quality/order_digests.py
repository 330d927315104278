"""The published digests of random orders: of what `Generator.permutation` gives for fixed lengths.

They are in the same file as those of generators, made by ``python -m tests.support.make_order_digests`` in a checkout
from the keys of the sequential recurrences.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import pyopencl as cl

from clrng.frontends.generator import Generator
from clrng.quality import checks
from clrng.quality.checks import CheckResult, CheckSteps
from clrng.quality.digests import TITLE, digest, path
from clrng.quality.digests import entries as generator_entries


@dataclass(frozen=True)
class OrderPiece:
    """An order.

    Attributes
    ----------
    generator : str
        The stream that its keys are from: an entry among those of generators.
    offset : int
        How many raw values come before.
    first : int
        The first place.
    sha256 : str
        The digest of all, as int64.
    """

    generator: str
    offset: int
    first: int
    sha256: str


@dataclass(frozen=True)
class OrderEntry:
    """Orders of a length.

    Attributes
    ----------
    name : str
        Its key in the file.
    length : int
    pieces : tuple of OrderPiece
    """

    name: str
    length: int
    pieces: tuple[OrderPiece, ...]


@cache
def entries() -> dict[str, OrderEntry]:
    """Return what the file has, by name."""
    rows = json.loads(path().read_text())["orders"]
    return {
        name: OrderEntry(name, row["length"], tuple(OrderPiece(**piece) for piece in row["pieces"]))
        for name, row in rows.items()
    }


def compared(queue: cl.CommandQueue, entry: OrderEntry) -> CheckSteps:
    """Make every order of `entry`, and compare the digests."""
    wrong = []
    for piece in entry.pieces:
        rng = Generator(generator_entries()[piece.generator].make().jumped(piece.offset), queue)
        order = rng.permutation(entry.length).get()
        if digest(order) != piece.sha256:
            where = f"the order of {piece.generator} after {piece.offset} raw values"
            begins = f"begins with {order[0]}"
            as_published = order[0] == piece.first
            wrong.append(
                f"{where} {begins}, as published, but not all is"
                if as_published
                else f"{where} {begins}, not {piece.first}"
            )
        yield entry.length
    about = dict.fromkeys(piece.generator for piece in entry.pieces)
    return CheckResult(TITLE, entry.length * len(entry.pieces), not wrong, "; ".join(wrong) or ", ".join(about))


def finding(queue: cl.CommandQueue, entry: OrderEntry, advance: Callable[[int], None]) -> CheckResult:
    """Run `compared` to its end, and return what it found."""
    return checks.finding(TITLE, compared(queue, entry), advance)
