"""Draw the rates of clrng and of other libraries as bars, of each the fastest: a panel a device and kind of values."""

from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, LogLocator

from plots.figures import bar_limits, named, stacked, three
from plots.libraries import GROUPS, begins

TITLES = {"float32": "uniform float32", "float64": "uniform float64"}
COLOURS = {"clrng": "#1a6fb5", "device": "C1", "host": "0.7"}
LABELS = {"clrng": "clrng, for new work", "device": "on the same device", "host": "on the host"}
BAR = 0.27
"""Inches of a bar and the space below it."""

ROOM = 0.1
"""The part of the axis that the text beside a bar takes."""

Bar = tuple[str, str, float]


def bars_of(report: dict[str, Any], kind: str) -> list[Bar]:
    """Return the label, the colour's name and the rate of each bar in G values/s, the fastest last."""
    bars = []
    for label, beginnings in GROUPS.items():
        among = [
            (rate["rate"] / 1e9, where)
            for where in ("device", "host")
            for name, rate in report["rows"].get(f"{kind}, {where}", {"rates": {}})["rates"].items()
            if begins(name, beginnings)
        ]
        if among and "for old work" not in label:
            rate, where = max(among)
            bars.append((label.replace("`", ""), "clrng" if label.startswith("clrng") else where, rate))
    return sorted(bars, key=lambda bar: bar[2])


def panel(axes: Axes, report: dict[str, Any], kind: str) -> None:
    """Draw the bars of one kind of values on one device."""
    bars = bars_of(report, kind)
    rates = [rate for *_, rate in bars]
    wall = report["rows"][f"{kind}, device"]["rates"]["wall"]["rate"] / 1e9
    axes.axvline(wall, color="black", linewidth=1.2, linestyle=(0, (4, 2)), zorder=0.5)
    axes.annotate(f"write wall {three(wall)}", (wall, 1), (0, 3), xycoords=("data", "axes fraction"),
                  textcoords="offset points", ha="center")  # fmt: skip
    drawn = axes.barh([label for label, *_ in bars], rates, height=0.75, color=[COLOURS[who] for _, who, _ in bars])
    axes.bar_label(drawn, [three(rate) for rate in rates], padding=3,
                   bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8})  # fmt: skip
    axes.set_xscale("log")
    axes.set_xlim(bar_limits([*rates, wall], ROOM))
    axes.xaxis.set_major_locator(LogLocator(10))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda rate, _: f"{rate:g}"))
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel("10⁹ values a second, on a logarithmic scale")
    axes.set_title(f"{named(report)}: {TITLES[kind]}", loc="left", pad=18)


def draw(path: Path, found: list[dict[str, Any]]) -> None:
    """Draw the panels one below the other, and save them."""
    every = [(report, kind) for report in found for kind in TITLES if bars_of(report, kind)]
    figure, panels = stacked([1.3 + BAR * len(bars_of(*one)) for one in every])
    for axes, (report, kind) in zip(panels, every, strict=True):
        panel(axes, report, kind)
    patches = [Patch(color=COLOURS[who], label=label) for who, label in LABELS.items()]
    figure.legend(handles=patches, loc="outside upper center", ncols=len(patches))
    figure.savefig(path)
