"""The tables of parts of arrays, and of copies to the host, on each device where they were measured."""

from measured import counted, reports, share, table, three, where

BYTES = 4
"""Of a value."""

SHOWN = (64, 256, 1024, 4092, 4096, 4100, 65536, 1048576)
"""The lengths of runs in bytes that the tables have, so that the width of a page holds them."""


def rectangles() -> list[str]:
    """Return the rates of rectangles and of slices as shares of a contiguous fill's, by the length of runs."""
    lines = []
    for report in reports("rectangles"):
        lines += ["", f"{where(report)}, {report['nbytes'] / 2**20:g} MiB.", ""]
        for what in ("rectangle", "slice"):
            by_kind: dict[str, dict[int, str]] = {}
            for name, row in report["rows"].items():
                ratio = share(row[what]["rate"] / row["contiguous"]["rate"])
                by_kind.setdefault(name.rsplit(",", 1)[0], {})[BYTES * row["length"]] = ratio
            sizes = sorted({size for row in by_kind.values() for size in row if size in SHOWN})
            cells = [[kind, *(row.get(size, "") for size in sizes)] for kind, row in by_kind.items()]
            lines += ["", *table([f"{what}s, runs of bytes", *map(str, sizes)], cells), ""]
    return lines


def to_host() -> list[str]:
    """Return the rates of each way to the host, in 10^9 bytes a second."""
    lines = []
    for report in reports("to_host"):
        cells = [[name, three(row["rate"] / 1e9), share(row.get("ratio"))] for name, row in report["rows"].items()]
        about = f"{report['nbytes'] / 2**30:g} GiB, {report['generated'] / 2**30:g} GiB by the command"
        lines += ["", f"{where(report)}: {about}.", ""]
        lines += table(["", "GB/s", "of pinned memory"], cells)
    return lines


def one_memory() -> list[str]:
    """Return the microseconds of each way to give values to a library of CUDA, by their number."""
    lines = []
    for report in reports("one_memory"):
        by_way: dict[str, dict[int, str]] = {}
        for name, row in report["rows"].items():
            by_way.setdefault(name.rsplit(",", 1)[0], {})[row["values"]] = three(row["seconds"] * 1e6)
        sizes = sorted({size for found in by_way.values() for size in found})
        lines += ["", f"{where(report)}.", ""]
        lines += table(
            ["", *(f"2^{size.bit_length() - 1}" for size in sizes)],
            [[way, *(found.get(size, "") for size in sizes)] for way, found in by_way.items()],
        )
    return lines


def order() -> list[str]:
    """Return the rates of sorts, of clrng and of others, in 10^9 keys a second."""
    lines = []
    for report in reports("order"):
        cells = [
            [f"{keys}, {who}", three(rate["rate"] / 1e9), share(rate.get("ratio"))]
            for keys, row in report["rows"].items()
            for who, rate in row.items()
        ]
        lines += ["", f"{where(report)}, {counted(report['rounds'])}.", ""]
        lines += table(["", "10⁹ keys a second", "of a copy"], cells)
    return lines
