"""What test batteries said, by the records under `benchmarks/results/quality`: tables, and a verdict a generator."""

import json
import math
import re
from collections.abc import Iterable
from functools import cache

from measured import RESULTS, SUPERSCRIPTS, Row, near_power, power, table, three

from clrng import NAMED
from clrng.quality.batteries import COUNT, CRUSH_TESTS, LINEAR_BITS, LINEAR_PLACES, MIN_BYTES
from clrng.quality.short_battery import FAIL, SUSPICIOUS

FOLDER = RESULTS / "quality"

PLAIN = {
    "BCFN": "bit counts",
    "BRank": "matrix ranks",
    "BirthdaySpacings": "birthday spacings",
    "ClosePairs": "close pairs",
    "Collision": "collisions",
    "CollisionOver": "collisions",
    "CouponCollector": "the coupon collector",
    "DC6": "bit counts",
    "FPF": "leading zeros",
    "Gap": "gaps",
    "HammingCorr": "Hamming weights",
    "HammingIndep": "Hamming weights",
    "HammingWeight2": "Hamming weights",
    "LinearComp": "linear complexity",
    "MatrixRank": "matrix ranks",
    "MaxOft": "the maximum of t",
    "RandomWalk1": "random walks",
    "SimpPoker": "poker hands",
    "TMFn": "mirrored frequencies",
    "WeightDistrib": "weight distributions",
    "mod3n": "remainders by 3",
}
"""Names of tests in TestU01 and PractRand, and what is tested."""

LINEAR = ("matrix ranks", "rank of matrices", "linear complexity", "three bits at lags")
"""How the names of tests begin that see nothing but linear relations between bits."""

SMALL = 2**32
"""Bytes within which a generator that fails is for old work alone."""

WHOLE = 64
"""The bits of words that are all of a raw value, of which the lowest may be bad and the highest good."""

TITLES = {
    "short": "the short battery", "smallcrush": "SmallCrush", "crush": "Crush", "practrand": "PractRand",
    "linearcomp": "linear complexity", "dieharder": "dieharder",
}  # fmt: skip

ABOUT = {
    "short": "clrng's own, which its gate runs; it has the tests that classic generators are known to fail",
    "smallcrush": "ten tests of TestU01 by P. L'Ecuyer and R. Simard, ACM TOMS 33(4), 2007",
    "crush": f"{CRUSH_TESTS} tests of TestU01",
    "practrand": f"by C. Doty-Humphrey: tests on {power(MIN_BYTES.bit_length() - 1)}, {power(MIN_BYTES.bit_length())}, "
    "… bytes, up to the first failure",
    "linearcomp": f"TestU01's `scomp_LinearComp`, of the bits {' and '.join(map(str, LINEAR_PLACES))} of each word, on "
    f"{', '.join(near_power(bits) if bits > 10**4 else power(bits.bit_length() - 1) for bits in LINEAR_BITS)} bits",
    "dieharder": "by R. G. Brown: Marsaglia's Diehard tests, those of NIST and others",
}
"""What each battery is."""


@cache
def records() -> dict[str, dict[str, Row]]:
    """Return the records of each generator by the names of their files, the generators as the catalogue has them."""
    found: dict[str, dict[str, Row]] = {}
    for path in sorted(FOLDER.glob("*/*.json")):
        found.setdefault(path.parent.name, {})[path.stem] = json.loads(path.read_text())
    names = [*found.keys() - NAMED.keys(), *NAMED]
    return {name: found[name] for name in sorted(names, key=names.index) if name in found}


def spread(values: Iterable[int]) -> str:
    """Return the least and the largest of numbers of bytes in 10^6 or 10^9, or one where they look alike."""
    found = sorted(values)
    size, unit = (10**9, "GB") if found[-1] >= 10**9 else (10**6, "MB")
    least, most = three(found[0] / size), three(found[-1] / size)
    return f"{most} {unit}" if least == most else f"{least} to {most} {unit}"


