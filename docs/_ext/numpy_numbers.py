"""The table of how fast a device draws exactly NumPy's numbers, on each device where it was measured."""

from measured import counted, reports, table, three, where


def numpy_numbers() -> list[str]:
    """Return the rate of each method, beside NumPy's own and the wall, by the number of values of a call."""
    lines = []
    for report in reports("numpy_numbers"):
        cells = []
        for row in report["rows"].values():
            ours, numpys = row["rates"]["clrng"], row["rates"]["NumPy"]
            times, share = three(ours["rate"] / numpys["rate"]), three(ours["ratio"])
            cells.append([row["what"], row["bits"], f"{row['n']:,}", three(ours["rate"] / 1e9), times, share])
        lines += ["", f"{where(report)}, NumPy {report['numpy']}: {counted(report['rounds'])}.", ""]
        lines += table(["", "bit generator", "values", "10⁹ values/s", "times NumPy", "of the wall"], cells)
    return lines
