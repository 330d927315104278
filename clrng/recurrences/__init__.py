"""The recurrences: formula, parameters, state and jump of each, in pure Python and NumPy without OpenCL."""

from clrng.recurrences.park_miller import ParkMiller

__all__ = ["ParkMiller"]
