"""The tables of the performance pages, each made from the results of one experiment."""

import math
from typing import Any

from measured import (
    DEVICES,
    Row,
    giga,
    near_power,
    of_wall,
    power,
    report,
    rows,
    seconds,
    share,
    table,
    three,
)

import clrng
from clrng.quality.verdicts import NO_FAILURE, verdict_of

ARITHMETICS = {name: f"`{name}`" for name in clrng.ARITHMETICS}
LARGEST = 2**30
"""Values of the largest fills of the divide-and-conquer algorithm."""

STREAMS = 4_000_000

MILLION = 10**6


def both(*columns: str) -> list[str]:
    """Return the titles of columns, once for each device."""
    return [f"{device}: {column}" for device in DEVICES for column in columns]


def fill() -> list[str]:
    """Park-Miller in each arithmetic beside the wall, and its steps alone."""
    lines = []
    names = dict.fromkeys(name for device in DEVICES for name in rows(device, "fill")["fills"])
    for name in sorted(names, key=lambda name: name in ARITHMETICS):
        cells = [ARITHMETICS.get(name, {"wall": "plain stores, the wall"}.get(name, "plain stores through the caches"))]
        for device in DEVICES:
            found = rows(device, "fill")
            filled = found["fills"].get(name)
            cells += [giga(filled), of_wall(filled), giga(found["registers"].get(name))]
        lines.append(cells)
    return table(["", *both("fill", "of the wall", "in registers")], lines)


def limits() -> list[str]:
    """Rates beside what the arithmetic would allow."""
    lines = []
    for name, one in rows("H200", "limits").items():
        if "fill" not in one or name.startswith("LCG"):  # compilers make one step of several of an LCG mod 2^k
            continue
        cells = [name]
        for device in DEVICES:
            here = rows(device, "limits").get(name, {})
            registers, filled = here.get("registers"), here.get("fill")
            cells += [giga(registers), share((registers or {}).get("of limit"))]
            cells += [giga(filled), share((filled or {}).get("of best"))]
        lines.append(cells)
    return table(["", *both("in registers", "of the limit", "fill", "of the best")], lines)


def generators() -> list[str]:
    """One exact stream of each family, in the arithmetic that auto takes: the fastest measured."""
    lines = []
    for name in rows("H200", "generators"):
        cells = [name]
        for device in DEVICES:
            found = rows(device, "generators").get(name, {})
            rates = [rate for who, rate in found.items() if who in clrng.ARITHMETICS]
            best = max(rates, key=lambda rate: rate["rate"], default=None)
            cells += [giga(best), of_wall(best)]
        lines.append(cells)
    vendor = rows("H200", "generators")["MRG32k3a"].get("cuRAND")
    lines.append(["MRG32k3a of cuRAND, in the same run", giga(vendor), of_wall(vendor), "", ""])
    return table(["", *both("fill", "of the wall")], lines)


def lagged() -> list[str]:
    """Lagged Fibonacci generators against their lags, beside what else was measured in the same run."""
    lines = []
    for name, one in rows("H200", "lagged_fibonacci").items():
        cells = [name]
        for device in DEVICES:
            rates = rows(device, "lagged_fibonacci").get(name, one)["rates"]
            lowest = min(rates[op].get("ratio", math.nan) for op in ("+", "-", "xor") if op in rates)
            cells += [giga(rates["+"]), share(lowest), of_wall(rates.get("*")), giga(rates.get("C loop +"))]
        vendor = {who: rates for who, rates in one["rates"].items() if who in ("cuRAND MT19937", "published +")}
        cells += [giga(vendor.get("published +")), giga(vendor.get("cuRAND MT19937"))]
        lines.append(cells)
    size = near_power(rows("H200", "lagged_fibonacci")["7,10"]["rates"]["published +"]["values"])
    header = [
        *both("`+`", "of the wall", "`*`, of the wall", "C loop"),
        f"H200: published 2012, {size} values",
        "H200: cuRAND MT19937",
    ]
    return table(["lags", *header], lines)


