"""Bit generators in the hands of NumPy's own distributions."""
