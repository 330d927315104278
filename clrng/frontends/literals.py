"""Numbers and tables as constants of OpenCL C."""

from typing import Any

import numpy as np

from clrng.distributions import Table

ENDINGS = {"float32": "f", "float64": "", "uint32": "u", "uint64": "UL"}
"""What ends a constant of OpenCL C, by dtype."""

NUMBERS_PER_LINE = 8


def literal(number: Any) -> str:
    """Return a number of NumPy, of 32 or 64 bits, as a constant of OpenCL C that is exactly this number."""
    if number.dtype == np.int64:
        return f"as_long({int(number) % 2**64}UL)"
    text = float(number).hex() if number.dtype.kind == "f" else str(number)
    return text + ENDINGS[number.dtype.name]


def rows(ctype: str, table: Table) -> tuple[int, list[str]]:
    """Return how many elements of a type a table has, and the lines of these."""
    numbers = [literal(each) for each in table.numbers.ravel()]
    if ctype.endswith("4"):
        fours = [f"({ctype})({', '.join(numbers[i : i + 4])})" for i in range(0, len(numbers), 4)]
        return len(fours), fours
    lines = [", ".join(numbers[i : i + NUMBERS_PER_LINE]) for i in range(0, len(numbers), NUMBERS_PER_LINE)]
    return len(numbers), lines
