"""Order on the device: sums, selections, distinct values and counts of arrays.

The functions take arrays of PyOpenCL of one dimension, and work on the queue of their first array.
"""

from clrng.order.counting import bincount, histogram
from clrng.order.prefix_sums import cumsum
from clrng.order.selection import compress, flatnonzero, split

__all__ = ["bincount", "compress", "cumsum", "flatnonzero", "histogram", "split"]
