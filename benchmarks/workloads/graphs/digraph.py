"""Directed graphs in compressed sparse rows on the device."""

from functools import cached_property
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng import order, validation
from clrng.opencl.arrays import upload
from workloads.graphs.launching import NONE, empty, filled, launch, one

MOST = NONE - 1
"""The most edges."""

MOST_VERTICES = 2**30
"""The most vertices: as many counts `clrng.order.bincount` has."""


class Digraph:
    """A directed graph on the device, which may have loops and several edges from one vertex to another.

    The edges that leave vertex v are those from ``offsets[v]`` to ``offsets[v + 1] - 1``.

    Parameters
    ----------
    offsets : array_like or pyopencl.array.Array of uint32, shape (vertices + 1,)
    ends : array_like or pyopencl.array.Array of uint32, shape (edges,)
        The vertex that each edge enters.
    queue : pyopencl.CommandQueue, optional
        Needed for arrays of the host.

    Raises
    ------
    TypeError
        If an array is neither on the device nor of integers, or one of the host is given without a queue.
    ValueError
        If an array is not of one dimension and, on the device, of uint32; the offsets do not rise from 0 to the number
        of edges; or an edge ends at no vertex.
    """

    def __init__(self, offsets: Any, ends: Any, queue: cl.CommandQueue | None = None) -> None:
        self.offsets, self.ends = on_device("offsets", offsets, queue), on_device("ends", ends, queue)
        if self.offsets.size == 0:
            raise ValueError("offsets must have one element more than there are vertices, not none")
        self._check()

    @classmethod
    def of_rows(cls, offsets: cla.Array, ends: cla.Array) -> "Digraph":
        """Return the graph of arrays of the device that are known to be right."""
        graph = cls.__new__(cls)
        graph.offsets, graph.ends = offsets, ends
        return graph

    @classmethod
    def from_edges(cls, starts: Any, ends: Any, vertices: int, queue: cl.CommandQueue | None = None) -> "Digraph":
        """Return the graph of some edges; those that leave one vertex keep their order.

        Parameters
        ----------
        starts, ends : array_like or pyopencl.array.Array of uint32, shape (edges,)
        vertices : int
        queue : pyopencl.CommandQueue, optional
            Needed for arrays of the host.

        Raises
        ------
        TypeError, ValueError
            As for `Digraph`; or if there are not as many starts as ends, or one is no vertex.
        """
        vertices = validation.integer("vertices", vertices, 0, MOST_VERTICES)
        starts, ends = on_device("starts", starts, queue), on_device("ends", ends, queue)
        if starts.size != ends.size:
            raise ValueError(f"starts must be as many as ends, {ends.size}, not {starts.size}")
        for name, array in (("starts", starts), ("ends", ends)):
            check_below(name, array, vertices)
        _, ends = order.sort_pairs(starts, ends, bits=(0, bits_of(vertices)))
        return cls.of_rows(offsets_of(degrees_of(starts, vertices)), ends)

    @property
    def queue(self) -> cl.CommandQueue:
        """The queue of the arrays."""
        return self.ends.queue

    @property
    def vertices(self) -> int:
        """How many vertices there are."""
        return int(self.offsets.size - 1)

    @property
    def edges(self) -> int:
        """How many edges there are."""
        return int(self.ends.size)

    @cached_property
    def starts(self) -> cla.Array:
        """The vertex that each edge leaves; uint32, shape (edges,)."""
        return starts_of(self.offsets, self.edges)

    def out_degrees(self) -> cla.Array:
        """Return how many edges leave each vertex; uint32, shape (vertices,)."""
        degrees = empty(self.queue, self.vertices)
        launch("digraph", "out_degrees", self.vertices, self.offsets, self.vertices, degrees)
        return degrees

    def in_degrees(self) -> cla.Array:
        """Return how many edges enter each vertex; uint32, shape (vertices,)."""
        return degrees_of(self.ends, self.vertices)

    def unbalanced(self) -> cla.Array:
        """Return the vertices that more edges enter than leave, or fewer, in rising order; uint32."""
        flags = empty(self.queue, self.vertices, np.uint8)
        launch("digraph", "differ", self.vertices, self.in_degrees(), self.out_degrees(), self.vertices, flags)
        return order.flatnonzero(flags)

    def reverse(self) -> "Digraph":
        """Return the graph with each edge turned round."""
        _, ends = order.sort_pairs(self.ends, self.starts, bits=(0, bits_of(self.vertices)))
        return Digraph.of_rows(offsets_of(self.in_degrees()), ends)

    def _check(self) -> None:
        offsets = self.offsets.get()
        if offsets[0] or offsets[-1] != self.edges or (offsets[1:] < offsets[:-1]).any():
            raise ValueError(
                f"offsets must rise from 0 to the number of edges, {self.edges}, not be {validation.shown(offsets)}"
            )
        check_below("ends", self.ends, self.vertices)


