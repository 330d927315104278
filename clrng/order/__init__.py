"""Order on the device: sorts, sums, selections and counts of one-dimensional arrays of PyOpenCL, or of CUDA.

Each function works on the queue of its first array, or on a new one of the device where it is CUDA's; results are then
in memory that CUDA shares.
"""

from clrng.opencl.results import Array
from clrng.order import copies, indexing, reductions
from clrng.order.counting import bincount, histogram
from clrng.order.selection import compress, cumsum, flatnonzero, split, unique
from clrng.order.sorting import argsort, sort, sort_pairs

_functions = reductions.sum, reductions.moment, reductions.extreme, indexing.take, indexing.picked, indexing.places
for function in (*_functions, copies.move):
    Array.functions[function.__name__] = function

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
