"""The recurrences: pure mathematics, no OpenCL."""

from clrng.generators.backwards import XorShiftBackwards
from clrng.generators.base import BitGenerator
from clrng.generators.binary_recurrence import LFSR113, WELL512a
from clrng.generators.congruential import LCG, Coveyou, ParkMiller
from clrng.generators.counter_based import CounterBased
from clrng.generators.kiss import KISS
from clrng.generators.lagged_fibonacci import LaggedFibonacci
from clrng.generators.linear_recurrence import LinearRecurrence
from clrng.generators.lxm import LXM
from clrng.generators.mersenne_twister import MT19937, MT19937_64
from clrng.generators.mrg32k3a import MRG31k3p, MRG32k3a
from clrng.generators.pcg import PCG32, PCG64, PCG64DXSM
from clrng.generators.philox import Philox
from clrng.generators.ranluxpp import RANLUXpp
from clrng.generators.splitmix import SplitMix
from clrng.generators.subtract_with_carry import SubtractWithCarry
from clrng.generators.xorshift import XorShift, XorShift32
from clrng.generators.xoshiro import Xoroshiro, Xoroshiro1024, Xoshiro, Xoshiro512

__all__ = [
    "KISS",
    "LCG",
    "LFSR113",
    "LXM",
    "MT19937",
    "MT19937_64",
    "PCG32",
    "PCG64",
    "PCG64DXSM",
    "BitGenerator",
    "CounterBased",
    "Coveyou",
    "LaggedFibonacci",
    "LinearRecurrence",
    "MRG31k3p",
    "MRG32k3a",
    "ParkMiller",
    "Philox",
    "RANLUXpp",
    "SplitMix",
    "SubtractWithCarry",
    "WELL512a",
    "XorShift",
    "XorShift32",
    "XorShiftBackwards",
    "Xoroshiro",
    "Xoroshiro1024",
    "Xoshiro",
    "Xoshiro512",
]
