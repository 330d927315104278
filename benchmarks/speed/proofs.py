"""What does it cost that kernels are proved when they are first used?

The first call of each kind is made in processes of its own, with proofs switched off, with nothing remembered, and with
all remembered that an earlier process proved. What the driver builds is in its caches, which a process before filled.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from harness.common import Results, arguments, attempt, run

import clrng
from clrng.opencl.caches import OWN_VARIABLE
from clrng.proof.prove import VARIABLE

CALLS = {
    "Park-Miller, raw": "clrng.Generator(clrng.ParkMiller(seed=1), queue).random_raw(1000)",
    "MRG32k3a, raw": "clrng.Generator(clrng.MRG32k3a(), queue).random_raw(1000)",
    "MRG32k3a, normal": "clrng.Generator(clrng.MRG32k3a(), queue).normal(size=1000)",
    "MRG32k3a, Poisson": "clrng.Generator(clrng.MRG32k3a(), queue).poisson(4.5, 1000)",
    "LFG 418,1279, float32": "clrng.Generator(clrng.LaggedFibonacci((418, 1279), '+', seed=1), queue).random(1000)",
    "MT19937, float32": "clrng.Generator(clrng.MT19937(1), queue).random(1000)",
    "MRG32k3a, 1000 streams": "clrng.Streams.by_jumps(clrng.MRG32k3a(), 1000, 2**127, queue).random(5)",
    "MRG32k3a, permutation": "clrng.Generator(clrng.MRG32k3a(), queue).permutation(100_000)",
    "sort": "clrng.order.sort(cla.to_device(queue, numpy.arange(100_000, 0, -1, numpy.uint32)))",
}
"""The calls, each of which builds all that it needs."""

CODE = """
import sys, time
import numpy, pyopencl.array as cla
import clrng, clrng.frontends.public
queue = clrng.make_queue(sys.argv[1] or None)
begin = time.perf_counter()
{call}
queue.finish()
print(time.perf_counter() - begin)
"""


def first_call(device: str | None, call: str, shared: Path, own: Path, *, proofs: bool) -> float:
    """Return the seconds of the first call of a process, with these folders of caches."""
    folders = {"XDG_CACHE_HOME": shared, "POCL_CACHE_DIR": shared / "pocl", "CUDA_CACHE_PATH": shared / "cuda"}
    environment = os.environ | {name: str(folder) for name, folder in folders.items()}
    environment |= {OWN_VARIABLE: str(own), VARIABLE: "on" if proofs else "off"}
    command = [sys.executable, "-W", "ignore", "-c", CODE.format(call=call), device or ""]
    return float(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)


def measured(device: str | None, call: str, rounds: int) -> dict[str, float]:
    """Return the median seconds of a first call without proofs, with them, and with all remembered."""
    taken: dict[str, list[float]] = {"built before": [], "proved": [], "remembered": []}
    with tempfile.TemporaryDirectory() as folder:
        caches = Path(folder, "caches")
        first_call(device, call, caches, Path(folder, "first"), proofs=True)
        for number in range(rounds):
            own = Path(folder, f"own-{number}")
            taken["built before"].append(first_call(device, call, caches, own, proofs=False))
            taken["proved"].append(first_call(device, call, caches, own, proofs=True))
            taken["remembered"].append(first_call(device, call, caches, own, proofs=True))
            proved = sum(1 for file in own.rglob("*.txt") for line in file.read_text().splitlines() if line)
    return {name: median(seconds) for name, seconds in taken.items()} | {"noted": proved}


def main() -> None:
    """Measure."""
    options = arguments(__doc__)
    rounds = 1 if options.quick else 7
    results = Results(options, "proofs", clrng.make_queue(options.device), rounds=rounds)
    for name, call in list(CALLS.items())[: 2 if options.quick else None]:
        found = attempt(results, name, lambda call=call: measured(options.device, call, rounds))  # type: ignore[misc]
        if found:
            results.add(name, found)
            told = ", ".join(f"{what} {1e3 * found[what]:.1f} ms" for what in ("built before", "proved", "remembered"))
            print(f"{name:24} {told}", flush=True)
    results.close()


if __name__ == "__main__":
    run(main)
