"""Hierholzer's algorithm in C on one core of the host, to compare with.

C. Hierholzer and C. Wiener, "Ueber die Moeglichkeit, einen Linienzug ohne Wiederholung und ohne Unterbrechung zu
umfahren", Mathematische Annalen 6, 1873, 30-32.
"""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from harness import compiled

TEXT = """
#include <stdint.h>

// Writes the path from vertex v on backwards, and returns how many edges it has. next[u] is the next edge out of u.
uint32_t euler_path(const uint32_t *offsets, const uint32_t *ends, uint32_t *next, uint32_t *stack, uint32_t *path,
                    uint32_t edges, uint32_t begin)
{
    uint32_t v = begin, height = 0, left = edges;
    for (;;) {
        if (next[v] < offsets[v + 1]) {
            stack[height++] = next[v];
            v = ends[next[v]++];
        } else if (height) {
            path[--left] = stack[--height];
            v = height ? ends[stack[height - 1]] : begin;
        } else {
            return edges - left;
        }
    }
}
"""

Words = npt.NDArray[np.uint32]


def euler_path() -> Callable[[Words, Words, int], Words]:
    """Return a function of offsets, ends and the first vertex that returns an Euler path.

    Raises
    ------
    ClrngError
        If there is no compiler of C, or it fails.
    """
    function: Any = compiled.library("C", TEXT).euler_path
    function.restype = ctypes.c_uint32

    def call(offsets: Words, ends: Words, begin: int) -> Words:
        following, stack, path = offsets[:-1].copy(), np.empty_like(ends), np.empty_like(ends)
        pointers = (array.ctypes.data_as(ctypes.c_void_p) for array in (offsets, ends, following, stack, path))
        found = function(*pointers, ctypes.c_uint32(ends.size), ctypes.c_uint32(begin))
        if found != ends.size:
            raise ValueError(f"begin must be a vertex that all {ends.size} edges are reached from, not {found}")
        return path

    return call
