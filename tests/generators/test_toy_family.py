"""A family is a class, its device code and a row: all else follows, as for the toy that is added here."""

import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng import generators
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.base import BitGenerator
from clrng.generators.families import FAMILIES, code_for, family_of, register
from tests.generators import test_laws, test_laws_of_jumps, test_laws_of_states
from tests.support import make_digests
from tests.support.generators import GENERATORS
from tests.support.toy_family import FAMILY, Toy, ToyCode

MODULES = test_laws, test_laws_of_jumps, test_laws_of_states


@pytest.fixture(autouse=True)
def toy_family() -> Iterator[None]:
    """Add the family for a test."""
    register(FAMILY)
    yield
    del FAMILIES["toy"]


def test_the_registry_has_it_once() -> None:
    assert family_of(Toy(1)) is FAMILY
    assert isinstance(code_for(Toy(1), ARITHMETICS["integer"]), ToyCode)
    with pytest.raises(ValueError, match="^family must have a name that no other has, not 'toy'$"):
        register(FAMILY)


def test_its_example_has_digests() -> None:
    assert make_digests.generators()["toy"] == ("Toy", {"seed": 3})


def test_what_is_in_no_registry_has_no_device_code(queue: cl.CommandQueue) -> None:
    del FAMILIES["toy"]
    with pytest.raises(TypeError, match="^bit_generator must be of a class that there is device code for"):
        clrng.Generator(Toy(1), queue)
    register(FAMILY)


def test_parameters_are_checked() -> None:
    assert repr(Toy(7)) == "Toy(seed=7, step_size=5)"
    assert eval(repr(Toy(7, 8))) == Toy(7, 8) != Toy(7)
    for arguments, message in (
        ({"seed": 2**32}, "seed must be an integer from 0 to 4294967295, not 4294967296"),
        ({"seed": 1, "step_size": 0}, "step_size must be an integer from 1 to 4294967295, not 0"),
    ):
        with pytest.raises(ValueError, match=f"^{message}$"):
            Toy(**arguments)
    with pytest.raises(AttributeError):
        Toy(7).step_size = 3  # type: ignore[misc]  # what is refused


def test_states_go_there_and_back() -> None:
    toy = Toy(7, 8).advance(100)
    assert toy.state == {"bit_generator": "Toy", "step_size": 8, "state": 807}
    other = Toy(1)
    other.state = toy.state
    assert other == toy == pickle.loads(pickle.dumps(toy)) == toy.copy()
    assert other.sequence(2).tolist() == [815 ^ 815 >> 7, 823 ^ 823 >> 7]


def of_all(test: Any) -> bool:
    """Return whether a test takes a generator alone, and takes every one."""
    code = getattr(getattr(test, "hypothesis", None), "inner_test", test).__code__
    taken = set(code.co_varnames[: code.co_argcount]) - {"n", "m", "i", "j"}
    marks = [mark for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
    return taken == {"generator"} and len(marks) == 1 and len(marks[0].args[1]) == len(GENERATORS)


LAWS = [test for module in MODULES for name, test in vars(module).items() if name[:5] == "test_" and of_all(test)]


def test_there_are_laws_for_it() -> None:
    assert len(LAWS) > 12


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("toy", [Toy(7), Toy(0, 2**32 - 1)], ids=str)
def test_it_obeys_the_laws(law: Callable[..., None], toy: BitGenerator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GENERATORS, "toy", toy)
    monkeypatch.setattr(generators, "Toy", Toy, raising=False)  # for what evaluates a repr
    law(generator=toy)


@pytest.mark.parametrize("arithmetic", ["auto", "integer"])
def test_fills_and_streams(queue: cl.CommandQueue, arithmetic: str) -> None:
    bits = Toy(7, 2**31 + 9)
    for n in (1, 63, 4097):
        assert_array_equal(clrng.Generator(bits.copy(), queue, arithmetic).random_raw(n).get(), bits.sequence(n))
    streams = clrng.Streams.by_jumps(bits, 5, queue=queue, arithmetic=arithmetic)
    starts = [bits.state_after(bits.words, bits.period // 5 * i) for i in range(5)]
    assert_array_equal(streams.states.ravel(), np.array(starts).ravel())
    expected = np.stack([bits.with_state(words).sequence(6) for words in starts], axis=1)
    assert_array_equal(streams.random_raw(6).get(), expected)
    assert "toy" in clrng.device_code(bits, device=clrng.list_devices()[0])


def ran(*arguments: Any) -> str:
    command = [sys.executable, "-m", "tests.support.toy_family", *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_the_command_line_has_it() -> None:
    assert "sums of a --step_size" in ran("generators")
    assert "toy (by default 5)" in " ".join(ran("generate", "--help-all").split())
    assert ran("generate", "-g", "toy", "-n", "2", "--format", "text").split() == list(map(str, Toy(9).sequence(2)))
    found = ran("generate", "-g", "toy", "-n", "2", "--format", "text", "--seed", 4, "--step_size", "2^20")
    assert found.split() == list(map(str, Toy(4, 2**20).sequence(2)))
