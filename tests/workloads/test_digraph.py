"""Graphs in compressed sparse rows against NumPy's stable sort and counts."""

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workloads.graphs import digraph  # which is among the scripts
from workloads.graphs.digraph import Digraph

from tests.conftest import make_queue

Edges = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, Edges]:
    """Draw a number of vertices and some edges."""
    vertices = draw(st.integers(1, 40))
    ends = st.lists(st.tuples(*[st.integers(0, vertices - 1)] * 2), max_size=100)
    pairs = np.array(draw(ends), int).reshape(-1, 2)
    return vertices, (pairs[:, 0], pairs[:, 1])


@given(graphs())
@settings(max_examples=30)
def test_a_graph_has_its_edges(drawn: tuple[int, Edges]) -> None:
    vertices, (starts, ends) = drawn
    graph = Digraph.from_edges(starts, ends, vertices, make_queue(0))
    order = np.argsort(starts, kind="stable")
    assert (graph.vertices, graph.edges) == (vertices, starts.size)
    assert np.array_equal(graph.starts.get(), starts[order])
    assert np.array_equal(graph.ends.get(), ends[order])
    leaving, entering = (np.bincount(array, minlength=vertices) for array in (starts, ends))
    assert np.array_equal(graph.offsets.get(), [0, *np.cumsum(leaving)])
    assert np.array_equal(graph.out_degrees().get(), leaving)
    assert np.array_equal(graph.in_degrees().get(), entering)
    assert np.array_equal(graph.unbalanced().get(), np.flatnonzero(leaving != entering))


@given(graphs())
@settings(max_examples=30)
def test_the_reverse_graph_has_each_edge_turned_round(drawn: tuple[int, Edges]) -> None:
    vertices, (starts, ends) = drawn
    graph = Digraph.from_edges(starts, ends, vertices, make_queue(0))
    turned = graph.reverse()
    pairs = sorted(zip(ends.tolist(), starts.tolist(), strict=True))
    assert list(zip(turned.starts.get().tolist(), turned.ends.get().tolist(), strict=True)) == pairs
    assert np.array_equal(turned.offsets.get(), [0, *np.cumsum(np.bincount(ends, minlength=vertices))])


def test_the_inverse_of_a_permutation(queue: cl.CommandQueue) -> None:
    permutation = np.random.default_rng(1).permutation(1000).astype(np.uint32)
    found = digraph.inverse(cla.to_device(queue, permutation)).get()
    assert np.array_equal(found, np.argsort(permutation))


@pytest.mark.parametrize(
    ("offsets", "ends", "error", "said"),
    [
        ([0, 1, 3], [0, 2, 1], ValueError, "ends must be vertices below 2, which 1 of them are not"),
        ([1, 2], [0, 0], ValueError, "offsets must rise from 0 to the number of edges, 2, not be"),
        ([0, 2, 1], [0], ValueError, "offsets must rise"),
        ([0, 1], [0, 0], ValueError, "offsets must rise"),
        ([], [], ValueError, "offsets must have one element more than there are vertices, not none"),
        ([0, 1], [-1], ValueError, "ends must be made of integers from 0 to 4294967294, not -1"),
        ([0, 1], [0.5], TypeError, r"ends must be made of integers, not \[0.5\]"),
        ([[0, 1]], [0], ValueError, r"offsets must have one dimension, not shape \(1, 2\)"),
    ],
)
def test_what_is_no_graph_is_refused(offsets: object, ends: object, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        Digraph(offsets, ends, make_queue(0))


def test_arrays_of_the_device_are_checked() -> None:
    queue = make_queue(0)
    offsets, ends = (cla.to_device(queue, np.array(values, np.uint32)) for values in ([0, 1], [0]))
    assert Digraph(offsets, ends).starts.get().tolist() == [0]
    with pytest.raises(ValueError, match="ends must be of uint32 and one dimension.*not of int32"):
        Digraph(offsets, ends.astype(np.int32))
    with pytest.raises(ValueError, match="offsets must be of uint32.*from byte 4 on"):
        Digraph(offsets[1:], ends)
    with pytest.raises(TypeError, match=r"queue must be given where ends is not on a device: \[0\]"):
        Digraph(offsets, [0])


def test_bad_edges_are_refused() -> None:
    queue = make_queue(0)
    with pytest.raises(ValueError, match="starts must be as many as ends, 2, not 1"):
        Digraph.from_edges([0], [0, 1], 2, queue)
    with pytest.raises(ValueError, match="starts must be vertices below 2, which 1 of them are not"):
        Digraph.from_edges([2, 0], [0, 1], 2, queue)
    with pytest.raises(ValueError, match="vertices must be an integer from 0 to 1073741824, not -1"):
        Digraph.from_edges([], [], -1, queue)
