"""The catalogue's pages from `clrng.NAMED`, and the rooms of the source from the first lines of their docstrings."""

import ast
from collections.abc import Iterable
from pathlib import Path

import measured
from measured import power

import clrng
from clrng.generators.families import family_of
from clrng.quality.verdicts import brief_of, verdict_of

PACKAGE = Path(clrng.__file__).parent

ROOM = 24
"""The most letters of a period in a table."""

FIRST = 3
"""How many values are shown of each."""

SEED = 1
"""The seed that they are from, or the least legal one."""

PERMUTING = {
    "`ParkMiller`": clrng.ParkMiller(seed=1),
    "`LCG` of 48 bits, such as `drand48`": clrng.named("drand48", 1),
    "`LCG` of 64 bits, such as `mmix`": clrng.named("mmix", 1),
    "`XorShift32`": clrng.XorShift32(1),
    "`MRG32k3a`": clrng.MRG32k3a(),
    "`LaggedFibonacci` (24, 55), 32 bits": clrng.LaggedFibonacci((24, 55), "+", seed=1),
    "`LaggedFibonacci` (418, 1279), 32 bits": clrng.LaggedFibonacci((418, 1279), "+", seed=1),
}
"""Generators that users choose among to permute with."""

NEAR, SHORT = 1000, 10**5
"""What counts as near to a power of two, and what as short enough to be written out."""


def near_power(size: int) -> str | None:
    """Return a large integer as a power of two and what is left, if that is little."""
    for exponent in (size.bit_length(), size.bit_length() - 1):
        rest = size - 2**exponent
        if abs(rest) < NEAR:
            return power(exponent) + (f" {'+' if rest > 0 else '-'} {abs(rest)}" if rest else "")
    return None


def number(value: int) -> str:
    """Return an integer as people read it."""
    short = None if abs(value) < SHORT else near_power(abs(value))
    return str(value) if short is None else f"{'-' if value < 0 else ''}{short}"


def period(value: int | None) -> str:
    """Return a period, which is near to a power of two or one less than a power of two times another."""
    if value is None:
        return "not known"
    twos = (value & -value).bit_length() - 1
    factor = value >> twos
    if near_power(value) is None and factor & (factor + 1) == 0:
        return f"({power(factor.bit_length())} - 1) · {power(twos)}"
    return number(value)


def brief(value: int | None) -> str:
    """Return a period, or the power of two that is nearest where a column has no room for it."""
    exact = period(value)
    return exact if value is None or len(exact) <= ROOM else measured.near_power(value)


def entry(name: str) -> list[str]:
    """Return the section of one generator."""
    row = clrng.NAMED[name]
    low, high = row.seeds
    bits = row.make(low)
    seed = max(low, SEED)
    first = ", ".join(map(str, row.make(seed).sequence(FIRST).tolist()))
    facts = {
        "what": row.what,
        "recurrence": bits.formula(number),
        "raw value": bits.value_formula(number),
        "dtype": f"{bits.dtype}",
        "period": period(bits.period),
        "all orders of": f"at most {bits.largest_permutation} elements",
        "seeds": f"{number(low)} to {number(high)}",
        "first values": f"{first}, … from seed {seed}",
        "verdict": verdict_of(name).said,
        "source": row.source,
    }
    return [f"({name})=", f"### `{name}`", "", *(f":{fact}: {escaped(text)}" for fact, text in facts.items()), ""]


def escaped(text: str) -> str:
    """Return text in which Markdown finds no marks of its own."""
    for mark in ("\\", "*", "_", "$", "`", "|", "<"):
        text = text.replace(mark, f"\\{mark}")
    return text


def overview(names: Iterable[str]) -> list[str]:
    """Return a table of generators with what each is, each name leading to its section."""
    lines = ["| name | what | period | verdict |", "|---|---|---|---|"]
    for name in names:
        row = clrng.NAMED[name]
        bits = row.make(row.seeds[0])
        cells = [f"[`{name}`](#{name})", escaped(row.what), escaped(brief(bits.period)), brief_of(name)]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def catalogue() -> list[str]:
    """Return all generators by family: a table, then a section each."""
    lines = []
    titles = {name: family_of(row.make(row.seeds[0])).title for name, row in clrng.NAMED.items()}
    for title in dict.fromkeys(titles.values()):
        names = [name for name in titles if titles[name] == title]
        lines += [f"## {title}", "", *overview(names), "", *(line for name in names for line in entry(name))]
    return lines


def permutations() -> list[str]:
    """Return up to how many elements each of some generators has as many states as there are orders."""
    lines = ["| generator | all orders of at most |", "|---|---:|"]
    for name, bits in PERMUTING.items():
        lines.append(f"| {name} | {bits.largest_permutation} elements |")
    return lines


def count() -> list[str]:
    """Return how many there are."""
    return [f"There are {len(clrng.NAMED)}."]


def rooms() -> list[str]:
    """Return the folders and files of the package, each with the first line of its docstring."""
    lines = ["| in `clrng/` | what it is for |", "|---|---|"]
    entries = sorted(PACKAGE.iterdir(), key=lambda path: (path.is_file(), path.name))
    for path in entries:
        source = path / "__init__.py" if path.is_dir() else path
        if source.suffix != ".py" or not source.is_file() or path.name == "__init__.py":
            continue
        about = ast.get_docstring(ast.parse(source.read_text()))
        if about:
            lines.append(f"| `{path.name}{'/' if path.is_dir() else ''}` | {escaped(about.splitlines()[0])} |")
    return lines