def set_up() -> list[str]:
    """Return what the first call of a lagged Fibonacci generator costs beyond its build: of half the size, later."""
    lines = []
    for name in rows("H200", "lagged_fibonacci"):
        cells = [name]
        for device in DEVICES:
            rate = rows(device, "lagged_fibonacci")[name]["rates"]["+"]
            cells += [seconds(rate["first call"]), seconds(rate["first call at half the size"])]
        lines.append(cells)
    return table(["lags", *both("first call", "first call of another size")], lines)


def growth() -> list[str]:
    """Return what a request costs against its size."""
    names = dict.fromkeys(name for device in DEVICES for name in rows(device, "growth"))
    lines = []
    for name in names:
        cells = ["plain stores" if name == "wall" else name]
        for device in DEVICES:
            one = rows(device, "growth").get(name, {})
            cells += [least(one), values(one.get("knee"))]
        lines.append(cells)
    return table(["", *both("the least request", "half the highest rate from")], lines)


def least(row: Row) -> str:
    """Return what the smallest request that was measured took, and how large it was if it was not one value."""
    if not row:
        return ""
    count = row["points"][0]["values"]
    return seconds(row["overhead"]) + (f" for {count}" if count > 1 else "")


def values(count: float | None) -> str:
    """Return how many values, in three digits; empty where it is not known."""
    if not count:
        return ""
    return f"{three(count / MILLION)}·10⁶" if count >= MILLION / 10 else f"{float(f'{count:.3g}'):.0f}"


def latency() -> list[str]:
    """Return what builds and first calls cost, with nothing built before and with what is kept."""
    lines = []
    for name, one in rows("H200", "latency").items():
        if "nothing built" not in one:
            continue
        cells = [name]
        for device in DEVICES:
            found = rows(device, "latency")[name]
            cells += [seconds(found["nothing built"][what]["seconds"]) for what in ("build", "first call")]
            cells.append(seconds(found["built before"]["first call"]["seconds"]))
        lines.append(cells)
    return table(["", *both("build", "first call", "first call, built before")], lines)


def beginnings() -> list[str]:
    """Return what a new process waits for."""
    told = {device: rows(device, "latency")["seconds"] for device in DEVICES}
    lines = [[name, *(seconds(found[name]) for found in told.values())] for name in told["H200"]]
    return table(["", *told], lines)


def streams() -> list[str]:
    """Rates of resident streams."""
    lines = []
    for device in DEVICES:
        found: Any = rows(device, "streams")
        for count in (STREAMS, 250_000_000):
            by_steps = {one["steps"]: one for one in found if one["count"] == count}
            cells = [f"{device}, {count:,} streams".replace(",000", " 000")]
            for steps in (1, 10, 100):
                one = by_steps.get(steps, {}).get("all")
                cells.append(f"{giga(one)}, {of_wall(one)} of the wall" if one else "")
            cells.append(giga(by_steps.get(100, {}).get("last")))
            lines.append(cells)
    steps = ["1 step a call", "10 steps", "100 steps"]
    return table(["", *steps, "100 steps, last values only"], lines)


def paper_2008() -> list[str]:
    """Rates of 4 million streams, beside the C loop and the steps alone."""
    lines = []
    for name in ("limbs-2008", "double-2009", "float-nofma", "float", "double", "integer"):
        cells = [f"`{name}`{', as published' if '-20' in name else ''}"]
        for device in DEVICES:
            found = rows(device, "paper_2008")
            rate = found[f"{STREAMS} streams"]["rates"][name]
            times = rate["rate"] / found["C loop"]["rate"]
            cells += [giga(rate), three(times), share(rate["rate"] / found[f"registers, {name}"]["rate"])]
        lines.append(cells)
    return table(["", *both("rate", "over the C loop", "of registers")], lines)


def paper_2009() -> list[str]:
    """Rates of the best launches for the next 1, 10 and 100 values of each stream."""
    lines = []
    for name in ("double-2009", "double", "integer"):
        cells = [f"`{name}`{', as published' if '-20' in name else ''}"]
        for device in DEVICES:
            found = rows(device, "paper_2009")
            cells += [giga(best(found[f"best of {name}, {count} values"], name)) for count in (1, 10, 100)]
        lines.append(cells)
    return table(["", *both("1 value", "10 values", "100 values")], lines)


