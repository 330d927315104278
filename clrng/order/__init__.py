"""Order on the device: sorts of one-dimensional arrays of PyOpenCL."""

from clrng.order.sorting import argsort, sort, sort_pairs

__all__ = ["argsort", "sort", "sort_pairs"]
