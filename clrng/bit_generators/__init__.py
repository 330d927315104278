"""The recurrences: pure mathematics, no OpenCL."""

from clrng.bit_generators.base import BitGenerator
from clrng.bit_generators.coveyou import Coveyou
from clrng.bit_generators.lagged_fibonacci import LaggedFibonacci
from clrng.bit_generators.lcg import LCG
from clrng.bit_generators.lfsr113 import LFSR113
from clrng.bit_generators.linear_recurrence import LinearRecurrence
from clrng.bit_generators.mersenne_twister import MT19937, MT19937_64
from clrng.bit_generators.mrg32k3a import MRG32k3a
from clrng.bit_generators.park_miller import ParkMiller
from clrng.bit_generators.ranluxpp import RANLUXpp
from clrng.bit_generators.subtract_with_carry import SubtractWithCarry
from clrng.bit_generators.well512a import WELL512a
from clrng.bit_generators.xorshift import XorShift
from clrng.bit_generators.xorshift32 import XorShift32

__all__ = [
    "LCG",
    "LFSR113",
    "MT19937",
    "MT19937_64",
    "BitGenerator",
    "Coveyou",
    "LaggedFibonacci",
    "LinearRecurrence",
    "MRG32k3a",
    "ParkMiller",
    "RANLUXpp",
    "SubtractWithCarry",
    "WELL512a",
    "XorShift",
    "XorShift32",
]
