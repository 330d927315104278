"""Bit generators from the options of the command line."""

import re
from collections.abc import Callable, Iterable
from reprlib import Repr
from typing import Any

import click

from clrng import validation
from clrng.bit_generators import LCG, BitGenerator, LaggedFibonacci, LinearRecurrence, MRG32k3a, ParkMiller
from clrng.bit_generators.catalog import NAMED, named
from clrng.bit_generators.lagged_fibonacci import OPS

DESCRIPTIONS = {
    "park_miller": (
        "Park and Miller's minimal standard, with any --multiplier",
        "1 to 2147483646",
        "Park and Miller 1988",
    ),
    "lcg": (
        "any --multiplier, --increment and --modulus up to 2^64",
        "0 or 1 to m - 1",
        "Knuth, vol. 2, section 3.2.1",
    ),
    "linear_recurrence": (
        "any --coefficients, --constant and --modulus up to 2^64, from --state",
        "none",
        "Stpiczynski, Szalkowski and Potiopa 2012, equation (3)",
    ),
    "lagged_fibonacci": (
        "any --lags up to 65536 with an --op, --bits up to 64 or a --modulus, from --seed or --state",
        "0 to 18446744073709551615",
        "Knuth, vol. 2, section 3.2.2",
    ),
    "mrg32k3a": ("L'Ecuyer's combined multiple recursive generator", "1 to 4294944442", "L'Ecuyer 1999"),
    **{name: (row.what, "{} to {}".format(*row.seeds), row.source) for name, row in NAMED.items()},
}
"""What each generator of the command line is, its seeds, and its source."""

OWN = {
    "park_miller": {"seed", "multiplier"},
    "lcg": {"seed", "multiplier", "increment", "modulus"},
    "linear_recurrence": {"coefficients", "constant", "modulus", "state"},
    "lagged_fibonacci": {"lags", "op", "bits", "modulus", "seed", "state"},
    "mrg32k3a": {"seed", "state"},
}
"""The options of each family; those by name have a seed."""

NEEDED = {
    "lcg": ("multiplier", "modulus"),
    "linear_recurrence": ("coefficients", "state", "modulus"),
    "lagged_fibonacci": ("lags", "op"),
}


BITS = 4096
LARGEST = 2**BITS
"""What all integers are below."""

PLAIN = re.compile(r"[+-]?(0x[0-9a-f]+|0o[0-7]+|0b[01]+|[0-9]+)", re.IGNORECASE)
POWER = re.compile(r"([+-]?)([0-9]+)(?:\^|\*\*)([0-9]+)([+-][0-9]+)?")
SCIENTIFIC = re.compile(r"([+-]?[0-9]+)(?:\.([0-9]*))?e\+?([0-9]+)", re.IGNORECASE)

SHOWN = Repr()
SHOWN.maxstring = 60
"""Shows what was given, shortened."""


def parsed(text: str) -> int:
    """Return the integer that `text` writes: 16807, 1_000, 0x41a7, 2^61-1, 2**61-1 or 1.5e6.

    Raises
    ------
    ValueError
        If it writes none, or one that is not between -`LARGEST` and `LARGEST`.
    """
    try:
        number = _evaluated(re.sub("(?<=[0-9a-fA-F])_(?=[0-9a-fA-F])", "", text.strip()))
    except ValueError:
        raise ValueError(f"{SHOWN.repr(text)} is not an integer such as 16807, 0x41a7, 2^61-1 or 1.5e6") from None
    if number is None or abs(number) >= LARGEST:
        raise ValueError(f"{SHOWN.repr(text)} is not between -2^{BITS} and 2^{BITS}")
    return number


def _evaluated(text: str) -> int | None:
    """Return an integer, or None where it is too large to be computed."""
    if len(text) > BITS:
        return None
    if PLAIN.fullmatch(text):
        return int(text, 0 if text.lstrip("+-")[1:2].isalpha() else 10)
    if found := POWER.fullmatch(text):
        base, exponent = int(found[2]), int(found[3])
        too_large = exponent * (base.bit_length() - 1) > BITS
        return None if too_large else int(f"{found[1]}1") * base**exponent + int(found[4] or 0)
    if found := SCIENTIFIC.fullmatch(text):
        fraction, exponent = (found[2] or "").rstrip("0"), int(found[3])
        if len(fraction) > exponent:
            raise ValueError
        return None if exponent > BITS else int(found[1] + fraction) * 10 ** (exponent - len(fraction))
    raise ValueError


