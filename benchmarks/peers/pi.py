"""How fast does a kernel of the user's own draw, estimating pi from points in a square?

Every work-item draws its points from its own piece of one stream, and counts those within the circle. The kernel is the
same, and so are items and points; drawn in it are clrng's device code, Random123's Philox as PyOpenCL brings it, and on
a CUDA device cuRAND's device interface. A rate is in points a second, of the whole kernel with what it takes to set up
the generators; that is timed apart too, with one point an item. On one core of the host, NumPy and loops in C do the
same for fewer points.

Of clrng's generators the counts of the first and the last item are compared with the host's.
"""

from collections.abc import Callable
from functools import partial
from math import pi, sqrt
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from harness.common import Results, arguments, attempt, kind_of, run

import clrng
from clrng.measuring import timing
from clrng.measuring.timing import Work, poison
from clrng.opencl.devices import describe
from peers import pi_cuda, pi_host
from peers.peer import Peer, rates_of
from peers.peers_device import uniform

SIZES = {"gpu": (2**18, 2**14), "cpu": (2**14, 2**12)}
"""Items, and points of an item."""

QUICK_SIZES = (2**8, 2**8)
HOST_POINTS = 2**24
LOCAL = 256
SEED = 12345
SIGMAS = 6
"""How far from pi an estimate may be, in standard deviations."""

BORDER = 4
"""By how many points the counts of an item may differ: those so near the circle that the rounding of a sum decides."""

GENERATORS: dict[str, clrng.BitGenerator] = {
    "MRG32k3a": clrng.MRG32k3a(),
    "LCG 2^64": clrng.named("mmix", SEED),
    "LFG(5,17)": clrng.LaggedFibonacci((5, 17), "+", seed=SEED),
}
PARK_MILLER = ("integer", "float", "double")
"""The arithmetics of Park-Miller's that are measured where they are exact."""

KERNEL = """
__kernel void count_inside(__global uint *inside, const ulong each, const uint points)
{
    const ulong item = get_global_id(0);
    SEED
    uint count = 0;
    for (uint i = 0; i < points; i++) {
        const float x = draw_next_float(&state), y = draw_next_float(&state);
        count += x * x + y * y < 1.0f;
    }
    inside[item] = count;
}
"""

PHILOX = """
#include <pyopencl-random123/philox.cl>

float unit(const uint word) { return (word >> 8) * 0x1p-24f; }

__kernel void count_inside(__global uint *inside, const ulong each, const uint points)
{
    const ulong item = get_global_id(0);
    philox4x32_ctr_t counter = {{0, 0, item, item >> 32}};
    philox4x32_key_t key = {{SEED, 0}};
    uint count = 0;
    for (uint i = 0; i < points; i += 2) {
        const philox4x32_ctr_t word = philox4x32(counter, key);
        const float x = unit(word.v[0]), y = unit(word.v[1]), z = unit(word.v[2]), w = unit(word.v[3]);
        count += (x * x + y * y < 1.0f) + (z * z + w * w < 1.0f);
        counter.v[0]++;
    }
    inside[item] = count;
}
"""


def judged(count: int, points: int, who: str, distinct: int | None = None) -> dict[str, Any]:
    """Return the estimate of pi from a count, and how many standard deviations it is off.

    Where the period of a generator has fewer points, `distinct`, the deviation is that of these.

    Raises
    ------
    ClrngError
        If it is too far off.
    """
    estimate = 4 * count / points
    off = (estimate - pi) / sqrt(pi * (4 - pi) / min(points, distinct or points))
    if not abs(off) <= SIGMAS:
        raise clrng.ClrngError(f"{who} estimates pi as {estimate}, {off:.1f} standard deviations off")
    return {"pi": estimate, "sigmas": off}


def text_of(
    bits: clrng.BitGenerator, arithmetic: str, device: cl.Device, kernel: str = KERNEL, distributions: Any = ()
) -> str:
    """Return the program of a kernel that draws from `bits`, from its own state on."""
    words = ", ".join(f"{word}UL" if bits.dtype.itemsize == 8 else f"{word}u" for word in bits.words)  # noqa: PLR2004
    kind = "ulong" if bits.dtype.itemsize == 8 else "uint"  # noqa: PLR2004  # bytes of a word
    seed = f"draw_state state = draw_seed({words}, each * item);"
    if len(bits.words) > 1:
        seed = f"const {kind} words[] = {{{words}}}; draw_state state = draw_seed(words, each * item);"
    code = clrng.device_code(bits, arithmetic, device, prefix="draw_", distributions=distributions)
    return code + kernel.replace("SEED", seed)


