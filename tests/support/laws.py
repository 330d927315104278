"""Which generators a law is about, and what several laws need."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from clrng.generators import BitGenerator
from tests.support.generators import GENERATORS, LARGE

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


def lists(generator: BitGenerator) -> bool:
    """Return whether the state of `generator` is a list of words."""
    return isinstance(generator.state["state"], list)


def with_words(generator: BitGenerator, words: tuple[int, ...]) -> dict[str, Any]:
    """Return the state of `generator` with other words."""
    return {**generator.state, "state": list(words) if lists(generator) else words[0]}


def alike(first: BitGenerator, second: BitGenerator) -> bool:
    """Return whether the two are equal and their values too, also far away."""
    far = 3**50
    return (
        first == second
        and first.sequence(20).tolist() == second.sequence(20).tolist()
        and first.jumped(far).words == second.jumped(far).words
    )
