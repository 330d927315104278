"""Exact classic random number generators on any OpenCL device.

`Generator` draws one exact stream of a bit generator: a `ParkMiller`, an `LCG` of any modulus, one of the `NAMED` of
libraries and books, a `LaggedFibonacci`, a `LinearRecurrence` or `MRG32k3a`. `Streams` keeps many on the device;
`device_code` gives OpenCL C for a kernel of one's own; `list_devices` lists what there is and `ARITHMETICS` the ways to
compute. The command line is ``clrng``.
"""

from clrng.arithmetic import ARITHMETICS
from clrng.devices import DeviceInfo, choose_device, list_devices, make_queue
from clrng.divide_and_conquer import DivideAndConquer
from clrng.errors import BuildError, ClrngError, ForkError, NoDeviceError, UnsupportedError
from clrng.generator import Generator
from clrng.kernel_code import device_code
from clrng.recurrences import LCG, BitGenerator, Coveyou, LaggedFibonacci, LinearRecurrence, MRG32k3a, ParkMiller
from clrng.recurrences.named import NAMED
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
]