class Integer(click.ParamType[int]):
    """An integer as `parsed` reads it.

    Parameters
    ----------
    low, high : int, optional
        The least and the largest legal one; without `low` any is.
    """

    name = "integer"

    def __init__(self, low: int | None = None, high: int | None = None) -> None:
        self._low, self._high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return `value` as an int."""
        try:
            number = value if isinstance(value, int) else parsed(value)
            return number if self._low is None else validation.integer("it", number, self._low, self._high)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Integers(click.ParamType[list[int]]):
    """Integers with commas between them."""

    name = "integers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[int]:
        """Return `value` as a list of int."""
        if isinstance(value, list):
            return value
        return [Integer().convert(part.strip(), param, ctx) for part in value.split(",")]


def generator_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that make a bit generator, as a dictionary `options`."""
    rows = [
        ("--seed", Integer(), "Of the generator; by default 1 where that is legal, and 12345 for mrg32k3a."),
        ("--multiplier", Integer(), "Of park_miller (by default 16807) and lcg."),
        ("--increment", Integer(), "Of lcg; by default 0."),
        ("--modulus", Integer(), "Of lcg, linear_recurrence and lagged_fibonacci; for example 2^61-1."),
        ("--coefficients", Integers(), "Of linear_recurrence: a_1,a_2,..."),
        ("--constant", Integer(), "Of linear_recurrence; by default 0."),
        ("--lags", Integers(), "Of lagged_fibonacci: p1,p2."),
        ("--op", click.Choice(OPS), "Of lagged_fibonacci."),
        ("--bits", Integer(), "Of lagged_fibonacci: those of a word; by default 32."),
        ("--state", Integers(), "Of linear_recurrence: x_0,x_1,...; of the others that have one, in place of a seed."),
    ]
    for name, kind, text in reversed(rows):
        command = click.option(name, type=kind, help=text)(command)
    return click.option(
        "-g", "--generator", type=click.Choice(list(DESCRIPTIONS)), default="park_miller", show_default=True,
        metavar="NAME", help="A name that `clrng generators` lists.",
    )(command)  # fmt: skip


def bit_generator(generator: str, **options: Any) -> BitGenerator:
    """Return the generator of this name with the options that are not None.

    Raises
    ------
    ValueError
        If an option is missing, of another generator, or not legal.
    """
    given = {name: value for name, value in options.items() if value is not None}
    own = OWN.get(generator, {"seed"})
    for name in given:
        if name not in own:
            raise ValueError(f"--{name} is not an option of {generator}, which has {_listed(own)}")
    for name in NEEDED.get(generator, ()):
        if name not in given:
            raise ValueError(f"--{name} is needed for {generator}")
    if generator == "linear_recurrence":
        return LinearRecurrence(**given)
    if generator == "lagged_fibonacci":
        return _lagged(given)
    if generator == "mrg32k3a":
        return _mrg32k3a(given)
    if generator == "lcg":
        return LCG(**{"increment": 0, "seed": 1, **given})
    if generator == "park_miller":
        return ParkMiller(**{"seed": 1, **given})
    low = NAMED[generator].seeds[0]
    return named(generator, given.get("seed", max(low, 1)))


def _exclusive(given: dict[str, Any], first: str, second: str) -> None:
    if {first, second} <= set(given):
        raise ValueError(f"--{first} and --{second} exclude one another")


def _mrg32k3a(given: dict[str, Any]) -> MRG32k3a:
    _exclusive(given, "seed", "state")
    try:
        return MRG32k3a(*given.values())
    except ValueError as error:  # which calls both the seed
        raise ValueError(re.sub("^seed", next(iter(given)), str(error))) from None


def _lagged(given: dict[str, Any]) -> LaggedFibonacci:
    _exclusive(given, "seed", "state")
    _exclusive(given, "bits", "modulus")
    if len(given["lags"]) != 2:  # noqa: PLR2004  # p1 and p2
        raise ValueError(f"--lags must be two integers such as 24,55, not {len(given['lags'])}")
    seed = {} if "state" in given else {"seed": 1}
    return LaggedFibonacci(**{**seed, **given, "lags": tuple(given["lags"])})


def _listed(names: set[str]) -> str:
    return ", ".join(f"--{name}" for name in sorted(names))


def with_option(message: str, commands: Iterable[click.Command]) -> str:
    """Return the message of an error with the option in place of the argument that it begins with, if there is one."""
    known = {name for command in commands for option in command.params for name in option.opts}
    return re.sub(r"^\w+", lambda found: f"--{found[0]}" if f"--{found[0]}" in known else found[0], message)
