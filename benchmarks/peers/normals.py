"""Normal numbers in a kernel of the user's own, which adds them up: by clrng's device code and by cuRAND's.

Every work-item draws from its own piece of one stream. A rate is of the whole kernel, with what it takes to set up the
generators, which is timed apart too.
"""

from collections.abc import Callable
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from harness.typical import typical

import clrng
from clrng.measuring import timing
from clrng.measuring.timing import Work, poison
from clrng.opencl.devices import describe
from peers import pi_cuda
from peers.peer import SIGMAS, Maker, Peer
from peers.peers_cuda import Cuda
from peers.pi import LOCAL, SEED, text_of

GENERATORS: dict[str, clrng.BitGenerator] = {
    **typical("Park-Miller", "LCG 2^32", "LCG 2^64", "MRG32k3a"),
    "XorShift32": clrng.XorShift32(1),
}

KERNEL = """
__kernel void add(__global float *sums, const ulong each, const uint count)
{
    draw_local_standard_normal(table);
    const ulong item = get_global_id(0);
    SEED
    float sum = 0.0f;
    for (uint i = 0; i < count; i++)
        sum += draw_next_standard_normal_local(&state, table);
    sums[item] = sum;
}
"""

CUDA = """
extern "C" __global__ void NAME(float *sums, unsigned long long seed, unsigned count)
{
    const unsigned long long item = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    STATE state;
    curand_init(seed, item, 0, &state);
    float sum = 0.0f;
    for (unsigned i = 0; i < count; i++)
        sum += curand_normal(&state);
    sums[item] = sum;
}
"""

CUDA_OF_FOURS = """
extern "C" __global__ void philox_fours(float *sums, unsigned long long seed, unsigned count)
{
    const unsigned long long item = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, item, 0, &state);
    float sum = 0.0f;
    for (unsigned i = 0; i < count; i += 4) {
        const float4 x = curand_normal4(&state);
        sum += (x.x + x.y) + (x.z + x.w);
    }
    sums[item] = sum;
}
"""


def judged(sums: Any, count: int, who: str) -> dict[str, Any]:
    """Return how many standard deviations the sum of all normal numbers is off, `count` in each of `sums`.

    Raises
    ------
    ClrngError
        If it is too far off.
    """
    off = float(sums.sum(dtype=np.float64)) / sqrt(count * len(sums))
    if not abs(off) <= SIGMAS:
        raise clrng.ClrngError(f"{who} gave normal numbers whose sum is {off:.1f} standard deviations off")
    return {"sigmas": off}


def ours(queue: cl.CommandQueue, bits: clrng.BitGenerator, items: int, count: int) -> Peer:
    """Return the launch of clrng's kernel, after one whose first and last sum were compared.

    They are compared with the values of `Generator.standard_normal`, added up by the host in the same order.

    Raises
    ------
    ClrngError
        If one is other.
    """
    text = text_of(bits, "auto", queue.device, KERNEL, [clrng.distribution("standard_normal")])
    kernel: Any = cl.Kernel(cl.Program(queue.context, text).build(), "add")
    sums = cla.Array(queue, items, np.float32)
    group = kernel.get_work_group_info(cl.kernel_work_group_info.WORK_GROUP_SIZE, queue.device)
    local = None if describe(queue.device).kind == "cpu" else (min(LOCAL, group, items),)

    def launch(count_now: int) -> object:
        return kernel(queue, (items,), local, sums.data, np.uint64(count), np.uint32(count_now))

    def checked() -> dict[str, Any]:
        poison(sums)
        launch(count)
        found = sums.get()
        for item in (0, items - 1):
            values = clrng.Generator(bits.jumped(item * count), queue).standard_normal(count).get()
            if found[item] != np.cumsum(values)[-1]:
                raise clrng.ClrngError(f"{bits!r}: the normal numbers of item {item} of a kernel are wrong")
        return judged(found, count, "a kernel")

    about = checked()
    about["setup_seconds"] = timing.seconds(queue, partial(launch, 0))
    return Peer(Work(items * count, partial(launch, count), None, checked), about)


def makers(queue: cl.CommandQueue, items: int, count: int) -> dict[str, Maker]:
    """Return what makes clrng's kernels, by name."""
    return {f"clrng {name}": partial(ours, queue, bits, items, count) for name, bits in GENERATORS.items()}


def theirs(cuda: Cuda, kernel: Any, items: int, count: int) -> Peer:
    """Return the launch of a kernel of cuRAND's, after one whose sum was judged."""
    sums, local = cuda.cupy.empty(items, "float32"), min(LOCAL, items)

    def launch(count_now: int) -> None:
        kernel((items // local,), (local,), (sums, np.uint64(SEED), np.uint32(count_now)))

    def checked() -> dict[str, Any]:
        poison(sums)
        launch(count)
        cuda.finish()
        return judged(sums.get(), count, "cuRAND")

    about = checked()
    about["setup_seconds"] = timing.seconds(cuda, partial(launch, 0))
    return Peer(Work(items * count, partial(launch, count), cuda, checked), about)


def curand_makers(items: int, count: int) -> dict[str, Maker]:
    """Return what makes cuRAND's kernels, by name; they are compiled at once."""
    cuda = Cuda()
    kernels = (CUDA.replace("NAME", name).replace("STATE", state) for name, (_, state) in pi_cuda.STATES.items())
    text = "#include <curand_kernel.h>\n" + "".join(kernels) + CUDA_OF_FOURS
    module = cuda.cupy.RawModule(code=text, options=pi_cuda.options())
    names = {label: name for name, (label, _) in pi_cuda.STATES.items()} | {pi_cuda.FOURS: "philox_fours"}

    def make(name: str) -> Callable[[], Peer]:
        return lambda: theirs(cuda, module.get_function(name), items, count)

    return {label: make(name) for label, name in names.items()}
