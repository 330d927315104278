"""Draw the rate of Park-Miller against the number and size of work-groups: a row a device, a column a number of steps.

Lines in colour are the sizes of work-groups in the arithmetic of the paper, or where there is none in the first there
is; the others show the best size at each number of groups.
"""

from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from plots.figures import WIDTH, named

ENVELOPES = ["--", ":", "-."]

POINTS: dict[str, Any] = {"marker": "o", "markersize": 3, "linewidth": 1.2}


def curve(groups: dict[str, dict[str, Any]]) -> list[tuple[int, float]]:
    """Return the rates by the number of groups."""
    return [(int(number), rate["rate"] / 1e9) for number, rate in groups.items()]


def panel(axes: Axes, report: dict[str, Any], steps: int) -> None:
    """Draw the rates of one device and number of steps."""
    rows = [row for row in report["rows"].values() if row.get("steps") == steps and isinstance(row["groups"], dict)]
    names = list(dict.fromkeys(row["arithmetic"] for row in rows))
    first = [row for row in rows if row["arithmetic"] == names[0]]
    colours = mpl.colormaps["viridis"]
    for i, row in enumerate(first):
        style = {**POINTS, "color": colours(i / max(len(first) - 1, 1))}
        axes.plot(*zip(*curve(row["groups"]), strict=True), **style, label=f"{names[0]}, groups of {row['size']}")
    for name, dashes in zip(names[1:], ENVELOPES, strict=False):
        best: dict[int, float] = {}
        for row in (row for row in rows if row["arithmetic"] == name):
            for number, rate in curve(row["groups"]):
                best[number] = max(best.get(number, 0), rate)
        points = sorted(best.items())
        axes.plot(*zip(*points, strict=True), color="C3", linestyle=dashes, label=f"{name}, groups of the best size")
    levels(axes, report, names[0], steps)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("number of work-groups")
    axes.set_title(f"next {steps} value{'s' if steps > 1 else ''} of each")
    axes.grid(alpha=0.3)


def levels(axes: Axes, report: dict[str, Any], name: str, steps: int) -> None:
    """Draw the limits of the arithmetic `name`, the loop in C and what the paper has as horizontal lines."""
    rows = report["rows"]
    found = {
        ("store of the same bytes", "black", "-"): rows.get(f"best of {name}, {steps} values", {}).get("wall"),
        (f"{name} in registers", "black", "--"): rows.get(f"registers, {name}"),
        ("C loop, one core of the host", "gray", "-"): rows.get("C loop"),
    }
    for (label, colour, dashes), row in found.items():
        if row:
            axes.axhline(row["rate"] / 1e9, color=colour, linestyle=dashes, linewidth=0.8, label=label)
    published = next(rate for who, rate in report["published"].items() if "2009" in who)
    axes.axhline(published / 1e9, color="gray", linestyle=":", linewidth=0.9, label="Tesla T10P, as published")


def draw(path: Path, found: list[dict[str, Any]]) -> None:
    """Draw a row of panels a device, and save them."""
    steps = sorted({row["steps"] for report in found for row in report["rows"].values() if "steps" in row})
    figure = plt.figure(figsize=(WIDTH, 5 * len(found)), layout="constrained")
    for part, report in zip(figure.subfigures(len(found), 1, squeeze=False)[:, 0], found, strict=True):
        panels = part.subplots(1, len(steps), sharey=True, squeeze=False)[0]
        for axes, number in zip(panels, steps, strict=True):
            panel(axes, report, number)
        panels[0].set_ylabel("rate in G values/s")
        part.suptitle(named(report))
        part.legend(*panels[-1].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.savefig(path)
