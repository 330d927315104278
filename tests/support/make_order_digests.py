"""Make the digests of random orders in tests/data/digests.json, by the definition in `tests.support.orders`.

``python -m tests.support.make_order_digests`` makes them alone.
"""

from clrng.quality.digests import Piece, digest, path
from tests.support.make_drawn_digests import FAR, GENERATORS, at, line
from tests.support.orders import order

FIELDS = ("generator", "offset", "first", "sha256")
"""What the file says of each piece."""

PLACES = {
    4096: [(name, offset) for name in GENERATORS for offset in (0, FAR)],
    100_000: [("park_miller", 0), ("mmix", 0)],
}
"""The generators and offsets of each length."""


def pieces(length: int) -> list[Piece]:
    """Return the orders of a length, made by the definition."""
    found = []
    for generator, offset in PLACES[length]:
        places = order(at(generator, offset).copy(), length)
        found.append(Piece(generator, offset, "int64", places[0].item(), digest(places)))
    return found


def text() -> str:
    """Return the value of ``"orders"`` in the file, with a line for each piece."""
    rows = []
    for length in PLACES:
        lines = ",\n    ".join(line(each, FIELDS) for each in pieces(length))
        rows.append(f'  "permutation_{length}": {{\n   "length": {length},\n   "pieces": [\n    {lines}\n   ]\n  }}')
    return "{\n" + ",\n".join(rows) + "\n }"


def write() -> None:
    """Make the part of the file that is about orders, and leave the others as they are."""
    whole = path().read_text()
    before, _, rest = whole.partition(' "orders": ')
    after = (rest or whole).partition(' "distributions": ')
    path().write_text(f'{before if rest else after[0]} "orders": {text()},\n{after[1]}{after[2]}')


if __name__ == "__main__":
    write()
    print(f"-> {path()}")
