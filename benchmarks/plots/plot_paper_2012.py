"""Draw the experiments of the paper of 2012: congruential generators, lagged Fibonacci ones, and both beside cuRAND."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from harness.record import version
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from plots.figures import WIDTH

Report = dict[str, Any]

KINDS: dict[str, dict[str, Any]] = {
    "direct": {"linestyle": "-", "marker": "o", "markersize": 4},
    "published": {"linestyle": "--", "marker": "^", "markersize": 4},
}
RATIO = 10
"""The s/r at which the work-group size is varied; what is measured at it along s/r is one of the work-groups too."""

MANY = 200
"""How far the ends of an axis are apart from which on powers of ten are ticks enough."""

SHORT = 8
"""The letters of a tick that lies flat."""

LABELS = {"direct": "clrng's fill", "published": "algorithm of 2012"}
STORES: dict[int, dict[str, Any]] = {32: {"color": "black", "linewidth": 1}, 64: {"color": "gray", "linewidth": 1}}
LOOP: dict[str, Any] = {"linestyle": ":"}
BESIDE = ["Numerical Recipes, 2^32", "Park-Miller, 2^31 - 1", "lags 7, 10", "lags 5, 17"]
"""The generators drawn beside cuRAND's: the paper's of 32 bits."""


def swept(report: Report, sweep: str) -> list[dict[str, Any]]:
    """Return the rows of a report of one sweep."""
    return [row for row in report["rows"].values() if row["sweep"] == sweep]


def names_of(row: dict[str, Any]) -> list[str]:
    """Return the generators that a row of n has."""
    return list(dict.fromkeys(name.split(": ")[1] for name in row["rates"] if ": " in name))


def generators(report: Report, family: str) -> list[str]:
    """Return the generators of a family that have been measured."""
    names = dict.fromkeys(name for row in swept(report, "n") for name in names_of(row))
    return [name for name in names if name.startswith("lags") == (family == "lagged")]


def points(report: Report, name: str, value: str) -> list[tuple[int, float]]:
    """Return n and a value of each rate of this name."""
    found = [(row["n"], row["rates"][name][value]) for row in swept(report, "n") if value in row["rates"].get(name, {})]
    return sorted(found)


def logarithmic(axis: Axis) -> None:
    """Let an axis of plain numbers be logarithmic, with ticks at 1, 2, 5 and their multiples by powers of ten."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if spread(axis) < MANY else (1,)))
    axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    axis.set_minor_locator(NullLocator())


def spread(axis: Axis) -> float:
    """Return the larger end of an axis over the smaller."""
    low, high = axis.get_view_interval()
    return float(high / low)


def along_n(axes: Axes) -> None:
    """Finish a panel whose axis is n."""
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    logarithmic(axes.yaxis)
    axes.grid(alpha=0.3)
    axes.set_xlabel("n, values")


def legend(figure: Figure, found: list[Report], family: str) -> None:
    """Say once what is drawn against n: colours are generators."""
    names = dict.fromkeys(name for report in found for name in generators(report, family))
    styles = {LABELS[kind]: style for kind, style in KINDS.items()} | {"C loop on one core": LOOP}
    styles |= {f"plain stores of {bits} bits": style for bits, style in STORES.items()}
    handles = [Line2D([], [], color=f"C{i}", linewidth=4, label=name) for i, name in enumerate(names)]
    handles += [Line2D([], [], **{"color": "dimgray", **style, "label": name}) for name, style in styles.items()]
    figure.legend(handles=handles, loc="outside upper center", ncols=3)


def title(report: Report) -> str:
    """Return what was measured on, and which clrng, in lines that half the width holds."""
    return f"{report['device']}\n{report['platform']} {report['driver']}\n{version(report)}"


def time_panel(axes: Axes, report: Report, family: str) -> None:
    """Draw the time of a fill against n, beside that of the C loop and of the plain stores."""
    names, loops = generators(report, family), {row["generator"]: row["rates"] for row in swept(report, "C loop")}
    for i, name in enumerate(names):
        for kind, style in KINDS.items():
            found = [(n, 1e3 * seconds) for n, seconds in points(report, f"{kind}: {name}", "seconds")]
            axes.plot([n for n, _ in found], [time for _, time in found], color=f"C{i}", **style)
            if name in loops:
                rate = loops[name]["C loop"]["rate"]
                axes.plot([n for n, _ in found], [1e3 * n / rate for n, _ in found], color=f"C{i}", **LOOP)
    for bits, style in STORES.items():
        rows = [row for row in swept(report, "n") if row["bits"] == bits and not set(names).isdisjoint(names_of(row))]
        found = sorted((row["n"], 1e3 * row["rates"]["wall"]["seconds"]) for row in rows)
        if found:
            axes.plot(*zip(*found, strict=True), **style)
    along_n(axes)
    axes.set_ylabel("time, ms")
    axes.set_title(title(report))


def speedup_panel(axes: Axes, report: Report, family: str) -> None:
    """Draw the speed-up over the C loop against n."""
    names = generators(report, family)
    for i, name in enumerate(names):
        for kind, style in KINDS.items():
            if found := points(report, f"{kind}: {name}", "speed-up"):
                axes.plot(*zip(*found, strict=True), color=f"C{i}", **style)
    axes.axhline(1, color="black", linewidth=0.8)
    along_n(axes)
    axes.set_ylabel("speed-up over the C loop")


def at_ticks(axes: Axes, ticks: dict[float, str]) -> None:
    """Finish a panel whose axis is logarithmic, with these ticks and nowhere else."""
    axes.set_xscale("log")
    axes.set_xticks(list(ticks), list(ticks.values()))
    if any(len(tick) > SHORT for tick in ticks.values()):
        plt.setp(axes.get_xticklabels(), rotation=35, ha="right", rotation_mode="anchor")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.grid(alpha=0.3)
    if ticks:
        axes.legend()


