"""Draw the rates of clrng and of its peers as bars, a row of panels a kind of values and a column a device."""

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, LogLocator

from plots.figures import bar_limits, three

TITLES = {
    "raw32": "raw values of 32 bits",
    "raw64": "raw values of 64 bits",
    "float32": "uniform float32",
    "float64": "uniform float64",
}
COLOURS = {"clrng": "C0", "device": "C1", "host": "0.7"}
LABELS = {"clrng": "clrng, exact stream", "device": "peer on the same device", "host": "peer on the host"}
BAR = 0.17
"""Inches of a bar and the space below it."""

ROOM = 0.22
"""The part of the axis that the text beside a bar takes; text that would lie across the wall stands beyond it."""

Bar = tuple[str, str, dict[str, Any]]


def generator_of(name: str) -> str:
    """Return the name of a generator without that of cuRAND's ordering."""
    return name.rsplit(" ", 1)[0] if name.startswith("cuRAND") and name.count(" ") > 1 else name


def bars_of(report: dict[str, Any], kind: str) -> list[Bar]:
    """Return the label, the colour's name and the rate of each bar, the fastest last; of orderings only the fastest."""
    best: dict[str, Bar] = {}
    for where in ("device", "host"):
        for name, rate in report["rows"].get(f"{kind}, {where}", {"rates": {}})["rates"].items():
            bar = (name, "clrng" if name.startswith("clrng") else where, rate)
            key = f"{where} {generator_of(name)}"
            if name != "wall" and (key not in best or best[key][2]["rate"] < rate["rate"]):
                best[key] = bar
    return sorted(best.values(), key=lambda bar: bar[2]["rate"])


def panel(axes: Axes, report: dict[str, Any], kind: str) -> None:
    """Draw the bars of one kind of values on one device."""
    bars = bars_of(report, kind)
    rates = [rate["rate"] / 1e9 for _, _, rate in bars]
    axes.barh(range(len(bars)), rates, height=0.75, color=[COLOURS[who] for _, who, _ in bars])
    wall = report["rows"].get(f"{kind}, device", {"rates": {}})["rates"].get("wall", {"rate": 0.0})["rate"] / 1e9
    low, high = bar_limits([*rates, wall or rates[0]], ROOM)
    for place, (rate, (_, _, row)) in enumerate(zip(rates, bars, strict=True)):
        text = three(rate) + (f", clrng x {three(row['times'])}" if "times" in row else "")
        at = max(rate, wall) if rate * (high / low) ** ROOM > wall else rate, place
        axes.annotate(text, at, (3, 0), textcoords="offset points", fontsize=6, va="center")
    axes.set_yticks(range(len(bars)), [name.removesuffix(" DEFAULT") for name, _, _ in bars], fontsize=6.5)
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    axes.set_ylim(-1.6, len(bars) - 0.3)
    axes.xaxis.set_major_locator(LogLocator(10))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda rate, _: f"{rate:g}"))
    axes.grid(axis="x", alpha=0.3)
    if wall:
        axes.axvline(wall, color="black", linewidth=1, zorder=0.5)
        axes.annotate(
            f"write wall {three(wall)}", (wall, -0.4), (3, 0), textcoords="offset points", fontsize=6.5, va="top"
        )
    axes.set_xlabel("rate in G values/s, and how many times as fast clrng's fastest is", fontsize=8)
    axes.tick_params(axis="x", labelsize=8)


def draw(path: Path, found: list[dict[str, Any]]) -> None:
    """Draw one column of panels a device, and save them."""
    kinds = [kind for kind in TITLES if any(bars_of(report, kind) for report in found)]
    heights = [1 + BAR * max(len(bars_of(report, kind)) for report in found) for kind in kinds]
    figure, panels = plt.subplots(
        len(kinds),
        len(found),
        figsize=(6.5 * len(found), sum(heights) + 0.4),
        height_ratios=heights,
        layout="constrained",
        squeeze=False,
    )
    for row, kind in zip(panels, kinds, strict=True):
        for axes, report in zip(row, found, strict=True):
            if bars_of(report, kind):
                panel(axes, report, kind)
                axes.set_title(f"{report['device']}, {report['platform']}\n{TITLES[kind]}", fontsize=9)
            else:
                axes.set_axis_off()
    patches = [Patch(color=COLOURS[who], label=label) for who, label in LABELS.items()]
    figure.legend(handles=patches, loc="outside upper center", ncols=len(patches), fontsize=8)
    figure.savefig(path, dpi=100)
