"""The tables of how fast distributions are drawn from, on each device where it was measured."""

from measured import Row, about, giga, of_wall, reports, seconds, table, three, where
from tables import NEW_WORK, for_old_work

LIBRARIES = ("cuRAND", "CuPy", "PyTorch", "NumPy")
OURS = "clrng "
CHOSEN = tuple(peer for *_, peer in NEW_WORK)
"""The generators of clrng for new work."""


def fastest(rates: Row, library: str) -> Row | None:
    """Return the highest rate of the names that begin with that of a library, or None if there is none."""
    found = [rate for name, rate in rates.items() if name.startswith(library)]
    return max(found, key=lambda rate: float(rate["rate"]), default=None)


def generators(kinds: list[Row]) -> list[str]:
    """Return the names of clrng's generators in the rates of all kinds of values."""
    names = (name for rates in kinds for name in rates if name.startswith(OURS))
    return list(dict.fromkeys(name.removeprefix(OURS) for name in names))


def beside(ours: Row | None, rates: Row, libraries: list[str]) -> list[str]:
    """Return how many times as fast as each library a rate of clrng is; empty where a library has none."""
    theirs = [fastest(rates, library) for library in libraries]
    return [three(ours["rate"] / rate["rate"]) if ours and rate else "" for rate in theirs]


def drawn() -> list[str]:
    """Return how fast each distribution is by the generators for new work, beside other libraries."""
    lines = []
    for report in reports("distributions"):
        kinds = {name: row["rates"] for name, row in report["rows"].items() if "dtype" in row}
        libraries = [each for each in LIBRARIES if any(fastest(rates, each) for rates in kinds.values())]
        for ours in (each for each in generators(list(kinds.values())) if each in CHOSEN):
            cells = []
            for name, rates in kinds.items():
                rate = rates.get(f"{OURS}{ours}")
                cells.append([name, giga(rate), of_wall(rate), *beside(rate, rates, libraries)])
            header = [f"by {ours}", "10⁹ a second", "of the wall", *(f"times {library}" for library in libraries)]
            lines += ["", f"{about(report)}.", "", *table(header, cells)]
    return lines


def drawn_by_others() -> list[str]:
    """Return the share of the wall of each distribution by generators that are for old work."""
    lines = []
    for report in reports("distributions"):
        kinds = {name: row["rates"] for name, row in report["rows"].items() if "dtype" in row}
        ours = [each for each in generators(list(kinds.values())) if each not in CHOSEN]
        cells = [[name, *(of_wall(rates.get(f"{OURS}{each}")) for each in ours)] for name, rates in kinds.items()]
        lines += ["", f"{about(report)}.", "", *table(["", *ours], cells)]
    return lines


def in_kernels() -> list[str]:
    """Return normal numbers a second in kernels of the user's own, the fastest first."""
    lines = []
    for report in reports("distributions"):
        rates = report["rows"]["normals in a kernel"]["rates"]
        fastest_first = sorted(rates.items(), key=lambda pair: -pair[1]["rate"])
        cells = [[for_old_work(name), giga(rate), seconds(rate["setup_seconds"])] for name, rate in fastest_first]
        lines += ["", f"{where(report)}.", ""]
        lines += table(["", "10⁹ a second", "set-up"], cells)
    return lines


def first_calls() -> list[str]:
    """Return what a call of 1000 values costs with a new parameter and with one seen before."""
    lines = []
    for report in reports("distributions"):
        cells = [
            [f"`{name}`", *(seconds(row[kind]["seconds"]) for kind in ("new", "seen")), str(row["builds"])]
            for name, row in report["rows"]["new parameters"].items()
        ]
        lines += ["", f"{where(report)}.", ""]
        lines += table(["", "a new parameter", "one seen before", "programs built"], cells)
    return lines
