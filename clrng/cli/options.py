"""Bit generators and distributions from the options of the command line."""

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from reprlib import Repr
from typing import Any

import click

from clrng import validation
from clrng.distributions.catalog import DISTRIBUTIONS, distribution
from clrng.distributions.distribution import WHOLE, Distribution
from clrng.distributions.parameters import NEEDED
from clrng.distributions.transforms.rounded import ROUNDED
from clrng.generators import BitGenerator
from clrng.generators.families import FAMILIES, NAMED, named
from clrng.generators.family import Option

COMMANDS = {name: family for name, family in FAMILIES.items() if family.options}
"""The families of the command line by name."""

DESCRIPTIONS = {
    **{name: (command.about, command.seeds, command.source) for name, command in COMMANDS.items()},
    **{
        name: (row.what, f"{row.seeds[0]} to {validation.bound(row.seeds[1])}", row.source)
        for name, row in NAMED.items()
    },
}
"""What each generator of the command line is, its seeds, and its source."""

BY_NAME = {"seed": Option(about="by default 1 where that is legal")}
"""The options of generators by name."""


BITS = 4096
LARGEST = 2**BITS
"""All integers are smaller than this in absolute value."""

PLAIN = re.compile(r"[+-]?(0x[0-9a-f]+|0o[0-7]+|0b[01]+|[0-9]+)", re.IGNORECASE)
POWER = re.compile(r"([+-]?)([0-9]+)(?:\^|\*\*)([0-9]+)([+-][0-9]+)?")
SCIENTIFIC = re.compile(r"([+-]?[0-9]+)(?:\.([0-9]*))?e\+?([0-9]+)", re.IGNORECASE)

SHOWN = Repr()
SHOWN.maxstring = 60
"""Shows what was given, shortened."""


def parsed(text: str) -> int:
    """Return the integer that `text` writes, such as 16807, 1_000, 0x41a7, 2^61-1, 2**61-1 or 1.5e6."""
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


class Integer(click.ParamType):  # type: ignore[type-arg]  # it takes none before click 8.4
    """An integer as `parsed` reads it, from `low` to `high`; without `low` any."""

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


class Integers(click.ParamType):  # type: ignore[type-arg]
    """Integers with commas between them."""

    name = "integers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[int]:
        """Return `value` as a list of int."""
        if isinstance(value, list):
            return value
        return [Integer().convert(part.strip(), param, ctx) for part in value.split(",")]


def owners() -> dict[str, dict[str, Option]]:
    """Return each option of bit generators by name, with its description in each family that has it."""
    found: dict[str, dict[str, Option]] = {"seed": {"the generators by name": BY_NAME["seed"]}}
    for family, command in COMMANDS.items():
        for name, option in command.options.items():
            found.setdefault(name, {})[family] = option
    return found


def _type(option: Option) -> "click.ParamType[Any]":
    if option.kind.choices:
        return click.Choice(option.kind.choices)
    return Integers() if option.kind.several else Integer()


