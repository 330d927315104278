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

from clrng.frontends.numpy_streams.positions import drawn_by_numpy
from clrng.frontends.numpy_streams.words import Words
from clrng.generators.generator_code import CTYPES
from clrng.opencl import arrays, templates
from clrng.opencl.devices import info
from clrng.opencl.kernel import Kernel, kernel_of, whole_groups
from clrng.opencl.traits import LONGEST_LOOP, traits_of
from clrng.order.arguments import MAX_SIZE, WORD, placed, queue_of
from clrng.order.copies import Picks, build, move
from clrng.proof.examples import Example, prove_by

MIN_SIZE = 2**17
"""The minimum number of elements that a device puts in order; NumPy itself does it with fewer."""

PORTION = {"cpu": 2**22, "gpu": 2**26}
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

Halves = Callable[[int, int], cla.Array]
"""Called with a number n and a place in the stream, returns n words of 32 bits from there on."""


def permutation(words: Words, out: cla.Array) -> Any:
    """Fill `out`, one-dimensional and contiguous, with the integers below its size as NumPy permutes them.

    Return the bit generator that stands where NumPy's does then.
    """
    if not _by_device(out.size):
        with _on_host(words.queue, out) as order:
            order[:], end = drawn_by_numpy(words.bits, lambda rng: rng.permutation(out.size))
        return end
    return words.after_halves(_draw(_shuffler(words.queue, out.dtype), words.halves, out))


def shuffle(words: Words, x: cla.Array | npt.NDArray[Any]) -> Any:
    """Shuffle `x`, one-dimensional, as NumPy does.

    An array of the host may have elements of any kind, one of the device those that `move` copies. Return the bit
    generator that stands where NumPy's does then.
    """
    queue = words.queue
    if isinstance(x, np.ndarray):
        if not _by_device(x.size):
            return drawn_by_numpy(words.bits, lambda rng: rng.shuffle(x))[1]
        order = cla.Array(queue, x.size, WORD)
        bits = permutation(words, order)
        x[:] = x[order.get(queue)]
    elif not _by_device(x.size):
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


def _by_device(n: int) -> bool:
    """Return whether the device finds the order of `n` elements, rather than NumPy."""
    return MIN_SIZE <= n <= MAX_SIZE


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


