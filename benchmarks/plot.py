"""Draw the results of fill.py and lagged_fibonacci.py, of every device there is. Needs the extra ``plots``.

fill.png: how close each arithmetic comes to each device's write wall. lagged_fibonacci.png: a panel a device, the rates
of lagged Fibonacci generators and of their peers against the larger lag.
"""

import argparse
import json
from pathlib import Path
from statistics import median
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogFormatter, NullLocator

RESULTS = Path(__file__).parent / "results"

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


def reports(folder: Path, name: str) -> list[dict[str, Any]]:
    """Return the results of one benchmark, of each device that has them."""
    return [json.loads(path.read_text()) for path in sorted(folder.glob(f"*/{name}.json"))]


def fill(folder: Path, found: list[dict[str, Any]]) -> None:
    """Draw one group of bars an arithmetic with one bar a device, and save fill.png."""
    names = [name for name in found[0]["registers"] if all(name in report["fills"] for report in found)]
    figure, axes = plt.subplots(figsize=(9, 4.5), layout="constrained")
    width = 0.8 / len(found)
    for i, report in enumerate(found):
        wall = report["fills"]["wall"]["rate"] / 1e9
        places = [place + (i - (len(found) - 1) / 2) * width for place in range(len(names))]
        ratios = [report["fills"][name]["ratio"] for name in names]
        bars = axes.bar(places, ratios, width, label=f"{report['device']}, {report['platform']}: wall {wall:.4g} G/s")
        rates = [report["fills"][name]["rate"] / 1e9 for name in names]
        axes.bar_label(bars, [f"{rate:.0f}" if rate > 100 else f"{rate:.2g}" for rate in rates], fontsize=8)  # noqa: PLR2004
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_xticks(range(len(names)), names)
    axes.set_xlabel("arithmetic; over each bar its rate in G values/s")
    axes.set_ylabel("fill rate / the device's write wall")
    axes.set_ylim(0, 1.3)
    axes.legend(loc="upper right", fontsize=8)
    figure.savefig(folder / "fill.png", dpi=120)


def lag_ticks(axes: Axes, lags: list[int]) -> None:
    """Let the axis of lags be logarithmic, with a tick at each lag and nowhere else."""
    axes.set_xscale("log")
    axes.set_xticks(lags, [str(lag) for lag in lags], rotation=45, fontsize=8)
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
    axes.set_title(
        f"{report['device']}, {report['platform']}\n{report['values']:,} values of 32 bits a call", fontsize=9
    )
    axes.grid(alpha=0.3)
    axes.legend(loc="best", fontsize=7)


def lagged_fibonacci(folder: Path, found: list[dict[str, Any]]) -> None:
    """Draw one panel a device, and save lagged_fibonacci.png."""
    size = (6.5 * len(found), 5.5)
    figure, panels = plt.subplots(1, len(found), figsize=size, layout="constrained", squeeze=False)
    for axes, report in zip(panels[0], found, strict=True):
        rates_panel(axes, report)
    panels[0][0].set_ylabel("rate in G values/s")
    figure.savefig(folder / "lagged_fibonacci.png", dpi=120)


def main() -> None:
    """Draw what there are results of, next to them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder of results")
    folder = parser.parse_args().results
    for draw in (fill, lagged_fibonacci):
        if found := reports(folder, draw.__name__):
            draw(folder, found)
            print(f"-> {folder / draw.__name__}.png")


if __name__ == "__main__":
    main()
