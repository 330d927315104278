"""Values that libraries of GPUs make of words in memory."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.frontends.device_libraries.forms import Form
from clrng.opencl import arrays
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.kernel import kernel_of
from clrng.opencl.templates import prelude, render
from clrng.proof.examples import Example, prove_by

BLOCK = 16
"""The numbers of a block, where they are taken in blocks."""

STREAMS = 16
"""The streams of an example."""

AHEAD = np.arange(STREAMS, dtype=np.int32) % 3 - 1
"""How many rows further on those of an example begin, where each begins in a row of its own."""

TWISTER, EIGHT = 624, 8
"""The words of a Mersenne Twister, and how many items of a stream lie side by side where it gives them by eights."""


def rows_of_eights() -> npt.NDArray[np.intp]:
    """Return which of the words of a Mersenne Twister each round takes: an array of shape (78, 8)."""
    lane, rounds = np.arange(EIGHT), np.arange(TWISTER // EIGHT)[:, None]
    seven = (rounds - 1) // 7
    first = TWISTER * ((11 * lane + 7) // 8) // 11
    return np.where(rounds == 0, first, 1 + TWISTER * seven // 11 + 7 * lane + (rounds - 1) % 7)


class Laid(NamedTuple):
    """How words lie, and values go.

    `layout`: ``"in_turn"``, one after the other; ``"in_blocks"`` of 16 numbers, of which the last must be whole;
    ``"in_streams"``, where rows of words have one of each of so many `streams`, and item number `first` is made first;
    ``"ahead"``, where moreover the items of stream s begin ``ahead[s]`` rows further on; or ``"in_eights"``, where
    there are 624 such rows, and eight items of each stream in turn follow one another.
    """

    layout: str = "in_turn"
    streams: int = 1
    first: int = 0
    ahead: npt.NDArray[np.int32] | None = None


IN_TURN = Laid()


def text(form: Form, layout: str, _: object) -> str:
    """Return the program."""
    return prelude() + render(
        "device_libraries/converted.cl.mako", form=form.text(), layout=layout, words=form.words,
        values=form.values, ctype=form.ctype,
    )  # fmt: skip


def converted(
    queue: cl.CommandQueue, form: Form, words: cla.Array, out: cla.Array, number_range: int = 1, low: int = 0,
    laid: Laid = IN_TURN,
) -> None:  # fmt: skip
    """Fill `out`, contiguous and of the form's dtype, with what is made of `words`, contiguous and of uint32."""
    layout, streams, first, ahead = laid
    more = {} if ahead is None else {"ahead": upload(queue, ahead).base_data}
    kernel = kernel_of(queue, "converted", text, form, layout)
    prove_by(queue, [kernel], _example, _examples(form, layout))
    event = kernel.for_each(
        queue, -(-out.size // form.values), out=out.base_data, offset=out.offset // out.dtype.itemsize, n=out.size,
        words=words.base_data, begin=words.offset // words.dtype.itemsize, streams=streams, first=first,
        range=number_range, low=low, **more, wait_for=wait_list(words, out),
    )  # fmt: skip
    arrays.attach_event(queue, out, event)


def on_host(form: Form, words: npt.NDArray[np.uint32], layout: str, number_range: int, low: int) -> Any:
    """Return what is made of words, by the host."""
    each = form.words // 2
    if layout == "in_blocks":
        halves = words.reshape(-1, 2, BLOCK // 2, each)
        words = np.concatenate([halves[:, 0], halves[:, 1]], axis=-1)
    elif layout == "in_streams":
        words = np.moveaxis(words.reshape(-1, form.words, STREAMS), 1, 2)
    elif layout == "ahead":
        turns = words.size // STREAMS // form.words - 2
        rows = 1 + form.words * np.arange(turns)[:, None, None] + AHEAD[:, None] + np.arange(form.words)
        words = words.reshape(-1, STREAMS)[rows, np.arange(STREAMS)[:, None]]
    elif layout == "in_eights":
        rows = rows_of_eights()[: TWISTER // EIGHT // form.words * form.words].reshape(-1, form.words, EIGHT)
        words = np.moveaxis(words.reshape(TWISTER, STREAMS)[rows], (1, 3), (3, 1))
    made = form.made(words.reshape(-1, form.words), number_range, low)
    if layout == "in_blocks":
        made = np.moveaxis(made.reshape(-1, BLOCK // 2, 2), 2, 1)
    return made.reshape(-1)


def _example(
    given: Sequence[cla.Array], results: Sequence[cla.Array], form: Form, number_range: int, low: int, layout: str,
    first: int,
) -> None:  # fmt: skip
    queue: Any = given[0].queue
    ahead = AHEAD + np.int32(1) if layout == "ahead" else None
    converted(queue, form, given[0], results[0], number_range, low, Laid(layout, STREAMS, first, ahead))


def _examples(form: Form, layout: str) -> Iterator[Example]:
    """Yield words of all bits, with those that make the least and the greatest numbers."""
    streamed = layout in ("in_streams", "ahead", "in_eights")
    count = STREAMS * (TWISTER if layout == "in_eights" else BLOCK * form.words * 4)
    least, most = (1, round(1 / form.combined.norm)) if form.combined else (0, 2**32 - 1)
    words = np.random.default_rng(count).integers(least, most, count, np.uint32, endpoint=True)
    words[: 4 * form.words], words[-4 * form.words :] = least, most
    number_range, low = (10, -5) if form.words == 1 else (2**40 + 7, 2**40)
    made, first = on_host(form, words, layout, number_range, low), 3 if streamed else 0
    made = made if layout == "in_blocks" else made[first * form.values : -1]
    yield Example([words], {"value": made}, {}, (form, number_range, low, layout, first))
