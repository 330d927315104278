"""The tables of clrng beside other libraries, for the pages and for the README."""

from measured import DEVICES, GPU, Row, about, each_device, giga, of_wall, report, rows, share, table, three
from plots.libraries import GROUPS, begins  # which is among the scripts
from tables import NEW_WORK

KINDS = {"raw32": "raw 32 bits", "raw64": "raw 64 bits", "float32": "float32", "float64": "float64"}

OURS = tuple(f"clrng {peer}" for *_, peer in NEW_WORK)
"""How the names begin of clrng's generators for new work."""


def rates(device: str, kind: str) -> dict[str, Row]:
    """Return every rate of one kind of values, those of the device before those of its host."""
    found = rows(device, "peers")
    return {
        name: rate
        for where in ("host", "device")
        for name, rate in found.get(f"{kind}, {where}", {"rates": {}})["rates"].items()
    }


def fastest(device: str, kind: str, *beginnings: str) -> Row | None:
    """Return the highest rate of the generators whose names begin with whole words so, or None if there is none."""
    found = [rate for name, rate in rates(device, kind).items() if begins(name, beginnings)]
    return max(found, key=lambda rate: float(rate["rate"]), default=None)


def peers() -> list[str]:
    """Return a table a device: rates, and how many times as fast the fastest of clrng for new work is."""

    def cells(device: str) -> list[list[str]]:
        lines = [["plain stores, the wall"]]
        for kind in KINDS:
            lines[0] += [giga(rates(device, kind)["wall"]), ""]
        for name, beginnings in GROUPS.items():
            row = [name]
            for kind in KINDS:
                ours, rate = fastest(device, kind, *OURS), fastest(device, kind, *beginnings)
                times = three(ours["rate"] / rate["rate"]) if ours and rate and not name.startswith("clrng") else ""
                row += [giga(rate), times]
            if any(row[1:]):
                lines.append(row)
        return lines

    return each_device("peers", ["", *(title for kind in KINDS.values() for title in (kind, "times"))], cells)


SUMMARY = {
    "plain stores, the wall": ("wall",),
    "clrng, PCG64, as `default_rng`": ("clrng PCG64",),
    "clrng, MRG32k3a": ("clrng MRG32k3a",),
    "cuRAND, Philox": ("cuRAND PHILOX",),
    "cuRAND, MRG32k3a": ("cuRAND MRG32K3A",),
    "PyTorch, Philox": ("PyTorch, CUDA",),
    "pyopencl.clrandom, its fastest": ("pyopencl.clrandom",),
    "NumPy, PCG64, one core": ("NumPy PCG64",),
}
"""The rows of the README's table, and how the names begin of the generators that each has the fastest of."""


def summary() -> list[str]:
    """Return the table of the README: float32 in [0, 1) of what clrng and others recommend, on both devices."""
    lines = []
    for name, beginnings in SUMMARY.items():
        cells = [name]
        for device in DEVICES:
            rate, wall = fastest(device, "float32", *beginnings), rates(device, "float32")["wall"]
            none = "not measured" if name.startswith("clrng") else ""
            cells += [giga(rate), of_wall(rate) or share(rate["rate"] / wall["rate"])] if rate else [none, ""]
        lines.append(cells)
    cpu = report("PoCL", "peers")
    titles = (GPU, "of the wall", f"PoCL, {cpu['units']} cores of {cpu['host']}", "of the wall")
    return table(["10⁹ float32 a second", *titles], lines)


def measured_on() -> list[str]:
    """Return where the numbers of the summary are from."""
    return [
        "Measured by `python benchmarks peers` on",
        "",
        *(f"- {about(report(device, 'peers'))}" for device in DEVICES),
    ]
