"""The table of distributions by name."""

import clrng


def distributions() -> list[str]:
    """Return the table of `clrng.DISTRIBUTIONS`: names, what they are, and parameters with NumPy's defaults."""
    lines = ["| name | what | parameters |", "|---|---|---|"]
    for name, row in clrng.DISTRIBUTIONS.items():
        parameters = ", ".join(f"`{parameter}`" for parameter in row.parameters)
        lines.append(f"| `{name}` | {row.about} | {parameters} |")
    return lines
