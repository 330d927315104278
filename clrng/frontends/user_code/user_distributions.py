"""OpenCL C of distributions for the user's own kernels: which a user wants, under which names, and their functions.

Tables are part of the text, as arrays in constant memory, so that a kernel needs no arguments for them. Values are
those of a fill: both call the same ``convert``.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from clrng import validation
from clrng.distributions import Table, Transform
from clrng.distributions.catalog import name_of
from clrng.distributions.distribution import Continuous, Distribution, Integers, normal, transform_of
from clrng.distributions.transforms.transform import Declaration, Surroundings
from clrng.errors import UnsupportedError
from clrng.generators import source
from clrng.generators.generator_code import CTYPES, GeneratorCode
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.templates import render

TAKEN = ("raw", "float", "double")
"""Names that the functions of every generator have."""

LEGAL = "a list of distributions, or a dictionary of them by name"

ENDINGS = {"float32": "f", "float64": "", "uint32": "u", "uint64": "UL"}
"""What ends a constant of OpenCL C, by dtype."""

NUMBERS_PER_LINE = 8


@dataclass(frozen=True)
class Wanted:
    """A distribution that a user wants functions for, the end of their names, and the dtype of values."""

    name: str
    distribution: Distribution
    dtype: np.dtype[Any]


def wanted(distributions: Any, device: DeviceInfo) -> list[Wanted]:
    """Return what `distributions`, an argument of `clrng.device_code`, asks for; errors are as said there."""
    rows: list[tuple[Any, Any]]
    if isinstance(distributions, Mapping):
        rows = [(_checked_name(name), value) for name, value in distributions.items()]
    elif isinstance(distributions, (list, tuple)):
        rows = [(None, value) for value in distributions]
    else:
        raise TypeError(f"distributions must be {LEGAL}, not {validation.shown(distributions)}")
    found = [_wanted(name, value, device) for name, value in rows]
    _check_different(found)
    return found


def _wanted(name: str | None, value: Any, device: DeviceInfo) -> Wanted:
    pair = value if isinstance(value, tuple) and len(value) == 2 else (value, None)  # noqa: PLR2004  # a pair
    distribution, dtype = pair
    if not isinstance(distribution, Distribution):
        raise TypeError(
            f"distributions must be {LEGAL}, each a distribution or a pair of one and a dtype, not "
            f"{validation.shown(value)}"
        )
    legal = distribution.dtypes
    chosen = validation.dtype("distributions: a dtype", legal[0] if dtype is None else dtype, legal)
    if chosen == np.float64 and not device.fp64:
        raise UnsupportedError(
            f"distributions of float64 need double precision, which {device.name} does not have; use float32"
        )
    return Wanted(name or name_of(distribution), distribution, chosen)


def _checked_name(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(f"distributions must have names that are strings, not {validation.shown(name)}")
    if not re.fullmatch(r"[A-Za-z0-9_]+", name) or name in TAKEN:
        raise ValueError(
            f"distributions must have names of letters, digits and underscores, other than {', '.join(TAKEN)}, not "
            f"{validation.shown(name)}"
        )
    return name


def _check_different(found: list[Wanted]) -> None:
    """Raise an error if two functions would have one name."""
    owners: dict[str, Wanted] = {}
    for each in found:
        for name in (each.name, *(f"{each.name}_{ending}" for ending in ("local", "with", "with_local"))):
            if name in owners:
                raise ValueError(
                    f"distributions must have different names, but {owners[name].name} and {each.name} would both "
                    f"define next_{name}; choose the names by a dictionary of distributions"
                )
            owners[name] = each


def literal(number: Any) -> str:
    """Return a number of NumPy, of 32 or 64 bits, as a constant of OpenCL C that is exactly this number."""
    if number.dtype == np.int64:
        return f"as_long({int(number) % 2**64}UL)"
    shown = float(number).hex() if number.dtype.kind == "f" else str(number)
    return shown + ENDINGS[number.dtype.name]


@dataclass(frozen=True)
class Functions:
    """The functions of one distribution for a generator, their names beginning with `prefix`.

    `local_bytes` is the maximum local memory for copies of its tables, 0 where the device reads constant memory faster.
    `names` has the names of all tables of a text, to which its own are added: distributions with an equal table share
    it.
    """

    code: GeneratorCode
    wanted: Wanted
    prefix: str
    local_bytes: int
    names: dict[Table, str]

    def __post_init__(self) -> None:
        for parameter, table in self.tables:
            self.names.setdefault(table, f"{self.own}{parameter.name}")

    @cached_property
    def transform(self) -> Transform:
        """What makes values of raw values; loc and scale of a continuous distribution are applied to these later."""
        bits, distribution = self.code.recurrence, self.wanted.distribution
        if isinstance(distribution, Continuous):
            distribution = Continuous(distribution.quantile)
        return transform_of(distribution, bits.min_value, bits.upper_bound, self.wanted.dtype)

    @property
    def copies(self) -> int:
        """How many copies of its tables a work-group has in local memory; 0 where it reads them in constant memory."""
        return self.transform.local_copies(self.local_bytes) if self.local_bytes else 0

    @property
    def tables(self) -> list[tuple[Declaration, Table]]:
        """The tables that `convert` reads, each after its parameter."""
        pairs = zip(self.transform.parameters, self.transform.arguments, strict=True)
        return [(parameter, each) for parameter, each in pairs if isinstance(each, Table)]

    @property
    def own(self) -> str:
        """The prefix of the names that are not for the user."""
        return f"{self.prefix}clrng_{self.wanted.name}_"

    @property
    def out(self) -> str:
        """The type of values."""
        return CTYPES[self.wanted.dtype.name]

    @property
    def run_time(self) -> list[Declaration]:
        """What ``next_..._with`` takes: the parameters that a kernel can choose when it runs."""
        if isinstance(self.wanted.distribution, Continuous):
            return [Declaration(self.out, "loc"), Declaration(self.out, "scale")]
        uniform = isinstance(self.wanted.distribution, Integers)
        return [Declaration(self.out, "low"), Declaration("ulong", "n")] if uniform else []

    def text(self) -> str:
        """Return the definitions of all functions."""
        convert = source.transform(self.code, self.transform, self.own, 1, of_user=True)
        if self.copies:
            prefix = f"{self.own}local_"
            convert += source.transform(self.code, self.transform, prefix, 1, copies=self.copies, of_user=True)
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
                (self.names[table], parameter.ctype, *_rows(parameter.ctype, table))
                for parameter, table in self.tables
                if self.names[table] == f"{self.own}{parameter.name}"
            ],
            has_tables=bool(self.tables),
            convert=convert,
            near=[each for each in self.transform.convert_parameters(self.copies) if each.space == "__local"],
            copying=self._copying() if self.copies else [],
            run_time=self.run_time,
            call=self._call,
            digits=self._digits,
            given=self._given,
        )

    def _copying(self) -> list[str]:
        """Return the lines that copy the tables, inside a macro whose parameter is ``copy``."""
        tables = {parameter.name: self.names[table] for parameter, table in self.tables}
        names = Surroundings(f"{self.own}item()", f"{self.own}items()", "copy##_", tables, comments=False)
        return self.transform.opening(self.copies, names)

    @property
    def _digits(self) -> list[str]:
        return [f"x{d}" for d in range(self.transform.steps)]

    @property
    def _given(self) -> list[str]:
        """The arguments of `convert` after the raw values: names of tables, and constants."""
        return [self.names[each] if isinstance(each, Table) else literal(each) for each in self.transform.arguments]

    def _call(self, *, local: bool, chosen: bool) -> str:
        """Return the value of raw values x0, x1, ..., with tables in `local` memory, with `chosen` parameters."""
        given, distribution = ["copy"] if local else self._given, self.wanted.distribution
        if chosen and isinstance(distribution, Integers):
            given = [self._from_n(parameter.name) for parameter in self.transform.parameters]
        value = f"{self.own}{'local' if local else 'convert'}({', '.join([*self._digits, *given])})"
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
        """Return how each function that needs no local memory is called, and what it returns."""
        distribution, steps = self.wanted.distribution, self.transform.steps
        shown = re.sub(r"[^ -~]|\\", "?", validation.shown(distribution))
        taken = f", made of {steps} values of the stream" if steps > 1 else ""
        name = f"{self.prefix}next_{self.wanted.name}"
        article = "an" if self.out == "int" else "a"
        found = [(f"{name}({self.prefix}state *)", f"{article} {self.out} of {shown}{taken}")]
        given = "".join(f", {each.ctype} {each.name}" for each in self.run_time)
        meaning = ""
        if isinstance(distribution, Continuous):
            meaning = "loc + scale * x, where x is of loc 0 and scale 1"
            meaning += ", brought back to -pi to pi" if distribution.quantile.circular else ""
        elif isinstance(distribution, Integers):
            meaning = f"from low to low + n - 1, where n is from 1 to {distribution.n}"
        return [*found, (f"{name}_with({self.prefix}state *{given})", meaning)] if meaning else found


def _rows(ctype: str, table: Table) -> tuple[int, list[str]]:
    """Return how many elements of a type a table has, and the lines of these."""
    numbers = [literal(each) for each in table.numbers.ravel()]
    if ctype.endswith("4"):
        fours = [f"({ctype})({', '.join(numbers[i : i + 4])})" for i in range(0, len(numbers), 4)]
        return len(fours), fours
    lines = [", ".join(numbers[i : i + NUMBERS_PER_LINE]) for i in range(0, len(numbers), NUMBERS_PER_LINE)]
    return len(numbers), lines
