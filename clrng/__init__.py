"""Exact classic random number generators on any OpenCL device.

`Generator` draws one exact stream of a bit generator such as `ParkMiller`; `Streams` keeps many on the device;
`device_code` gives OpenCL C for a kernel of one's own; `list_devices` lists what there is and `ARITHMETICS` the ways to
compute. The command line is ``clrng``.
"""

from clrng.arithmetic import ARITHMETICS
from clrng.devices import DeviceInfo, choose_device, list_devices, make_queue
from clrng.errors import BuildError, ClrngError, NoDeviceError, UnsupportedError
from clrng.generator import Generator
from clrng.kernel_code import device_code
from clrng.recurrences import ParkMiller
from clrng.streams import Streams
from clrng.version import __version__

__all__ = [
    "ARITHMETICS",
    "BuildError",
    "ClrngError",
    "DeviceInfo",
    "Generator",
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
