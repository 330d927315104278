"""OpenCL C of a distribution for the user's own kernels.

Its tables are part of the text, as arrays in constant memory, so that a kernel needs no arguments for them. Its values
are those of a fill: both call the same ``convert``.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from clrng import validation
from clrng.distributions import Table, Transform
from clrng.distributions.distribution import Continuous, Integers, normal, transform_of
from clrng.frontends.user_code.user_distributions import Wanted
from clrng.generators import source
from clrng.generators.generator_code import CTYPES, GeneratorCode
from clrng.opencl.templates import render

ENDINGS = {"float32": "f", "float64": "", "uint32": "u", "uint64": "UL"}
"""What ends a constant of OpenCL C, by dtype."""

NUMBERS_A_LINE = 8


def literal(number: Any) -> str:
    """Return a number of NumPy, of 32 or 64 bits, as a constant of OpenCL C that is exactly this number."""
    if number.dtype == np.int64:
        return f"as_long({int(number) % 2**64}UL)"
    shown = float(number).hex() if number.dtype.kind == "f" else str(number)
    return shown + ENDINGS[number.dtype.name]


def named(declaration: str) -> str:
    """Return the name that a declaration of C gives."""
    return declaration.rsplit(maxsplit=1)[-1].lstrip("*")


@dataclass(frozen=True)
class Functions:
    """The functions of one distribution for a generator.

    Attributes
    ----------
    code : GeneratorCode
    wanted : Wanted
    prefix : str
        What every name begins with.
    local_bytes : int
        The local memory that its copies of tables may take; 0 where a device reads them faster where they are.
    names : dict
        What all tables of a text are called: distributions that have a table together share it. Its own are added.
    """

    code: GeneratorCode
    wanted: Wanted
    prefix: str
    local_bytes: int
    names: dict[Table, str]

    def __post_init__(self) -> None:
        for parameter, (_, table) in self.tables.items():
            self.names.setdefault(table, f"{self.own}{parameter}")

    @cached_property
    def transform(self) -> Transform:
        """What makes values of raw values; loc and scale of a continuous distribution are added to its values.

        Raises
        ------
        ValueError
            If the distribution cannot be drawn from with the raw values of the generator, or the dtype has not its
            values.
        """
        bits, distribution = self.code.recurrence, self.wanted.distribution
        if isinstance(distribution, Continuous):
            distribution = Continuous(distribution.quantile)
        return transform_of(distribution, bits.min_value, bits.upper_bound, self.wanted.dtype)

    @property
    def copies(self) -> int:
        """How many copies of its tables a work-group has in local memory; 0 where it reads them where they are."""
        return self.transform.local_copies(self.local_bytes) if self.local_bytes else 0

    @property
    def tables(self) -> dict[str, tuple[str, Table]]:
        """The types and tables that `convert` reads, by the names of its parameters."""
        pairs = zip(self.transform.parameters, self.transform.arguments, strict=True)
        found = {declaration: each for declaration, each in pairs if isinstance(each, Table)}
        return {named(declaration): (declaration.split()[2], each) for declaration, each in found.items()}

    @property
    def near(self) -> list[str]:
        """The declarations of the tables in local memory that `convert` reads."""
        return [each for each in self.transform.convert_parameters(self.copies) if each.startswith("__local")]

    @property
    def own(self) -> str:
        """What the names begin with that are not for the user."""
        return f"{self.prefix}clrng_{self.wanted.name}_"

    @property
    def out(self) -> str:
        """The type of values."""
        return CTYPES[self.wanted.dtype.name]

    @property
    def run_time(self) -> list[str]:
        """What ``next_..._with`` takes: the parameters that a kernel can choose when it runs."""
        if isinstance(self.wanted.distribution, Continuous):
            return [f"const {self.out} loc", f"const {self.out} scale"]
        return [f"const {self.out} low", "const ulong n"] if isinstance(self.wanted.distribution, Integers) else []

    def text(self) -> str:
        """Return the definitions of all functions."""
        convert = source.transform(self.code, self.transform, self.own, 1)
        if self.copies:
            convert += source.transform(self.code, self.transform, f"{self.own}local_", 1, copies=self.copies)
        return render(
            "user/distribution.cl.mako",
            p=self.prefix,
            called=self.wanted.name,
            own=self.own,
            out=self.out,
            value=CTYPES[self.code.value.name],
            steps=self.transform.steps,
            floats=self.wanted.dtype.kind == "f",
            tables=[
                (self.names[table], kind, *_rows(kind, table))
                for name, (kind, table) in self.tables.items()
                if self.names[table] == f"{self.own}{name}"
            ],
            has_tables=bool(self.tables),
            # A kernel of the user's has up to three dimensions, not one as those of a fill.
            convert=convert.replace("__global", "__constant").replace("get_work_dim()", "1u + (get_work_dim() >> 2)"),
            near=self.near,
            copying=self._copying() if self.copies else "",
            run_time=self.run_time,
            call=self._call,
            digits=[f"x{d}" for d in range(self.transform.steps)],
            given=self._given(),
        )

    def _copying(self) -> str:
        """Return the lines that copy the tables, inside a macro whose parameter is ``copy``."""
        lines = re.sub(r"\s*//.*", "", self.transform.opening(self.copies))
        for name in re.findall(r"__local (?:const )?\w+ \*?(?:const )?(\w+)", lines):
            lines = re.sub(rf"\b{name}\b", f"copy##_{name}", lines)
        for name, (_, table) in self.tables.items():
            lines = re.sub(rf"\b{name}\b", self.names[table], lines)
        lines = lines.replace("get_local_id(0)", f"{self.own}item()").replace("get_local_size(0)", f"{self.own}items()")
        return lines.rstrip("\n").replace("\n", " \\\n")

    def _given(self) -> list[str]:
        """Return the arguments of `convert` behind raw values: names of tables, and constants."""
        return [self.names[each] if isinstance(each, Table) else literal(each) for each in self.transform.arguments]

    def _call(self, *, local: bool, chosen: bool) -> str:
        """Return the value of raw values x0, x1, ..., with tables in `local` memory, with `chosen` parameters."""
        given = [self.names[each] if isinstance(each, Table) else literal(each) for each in self.transform.arguments]
        distribution = self.wanted.distribution
        if chosen and isinstance(distribution, Integers):
            given = [self._from_n(named(declaration)) for declaration in self.transform.parameters]
        digits = [f"x{d}" for d in range(self.transform.steps)]
        value = f"{self.own}{'local' if local else 'convert'}({', '.join([*digits, *(['copy'] if local else given)])})"
        if not isinstance(distribution, Continuous):
            return value
        if not chosen and (distribution.loc, distribution.scale) == (0.0, 1.0):
            return value
        loc, scale = (literal(normal(each, self.wanted.dtype)) for each in (distribution.loc, distribution.scale))
        fused = f"CLRNG_FMA({value}, {'scale, loc' if chosen else f'{scale}, {loc}'})"
        located = f"{self.own}{'local_' if local else ''}normal({fused})"
        return f"{self.own}on_circle({located})" if distribution.quantile.circular else located

    def _from_n(self, name: str) -> str:
        """Return a parameter of `convert` for integers from ``low`` to ``low + n - 1``."""
        bits = self.code.recurrence
        quotient = f"(n << 32) / {bits.upper_bound - bits.min_value}UL"
        return {"last": "n - 1", "low": "(ulong)low", "quotient": quotient}[name]

    def comment(self) -> list[tuple[str, str]]:
        """Return for each function of a kernel without local memory how it is called and what it gives."""
        distribution, steps = self.wanted.distribution, self.transform.steps
        shown = re.sub(r"[^ -~]|\\", "?", validation.shown(distribution))
        taken = f", made of {steps} values of the stream" if steps > 1 else ""
        name = f"{self.prefix}next_{self.wanted.name}"
        found = [(f"{name}({self.prefix}state *)", f"{_article(self.out)} of {shown}{taken}")]
        given = "".join(f", {each.removeprefix('const ')}" for each in self.run_time)
        if isinstance(distribution, Continuous):
            meaning = "loc + scale * x, where x is of loc 0 and scale 1"
            meaning += ", brought back to -pi to pi" if distribution.quantile.circular else ""
            found.append((f"{name}_with({self.prefix}state *{given})", meaning))
        elif isinstance(distribution, Integers):
            meaning = f"from low to low + n - 1, where n is from 1 to {distribution.n}"
            found.append((f"{name}_with({self.prefix}state *{given})", meaning))
        return found


def _article(kind: str) -> str:
    return f"an {kind}" if kind == "int" else f"a {kind}"


def _rows(kind: str, table: Table) -> tuple[int, list[str]]:
    """Return how many elements of type `kind` a table has, and the lines of these."""
    numbers = [literal(each) for each in table.numbers.ravel()]
    if kind.endswith("4"):
        fours = [f"({kind})({', '.join(numbers[i : i + 4])})" for i in range(0, len(numbers), 4)]
        return len(fours), fours
    lines = [", ".join(numbers[i : i + NUMBERS_A_LINE]) for i in range(0, len(numbers), NUMBERS_A_LINE)]
    return len(numbers), lines
