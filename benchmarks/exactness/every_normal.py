"""Put all 2^31 - 2 raw values of Park-Miller through the standard normal distribution, and compare with NumPy.

The device draws the whole period. The values of the host, by the definition in float64, must be the same bits. Besides
it counts where a larger raw value gives a smaller value. It takes some minutes.
"""

import sys
import time
from dataclasses import asdict

from harness.common import Results, arguments, run

import clrng
from clrng.quality import every_normal


def main() -> None:
    """Compare, and print what was found."""
    options = arguments(__doc__)
    queue = clrng.make_queue(options.device)
    count = 2**24 if options.quick else every_normal.RAW_VALUES
    results = Results(options, "every_normal", queue, values=count)
    began = time.perf_counter()
    found = every_normal.every_normal(queue, count)
    results.add("standard_normal, float32", {**asdict(found), "seconds": round(time.perf_counter() - began, 1)})
    results.close()
    print(f"{found.values} values, {found.different} of them different; {found.decreasing} decreases", flush=True)
    if found.different:
        sys.exit("values are not those of the host")


if __name__ == "__main__":
    run(main)
