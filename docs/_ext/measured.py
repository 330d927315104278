"""Read the results of the benchmarks, and write numbers and tables as the pages have them."""

import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from harness.powers import SUPERSCRIPTS, near_power, power  # noqa: E402, F401  # which is among the scripts
from harness.record import version  # noqa: E402  # likewise

RESULTS = BENCHMARKS / "results"

GPU = "H100"
"""What the GPU of the performance pages is called there."""

DEVICES = {GPU: "NVIDIA-CUDA-*-NVIDIA-H100*", "PoCL": "Portable-Computing-Language-3.0-*"}
"""The devices of the performance pages: what each is called there, and the names of its folders of results."""

FOLDERS = {
    GPU: DEVICES[GPU],
    "H200": "NVIDIA-CUDA-*-NVIDIA-H200",
    "EPYC": f"{DEVICES['PoCL']}AMD-EPYC",
    "Xeon": f"{DEVICES['PoCL']}Xeon-R-Processor",
}
"""The folders that have a page of every rate, by the machine."""

Row = dict[str, Any]


def folder(name: str) -> Path:
    """Return one of `FOLDERS`."""
    (found,) = RESULTS.glob(FOLDERS[name])
    return found


@cache
def report(device: str, experiment: str) -> Row:
    """Return what one experiment found on one device: the newest record, where there are some of several machines."""
    found: list[Row] = [json.loads(path.read_text()) for path in RESULTS.glob(f"{DEVICES[device]}/{experiment}.json")]
    return max(found, key=lambda one: str(one.get("date", "")))


def reports(experiment: str) -> list[Row]:
    """Return what one experiment found, on each device where it ran."""
    return [json.loads(path.read_text()) for path in sorted(RESULTS.glob(f"*/{experiment}.json"))]


def where(found: Row) -> str:
    """Return the names of the device of a report, and of its driver, and which clrng was measured."""
    return f"{found['device']}, {found['platform']} {found['driver']}; {version(found)}"


def rows(device: str, experiment: str) -> Row:
    """Return the rows of a report by name; older reports have them beside what they say of themselves."""
    found = report(device, experiment)
    named: Row = found.get("rows", found)
    return named


def three(value: float) -> str:
    """Return a number in three digits, or in all of its digits before the point."""
    return f"{value:.0f}" if value >= 100 else f"{value:#.3g}".rstrip(".")  # noqa: PLR2004  # three digits


def giga(row: Row | None) -> str:
    """Return a rate in 10^9 a second; empty where there is none."""
    return three(row["rate"] / 1e9) if row else ""


def share(value: float | None) -> str:
    """Return a ratio in two decimals, or in one digit that is not 0; empty where there is none."""
    if not value:
        return ""
    return f"{value:.2f}" if value >= 0.01 else f"{value:.1g}"  # noqa: PLR2004  # two decimals


def of_wall(row: Row | None) -> str:
    """Return the share of the write wall that a rate reached."""
    return share(row.get("ratio")) if row else ""


def seconds(value: float) -> str:
    """Return a time in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{three(value / size)} {unit}"
    return f"{three(value / 1e-9)} ns"


def table(header: Sequence[str], lines: Iterable[Sequence[str]], text: int = 1) -> list[str]:
    """Return a table in Markdown; after the first `text` columns numbers stand to the right."""
    rule = ["---" if column < text else "---:" for column in range(len(header))]
    escaped = ([re.sub(r"(?<!\\)\|", r"\|", cell) for cell in cells] for cells in (header, rule, *lines))
    return [f"| {' | '.join(cells)} |" for cells in escaped]


def size(found: Row) -> str:
    """Return how much a script fills or draws at a time, if its report says so."""
    if "nbytes" in found:
        mebibytes = found["nbytes"] / 2**20
        return f"{mebibytes / 2**10:g} GiB" if mebibytes >= 2**10 else f"{mebibytes:g} MiB"
    for key, what in (("samples", "points"), ("values", "values")):
        if key in found:
            return f"{near_power(found[key])} {what}"
    return ""


def about(found: Row) -> str:
    """Return where a report is from, in how many rounds and with how many values it was measured."""
    rounds = found.get("rounds") or found.get("options", {}).get("rounds")
    stopped = "" if found.get("complete", True) else "stopped early"
    return ", ".join(filter(None, (where(found), counted(rounds) if rounds else "", size(found), stopped)))


def counted(rounds: int) -> str:
    """Return how many rounds."""
    return f"{rounds} round{'s' * (rounds > 1)}"


def each_device(experiment: str, header: Sequence[str], cells: Callable[[str], list[list[str]]]) -> list[str]:
    """Return a table a device, under a line that says where it was measured; columns that are empty are left out."""
    lines = []
    for device in DEVICES:
        found = cells(device)
        full = [i for i in range(len(header)) if i == 0 or any(row[i] for row in found)]
        lines += ["", f"**{device}**: {about(report(device, experiment))}.", ""]
        lines += table([header[i] for i in full], [[row[i] for i in full] for row in found])
    return [*lines, ""]


def script(experiment: str) -> list[str]:
    """Return a line that says which script measured."""
    (path,) = BENCHMARKS.glob(f"*/{experiment}.py")
    return [f"Measured by `python benchmarks {experiment}`, which is `{path.relative_to(BENCHMARKS.parent)}`."]


def origin(experiment: str) -> list[str]:
    """Return the lines that say which script measured, and where each device's numbers are from."""
    told = [f"- {device}: {about(report(device, experiment))}." for device in DEVICES]
    return [*script(experiment), "", *told, ""]
