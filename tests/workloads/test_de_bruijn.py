"""De Bruijn graphs of texts, and the texts that Euler paths through them spell."""

from collections import Counter

import numpy as np
import pyopencl.array as cla
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workloads.graphs import de_bruijn, euler  # which is among the scripts

import clrng
from tests.conftest import make_queue


def words(text: str, k: int) -> Counter[str]:
    return Counter(text[i : i + k] for i in range(len(text) - k + 1))


@given(st.text("ACGT", min_size=2, max_size=80), st.data())
@settings(max_examples=40)
def test_a_text_of_the_same_words_is_found(text: str, data: st.DataObject) -> None:
    k = data.draw(st.integers(2, min(33, len(text))))
    found = de_bruijn.de_bruijn(de_bruijn.letters_of(text, make_queue(0)), k)
    vertices = [de_bruijn.word_of(int(word), k - 1) for word in found.words.get()]
    assert vertices == sorted(words(text, k - 1))
    edges = zip(found.graph.starts.get(), found.graph.ends.get(), strict=True)
    assert Counter(vertices[start] + vertices[end][-1] for start, end in edges) == words(text, k)
    again = de_bruijn.text_of(de_bruijn.spelled(found, euler.euler_path(found.graph)))
    assert words(again, k) == words(text, k)
    if max(words(text, k - 1).values()) == 1:
        assert again == text


def test_a_long_random_text_is_found_again() -> None:
    letters = clrng.default_rng(1, make_queue(0)).integers(0, 4, 20_000, dtype="uint8")
    text = de_bruijn.text_of(letters)
    assert max(words(text, 20).values()) == 1
    found = de_bruijn.de_bruijn(letters, 21)
    assert de_bruijn.text_of(de_bruijn.spelled(found, euler.euler_path(found.graph))) == text
    found = de_bruijn.de_bruijn(letters, 5)
    again = de_bruijn.text_of(de_bruijn.spelled(found, euler.euler_path(found.graph)))
    assert again != text
    assert words(again, 5) == words(text, 5)


@pytest.mark.parametrize(
    ("letters", "k", "error", "said"),
    [
        (np.zeros(5, np.uint8), 1, ValueError, "k must be an integer from 2 to 5, not 1"),
        (np.zeros(5, np.uint8), 6, ValueError, "k must be an integer from 2 to 5, not 6"),
        (np.zeros(50, np.uint8), 34, ValueError, "k must be an integer from 2 to 33, not 34"),
        (np.zeros(5, np.uint8), 2.0, TypeError, "k must be an integer from 2 to 5, not 2.0"),
        (np.zeros(1, np.uint8), 2, ValueError, "letters must be from 2 to 4294967294, not 1"),
        (np.array([0, 4, 1], np.uint8), 2, ValueError, "letters must be numbers below 4, not 4"),
        (np.zeros(5, np.uint32), 2, ValueError, "letters must be of uint8 and one dimension, not uint32"),
    ],
)
def test_what_has_no_graph_is_refused(letters: object, k: int, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        de_bruijn.de_bruijn(cla.to_device(make_queue(0), letters), k)


def test_only_euler_paths_are_spelled() -> None:
    found = de_bruijn.de_bruijn(de_bruijn.letters_of("GATTACA", make_queue(0)), 3)
    path = euler.euler_path(found.graph)
    assert de_bruijn.text_of(de_bruijn.spelled(found, path)) == "GATTACA"
    with pytest.raises(ValueError, match="path must be an Euler path of the graph, not one with [1-9] faults"):
        de_bruijn.spelled(found, cla.to_device(path.queue, path.get()[::-1].copy()))


def test_other_letters_are_refused() -> None:
    with pytest.raises(ValueError, match="text must be of the letters ACGT, not with 'X'"):
        de_bruijn.letters_of("GATXACA", make_queue(0))
