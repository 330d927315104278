"""NumPy's shuffles: the orders that Fisher and Yates's algorithm makes with masked rejection, found in parallel.

NumPy's `Generator` and `RandomState` shuffle arrays of one dimension alike: for i from n - 1 down to 1, element i
changes places with element j, its target: the first of the next words of 32 bits that is at most i, where as many of
its lowest bits count as i has. A device finds all targets by rounds, and then where each element comes from by chains
of links, each of about one link, and the longest ones of some log n.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from math import log, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.frontends.numpy_streams.positions import as_numpy, of_numpy
from clrng.frontends.numpy_streams.words import Words
from clrng.generators.generator_code import CTYPES
from clrng.opencl import arrays, templates
from clrng.opencl.kernel import Kernel, kernel_of, whole_groups
from clrng.opencl.traits import LONGEST_LOOP, traits_of
from clrng.order.arguments import MAX_SIZE, WORD, info, placed, queue_of
from clrng.order.copies import Picks, build, move
from clrng.proof.examples import Example, prove_by

MIN_SIZE = {"cpu": MAX_SIZE, "gpu": 2**16}
"""The minimum number of elements that a device puts in order; NumPy itself does it with fewer. It is four times as fast
on two cores, where most of the time is spent on memory that is read at random."""

PORTION = 2**26
"""The maximum number of words that are made at a time."""

LANES = 2**17
"""About how many work-items go through the words."""

MIN_CHUNK = 16
"""The minimum number of words of a work-item."""

GROUP_SIZE = 256

ROUNDS = 8
"""Rounds that are launched before the host looks whether the last one changed anything; 2^24 elements take about 30."""

EXAMPLES = (2, 257, 4099)
"""The numbers of elements of the examples that prove the kernels."""

EXAMPLE_CHUNK = 3
"""Words of a work-item in examples, so few that there are several work-groups."""

NONE = np.array([0xFFFFFFFF], WORD)
"""What stands for no element."""

KERNELS = ("settle", "place_targets", "link", "follow")

Kernels = dict[str, Kernel]

Halves = Callable[[int, int], cla.Array]
"""Called with a number n and a place in the stream, returns n words of 32 bits from there on."""


def permutation(words: Words, out: cla.Array) -> Any:
    """Fill `out`, one-dimensional and contiguous, with the integers below its size as NumPy permutes them.

    Return the bit generator that stands where NumPy's does then.
    """
    if not _by_device(words, out.size):
        rng = np.random.Generator(as_numpy(words.bits))
        with _on_host(words.queue, out) as order:
            order[:] = np.arange(out.size, dtype=out.dtype)
            rng.shuffle(order)
        return of_numpy(rng.bit_generator)
    return words.after_halves(_draw(words.queue, _kernels(words.queue, out.dtype), words.halves, out))


def shuffle(words: Words, x: cla.Array | npt.NDArray[Any]) -> Any:
    """Shuffle `x`, one-dimensional, as NumPy does.

    An array of the host may have elements of any kind, one of the device those that `move` copies. Return the bit
    generator that stands where NumPy's does then.
    """
    queue = words.queue
    if isinstance(x, np.ndarray):
        if not _by_device(words, x.size):
            rng = np.random.Generator(as_numpy(words.bits))
            rng.shuffle(x)
            return of_numpy(rng.bit_generator)
        order = cla.Array(queue, x.size, WORD)
        bits = permutation(words, order)
        x[:] = x[order.get(queue)]
    elif not _by_device(words, x.size):
        held = x if x.flags.c_contiguous else move(queue, x)
        with _on_host(queue, held) as elements:
            bits = shuffle(words, elements)
        if held is not x:
            move(queue, held, x)
    else:
        order, shuffled = cla.Array(queue, x.size, WORD), cla.Array(queue, x.shape, x.dtype)
        picks = Picks.along(0, 1, order)
        build(queue, x, shuffled, picks)
        build(queue, shuffled, x)
        bits = permutation(words, order)
        move(queue, move(queue, x, shuffled, picks), x)
    return bits


def _by_device(words: Words, n: int) -> bool:
    """Return whether the device finds the order of `n` elements, rather than NumPy."""
    return MIN_SIZE[traits_of(words.device).family] <= n <= MAX_SIZE


@contextmanager
def _on_host(queue: cl.CommandQueue, array: cla.Array) -> Iterator[npt.NDArray[Any]]:
    """Yield the values of a contiguous array, which has at the end what they have become."""
    memory = array.base_data
    if not array.size or not isinstance(memory, cl.MemoryObjectHolder):
        values: npt.NDArray[Any] = array.get(queue)
        yield values
        array.set(values, queue)
        return
    both: Any = cl.map_flags.READ | cl.map_flags.WRITE
    values, _ = cl.enqueue_map_buffer(
        queue, memory, both, array.offset, array.shape, array.dtype, wait_for=array.events, is_blocking=True
    )
    mapped: Any = values.base
    try:
        yield values
    finally:
        arrays.attach_event(queue, array, mapped.release(queue))


def _draw(queue: cl.CommandQueue, kernels: Kernels, halves: Halves, order: cla.Array, chunk: int = 0) -> int:
    """Fill `order` with the order that the words of `halves` make; return how many were used.

    A work-item goes through `chunk` words, by default as many as suit the device.
    """
    n, last, used = order.size, order.size - 1, 0
    targets, heads, links = (cla.Array(queue, n, WORD) for _ in range(3))
    most = min(PORTION, info(queue.device).largest_allocation // WORD.itemsize)
    while last > 0:
        words = halves(min(_expected(last), most), used)
        each = chunk or min(max(-(-words.size // LANES), MIN_CHUNK), LONGEST_LOOP)
        last, taken = _find_targets(queue, kernels, words, each, last, targets)
        used += taken
    named: dict[str, Any] = {"n": n, "targets": targets.base_data, "heads": heads.base_data, "links": links.base_data}
    event = cl.enqueue_fill_buffer(queue, named["heads"], NONE, 0, heads.nbytes)
    event = kernels["link"].for_each(queue, n, **named, wait_for=[event])
    named |= placed(("order", order))
    event = kernels["follow"].for_each(queue, n, **named, wait_for=[event, *order.events])
    arrays.attach_event(queue, order, event)
    return used


def _expected(last: int) -> int:
    """Return how many words the targets of `last` and of all below it take, with some to spare."""
    whole = 1 << last.bit_length()
    return int(whole * log(4 * (last + 1) / whole) + 6 * sqrt(whole)) + 64


def _find_targets(
    queue: cl.CommandQueue, kernels: Kernels, words: cla.Array, chunk: int, last: int, targets: cla.Array
) -> tuple[int, int]:
    """Store the targets that `words` make of `last` and of what is below it.

    Return the first element without a target, or 0, and how many words were used.
    """
    size = _group_size(queue)
    items = whole_groups(-(-words.size // chunk), size)
    limits, taken, inside = (cla.Array(queue, items, WORD) for _ in range(3))
    sums = [cla.Array(queue, items // size, WORD).base_data for _ in range(2)]
    ended = np.array([0, words.size, 0], WORD)
    ends: Any = arrays.upload(queue, ended).base_data
    common = {**placed(("words", words)), "n": words.size, "chunk": chunk, "limits": limits.base_data, "ends": ends}
    rounds = common | {"start": last, "taken": taken.base_data, "inside": inside.base_data}
    events, done = words.events, 0
    while ended[2] + 1 >= done:
        for _ in range(ROUNDS):
            before, after = sums if done % 2 == 0 else sums[::-1]
            event = kernels["settle"](
                queue, items, size, **rounds, turn=done, before=before, after=after, wait_for=events
            )  # fmt: skip
            events, done = [event], done + 1
        cl.enqueue_copy(queue, ended, ends, wait_for=events)
    event = kernels["place_targets"](queue, items, size, **common, targets=targets.base_data, wait_for=events)
    cl.enqueue_copy(queue, ended, ends, wait_for=[event])
    return int(ended[0]), int(ended[1])


def _group_size(queue: cl.CommandQueue) -> int:
    return min(GROUP_SIZE, queue.device.max_work_group_size)


def _kernels(queue: cl.CommandQueue, dtype: np.dtype[Any]) -> Kernels:
    """Return the kernels, which store an order as `dtype`, proved."""
    values = {"out": CTYPES[dtype.name], "group_size": _group_size(queue)}
    text = templates.program, "numpy_streams/shuffles.cl.mako"
    found = {name: kernel_of(queue, name, *text, values=values) for name in KERNELS}
    prove_by(queue, list(found.values()), partial(_example, found), _examples(dtype))
    return found


def _example(kernels: Kernels, given: Sequence[cla.Array], results: Sequence[cla.Array]) -> list[int]:
    """Make the order of an example, of two thirds of its words and then of the others."""
    (words,), (order,) = given, results

    def halves(n: int, first: int) -> cla.Array:
        return arrays.part(words, first, min(n, 2 * words.size // 3 + 1, words.size - first))

    return [_draw(queue_of(words), kernels, halves, order, EXAMPLE_CHUNK)]


def _examples(dtype: np.dtype[Any]) -> Iterator[Example]:
    """Yield orders of `dtype`, made one element after the other."""
    for n in EXAMPLES:
        words = np.random.default_rng(n).integers(0, 2**32, _expected(n - 1), WORD)
        order, used = list(range(n)), 0
        for i in range(n - 1, 0, -1):
            target = n
            while target > i:
                target = int(words[used]) & (1 << i.bit_length()) - 1
                used += 1
            order[i], order[target] = order[target], order[i]
        yield Example([words], {f"of {n} the order": np.array(order, dtype)}, {"the number of words": used})