def best(found: Row, name: str) -> Row:
    """Return the rate of an arithmetic in a row that may have it by name among others."""
    row: Row = found if "rate" in found else found["rates"].get(name) or next(iter(found["rates"].values()))
    return row


def published() -> list[str]:
    """Return the rates that the papers of 2008 and 2009 give."""
    told = report("H200", "paper_2008")["published"]
    return table(["published", "10⁹ values a second"], [[name, three(rate / 1e9)] for name, rate in told.items()])


def paper_2012() -> list[str]:
    """Return the published algorithm and clrng's fill of 2^30 values, beside the C loop."""
    lines = []
    found = rows("H200", "paper_2012")
    for name, bits in (("Numerical Recipes, 2^32", 32), ("MMIX, 2^64", 64), ("Park-Miller, 2^31 - 1", 32)):
        rates = found[f"n = {LARGEST}, {bits} bits"]["rates"]
        old, new = rates[f"published: {name}"], rates[f"direct: {name}"]
        cells = [name, *(text for one in (old, new) for text in (giga(one), three(one["speed-up"])))]
        lines.append([*cells, share(old["rate"] / new["rate"])])
    header = ["published", "over the C loop", "clrng's fill", "over the C loop", "published / fill"]
    return table([f"H200, {power(30)} values", *header], lines)


def pi() -> list[str]:
    """Points a second of an estimate of pi, the fastest first."""
    names = sorted(rows("H200", "pi"), key=lambda name: -rows("H200", "pi")[name]["rate"])
    return table(
        ["", *DEVICES], [[name, *(giga(rows(device, "pi").get(name)) for device in DEVICES)] for name in names]
    )


RECOMMENDED: list[tuple[str, str, clrng.BitGenerator, str, str]] = [
    ("nearly everything: NumPy's stream, independent ones by `spawn`", "`default_rng(seed)`", clrng.PCG64(0),
     "numpy_pcg64", "PCG64"),
    ("millions of streams that are compared with one another", "`PCG64DXSM(seed)`", clrng.PCG64DXSM(0),
     "numpy_pcg64dxsm", "PCG64DXSM"),
    ("simulation in L'Ecuyer's streams; a second opinion", "`MRG32k3a()`", clrng.MRG32k3a(), "mrg32k3a", "MRG32k3a"),
    ("very long streams, with a theory of chaos behind them; slow", '`named("root_ranluxpp", seed)`',
     clrng.named("root_ranluxpp", 1), "root_ranluxpp", "RANLUX++"),
]  # fmt: skip
"""What is recommended for what: how it is made, its period's generator, its name in the records of batteries and in
those of peers."""


def choices() -> list[str]:
    """Return which generator to take: its period, how fast it fills float32 on the H200, and what batteries found.

    Raises
    ------
    ValueError
        If a test battery found a failure of one that is recommended.
    """
    rates = rows("H200", "peers")["float32, device"]["rates"]
    lines = []
    for use, how, bits, name, peer in RECOMMENDED:
        if verdict_of(name).short != NO_FAILURE:
            raise ValueError(f"{name} must not be recommended: it {verdict_of(name).said}")
        rate = giga(rates.get(f"clrng {peer}")) or "not measured"
        lines.append([use, how, near_power(bits.period or 0), rate, verdict_of(name).said])
    known = [one.make(one.seeds[0]).period for one in clrng.NAMED.values() if not one.name.startswith(("boost", "lfg"))]
    least = near_power(min(period for period in known if period))
    old = [
        ("teaching, the papers", "`ParkMiller(seed=1)`", near_power(clrng.ParkMiller(seed=1).period or 0),
         giga(rates.get("clrng Park-Miller")), verdict_of("park_miller").said),
        ("an old library's numbers", "`named(name, seed)`", f"from {least}", "", "of each in the catalogue"),
    ]  # fmt: skip
    return table(["use", "generator", "period", "10⁹ float32/s, H200", "verdict"], [*lines, *old], text=5)
