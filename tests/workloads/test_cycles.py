"""The cycles of permutations, followed step by step on the host."""

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workloads.graphs.cycles import cycles  # which is among the scripts

from tests.conftest import make_queue


def check(queue: cl.CommandQueue, successor: npt.NDArray[np.uint32]) -> None:
    heads, ranks = (array.get() for array in cycles(cla.to_device(queue, successor)))
    seen = np.zeros(successor.size, bool)
    for head in np.unique(heads):
        element = head
        for rank in range((heads == head).sum()):
            assert (heads[element], ranks[element], seen[element]) == (head, rank, False)
            seen[element] = True
            element = successor[element]
        assert element == head
    assert seen.all()


@given(st.integers(1, 60).flatmap(lambda n: st.permutations(range(n))))
@settings(max_examples=30)
def test_cycles_of_short_permutations(successor: list[int]) -> None:
    check(make_queue(0), np.array(successor, np.uint32))


@pytest.mark.parametrize("kind", ["random", "one cycle", "one cycle by 257", "pairs", "cycles of 100"])
def test_cycles_of_long_permutations(queue: cl.CommandQueue, kind: str) -> None:
    n = 10_000
    places = np.arange(n)
    successor = {
        "random": np.random.default_rng(1).permutation(n),
        "one cycle": (places + 1) % n,
        "one cycle by 257": (places + 257) % n,
        "pairs": places ^ 1,
        "cycles of 100": places // 100 * 100 + (places + 1) % 100,
    }[kind]
    check(queue, successor.astype(np.uint32))


def test_there_are_no_cycles_of_nothing() -> None:
    heads, ranks = cycles(cla.Array(make_queue(0), (0,), np.uint32))
    assert heads.shape == ranks.shape == (0,)