def shape_panel(axes: Axes, report: Report, family: str, along: str) -> None:
    """Draw the speed-up of the published algorithm against s/r, or against the work-group size."""
    ticks: dict[float, str] = {}
    for row in swept(report, "shape"):
        if row["generator"].startswith("lags") == (family == "lagged"):
            rates = {name: rate for name, rate in row["rates"].items() if "speed-up" in rate}
            chosen = [rate for name, rate in rates.items() if name.startswith(along) or name == f"s/r {RATIO}"]
            found = sorted((rate[along], rate["speed-up"], rate["s"], rate["r"]) for rate in chosen)
            i = generators(report, family).index(row["generator"])
            label = f"{row['generator']}:\n{row['n']:,} values"
            style = KINDS["published"]
            axes.plot([x for x, *_ in found], [y for _, y, *_ in found], color=f"C{i}", label=label, **style)
            ticks |= {x: f"{x:g}" if along == "group" else f"{x:g}: {s:,} · {r:,}" for x, _, s, r in found}
    at_ticks(axes, ticks)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(
        f"work-group size, work-items; s/r = {RATIO}" if along == "group" else "s/r, and beside it s · r, values"
    )
    axes.set_ylabel("speed-up, algorithm of 2012")


def lags_panel(axes: Axes, report: Report) -> None:
    """Draw the speed-up over the C loop against the larger lag, at the largest n."""
    ticks: dict[float, str] = {}
    for kind, style in KINDS.items():
        found = []
        for name in generators(report, "lagged"):
            if measured := points(report, f"{kind}: {name}", "speed-up"):
                p1, p2 = map(int, name.removeprefix("lags ").split(", "))
                ticks[p2] = f"{p1}, {p2}"
                found.append((p2, measured[-1][1]))
                label = f"{LABELS[kind]}, {measured[-1][0]:,} values"
        if found:
            axes.plot(*zip(*sorted(found), strict=True), label=label, color="C0" if kind == "direct" else "C1", **style)
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_yscale("log")
    logarithmic(axes.yaxis)
    at_ticks(axes, ticks)
    axes.set_xlabel("lags, words")
    axes.set_ylabel("speed-up over the C loop")


def vendor_panel(axes: Axes, report: Report) -> None:
    """Draw the rates of the paper's generators of 32 bits beside those of cuRAND, at each n that has the latter's.

    Where there is no cuRAND, at the largest n that all of them were measured at.
    """
    rows = sorted((row for row in swept(report, "n") if row["bits"] == 32), key=lambda row: row["n"])  # noqa: PLR2004
    vendors = list(dict.fromkeys(name for row in rows for name in row["rates"] if name.startswith("cuRAND")))
    ours = {f"{kind}: {name}": f"{name}: {LABELS[kind]}" for kind in KINDS for name in BESIDE}
    names = {"wall": "plain stores"} | ours | {name: name for name in vendors}
    shown = [row for row in rows if vendors and any(name in row["rates"] for name in vendors)]
    shown = shown or [row for row in rows if all(name in row["rates"] for name in ours)][-1:]
    names = {name: label for name, label in names.items() if any(name in row["rates"] for row in shown)}
    places = {name: -i for i, name in enumerate(names)}
    for row, marker in zip(shown, "ox^sDv", strict=False):
        found = [(row["rates"][name]["rate"] / 1e9, places[name]) for name in names if name in row["rates"]]
        axes.plot(*zip(*found, strict=True), linestyle="", marker=marker, label=f"{row['n']:,} values")
    axes.set_xscale("log")
    logarithmic(axes.xaxis)
    axes.grid(alpha=0.3)
    if shown:
        axes.legend()
    axes.set_yticks(list(places.values()), list(names.values()))
    axes.set_title(title(report))
    axes.set_xlabel("rate, G values/s" + ("" if vendors else "; no cuRAND here"))


PANELS: dict[str, list[Callable[[Axes, Report], None]]] = {
    "congruential": [
        lambda axes, report: time_panel(axes, report, "congruential"),
        lambda axes, report: speedup_panel(axes, report, "congruential"),
        lambda axes, report: shape_panel(axes, report, "congruential", "s/r"),
        lambda axes, report: shape_panel(axes, report, "congruential", "group"),
    ],
    "lagged": [
        lambda axes, report: time_panel(axes, report, "lagged"),
        lambda axes, report: speedup_panel(axes, report, "lagged"),
        lags_panel,
        lambda axes, report: shape_panel(axes, report, "lagged", "s/r"),
        lambda axes, report: shape_panel(axes, report, "lagged", "group"),
    ],
    "vendor": [vendor_panel],
}


def draw(path: Path, found: list[Report]) -> None:
    """Draw a column a device of each figure's panels, and save the figures: the second and the third beside `path`."""
    for name, panels in PANELS.items():
        beside = name != "vendor"
        size = (WIDTH, 3.2 * len(panels) + 1.2) if beside else (WIDTH, 4.2 * len(found))
        shape = (len(panels), len(found)) if beside else (len(found), 1)
        figure, grid = plt.subplots(*shape, figsize=size, layout="constrained", squeeze=False)
        for report, column in zip(found, grid.T if beside else grid, strict=True):
            for axes, panel in zip(column, panels, strict=True):
                panel(axes, report)
        if beside:
            legend(figure, found, name)
        target = path if name == "congruential" else path.with_name(f"{path.stem}_{name}{path.suffix}")
        figure.savefig(target)
        plt.close(figure)
        if target != path:
            print(f"-> {target}")
