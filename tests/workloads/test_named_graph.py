"""Graphs read from text and written again, and random ones of named vertices."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workloads.graphs import named_graph  # which is among the scripts

import clrng
from tests.conftest import make_queue

NAMES = st.text(st.characters(categories=["L", "N", "P", "S"], exclude_characters=","), min_size=1, max_size=4).filter(
    lambda name: "->" not in name
)
SEED_TEXT = "a -> b, c, d\nb -> a, c\nd -> e, f\ne -> f\n1 -> 2, 3\n3 -> 4, 5\nx -> y, z\n2 -> 5"


def test_a_graph_of_text() -> None:
    found = named_graph.parse(SEED_TEXT, make_queue(0))
    assert found.names == tuple("12345abcdefxyz")
    assert found.rows() == {
        **{name: [] for name in "45cfyz"},
        "1": ["2", "3"],
        "2": ["5"],
        "3": ["4", "5"],
        "a": ["b", "c", "d"],
        "b": ["a", "c"],
        "d": ["e", "f"],
        "e": ["f"],
        "x": ["y", "z"],
    }
    assert named_graph.written(found).splitlines() == sorted(SEED_TEXT.splitlines())


def test_lines_may_be_spaced_repeated_and_empty() -> None:
    found = named_graph.parse(["  a->b ,c", "", "lone", "other ->", "a -> a"], make_queue(0))
    assert found.rows() == {"a": ["b", "c", "a"], "b": [], "c": [], "lone": [], "other": []}
    assert named_graph.written(found) == "a -> b, c, a\nlone ->\nother ->\n"


@given(st.dictionaries(NAMES, st.lists(NAMES, max_size=4), max_size=8))
@settings(max_examples=40)
def test_what_is_written_is_read_again(rows: dict[str, list[str]]) -> None:
    queue = make_queue(0)
    graph = named_graph.of_rows(rows, queue)
    again = named_graph.parse(named_graph.written(graph), queue)
    assert again.names == graph.names
    assert again.rows() == graph.rows() == {name: rows.get(name, []) for name in graph.names}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a -> b\na -> b c", "line 2 must be a name, an arrow and names.*not 'a -> b c': 'b c' is no name"),
        ("-> b", "line 1 .*'' is no name"),
        ("a -> b,, c", "line 1 .*'' is no name"),
        ("a -> b -> c", "line 1 .*'b -> c' is no name"),
        ("a b", "line 1 .*'a b' is no name"),
        ("a, b", "line 1 .*'a, b' is no name"),
    ],
)
def test_what_is_no_graph_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        named_graph.parse(text, make_queue(0))


def test_lines_must_be_text_and_names_fit() -> None:
    queue = make_queue(0)
    with pytest.raises(TypeError, match="lines must be text, not line 1: 3"):
        named_graph.parse([3], queue)  # type: ignore[list-item]
    with pytest.raises(ValueError, match="names must have neither spaces nor commas nor arrows, unlike 'a b'"):
        named_graph.written(named_graph.of_rows({"a b": []}, queue))
    with pytest.raises(ValueError, match="names must be as many as vertices, 1, not 2"):
        named_graph.numbered(named_graph.of_rows({"a": []}, queue).graph, "ab")


def test_random_names_differ() -> None:
    rng = clrng.default_rng(1, make_queue(0))
    assert sorted(named_graph.random_names(rng, 26, 1)) == list(named_graph.ALPHABET)
    names = named_graph.random_names(rng, 500, 3)
    assert len(set(names)) == 500
    assert {len(name) for name in names} == {3}
    assert named_graph.random_names(clrng.default_rng(2, make_queue(0)), 3, 3) == NAMED


NAMED = ["GHV", "CPS", "EBH"]
"""What the stream of seed 2 gives."""


def test_random_graphs_of_names() -> None:
    rng = clrng.default_rng(1, make_queue(0))
    rows = named_graph.random_named(rng, 80, 3, 4).rows()
    assert len(rows) == 80
    assert {len(ends) for ends in rows.values()} == {1, 2, 3, 4}
    assert np.unique(np.concatenate(list(rows.values()))).size > 60


@pytest.mark.parametrize(
    ("vertices", "length", "most", "said"),
    [
        (27, 1, 1, "count must be an integer from 1 to 26, not 27"),
        (0, 1, 1, "count must be an integer from 1 to 26, not 0"),
        (5, 0, 1, "length must be an integer from 1 to 12, not 0"),
        (5, 1, 0, "most must be an integer from 1 to 4294967294, not 0"),
    ],
)
def test_bad_sizes_are_refused(vertices: int, length: int, most: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        named_graph.random_named(clrng.default_rng(1, make_queue(0)), vertices, length, most)
