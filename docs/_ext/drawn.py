"""The tables of how fast distributions are drawn from, on each device where it was measured."""

from measured import Row, giga, of_wall, reports, seconds, share, size, table, three, where

LIBRARIES = ("cuRAND", "CuPy", "PyTorch", "NumPy")
OURS = "clrng "


def fastest(rates: Row, library: str) -> Row | None:
    """Return the highest rate of the names that begin with that of a library, or None if there is none."""
    found = [rate for name, rate in rates.items() if name.startswith(library)]
    return max(found, key=lambda rate: float(rate["rate"]), default=None)


def generators(kinds: list[Row]) -> list[str]:
    """Return the names of clrng's generators in the rates of all kinds of values."""
    names = (name for rates in kinds for name in rates if name.startswith(OURS))
    return list(dict.fromkeys(name.removeprefix(OURS) for name in names))


def beside(rates: Row, libraries: list[str]) -> list[str]:
    """Return how many times as fast as each library clrng's fastest is; empty where a library has none."""
    ours, cells = fastest(rates, OURS), []
    for library in libraries:
        theirs = fastest(rates, library)
        cells.append(three(ours["rate"] / theirs["rate"]) if ours and theirs else "")
    return cells


def drawn() -> list[str]:
    """Return the share of the wall of each distribution by each generator, and how many times as fast as others."""
    lines = []
    for report in reports("distributions"):
        kinds = {name: row["rates"] for name, row in report["rows"].items() if "dtype" in row}
        ours = generators(list(kinds.values()))
        libraries = [each for each in LIBRARIES if any(fastest(rates, each) for rates in kinds.values())]
        cells = []
        for name, rates in kinds.items():
            shares = [of_wall(rates.get(f"{OURS}{each}")) for each in ours]
            cells.append([name, *shares, giga(fastest(rates, OURS)), *beside(rates, libraries)])
        lines += ["", f"{where(report)}: {size(report)}, {report['rounds']} rounds.", ""]
        lines += table(["", *ours, "10⁹ a second", *(f"times {library}" for library in libraries)], cells)
    return lines


def in_kernels() -> list[str]:
    """Return normal numbers a second in kernels of the user's own, the fastest first."""
    lines = []
    for report in reports("distributions"):
        rates = report["rows"]["normals in a kernel"]["rates"]
        fastest_first = sorted(rates.items(), key=lambda pair: -pair[1]["rate"])
        cells = [
            [name, giga(rate), share(rate["rate"] / fastest_first[0][1]["rate"]), seconds(rate["setup_seconds"])]
            for name, rate in fastest_first
        ]
        lines += ["", f"{where(report)}.", ""]
        lines += table(["", "10⁹ a second", "of the fastest", "set-up"], cells)
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
