"""The recurrences: pure mathematics, no OpenCL."""

from clrng.recurrences.base import BitGenerator
from clrng.recurrences.coveyou import Coveyou
from clrng.recurrences.lagged_fibonacci import LaggedFibonacci
from clrng.recurrences.lcg import LCG
from clrng.recurrences.linear import LinearRecurrence
from clrng.recurrences.mrg32k3a import MRG32k3a
from clrng.recurrences.park_miller import ParkMiller

__all__ = ["LCG", "BitGenerator", "Coveyou", "LaggedFibonacci", "LinearRecurrence", "MRG32k3a", "ParkMiller"]
