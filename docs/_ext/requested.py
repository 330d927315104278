"""The tables of what requests of each size cost, on each device where they were measured."""

from measured import power, reports, table, three, where

REQUESTS = "requests of "


def requests() -> list[str]:
    """Return the mean microseconds of requests of every fourth size, of each family."""
    lines = []
    for report in reports("requests"):
        by_size = {
            int(name.removeprefix(REQUESTS)): row for name, row in report["rows"].items() if name.startswith(REQUESTS)
        }
        sizes = sorted(by_size)[::2]
        cells = [
            [name, *(three(1e6 * by_size[size][name]["mean"]) for size in sizes if name in by_size[size])]
            for name in by_size[sizes[0]]
        ]
        lines += ["", f"{where(report)}:", "", *table(["", *(power(size.bit_length() - 1) for size in sizes)], cells)]
    return lines
