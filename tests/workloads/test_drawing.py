"""Pictures of graphs in the language DOT."""

import shutil

import numpy as np
import pytest
from workloads.graphs import drawing, named_graph  # which is among the scripts
from workloads.graphs.digraph import Digraph

from tests.conftest import make_queue

TEXT = "a -> b, c, d\nb -> a, c\nx -> y\ny -> x"


def test_vertices_are_coloured_by_their_degrees() -> None:
    text = drawing.dot(named_graph.parse(TEXT, make_queue(0)), into=2, out=2)
    assert text.splitlines()[2:8] == [
        f'  "a" [fillcolor="{drawing.LEFT}"];',
        f'  "b" [fillcolor="{drawing.LEFT}"];',
        f'  "c" [fillcolor="{drawing.ENTERED}"];',
        '  "d";',
        '  "x";',
        '  "y";',
    ]
    text = drawing.dot(named_graph.parse(TEXT, make_queue(0)), into=1, out=2)
    assert f'"a" [fillcolor="{drawing.BOTH}"];' in text


def test_edges_of_the_forest_are_red_and_components_framed() -> None:
    lines = drawing.dot(named_graph.parse(TEXT, make_queue(0)), forest=True, clusters=True).splitlines()
    red = [line.split(" [")[0].strip() for line in lines if drawing.TREE in line]
    assert red == ['"a" -> "b"', '"a" -> "c"', '"a" -> "d"', '"x" -> "y"']
    frames = [i for i, line in enumerate(lines) if "subgraph cluster_" in line]
    assert [lines[i + 1].strip() for i in frames] == ['"a";', '"x";']
    assert not [line for line in drawing.dot(named_graph.parse(TEXT, make_queue(0))).splitlines() if "cluster" in line]


def test_an_empty_graph_is_an_empty_picture() -> None:
    named = named_graph.parse("", make_queue(0))
    assert drawing.dot(named, into=1, forest=True, clusters=True).splitlines()[2:] == ["}"]


def test_names_are_quoted() -> None:
    text = drawing.dot(named_graph.of_rows({'say "a\\b"': []}, make_queue(0)))
    assert '  "say \\"a\\\\b\\"";\n' in text


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_draws_what_is_written() -> None:
    named = named_graph.of_rows({'"': ["\\", "node"], "node": ["a->b"]}, make_queue(0))
    picture = drawing.svg(drawing.dot(named, into=1, out=1, forest=True, clusters=True))
    assert picture.count('class="node"') == 4
    assert picture.count('class="edge"') == 3
    with pytest.raises(ValueError, match="text must be in the language DOT: .*syntax error"):
        drawing.svg("digraph {")


def test_without_graphviz_there_is_an_error_that_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(FileNotFoundError, match="Graphviz's program dot is not installed"):
        drawing.svg("digraph {}")


def test_what_is_no_picture_is_refused() -> None:
    queue = make_queue(0)
    with pytest.raises(ValueError, match="into must be an integer of 0 or more, not -1"):
        drawing.dot(named_graph.parse(TEXT, queue), into=-1)
    large = Digraph.from_edges(np.zeros(10_001, int), np.zeros(10_001, int), 1, queue)
    with pytest.raises(ValueError, match="named must be a graph of at most 10000 edges, not 10001"):
        drawing.dot(named_graph.numbered(large))
