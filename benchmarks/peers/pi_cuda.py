"""Pi from points in a square by cuRAND's device interface, in a CUDA kernel compiled by way of CuPy."""

import importlib
import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import clrng
from clrng.measuring import timing
from clrng.measuring.timing import Work, poison
from peers.peer import Peer
from peers.peers_cuda import Cuda

LOCAL = 256

STATES = {
    "xorwow": ("cuRAND XORWOW", "curandStateXORWOW_t"),
    "philox": ("cuRAND Philox4_32_10", "curandStatePhilox4_32_10_t"),
    "mrg32k3a": ("cuRAND MRG32k3a", "curandStateMRG32k3a_t"),
}
"""The label and the type of a state, by the name of the kernel."""

FOURS = "cuRAND Philox4_32_10, four at a time"

KERNEL = """
extern "C" __global__ void NAME(unsigned *inside, unsigned long long seed, unsigned points)
{
    const unsigned long long item = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    STATE state;
    curand_init(seed, item, 0, &state);
    unsigned count = 0;
    for (unsigned i = 0; i < points; i++) {
        const float x = curand_uniform(&state), y = curand_uniform(&state);
        count += x * x + y * y < 1.0f;
    }
    inside[item] = count;
}
"""

KERNEL_OF_FOURS = """
extern "C" __global__ void philox_fours(unsigned *inside, unsigned long long seed, unsigned points)
{
    const unsigned long long item = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, item, 0, &state);
    unsigned count = 0;
    for (unsigned i = 0; i < points; i += 2) {
        const float4 u = curand_uniform4(&state);
        count += (u.x * u.x + u.y * u.y < 1.0f) + (u.z * u.z + u.w * u.w < 1.0f);
    }
    inside[item] = count;
}
"""


def text() -> str:
    """Return the CUDA text of all kernels."""
    kernels = (KERNEL.replace("NAME", name).replace("STATE", state) for name, (_, state) in STATES.items())
    return "#include <curand_kernel.h>\n" + "".join(kernels) + KERNEL_OF_FOURS


def roots() -> list[Path]:
    """Return the folders of headers there may be: of the toolkit, of NVIDIA's wheels and of CuPy."""
    found = [Path(os.environ[name]) / "include" for name in ("CUDA_PATH", "CUDA_HOME") if os.environ.get(name)]
    if compiler := shutil.which("nvcc"):
        found.append(Path(compiler).resolve().parent.parent / "include")
    found.append(Path("/usr/local/cuda/include"))
    try:
        wheels = [Path(folder) for folder in importlib.import_module("nvidia").__path__]
    except ImportError:
        wheels = []
    found += [folder for wheel in wheels for folder in sorted(wheel.glob("*/include"))]
    cupy = Path(importlib.import_module("cupy").__file__).parent
    return [*found, *(folder / "cccl" for folder in found), cupy / "_core/include/cupy/_cccl/libcudacxx"]


def options() -> tuple[str, ...]:
    """Return the compiler's options, with the folders of cuRAND's header and of the library it takes from C++.

    Raises
    ------
    ClrngError
        If cuRAND's header is nowhere.
    """
    folders = roots()
    header = next((folder for folder in folders if (folder / "curand_kernel.h").exists()), None)
    if header is None:
        raise clrng.ClrngError("curand_kernel.h is neither in the toolkit nor in NVIDIA's wheels")
    library = next((folder for folder in folders if (folder / "cuda/std/type_traits").exists()), None)
    return ("--std=c++17", *(f"-I{folder}" for folder in dict.fromkeys((header, library)) if folder))


def counting(
    cuda: Cuda, kernel: Any, items: int, points: int, seed: int, judged: Callable[..., dict[str, Any]]
) -> Peer:
    """Return the launch of a kernel, after one whose estimate was judged."""
    inside = cuda.cupy.empty(items, "uint32")
    local = min(LOCAL, items)

    def launch(points_now: int) -> None:
        kernel((items // local,), (local,), (inside, np.uint64(seed), np.uint32(points_now)))

    def checked() -> dict[str, Any]:
        poison(inside)
        launch(points)
        cuda.finish()
        return judged(int(inside.get().sum(dtype=np.uint64)), items * points, "cuRAND")

    about = checked()
    about["setup_seconds"] = timing.seconds(cuda, partial(launch, 1))
    return Peer(Work(items * points, partial(launch, points), cuda, checked), about)


def makers(items: int, points: int, seed: int, judged: Callable[..., dict[str, Any]]) -> dict[str, Callable[[], Peer]]:
    """Return what makes each kernel, by name; they are compiled at once."""
    cuda = Cuda()
    module = cuda.cupy.RawModule(code=text(), options=options())
    names = {label: name for name, (label, _) in STATES.items()} | {FOURS: "philox_fours"}

    def make(name: str) -> Peer:
        return counting(cuda, module.get_function(name), items, points, seed, judged)

    return {label: partial(make, name) for label, name in names.items()}
