"""How close does each family of generators come to the device's write wall, filling a buffer with one exact stream?

cuRAND's MRG32k3a is measured beside clrng's where CuPy is installed.
"""

from typing import TYPE_CHECKING, Any

import pyopencl as cl
import pyopencl.array as cla
from common import arguments, curand, save

import clrng
from clrng import bench
from clrng.arithmetic import ARITHMETICS
from clrng.devices import describe
from clrng.forms import form_of

if TYPE_CHECKING:
    from collections.abc import Callable

GENERATORS = {
    "Park-Miller, 2^31-1": clrng.ParkMiller(seed=1),
    "Numerical Recipes, 2^32": clrng.LCG.named("numerical_recipes", 1),
    "Knuth's MMIX, 2^64": clrng.LCG.named("mmix", 1),
    "drand48, 2^48": clrng.LCG.named("drand48", 1),
    "lrand48, 31 bits of 2^48": clrng.LCG.named("lrand48", 1),
    "Java, 32 bits of 2^48": clrng.LCG.named("java", 1),
    "L'Ecuyer's, 2147483399": clrng.LCG.named("lecuyer21", 1),
    "2^31-1 with an increment": clrng.LCG(16807, 12345, 2**31 - 1, 1),
    "10^9+7 with an increment": clrng.LCG(123456789, 987654321, 10**9 + 7, 1),
    "2^32-5 with an increment": clrng.LCG(1664525, 1013904223, 2**32 - 5, 1),
    "2^61-1": clrng.LCG(437799614237992725, 0, 2**61 - 1, 1),
    "10^12+39 with an increment": clrng.LCG(123456789123, 987654321987, 10**12 + 39, 1),
    "2^64-59 with an increment": clrng.LCG(13891176665706064842, 1442695040888963407, 2**64 - 59, 1),
    "Coveyou, 2^32": clrng.Coveyou(2),
    "MRG32k3a": clrng.MRG32k3a(),
    "order 3, 2^31-1": clrng.LinearRecurrence([1403580, 0, 2**31 - 1 - 810728], [1, 2, 3], 2**31 - 1),
    "order 2 with a constant, 2^61-1": clrng.LinearRecurrence([2**60 + 9, 2**59 + 7], [1, 2], 2**61 - 1, 5),
}


def measure(queue: cl.CommandQueue, generator: clrng.BitGenerator, nbytes: int, rounds: int) -> dict[str, Any]:
    """Return the rates of the wall and of every exact arithmetic, baselines apart, in values a second."""
    out = cla.Array(queue, nbytes // generator.dtype.itemsize, generator.dtype)
    works: dict[str, tuple[int, Callable[[], object]]] = {
        "wall": (out.size, bench.wall(queue, cla.Array(queue, nbytes // 4, "uint32", data=out.base_data)))
    }
    for arithmetic in bench.arithmetics_of(generator, describe(queue.device)):
        if not ARITHMETICS[arithmetic.name].baseline:
            works[arithmetic.name] = (out.size, bench.filling(queue, form_of(generator, arithmetic), out))
    peer = curand(nbytes, "MRG32K3A") if isinstance(generator, clrng.MRG32k3a) else None
    if peer:
        works["cuRAND"] = (out.size, peer)
    *_, rates = bench.rounds(queue, works, rounds, "wall")
    return {rate.name: {key: value for key, value in vars(rate).items() if key != "name"} for rate in rates}


def main() -> None:
    """Measure, print and save."""
    options = arguments(__doc__, mib={"type": int}, rounds={"type": int, "default": 7}, only={"default": ""})
    queue = clrng.make_queue(options.device)
    device = describe(queue.device)
    most = device.largest_allocation // 2**20
    nbytes = 2**20 * (options.mib or min(1024 if device.kind == "cpu" else 4096, most))
    rows = {}
    for name, generator in GENERATORS.items():
        if options.only not in name:
            continue
        rows[name] = measure(queue, generator, nbytes, options.rounds)
        auto = clrng.arithmetic.select("auto", device, generator).name
        for kind, row in rows[name].items():
            mark = "*" if kind == auto else " "
            print(
                f"{name:32} {mark}{kind:13} {row['rate'] / 1e9:9.2f} G/s  {row['ratio']:6.3f} of the wall", flush=True
            )
    save(options, "generators", queue, {"nbytes": nbytes, "rounds": options.rounds, "rows": rows})


if __name__ == "__main__":
    main()
