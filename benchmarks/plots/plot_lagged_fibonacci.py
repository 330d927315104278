"""Draw the rates of lagged Fibonacci generators and of their peers against the larger lag, a panel a device."""

from pathlib import Path
from statistics import median
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogFormatter, NullLocator

from plots.figures import named, stacked

LINES: dict[str, dict[str, Any]] = {
    "+": {"label": "clrng, +", "marker": "+", "color": "C0", "linewidth": 1},
    "-": {"label": "clrng, -", "marker": "o", "color": "C1", "markerfacecolor": "none", "linewidth": 1},
    "*": {"label": "clrng, *", "marker": "x", "color": "C2", "linewidth": 1},
    "xor": {"label": "clrng, xor", "marker": "s", "color": "C3", "markerfacecolor": "none", "linewidth": 1},
    "published +": {"label": "published algorithm of 2012, +", "marker": "^", "color": "C4", "linestyle": "--"},
    "C loop +": {"label": "plain C loop, one core of the host, +", "marker": "v", "color": "C5", "linestyle": "--"},
}
LEVELS: dict[str, dict[str, Any]] = {
    "wall": {"label": "write wall", "color": "black", "linewidth": 1},
    "cuRAND MT19937": {"label": "cuRAND MT19937", "color": "gray", "linestyle": ":"},
}
"""What has no lags: horizontal lines, at the median over the pairs of lags."""


def lag_ticks(axes: Axes, lags: list[int]) -> None:
    """Let the axis of lags be logarithmic, with a tick at each lag and nowhere else."""
    axes.set_xscale("log")
    axes.set_xticks(lags, [str(lag) for lag in lags], rotation=45)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel("larger lag, in words")


def rates_panel(axes: Axes, report: dict[str, Any]) -> None:
    """Draw the rates of one device's lagged Fibonacci generators of 32 bits."""
    rows = sorted((row for row in report["rows"].values() if row["bits"] == 32), key=lambda row: max(row["lags"]))  # noqa: PLR2004
    rates = [(max(row["lags"]), row["rates"]) for row in rows]
    for name, style in LEVELS.items():
        found = [rate[name]["rate"] / 1e9 for _, rate in rates if name in rate]
        if found:
            axes.axhline(median(found), **{**style, "label": f"{style['label']}, {median(found):.4g} G/s"})
    for name, style in LINES.items():
        points = [(lag, rate[name]["rate"] / 1e9) for lag, rate in rates if name in rate]
        if points:
            axes.plot(*zip(*points, strict=True), **style)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda rate, _: f"{rate:g}"))
    axes.yaxis.set_minor_formatter(LogFormatter())
    lag_ticks(axes, [lag for lag, _ in rates])
    axes.set_title(f"{named(report)}, {report['values']:,} values of 32 bits a call")
    axes.grid(alpha=0.3)
    axes.legend(loc="best")


def draw(path: Path, found: list[dict[str, Any]]) -> None:
    """Draw one panel a device, and save them."""
    figure, panels = stacked([4.6] * len(found))
    for axes, report in zip(panels, found, strict=True):
        rates_panel(axes, report)
        axes.set_ylabel("rate in G values/s")
    figure.savefig(path)
