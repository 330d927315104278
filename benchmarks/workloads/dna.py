"""How fast is a random text of the letters A, C, G and T put together again from its words of k letters?

The words are the edges of a de Bruijn graph, and an Euler path through it spells a text of the same words. Where no
word of k - 1 letters is in the text twice, that is the text itself. All is compared with NumPy and C on the host.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
from harness.common import Results, arguments, run

import clrng
from workloads.graphs.de_bruijn import de_bruijn, spelled
from workloads.graphs.euler import euler_path, faults
from workloads.graphs.hierholzer import euler_path as euler_path_in_c
from workloads.graphs.measuring import Steps, load, require

LETTERS, ROUNDS = 10**7, 3
QUICK = {"letters": 10**4}
SEED = 2026
WORDS = (13, 31)
"""Letters of a word: where many words of one letter less occur more than once, and where none does."""

NUMPY, C = "NumPy, one core", "C, one core"

Codes = npt.NDArray[np.uint64]


def codes_of(letters: npt.NDArray[np.uint8], length: int) -> Codes:
    """Return the words of `length` letters at each place, as numbers."""
    places = letters.size - length + 1
    codes = np.zeros(places, np.uint64)
    for j in range(length):
        codes = codes << np.uint64(2) | letters[j : j + places]
    return codes


def graph_of(letters: npt.NDArray[np.uint8], k: int) -> tuple[Any, Any, Any]:
    """Return the words of the vertices, the offsets and the ends of the de Bruijn graph, by NumPy."""
    words, vertices = np.unique(codes_of(letters, k - 1), return_inverse=True)
    starts, ends = vertices[:-1].astype(np.uint32), vertices[1:].astype(np.uint32)
    offsets = np.concatenate([np.zeros(1, np.uint32), np.cumsum(np.bincount(starts, minlength=words.size))])
    return words, offsets.astype(np.uint32), ends[np.argsort(starts, kind="stable")]


def put_together(steps: Steps, text: Any, k: int) -> None:
    """Make the graph of words of `k` letters, walk along it, and compare the text that this spells."""
    letters, name = text.get(), f"words of {k}"
    found = steps.device(f"{name}: graph", lambda: de_bruijn(text, k))
    host = steps.host(f"{name}: graph", NUMPY, lambda: graph_of(letters, k))
    made = {"words": found.words, "offsets": found.graph.offsets, "ends": found.graph.ends}
    for (what, ours), theirs in zip(made.items(), host, strict=True):
        require(f"the {what} of the graph are NumPy's", holds=np.array_equal(ours.get(), theirs))
    about = {"vertices": found.graph.vertices, "edges": found.graph.edges}
    path = steps.device(f"{name}: Euler path", lambda: euler_path(found.graph), **about)
    offsets, ends = found.graph.offsets.get(), found.graph.ends.get()
    first = int(found.graph.starts[int(path[0].get())].get())
    if (hierholzer := steps.host_tool(C, euler_path_in_c)) is not None:
        steps.host(f"{name}: Euler path", C, lambda: hierholzer(offsets, ends, first))
    wrong = steps.device(f"{name}: path checked", lambda: faults(found.graph, path, closed=False))
    require("it is an Euler path", holds=wrong == 0)
    again = steps.device(f"{name}: text", lambda: spelled(found, path)).get()
    before, after = (np.sort(codes_of(each, k)) for each in (letters, again))
    require("the text has the same words", holds=np.array_equal(before, after))
    alone = found.graph.vertices == found.graph.edges + 1
    require("it is the text itself where words are there once", holds=not alone or np.array_equal(letters, again))
    same = "the text itself" if np.array_equal(letters, again) else "another text of the same words"
    print(f"{found.graph.vertices} words of {k - 1}: {same}")


def main() -> None:
    """Measure, print and save."""
    sizes = {"letters": LETTERS}
    every = {name: {"type": int, "default": value} for name, value in sizes.items()}
    options = arguments(__doc__, rounds=ROUNDS, **every)
    if options.quick:
        vars(options).update(QUICK)
    queue = clrng.make_queue(options.device)
    warm_up(queue)
    results = Results(options, "dna", queue, letters=options.letters, rounds=options.rounds, load=load())
    steps = Steps(results, queue, options.rounds)
    bits = clrng.default_rng(SEED, queue).bit_generator

    def draw() -> Any:
        return clrng.Generator(bits.copy(), queue).integers(0, 4, options.letters, dtype="uint8")

    text = steps.device("letters drawn", draw)
    steps.host("letters drawn", NUMPY, lambda: np.random.default_rng(SEED).integers(0, 4, options.letters, np.uint8))
    for k in WORDS:
        put_together(steps, text, k)
    results.close()


def warm_up(queue: cl.CommandQueue) -> None:
    """Build all kernels, on a short text."""
    text = clrng.default_rng(SEED, queue).integers(0, 4, 10**4, dtype="uint8")
    for k in WORDS:
        found = de_bruijn(text, k)
        path = euler_path(found.graph)
        faults(found.graph, path, closed=False)
        spelled(found, path)


if __name__ == "__main__":
    run(main)
