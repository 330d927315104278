"""Make the digests of distributions in tests/data/digests.json, by the definitions in `tests.support.reference_draws`.

``python -m tests.support.make_drawn_digests`` makes them alone, without those of the streams, which take long.
"""

import hashlib
import json
from functools import cache

from clrng.generators import BitGenerator
from clrng.quality.digests import LENGTH, Piece, digest, make, path
from tests.support.drawn_cases import CASES, Case
from tests.support.reference_draws import numbers

FAR = 10**15

FIELDS = ("generator", "offset", "dtype", "first", "sha256", "table")
"""What the file says of each piece."""

EVERYWHERE = {
    "standard_normal", "normal", "standard_gamma", "triangular", "integers_6", "integers_int64", "poisson_3.5",
    "choice",
}  # fmt: skip
"""The cases that are drawn of every generator."""

PLACES: tuple[tuple[str, int, bool, bool], ...] = (
    ("park_miller", 0, True, True),
    ("park_miller", 2**30 - 1, False, False),
    ("park_miller", FAR, False, True),
    ("mmix", 0, True, True),
    ("mmix", 2**63, False, False),
    ("numerical_recipes", 0, False, False),
    ("numerical_recipes", FAR, False, False),
    ("mrg32k3a", 0, False, False),
    ("mrg32k3a", FAR, False, False),
    ("glibc_type_3", 0, False, False),
)
"""Generators and offsets, whether every dtype is drawn there or the first one, and whether every case is."""

GENERATORS: dict[str, tuple[str, dict[str, int]]] = {
    "park_miller": ("ParkMiller", {"seed": 1}),
    "mmix": ("mmix", {"seed": 1}),
    "numerical_recipes": ("numerical_recipes", {"seed": 1}),
    "mrg32k3a": ("MRG32k3a", {"seed": 12345}),
    "glibc_type_3": ("glibc_type_3", {"seed": 1}),
}
"""What they are among the entries of generators."""


@cache
def at(generator: str, offset: int) -> BitGenerator:
    name, arguments = GENERATORS[generator]
    return make(name, arguments).jumped(offset)


@cache
def _numbers(generator: str, offset: int, steps: int) -> list[int]:
    return numbers(at(generator, offset), LENGTH, steps)


def piece(case: Case, generator: str, offset: int, dtype: str) -> Piece:
    """Return a piece, made by the definitions."""
    bits = at(generator, offset)
    raw_values = bits.upper_bound - bits.min_value
    steps = case.reference.steps(raw_values, dtype)
    values = case.reference.values(_numbers(generator, offset, steps), raw_values**steps, dtype)
    table = case.reference.table_bytes(raw_values, dtype)
    made = None if table is None else hashlib.sha256(table).hexdigest()
    return Piece(generator, offset, dtype, values[0].item(), digest(values), made)


def pieces(name: str) -> list[Piece]:
    """Return all pieces of the case of this name."""
    case = CASES[name]
    places = [place for place in PLACES if place[3] or name in EVERYWHERE]
    return [
        piece(case, generator, offset, dtype)
        for generator, offset, every_dtype, _ in places
        for dtype in (case.dtypes if every_dtype else case.dtypes[:1])
    ]


def line(piece: Piece, fields: tuple[str, ...]) -> str:
    """Return these fields of a piece, as the file has them."""
    return json.dumps({field: getattr(piece, field) for field in fields})


def text() -> str:
    """Return the value of ``"distributions"`` in the file, with a line for each piece."""
    rows = []
    for name, case in CASES.items():
        lines = ",\n    ".join(line(each, FIELDS) for each in pieces(name))
        head = (
            f'   "method": {json.dumps(case.method)},\n   "arguments": {json.dumps(case.arguments)},\n   "pieces": [\n'
        )
        rows.append(f"  {json.dumps(name)}: {{\n{head}    {lines}\n   ]\n  }}")
    return "{\n" + ",\n".join(rows) + "\n }"


def write() -> None:
    """Make the part of the file that is about distributions, and leave the other as it is."""
    before, mark, _ = path().read_text().rpartition(' "distributions": ')
    path().write_text(f"{before}{mark}{text()}\n}}\n")


if __name__ == "__main__":
    write()
    print(f"-> {path()}")