class GeneratorName(click.Choice):  # type: ignore[type-arg]
    """The name of a generator; the error for an unknown one lists the most similar names, not all."""

    def __init__(self) -> None:
        super().__init__(list(DESCRIPTIONS), case_sensitive=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name that `value` is, in small letters."""
        if value.lower() not in DESCRIPTIONS:
            alike = " or ".join(map(repr, get_close_matches(value.lower()[: SHOWN.maxstring], list(DESCRIPTIONS))))
            hint = f", such as {alike}" if alike else ""
            self.fail(f"it must be a name that `clrng generators` lists{hint}, not {SHOWN.repr(value)}", param, ctx)
        return str(super().convert(value, param, ctx))


def generator_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that make a bit generator, as a dictionary `options`."""
    for name, families in reversed(owners().items()):
        listed = (f"{family} ({option.about})" if option.about else family for family, option in families.items())
        kind = _type(next(iter(families.values())))
        command = click.option(f"--{name}", type=kind, help=f"Of {', '.join(listed)}.")(command)
    return click.option(
        "-g", "--generator", type=GeneratorName(), default="park_miller",
        show_default=True, metavar="NAME", help="A name that `clrng generators` lists, in capital or small letters.",
    )(command)  # fmt: skip


def _check_names(what: str, given: Iterable[str], own: Iterable[str], needed: Iterable[str]) -> None:
    """Check that `what`, a generator or a distribution, has the options that are given, and gets those it needs."""
    has = f"which has {', '.join(f'--{name}' for name in own) or 'no parameters'}"
    for name in given:
        if name not in own:
            raise ValueError(f"--{name} is not an option of {what}, {has}")
    for name in needed:
        if name not in given:
            raise ValueError(f"--{name} is needed for {what}, {has}")


def bit_generator(generator: str, **options: Any) -> BitGenerator:
    """Return the generator of this name with the options that are not None."""
    given = {name: value for name, value in options.items() if value is not None}
    family = COMMANDS.get(generator)
    own = family.options if family else BY_NAME
    _check_names(generator, given, sorted(own), [name for name, option in own.items() if option.needed])
    if family is None:
        return named(generator, given.get("seed", max(NAMED[generator].seeds[0], 1)))
    for first, second in family.exclusive:
        if first in given and second in given:
            raise ValueError(f"--{first} and --{second} exclude one another")
    instead = {first for first, second in family.exclusive if second in given}
    arguments = {}
    for name, option in own.items():
        value = given.get(name, None if name in instead else option.default)
        if option.kind.count is not None and value is not None:
            if len(value) != option.kind.count:
                raise ValueError(f"--{name} must be {option.kind.count} integers {option.about}, not {len(value)}")
            value = tuple(value)
        if value is not None:
            arguments[option.argument or name] = value
    try:
        return family.generator(**arguments)
    except ValueError as error:  # which names the argument
        called = {own[name].argument or name: name for name in given}
        raise ValueError(re.sub(r"^\w+", lambda found: called.get(found[0], found[0]), str(error))) from None


METAVARS = {"number": "NUMBER", "integer": "INTEGER", "numbers": "NUMBER,NUMBER,...", "text": "TEXT"}


def parameter_owners() -> dict[str, dict[str, str]]:
    """Return each option that is a parameter of distributions, with its kind in each one that has it."""
    found: dict[str, dict[str, str]] = {}
    for name, row in DISTRIBUTIONS.items():
        for parameter in row.parameters:
            if parameter.kind != "dtype":  # which is an option of its own
                found.setdefault(parameter.name, {})[name] = parameter.kind
    return found


OWNERS = parameter_owners()


def distribution_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option `distribution`, and the parameters of all distributions; see `taken`."""
    for name, kinds in reversed(OWNERS.items()):
        listed = f"Of {', '.join(kinds)}."
        if "flag" in kinds.values():
            command = click.option(f"--{name}", is_flag=True, default=None, help=listed)(command)
        else:
            metavar = "|".join(dict.fromkeys(METAVARS[kind] for kind in kinds.values()))
            command = click.option(f"--{name}", metavar=metavar, help=listed)(command)
    return click.option(
        "--distribution", type=click.Choice(list(DISTRIBUTIONS)), metavar="NAME",
        help="A name that `clrng distributions` lists, with its parameters as options.",
    )(command)  # fmt: skip


def taken(options: dict[str, Any]) -> dict[str, Any]:
    """Remove the options of `distribution_options` from those of a command, and return them."""
    return {name: options.pop(name) for name in ("distribution", *OWNERS)}


def made_distribution(dtype: str | None, **options: Any) -> Distribution | None:
    """Return the distribution of the options that `taken` returns, of values of `dtype`; None if no option is given."""
    name = options.pop("distribution")
    given = {key: value for key, value in options.items() if value is not None}
    if name is None:
        for key in given:
            raise ValueError(f"--{key} needs --distribution, such as --distribution {next(iter(OWNERS[key]))}")
        return None
    parameters = DISTRIBUTIONS[name].parameters
    own = {parameter.name: parameter.kind for parameter in parameters if parameter.kind != "dtype"}
    _check_names(name, given, own, [each.name for each in parameters if each.default is NEEDED])
    arguments = {key: value_of(key, own[key], value) for key, value in given.items()}
    if dtype is not None and any(parameter.kind == "dtype" for parameter in parameters):
        arguments["dtype"] = _checked(dtype, WHOLE)
    found = distribution(name, **arguments)
    if dtype is not None:
        _checked(dtype, tuple(each for each in found.dtypes if each not in ROUNDED))
    return found


def _checked(dtype: str, legal: tuple[str, ...]) -> str:
    if dtype not in legal:
        raise ValueError(f"--dtype must be {', '.join(legal)}, not {dtype}")
    return dtype


def value_of(name: str, kind: str, text: Any) -> Any:
    """Return the value of the parameter `name` that `text` writes."""
    if kind in ("flag", "text"):
        return text
    try:
        if kind == "integer":
            return parsed(text)
        numbers = [float(part) for part in (text.split(",") if kind == "numbers" else [text])]
    except ValueError:
        wanted = {"integer": "an integer such as 100, 0x64 or 1e6", "number": "a number such as 2.5 or 1e-3"}
        legal = wanted.get(kind, "numbers with commas between them, such as 0.5,0.25,0.25")
        raise ValueError(f"--{name} must be {legal}, not {text!r}") from None
    return numbers if kind == "numbers" else numbers[0]


def with_option(message: str, commands: Iterable[click.Command]) -> str:
    """Return an error's message with the option for the argument it begins with; a single letter may be a word."""
    known = {name for command in commands for option in command.params for name in option.opts}
    return re.sub(
        r"^\w\w+|^\w(?=\[| must )", lambda found: f"--{found[0]}" if f"--{found[0]}" in known else found[0], message
    )
