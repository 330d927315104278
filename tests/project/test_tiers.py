"""What the small tier of the tests has of everything: of families, distributions, arithmetics, front ends and tests."""

from collections.abc import Hashable, Iterable
from inspect import getsource

import pytest

import clrng
from clrng.generators.families import FAMILIES
from tests.conftest import DEVICES
from tests.support import tiers


@pytest.fixture(scope="session")
def tests(request: pytest.FixtureRequest) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Return all tests, and those of the small tier."""
    found = request.config.stash[tiers.COLLECTED]
    if len({item.path for item in found}) < len(list((request.config.rootpath / "tests").rglob("test_*.py"))):
        pytest.skip("only some files are collected")
    return found, tiers.small(found)


Chosen = tuple[list[pytest.Item], list[pytest.Item]]


def marked(items: Iterable[pytest.Item], name: str) -> list[pytest.Item]:
    return [item for item in items if item.get_closest_marker(name)]


def subjects(items: Iterable[pytest.Item]) -> set[Hashable]:
    return set().union(*map(tiers.subjects, items))


def test_every_test_has_a_case_or_is_slow(tests: Chosen) -> None:
    everything, small = tests
    slow = marked(everything, "slow")
    assert {*map(tiers.function_of, everything)} == {*map(tiers.function_of, [*small, *slow])}


def test_every_test_on_the_host_is_there_as_a_whole(tests: Chosen) -> None:
    everything, small = tests
    assert {*everything} - {*small} <= {*marked(everything, "sampled"), *marked(everything, "slow")}


def test_every_family_distribution_arithmetic_and_device_comes_up(tests: Chosen) -> None:
    everything, small = tests
    found = subjects(marked(small, "sampled"))
    assert {type(family.example).__name__ for family in FAMILIES.values()} <= found
    assert {*clrng.DISTRIBUTIONS, *clrng.ARITHMETICS, *DEVICES} <= found
    assert found == subjects(marked(everything, "sampled"))


FRONT_ENDS = {
    "Generator": "clrng.Generator(",
    "Streams": "clrng.Streams.",
    "MultiDeviceGenerator": "clrng.MultiDeviceGenerator(",
    "RankGenerator": ".piece(",
    "NumpyBitGenerator": "numpy_bit_generator(",
    "DivideAndConquer": "clrng.DivideAndConquer",
    "dask": "clrng.dask",
    "a kernel of one's own": "device_code(",
    "the command line": "CliRunner",
}
"""What a test has in its text, or the module it is in, that is about a front end."""


def test_every_front_end_comes_up(tests: Chosen) -> None:
    classes = {name for name in clrng.__all__ if hasattr(getattr(clrng, name), "random_raw")}
    assert classes - {*clrng.generators.__all__} <= {*FRONT_ENDS}
    texts = {getsource(item.module) for item in tests[1] if isinstance(item, pytest.Function)}
    assert {name for name, made in FRONT_ENDS.items() if not any(made in text for text in texts)} == set()


def test_every_room_of_tests_comes_up(tests: Chosen) -> None:
    everything, small = tests
    assert {item.path.parent for item in everything} == {item.path.parent for item in small}


def test_the_tests_take_turns() -> None:
    class Test:
        def __init__(self, *about: str) -> None:
            self.callspec = type("", (), {"params": dict(enumerate(about))})

    first, second, third = ([Test("normal"), Test("poisson"), Test("zipf")] for _ in range(3))
    assert tiers.some_cases([first, second]) == {first[0], second[1], first[2]}
    assert tiers.some_cases([[first[0]], second[:1], third[:2]]) == {first[0], second[0], third[1]}
    assert tiers.some_cases([[Test()], [Test("no distribution")]]) != set()
