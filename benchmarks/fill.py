"""How close does each arithmetic come to the device's write wall, filling a buffer with one exact stream?"""

from common import arguments, save

import clrng
from clrng import bench


def main() -> None:
    """Measure, print and save."""
    options = arguments(__doc__, mib={"type": int}, rounds={"type": int, "default": 9})
    queue = clrng.make_queue(options.device)
    report = bench.report(queue, clrng.ParkMiller(seed=1), options.mib, options.rounds, lambda _: None)
    print(bench.title(report))
    for name, row in report["fills"].items():
        steps = report["registers"].get(name, {"rate": 0})["rate"] / 1e9
        print(f"{name:13} {row['rate'] / 1e9:9.2f} G/s  {row['ratio']:6.3f} of the wall  {steps:9.2f} G/s in registers")
    save(options, "fill", queue, report)


if __name__ == "__main__":
    main()
