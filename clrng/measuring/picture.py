"""A picture of a sample and of the generator that it is drawn from. Needs matplotlib, the extra ``plots``."""

import io
from typing import Any

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from clrng.measuring.expected import Expected

DRAWN, EXPECTED, PAIRS = "#9ecae1", "#a63603", "#08519c"
"""Colours."""

FEW = 40
"""The maximum number of bars that are drawn with space between them."""

MIN_TOLD = 0.001
"""The minimum part of the values beyond the picture that its caption mentions."""

STYLE: dict[Any, Any] = {
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "clrng",
    "svg.fonttype": "none",
}


def picture(
    title: str, expected: Expected, counts: npt.NDArray[np.int64], total: int, uniforms: npt.NDArray[Any],
    file_format: str,
) -> bytes:  # fmt: skip
    """Return a picture: a histogram beside what is expected of it, and pairs of successive uniform numbers.

    Of `total` values `counts` are in each bin; the share in no bin is mentioned. It is a "png" or "svg", the same
    bytes for the same arguments and release of matplotlib.
    """
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(11, 4.8), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=(1.5, 1))
        _histogram(left, expected, counts, total)
        left.set_title(title)
        _pairs(right, uniforms)
        found = io.BytesIO()
        metadata = {"Date": None} if file_format == "svg" else {}
        figure.savefig(found, format=file_format, dpi=150, metadata=metadata)
    return found.getvalue()


def _histogram(axes: Axes, expected: Expected, counts: npt.NDArray[np.int64], total: int) -> None:
    few = expected.bins <= FEW and expected.together > 0
    heights, middles = expected.heights(counts, total), (expected.edges[1:] + expected.edges[:-1]) / 2
    width = float(expected.edges[1] - expected.edges[0]) * (0.8 if few else 1)
    axes.bar(middles, heights, width, color=DRAWN, label="drawn", linewidth=0)
    if expected.together:
        axes.plot(expected.x, expected.y, "o", color=EXPECTED, markersize=5 if few else 3, label="probability")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        several = f" of {_short(expected.together)} neighbours" if expected.together > 1 else ""
        axes.set_ylabel(f"probability{several}")
    else:
        axes.plot(expected.x, expected.y, color=EXPECTED, linewidth=1.5, label="density")
        axes.set_ylabel("density")
    axes.set_xlim(expected.edges[0], expected.edges[-1])
    axes.set_ylim(0, 1.08 * heights.max() or 1)
    beyond = 1 - counts.sum() / total
    left_out = f"; {100 * beyond:.3g} % are beyond" if beyond >= MIN_TOLD else ""
    axes.set_xlabel(f"value{f' - {expected.origin}' if expected.origin else ''}{left_out}")
    axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 1), ncols=2, borderaxespad=0)


def _short(number: int) -> str:
    return f"{number:,}" if number < 10**6 else f"{number:.3g}"


def _pairs(axes: Axes, uniforms: npt.NDArray[Any]) -> None:
    axes.scatter(uniforms[:-1], uniforms[1:], s=1.5, linewidths=0, color=PAIRS, rasterized=True)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.set_aspect("equal")
    axes.set_xlabel("a uniform number of the generator")
    axes.set_ylabel("the next one")
    axes.set_title(f"{max(len(uniforms) - 1, 0):,} pairs of successive\nuniform numbers")
