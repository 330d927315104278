"""Values that libraries of GPUs make of words in memory."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.frontends.device_libraries.forms import Form
from clrng.opencl import arrays
from clrng.opencl.arrays import wait_list
from clrng.opencl.kernel import kernel_of
from clrng.opencl.templates import prelude, render
from clrng.proof.examples import Example, prove_by

BLOCK = 16
"""The numbers of a block, where they are taken in blocks."""

STREAMS = 16
"""The streams of an example."""

TWISTER, EIGHT = 624, 8
"""The words of a Mersenne Twister, and how many values of a stream lie side by side where it gives them by eights."""


def rows_of_eights() -> npt.NDArray[np.intp]:
    """Return which of the words of a Mersenne Twister make the values of each round: an array of shape (78, 8)."""
    lane, rounds = np.arange(EIGHT), np.arange(TWISTER // EIGHT)[:, None]
    seven = (rounds - 1) // 7
    first = TWISTER * ((11 * lane + 7) // 8) // 11
    return np.where(rounds == 0, first, 1 + TWISTER * seven // 11 + 7 * lane + (rounds - 1) % 7)


def text(form: Form, layout: str, _: object) -> str:
    """Return the program."""
    return prelude() + render(
        "device_libraries/converted.cl.mako", form=form.text(), layout=layout, words=form.words,
        values=form.values, ctype=form.ctype,
    )  # fmt: skip


def converted(
    queue: cl.CommandQueue, form: Form, words: cla.Array, out: cla.Array, number_range: int = 1, low: int = 0, *,
    layout: str = "in_turn", streams: int = 1, first: int = 0,
) -> None:  # fmt: skip
    """Fill `out`, contiguous and of the form's dtype, with what is made of `words`, contiguous and of uint32.

    `layout`: ``"in_turn"``, one after the other; ``"in_blocks"`` of 16 numbers, of which the last must be whole; or
    ``"in_streams"``, where rows of words have one of each of so many `streams`, and item number `first` is made first;
    or ``"in_eights"``, where there are 624 such rows, and eight values of each stream in turn follow one another.
    """
    kernel = kernel_of(queue, "converted", text, form, layout)
    prove_by(queue, [kernel], _example, _examples(form, layout))
    event = kernel.for_each(
        queue, -(-out.size // form.values), out=out.base_data, offset=out.offset // out.dtype.itemsize, n=out.size,
        words=words.base_data, begin=words.offset // words.dtype.itemsize, streams=streams, first=first,
        range=number_range, low=low, wait_for=wait_list(words, out),
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
    elif layout == "in_eights":
        words = np.moveaxis(words.reshape(TWISTER, STREAMS)[rows_of_eights()], 1, 2)
    made = form.made(words.reshape(-1, form.words), number_range, low)
    if layout == "in_blocks":
        made = np.moveaxis(made.reshape(-1, BLOCK // 2, 2), 2, 1)
    return made.reshape(-1)


def _example(
    given: Sequence[cla.Array], results: Sequence[cla.Array], form: Form, number_range: int, low: int, layout: str,
    first: int,
) -> None:  # fmt: skip
    queue: Any = given[0].queue
    converted(queue, form, given[0], results[0], number_range, low, layout=layout, streams=STREAMS, first=first)


def _examples(form: Form, layout: str) -> Iterator[Example]:
    """Yield words of all bits, with those that make the least and the greatest numbers."""
    count = STREAMS * (TWISTER if layout == "in_eights" else BLOCK * form.words * 4)
    words = np.random.default_rng(count).integers(1, 2**32 - 209, count, np.uint32)
    words[: 4 * form.words], words[-4 * form.words :] = int(form.combined), 2**32 - 209 if form.combined else 2**32 - 1
    number_range, low = (10, -5) if form.words == 1 else (2**40 + 7, 2**40)
    made, first = on_host(form, words, layout, number_range, low), 3 if layout in ("in_streams", "in_eights") else 0
    made = made if layout == "in_blocks" else made[first * form.values : -1]
    yield Example([words], {"value": made}, {}, (form, number_range, low, layout, first))
