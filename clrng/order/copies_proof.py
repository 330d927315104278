"""Known copies for the proof of the kernel `move`, and what they must become."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl.transfers import upload
from clrng.proof.fills import GUARD, POISON, check_guard, poisoned
from clrng.proof.prove import compare

Array = npt.NDArray[Any]

ELEMENTS = 5200
"""About as many elements are copied."""

GAP = 3
"""Elements that lie one behind the other in a result are so many apart."""

FEW = 97
"""Elements among which are picked."""


class Copy(NamedTuple):
    """What a kernel copies.

    Attributes
    ----------
    given, out, picks : pyopencl.array.Array
        Memory, of which `given` and `out` have elements of one size. `picks` is None where nothing is picked.
    begins : tuple of int
        Where in each of them to begin.
    step : int
        How many elements of `given` places are apart.
    axes : list of (int, int, int, int)
        Of each axis how many elements it has, and how many elements of `given`, `out` and `picks` neighbours are apart.
    """

    given: cla.Array
    out: cla.Array
    picks: cla.Array | None
    begins: tuple[int, int, int]
    step: int
    axes: list[tuple[int, int, int, int]]


Launch = Callable[[Copy], None]


def check_move(queue: cl.CommandQueue, itemsize: int, pick: str | None, axes_count: int, launch: Launch) -> None:
    """Check copies of elements of `itemsize` bytes along so many axes, in both directions.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    itemsize : int
    pick : str or None
        The dtype of picks, or None where nothing is picked.
    axes_count : int
    launch : callable
        Makes a copy.

    Raises
    ------
    MismatchError
        If an element is not right.
    """
    random = np.random.default_rng(ELEMENTS)
    ends = [round(ELEMENTS ** (d / axes_count)) for d in range(axes_count + 1)]
    sizes = [max(end // begin, 1) + (d == 0) for d, (begin, end) in enumerate(pairwise(ends))]
    rising, falling = _apart(sizes), _apart(sizes[::-1])[::-1]
    falling[0] *= -1
    step = prod(sizes[1:]) if pick else 0
    lengths = [prod(sizes)] * 2 if not pick else [FEW * step, prod(sizes)]
    along = [0 if pick and d == 0 else stride for d, stride in enumerate(_apart(sizes))]
    turned = [-stride if d == axes_count - 1 else stride for d, stride in enumerate(along)]
    choice = [0] * axes_count
    choice[0], choice[-1] = sizes[-1], 1
    picked = GUARD + 1 + sum((size - 1) * apart for size, apart in zip(sizes, choice, strict=True))
    for source, target in ((along, falling), (turned, [GAP * stride for stride in rising])):
        memory = random.integers(0, 256, (lengths[0] + GUARD) * itemsize, np.uint8).view(f"uint{8 * itemsize}")
        places = None if pick is None else random.integers(0, FEW, picked).astype(pick)
        _check_copy(queue, memory, places, step, list(zip(sizes, source, target, choice, strict=True)), launch)
    if pick and itemsize <= np.dtype(pick).itemsize:
        _check_in_place(queue, itemsize, np.dtype(pick), axes_count, launch)


def _apart(sizes: Sequence[int]) -> list[int]:
    """Return how many elements neighbours of each axis of an array in C order are apart."""
    return [prod(sizes[d + 1 :]) for d in range(len(sizes))]


def _places(axes: list[tuple[int, int, int, int]], which: int) -> tuple[Array, int]:
    """Return where elements are in memory, counted from the first that is used, and which place the axes begin at."""
    place = np.zeros((), np.int64)
    for axis in axes:
        place = place[..., np.newaxis] + np.arange(axis[0]) * axis[which]
    begin = -int(place.min())
    return place.reshape(-1) + begin, begin


def _check_copy(
    queue: cl.CommandQueue, memory: Array, places: Array | None, step: int, axes: list[tuple[int, int, int, int]],
    launch: Launch,
) -> None:  # fmt: skip
    """Check a copy of `memory`, with memory around it that must stay."""
    source, at = _places(axes, 1)
    target, to = _places(axes, 2)
    if places is not None:
        source = source + places[GUARD // 2 + _places(axes, 3)[0]].astype(np.int64) * step
    out = poisoned(queue, int(target.max()) + 2 * GUARD, memory.dtype)
    picks = None if places is None else upload(queue, places)
    launch(Copy(upload(queue, memory), out, picks, (at + GUARD // 2, to + GUARD, GUARD // 2), step, axes))
    queue.finish()
    found = out.get()
    compare("element", found[GUARD + target], memory[GUARD // 2 + source])
    found[GUARD + target] = np.full(memory.itemsize, POISON, np.uint8).view(memory.dtype)
    check_guard("around", found)


def _check_in_place(
    queue: cl.CommandQueue, itemsize: int, pick: np.dtype[Any], axes_count: int, launch: Launch
) -> None:
    """Check that each element may be stored where its own pick is."""
    random, word = np.random.default_rng(itemsize), np.dtype(f"uint{8 * itemsize}")
    apart = pick.itemsize // itemsize
    memory = random.integers(0, 256, FEW * itemsize, np.uint8).view(word)
    places = random.permutation(FEW).astype(pick)
    held = upload(queue, places)
    out = cla.Array(queue, FEW * apart, word, data=held.base_data)
    axes = [(1, 0, 0, 0)] * (axes_count - 1) + [(FEW, 0, apart, 1)]
    launch(Copy(upload(queue, memory), out, held, (0, 0, 0), 1, axes))
    queue.finish()
    expected = places.copy()
    expected.view(word)[::apart] = memory[places.astype(np.int64)]
    compare("element", out.get(), expected.view(word))
