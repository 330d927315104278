"""De Bruijn graphs of texts of four letters: words of k letters are edges, between words of k - 1 letters."""

from typing import NamedTuple, cast

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng import order, validation
from clrng.opencl.arrays import upload
from workloads.graphs.digraph import MOST, Digraph
from workloads.graphs.euler import faults
from workloads.graphs.launching import empty, launch

TEMPLATE = "de_bruijn"
LETTERS = "ACGT"
LONGEST_WORD = 32
"""The most letters of a vertex, of 2 bits each."""


class DeBruijnGraph(NamedTuple):
    """The de Bruijn graph of a text.

    Attributes
    ----------
    graph : Digraph
        A vertex for each word of k - 1 letters in the text, and an edge for each place of a word of k letters.
    words : pyopencl.array.Array of uint64, shape (vertices,)
        The words of the vertices in rising order, of 2 bits a letter, the first of which is the highest.
    length : int
        The letters of a vertex, k - 1.
    """

    graph: Digraph
    words: cla.Array
    length: int


def de_bruijn(letters: cla.Array, k: int) -> DeBruijnGraph:
    """Return the de Bruijn graph of a text on the device.

    Parameters
    ----------
    letters : pyopencl.array.Array of uint8, shape (n,)
        From 0 to 3.
    k : int
        From 2 to 33, and at most n.

    Raises
    ------
    TypeError
        If `k` is not an integer.
    ValueError
        If `k` is out of range, `letters` are not of uint8 or too many, or one is not below 4.
    """
    if letters.dtype != np.uint8 or letters.ndim != 1:
        raise ValueError(f"letters must be of uint8 and one dimension, not {letters.dtype} of shape {letters.shape}")
    if not 1 < letters.size <= MOST:
        raise ValueError(f"letters must be from 2 to {MOST}, not {letters.size}")
    k = validation.integer("k", k, 2, min(LONGEST_WORD + 1, letters.size))
    if (largest := int(cla.max(letters).get())) >= len(LETTERS):
        raise ValueError(f"letters must be numbers below {len(LETTERS)}, not {largest}")
    places = letters.size - k + 2
    codes = empty(letters.queue, places, np.uint64)
    launch(TEMPLATE, "words_at", places, letters, places, k - 1, codes)
    words, vertices = cast("tuple[cla.Array, ...]", order.unique(codes, return_inverse=True))
    return DeBruijnGraph(Digraph.from_edges(vertices[:-1].copy(), vertices[1:].copy(), words.size), words, k - 1)


def spelled(found: DeBruijnGraph, path: cla.Array) -> cla.Array:
    """Return the text that an Euler path through a de Bruijn graph spells; uint8, shape (edges + k - 1,).

    Raises
    ------
    ValueError
        If `path` is no Euler path through the graph.
    """
    graph, words, length = found
    if count := faults(graph, path, closed=False):
        raise ValueError(f"path must be an Euler path of the graph, not one with {count} faults")
    letters = empty(graph.queue, graph.edges + length, np.uint8)
    launch(TEMPLATE, "spell", graph.edges, path, graph.edges, graph.starts, graph.ends, words, length, letters)
    return letters


def text_of(letters: cla.Array) -> str:
    """Return letters as text."""
    return np.frombuffer(LETTERS.encode(), np.uint8)[letters.get()].tobytes().decode()


def letters_of(text: str, queue: cl.CommandQueue) -> cla.Array:
    """Return text as numbers from 0 to 3 on the device; uint8.

    Raises
    ------
    ValueError
        If it has other letters than A, C, G and T.
    """
    if wrong := sorted(set(text) - set(LETTERS)):
        raise ValueError(f"text must be of the letters {LETTERS}, not with {validation.shown(wrong[0])}")
    return upload(queue, np.array([LETTERS.index(letter) for letter in text], np.uint8))


def word_of(code: int, length: int) -> str:
    """Return the word of a vertex as text."""
    return "".join(LETTERS[code >> 2 * place & 3] for place in reversed(range(length)))
