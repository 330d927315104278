"""The table of what a value costs in NumPy's hands, on each device where it was measured."""

from measured import Row, reports, table, three, where

NUMPYS = "NumPy, "


def nanoseconds(rate: Row | None) -> str:
    """Return the nanoseconds of a value; empty where none was measured."""
    return three(1e9 / rate["rate"]) if rate else ""


def numpy_hands() -> list[str]:
    """Return the nanoseconds of a value by each method, of NumPy on each of its bit generators and of clrng itself."""
    lines = []
    for report in reports("numpy_hands"):
        kinds = {name: row["rates"] for name, row in report["rows"].items()}
        names = list(dict.fromkeys(name for rates in kinds.values() for name in rates))
        numpys = [name for name in names if name.startswith(NUMPYS)]
        own = [name for name in names if name not in numpys]
        cells = []
        for method, rates in kinds.items():
            fastest = max(
                (rates[name] for name in own if name in rates), key=lambda row: float(row["rate"]), default=None
            )
            cells.append([method, *(nanoseconds(rates.get(name)) for name in numpys), nanoseconds(fastest)])
        lines += ["", f"{where(report)}: {report['rounds']} rounds.", ""]
        lines += table(["", *(name.removeprefix(NUMPYS) for name in numpys), "clrng's own, its fastest"], cells)
    return lines
