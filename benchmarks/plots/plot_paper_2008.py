"""Draw the rate of Park-Miller against the number of streams, in every arithmetic, a panel a device."""

from pathlib import Path
from typing import Any

from harness.common import read
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator

from plots.figures import named, stacked

POINTS: dict[str, Any] = {"markersize": 4, "linewidth": 1.2}
LINES: dict[str, dict[str, Any]] = {
    "limbs-2008": {"label": "limbs-2008, as published", "color": "C3", "marker": "v", "linestyle": "--"},
    "double-2009": {"label": "double-2009, as published", "color": "C1", "marker": "^", "linestyle": "--"},
    "float": {"color": "C0", "marker": "o"},
    "float-nofma": {"color": "C9", "marker": "s"},
    "double": {"color": "C2", "marker": "D"},
    "integer": {"color": "C4", "marker": "x"},
    "clrng.Streams": {"label": "clrng.Streams, launches of its own", "color": "black", "linewidth": 0.8},
}


def limits_of(folder: Path, report: dict[str, Any]) -> dict[str, float]:
    """Return the estimated limits of arithmetic from limits.json of the same device, where there is one."""
    for path in folder.glob("*/limits.json"):
        found = read(path) or {}
        if (found.get("device"), found.get("driver")) == (report["device"], report["driver"]):
            rows = [row for row in found["rows"].values() if row.get("generator") == "Park-Miller"]
            return {row["arithmetic"]: row["registers"]["limit"] for row in rows}
    return {}


def panel(axes: Axes, report: dict[str, Any], limits: dict[str, float]) -> None:
    """Draw the rates of one device."""
    rows = sorted((row for row in report["rows"].values() if "streams" in row), key=lambda row: row["streams"])
    end = max((row["streams"] for row in rows), default=1)
    for name, style in LINES.items():
        points = [(row["streams"], row["rates"][name]["rate"] / 1e9) for row in rows if name in row["rates"]]
        if points:
            axes.plot(*zip(*points, strict=True), **({**POINTS, "label": name} | style))
        if found := report["rows"].get(f"registers, {name}"):
            axes.plot(4 * end, found["rate"] / 1e9, color=style["color"], marker="<", markersize=7, linestyle="none")
        if name in limits:
            axes.plot(16 * end, limits[name] / 1e9, color=style["color"], marker="_", markersize=12, linestyle="none")
    axes.plot([], [], color="gray", marker="<", markersize=7, linestyle="none", label="in registers, at the right edge")
    if limits:
        label = "estimated limit of arithmetic, beside it"
        axes.plot([], [], color="gray", marker="_", markersize=12, linestyle="none", label=label)
    if loop := report["rows"].get("C loop"):
        rate = loop["rate"] / 1e9
        axes.axhline(rate, color="gray", label=f"C loop, one core of the host: {rate:.3g} G/s")
    for dashes, (who, rate) in zip([":", "-."], report["published"].items(), strict=True):
        label = f"{who}, as published: {rate / 1e9:.3g} G/s"
        axes.axhline(rate / 1e9, color="gray", linestyle=dashes, linewidth=0.9, label=label)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(LogLocator(16))
    axes.set_yscale("log")
    axes.set_xlabel("number of streams")
    axes.set_title(named(report))
    axes.grid(alpha=0.3)


def draw(path: Path, found: list[dict[str, Any]]) -> None:
    """Draw one panel a device, and save them."""
    figure, panels = stacked([6] * len(found))
    for axes, report in zip(panels, found, strict=True):
        panel(axes, report, limits_of(path.parent, report))
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2)
        axes.set_ylabel("rate in G values/s")
    figure.savefig(path)
