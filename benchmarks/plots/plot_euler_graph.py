"""Draw what the steps of a walk along a random Eulerian graph took as bars, a panel a device."""

from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, LogLocator

from plots.figures import bar_limits, named, stacked, three

COLOURS = {"clrng": "C0", "host": "0.7", "published": "C1"}
LABELS = {"clrng": "on the device", "host": "on one core of the host", "published": "published, on other machines"}
ROOM = 0.35
"""The part of the axis that the text beside a bar takes."""


def kind(who: str) -> str:
    """Return the name of a bar's colour."""
    return who if who == "clrng" else "published" if who.startswith("published") else "host"


def panel(axes: Axes, report: dict[str, Any]) -> None:
    """Draw the bars of one device, a group for each step."""
    bars = [(step, who, row[who]["seconds"]) for step, row in report["rows"].items() if "clrng" in row for who in row]
    drawn = axes.barh(
        range(len(bars)), [seconds for *_, seconds in bars], color=[COLOURS[kind(who)] for _, who, _ in bars]
    )
    texts = [f"{three(seconds)} s" + (f", {who}" if who != "clrng" else "") for _, who, seconds in bars]
    axes.bar_label(drawn, texts, padding=3)
    axes.set_yticks(range(len(bars)), [step if who == "clrng" else "" for step, who, _ in bars])
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlim(bar_limits([seconds for *_, seconds in bars], ROOM))
    axes.xaxis.set_major_locator(LogLocator(10))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel("seconds")
    graph = report["rows"]["graph"]
    axes.set_title(f"{named(report)}; {graph['vertices']:,} vertices, {graph['edges']:,} edges")


def draw(path: Path, found: list[dict[str, Any]]) -> None:
    """Draw one panel a device, and save them."""
    heights = [1.2 + 0.25 * sum(len(row) for row in report["rows"].values() if "clrng" in row) for report in found]
    figure, panels = stacked(heights)
    for axes, report in zip(panels, found, strict=True):
        panel(axes, report)
    patches = [Patch(color=COLOURS[name], label=label) for name, label in LABELS.items()]
    figure.legend(handles=patches, loc="outside upper center", ncols=len(patches))
    figure.savefig(path)
