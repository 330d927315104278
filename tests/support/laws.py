"""Which generators a law is about, and what several laws need."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from clrng.generators import BitGenerator
from tests.support.generators import GENERATORS, LARGE, record_of

WIDE = 2**64
FAR = st.integers(0, 2**200)
LONGEST_SHOWN = 100  # the largest order of which a repr has all words
NOT_INTEGERS = [1.0, "1", None, True, np.bool_(False), np.float64(2), 1j, b"1", [1], (), {}]

LONG = ("lagged_xor_103_250", "linear_64_2^64-59")
"""Generators whose laws take seconds each; the small tier has others of their families."""

few = settings(max_examples=6)


def each(*, having: Callable[[BitGenerator], object] = lambda _: True) -> pytest.MarkDecorator:
    """Return the mark that runs a test with every generator, or every one `having` something."""
    return pytest.mark.parametrize(
        "generator",
        [
            pytest.param(generator, id=name, marks=[pytest.mark.slow] if name in LONG else [])
            for name, generator in GENERATORS.items()
            if having(generator)
        ],
    )


slow = pytest.mark.parametrize("generator", LARGE.values(), ids=LARGE.keys())


def with_words(generator: BitGenerator, words: tuple[int, ...]) -> dict[str, Any]:
    """Return the state of `generator` with other words."""
    return {**generator.state, **record_of(generator).dictionary(generator, words)}


def parts(state: dict[str, Any], *path: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the keys that lead to each part of a state, and the part."""
    for key, value in state.items():
        if isinstance(value, dict):
            yield from parts(value, *path, key)
        else:
            yield (*path, key), value


def with_part(state: dict[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    """Return a state with another part."""
    key, *rest = path
    return {**state, key: with_part(state[key], tuple(rest), value) if rest else value}


def alike(first: BitGenerator, second: BitGenerator) -> bool:
    """Return whether the two are equal and their values too, also far away."""
    far = 3**50
    return (
        first == second
        and first.sequence(20).tolist() == second.sequence(20).tolist()
        and first.jumped(far).words == second.jumped(far).words
    )