def read() -> list[str]:
    """Return a line for each battery: what it is, and how many p-values it gave and how much it read for a record."""
    lines = []
    for name, title in TITLES.items():
        found = [record for of_one in records().values() for record in of_one.values() if record["battery"] == name]
        bytes_read = spread(record["bytes"] for record in found) if found else "what its tests need"
        if name == "practrand":
            lines.append([title, ABOUT[name], "those that it finds unusual", "what `--up-to` says"])
        else:
            lines.append([title, ABOUT[name], str(max(r["p_values"] for r in found)) if found else "", bytes_read])
    return table(["battery", "what it is", "p-values", "reads"], lines, text=4)


def outside(limit: float) -> str:
    """Return that a p-value is nearer to 0 or to 1 than a power of ten."""
    exponent = round(math.log10(limit))
    near = f"10{str(exponent).translate(SUPERSCRIPTS)}"
    return f"a p-value below {near} or above 1 - {near}"


def rule() -> list[str]:
    """Return what is said of tests and of generators, and of which."""
    chance = f"by chance one of {1 / (2 * SUSPICIOUS):.0f} of a good generator"
    lines = [
        ["fails", f"a test with {outside(FAIL)}"],
        ["suspicious", f"a test with {outside(SUSPICIOUS)} that does not fail: {chance}"],
        ["only to reproduce old work", f"a generator that fails within {near_power(SMALL)} bytes"],
        ["not for large simulations", "a generator that fails later"],
    ]
    return table(["it is said", "of"], lines, text=2)


def plain(test: str) -> str:
    """Return what a test looks at, or its own name where that is not known."""
    kind = re.sub(r"^(\d+ |\[[^]]*\])*", "", test)
    known = [name for name in PLAIN if re.match(rf"{re.escape(name)}(?![a-z])", kind)]
    return PLAIN[max(known, key=len)] if known else kind.partition(",")[0]


def failures(record: Row) -> list[Row]:
    """Return the results that fail, the worst first."""
    return [result for result in record["results"] if result["verdict"] == "fails"]


def of_words(record: Row) -> list[str]:
    """Return what the failing tests look at, but for linear relations between bits; the worst first."""
    kinds = [plain(result["name"]) for result in failures(record)]
    return [kind for kind in kinds if not kind.startswith(LINEAR)]


def size_of(record: Row) -> int:
    """Return within how many bytes a record has failures."""
    size: int = record["first_failing_size"] or record["bytes"] or SMALL
    return size


def failing(record: Row, kind: str) -> str:
    """Return that a record fails a kind of tests, and where."""
    if record["first_failing_size"]:
        return f"{kind} at {near_power(record['first_failing_size'])} bytes"
    title = TITLES[record["battery"]]
    return kind if kind == title else f"{kind} in {title}"


def tested(found: Iterable[Row]) -> str:
    """Return what a generator passed."""
    told = []
    for record in found:
        title = TITLES[record["battery"]]
        if record["battery"] == "practrand":
            title += f" to {near_power(record['bytes'])} bytes"
        elif not record["ended"]:
            title = f"{len(record['tests'])} tests of {title}"
        if title not in told:
            told.append(title)
    return " and ".join(filter(None, (", ".join(told[:-1]), *told[-1:])))


def sequential(found: dict[str, Row]) -> list[Row]:
    """Return the records of a generator's sequential stream, but for those of distributions."""
    return [
        record
        for record in found.values()
        if record["streams"] == "sequential" and record["output"] in ("raw", "uniform")
    ]


def verdict(found: dict[str, Row]) -> str:
    """Return in a line what the records of a generator's sequential stream mean, by the rule that the page says."""
    every = sorted(sequential(found), key=lambda record: list(TITLES).index(record["battery"]))
    whole = [record for record in every if record["bits"] == WHOLE and record["failing"]]
    said, hopeless = judged([record for record in every if record not in whole] or whole)
    if hopeless or not whole or len(whole) == len(every):
        return said
    first = min(whole, key=size_of)
    return f"{said}; all 64 bits of raw values fail {failing(first, plain(failures(first)[0]['name']))}"


