"""How close does each family of generators come to the device's write wall, filling a buffer with one exact stream?

cuRAND's MRG32k3a, MT19937 and XORWOW are measured beside clrng's where CuPy is installed.
"""

from collections.abc import Callable

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from harness.common import Results, arguments, attempt, chosen, measure, run
from peers.peers_cuda import curand

import clrng
from clrng.generators.families import FAMILIES, exact_arithmetics, family_of, select
from clrng.measuring import timing
from clrng.measuring.timing import Work, filling
from clrng.opencl.devices import describe
from speed.fill import size

GENERATORS: dict[str, clrng.BitGenerator] = {
    "PCG64, the default": clrng.PCG64(1),
    "Park-Miller, 2^31-1": clrng.ParkMiller(seed=1),
    "Numerical Recipes, 2^32": clrng.named("numerical_recipes", 1),
    "Knuth's MMIX, 2^64": clrng.named("mmix", 1),
    "drand48, 2^48": clrng.named("drand48", 1),
    "lrand48, 31 bits of 2^48": clrng.named("lrand48", 1),
    "Java, 32 bits of 2^48": clrng.named("java", 1),
    "L'Ecuyer's, 2147483399": clrng.named("lecuyer21", 1),
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

LIBRARIES = [
    "xorwow", "xorshift7", "well512a", "ranlux0", "ranlux3", "std_ranlux24_base", "std_ranlux48_base", "std_ranlux48",
    "gsl_ranlxd1", "trng_yarn2", "trng_yarn3", "trng_yarn5s",
]  # fmt: skip
GENERATORS |= {name: clrng.named(name, 1) for name in LIBRARIES}

for _name, _family in FAMILIES.items():
    if not any(family_of(bits) is _family for bits in GENERATORS.values()):
        GENERATORS[_name] = _family.example

Plain = Callable[[], object]
"""The fastest plain store to the whole buffer."""

QUICK = ["Park-Miller, 2^31-1", "MRG32k3a"]

PEERS = {"MRG32k3a": "MRG32K3A", "mt19937": "MT19937", "xorwow": "XORWOW"}
"""cuRAND's generators of the same recurrences, whose values come in another order."""


def works_of(
    results: Results, queue: cl.CommandQueue, name: str, bits: clrng.BitGenerator, words: cla.Array, plain: Plain
) -> dict[str, Work]:
    """Return the wall, the fills by every exact arithmetic but baselines, and cuRAND's where it has the generator."""
    out = cla.Array(queue, words.nbytes // bits.dtype.itemsize, bits.dtype, data=words.base_data)
    found = {"wall": Work(out.size, plain)}
    for arithmetic in exact_arithmetics(describe(queue.device), bits):
        if not arithmetic.baseline:
            found[arithmetic.name] = filling(queue, bits, out, arithmetic.name)
    if name in PEERS:
        peer = attempt(results, f"cuRAND {name}", lambda: curand(out.size, PEERS[name]))
        found |= {"cuRAND": peer} if peer else {}
    return found


def main() -> None:
    """Measure, print and save."""
    options = arguments(__doc__, mib={"type": int}, rounds=5, only={"default": "", "help": "a part of the names"})
    queue = clrng.make_queue(options.device)
    nbytes = size(queue, options.mib, quick=options.quick)
    rounds = options.rounds
    names = chosen(QUICK if options.quick else GENERATORS, options.only)
    results = Results(options, "generators", queue, nbytes=nbytes, rounds=rounds)
    words = cla.Array(queue, nbytes // 4, np.uint32)
    plain = timing.wall(queue, words)
    for done, name in enumerate(names, 1):
        bits = GENERATORS[name]
        row = measure(queue, works_of(results, queue, name, bits, words, plain), rounds)
        results.add(name, row)
        auto = select("auto", describe(queue.device), bits).name
        for kind, rate in row.items():
            mark = "*" if kind == auto else " "
            print(
                f"[{done}/{len(names)}] {name:32} {mark}{kind:13} {rate['rate'] / 1e9:9.2f} G/s "
                f"({rate['low'] / 1e9:.2f} to {rate['high'] / 1e9:.2f})  {rate['ratio']:6.3f} of the wall",
                flush=True,
            )
    results.close()


if __name__ == "__main__":
    run(main)
