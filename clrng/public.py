"""The public names of clrng."""

from clrng.baselines.divide_and_conquer import DivideAndConquer
from clrng.bit_generators import LCG, BitGenerator, Coveyou, LaggedFibonacci, LinearRecurrence, MRG32k3a, ParkMiller
from clrng.bit_generators.catalog import NAMED, named
from clrng.codegen.arithmetic import ARITHMETICS
from clrng.codegen.device_code import device_code
from clrng.errors import BuildError, ClrngError, ForkError, NoDeviceError, UnsupportedError
from clrng.generator import Generator
from clrng.opencl.devices import DeviceInfo, choose_device, list_devices, make_queue
from clrng.streams import Streams
from clrng.version import __version__

__all__ = [
    "ARITHMETICS",
    "LCG",
    "NAMED",
    "BitGenerator",
    "BuildError",
    "ClrngError",
    "Coveyou",
    "DeviceInfo",
    "DivideAndConquer",
    "ForkError",
    "Generator",
    "LaggedFibonacci",
    "LinearRecurrence",
    "MRG32k3a",
    "NoDeviceError",
    "ParkMiller",
    "Streams",
    "UnsupportedError",
    "__version__",
    "choose_device",
    "device_code",
    "list_devices",
    "make_queue",
    "named",
]
