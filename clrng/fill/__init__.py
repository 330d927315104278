"""A request for values, turned into launches of kernels."""
