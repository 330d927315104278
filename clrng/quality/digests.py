"""The published digests: of pieces of many streams, of distributions and of permutations, to compare any device with.

The file is made from the recurrences in Python's integers, and from the definitions of distributions in integers and
exactly rounded operations, with ``python -m tests.support.make_digests`` in a checkout.
"""

import hashlib
import json
from collections.abc import Callable
from collections.abc import Generator as Steps
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import UNIFORM
from clrng.distributions.catalog import distribution
from clrng.distributions.discrete import Discrete
from clrng.distributions.distribution import Continuous
from clrng.distributions.quantiles.tables import inverse_table
from clrng.distributions.transforms.uniform import HALF, digits
from clrng.errors import ClrngError
from clrng.frontends.generator import Generator
from clrng.generators import BitGenerator
from clrng.generators.families import FAMILIES, NAMED, exact_arithmetics
from clrng.opencl.devices import DeviceInfo, describe

LENGTH = 4096
"""The number of values of a piece, except of permutations."""

TITLE = "published digests"

CLASSES = {family.generator.__name__: family.generator for family in FAMILIES.values()}
"""The classes of generators without a name in `clrng.NAMED`, by their own names."""

GENERATORS, DISTRIBUTIONS, PERMUTATIONS = "generators", "distributions", "orders"
"""The tables of the file."""

WITHOUT_TABLES = ("random", "integers")
"""Methods that use no table, and whose distribution depends on the dtype or has no name."""

WORDINGS = {
    GENERATORS: ("{0.dtype} after {0.offset} values the next is", f"{LENGTH} are", "{0.dtype} at {0.offset}"),
    DISTRIBUTIONS: ("{0.dtype} of {0.generator} after {0.offset} raw values the next is", f"{LENGTH} are",
                    "{0.dtype} of {0.generator}"),
    PERMUTATIONS: ("the order of {0.generator} after {0.offset} raw values begins with", "is", "{0.generator}"),
}  # fmt: skip
"""How the results of each table are worded: how a fault begins, how it ends, and what right pieces are called."""


@dataclass(frozen=True)
class CheckResult:
    """What a check found: how many cases, whether all passed, and what was wrong or else what the cases were."""

    check: str
    cases: int
    passed: bool
    detail: str


CheckSteps = Steps[int, None, CheckResult]
"""Yields how many cases it has done since it last yielded, and returns what it found."""


def run_check(check: CheckSteps, advance: Callable[[int], None]) -> CheckResult:
    """Run `check` to its end, call `advance` with what it yields, and return what it found."""
    try:
        while True:
            advance(next(check))
    except StopIteration as end:
        found: CheckResult = end.value
        return found


@dataclass(frozen=True)
class Piece:
    """Consecutive values, drawn from the stream `generator` after `offset` raw values.

    `sha256` is their `digest`, and `table` that of the table in which they are looked up. Pieces of generators have a
    `place`: ``"start"``, ``"middle"`` or ``"far"``.
    """

    generator: str
    offset: int
    dtype: str
    first: float
    sha256: str
    table: str | None = None
    place: str | None = None


@dataclass(frozen=True)
class Entry:
    """What is drawn by `maker`, a name or class of generators or a method of `Generator`, and its published pieces."""

    table: str
    name: str
    maker: str
    arguments: dict[str, Any]
    pieces: tuple[Piece, ...]
    length: int = LENGTH
    columns: int | None = None  # In rows of so many values, those with parameters that are arrays are drawn

    def make(self) -> BitGenerator:
        """Return the generator at the start of its stream."""
        return make(self.maker, self.arguments)

    def drawn_on(self, device: DeviceInfo) -> tuple[Piece, ...]:
        """Return the pieces that `device` can draw: all, or without double precision all but float64."""
        return tuple(piece for piece in self.pieces if piece.dtype != "float64" or device.fp64)

    def exact_on(self, device: DeviceInfo) -> list[str]:
        """Return the names of the arithmetics in which the generator is exact on `device`."""
        return [arithmetic.name for arithmetic in exact_arithmetics(device, self.make())]


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
def _published() -> dict[str, dict[str, dict[str, Any]]]:
    """Return all tables of the file."""
    found: dict[str, dict[str, dict[str, Any]]] = json.loads(path().read_text())
    return found


@cache
def stream(generator: str) -> BitGenerator:
    """Return the generator of an entry at the start of its stream; callers must copy it."""
    return entries()[generator].make()


