"""The tables of the performance pages, each made from the results of one experiment."""

import math
from typing import Any

from measured import (
    DEVICES,
    GPU,
    Row,
    about,
    each_device,
    giga,
    near_power,
    of_wall,
    power,
    report,
    reports,
    rows,
    seconds,
    share,
    table,
    three,
)

import clrng
from clrng.quality.verdicts import NO_FAILURE, recommended, verdict_of

ARITHMETICS = {name: f"`{name}`" for name in clrng.ARITHMETICS}
LARGEST = 2**30
"""Values of the largest fills of the divide-and-conquer algorithm."""

STREAMS = 4_000_000

MILLION = 10**6


def fill() -> list[str]:
    """Park-Miller in each arithmetic beside the wall, and its steps alone."""

    def cells(device: str) -> list[list[str]]:
        found = rows(device, "fill")
        names = sorted(found["fills"], key=lambda name: name in ARITHMETICS)
        others = {"wall": "plain stores, the wall"}
        return [
            [
                ARITHMETICS.get(name) or others.get(name, "plain stores through the caches"),
                giga(found["fills"][name]),
                of_wall(found["fills"][name]),
                giga(found["registers"].get(name)),
            ]
            for name in names
        ]

    return each_device("fill", ["", "fill", "of the wall", "in registers"], cells)


def limits() -> list[str]:
    """Rates beside what the arithmetic would allow."""

    def cells(device: str) -> list[list[str]]:
        lines = []
        for name, one in rows(device, "limits").items():
            if "fill" not in one or name.startswith("LCG"):  # compilers make one step of several of an LCG mod 2^k
                continue
            registers, filled = one.get("registers"), one.get("fill")
            lines.append(
                [name, giga(registers), share((registers or {}).get("of limit")), giga(filled),
                 share((filled or {}).get("of best"))]
            )  # fmt: skip
        return lines

    return each_device("limits", ["", "in registers", "of the limit", "fill", "of the best"], cells)


def generators() -> list[str]:
    """One exact stream of each family, in the arithmetic that auto takes: the fastest measured."""

    def cells(device: str) -> list[list[str]]:
        lines = []
        for name, found in rows(device, "generators").items():
            rates = [rate for who, rate in found.items() if who in clrng.ARITHMETICS]
            best = max(rates, key=lambda rate: float(rate["rate"]), default=None)
            lines.append([name, giga(best), of_wall(best)])
            if "cuRAND" in found:
                lines.append([f"{name}, of cuRAND", giga(found["cuRAND"]), of_wall(found["cuRAND"])])
        return lines

    return each_device("generators", ["", "fill", "of the wall"], cells)


def engines() -> list[str]:
    """Today's engines: raw values, floats and normal numbers as shares of the wall, beside cuRAND's Philox."""
    calls = [f"{what}, {kind}" for what in ("random", "standard_normal") for kind in ("float32", "float64")]
    lines = []
    for found in reports("engines"):
        rates = {call: row["rates"] for call, row in found["rows"].items()}
        names = dict.fromkeys(name for row in rates.values() for name in row if name != "wall")
        columns = [rates["random_raw, uint32"] | rates["random_raw, uint64"], *(rates.get(call, {}) for call in calls)]
        cells = [[name.removeprefix("clrng "), *(of_wall(column.get(name)) for column in columns)] for name in names]
        header = ["", "raw", "float32", "float64", "normal, float32", "normal, float64"]
        lines += ["", f"**{found['device']}**: {about(found)}.", "", *table(header, cells)]
    return [*lines, ""]


