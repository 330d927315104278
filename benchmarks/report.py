"""Write a page for each device beside its results: every rate that was measured, in tables, and what was not."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from common import RESULTS

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


def cell(text: str) -> str:
    """Return text that a table's cell can hold."""
    return text.replace("|", "\\|").replace("*", "\\*")


def section(name: str, found: dict[str, Any]) -> list[str]:
    """Return the lines on one script's results."""
    lines = ["", f"## {name}", "", f"`{found.get('command', f'python benchmarks/{name}.py')}`"]
    if not found.get("complete", True):
        lines[-1] += ", interrupted: some is missing"
    rows = list(rates(found))
    if rows:
        lines += ["", "| | G values/s | lowest | highest | of the wall |", "|---|---|---|---|---|"]
    for path, row in rows:
        spread = " | ".join(f"{row[key] / 1e9:.4g}" for key in ("rate", "low", "high"))
        ratio = f"{row['ratio']:.3f}" if row.get("ratio") else ""
        lines.append(f"| {cell(', '.join(path))} | {spread} | {ratio} |")
    for what, why in found.get("missing", {}).items():
        lines.append(f"- {cell(what)}: not measured: {cell(why)}")
    return lines


def page(folder: Path) -> str:
    """Return the page of one device's results."""
    results = {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}
    results = {name: results[name] for name in sorted(results, key=lambda name: (FIRST.get(name, 3), name))}
    about = next(iter(results.values()))
    lines = [
        f"# {about['device']}, {about['platform']}, driver {about['driver']}",
        "",
        "Medians of rounds, their lowest and their highest. The file of the same name ends in `.json`.",
    ]
    for name, found in results.items():
        lines += section(name, found)
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder of results")
    for folder in sorted({path.parent for path in parser.parse_args().results.glob("*/*.json")}):
        (folder / PAGE).write_text(page(folder))
        print(f"-> {folder / PAGE}")


if __name__ == "__main__":
    main()
