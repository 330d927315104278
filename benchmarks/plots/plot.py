"""Draw the results of the other scripts, the newest of each platform, next to them. Needs the extra ``plots``.

Each figure is drawn by the module named after it: plot_fill.py draws fill.png from every fill.json, or from the results
that the module says with SOURCE.
"""

import argparse
import importlib
from pathlib import Path
from typing import Any

import matplotlib as mpl
from harness.common import RESULTS, read

from plots.figures import STYLE


def reports(folder: Path, name: str) -> list[dict[str, Any]]:
    """Return the results of one script: of each platform those of the device that was measured last."""
    newest: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob(f"*/{name}.json")):
        found = read(path)
        if found and found.get("date", "") >= newest.get(found["platform"], {}).get("date", ""):
            newest[found["platform"]] = found
    return list(newest.values())


def main() -> None:
    """Draw what there are results of."""
    mpl.use("Agg")
    mpl.rcParams.update(STYLE)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder of results")
    folder = parser.parse_args().results
    for module in sorted(Path(__file__).parent.glob("plot_*.py")):
        name = module.stem.removeprefix("plot_")
        drawing = importlib.import_module(f"plots.{module.stem}")
        if found := reports(folder, getattr(drawing, "SOURCE", name)):
            drawing.draw(folder / f"{name}.png", found)
            print(f"-> {folder / name}.png")


if __name__ == "__main__":
    main()
