"""The public names of clrng."""

from clrng import bit_generators, order
from clrng.baselines.divide_and_conquer import DivideAndConquer
from clrng.bit_generators import *  # noqa: F403  # every class
from clrng.bit_generators.catalog import NAMED, named
from clrng.codegen.arithmetic import ARITHMETICS
from clrng.codegen.device_code import check_program, device_code
from clrng.default_generator import default_rng
from clrng.distributions.by_name import DISTRIBUTIONS, distribution
from clrng.distributions.distribution import Distribution
from clrng.errors import BuildError, ClrngError, ForkError, NoDeviceError, UnsupportedError, WrongNumbersError
from clrng.for_numpy.numpy_bit_generator import NumpyBitGenerator, numpy_bit_generator
from clrng.generator import Generator, RankGenerator
from clrng.opencl.devices import DeviceInfo, choose_device, list_devices, make_queue
from clrng.parallel.multi_device_array import ArrayPart, MultiDeviceArray
from clrng.parallel.multi_device_generator import MultiDeviceGenerator
from clrng.streams import Streams
from clrng.version import __version__

__all__ = [
    "ARITHMETICS",
    "DISTRIBUTIONS",
    "NAMED",
    "ArrayPart",
    "BuildError",
    "ClrngError",
    "DeviceInfo",
    "Distribution",
    "DivideAndConquer",
    "ForkError",
    "Generator",
    "MultiDeviceArray",
    "MultiDeviceGenerator",
    "NoDeviceError",
    "NumpyBitGenerator",
    "RankGenerator",
    "Streams",
    "UnsupportedError",
    "WrongNumbersError",
    "__version__",
    "check_program",
    "choose_device",
    "default_rng",
    "device_code",
    "distribution",
    "list_devices",
    "make_queue",
    "named",
    "numpy_bit_generator",
    "order",
]
__all__ += bit_generators.__all__
