"""A picture of a sample and of the generator that it is drawn from. Needs matplotlib, the extra ``plots``."""

import io
import re
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

CELLS = 64
"""The cube of triples is cut into so many cells a side; planes are looked for that are at least two of these apart."""

MIN_COHERENT = 0.5
"""From this length on of a Fourier coefficient of triples, at most 1, their planes are mentioned."""

MAGNIFIED = 0.9
"""Where the first numbers of all pairs are below it, the picture is as wide as the largest of them."""

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
    pairs: npt.NDArray[Any], file_format: str,
) -> bytes:  # fmt: skip
    """Return a picture: a histogram beside what is expected of it, pairs and triples of successive uniform numbers.

    Of `total` values `counts` are in each bin; the share in no bin is mentioned. The pairs are those of `closest`, and
    the triples are those of `uniforms`. It is a "png" or "svg", the same bytes for the same arguments and release of
    matplotlib.
    """
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(16, 4.8), layout="constrained")
        left, middle, right = figure.subplots(1, 3, width_ratios=(1.6, 1, 1))
        _histogram(left, expected, counts, total)
        left.set_title(title)
        _pairs(middle, pairs)
        _triples(right, uniforms)
        found = io.BytesIO()
        metadata = {"Date": None} if file_format == "svg" else {}
        figure.savefig(found, format=file_format, dpi=150, metadata=metadata)
    return found.getvalue()


def closest(uniforms: npt.NDArray[Any], count: int) -> npt.NDArray[Any]:
    """Return, as two columns, the `count` pairs of successive numbers whose first ones are the smallest."""
    pairs = np.stack([uniforms[:-1], uniforms[1:]], axis=1)
    return pairs[np.argpartition(pairs[:, 0], count - 1)[:count]] if count < len(pairs) else pairs


def across(triples: npt.NDArray[Any]) -> tuple[list[int], float]:
    """Return three integers a, b, c and how near a x + b y + c z of the triples x, y, z are to whole numbers: 0 to 1.

    They are nearest of all small integers, found as the longest of the triples' Fourier coefficients. If they are
    whole, the triples lie on parallel planes, as those of RANDU do: 9 x - 6 y + z.
    """
    counts, _ = np.histogramdd(triples, CELLS, [(0, 1)] * 3)
    lengths = np.abs(np.fft.rfftn(counts)) / len(triples)
    lengths[0, 0, 0] = 0
    lengths[..., -1] = lengths[CELLS // 2] = lengths[:, CELLS // 2] = 0  # the fastest waves have no direction
    best = np.unravel_index(np.argmax(lengths), lengths.shape)
    factors = [int(k) - CELLS * int(k > CELLS // 2) for k in best]
    if next(filter(None, factors), 0) < 0:
        factors = [-factor for factor in factors]
    return factors, float(np.abs(np.exp(2j * np.pi * (triples @ factors)).mean()))


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


def _scatter(axes: Axes, x: npt.NDArray[Any], y: npt.NDArray[Any], width: float) -> None:
    axes.scatter(x, y, s=max(1.5, min(9.0, 1500 / len(x))), linewidths=0, color=PAIRS, rasterized=True)
    axes.set_xlim(0, width)
    axes.set_xlabel("a uniform number x of the generator")


def _pairs(axes: Axes, pairs: npt.NDArray[Any]) -> None:
    width = float(pairs[:, 0].max())
    _scatter(axes, pairs[:, 0], pairs[:, 1], width if 0 < width < MAGNIFIED else 1)
    axes.set_ylim(0, 1)
    axes.set_ylabel("the next one, y")
    below = f", the first one up to {width:.2g}" if width < MAGNIFIED else ""
    axes.set_title(f"{len(pairs):,} pairs of successive\nuniform numbers{below}")


def _triples(axes: Axes, uniforms: npt.NDArray[Any]) -> None:
    triples = np.stack([uniforms[:-2], uniforms[1:-1], uniforms[2:]], axis=1).astype(np.float64)
    factors, coherent = across(triples)
    heights = triples @ factors
    _scatter(axes, triples[:, 0], heights, 1)
    planes = f"on {len(np.unique(heights.round()))} planes" if coherent >= MIN_COHERENT else "no planes are seen"
    terms = (f"{'-' if k < 0 else '+'} {abs(k)} {name}" for k, name in zip(factors, "xyz", strict=True) if k)
    axes.set_ylabel(re.sub(r"\b1 ", "", " ".join(terms)).removeprefix("+ "))
    axes.set_title(f"{len(triples):,} triples x, y, z of successive\nuniform numbers: {planes}")
