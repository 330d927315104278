"""Read the results of the benchmarks, and write numbers and tables as the pages have them."""

import json
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from harness.powers import SUPERSCRIPTS, near_power, power  # noqa: E402, F401  # which is among the scripts

RESULTS = BENCHMARKS / "results"

DEVICES = {"H200": "NVIDIA-CUDA-*-NVIDIA-H200", "PoCL": "Portable-Computing-Language-3.0-*Xeon*"}
"""The devices of the performance pages: what each is called there, and the name of its folder of results."""

Row = dict[str, Any]


def folder(device: str) -> Path:
    """Return the folder of results of a device."""
    (found,) = RESULTS.glob(DEVICES[device])
    return found


@cache
def report(device: str, experiment: str) -> Row:
    """Return what one experiment found on one device."""
    found: Row = json.loads((folder(device) / f"{experiment}.json").read_text())
    return found


def reports(experiment: str) -> list[Row]:
    """Return what one experiment found, on each device where it ran."""
    return [json.loads(path.read_text()) for path in sorted(RESULTS.glob(f"*/{experiment}.json"))]


def where(found: Row) -> str:
    """Return the names of the device of a report, and of its driver."""
    return f"{found['device']}, {found['platform']} {found['driver']}"


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
    return [f"| {' | '.join(cells)} |" for cells in (header, rule, *lines)]


def size(found: Row) -> str:
    """Return how much a script fills or draws at a time, if its report says so."""
    if "nbytes" in found:
        mebibytes = found["nbytes"] / 2**20
        return f"{mebibytes / 2**10:g} GiB" if mebibytes >= 2**10 else f"{mebibytes:g} MiB"
    for key, what in (("samples", "points"), ("values", "values")):
        if key in found:
            return f"{near_power(found[key])} {what}"
    return ""


def origin(experiment: str) -> list[str]:
    """Return a line that says which script measured, in how many rounds and with how many values on each device."""
    told = []
    for device in DEVICES:
        found = report(device, experiment)
        rounds = found.get("rounds") or found.get("options", {}).get("rounds")
        stopped = "" if found.get("complete", True) else "stopped early"
        about = ", ".join(filter(None, (f"{rounds} rounds" if rounds else "", size(found), stopped)))
        told += [f"{device}: {about}"] if about else []
    (script,) = (RESULTS.parent).glob(f"*/{experiment}.py")
    place = script.relative_to(RESULTS.parents[1])
    return [f"Measured by `{place}`" + (f" ({'; '.join(told)})." if told else ".")]