def on_device(name: str, values: Any, queue: cl.CommandQueue | None) -> cla.Array:
    """Return an array of uint32 on the device; parameters and errors as for `Digraph`."""
    if isinstance(values, cla.Array):
        if values.dtype != np.uint32 or values.ndim != 1 or values.offset or not values.flags.c_contiguous:
            raise ValueError(
                f"{name} must be of uint32 and one dimension, and at the beginning of its buffer, not of "
                f"{values.dtype} and shape {values.shape}, from byte {values.offset} on"
            )
        return values
    if queue is None:
        raise TypeError(f"queue must be given where {name} is not on a device: {validation.shown(values)}")
    found = np.asarray(values)
    if found.size == 0:
        found = found.astype(np.uint32)
    if found.dtype.kind not in "iu":
        raise TypeError(f"{name} must be made of integers, not {validation.shown(values)}")
    if found.ndim != 1:
        raise ValueError(f"{name} must have one dimension, not shape {found.shape}")
    wrong = found[(found < 0) | (found > MOST)]
    if wrong.size:
        raise ValueError(f"{name} must be made of integers from 0 to {MOST}, not {wrong[0]}")
    return upload(queue, found.astype(np.uint32))


def check_below(name: str, values: cla.Array, vertices: int) -> None:
    """Raise a ValueError if a value is no vertex."""
    beyond = one(values.queue)
    launch("digraph", "count_beyond", values.size, values, values.size, vertices, beyond)
    if count := int(beyond.get()[0]):
        raise ValueError(f"{name} must be vertices below {vertices}, which {count} of them are not")


def bits_of(vertices: int) -> int:
    """Return the bits of the number of a vertex, at least one."""
    return max(1, (vertices - 1).bit_length())


def starts_of(offsets: cla.Array, edges: int) -> cla.Array:
    """Return the vertex that each edge leaves."""
    starts = empty(offsets.queue, edges)
    launch("digraph", "edge_starts", offsets.size - 1, offsets, offsets.size - 1, starts)
    return starts


def degrees_of(vertices_of_edges: cla.Array, vertices: int) -> cla.Array:
    """Return how often each vertex is in an array; uint32, shape (vertices,)."""
    found: cla.Array = order.bincount(vertices_of_edges, minlength=vertices)
    return found if found.dtype == np.uint32 else found.astype(np.uint32)


def offsets_of(degrees: cla.Array) -> cla.Array:
    """Return the offsets of rows of these lengths."""
    padded = filled(degrees.queue, degrees.size + 1)
    if degrees.size:
        padded[: degrees.size] = degrees
    return order.cumsum(padded, "uint32", exclusive=True)


def inverse(permutation: cla.Array) -> cla.Array:
    """Return the inverse of a permutation, an array of uint32."""
    found = empty(permutation.queue, permutation.size)
    launch("digraph", "invert", permutation.size, permutation, permutation.size, found)
    return found
