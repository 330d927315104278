"""Order on the device: sorts, sums, selections and counts of one-dimensional arrays of PyOpenCL.

Each function works on the queue of its first array.
"""

from clrng.order.counting import bincount, histogram
from clrng.order.distinct import unique
from clrng.order.prefix_sums import cumsum
from clrng.order.selection import compress, flatnonzero, split
from clrng.order.sorting import argsort, sort, sort_pairs

__all__ = [
    "argsort",
    "bincount",
    "compress",
    "cumsum",
    "flatnonzero",
    "histogram",
    "sort",
    "sort_pairs",
    "split",
    "unique",
]
