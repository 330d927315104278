"""Distributions from the options of the command line."""

from collections.abc import Callable
from typing import Any

import click

from clrng.cli.options import parsed
from clrng.distributions.catalog import DISTRIBUTIONS, NEEDED, Kind, distribution
from clrng.distributions.distribution import WHOLE, Distribution

METAVARS = {"number": "NUMBER", "integer": "INTEGER", "numbers": "NUMBER,NUMBER,...", "text": "TEXT"}


def owners() -> dict[str, dict[str, Kind]]:
    """Return each option that is a parameter of distributions, with what it is of each that has it."""
    found: dict[str, dict[str, Kind]] = {}
    for name, row in DISTRIBUTIONS.items():
        for parameter in row.parameters:
            if parameter.kind != "dtype":  # which is an option of its own
                found.setdefault(parameter.name, {})[name] = parameter.kind
    return found


OWNERS = owners()


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
    """Take what `distribution_options` has given out of the options of a command."""
    return {name: options.pop(name) for name in ("distribution", *OWNERS)}


def made_distribution(dtype: str | None, **options: Any) -> Distribution | None:
    """Return the distribution of these options, or None if no option is given.

    Parameters
    ----------
    dtype : str or None
        What its values are to be, where that is given.
    **options
        Those that `taken` returns, as text.

    Raises
    ------
    ValueError
        If an option is missing, of another distribution, or not legal.
    """
    name = options.pop("distribution")
    given = {key: value for key, value in options.items() if value is not None}
    if name is None:
        for key in given:
            raise ValueError(f"--{key} needs --distribution, such as --distribution {next(iter(OWNERS[key]))}")
        return None
    parameters = DISTRIBUTIONS[name].parameters
    own = {parameter.name: parameter.kind for parameter in parameters if parameter.kind != "dtype"}
    has = f"which has {', '.join(f'--{key}' for key in own) or 'no parameters'}"
    for key in given:
        if key not in own:
            raise ValueError(f"--{key} is not an option of {name}, {has}")
    for parameter in parameters:
        if parameter.default is NEEDED and parameter.name not in given:
            raise ValueError(f"--{parameter.name} is needed for {name}, {has}")
    arguments = {key: value_of(key, own[key], value) for key, value in given.items()}
    if dtype is not None and any(parameter.kind == "dtype" for parameter in parameters):
        arguments["dtype"] = _checked(dtype, WHOLE)
    found = distribution(name, **arguments)
    if dtype is not None:
        _checked(dtype, found.dtypes)
    return found


def _checked(dtype: str, legal: tuple[str, ...]) -> str:
    if dtype not in legal:
        raise ValueError(f"--dtype must be {', '.join(legal)}, not {dtype}")
    return dtype


def value_of(name: str, kind: Kind, text: Any) -> Any:
    """Return the value of the parameter `name` that `text` writes.

    Raises
    ------
    ValueError
        If it writes none.
    """
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