def lagged() -> list[str]:
    """Lagged Fibonacci generators against their lags, beside what else was measured in the same run."""

    def cells(device: str) -> list[list[str]]:
        lines = []
        for name, one in rows(device, "lagged_fibonacci").items():
            rates = one["rates"]
            lowest = min(rates[op].get("ratio", math.nan) for op in ("+", "-", "xor") if op in rates)
            others = [giga(rates.get(who)) for who in ("C loop +", "published +", "cuRAND MT19937")]
            lines.append([name, giga(rates["+"]), share(lowest), of_wall(rates.get("*")), *others])
        return lines

    header = ["lags", "`+`", "of the wall", "`*`, of the wall", "C loop", "published 2012", "cuRAND MT19937"]
    return each_device("lagged_fibonacci", header, cells)


def set_up() -> list[str]:
    """Return what the first call of a lagged Fibonacci generator costs beyond its build: of half the size, later."""

    def cells(device: str) -> list[list[str]]:
        rates = {name: row["rates"]["+"] for name, row in rows(device, "lagged_fibonacci").items()}
        what = ("first call", "first call at half the size")
        return [[name, *(seconds(rate[one]) for one in what)] for name, rate in rates.items()]

    return each_device("lagged_fibonacci", ["lags", "first call", "first call of another size"], cells)


def growth() -> list[str]:
    """Return what a request costs against its size."""

    def cells(device: str) -> list[list[str]]:
        found = rows(device, "growth")
        names = {"wall": "plain stores"}
        return [[names.get(name, name), least(one), values(one.get("knee"))] for name, one in found.items()]

    return each_device("growth", ["", "the least request", "half the highest rate from"], cells)


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

    def cells(device: str) -> list[list[str]]:
        lines = []
        for name, found in rows(device, "latency").items():
            if "nothing built" in found:
                first = [seconds(found["nothing built"][what]["seconds"]) for what in ("build", "first call")]
                lines.append([name, *first, seconds(found["built before"]["first call"]["seconds"])])
        return lines

    return each_device("latency", ["", "build", "first call", "first call, warm caches"], cells)


def beginnings() -> list[str]:
    """Return what a new process waits for."""
    told = {device: rows(device, "latency")["seconds"] for device in DEVICES}
    lines = [[name, *(seconds(found[name]) for found in told.values())] for name in told[GPU]]
    return table(["", *told], lines)


def streams() -> list[str]:
    """Rates of resident streams."""
    lines = []
    for device in DEVICES:
        found: Any = rows(device, "streams")
        found = list(found.values()) if isinstance(found, dict) else found  # older records are lists
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

    def cells(device: str) -> list[list[str]]:
        lines, found = [], rows(device, "paper_2008")
        for name in ("limbs-2008", "double-2009", "float-nofma", "float", "double", "integer"):
            rate = found[f"{STREAMS} streams"]["rates"][name]
            times = rate["rate"] / found["C loop"]["rate"]
            of_registers = share(rate["rate"] / found[f"registers, {name}"]["rate"])
            lines.append([published_name(name), giga(rate), three(times), of_registers])
        return lines

    return each_device("paper_2008", ["", "rate", "over the C loop", "of registers"], cells)


def published_name(name: str) -> str:
    """Return the name of an arithmetic, and that it is as published where it is."""
    return f"`{name}`{', as published' if '-20' in name else ''}"


def paper_2009() -> list[str]:
    """Rates of the best launches for the next 1, 10 and 100 values of each stream."""

    def cells(device: str) -> list[list[str]]:
        found = rows(device, "paper_2009")
        return [
            [published_name(name), *(giga(best(found[f"best of {name}, {n} values"], name)) for n in (1, 10, 100))]
            for name in ("double-2009", "double", "integer")
        ]

    return each_device("paper_2009", ["", "1 value", "10 values", "100 values"], cells)


def best(found: Row, name: str) -> Row:
    """Return the rate of an arithmetic in a row that may have it by name among others."""
    row: Row = found if "rate" in found else found["rates"].get(name) or next(iter(found["rates"].values()))
    return row


def published() -> list[str]:
    """Return the rates that the papers of 2008 and 2009 give."""
    told = report(GPU, "paper_2008")["published"]
    return table(["published", "10⁹ values a second"], [[name, three(rate / 1e9)] for name, rate in told.items()])


