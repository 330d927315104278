"""The pages about graphs: they run as they stand, and their pictures are those that they make."""

import sys

import matplotlib as mpl
import pytest

from tests.support.make_graph_pictures import PAGES, PICTURES, pictures
from tests.support.pages import DOCS

sys.path.insert(0, str(DOCS / "_ext"))

import steps  # which is beside the pages

mpl.use("Agg")

PRINTED = {
    "euler_graph": ["0 vertices with more edges in than out, or fewer", " 0 faults"],
    "graph_text": ["not 'b -> c d': 'c d' is no name"],
    "dna": ["the text again: True"],
}


@pytest.mark.parametrize("page", PAGES)
def test_a_page_makes_its_pictures(page: str) -> None:
    found, said = pictures(page)
    assert found
    for name, text in found.items():
        assert (PICTURES / f"{name}.dot").read_text() == text, (
            "draw it again: python -m tests.support.make_graph_pictures"
        )
        assert "<svg " in (PICTURES / f"{name}.svg").read_text()
    for line in PRINTED[page]:
        assert line in said


def test_no_picture_is_left_over() -> None:
    text = "".join((PICTURES.parent / f"{page}.md").read_text() for page in PAGES)
    for path in PICTURES.glob("*.svg"):
        assert f"(pictures/{path.name})" in text


def test_the_table_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {
        "made": {"clrng": {"seconds": 0.5, "low": 0.4, "high": 0.6}, "published": {"seconds": 19.0}},
        "edges": {"clrng": {"seconds": 0.02}, "C": {"seconds": 3e-3}},
        "graph": {"edges": 3},
    }
    about = {
        "device": "D",
        "platform": "P",
        "driver": "1",
        "units": 8,
        "host": "H",
        "cores": 2,
        "rounds": 3,
        "clrng": "1.0",
    }
    report = {**about, "vertices": 1000, "load": 5.25, "rows": rows}
    monkeypatch.setattr(steps, "reports", {"euler_graph": [report, {**report, "load": 1.5}]}.__getitem__)
    lines = steps.steps("euler_graph")
    table = ["| made | 500 ms | 19.0 s |  |", "| edges | 20.0 ms |  | 3.00 ms |"]
    where, sizes = (
        "D, P 1; clrng 1.0, of no recorded date, 8 compute units; host H, 2 cores",
        "1,000 vertices; medians of 3 rounds.",
    )
    header = ["", "|  | clrng | published | C |", "| --- | ---: | ---: | ---: |"]
    busy = ", which had other work too"
    assert lines == ["", f"{where}{busy}. {sizes}", *header, *table, "", f"{where}. {sizes}", *header, *table]
