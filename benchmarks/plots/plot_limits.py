"""Draw what generators reach beside what the device's arithmetic and memory allow, a panel a device."""

from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from plots.figures import named, stacked

KINDS: dict[str, tuple[float, str, str]] = {
    "registers": (-0.18, "C0", "o"),
    "fill": (0.18, "C1", "s"),
}
"""The place beside a row's middle, the colour and the marker of what was measured."""

WALL = 0.42
"""Half the length of the line of a wall."""


def panel(axes: Axes, report: dict[str, Any]) -> None:
    """Draw one device: bars from one operation after the other to the best overlap, and what was measured."""
    rows = [row for row in report["rows"].values() if "generator" in row]
    for kind, (place, colour, marker) in KINDS.items():
        places = [x + place for x in range(len(rows))]
        least, most = ([row[kind][what] / 1e9 for row in rows] for what in ("in turn", "limit"))
        most = [max(b, a * 1.05) for a, b in zip(least, most, strict=True)]  # a bar of no height is not seen
        heights = [b - a for a, b in zip(least, most, strict=True)]
        axes.bar(places, heights, 0.3, least, color=colour, alpha=0.4, label=f"{kind}: estimated limit of arithmetic")
        rates = [row[kind]["rate"] / 1e9 for row in rows]
        axes.plot(places, rates, marker, color=colour, markersize=5, markeredgecolor="black", label=f"{kind}: measured")
    walls = [row["wall"]["rate"] / 1e9 for row in rows]
    left, right = ([x + side * WALL for x in range(len(rows))] for side in (-1, 1))
    axes.hlines(walls, left, right, color="black", linewidth=1, label="write wall")
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda rate, _: f"{rate:g}"))
    names = [f"{row['generator']}\n{row['arithmetic']}" for row in rows]
    axes.set_xticks(range(len(rows)), names, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_xlabel("generator and arithmetic")
    axes.set_title(named(report))
    axes.grid(axis="y", alpha=0.3)


def draw(path: Path, found: list[dict[str, Any]]) -> None:
    """Draw one panel a device, and save them."""
    figure, panels = stacked([4.4] * len(found), 1)
    for axes, report in zip(panels, found, strict=True):
        panel(axes, report)
        axes.set_ylabel("rate in G values/s")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
    figure.savefig(path)