def paper_2012() -> list[str]:
    """Return the published algorithm and clrng's fill of 2^30 values, beside the C loop."""
    lines = []
    found = rows(GPU, "paper_2012")
    for name, bits in (("Numerical Recipes, 2^32", 32), ("MMIX, 2^64", 64), ("Park-Miller, 2^31 - 1", 32)):
        rates = found[f"n = {LARGEST}, {bits} bits"]["rates"]
        old, new = rates[f"published: {name}"], rates[f"direct: {name}"]
        cells = [name, *(text for one in (old, new) for text in (giga(one), three(one["speed-up"])))]
        lines.append([*cells, share(old["rate"] / new["rate"])])
    header = ["published", "over the C loop", "clrng's fill", "over the C loop", "published / fill"]
    return table([f"{GPU}, {power(30)} values", *header], lines)


def pi() -> list[str]:
    """Points a second of an estimate of pi, the fastest first."""
    names = sorted(rows(GPU, "pi"), key=lambda name: -rows(GPU, "pi")[name]["rate"])
    lines = [[for_old_work(name), *(giga(rows(device, "pi").get(name)) for device in DEVICES)] for name in names]
    return table(["", *DEVICES], lines)


NEW_WORK: list[tuple[str, str, clrng.BitGenerator, str, str]] = [
    ("nearly everything: NumPy's stream, independent ones by `spawn`", "`default_rng(seed)`", clrng.PCG64(0),
     "numpy_pcg64", "PCG64"),
    ("millions of streams that are compared with one another", "`PCG64DXSM(seed)`", clrng.PCG64DXSM(0),
     "numpy_pcg64dxsm", "PCG64DXSM"),
    ("simulation in L'Ecuyer's streams; a second opinion", "`MRG32k3a()`", clrng.MRG32k3a(), "mrg32k3a", "MRG32k3a"),
    ("very long streams, with a theory of chaos behind them; slow", '`named("root_ranluxpp", seed)`',
     clrng.named("root_ranluxpp", 1), "root_ranluxpp", "RANLUX++"),
]  # fmt: skip
"""What to choose for new work: how it is made, its period's generator, its name in the records of batteries and in
those of peers."""


def for_old_work(name: str) -> str:
    """Return what a rate is of; of a generator of clrng that is not for new work, that it is for old work."""
    ours = tuple(f"clrng {peer}" for *_, peer in NEW_WORK)
    return f"{name}; for old work" if name.startswith("clrng ") and not name.startswith(ours) else name


def choices() -> list[str]:
    """Return which generator to take: its period, how fast it fills float32 on a GPU, and what batteries found.

    Raises
    ------
    ValueError
        If a test battery found a failure of one for new work.
    """
    rates = rows(GPU, "peers")["float32, device"]["rates"]
    lines = []
    for use, how, bits, name, peer in NEW_WORK:
        if verdict_of(name).short != NO_FAILURE:
            raise ValueError(f"{name} is not for new work: it {verdict_of(name).said}")
        rate = giga(rates.get(f"clrng {peer}")) or "not measured"
        lines.append([use, how, near_power(bits.period or 0), rate, recommended(name, verdict_of(name).said)])
    known = [one.make(one.seeds[0]).period for one in clrng.NAMED.values() if not one.name.startswith(("boost", "lfg"))]
    least = near_power(min(period for period in known if period))
    old = [
        ("teaching, the papers", "`ParkMiller(seed=1)`", near_power(clrng.ParkMiller(seed=1).period or 0),
         giga(rates.get("clrng Park-Miller")), verdict_of("park_miller").said),
        ("an old library's numbers", "`named(name, seed)`", f"from {least}", "", "the catalogue has that of each"),
    ]  # fmt: skip
    return table(["use", "generator", "period", f"10⁹ float32/s, {GPU}", "verdict"], [*lines, *old], text=5)
