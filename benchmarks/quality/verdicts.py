"""What the records of test batteries mean for each generator, by a rule that the page of batteries states.

    python benchmarks verdicts

writes `clrng/quality/verdicts.json`, from which every table and ``clrng generators`` have it.
"""

import json
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from harness.powers import near_power

from clrng import NAMED
from clrng.cli.options import COMMANDS, bit_generator
from clrng.quality.verdicts import FILE, HIGHEST, NO_FAILURE, NOT_LARGE, NOT_LINEAR, OLD_WORK, Verdict

FOLDER = Path(__file__).parents[1] / "results" / "quality"

Row = dict[str, Any]

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

FAR = 2**40
"""The bytes of what is recommended that PractRand has read."""

WHOLE = 64
"""The bits of words that are all of a raw value, of which the lowest may be bad and the highest good."""

TITLES = {
    "short": "the short battery", "smallcrush": "SmallCrush", "crush": "Crush", "practrand": "PractRand",
    "linearcomp": "linear complexity", "dieharder": "dieharder",
}  # fmt: skip


@cache
def records() -> dict[str, dict[str, Row]]:
    """Return the records of each generator by the names of their files, the generators as the catalogue has them."""
    found: dict[str, dict[str, Row]] = {}
    for path in sorted(FOLDER.glob("*/*.json")):
        found.setdefault(path.parent.name, {})[path.stem] = json.loads(path.read_text())
    names = [*found.keys() - NAMED.keys(), *NAMED]
    return {name: found[name] for name in sorted(names, key=names.index) if name in found}


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


def verdict(found: dict[str, Row]) -> Verdict:
    """Return what the records of a generator's sequential stream mean, by the rule that the page says."""
    every = sorted(sequential(found), key=lambda record: list(TITLES).index(record["battery"]))
    whole = [record for record in every if record["bits"] == WHOLE and record["failing"]]
    judged_ones = [record for record in every if record not in whole]
    short, said = judged(judged_ones or whole)
    if short == OLD_WORK or not whole or not judged_ones:
        return Verdict(short, said)
    first = min(whole, key=size_of)
    return Verdict(
        HIGHEST if short == NO_FAILURE else short,
        f"{said}; all 64 bits of raw values fail {failing(first, plain(failures(first)[0]['name']))}",
    )


def judged(records: list[Row]) -> Verdict:
    """Return what records mean."""
    bad = sorted((record for record in records if record["failing"]), key=size_of)
    if not bad:
        doubtful = sum(record["suspicious"] for record in records)
        doubt = f"; {doubtful} suspicious result{'s' * (doubtful > 1)}" if doubtful else ""
        return Verdict(NO_FAILURE, f"passes {tested(records)}{doubt}")
    others = [record for record in bad if of_words(record)]
    if not others:
        first = bad[0]
        which = f"{failing(first, plain(failures(first)[0]['name']))}, and no test but those of linear relations"
        return Verdict(NOT_LINEAR, f"fails {which} between bits: {NOT_LINEAR}")
    first = others[0]
    use = OLD_WORK if size_of(first) < SMALL else NOT_LARGE
    return Verdict(use, f"fails {failing(first, of_words(first)[0])}: {use}")


def is_recommended(found: dict[str, Row]) -> bool:
    """Return whether a generator fails nothing, and its records are all that a recommendation asks for."""
    crush = [found.get(f"crush{streams}") for streams in ("", "-jumped", "-spawned")]
    far = any(record["battery"] == "practrand" and record["bytes"] >= FAR for record in sequential(found))
    return verdict(found).short == NO_FAILURE and far and all(record and passes(record) for record in crush)


def passes(record: Row) -> bool:
    """Return whether all tests of a battery were run, and none failed."""
    return bool(record["ended"]) and not record["failing"]


def alike(names: Iterable[str]) -> dict[str, str]:
    """Return for families of the command line that have no records a name of `names` with the same parameters."""
    known = list(names)
    by_parameters = {repr(bit_generator(name).parameters): name for name in reversed(known)}
    found = {}
    for name in COMMANDS.keys() - known:
        with suppress(ValueError):  # those that need parameters
            found[name] = by_parameters.get(repr(bit_generator(name).parameters))
    return {name: one for name, one in sorted(found.items()) if one}


def every_verdict() -> dict[str, Verdict]:
    """Return the verdict on each generator of which there are records, and on the families that are alike."""
    found = {name: verdict(of_one) for name, of_one in records().items() if sequential(of_one)}
    return found | {name: found[one] for name, one in alike(found).items()}


def written(found: dict[str, Verdict]) -> str:
    """Return verdicts as JSON, each in a line."""
    lines = ",\n ".join(f"{json.dumps(name)}: {json.dumps(told, ensure_ascii=False)}" for name, told in found.items())
    return f"{{{lines}}}\n"


def main() -> None:
    """Write the file of the package, in a checkout, which alone has the records."""
    if not records():
        sys.exit(f"Error: there are no records in {FOLDER}")
    FILE.write_text(written(every_verdict()), "utf-8")
    print(f"-> {FILE}")


if __name__ == "__main__":
    main()
