"""What there is to say of a family of generators, and of how the command line has it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from clrng.generators.base import BitGenerator
from clrng.generators.generator_code import GeneratorCode


@dataclass(frozen=True, kw_only=True)
class Option:
    """An option of the command line, which is an argument of a family's class.

    Attributes
    ----------
    about : str
        What the help says of it after the family's name.
    needed : bool
        Whether there is no generator without it.
    default : object
        The value where it is not given, or None to leave that to the class.
    several : bool
        Whether it is integers with commas between them, and not one.
    count : int or None
        How many integers it must be, where that is always the same; the class then takes a tuple.
    choices : tuple of str
        The legal values of one that is no integer.
    argument : str or None
        What the class calls it, where that is something else.
    """

    about: str = ""
    needed: bool = False
    default: Any = None
    several: bool = False
    count: int | None = None
    choices: tuple[str, ...] = ()
    argument: str | None = None


@dataclass(frozen=True, kw_only=True)
class Command:
    """A family on the command line, under the name that its class has.

    Attributes
    ----------
    about : str
        What it is, in a line.
    seeds : str
        Its legal seeds.
    source : str
        Where it is published.
    options : mapping of str to Option
    exclusive : tuple of (str, str)
        The pairs of options that may not both be given. The first has no default where the second is given.
    """

    about: str
    seeds: str
    source: str
    options: Mapping[str, Option]
    exclusive: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Family:
    """A family of generators.

    Attributes
    ----------
    generator : type of BitGenerator
        Its class, whose `name` is that of the family.
    code : type of GeneratorCode
        How it is written for devices.
    title : str
        The heading under which the catalogue has its generators by name.
    arguments : mapping of str to object
        What makes a small generator of it, for tests and documents.
    command : Command or None
        None for one that the command line has only by names of the catalogue.
    """

    generator: type[BitGenerator]
    code: type[GeneratorCode]
    title: str
    arguments: Mapping[str, Any] = field(repr=False)
    command: Command | None = field(repr=False)

    @property
    def example(self) -> BitGenerator:
        """A small generator."""
        return self.generator(**self.arguments)
