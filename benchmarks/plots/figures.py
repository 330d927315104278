"""What figures share: their width and the size of their text, how numbers are written, and the room beside bars."""

from typing import Any

import matplotlib.pyplot as plt
from harness.record import version
from matplotlib.axes import Axes
from matplotlib.figure import Figure

WIDTH = 8
"""Inches of every figure."""

DPI = 150
SIZE = 10
"""The points of text, which are 14 pixels where a figure is shown 800 pixels wide; the least is one point less."""

STYLE: dict[Any, Any] = {
    "font.size": SIZE, "axes.titlesize": SIZE, "axes.labelsize": SIZE, "xtick.labelsize": SIZE - 1,
    "ytick.labelsize": SIZE - 1, "legend.fontsize": SIZE - 1, "figure.titlesize": SIZE,
    "figure.labelsize": SIZE, "savefig.dpi": DPI,
}  # fmt: skip
"""Matplotlib's parameters."""


def stacked(heights: list[float], room: float = 0.4, **more: Any) -> tuple[Figure, list[Axes]]:
    """Return a figure with panels of these heights in inches one below the other, and `room` inches for a legend."""
    figure, panels = plt.subplots(
        len(heights), 1, figsize=(WIDTH, sum(heights) + room), height_ratios=heights, layout="constrained",
        squeeze=False, **more,
    )  # fmt: skip
    return figure, list(panels[:, 0])


def named(report: dict[str, Any]) -> str:
    """Return the device of a report and its driver, and which clrng was measured, in two lines."""
    return f"{report['device']}, {report['platform']} {report['driver']}\n{version(report)}"


def three(value: float) -> str:
    """Return a number in three digits, or more where it is larger."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"  # noqa: PLR2004


def bar_limits(rates: list[float], room: float) -> tuple[float, float]:
    """Return the ends of a logarithmic axis of bars, a part `room` of whose length is free beyond the longest."""
    low, high = min(rates) / 2, max(rates)
    return low, high * (high / low) ** (room / (1 - room))
