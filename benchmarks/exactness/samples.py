"""Draw large samples of every distribution, and compare them with SciPy's: the p-values of statistics.

Each distribution has a stream of its own. A p-value is uniform on [0, 1] where all is right, so of a hundred the least
is about 0.01; it ends with an error where one is below `LEAST`.
"""

import sys
import time

from harness.common import Results, arguments, chosen, run

import clrng
from clrng.opencl.devices import describe
from clrng.quality import samples

LEAST = 1e-6
"""The p-value below which something is wrong: a run of all has some 200."""


def main() -> None:
    """Draw, and print a line for each distribution and dtype."""
    options = arguments(
        __doc__,
        values={"type": int, "default": 10**8, "help": "values of each sample"},
        only={"default": "", "help": "the distributions with this in their name"},
        seed={"type": int, "default": 1, "help": "of clrng.default_rng, which spawns a stream for each"},
    )
    n = min(options.values, 10**5) if options.quick else options.values
    queue = clrng.make_queue(options.device)
    results = Results(options, "samples", queue, values=n, seed=options.seed)
    names = chosen(list(samples.LAWS)[:: 6 if options.quick else 1], options.only)
    streams = iter(clrng.default_rng(options.seed, queue).spawn(2 * len(samples.LAWS)))
    fp64, wrong = describe(queue.device).fp64, []
    for name, law in samples.LAWS.items():
        for dtype in law.dtypes:
            rng = next(streams)
            if name not in names or (dtype == "float64" and not fp64):
                continue
            began = time.perf_counter()
            found = samples.statistics(rng, law, dtype, n)
            results.add(f"{name}, {dtype}", {**found, "seconds": round(time.perf_counter() - began, 1)})
            values = samples.p_values(found)
            told = ", ".join(f"{what} {p:.3g}" for what, p in values.items())
            print(f"{name}, {dtype}: p of {told}", flush=True)
            wrong += [f"{name}, {dtype}: p of {what} is {p:.3g}" for what, p in values.items() if p < LEAST]
    results.close()
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    run(main)
