"""Bit generators and distributions from the options of the command line."""

import re
from collections.abc import Callable, Iterable, Mapping
from reprlib import Repr
from typing import Any

import click

from clrng import validation
from clrng.distributions.catalog import DISTRIBUTIONS, distribution
from clrng.distributions.distribution import WHOLE, Distribution
from clrng.distributions.parameters import NEEDED, Parameter
from clrng.distributions.transforms.rounded import ROUNDED
from clrng.generators import BitGenerator
from clrng.generators.families import FAMILIES, NAMED, named
from clrng.generators.family import Option

DEFAULT = "numpy_pcg64"
"""The generator where none is named: that of `clrng.default_rng`."""

COMMANDS = {name: family for name, family in FAMILIES.items() if family.options}
"""The families of the command line by name."""


def _short(seeds: str) -> str:
    """Return seeds with -2^k and 2^k - 1 for such integers of many digits."""

    def power(found: re.Match[str]) -> str:
        number = int(found[0])
        bits = max(-number, number + 1).bit_length() - 1
        return {-(1 << bits): f"-2^{bits}", (1 << bits) - 1: f"2^{bits} - 1"}.get(number, found[0])

    return re.sub(r"-?\d{11,}", power, seeds)


DESCRIPTIONS = {
    **{name: (command.about, _short(command.seeds), command.source) for name, command in COMMANDS.items()},
    **{name: (row.what, _short("{} to {}".format(*row.seeds)), row.source) for name, row in NAMED.items()},
}
"""What each generator of the command line is, its seeds, and its source."""

BY_NAME = {"seed": Option(about="by default 1 where that is legal")}
"""The options of generators by name."""

CALLED = {("binomial", "n"): "trials", ("negative_binomial", "n"): "successes"}
"""Parameters of distributions whose option is not called as they are: --n would look like -n, which is --count."""

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


class Name(click.Choice):  # type: ignore[type-arg]  # older versions of click cannot be subscripted
    """A key of `titles`, in capital or small letters; the error for an unknown one says what may be meant."""

    def __init__(self, titles: Mapping[str, str], listing: str) -> None:
        super().__init__(list(titles), case_sensitive=False)
        self._titles, self._listing = titles, listing

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name that `value` is, in small letters."""
        known = value.lower() if value.lower() in self._titles else value
        try:
            return validation.key("it", known, self._titles, f"a name that `{self._listing}` lists")
        except ValueError as error:
            self.fail(str(error), param, ctx)


GENERATOR = Name({name: f"{row[0]} {row[2]}" for name, row in DESCRIPTIONS.items()}, "clrng generators")
DISTRIBUTION = Name({name: row.about for name, row in DISTRIBUTIONS.items()}, "clrng distributions")


def generator_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that make a bit generator, as a dictionary `options`."""
    for name, families in reversed(owners().items()):
        listed = (f"{family} ({option.about})" if option.about else family for family, option in families.items())
        kind = _type(next(iter(families.values())))
        command = click.option(f"--{name}", type=kind, help=f"Of {', '.join(listed)}.")(command)
    return click.option(
        "-g", "--generator", type=GENERATOR, default=DEFAULT, show_default=True, metavar="NAME",
        help="A name that `clrng generators` lists; with --help behind it, its parameters are shown.",
    )(command)  # fmt: skip


def usual_seed(name: str) -> int:
    """Return the seed of a generator by name where none is given."""
    return max(NAMED[name].seeds[0], 1)


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
        return named(generator, given.get("seed", usual_seed(generator)))
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


def parameter_owners() -> dict[str, dict[str, Parameter]]:
    """Return each option that is a parameter of distributions, with the parameter of each one that has it."""
    found: dict[str, dict[str, Parameter]] = {}
    for name in DISTRIBUTIONS:
        for option, parameter in options_of(name).items():
            found.setdefault(option, {})[name] = parameter
    return found


def options_of(name: str) -> dict[str, Parameter]:
    """Return the options of the distribution `name`, its parameters but the dtype, which is an option of its own."""
    parameters = (parameter for parameter in DISTRIBUTIONS[name].parameters if parameter.kind != "dtype")
    return {CALLED.get((name, parameter.name), parameter.name): parameter for parameter in parameters}


OWNERS = parameter_owners()


def _told() -> dict[str, dict[str, str]]:
    """Return, for each parameter of a generator or distribution, what the help says of it in each that has it."""
    found = {
        option: {name: ", ".join(filter(None, (row.needed * "needed", row.about))) for name, row in families.items()}
        for option, families in owners().items()
    }
    for name, (_, seeds, _) in DESCRIPTIONS.items():
        if name in NAMED or name in found["seed"]:
            found["seed"][name] = f"{seeds}; {found['seed'].get(name) or f'by default {usual_seed(name)}'}"
    for option, parameters in OWNERS.items():
        found[option] = {
            name: "needed" if each.default is NEEDED else f"by default {each.default}"
            for name, each in parameters.items()
        }
    return found


PARAMETERS = _told()


def distribution_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option `distribution`, and the parameters of all distributions; see `taken`."""
    for name, parameters in reversed(OWNERS.items()):
        listed, kinds = f"Of {', '.join(parameters)}.", dict.fromkeys(each.kind for each in parameters.values())
        if "flag" in kinds:
            command = click.option(f"--{name}", is_flag=True, default=None, help=listed)(command)
        else:
            metavar = "|".join(METAVARS[kind] for kind in kinds)
            command = click.option(f"--{name}", metavar=metavar, help=listed)(command)
    return click.option(
        "--distribution", type=DISTRIBUTION, metavar="NAME",
        help="A name that `clrng distributions` lists; with --help behind it, its parameters are shown.",
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
    own = options_of(name)
    _check_names(name, given, own, [option for option, each in own.items() if each.default is NEEDED])
    arguments = {own[option].name: value_of(option, own[option].kind, value) for option, value in given.items()}
    if dtype is not None and any(parameter.kind == "dtype" for parameter in DISTRIBUTIONS[name].parameters):
        arguments["dtype"] = _checked(dtype, WHOLE)
    try:
        found = distribution(name, **arguments)
    except ValueError as error:  # which names the parameter
        raise ValueError(re.sub(r"^\w+", lambda word: CALLED.get((name, word[0]), word[0]), str(error))) from None
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