def expected(bits: clrng.BitGenerator, item: int, points: int) -> int:
    """Return the count of one item, by the host."""
    raw = bits.jumped(2 * points * item).sequence(2 * points)
    x = uniform(bits, raw, np.dtype(np.float32)).astype(np.float64)
    return int(np.count_nonzero(x[::2] ** 2 + x[1::2] ** 2 < 1))


def counting(queue: cl.CommandQueue, text: str, bits: clrng.BitGenerator | None, items: int, points: int) -> Peer:
    """Return the launch of a program on the OpenCL device, after one that was judged.

    Raises
    ------
    ClrngError
        If the estimate is too far off or, for `bits` of clrng, an item has other counts than the host.
    """
    kernel = cl.Kernel(cl.Program(queue.context, text).build(), "count_inside")
    inside = cla.Array(queue, items, np.uint32)
    group = kernel.get_work_group_info(cl.kernel_work_group_info.WORK_GROUP_SIZE, queue.device)
    local = None if describe(queue.device).kind == "cpu" else (min(LOCAL, group),)

    def launch(points_now: int) -> object:
        return kernel(queue, (items,), local, inside.data, np.uint64(2 * points), np.uint32(points_now))  # type: ignore[arg-type]  # PyOpenCL has narrower types

    def checked() -> dict[str, Any]:
        poison(inside)
        launch(points)
        found = inside.get()
        if bits is not None:
            for item in (0, items - 1):
                if abs(int(found[item]) - expected(bits, item, points)) > BORDER:
                    raise clrng.ClrngError(f"{bits!r}: {found[item]} points of item {item}, not as by the host")
        period = None if bits is None else bits.period
        count = int(found.sum(dtype=np.uint64))
        return judged(count, items * points, "a kernel", period and period // 2)

    about = checked()
    about["setup_seconds"] = timing.seconds(queue, partial(launch, 1))
    return Peer(Work(items * points, partial(launch, points), None, checked), about)


def makers(queue: cl.CommandQueue, items: int, points: int) -> dict[str, Callable[[], Peer]]:
    """Return what makes each kernel on the OpenCL device, by name."""

    def ours(bits: clrng.BitGenerator, arithmetic: str) -> Peer:
        return counting(queue, text_of(bits, arithmetic, queue.device), bits, items, points)

    found: dict[str, Callable[[], Peer]] = {
        f"clrng Park-Miller, {arithmetic}": partial(ours, clrng.ParkMiller(seed=SEED), arithmetic)
        for arithmetic in PARK_MILLER
    }
    found |= {f"clrng {name}": partial(ours, bits, "auto") for name, bits in GENERATORS.items()}
    philox = PHILOX.replace("SEED", str(SEED))
    found["Random123 Philox4x32"] = partial(counting, queue, philox, None, items, points)
    return found


def show(number: str, name: str, row: dict[str, Any]) -> None:
    """Print a line."""
    setup = f"  set-up {1e3 * row['setup_seconds']:8.3f} ms" if "setup_seconds" in row else ""
    print(
        f"{number} {name:36} {row['rate'] / 1e9:9.3f} G points/s ({row['low'] / 1e9:.3f} to {row['high'] / 1e9:.3f})"
        f"{setup}  pi = {row['pi']:.7f}, {row['sigmas']:+.2f} sigma",
        flush=True,
    )


def main() -> None:
    """Measure, print and save, first the kernels and then the host."""
    options = arguments(__doc__, rounds=3)
    queue = clrng.make_queue(options.device)
    device = describe(queue.device)
    items, points = QUICK_SIZES if options.quick else SIZES[kind_of(device)]
    rounds, on_host = options.rounds, 2**16 if options.quick else HOST_POINTS
    results = Results(
        options, "pi", queue, items=items, points=points, samples=items * points, host_samples=on_host, rounds=rounds
    )
    kernels = makers(queue, items, points)
    if kind_of(device) == "gpu":
        kernels |= attempt(results, "cuRAND in a kernel", partial(pi_cuda.makers, items, points, SEED, judged)) or {}
    else:
        results.skip("cuRAND in a kernel", f"{device.name} is no GPU")
    for where, group in (("device", kernels), ("host", pi_host.makers(on_host, SEED, judged))):
        peers: dict[str, Peer] = {}
        for number, (name, make) in enumerate(group.items(), 1):
            print(f"{where} [{number}/{len(group)}] {name}: one run to check", flush=True)
            if made := attempt(results, name, make):
                peers[name] = made
        rates = rates_of(queue, results, "pi", peers, None, rounds)
        for number, (name, rate) in enumerate(rates.items(), 1):
            results.add(name, {"where": where, **rate})
            show(f"{where} [{number}/{len(rates)}]", name, rate)
    results.close()


if __name__ == "__main__":
    run(main)
