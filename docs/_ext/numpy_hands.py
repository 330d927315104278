"""The table of what a value costs in NumPy's hands, on each device where it was measured."""

from measured import Row, counted, reports, table, three, where
from tables import NEW_WORK

NUMPYS = "NumPy, "
OURS = tuple(f"clrng {peer}" for *_, peer in NEW_WORK)


def nanoseconds(rate: Row | None) -> str:
    """Return the nanoseconds of a value; empty where none was measured."""
    return three(1e9 / rate["rate"]) if rate else ""


def numpy_hands() -> list[str]:
    """Return the nanoseconds of a value by each method: NumPy's on each bit generator, and clrng's own."""
    lines = []
    for report in reports("numpy_hands"):
        kinds = {name: row["rates"] for name, row in report["rows"].items()}
        names = list(dict.fromkeys(name for rates in kinds.values() for name in rates))
        numpys = [name for name in names if name.startswith(NUMPYS)]
        own = next(name for name in names if name.startswith(OURS))
        cells = []
        for method, rates in kinds.items():
            cells.append([method, *(nanoseconds(rates.get(name)) for name in (*numpys, own))])
        lines += ["", f"{where(report)}: {counted(report['rounds'])}.", ""]
        lines += table(
            ["", *(name.removeprefix(NUMPYS) for name in numpys), f"clrng's own methods, {own.removeprefix('clrng ')}"],
            cells,
        )
    return lines
