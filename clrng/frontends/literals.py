"""Numbers and tables as constants of OpenCL C, and numbers made of raw values."""

from typing import Any

import numpy as np

from clrng.distributions import Table
from clrng.generators.generator_code import CTYPES, GeneratorCode

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


def number_of(code: GeneratorCode, raw: list[str]) -> dict[str, str]:
    """Return the parameters that raw values of these names are, and the number whose digits they are."""
    bits, value = code.recurrence, CTYPES[code.value.name]
    base, end = bits.upper_bound - bits.min_value, "u" if value == "uint" else "UL"
    found = [f"(ulong)({name} - {bits.min_value}{end})" for name in raw]
    return {
        "raw": ", ".join(f"const {value} {name}" for name in raw),
        "number": found[0] if len(raw) == 1 else f"{found[0]} * {base}UL + {found[1]}",
    }
