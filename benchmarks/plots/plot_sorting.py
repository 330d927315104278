"""Draw the time of sorts, and of finding distinct values, against the number of values, a column a device."""

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

COLOURS = {"integers below their number": "C0", "integers of 32 bits": "C1", "normals": "C2", "distinct": "C3"}
NUMPY = "NumPy"


def column(axes: Axes, report: dict[str, Any]) -> None:
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
    axes.legend(fontsize=7)
    axes.set_title(f"{report['device']}, {report['platform']}\nNumPy on {report['host']}", fontsize=9)


def draw(path: Path, found: list[dict[str, Any]]) -> None:
    """Draw one column a device, and save them."""
    size = (6.5 * len(found), 5)
    figure, panels = plt.subplots(1, len(found), figsize=size, layout="constrained", squeeze=False, sharey=True)
    for axes, report in zip(panels[0], found, strict=True):
        column(axes, report)
    panels[0][0].set_ylabel("seconds")
    figure.savefig(path, dpi=120)
