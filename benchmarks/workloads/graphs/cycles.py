"""The cycles of a permutation on the device, and the place of each element on its cycle.

Cycles are cut into pieces, through which work-items walk. Then the pieces are ranked by pointer jumping, as in J. C.
Wyllie, "The complexity of parallel computations", thesis, Cornell University, 1979. To jump from every element instead
would read each as often as its cycle's length has bits.
"""

import numpy as np
import pyopencl.array as cla

from clrng import order
from workloads.graphs.launching import empty, launch, one, walks_on

TEMPLATE = "cycles"


def cycles(successor: cla.Array) -> tuple[cla.Array, cla.Array]:
    """Return an element of the cycle of each element, the same one for all of a cycle, and the steps from there to it.

    Parameters
    ----------
    successor : pyopencl.array.Array of uint32, shape (n,)
        A permutation of 0, ..., n - 1.

    Returns
    -------
    heads, ranks : pyopencl.array.Array of uint32, shape (n,)
        `ranks[e]` steps lead from `heads[e]` to e.
    """
    queue, n = successor.queue, successor.size
    heads, ranks = empty(queue, n), empty(queue, n)
    if not n:
        return heads, ranks
    beginnings, place, lengths, stops = pieces_of(successor)
    pieces = beginnings.size
    next_piece, least = empty(queue, pieces), empty(queue, pieces)
    launch(TEMPLATE, "link_pieces", pieces, stops, pieces, place, next_piece, least)
    least = jumped("jump_least", next_piece, least)
    after = empty(queue, pieces)
    launch(TEMPLATE, "cut_cycles", pieces, stops, place, lengths, least, pieces, next_piece, after)
    after = jumped("jump_ranks", next_piece, after)
    launch(TEMPLATE, "rank_elements", n, place, beginnings, least, after, n, heads, ranks)
    return heads, ranks


def pieces_of(successor: cla.Array) -> tuple[cla.Array, cla.Array, cla.Array, cla.Array]:
    """Return the beginnings of pieces, the piece and the place of each element, lengths, and where pieces stop."""
    queue, n = successor.queue, successor.size
    marks, place = empty(queue, n, np.uint8), empty(queue, n, np.uint64)
    launch(TEMPLATE, "mark_beginnings", n, n, marks, place)
    beginnings = order.flatnonzero(marks)
    walked = beginnings.size
    lengths, stops = empty(queue, walked), empty(queue, walked)
    items = -(-walked // walks_on(queue.device)["each"])
    launch(TEMPLATE, "walk", items, successor, n, beginnings, walked, place, lengths, stops)
    launch(TEMPLATE, "mark_unreached", n, place, n, marks)
    unreached = order.flatnonzero(marks)
    if unreached.size:
        beginnings = joined(beginnings, unreached)
        more = empty(queue, unreached.size)
        lengths, stops = joined(lengths, more), joined(stops, more)
        launch(
            TEMPLATE, "add_pieces", unreached.size, successor, unreached, unreached.size, walked, place, lengths, stops
        )
    return beginnings, place, lengths, stops


def joined(first: cla.Array, second: cla.Array) -> cla.Array:
    """Return both arrays, one after the other."""
    return cla.concatenate((first, second)) if first.size else second.copy()


def jumped(kernel: str, next_piece: cla.Array, values: cla.Array) -> cla.Array:
    """Return the values after jumps of 1, 2, 4, ... pieces, until nothing changes any more."""
    queue, pieces = values.queue, values.size
    new_next, new_values = empty(queue, pieces), empty(queue, pieces)
    while True:
        changed = one(queue)
        launch(TEMPLATE, kernel, pieces, next_piece, values, pieces, new_next, new_values, changed)
        next_piece, new_next, values, new_values = new_next, next_piece, new_values, values
        if not changed.get()[0]:
            return values