@cache
def entries(table: str = GENERATORS) -> dict[str, Entry]:
    """Return what a table of the file has, by name."""
    found = {}
    for name, row in _published()[table].items():
        pieces = tuple(Piece(**{"generator": name, "dtype": "int64", **piece}) for piece in row["pieces"])
        length = row.get("length", LENGTH)
        maker = row.get("generator") or row.get("method") or "permutation"
        arguments, columns = row.get("arguments", {"x": length}), row.get("columns")
        found[name] = Entry(table, name, maker, arguments, pieces, length, columns)
    return found


def entry_of(bits: BitGenerator) -> Entry | None:
    """Return the entry of the stream that begins where `bits` stands, or None if the file has none."""
    return next((entry for entry in entries().values() if entry.make() == bits), None)


def digest(values: npt.NDArray[Any]) -> str:
    """Return the SHA-256 of the bytes of `values`, the least significant byte of each first."""
    return hashlib.sha256(values.astype(values.dtype.newbyteorder("<")).tobytes()).hexdigest()


def table_digest(entry: Entry, piece: Piece) -> str | None:
    """Return the digest of the table that this machine makes for a piece, or None if there is not one.

    Of continuous distributions these are the coefficients; of discrete ones the smallest value and the thresholds, 16
    bytes each, the least significant first.
    """
    if entry.table != DISTRIBUTIONS or entry.maker in WITHOUT_TABLES or entry.columns:
        return None
    bits, found = stream(piece.generator), distribution(entry.maker, **entry.arguments)
    halved = bits.has_halves and found.fits_half(np.dtype(piece.dtype))
    raw_values = HALF if halved else bits.upper_bound - bits.min_value
    if isinstance(found, Continuous):
        steps = 1 if piece.dtype == "float32" else digits(raw_values)
        return inverse_table(found.quantile, raw_values**steps, piece.dtype).digest
    if not isinstance(found, Discrete):
        return None
    low, thresholds = found.thresholds(raw_values ** digits(raw_values))
    numbers = (number.to_bytes(16, "little", signed=True) for number in (low, *thresholds))
    return hashlib.sha256(b"".join(numbers)).hexdigest()


def _drawn(rng: Generator, entry: Entry, piece: Piece) -> npt.NDArray[Any]:
    """Return the values of a piece; their memory is all ones before, so that a value not written is found."""
    if entry.table == PERMUTATIONS:
        return np.asarray(rng.permutation(**entry.arguments).get())
    poisoned = np.frombuffer(b"\xff" * (entry.length * np.dtype(piece.dtype).itemsize), piece.dtype)
    out = cla.to_device(rng.queue, poisoned)
    if entry.table == DISTRIBUTIONS:
        in_rows: Any = out
        getattr(rng, entry.maker)(**entry.arguments, out=in_rows.reshape(-1, entry.columns or entry.length))
        return np.asarray(out.get())
    return np.asarray((rng.random(out=out) if piece.dtype in UNIFORM else rng.random_raw(out=out)).get())


def compared(queue: cl.CommandQueue, entry: Entry, arithmetic: str = "auto") -> CheckSteps:
    """Draw every piece of `entry` that the device can draw, and compare the digests of values and tables."""
    drawn, wrong = entry.drawn_on(describe(queue.device)), []
    place, all_of_it, right = WORDINGS[entry.table]
    for piece in drawn:
        rng = Generator(stream(piece.generator).jumped(piece.offset), queue, arithmetic)
        values = _drawn(rng, entry, piece)
        if table_digest(entry, piece) != piece.table:
            wrong.append(f"the table of {piece.dtype} for {piece.generator} is another one")
        elif digest(values) != piece.sha256:
            first = values[0].item()
            rest = f", as published, but not all {all_of_it}" if first == piece.first else f", not {piece.first}"
            wrong.append(f"{place.format(piece)} {first}{rest}")
        yield entry.length
    detail = "; ".join(wrong) or ", ".join(dict.fromkeys(right.format(piece) for piece in drawn))
    return CheckResult(TITLE, entry.length * len(drawn), not wrong, detail)


def finding(
    queue: cl.CommandQueue, entry: Entry, advance: Callable[[int], None], arithmetic: str = "auto"
) -> CheckResult:
    """Run `compared` and return what it found; an error of the device or its compiler is a failed check."""
    try:
        return run_check(compared(queue, entry, arithmetic), advance)
    except (ClrngError, cl.Error) as error:
        return CheckResult(TITLE, 0, passed=False, detail=f"{type(error).__name__}: {error}".split("\n")[0])
