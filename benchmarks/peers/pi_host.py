"""Pi from points in a square on one core of the host: by NumPy, and by loops in C of clrng's recurrences."""

import ctypes
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from harness.c_loop import Host, source
from harness.compiled import library

import clrng
from clrng.measuring.timing import Work
from peers.peer import Peer

NUMPY = ["PCG64", "SFC64", "Philox", "MT19937"]
PIECE = 2**16
"""Points drawn at a time by NumPy, which stay in the caches."""

COUNT = """
static inline float unit(void) { return (float)(uint32_t)(step() >> SHIFT) * 0x1p-24f; }

uint64_t count_inside(size_t points)
{
    uint64_t count = 0;
    for (size_t i = 0; i < points; i++) {
        const float x = unit(), y = unit();
        count += x * x + y * y < 1.0f;
    }
    return count;
}
"""

Judge = Callable[..., dict[str, Any]]


def measured(count: Callable[[], int], points: int, who: str, judged: Judge) -> Peer:
    """Return a call that counts, after one that was judged."""

    def checked() -> dict[str, Any]:
        return judged(count(), points, who)

    return Peer(Work(points, count, Host(), checked), checked())


def by_numpy(name: str, points: int, seed: int, judged: Judge) -> Peer:
    """Return the count by a generator of NumPy."""
    rng = np.random.Generator(getattr(np.random, name)(seed))
    xy = np.empty((2, PIECE), np.float32)

    def count() -> int:
        found = 0
        for _ in range(points // PIECE):
            rng.random(dtype=np.float32, out=xy)
            found += int(np.count_nonzero(xy[0] * xy[0] + xy[1] * xy[1] < 1))
        return found

    return measured(count, points, f"NumPy {name}", judged)


def by_loop(bits: clrng.BitGenerator, points: int, judged: Judge) -> Peer:
    """Return the count by a loop in C, whose floats are the highest 24 bits of a value."""
    shift = (bits.upper_bound - 1).bit_length() - 24
    compiled = library("C", source(bits) + COUNT.replace("SHIFT", str(shift)))
    compiled.count_inside.restype = ctypes.c_uint64
    state = np.array(bits.words, np.uint64)
    compiled.start(ctypes.c_void_p(state.ctypes.data))
    return measured(partial(compiled.count_inside, ctypes.c_size_t(points)), points, "a loop in C", judged)


def makers(points: int, seed: int, judged: Judge) -> dict[str, Callable[[], Peer]]:
    """Return what makes each peer on the host, by name."""
    loops = {
        "C loop of Park-Miller": clrng.ParkMiller(seed=seed),
        "C loop of LCG 2^64": clrng.named("mmix", seed),
        "C loop of LFG(5,17)": clrng.LaggedFibonacci((5, 17), "+", seed=seed),
    }
    found: dict[str, Callable[[], Peer]] = {
        name: partial(by_loop, bits, points, judged) for name, bits in loops.items()
    }
    return found | {f"NumPy {name}": partial(by_numpy, name, points, seed, judged) for name in NUMPY}
