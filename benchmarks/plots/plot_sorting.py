"""Draw the time of sorts, and of finding distinct values, against the number of values, a panel a device."""

from pathlib import Path
from typing import Any

from matplotlib.axes import Axes

from plots.figures import named, stacked

COLOURS = {"integers below their number": "C0", "integers of 32 bits": "C1", "normals": "C2", "distinct": "C3"}
NUMPY = "NumPy"


def panel(axes: Axes, report: dict[str, Any]) -> None:
    """Draw one device."""
    lines: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for name, row in report["rows"].items():
        for way, rate in row.items():
            what = name.split(",")[0]
            lines.setdefault((what, way), []).append((rate["values"], rate["values"] / rate["rate"]))
    for (what, way), points in lines.items():
        style = "x--" if way == NUMPY else "s:" if way.endswith("counting") else "o-"
        axes.loglog(*zip(*points, strict=True), style, color=COLOURS[what], markersize=4, lw=1, label=f"{what}: {way}")
    axes.set_xlabel("values")
    axes.grid(alpha=0.3)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2)
    axes.set_title(f"{named(report)}; NumPy on {report['host']}")


def draw(path: Path, found: list[dict[str, Any]]) -> None:
    """Draw one panel a device, and save them."""
    figure, panels = stacked([5.2] * len(found))
    for axes, report in zip(panels, found, strict=True):
        panel(axes, report)
        axes.set_ylabel("seconds")
    figure.savefig(path)
