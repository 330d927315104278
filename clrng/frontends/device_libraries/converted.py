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


def text(form: Form, in_blocks: bool, _: object) -> str:
    """Return the program."""
    return prelude() + render(
        "device_libraries/converted.cl.mako", form=form.text(), in_blocks=in_blocks, words=form.words,
        values=form.values, ctype=form.ctype,
    )  # fmt: skip


def converted(
    queue: cl.CommandQueue, form: Form, words: cla.Array, out: cla.Array, number_range: int = 1, low: int = 0, *,
    in_blocks: bool = False,
) -> None:  # fmt: skip
    """Fill `out`, contiguous and of the form's dtype, with what is made of `words`, contiguous and of uint32.

    Where they are taken `in_blocks` of 16 numbers, the last one must be whole.
    """
    kernel = kernel_of(queue, "converted", text, form, in_blocks)
    prove_by(queue, [kernel], _example, _examples(form, in_blocks=in_blocks))
    event = kernel.for_each(
        queue, -(-out.size // form.values), out=out.base_data, offset=out.offset // out.dtype.itemsize, n=out.size,
        words=words.base_data, begin=words.offset // words.dtype.itemsize, range=number_range, low=low,
        wait_for=wait_list(words, out),
    )  # fmt: skip
    arrays.attach_event(queue, out, event)


def on_host(form: Form, words: npt.NDArray[np.uint32], *, in_blocks: bool) -> npt.NDArray[Any]:
    """Return what is made of words, by the host."""
    if not in_blocks:
        return form.made(words.reshape(-1, form.words)).reshape(-1)
    each = form.words // 2
    halves = words.reshape(-1, 2, BLOCK // 2, each)
    made = form.made(np.concatenate([halves[:, 0], halves[:, 1]], axis=-1).reshape(-1, form.words))
    return np.moveaxis(made.reshape(-1, BLOCK // 2, 2), 2, 1).reshape(-1)


def _example(
    given: Sequence[cla.Array], results: Sequence[cla.Array], form: Form, number_range: int, low: int, blocks: bool
) -> None:
    queue: Any = given[0].queue
    converted(queue, form, given[0], results[0], number_range, low, in_blocks=blocks)


def _examples(form: Form, *, in_blocks: bool) -> Iterator[Example]:
    """Yield words of all bits, with those that make the least and the greatest numbers."""
    count = 64 * BLOCK * form.words
    words = np.random.default_rng(count).integers(0, 2**32, count, np.uint32)
    words[: 4 * form.words], words[-4 * form.words :] = 0, 2**32 - 1
    number_range, low = (10, -5) if form.words == 1 else (2**40 + 7, 2**40)
    if form.kind == "remainder":
        made = form.made(words.reshape(-1, form.words), number_range, low).reshape(-1)
    else:
        made = on_host(form, words, in_blocks=in_blocks)
    made = made if in_blocks else made[:-1]
    yield Example([words], {"value": made}, {}, (form, number_range, low, in_blocks))
