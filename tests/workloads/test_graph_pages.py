"""The pages about graphs: they run as they stand, and their pictures are those that they make."""

import matplotlib as mpl
import pytest

from tests.support.make_graph_pictures import PAGES, PICTURES, pictures

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
