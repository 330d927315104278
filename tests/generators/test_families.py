"""Every family has all that a family has, and a class of no family is told so."""

from pathlib import Path

import pytest

import clrng
from clrng.cli.options import COMMANDS, DESCRIPTIONS, bit_generator, owners
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import FAMILIES, code_for, family_of
from clrng.generators.family import Family
from clrng.quality import digests
from tests.support import generators, render_everything, under_oclgrind

API = (Path(__file__).parents[2] / "docs" / "api.md").read_text().split()

each = pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES.keys())


@each
def test_the_example_is_of_the_family(family: Family) -> None:
    assert type(family.example) is family.generator
    assert family_of(family.example) is family
    assert FAMILIES[family.example.name] is family
    assert isinstance(code_for(family.example, ARITHMETICS["integer"]), family.code)


@each
def test_all_arithmetics_are_in_an_order(family: Family) -> None:
    assert set(family.code.fastest_first) == set(ARITHMETICS)


@each
def test_the_example_is_under_the_laws(family: Family) -> None:
    assert family.example in [*generators.GENERATORS.values(), *generators.LARGE.values()]


@each
def test_the_example_is_rendered_and_simulated(family: Family) -> None:
    assert family.example in [*render_everything.GENERATORS, *render_everything.LAGGED_GENERATORS]
    assert family.example in [*under_oclgrind.OTHERS, *under_oclgrind.RINGED, *under_oclgrind.TWISTERS]


@each
def test_a_generator_of_the_family_has_published_digests(family: Family) -> None:
    assert any(type(entry.make()) is family.generator for entry in digests.entries().values())


@each
def test_the_class_is_public_and_documented(family: Family) -> None:
    name = family.generator.__name__
    assert getattr(clrng, name) is family.generator
    assert name in clrng.__all__
    assert name in API


@each
def test_the_command_line_makes_it(family: Family) -> None:
    name = family.generator.name
    assert name in DESCRIPTIONS
    if not family.options:
        assert type(clrng.NAMED[name].make(clrng.NAMED[name].seeds[0])) is family.generator
        return
    given = {key: list(value) if isinstance(value, tuple) else value for key, value in family.arguments.items()}
    assert set(given) <= set(family.options) <= set(owners())
    assert bit_generator(name, **{**dict.fromkeys(owners()), **given}) == family.example


def test_an_option_is_of_one_kind_in_all_families() -> None:
    for name, families in owners().items():
        assert len({(option.kind.several, option.kind.choices) for option in families.values()}) == 1, name


def test_pairs_that_exclude_one_another_are_options() -> None:
    for command in COMMANDS.values():
        for pair in command.exclusive:
            assert set(pair) <= set(command.options)


class Seeded(clrng.LCG):
    """A class of a user's own, of a family."""


def test_a_subclass_is_of_the_nearest_family() -> None:
    assert family_of(Seeded(5, 3, 97, 1)) is FAMILIES["lcg"]
    assert family_of(clrng.ParkMiller(1)) is FAMILIES["park_miller"]
