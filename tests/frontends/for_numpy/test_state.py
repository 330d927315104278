"""Where NumPy stands in a stream: states, jumps, children, copies and pickles."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from numpy.testing import assert_array_equal

import clrng

BITS = clrng.MRG32k3a().seeded(2026)
COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda rng: pickle.loads(pickle.dumps(rng)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def numpys(bits: clrng.BitGenerator, queue: cl.CommandQueue | None = None) -> np.random.Generator:
    return np.random.Generator(clrng.numpy_bit_generator(bits, queue))


def test_the_bit_generator_that_was_given_stays() -> None:
    bits = BITS.copy()
    numpys(bits).random(1000)
    assert bits == BITS
    moved = bits.jumped(5)
    rng = numpys(bits)
    bits.advance(5)
    assert rng.bit_generator.bits == BITS
    assert numpys(bits).bit_generator.bits == moved


def test_states_come_back_in_the_middle_of_a_block(queue: cl.CommandQueue) -> None:
    rng = numpys(BITS, queue)
    rng.standard_gamma(2.5, 321)
    state = rng.bit_generator.state
    assert state == rng.bit_generator.bits.state
    expected = rng.standard_gamma(2.5, 1000)
    rng.bit_generator.state = state
    assert_array_equal(rng.standard_gamma(2.5, 1000), expected)
    assert_array_equal(numpys(BITS.with_state(tuple(state["state"])), queue).standard_gamma(2.5, 1000), expected)


def test_states_carry_parameters() -> None:
    rng = numpys(clrng.LCG(5, 1, 2**32, seed=1))
    other = clrng.LCG(16807, 0, 2**31 - 1, seed=1)
    rng.integers(0, 2**64, dtype="uint64")
    rng.bit_generator.state = other.state
    found = rng.integers(0, 2**64, 3, dtype="uint64")
    assert_array_equal(found, clrng.Generator(other.copy()).integers(0, 2**64, 3, "uint64").get())
    assert rng.bit_generator.bits == other.jumped(12)


@pytest.mark.parametrize(
    ("state", "error", "message"),
    [
        ("abc", TypeError, "state must be a dictionary as the attribute gives it, not 'abc'"),
        ({"bit_generator": "PCG64", "state": 1}, ValueError, "must be 'ParkMiller', not 'PCG64'"),
        ({**clrng.ParkMiller(seed=1).state, "bit_generator": "LCG"}, ValueError, "must be 'ParkMiller', not 'LCG'"),
        ({**clrng.ParkMiller(seed=1).state, "state": 0}, ValueError, "from 1 to 2147483646, not 0"),
    ],
)
def test_bad_states_change_nothing(state: Any, error: type[Exception], message: str) -> None:
    rng = numpys(clrng.ParkMiller(seed=1))
    rng.random(3)
    with pytest.raises(error, match=message):
        rng.bit_generator.state = state
    assert rng.bit_generator.random_raw() == 984943658


def test_a_state_without_randomness_changes_nothing() -> None:
    bits = clrng.LCG(1, 1, 2, seed=0)
    rng = numpys(bits)
    with pytest.raises(ValueError, match="bit_generator must have at least 2 raw values, not 1"):
        rng.bit_generator.state = clrng.LCG(1, 0, 2, seed=1).state
    assert rng.bit_generator.random_raw(3).tolist() == [1, 0, 1]


def test_advance(queue: cl.CommandQueue) -> None:
    rng = numpys(BITS, queue)
    rng.random(7)
    assert rng.bit_generator.advance(10**40) is rng.bit_generator
    assert rng.bit_generator.bits == BITS.jumped(10**40 + 7)
    rng.bit_generator.advance(-(10**40) - 7)
    assert_array_equal(rng.bit_generator.random_raw(5), BITS.sequence(5))


def test_jumped(queue: cl.CommandQueue) -> None:
    rng = numpys(BITS, queue)
    rng.random(7)
    jumped = rng.bit_generator.jumped(3)
    assert_array_equal(jumped.random_raw(5), BITS.sequence(15)[10:])
    assert rng.bit_generator.bits == BITS.jumped(7)
    assert rng.bit_generator.jumped().bits == BITS.jumped(7).jumped()
    assert jumped._stream.generator.queue == queue


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda bits: bits.advance(0.5), TypeError, "delta must be an integer, not 0.5"),
        (lambda bits: bits.jumped("1"), TypeError, "delta must be an integer, not '1'"),
        (lambda bits: bits.random_raw(-1), ValueError, "size must be an integer from 0 to .*, not -1"),
        (lambda bits: bits.random_raw(1.5), TypeError, "size must be an integer .*, not 1.5"),
        (lambda bits: bits.spawn(2), TypeError, "spawn needs a bit generator that was made by clrng.default_rng"),
    ],
)
def test_bad_calls_change_nothing(call: Callable[[Any], Any], error: type[Exception], message: str) -> None:
    bits = clrng.numpy_bit_generator(clrng.ParkMiller(seed=1))
    with pytest.raises(error, match=message):
        call(bits)
    assert bits.random_raw() == 16807


def test_steps_back_where_there_are_none() -> None:
    bits = clrng.numpy_bit_generator(clrng.LCG(2 * 16807, 5, 2 * (2**31 - 1), seed=1))
    with pytest.raises(ValueError, match="delta must be an integer of 0 or more, as LCG.* cannot be run backwards"):
        bits.advance(-1)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ([1], TypeError, r"bit_generator must be a clrng bit generator such as clrng.ParkMiller\(seed=1\), not 1"),
        ([np.random.PCG64(1)], TypeError, "bit_generator must be a clrng bit generator .*, not <numpy.random._pcg64"),
        ([BITS, 1.5], TypeError, "queue must be .*, not 1.5"),
        ([BITS, None, "fast"], ValueError, "arithmetic must be .*, not 'fast'"),
    ],
)
def test_bad_arguments(arguments: list[Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        clrng.numpy_bit_generator(*arguments)


def test_random_raw(queue: cl.CommandQueue) -> None:
    bits = clrng.numpy_bit_generator(clrng.ParkMiller(seed=1), queue)
    values = clrng.ParkMiller(seed=1).sequence(20000)
    first = bits.random_raw()
    assert (type(first), first) == (int, 16807)
    assert bits.random_raw((2, 3)).tolist() == values[1:7].reshape(2, 3).tolist()
    assert bits.random_raw(10, output=False) is None
    found = bits.random_raw(19000)
    assert found.dtype == np.uint64
    assert_array_equal(found, values[17:19017])
    assert bits.random_raw(0).shape == (0,)
    assert bits.random_raw(()).shape == ()
    before = bits.bits
    for size, count in ((2**62, 2**62), ((2**40, 2**40), 2**80)):
        with pytest.raises(ValueError, match=rf"^size must make at most {2**60 - 1} values of uint64 .*, not {count}$"):
            bits.random_raw(size)
    assert bits.bits == before


def test_spawn() -> None:
    seed = clrng.MRG32k3a().seeded(5)
    expected = clrng.MRG32k3a().seeded(5).spawn(4)
    rng = numpys(seed)
    rng.random(3)
    assert rng.bit_generator.seed_seq is seed.seed_seq
    children = rng.spawn(2) + [np.random.Generator(child) for child in rng.bit_generator.spawn(2)]
    assert [child.bit_generator.bits for child in children] == expected
    assert rng.bit_generator.bits == seed.jumped(3)
    assert numpys(clrng.ParkMiller(seed=1)).bit_generator.seed_seq is None


def test_seed_sequences_as_numpy_gives_them_to_bit_generators() -> None:
    seed = np.random.SeedSequence(5)
    bits = clrng.NumpyBitGenerator(seed)
    assert bits.seed_seq is seed
    assert bits.bits == clrng.PCG64(5)
    assert_array_equal(bits.random_raw(3), np.random.PCG64(5).random_raw(3))
    assert clrng.numpy_bit_generator(seed).bits == clrng.PCG64(5)


def test_without_a_seed_there_are_no_children() -> None:
    rng = numpys(clrng.ParkMiller(seed=1))
    with pytest.raises(TypeError, match="^spawn needs a bit generator that was made from a seed"):
        rng.bit_generator._seed_seq.spawn(1)  # type: ignore[attr-defined]  # what SciPy calls


@pytest.mark.parametrize("copied", ["pickle", "deepcopy"])
@pytest.mark.parametrize("kind", [np.random.Generator, np.random.RandomState])
def test_copies_go_on_from_the_same_place(kind: Any, copied: str) -> None:
    rng = kind(clrng.numpy_bit_generator(BITS, arithmetic="integer"))
    rng.standard_gamma(2.5, 99)
    if kind is np.random.RandomState:
        rng.standard_normal(1)  # and keeps another
    again = COPIES[copied](rng)
    expected = rng.standard_normal(1000)
    assert_array_equal(again.standard_normal(1000), expected)
    found = again._bit_generator
    assert found.bits == rng._bit_generator.bits
    assert found._stream.generator.arithmetic == "integer"
    if kind is np.random.Generator:
        assert found.seed_seq.entropy == 2026


@pytest.mark.parametrize("copied", COPIES)
def test_copies_of_bit_generators(copied: str) -> None:
    bits = clrng.numpy_bit_generator(BITS)
    bits.random_raw(3)
    again = COPIES[copied](bits)
    assert again is not bits
    assert_array_equal(again.random_raw(5), BITS.sequence(8)[3:])
    assert_array_equal(bits.random_raw(5), BITS.sequence(8)[3:])


def test_how_it_is_shown() -> None:
    shown = repr(clrng.numpy_bit_generator(clrng.ParkMiller(seed=1)))
    assert shown.startswith("NumpyBitGenerator(ParkMiller(seed=1, multiplier=16807)) on ")
