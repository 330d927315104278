"""The tables of workloads: what each took, and how fast it was, on each device where it was measured."""

from measured import Row, reports, seconds, share, table, three, where

DEVICE = "on the device"


def _ways(rows: Row) -> list[str]:
    """Return who did what rows tell of, in order."""
    return list(dict.fromkeys(name for row in rows.values() for name in row))


def _measured(report: Row) -> Row:
    """Return the rows of a report that have a rate for each way to do something."""
    return {
        name: row
        for name, row in report["rows"].items()
        if isinstance(row, dict) and all(isinstance(rate, dict) and "rate" in rate for rate in row.values())
    }


def _title(report: Row) -> list[str]:
    return ["", f"{where(report)}; NumPy and Python on {report['host']}.", ""]


def durations(experiment: str) -> list[str]:
    """Return what each size took in each way, and where a plain read was measured, the share of its rate."""
    lines = []
    for report in reports(experiment):
        rows = _measured(report)
        ways = _ways(rows)
        cells = [
            [name, *(seconds(row[way]["values"] / row[way]["rate"]) if way in row else "" for way in ways)]
            for name, row in rows.items()
        ]
        header = ["", *ways]
        if "plain read" in ways:
            header.append("share of the read's rate")
            cells = [
                [*line, share(row[DEVICE]["rate"] / row["plain read"]["rate"])]
                for line, row in zip(cells, rows.values(), strict=True)
            ]
        lines += _title(report) + table(header, cells)
    return lines


def rates(experiment: str) -> list[str]:
    """Return the rates of each way, in 10⁹ a second."""
    lines = []
    for report in reports(experiment):
        rows = _measured(report)
        ways = _ways(rows)
        cells = [
            [f"10⁹ {name} a second", *(three(row[way]["rate"] / 1e9) if way in row else "" for way in ways)]
            for name, row in rows.items()
        ]
        lines += _title(report) + table(["", *ways], cells)
    return lines


def averages(experiment: str) -> list[str]:
    """Return what was seen of lattices on average, with its standard error, and what is exact."""
    lines = []
    for report in reports(experiment):
        rows = {name: row for name, row in report["rows"].items() if "energy" in row}
        cells = [
            [name, *(f"{seen[key]:.6f}" for seen in row.values() for key in ("mean", "error", "exact"))]
            for name, row in rows.items()
        ]
        about = f"{report['averaged_size']}² spins, {report['sweeps']} sweeps"
        lines += ["", f"{where(report)}: {about} at each temperature.", ""]
        header = [f"{what}{which}" for what in ("magnetisation", "energy") for which in ("", " ±", ", exact")]
        lines += table(["", *header], cells)
    return lines
