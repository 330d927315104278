"""Draw how fast kernels of one's own estimate pi as bars, a panel a device."""

from pathlib import Path
from typing import Any

from harness.typical import NEW_WORK
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, LogLocator

from plots.figures import bar_limits, named, stacked, three

COLOURS = {"clrng": "#1a6fb5", "old": "#9cc4e4", "device": "C1", "host": "0.7"}
LABELS = {
    "clrng": "clrng, for new work",
    "old": "clrng, for old work",
    "device": "another library in the same kernel",
    "host": "one core of the host",
}


ROOM = 0.32
"""The part of the axis that the text beside a bar takes."""


def who(name: str, row: dict[str, Any]) -> str:
    """Return the name of a bar's colour."""
    if name.startswith("clrng"):
        return "clrng" if name.startswith(NEW_WORK) else "old"
    return str(row["where"])


def panel(axes: Axes, report: dict[str, Any]) -> None:
    """Draw the bars of one device: beside each its rate and, of kernels, the part of the time that set-up takes."""
    rows = sorted(report["rows"].items(), key=lambda item: item[1]["rate"])
    rates = [row["rate"] / 1e9 for _, row in rows]
    drawn = axes.barh(range(len(rows)), rates, height=0.75, color=[COLOURS[who(name, row)] for name, row in rows])
    texts = [
        three(rate)
        + (f", set-up {row['setup_seconds'] * row['rate'] / row['values']:.1%}" if "setup_seconds" in row else "")
        for rate, (_, row) in zip(rates, rows, strict=True)
    ]
    axes.bar_label(drawn, texts, padding=3)
    axes.set_yticks(range(len(rows)), [name for name, _ in rows])
    axes.set_xscale("log")
    axes.set_xlim(bar_limits(rates, ROOM))
    axes.xaxis.set_major_locator(LogLocator(10))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda rate, _: f"{rate:g}"))
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel("rate in G points/s, of two numbers each; set-up in parts of the time")
    axes.set_title(
        f"{named(report)}\n{report['items']:,} work-items of {report['points']:,} points; "
        f"host {report['host_samples']:,} points"
    )


def draw(path: Path, found: list[dict[str, Any]]) -> None:
    """Draw one panel a device, and save them."""
    figure, panels = stacked([1.2 + 0.25 * len(report["rows"]) for report in found])
    for axes, report in zip(panels, found, strict=True):
        panel(axes, report)
    patches = [Patch(color=COLOURS[name], label=label) for name, label in LABELS.items()]
    figure.legend(handles=patches, loc="outside upper center", ncols=2)
    figure.savefig(path)
