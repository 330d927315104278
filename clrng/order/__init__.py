"""Order on the device: sorts, sums, selections, distinct values and counts of arrays.

The functions take arrays of PyOpenCL of one dimension, and work on the queue of their first array.
"""

from clrng.order.counting import bincount, histogram
from clrng.order.prefix_sums import cumsum
from clrng.order.selection import compress, flatnonzero, split
from clrng.order.sorting import argsort, sort, sort_pairs

__all__ = [
    "argsort", "bincount", "compress", "cumsum", "flatnonzero", "histogram", "sort", "sort_pairs", "split",
]  # fmt: skip
