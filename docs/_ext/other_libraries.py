"""The tables of clrng beside other libraries, for the pages and for the README."""

from measured import DEVICES, Row, giga, of_wall, rows, share, table, three

KINDS = {"raw32": "raw 32 bits", "raw64": "raw 64 bits", "float32": "float32", "float64": "float64"}

GROUPS = {
    "clrng, MRG32k3a": ("clrng MRG32k3a",),
    "clrng, lagged Fibonacci 418,1279": ("clrng LFG(418,1279)",),
    "cuRAND, XORWOW": ("cuRAND XORWOW",),
    "cuRAND, Philox": ("cuRAND PHILOX",),
    "cuRAND, MT19937": ("cuRAND MT19937",),
    "cuRAND, MRG32k3a": ("cuRAND MRG32K3A",),
    "cuRAND, MTGP32": ("cuRAND MTGP32",),
    "cuRAND, Sobol, quasirandom": ("cuRAND SOBOL", "cuRAND SCRAMBLED"),
    "PyTorch": ("PyTorch",),
    "CuPy": ("CuPy",),
    "pyopencl.clrandom": ("pyopencl.clrandom",),
    "reikna": ("reikna",),
    "mkl_random": ("mkl_random",),
    "C++ `<random>`, one core": ("C++",),
    "randomgen, one core": ("randomgen",),
    "NumPy, one core": ("NumPy",),
}
"""What a row is called, and how the names begin of the generators that it has the fastest of."""


def rates(device: str, kind: str) -> dict[str, Row]:
    """Return every rate of one kind of values, those of the device before those of its host."""
    found = rows(device, "peers")
    return {
        name: rate
        for where in ("host", "device")
        for name, rate in found.get(f"{kind}, {where}", {"rates": {}})["rates"].items()
    }


def fastest(device: str, kind: str, *beginnings: str) -> Row | None:
    """Return the highest rate of the generators whose names begin so, or None if there is none."""
    found = [rate for name, rate in rates(device, kind).items() if name.startswith(beginnings)]
    return max(found, key=lambda rate: float(rate["rate"]), default=None)


def peers(device: str) -> list[str]:
    """Return the table of one device: rates, and how many times as fast clrng's fastest is."""
    lines = [["the wall"], ["clrng, its fastest"]]
    for kind in KINDS:
        lines[0] += [giga(rates(device, kind)["wall"]), ""]
        lines[1] += [giga(fastest(device, kind, "clrng")), ""]
    for name, beginnings in GROUPS.items():
        cells = [name]
        for kind in KINDS:
            ours, rate = fastest(device, kind, "clrng"), fastest(device, kind, *beginnings)
            times = three(ours["rate"] / rate["rate"]) if ours and rate and not name.startswith("clrng") else ""
            cells += [giga(rate), times]
        if any(cells[1:]):
            lines.append(cells)
    return table([device, *(title for kind in KINDS.values() for title in (kind, "times"))], lines)


def summary() -> list[str]:
    """Return the table of the README: float32 in [0, 1) of some generators, on both devices."""
    taken = {
        "plain stores, the wall": ("wall",),
        "clrng, PCG64, as `default_rng`": ("clrng PCG64",),
        "clrng, LCG modulo 2⁶⁴": ("clrng LCG 2^64",),
        "clrng, MRG32k3a": ("clrng MRG32k3a",),
        "clrng, lagged Fibonacci 418,1279": ("clrng LFG(418,1279)",),
        "cuRAND, its fastest pseudorandom": ("cuRAND PHILOX", "cuRAND XORWOW", "cuRAND MT", "cuRAND MRG"),
        "NumPy, its fastest, one core": ("NumPy",),
    }
    lines = []
    for name, beginnings in taken.items():
        cells = [name]
        for device in DEVICES:
            rate, wall = fastest(device, "float32", *beginnings), rates(device, "float32")["wall"]
            cells += [giga(rate), of_wall(rate) or share(rate["rate"] / wall["rate"])] if rate else ["", ""]
        lines.append(cells)
    return table(["10⁹ float32 a second", "H200", "of the wall", "PoCL, two cores", "of the wall"], lines)
