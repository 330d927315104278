"""The tables of what several devices, and workers of dask, make of one stream, wherever it was measured."""

from measured import SUPERSCRIPTS, giga, reports, share, table, three, where


def several_devices() -> list[str]:
    """Return the rates of one device and of all together, for each generator and method."""
    lines = []
    for report in reports("several_devices"):
        cells = [
            [
                name,
                giga(row["device 0"]),
                giga(row["together"]),
                f"{row['times one']:.2f}",
                share(row["together"]["ratio"]),
                three(1e6 * row["seconds"]["together"]),
            ]
            for name, row in report["rows"].items()
            if "times one" in row and "seconds" in row
        ]
        devices = len(report["devices"])
        lines += ["", f"{devices} devices, {report['nbytes'] / 2**30:g} GiB each: {where(report)}.", ""]
        lines += table(["", "one, 10⁹/s", "all, 10⁹/s", "times one", "of the wall of all", "host, µs"], cells)
    return lines


def tens(value: int) -> str:
    """Return a power of ten."""
    return f"10{str(len(str(value)) - 1).translate(SUPERSCRIPTS)}"


def dask_normals() -> list[str]:
    """Return what arrays of dask that no memory holds took, and the most memory of a process."""
    cells = []
    for report in reports("dask_normals"):
        row = report["rows"]["mean and histogram"]
        cells.append(
            [
                where(report),
                str(row["workers"]),
                tens(row["values"]),
                three(row["taken"]),
                giga(row),
                f"{max(row['peak_bytes']) / 1e9:.2g}",
            ]
        )
    return table(["", "workers", "values", "s", "10⁹/s", "GB a process"], cells, 2)
