"""Attributes that say how an object was made: they cannot be assigned, and trying that changes nothing."""

from typing import Any

import pyopencl as cl
import pyopencl.tools
import pytest
from numpy.testing import assert_array_equal

import clrng
from tests.support.generators import GENERATORS

FIXED = {
    "Generator": {"queue", "device", "arithmetic"},
    "Streams": {"queue", "device", "arithmetic", "count", "step"},
    "DivideAndConquer": {"queue", "device", "s", "r", "group"},
}
PAIRS = [(front, name) for front, names in FIXED.items() for name in sorted(names)]


def made(front: str, queue: cl.CommandQueue) -> Any:
    bits = clrng.ParkMiller(seed=1)
    if front == "Streams":
        return clrng.Streams.by_leapfrog(bits, 3, queue)
    return clrng.DivideAndConquer(bits, queue, s=10) if front == "DivideAndConquer" else clrng.Generator(bits, queue)


@pytest.mark.parametrize(("front", "name"), PAIRS)
def test_attributes_of_front_ends(queue: cl.CommandQueue, front: str, name: str) -> None:
    found = made(front, queue)
    before = getattr(found, name)
    for value in (None, 5, "integer", before):
        with pytest.raises(AttributeError, match=name):
            setattr(found, name, value)
    assert getattr(found, name) is before
    values = found.random_raw(2 if front == "Streams" else 6).get().ravel()
    assert_array_equal(values, clrng.ParkMiller(seed=1).sequence(6))


@pytest.mark.parametrize("name", GENERATORS)
def test_the_modulus_of_a_bit_generator(name: str) -> None:
    bits = GENERATORS[name].jumped(0)
    expected, modulus = bits.sequence(5), bits.modulus
    with pytest.raises(AttributeError, match="modulus"):
        bits.modulus = 10  # type: ignore[misc]  # what is refused
    assert bits.modulus == modulus
    assert_array_equal(bits.sequence(5), expected)


def test_the_modulus_follows_a_state_that_is_assigned() -> None:
    bits, other = clrng.LCG(5, 3, 16, seed=1), clrng.LCG(7, 1, 10, seed=2)
    bits.state = other.state
    assert bits.modulus == 10
    assert bits == other


@pytest.mark.parametrize("front", ["Generator", "Streams"])
def test_allocators_are_checked_when_they_are_assigned(queue: cl.CommandQueue, front: str) -> None:
    found, allocator = made(front, queue), cl.tools.ImmediateAllocator(queue)
    found.allocator = allocator
    for value in (3, "pools", [], False):
        with pytest.raises(TypeError, match="^allocator must be .* or None, not "):
            found.allocator = value
        assert found.allocator is allocator
    assert found.random_raw(2).allocator is allocator
    found.allocator = None
    assert found.random_raw(2).allocator is None


class Labelled(clrng.LCG):
    """A generator of the user's own that says what it is for."""

    def __init__(self, label: str) -> None:
        super().__init__(5, 3, 16, seed=1)
        self.label = label


class LabelledStreams(clrng.Streams):
    """Streams of the user's own."""

    label = ""


def test_classes_of_the_users_own_have_attributes_of_their_own(queue: cl.CommandQueue) -> None:
    bits = Labelled("a")
    bits.label = "b"
    assert bits.jumped(3).label == "b"
    streams = LabelledStreams(bits, [1, 2], queue=queue)
    streams.label = "c"
    assert streams.label == "c"
    assert_array_equal(streams.random_raw(1).get(), [[(5 * 1 + 3) % 16, (5 * 2 + 3) % 16]])


LIBRARIES = {
    "TorchCuda": ((0, 132), {"seed", "multiprocessors", "threads"}),
    "TorchCpu": ((0,), {"seed"}),
    "JaxKey": ((0,), {"data", "partitionable"}),
    "TensorFlowSeed": (((1, 2),), {"seed"}),
    "Curand": (("xorwow",), {"kind", "seed", "offset", "ordering", "streams"}),
    "Rocrand": (("xorwow",), {"kind", "seed", "offset", "ordering"}),
}


@pytest.mark.parametrize("name", LIBRARIES)
def test_attributes_of_the_streams_of_libraries(queue: cl.CommandQueue, name: str) -> None:
    arguments, fixed = LIBRARIES[name]
    found = getattr(clrng, name)(*arguments, queue=queue)
    for attribute in sorted(fixed | {"queue", "device"}):
        before = getattr(found, attribute)
        with pytest.raises(AttributeError, match=f"^{attribute} of {name} cannot be changed"):
            setattr(found, attribute, before)
    for misspelt in ("ofset", "multiprocesors", "alocator"):
        with pytest.raises(AttributeError, match=misspelt):
            setattr(found, misspelt, 4)
    with pytest.raises(TypeError, match="^allocator must be"):
        found.allocator = 3
