"""Write a page for each device beside its results: every rate that was measured, in tables, and what was not."""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.common import RESULTS, read
from harness.record import version

PAGE = "README.md"
FIRST = {"same_numbers": 0, "fill": 1, "peers": 2}
"""What comes first; the rest follows by name."""


def rates(found: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Yield each rate in results, however deep, with the names that lead to it."""
    if isinstance(found, list):
        found = dict(enumerate(found, 1))
    if not isinstance(found, dict):
        return
    if isinstance(found.get("rate"), float):
        yield path, found
        return
    for name, part in found.items():
        yield from rates(part, path if name in {"rows", "rates"} else (*path, str(name)))


def seconds(found: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], list[float]]]:
    """Yield what took seconds in results, with the names that lead to it: the median, the lowest and the highest."""
    if not isinstance(found, dict) or "rate" in found:
        return
    if {"seconds", "low", "high"} <= set(found):
        yield path, [found[key] for key in ("seconds", "low", "high")]
        return
    for name, part in found.items():
        if name == "seconds" and isinstance(part, dict):
            yield from (((*path, what), [taken]) for what, taken in part.items())
        elif name == "points":
            yield from (((*path, f"{point['values']:,} values"), next(seconds(point))[1]) for point in part)
        else:
            yield from seconds(part, path if name == "rows" else (*path, str(name)))


def same(found: dict[str, Any]) -> list[str]:
    """Return the lines that say whether values were equal to the published ones, where they were compared."""
    rows = found.get("rows")
    compared = {
        (name, arithmetic): one
        for name, row in (rows if isinstance(rows, dict) else {}).items()
        if isinstance(row, dict)
        for arithmetic, one in row.get("arithmetics", {}).items()
    }
    if not compared:
        return []
    wrong = [f"- FAILED: {', '.join(what)}: {cell(one['fault'])}" for what, one in compared.items() if not one["equal"]]
    pieces = sum(one["pieces"] for one in compared.values())
    verdict = f"{len(wrong)} of {len(compared)} comparisons failed" if wrong else "all are equal to the published ones"
    return ["", f"{pieces} pieces of {len(found['rows'])} streams: {verdict}.", *wrong]


def cell(text: str) -> str:
    """Return text that a table's cell can hold."""
    return text.replace("|", "\\|").replace("*", "\\*")


def command_of(name: str, found: dict[str, Any]) -> str:
    """Return the command that measures this, in the form that it has today; early records have another."""
    return re.sub(r"benchmarks/(\w+)\.py", r"benchmarks \1", found.get("command", f"python benchmarks {name}"))


def section(name: str, found: dict[str, Any]) -> list[str]:
    """Return the lines on one script's results."""
    lines = ["", f"## {name}", "", f"`{command_of(name, found)}`, {version(found)}"]
    if not found.get("complete", True):
        lines[-1] += ", interrupted: some is missing"
    lines += same(found)
    rows = list(rates(found.get("rows", found)))
    if rows:
        lines += ["", "| | G/s | lowest | highest | of the wall |", "|---|---|---|---|---|"]
    for path, row in rows:
        spread = " | ".join(f"{row[key] / 1e9:.4g}" for key in ("rate", "low", "high"))
        ratio = f"{row['ratio']:.3f}" if row.get("ratio") else ""
        lines.append(f"| {cell(', '.join(path))} | {spread} | {ratio} |")
    if times := list(seconds(found.get("rows", found))):
        lines += ["", "| | µs | lowest | highest |", "|---|---|---|---|"]
    for path, taken in times:
        lines.append(f"| {cell(', '.join(path))} | {' | '.join([*(f'{1e6 * t:.4g}' for t in taken), '', ''][:3])} |")
    if found.get("missing"):
        lines.append("")
    for what, why in found.get("missing", {}).items():
        lines.append(f"- {cell(what)}: not measured: {cell(why)}")
    return lines


def page(folder: Path) -> str:
    """Return the page of one device's results; empty where none can be read."""
    results = {path.stem: found for path in folder.glob("*.json") if (found := read(path))}
    results = {name: results[name] for name in sorted(results, key=lambda name: (FIRST.get(name, 3), name))}
    if not results:
        return ""
    about = next(iter(results.values()))
    lines = [
        f"# {about['device']}, {about['platform']}, driver {about['driver']}",
        "",
        "Medians of rounds, their lowest and their highest. Rates are of values, or a row says of what.",
        "The file of the same name ends in `.json`.",
    ]
    for name, found in results.items():
        lines += section(name, found)
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder of results")
    for folder in sorted({path.parent for path in parser.parse_args().results.glob("*/*.json")}):
        if text := page(folder):
            (folder / PAGE).write_text(text)
            print(f"-> {folder / PAGE}")


if __name__ == "__main__":
    main()
