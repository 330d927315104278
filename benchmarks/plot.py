"""Draw results/*/fill.json: how close each arithmetic comes to each device's write wall. Needs the extra ``plots``."""

import argparse
import json
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt

RESULTS = Path(__file__).parent / "results"


def main() -> None:
    """Draw one group of bars a device and save results/fill.png."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder of results")
    folder = parser.parse_args().results
    reports = [json.loads(path.read_text()) for path in sorted(folder.glob("*/fill.json"))]
    names = [name for name in reports[0]["registers"] if all(name in report["fills"] for report in reports)]
    figure, axes = plt.subplots(figsize=(9, 4.5), layout="constrained")
    width = 0.8 / len(reports)
    for i, report in enumerate(reports):
        wall = report["fills"]["wall"]["rate"] / 1e9
        places = [place + (i - (len(reports) - 1) / 2) * width for place in range(len(names))]
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
    print(f"-> {folder / 'fill.png'}")


if __name__ == "__main__":
    main()
