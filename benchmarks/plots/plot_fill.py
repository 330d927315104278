"""Draw how close each arithmetic comes to each device's write wall."""

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt

from plots.figures import WIDTH


def draw(path: Path, found: list[dict[str, Any]]) -> None:
    """Draw one group of bars an arithmetic with one bar a device, and save them."""
    tables = [report.get("rows", report) for report in found]  # older ones have them beside what they say of themselves
    names = [name for name in tables[0]["registers"] if all(name in table["fills"] for table in tables)]
    figure, axes = plt.subplots(figsize=(WIDTH, 4.5), layout="constrained")
    width = 0.8 / len(found)
    for i, (report, table) in enumerate(zip(found, tables, strict=True)):
        wall = table["fills"]["wall"]["rate"] / 1e9
        places = [place + (i - (len(found) - 1) / 2) * width for place in range(len(names))]
        ratios = [table["fills"][name]["ratio"] for name in names]
        bars = axes.bar(places, ratios, width, label=f"{report['device']}, {report['platform']}: wall {wall:.4g} G/s")
        rates = [table["fills"][name]["rate"] / 1e9 for name in names]
        axes.bar_label(bars, [f"{rate:.0f}" if rate > 100 else f"{rate:.2g}" for rate in rates])  # noqa: PLR2004
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_xticks(range(len(names)), names)
    axes.set_xlabel("arithmetic; over each bar its rate in G values/s")
    axes.set_ylabel("fill rate / the device's write wall")
    axes.set_ylim(0, 1.4)
    axes.legend(loc="upper right")
    figure.savefig(path)