class InRounds:
    """Finds targets by rounds of many work-items, each of which goes through a chunk of words, and follows links."""

    def __init__(self, queue: cl.CommandQueue, dtype: np.dtype[Any], chunk: int = 0) -> None:
        self.queue, self._chunk, self._group_size = queue, chunk, min(GROUP_SIZE, queue.device.max_work_group_size)
        names = "settle", "place_targets", "link", "follow"
        self.kernels = _built(queue, "shuffle_in_rounds", names, dtype, group_size=self._group_size)

    def find_targets(self, words: cla.Array, last: int, targets: cla.Array) -> tuple[int, int]:
        """Store the targets that `words` make of `last` and of what is below it.

        Return the first element without a target, or 0, and how many words were used.
        """
        queue, size, (settle, place_targets, *_) = self.queue, self._group_size, self.kernels
        chunk = self._chunk or min(max(-(-words.size // LANES), MIN_CHUNK), LONGEST_LOOP)
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
                event = settle(queue, items, size, **rounds, turn=done, before=before, after=after, wait_for=events)
                events, done = [event], done + 1
            cl.enqueue_copy(queue, ended, ends, wait_for=events)
        event = place_targets(queue, items, size, **common, targets=targets.base_data, wait_for=events)
        cl.enqueue_copy(queue, ended, ends, wait_for=[event])
        return int(ended[0]), int(ended[1])

    def exchange(self, targets: cla.Array, order: cla.Array) -> cl.Event:
        """Fill `order` with the order that all targets make."""
        queue, n, (*_, link, follow) = self.queue, order.size, self.kernels
        heads, links = (cla.Array(queue, n, WORD) for _ in range(2))
        named: dict[str, Any] = {"targets": targets.base_data, "heads": heads.base_data, "links": links.base_data}
        event = cl.enqueue_fill_buffer(queue, named["heads"], NONE, 0, heads.nbytes)
        event = link.for_each(queue, n, n=n, **named, wait_for=[event])
        return follow.for_each(queue, n, n=n, **named, **placed(("order", order)), wait_for=[event, *order.events])


class Alone:
    """Does the same with one work-item, by its caches: on a processor that is faster than many that share them."""

    def __init__(self, queue: cl.CommandQueue, dtype: np.dtype[Any]) -> None:
        self.queue, self.kernels = queue, _built(queue, "shuffle_alone", ("find_targets", "exchange"), dtype)

    def find_targets(self, words: cla.Array, last: int, targets: cla.Array) -> tuple[int, int]:
        """Do what `InRounds.find_targets` does."""
        queue, ended = self.queue, np.empty(2, WORD)
        ends: Any = cla.Array(queue, ended.size, WORD).base_data
        named = {**placed(("words", words)), "n": words.size, "start": last, "targets": targets.base_data, "ends": ends}
        event = self.kernels[0](queue, 1, 1, **named, wait_for=words.events)
        cl.enqueue_copy(queue, ended, ends, wait_for=[event])
        return int(ended[0]), int(ended[1])

    def exchange(self, targets: cla.Array, order: cla.Array) -> cl.Event:
        """Do what `InRounds.exchange` does."""
        named = {"n": order.size, "targets": targets.base_data, **placed(("order", order))}
        return self.kernels[1](self.queue, 1, 1, **named, wait_for=order.events)


Shuffler = InRounds | Alone


def _built(
    queue: cl.CommandQueue, template: str, names: Sequence[str], dtype: np.dtype[Any], **values: Any
) -> list[Kernel]:
    """Return kernels of a template that store an order as `dtype`."""
    values |= {"out": CTYPES[dtype.name]}
    text = templates.program, f"numpy_streams/{template}.cl.mako"
    return [kernel_of(queue, name, *text, values=values) for name in names]


def _shuffler(queue: cl.CommandQueue, dtype: np.dtype[Any]) -> Shuffler:
    """Return what makes orders of `dtype` on a device, proved."""
    many = traits_of(info(queue.device)).side_by_side
    found = InRounds(queue, dtype) if many else Alone(queue, dtype)
    prove_by(queue, found.kernels, partial(_example, many), _examples(dtype))
    return found


def _draw(shuffler: Shuffler, halves: Halves, order: cla.Array) -> int:
    """Fill `order` with the order that the words of `halves` make; return how many were used."""
    queue, last, used = shuffler.queue, order.size - 1, 0
    device = info(queue.device)
    targets = cla.Array(queue, order.size, WORD)
    most = min(PORTION[traits_of(device).family], device.largest_allocation // WORD.itemsize)
    while last > 0:
        last, taken = shuffler.find_targets(halves(min(_expected(last), most), used), last, targets)
        used += taken
    arrays.attach_event(queue, order, shuffler.exchange(targets, order))
    return used


def _expected(last: int) -> int:
    """Return how many words the targets of `last` and of all below it take, with some to spare."""
    whole = 1 << last.bit_length()
    return int(whole * log(4 * (last + 1) / whole) + 6 * sqrt(whole)) + 64


def _example(many: bool, given: Sequence[cla.Array], results: Sequence[cla.Array]) -> list[int]:
    """Make the order of an example, of two thirds of its words and then of the others."""
    (words,), (order,) = given, results
    queue = queue_of(words)
    shuffler = InRounds(queue, order.dtype, EXAMPLE_CHUNK) if many else Alone(queue, order.dtype)

    def halves(n: int, first: int) -> cla.Array:
        return arrays.part(words, first, min(n, 2 * words.size // 3 + 1, words.size - first))

    return [_draw(shuffler, halves, order)]


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
