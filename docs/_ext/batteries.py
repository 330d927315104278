"""What test batteries said, by the records under `benchmarks/results/quality`: tables, and a verdict a generator."""

import math
from collections.abc import Iterable

from measured import SUPERSCRIPTS, Row, near_power, power, table, three
from quality.verdicts import FAR, SMALL, TITLES, records, sequential  # which is among the scripts

from clrng.quality import verdicts as said
from clrng.quality.batteries import COUNT, CRUSH_TESTS, LINEAR_BITS, LINEAR_PLACES, MIN_BYTES
from clrng.quality.short_battery import FAIL, SUSPICIOUS

ABOUT = {
    "short": "clrng's own tests, which classic generators are known to fail; clrng's gate runs them",
    "smallcrush": "ten tests of TestU01 by P. L'Ecuyer and R. Simard, ACM TOMS 33(4), 2007",
    "crush": f"{CRUSH_TESTS} tests of TestU01",
    "practrand": f"by C. Doty-Humphrey: tests on {power(MIN_BYTES.bit_length() - 1)}, {power(MIN_BYTES.bit_length())}, "
    "… bytes, up to the first failure",
    "linearcomp": f"TestU01's `scomp_LinearComp`, of the bits {' and '.join(map(str, LINEAR_PLACES))} of each word, on "
    f"{', '.join(near_power(bits) if bits > 10**4 else power(bits.bit_length() - 1) for bits in LINEAR_BITS)} bits",
    "dieharder": "by R. G. Brown: Marsaglia's Diehard tests, those of NIST and others",
}
"""What each battery is."""


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
    chance = f"by chance, one result in {1 / (2 * SUSPICIOUS):.0f} of a good generator"
    far = near_power(FAR)
    lines = [
        ["fails", f"a test with {outside(FAIL)}"],
        ["suspicious", f"a test that does not fail, with {outside(SUSPICIOUS)}: {chance}"],
        [said.OLD_WORK, f"a generator that fails within {near_power(SMALL)} bytes"],
        [said.NOT_LARGE, "a generator that fails later"],
        [said.NOT_LINEAR, "a generator that fails only tests of linear relations between bits"],
        [said.HIGHEST, "a generator that fails no test of words of 32 bits, but fails one of words of 64"],
        ["passes", "a generator that fails no test that was run; lists name only the large batteries"],
        [
            "recommended",
            f"a generator that passes Crush, also with jumped and spawned streams, and PractRand to {far} bytes",
        ],
    ]
    return table(["words", "said of"], lines, text=2)


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
        [f"`{name}`", *(cell(chosen(found, column)) for column in columns), said.verdict_of(name).said]
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


def parallel() -> list[str]:
    """Return what the large batteries said of streams for parallel work."""
    kinds = ("jumped", "spawned")
    lines = []
    for name, found in records().items():
        for battery in ("crush", "practrand"):
            several = [found.get(f"{battery}-{kind}") for kind in kinds]
            if any(several):
                lines.append([f"`{name}`", TITLES[battery], *map(cell, several)])
    return table(["generator", "battery", *(f"{COUNT} streams, {kind}" for kind in kinds)], lines, text=4)


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
