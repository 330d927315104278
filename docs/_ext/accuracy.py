"""The tables of how right the values of distributions are, each from what was measured."""

import json
import math
from pathlib import Path
from typing import Any

from measured import reports, table, where

MEASURED = Path(__file__).parents[2] / "tests" / "data" / "accuracy.json"
GENERATORS = {"park_miller": "2³¹ - 2", "mmix": "2⁶⁴"}
"""How many raw values there are, by the generator that stands for it."""

UNITS = {"float32": 2.0**-24, "float64": 2.0**-53}
SMALL, LARGE = 1e-3, 1e5
"""Numbers between these are written without a power of ten."""

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def scientific(value: float) -> str:
    """Return a number in two digits with a power of ten, or 0."""
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}·10{str(int(exponent)).translate(SUPERSCRIPTS)}"


def number(value: float) -> str:
    """Return a number in five digits."""
    return f"{value:.5g}" if SMALL <= abs(value) < LARGE or value == 0 else scientific(value)


def accuracy(dtype: str) -> list[str]:
    """Return the errors of the values of one dtype, with what their tables are."""
    lines = []
    for row in json.loads(MEASURED.read_text())["rows"]:
        if row["dtype"] == dtype:
            units = f"{row['value'] / UNITS[dtype]:.3g}"
            lines.append([
                f"`{row['distribution']}`", GENERATORS[row["generator"]], str(row["steps"]), scientific(row["value"]),
                units, scientific(row["probability"]), number(row["least"]), number(row["greatest"]),
                f"{row['rows']} of degree {row['degree']}{', log' if row['logarithms'] else ''}",
            ])  # fmt: skip
    unit = "2⁻²⁴" if dtype == "float32" else "2⁻⁵³"
    header = ["", "raw values", "steps", "error of the value", f"in units of {unit}", "error in probability", "least"]
    return table([*header, "largest", "rows"], lines)


def every_normal() -> list[str]:
    """Return what the comparison of all normals found, on each device where it ran."""
    lines = []
    for report in reports("every_normal"):
        row = report["rows"]["standard_normal, float32"]
        cells = [row["values"], row["different"], row["decreasing"]]
        lines.append(
            [
                where(report),
                *map(str, cells),
                scientific(row["deepest"]),
                str(row["largest"]),
                f"`{row['device'][:16]}`",
            ]
        )
    header = ["device", "values", "different from the host's", "decreases", "largest decrease, relative"]
    return table([*header, "largest value", "SHA-256 begins with"], lines)


def least(row: dict[str, Any]) -> list[str]:
    """Return the p-values of a sample, empty where there is none."""
    names = ("chi-square", "KS", "mean", "variance", "lower tail", "upper tail")
    return [f"{row[f'p of {name}']:.3g}" if f"p of {name}" in row else "" for name in names]


def samples() -> list[str]:
    """Return the p-values of large samples, on each device where they were drawn."""
    lines = []
    for report in reports("samples"):
        rows = report["rows"]
        values = [p for row in rows.values() for name, p in row.items() if name.startswith("p of ")]
        size = f"10{str(round(math.log10(report['values']))).translate(SUPERSCRIPTS)}"
        extremes = f"The least of these {len(values)} p-values is {min(values):.2g}, and the largest {max(values):.4g}"
        lines += ["", f"{where(report)}: {size} values each. {extremes}.", ""]
        header = ["", "chi-square", "Kolmogorov-Smirnov", "mean", "variance", "lower tail", "upper tail"]
        lines += table(header, [[name, *least(row)] for name, row in rows.items()])
    return lines
