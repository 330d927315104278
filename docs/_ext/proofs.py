"""The table of what proofs cost, on each device where they were measured."""

from measured import reports, seconds, table, where


def proofs() -> list[str]:
    """Return the seconds of a first call of each kind: without a proof, with it, and where it is remembered."""
    lines = []
    for report in reports("proofs"):
        cells = [
            [name, *(seconds(row[what]) for what in ("built before", "proved", "remembered"))]
            for name, row in report["rows"].items()
        ]
        header = ["first call of a process", "without proofs", "with proofs", "proved before"]
        stopped = "" if report["complete"] else ", stopped early"
        about = f"{where(report)}, medians of {report['rounds']}{stopped}"
        lines += ["", f"{about}; the driver has built all kernels before:", ""]
        lines += table(header, cells)
    return lines
