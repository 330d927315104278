"""Bit generators that are spawned from seeded ones."""

import copy
import pickle
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import SeedSequence
from numpy.random.bit_generator import ISeedSequence

import clrng
from clrng.generators import LCG, BitGenerator, MRG32k3a, ParkMiller
from tests.support.laws import NOT_INTEGERS, each


@each()
def test_children_are_seeded_by_the_children_of_the_seed(generator: BitGenerator) -> None:
    parent, sequence = generator.seeded(2026), SeedSequence(2026)
    expected = [generator.seeded(child) for child in sequence.spawn(3)]
    assert parent.spawn(1) + parent.advance(1000).spawn(2) == expected
    assert [type(child) for child in expected] == [type(generator)] * 3
    (grandchild,) = expected[1].spawn(1)
    assert grandchild == generator.seeded(SeedSequence(2026, spawn_key=(1, 0)))


def test_copies_share_what_they_spawn() -> None:
    parent = MRG32k3a().seeded(1)
    relatives = [parent, parent.copy(), parent.jumped(), parent.jumped(5)]
    children = [relative.spawn(1)[0] for relative in relatives]
    assert children == MRG32k3a().seeded(1).spawn(4)


COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda bits: pickle.loads(pickle.dumps(bits)),
}


@pytest.mark.parametrize("name", COPIES)
@pytest.mark.parametrize("make", [np.random.PCG64, MRG32k3a().seeded])
def test_copies_spawn_as_those_of_numpy(name: str, make: Callable[[int], Any]) -> None:
    parent = make(5)
    parent.spawn(1)
    other = COPIES[name](parent)
    keys = [child.seed_seq.spawn_key for child in [*parent.spawn(2), *other.spawn(1), *parent.spawn(1)]]
    assert keys == ([(1,), (2,), (3,), (4,)] if name == "copy" else [(1,), (2,), (1,), (3,)])


def test_pickling_keeps_the_seed_sequence() -> None:
    parent = ParkMiller(seed=1).seeded(5)
    parent.spawn(2)
    restored = pickle.loads(pickle.dumps(parent.advance(7)))
    assert restored == parent
    assert restored.spawn(2) == parent.spawn(2) == ParkMiller(seed=1).seeded(5).spawn(4)[2:]


def test_a_state_that_is_assigned_leaves_the_seed_sequence() -> None:
    bits = ParkMiller(seed=1).seeded(5)
    bits.state = ParkMiller(seed=9).state
    assert bits.words == (9,)
    assert bits.spawn(1) == ParkMiller(seed=1).seeded(5).spawn(1)


@each()
def test_explicit_states_do_not_spawn(generator: BitGenerator) -> None:
    explicit = generator.with_state(generator.words)
    for bits in (explicit, explicit.copy(), generator.seeded(1).with_state(generator.words)):
        assert bits.seed_seq is None
        with pytest.raises(TypeError, match=r"^spawn needs .* made by clrng.default_rng\(seed\) or by seeded\(seed\)"):
            bits.spawn(1)


def test_named_generators_are_of_an_explicit_state() -> None:
    name = re.escape(repr(clrng.named("randu", 1)))
    with pytest.raises(TypeError, match=f"not one of an explicit state, {name}; jumped"):
        clrng.named("randu", 1).spawn(1)


class Barren(ISeedSequence):
    """A SeedSequence without children."""

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> Any:
        """Return those of seed 1."""
        return SeedSequence(1).generate_state(n_words, dtype)


def test_a_seed_sequence_that_has_no_children() -> None:
    with pytest.raises(TypeError, match="^spawn needs a bit generator whose SeedSequence can spawn, not "):
        MRG32k3a().seeded(Barren()).spawn(1)


def test_how_many() -> None:
    parent = MRG32k3a().seeded(1)
    assert parent.spawn(0) == []
    assert len(parent.spawn(np.int64(3))) == 3  # type: ignore[arg-type]
    for bad in NOT_INTEGERS:
        with pytest.raises(TypeError, match="^n_children must be an integer of 0 or more, not "):
            parent.spawn(bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="^n_children must be an integer of 0 or more, not -1$"):
        parent.spawn(-1)
    assert parent.spawn(1) == MRG32k3a().seeded(1).spawn(4)[3:]


def test_a_stream_of_leapfrog_has_no_seed() -> None:
    assert LCG(5, 1, 64, seed=0).seeded(3).leaping(4).seed_seq is None