def judged(records: list[Row]) -> tuple[str, bool]:
    """Return what records mean, and whether the generator is for old work alone."""
    bad = sorted((record for record in records if record["failing"]), key=size_of)
    if not bad:
        doubtful = sum(record["suspicious"] for record in records)
        doubt = f"; {doubtful} suspicious result{'s' * (doubtful > 1)}" if doubtful else ""
        return f"passes {tested(records)}{doubt}", False
    others = [record for record in bad if of_words(record)]
    if not others:
        first = bad[0]
        return (
            f"fails {failing(first, plain(failures(first)[0]['name']))}, and no test but those of linear relations "
            f"between bits: for work in which bits are not combined by exclusive or"
        ), False
    first = others[0]
    small = size_of(first) < SMALL
    use = "only to reproduce old work" if small else "not for large simulations"
    return f"fails {failing(first, of_words(first)[0])}: {use}", small


def cell(record: Row | None) -> str:
    """Return what one battery said, in a few words."""
    if record is None:
        return "not run"
    if record["first_failing_size"]:
        return f"fails at {near_power(record['first_failing_size'])}"
    if record["battery"] == "practrand":
        return f"passes to {near_power(record['bytes'])}"
    of = f"{record['failing']} of {record['p_values']} fail" if record["failing"] else "passes"
    partly = "" if record["ended"] else f" ({len(record['tests'])} of {CRUSH_TESTS} tests)"
    return of + partly


def chosen(found: dict[str, Row], battery: str, streams: str = "") -> Row | None:
    """Return the record of a battery: of whole bytes where the generator has too few bits for numbers of 32."""
    return found.get(f"{battery}-raw{streams}") or found.get(f"{battery}{streams}")


def verdicts() -> list[str]:
    """Return a line for each generator: what each battery said of its sequential stream, and the verdict."""
    columns = [name for name in TITLES if any(name in found for found in records().values())]
    lines = [
        [f"`{name}`", *(cell(chosen(found, column)) for column in columns), verdict(found)]
        for name, found in records().items()
        if sequential(found)
    ]
    return table(["generator", *(TITLES[column] for column in columns), "verdict"], lines, text=len(columns) + 2)


def dealt() -> list[str]:
    """Return what SmallCrush said of streams that are not the sequential one, and of distributions."""
    columns = ("jumped", "leapfrog", "normal", "exponential")
    lines = []
    for name, found in records().items():
        dealt_ones = [chosen(found, "smallcrush", f"-{column}") for column in columns]
        if any(dealt_ones):
            lines.append([f"`{name}`", cell(chosen(found, "smallcrush")), *map(cell, dealt_ones)])
    titles = [f"{COUNT} streams, jumped", f"leapfrog, every {COUNT}th value", "normal", "exponential"]
    return table(["generator", "sequential", *titles], lines, text=len(columns) + 2)


def worst() -> list[str]:
    """Return the worst p-value of each record."""
    lines = []
    for name, found in records().items():
        for record in found.values():
            result = record["results"][0] if record["results"] else {"name": "none unusual", "p": None}
            lines.append(
                [
                    f"`{name}`", TITLES[record["battery"]], record["output"], record["streams"], result["name"],
                    shown(result["p"]), near_power(record["bytes"]) if record["bytes"] else "",
                ]
            )  # fmt: skip
    return table(["generator", "battery", "words", "streams", "worst test", "p", "bytes"], lines, text=5)


def shown(p: float | None) -> str:
    """Return a p-value as it is read, near to 1 as well as near to 0."""
    if p is None:
        return ""
    if p > 0.5:  # noqa: PLR2004  # nearer to 1
        return f"1 - {1 - p:.1e}" if 0 < 1 - p < 0.01 else f"{p:.3g}" if p < 1 else "1 - 1e-16 or nearer"  # noqa: PLR2004  # short
    return f"{p:.2g}" if p > 0 else "below 1e-300"
