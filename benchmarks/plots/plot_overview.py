"""Draw the README's picture: uniform float32 of clrng, of its peers and of plain stores, a panel a device."""

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from plots.figures import stacked, three
from plots.libraries import begins

SOURCE = "peers"
"""The results it is drawn from."""

BARS = {
    "clrng, PCG64, the default": "clrng PCG64",
    "clrng, MRG32k3a": "clrng MRG32k3a",
    "cuRAND, Philox": "cuRAND PHILOX",
    "cuRAND, MRG32k3a": "cuRAND MRG32K3A",
    "PyTorch, Philox": "PyTorch, CUDA",
    "pyopencl.clrandom": "pyopencl.clrandom",
}
"""Generators for new work, each shown where a device has it; and how the names begin that it is the fastest of."""

HOST = {"NumPy, PCG64, one core": "NumPy PCG64"}
"""What is shown beside, on a device that is the host's processor."""

COLOURS = {True: "#1a6fb5", False: "#a3a9b2"}
"""The colours of clrng and of others."""


def picked(report: dict[str, Any]) -> dict[str, float]:
    """Return the rates of the bars in G values/s by label, the slowest first."""
    found: dict[str, float] = {}
    for where, labels in {"device": BARS, "host": HOST if report.get("kind") == "cpu" else {}}.items():
        rates = report["rows"].get(f"float32, {where}", {"rates": {}})["rates"]
        for label, beginning in labels.items():
            among = [rate["rate"] / 1e9 for name, rate in rates.items() if begins(name, (beginning,))]
            if among:
                found[label] = max(among)
    return dict(sorted(found.items(), key=lambda item: item[1]))


def panel(axes: Axes, report: dict[str, Any]) -> None:
    """Draw the bars of one device, and its wall as a line."""
    rates = picked(report)
    wall = report["rows"]["float32, device"]["rates"]["wall"]["rate"] / 1e9
    colours = [COLOURS[label.startswith("clrng")] for label in rates]
    bars = axes.barh(list(rates), list(rates.values()), height=0.72, color=colours)
    axes.bar_label(bars, [three(rate) for rate in rates.values()], padding=4, zorder=3,
                   bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8})  # fmt: skip
    axes.axvline(wall, color="black", linewidth=1.2, linestyle=(0, (4, 2)))
    axes.annotate(f"write wall, {three(wall)}", (wall, 1), (0, 3), xycoords=("data", "axes fraction"),
                  textcoords="offset points", ha="center")  # fmt: skip
    axes.set_xlim(0, 1.2 * wall)
    axes.set_xticks([])
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    name = (
        f"{report['platform']}, {report['units']} cores of {report['host']}"
        if report.get("kind") == "cpu"
        else report["device"]
    )
    axes.set_title(name, loc="left", x=0, pad=20, fontweight="bold")


def draw(path: Path, found: list[dict[str, Any]]) -> None:
    """Draw one panel a device that has such rates, one below the other, each as high as it has bars."""
    found = [report for report in found if picked(report)]
    counts = [len(picked(report)) for report in found]
    if not found:
        return
    figure, panels = stacked([0.29 * count + 0.75 for count in counts])
    for axes, report in zip(panels, found, strict=True):
        panel(axes, report)
    figure.supxlabel("10⁹ float32 in [0, 1) a second")
    figure.savefig(path)
    plt.close(figure)
