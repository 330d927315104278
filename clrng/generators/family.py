"""What there is to say of a family of generators, of how the command line has it, and of its generators by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from inspect import Parameter, signature
from typing import Any

from clrng import validation
from clrng.generators.base import BitGenerator
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.parameters import Kind, integer, integers

KNUTH = "D. E. Knuth, The Art of Computer Programming, vol. 2, 3rd ed., Addison-Wesley, 1997"
GSL = "GNU Scientific Library, reference manual, other random number generators"

INTEGER, STATE = integer(0), Kind(lambda name, key, value, _: integers(name(key), value, 0, None), several=True)
"""The kinds of options that are no parameters: seeds and the like, and states."""

EXCLUSIVE = (("seed", "state"), ("key", "state"), ("bits", "modulus"))
"""Arguments of which a generator has one."""


@dataclass(frozen=True, kw_only=True)
class Option:
    """An option of the command line, which is an argument of a family's class.

    `about`: what the help says of it after the family's name. `needed`: whether there is no generator without it.
    `default`: the value where it is not given, or None to leave that to the class. `kind`: which values are legal; of
    several integers, there are commas between them. `argument`: what the class calls it, where that is something else.
    """

    about: str = ""
    needed: bool = False
    default: Any = None
    kind: Kind[Any] = INTEGER
    argument: str | None = None


@dataclass(frozen=True, kw_only=True)
class Family:
    """A family of generators.

    `generator`: its class, whose `name` is that of the family. `code`: how it is written for devices. `title`: the
    heading under which the catalogue has its generators by name. `arguments`: what makes a small generator of it, for
    tests and documents. `about`, `seeds`, `source`: for the command line: what it is, in a line, its legal seeds, and
    where it is published. `helps`: the options of the command line, each with what the help says of it; without any
    the command line has the family only by names of the catalogue. What else is to be said of an option follows from
    the class. `defaults`: the values of options that are not given, where the class has none.
    """

    generator: type[BitGenerator]
    code: type[GeneratorCode]
    title: str
    arguments: Mapping[str, Any] = field(repr=False)
    about: str = field(default="", repr=False)
    seeds: str = field(default="none", repr=False)
    source: str = field(default="", repr=False)
    helps: Mapping[str, str] = field(default_factory=dict, repr=False)
    defaults: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def example(self) -> BitGenerator:
        """A small generator."""
        return self.generator(**self.arguments)

    @cached_property
    def options(self) -> dict[str, Option]:
        """The options of the command line; where there are none, it has the family only by names of the catalogue."""
        return {name: self._option(name, about) for name, about in self.helps.items()}

    @property
    def exclusive(self) -> list[tuple[str, str]]:
        """The pairs of options that may not both be given. The first has no default where the second is given."""
        return [pair for pair in EXCLUSIVE if set(pair) <= set(self.helps)]

    def _option(self, name: str, about: str) -> Option:
        given, default = signature(self.generator).parameters, self.defaults.get(name)
        needed = name in given and given[name].default is Parameter.empty and default is None
        if name in self.generator.declared:
            return Option(about=about, needed=needed, default=default, kind=self.generator.declared[name].kind)
        kind, argument = STATE if name == "state" else INTEGER, None if name in given else "seed"
        return Option(about=about, needed=needed, default=default, kind=kind, argument=argument)


@dataclass(frozen=True)
class Named:
    """A generator of a library or a book.

    `name`: its key in `clrng.NAMED`. `what`: what it is, in a line. `source`: where it is published. `seeds`: the least
    and the largest legal seed. Seeds that a library replaces by a default, such as 0 where all words would be 0, are
    not legal. `made`: returns the generator of a legal seed.
    """

    name: str
    what: str
    source: str
    seeds: tuple[int, int]
    made: Callable[[int], BitGenerator] = field(repr=False)

    def make(self, seed: int) -> BitGenerator:
        """Return the generator seeded with `seed`, a legal one."""
        return self.made(validation.integer("seed", seed, *self.seeds))
