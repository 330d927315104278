"""The table of how fast draws are whose parameters are arrays, on each device where it was measured."""

from measured import counted, reports, table, three, where

PEERS = ("NumPy", "CuPy", "PyTorch")


def parameter_arrays() -> list[str]:
    """Return the rate of each family, and those of libraries."""
    lines = []
    for report in reports("parameter_arrays"):
        rows = report["rows"]
        peers = [peer for peer in PEERS if any(peer in rates for rates in rows.values())]
        cells = [
            [name, *(three(rates[who]["rate"] / 1e9) if who in rates else "" for who in ("clrng", *peers))]
            for name, rates in rows.items()
        ]
        lines += ["", f"{where(report)}, {report['n']:,} values: {counted(report['rounds'])}. 10⁹ values/s.", ""]
        lines += table(["", "clrng", *peers], cells)
    return lines
