"""Print the README's table of the OpenCL implementations that were tried, from the folders of results.

A row is a folder with same_numbers.json. What the tests said is the last line of its tests.txt, which is what pytest
printed there: ``pytest > benchmarks/results/<folder>/tests.txt``.
"""

import argparse
import json
import re
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parents[1] / "results"


def tests(folder: Path) -> str:
    """Return the last line of tests.txt, without pytest's frame and time, or "none"."""
    file = folder / "tests.txt"
    lines = [line.strip("= \t") for line in file.read_text().splitlines()] if file.exists() else []
    return re.sub(r" in [\d.]+s\b.*", "", next(filter(None, reversed(lines)), "none"))


def digests(report: dict[str, Any]) -> str:
    """Return how many pieces are equal to the published ones."""
    found = [row for generator in report["rows"].values() for row in generator["arithmetics"].values()]
    pieces, wrong = sum(row["pieces"] for row in found), sum(not row["equal"] for row in found)
    text = f"{wrong} of {len(found)} comparisons FAILED" if wrong else f"all {pieces} equal"
    least = report["published"]
    return text if len(report["rows"]) == least else f"{text}, {len(report['rows'])} of {least} generators"


def arithmetics(report: dict[str, Any]) -> str:
    """Return the arithmetics in which a generator was compared, in the order they came in."""
    names = [name for generator in report["rows"].values() for name in generator["arithmetics"]]
    order = max(report["rows"].values(), key=lambda row: len(row["arithmetics"]))["arithmetics"]
    return ", ".join(f"`{name}`" for name in dict.fromkeys([*order, *names]))


def table(folder: Path) -> list[str]:
    """Return the lines of the table, in Markdown."""
    lines = ["| implementation, driver | device | arithmetics | digests | tests |", "|---|---|---|---|---|"]
    for file in sorted(folder.glob("*/same_numbers.json")):
        report = json.loads(file.read_text())
        cells = [
            f"{report['platform']}, {report['driver']}", report["device"], arithmetics(report), digests(report),
            tests(file.parent),
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def main() -> None:
    """Print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder of results")
    print("\n".join(table(parser.parse_args().results)))


if __name__ == "__main__":
    main()
