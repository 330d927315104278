"""What does a value cost in NumPy's hands, whose generators ask clrng's streams for words one by one?

`numpy.random.Generator` draws from several of clrng's bit generators and from NumPy's PCG64, in the same rounds as
clrng's own `Generator` on the device, where that has the method. After all rounds each stream of clrng is asked once
more: a draw from the same state must give the same values, and its doubles must be the raw values, divided.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pyopencl as cl
from harness.c_loop import Host
from harness.common import Results, arguments, measure, run
from harness.typical import typical

import clrng
from clrng.measuring.timing import Work

GENERATORS = typical("PCG64", "MRG32k3a", "Park-Miller", "LCG 2^64")

METHODS: dict[str, Callable[[Any, int], Any]] = {
    "random, float64": lambda rng, n: rng.random(n, "float64"),
    "standard_normal, float64": lambda rng, n: rng.standard_normal(n, "float64"),
    "standard_exponential, float64": lambda rng, n: rng.standard_exponential(n, "float64"),
    "standard_gamma(2.5), float64": lambda rng, n: rng.standard_gamma(2.5, n, "float64"),
    "integers(6), int64": lambda rng, n: rng.integers(0, 6, n),
    "integers(2^64), uint64": lambda rng, n: rng.integers(0, 2**64, n, "uint64"),
    "poisson(3.5), int64": lambda rng, n: rng.poisson(3.5, n),
    "permutation(n), int64": lambda rng, n: rng.permutation(n),
    "random(), one a call": lambda rng, n: [rng.random() for _ in range(n)],
}

ALONE = ("random(), one a call",)
"""What clrng's own `Generator` does not draw: a call for one value costs a launch."""

VALUES, DEVICE_VALUES, SINGLE = 2**20, 2**24, 2**14
QUICK_VALUES = 2**10
"""How many values a draw has: of NumPy, on the device, and one a call."""

CHECKED = 1000


def in_numpys_hands(bits: clrng.BitGenerator, queue: cl.CommandQueue, draw: Callable[[Any, int], Any], n: int) -> Work:
    """Return draws of `n` values by NumPy from a stream of clrng."""
    rng: Any = np.random.Generator(clrng.numpy_bit_generator(bits, queue))
    d = bits.upper_bound

    def once_more() -> None:
        begin = rng.bit_generator.bits
        values = draw(rng, n)
        end = rng.bit_generator.bits
        rng.bit_generator.state = begin.state
        again = draw(rng, n)
        if not np.array_equal(values, again) or rng.bit_generator.bits != end:
            raise clrng.ClrngError(f"NumPy drew other values of {bits!r} the second time")
        doubles = np.random.Generator(clrng.numpy_bit_generator(begin, queue)).random(CHECKED)
        if doubles.tolist() != [
            x * 2**53 // d / 2**53 if d > 2**53 else x / d for x in begin.sequence(CHECKED).tolist()
        ]:
            raise clrng.ClrngError(f"NumPy drew wrong doubles of {begin!r}")

    return Work(n, partial(draw, rng, n), Host(), once_more)


def works(queue: cl.CommandQueue, name: str, draw: Callable[[Any, int], Any], n: int, many: int) -> dict[str, Work]:
    """Return what draws by one method: NumPy `n` values at a time, and clrng on the device `many`."""
    found = {f"NumPy, clrng {which}": in_numpys_hands(bits, queue, draw, n) for which, bits in GENERATORS.items()}
    found["NumPy, PCG64"] = Work(n, partial(draw, np.random.Generator(np.random.PCG64(1)), n), Host())
    if name not in ALONE:
        for which, bits in GENERATORS.items():
            found[f"clrng {which}"] = Work(many, partial(draw, clrng.Generator(bits.copy(), queue), many))
    return found


def main() -> None:
    """Measure, print and save."""
    options = arguments(__doc__, rounds=5)
    queue = clrng.make_queue(options.device)
    n, many, single = (QUICK_VALUES,) * 3 if options.quick else (VALUES, DEVICE_VALUES, SINGLE)
    rounds = options.rounds
    results = Results(options, "numpy_hands", queue, values=n, rounds=rounds)
    for name, draw in METHODS.items():
        if name.endswith("float64") and not clrng.Generator(GENERATORS["Park-Miller"], queue).device.fp64:
            results.skip(name, "the device has no double precision")
            continue
        count = single if name == "random(), one a call" else n
        rates = measure(queue, works(queue, name, draw, count, many), rounds, wall=None)
        results.add(name, {"rates": rates})
        for which, rate in rates.items():
            print(f"{name:32} {which:26} {1e9 / rate['rate']:10.3f} ns a value", flush=True)
    results.close()


if __name__ == "__main__":
    run(main)
