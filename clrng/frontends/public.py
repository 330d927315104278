"""The public names of clrng."""

from clrng import generators, order
from clrng.distributions.catalog import DISTRIBUTIONS, distribution
from clrng.distributions.distribution import Distribution
from clrng.errors import BuildError, ClrngError, ForkError, NoDeviceError, UnsupportedError, WrongNumbersError
from clrng.frontends.device_libraries.curand import Curand
from clrng.frontends.device_libraries.jax_key import JaxKey
from clrng.frontends.device_libraries.rocrand import Rocrand
from clrng.frontends.device_libraries.tensorflow_seed import TensorFlowSeed
from clrng.frontends.device_libraries.torch_cpu import TorchCpu
from clrng.frontends.device_libraries.torch_cuda import TorchCuda
from clrng.frontends.divide_and_conquer import DivideAndConquer
from clrng.frontends.for_numpy.numpy_bit_generator import NumpyBitGenerator, numpy_bit_generator
from clrng.frontends.generator import Generator, RankGenerator, default_rng
from clrng.frontends.numpy_streams.from_numpy import from_numpy
from clrng.frontends.numpy_streams.generator import NumpyGenerator
from clrng.frontends.numpy_streams.random_state import NumpyRandomState
from clrng.frontends.parallel.multi_device_generator import ArrayPart, MultiDeviceArray, MultiDeviceGenerator
from clrng.frontends.streams import Streams
from clrng.frontends.user_code import check_program, device_code
from clrng.frontends.user_shapes import shape_tables
from clrng.generators import *  # noqa: F403  # every class
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import NAMED, named
from clrng.opencl.devices import DeviceInfo, choose_device, list_devices, make_queue
from clrng.opencl.results import Array
from clrng.version import __version__

__all__ = [
    "ARITHMETICS",
    "DISTRIBUTIONS",
    "NAMED",
    "Array",
    "ArrayPart",
    "BuildError",
    "ClrngError",
    "Curand",
    "DeviceInfo",
    "Distribution",
    "DivideAndConquer",
    "ForkError",
    "Generator",
    "JaxKey",
    "MultiDeviceArray",
    "MultiDeviceGenerator",
    "NoDeviceError",
    "NumpyBitGenerator",
    "NumpyGenerator",
    "NumpyRandomState",
    "RankGenerator",
    "Rocrand",
    "Streams",
    "TensorFlowSeed",
    "TorchCpu",
    "TorchCuda",
    "UnsupportedError",
    "WrongNumbersError",
    "__version__",
    "check_program",
    "choose_device",
    "default_rng",
    "device_code",
    "distribution",
    "from_numpy",
    "list_devices",
    "make_queue",
    "named",
    "numpy_bit_generator",
    "order",
    "shape_tables",
]
__all__ += generators.__all__
