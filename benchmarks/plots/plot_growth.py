"""Draw the time and the rate of one request against its number of values, two panels a device."""

from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from plots.figures import named, stacked

POINTS: dict[str, Any] = {"markersize": 4, "linewidth": 1}
LINES: dict[str, dict[str, Any]] = {
    "PCG64": {"marker": "P", "color": "C7"},
    "Park-Miller": {"marker": "o", "color": "C0"},
    "Park-Miller, new array": {"marker": "o", "color": "C0", "linestyle": ":", "markerfacecolor": "none"},
    "LCG 2^64": {"marker": "s", "color": "C1"},
    "MRG32k3a": {"marker": "^", "color": "C2"},
    "LFG 24,55": {"marker": "v", "color": "C3"},
    "LFG 418,1279": {"marker": "D", "color": "C4"},
    "NumPy PCG64": {"marker": "x", "color": "C5", "linestyle": "--"},
    "cuRAND Philox": {"marker": "+", "color": "C6", "linestyle": "--"},
    "wall": {"color": "black", "label": "plain store, the wall"},
}
KNEE = 11
"""The size of the star at a knee, in points."""


def draw_lines(above: Axes, below: Axes, rows: dict[str, Any]) -> None:
    """Draw times above, and rates with their knees below."""
    for name, style in LINES.items():
        if name not in rows:
            continue
        style = {**POINTS, "label": name, **style}  # noqa: PLW2901
        points = rows[name]["points"]
        values, seconds = ([point[what] for point in points] for what in ("values", "seconds"))
        above.plot(values, seconds, **style)
        low, high = ([point[what] for point in points] for what in ("low", "high"))
        above.fill_between(values, low, high, color=style["color"], alpha=0.15, linewidth=0)
        below.plot(values, [n / taken / 1e9 for n, taken in zip(values, seconds, strict=True)], **style)
        below.plot(rows[name]["knee"], rows[name]["plateau"] / 2e9, "*", color=style["color"], markersize=KNEE)
    above.axhline(rows["empty launch"]["overhead"], color="gray", linewidth=0.8, linestyle="-.", label="empty launch")


def column(above: Axes, below: Axes, report: dict[str, Any]) -> None:
    """Draw one device."""
    draw_lines(above, below, report["rows"])
    for axes in (above, below):
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.xaxis.set_major_locator(LogLocator(base=16))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xlabel("values of a request")
        axes.grid(alpha=0.3)
    below.yaxis.set_major_formatter(FuncFormatter(lambda rate, _: f"{rate:g}"))
    above.set_title(named(report))
    above.set_ylabel("seconds of a request")
    below.set_ylabel("G values/s; a star\nat half the highest")


def draw(path: Path, found: list[dict[str, Any]]) -> None:
    """Draw two panels a device, and save them."""
    figure, panels = stacked([3.2, 2.8] * len(found), 1)
    for above, below, report in zip(panels[::2], panels[1::2], found, strict=True):
        column(above, below, report)
    labels = {
        label: line for axes in panels[::2] for line, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(labels.values(), labels.keys(), loc="outside upper center", ncols=3)
    figure.savefig(path)
