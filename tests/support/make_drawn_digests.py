"""Make the digests of distributions and random orders in tests/data/digests.json, by their definitions.

``python -m tests.support.make_drawn_digests`` makes them alone, without those of the streams, which take long.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from clrng.generators import BitGenerator
from clrng.generators.halves import Halved
from clrng.quality.digests import LENGTH, Piece, digest, make, path
from tests.support.drawn_cases import BY_ELEMENT, CASES, Case
from tests.support.orders import order
from tests.support.reference_draws import numbers, of_numpy

FAR = 10**15

FIELDS = ("generator", "offset", "dtype", "first", "sha256", "table")
ORDER_FIELDS = ("generator", "offset", "first", "sha256")
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
    ("numpy_pcg64", 0, True, True),
    ("numpy_pcg64", FAR, False, False),
)
"""Generators and offsets, whether every dtype is drawn there or the first one, and whether every case is."""

GENERATORS: dict[str, tuple[str, dict[str, int]]] = {
    "park_miller": ("ParkMiller", {"seed": 1}),
    "mmix": ("mmix", {"seed": 1}),
    "numerical_recipes": ("numerical_recipes", {"seed": 1}),
    "mrg32k3a": ("MRG32k3a", {"seed": 12345}),
    "glibc_type_3": ("glibc_type_3", {"seed": 1}),
    "numpy_pcg64": ("numpy_pcg64", {"seed": 1}),
}
"""What they are among the entries of generators."""

LENGTHS = {
    4096: [(name, offset) for name in GENERATORS for offset in (0, FAR)],
    100_000: [("park_miller", 0), ("mmix", 0)],
}
"""The generators and offsets of each length of an order."""


@cache
def at(generator: str, offset: int) -> BitGenerator:
    name, arguments = GENERATORS[generator]
    return make(name, arguments).jumped(offset)


@cache
def _numbers(generator: str, offset: int, steps: int, halved: bool) -> list[int]:
    bits = at(generator, offset)
    return numbers(cast("Halved", bits).halves() if halved else bits, LENGTH, steps)


def piece(case: Case, generator: str, offset: int, dtype: str) -> Piece:
    """Return a piece, made by the definitions."""
    bits, reference = at(generator, offset), case.reference
    raw_values, halved = bits.upper_bound - bits.min_value, False
    if isinstance(bits, Halved):  # numbers of 32 bits take halves of the values, as NumPy's do
        reference, halved = of_numpy(reference, dtype), dtype == "float32"
        raw_values = 2**32 if halved else raw_values
    steps = reference.steps(raw_values, dtype)
    values = reference.values(_numbers(generator, offset, steps, halved), raw_values**steps, dtype)
    table = reference.table_bytes(raw_values, dtype)
    made = None if table is None else hashlib.sha256(table).hexdigest()
    return Piece(generator, offset, dtype, values[0].item(), digest(values), made)


def pieces(name: str) -> list[Piece]:
    """Return all pieces of the case of this name."""
    case = (CASES | BY_ELEMENT)[name]
    places = [place for place in PLACES if place[3] or name in EVERYWHERE or name in BY_ELEMENT]
    return [
        piece(case, generator, offset, dtype)
        for generator, offset, every_dtype, _ in places
        for dtype in (case.dtypes if every_dtype else case.dtypes[:1])
    ]


def order_pieces(length: int) -> list[Piece]:
    """Return the orders of a length, made by the definition."""
    found = []
    for generator, offset in LENGTHS[length]:
        places = order(at(generator, offset).copy(), length)
        found.append(Piece(generator, offset, "int64", places[0].item(), digest(places)))
    return found


def entry(name: str, about: Mapping[str, Any], made: list[Piece], fields: tuple[str, ...]) -> str:
    """Return an entry of the file, with a line for these fields of each piece."""
    lines = (json.dumps({field: getattr(piece, field) for field in fields}) for piece in made)
    head = "".join(f"   {json.dumps(key)}: {json.dumps(value)},\n" for key, value in about.items())
    return f'  {json.dumps(name)}: {{\n{head}   "pieces": [\n    ' + ",\n    ".join(lines) + "\n   ]\n  }"


def columns_of(case: Case) -> int:
    """Return how many values are in a row, each with parameters of its own."""
    return len(next(iter(case.arguments.values())))


def parts() -> dict[str, str]:
    """Return the values of ``"orders"`` and ``"distributions"`` in the file."""
    rows = {
        "orders": [entry(f"permutation_{n}", {"length": n}, order_pieces(n), ORDER_FIELDS) for n in LENGTHS],
        "distributions": [
            entry(name, {"method": case.method, "arguments": case.arguments}, pieces(name), FIELDS)
            for name, case in CASES.items()
        ]
        + [
            entry(
                name,
                {"method": case.method, "arguments": case.arguments, "columns": columns_of(case)},
                pieces(name),
                FIELDS,
            )
            for name, case in BY_ELEMENT.items()
        ],
    }
    return {part: "{\n" + ",\n".join(entries) + "\n }" for part, entries in rows.items()}


def write() -> None:
    """Make the parts of the file that are last, and leave the other as it is."""
    before, _, _ = path().read_text().partition(',\n "orders": ')
    path().write_text(before + "".join(f',\n "{name}": {text}' for name, text in parts().items()) + "\n}\n")


if __name__ == "__main__":
    write()
    print(f"-> {path()}")
