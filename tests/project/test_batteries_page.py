"""The verdicts of test batteries: by the rule that the page states, of every record, and the same everywhere."""

import json
import re
import sys
from typing import Any

import pytest
from click.testing import CliRunner

import clrng
from tests.support.pages import DOCS, README, ROOT

sys.path.insert(0, str(DOCS / "_ext"))

import batteries
import catalogue
import tables
from quality import verdicts  # which is among the scripts

from clrng.cli.commands import cli
from clrng.cli.options import COMMANDS, DESCRIPTIONS
from clrng.quality.batteries import BATTERIES
from clrng.quality.verdicts import (
    FILE,
    HIGHEST,
    NO_FAILURE,
    NOT_LARGE,
    NOT_LINEAR,
    OLD_WORK,
    RECOMMENDED,
    UNTESTED,
    VERDICTS,
    brief_of,
    verdict_of,
)  # fmt: skip

Record = dict[str, Any]


def record(battery: str, *failing: str, size: int | None = None, **others: Any) -> Record:
    """Return a record of a battery in which these tests fail, the worst first."""
    output = "uniform" if battery in ("smallcrush", "crush", "linearcomp") else "raw"
    return {
        "battery": battery, "output": output, "streams": "sequential", "bits": 32, "ended": True, "p_values": 15,
        "bytes": {"crush": 2**37, "practrand": 2**34}.get(battery, 2**29), "failing": len(failing), "suspicious": 0,
        "first_failing_size": size, "results": [{"name": name, "p": 0.0, "verdict": "fails"} for name in failing],
        **others,
    }  # fmt: skip


LINEAR = (
    "and no test but those of linear relations between bits: for work in which bits are not combined by exclusive or"
)

CASES: list[tuple[list[Record], str]] = [
    ([record("smallcrush"), record("practrand")], "passes SmallCrush and PractRand to 2³⁴ bytes"),
    ([record("crush", tests=[1, 2], ended=False)], "passes 2 tests of Crush"),
    ([record("smallcrush", suspicious=2)], "passes SmallCrush; 2 suspicious results"),
    ([record("smallcrush", "BirthdaySpacings", "Gap")],
     "fails birthday spacings in SmallCrush: only to reproduce old work"),
    ([record("smallcrush", "MaxOft AD"), record("practrand", "[Low1/32]BCFN(2+0,13-7,T)", size=2**24)],
     "fails bit counts at 2²⁴ bytes: only to reproduce old work"),
    ([record("smallcrush"), record("practrand", "Gap-16:B", size=2**33)],
     "fails gaps at 2³³ bytes: not for large simulations"),
    ([record("smallcrush"), record("crush", "71 LinearComp, r = 0", "56 MatrixRank, 300 x 300")],
     f"fails linear complexity in Crush, {LINEAR}"),
    ([record("practrand", "BRank(12):256(1)", size=2**20), record("smallcrush", "MatrixRank")],
     f"fails matrix ranks at 2²⁰ bytes, {LINEAR}"),
    ([record("practrand", "BRank(12):256(1)", size=2**20), record("smallcrush", "MatrixRank", "RandomWalk1 H")],
     "fails random walks in SmallCrush: only to reproduce old work"),
    ([record("practrand", "BRank(12):256(1)", size=2**20), record("crush", "74 SomethingNew, r = 3")],
     "fails SomethingNew in Crush: not for large simulations"),
    ([record("smallcrush"), record("practrand", output="uniform"),
      record("practrand", "Gap-16:B", size=2**20, bits=64)],
     "passes SmallCrush and PractRand to 2³⁴ bytes; all 64 bits of raw values fail gaps at 2²⁰ bytes"),
    ([record("short", "linear complexity of lowest bits", "rank of matrices 320 by 320", "three bits at lags")],
     f"fails linear complexity of lowest bits in the short battery, {LINEAR}"),
    ([record("short", "linear complexity of lowest bits", "three words at lags")],
     "fails three words at lags in the short battery: only to reproduce old work"),
    ([record("practrand", "Gap-16:B", size=2**20, bits=64)], "fails gaps at 2²⁰ bytes: only to reproduce old work"),
    ([record("smallcrush", "Gap", streams="jumped"), record("smallcrush", "Gap", output="normal"),
      record("smallcrush")], "passes SmallCrush"),
]  # fmt: skip


SHORT = (NO_FAILURE, NO_FAILURE, NO_FAILURE, OLD_WORK, OLD_WORK, NOT_LARGE, NOT_LINEAR, NOT_LINEAR, OLD_WORK, NOT_LARGE,
         HIGHEST, NOT_LINEAR, OLD_WORK, OLD_WORK, NO_FAILURE)  # fmt: skip
"""The words of each case."""


@pytest.mark.parametrize(
    ("records", "said", "short"),
    [(*case, short) for case, short in zip(CASES, SHORT, strict=True)],
    ids=range(len(CASES)),
)
def test_verdicts(records: list[Record], said: str, short: str) -> None:
    assert verdicts.verdict({str(i): row for i, row in enumerate(records)}) == (short, said)


def test_the_verdicts_of_the_package_are_those_of_the_records() -> None:
    """``python benchmarks verdicts`` makes them."""
    assert FILE.read_text("utf-8") == verdicts.written(verdicts.every_verdict())
    named = {path.parent.name for path in verdicts.FOLDER.glob("*/*.json")}
    assert named == {"mrg32k3a", *clrng.NAMED} & set(VERDICTS)
    assert VERDICTS["mmix"].short == VERDICTS["lfg_418_1279"].short == VERDICTS["randu"].short == OLD_WORK
    assert VERDICTS["numpy_pcg64"].short == NO_FAILURE
    assert VERDICTS["std_mt19937"].short == NOT_LINEAR
    assert verdict_of("lcg").short == UNTESTED


def test_without_records_the_verdicts_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    before = FILE.read_text("utf-8")
    monkeypatch.setattr(verdicts, "records", dict)
    with pytest.raises(SystemExit, match="^Error: there are no records in "):
        verdicts.main()
    assert FILE.read_text("utf-8") == before


def test_families_have_the_verdict_of_a_name_with_the_same_parameters() -> None:
    others = set(VERDICTS) - set(clrng.NAMED) - {"mrg32k3a"}
    assert others == {
        "park_miller",
        "pcg64_dxsm",
        "lfsr113",
        "mt19937",
        "mt19937_64",
        "ranluxpp",
        "philox",
        "splitmix",
        "counter_based",
    }
    for name, one in {"park_miller": "minstd_rand0", "ranluxpp": "root_ranluxpp", "mt19937": "std_mt19937"}.items():
        assert COMMANDS[name].generator is type(clrng.named(one, 1))
        assert VERDICTS[name] == VERDICTS[one]


def column(text: str, title: str) -> dict[str, str]:
    """Return the cells of a column of a table in Markdown by those of its second column, the generators."""
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    at = lines[0].index(title)
    return {cells[1]: cells[at] for cells in lines[2:]}


OLD = {"`ParkMiller(seed=1)`", "`named(name, seed)`"}
"""What is for old work, in a table of what to choose."""


@pytest.mark.parametrize("text", [README, "\n".join(tables.choices())], ids=["README", "choosing"])
def test_nothing_is_for_new_work_that_a_battery_rejects(text: str) -> None:
    table = text[text.index("| use | generator |") :].split("\n\n", maxsplit=1)[0]
    found = column(table, "verdict")
    told = {how: name for _, how, _, name, _ in tables.NEW_WORK}
    assert found.keys() - OLD == told.keys()
    for how, name in told.items():
        assert VERDICTS[name].short == NO_FAILURE
        assert found[how].removeprefix("recommended; ") == VERDICTS[name].said
        assert found[how].startswith("recommended; passes " if name in RECOMMENDED else "passes ")
    assert found["`ParkMiller(seed=1)`"] == VERDICTS["park_miller"].said
    assert found["`ParkMiller(seed=1)`"].endswith(OLD_WORK)


def test_what_fails_is_not_for_new_work(monkeypatch: pytest.MonkeyPatch) -> None:
    row = ("most values", "`named('mmix', 1)`", clrng.named("mmix", 1), "mmix", "LCG 2^64")
    monkeypatch.setattr(tables, "NEW_WORK", [*tables.NEW_WORK, row])
    with pytest.raises(ValueError, match="mmix is not for new work: it fails .* only to reproduce old work$"):
        tables.choices()


ADVICE = re.compile(r"\b(recommend|we advise|good choice|best choice|should take|prefer)", re.IGNORECASE)
REJECTED = ("LCG", "LaggedFibonacci", "lagged Fibonacci", "Park-Miller", "ParkMiller",
            *(name for name, told in VERDICTS.items() if told.short in (OLD_WORK, NOT_LARGE)))  # fmt: skip
"""How the text calls what a battery rejects."""


def test_no_sentence_recommends_what_a_battery_rejects() -> None:
    pages = [ROOT / "README.md", *DOCS.glob("*.md"), *DOCS.glob("*/*.md")]
    sentences = [one for path in pages for one in re.split(r"(?<=[.:;])\s+", re.sub(r"\s+", " ", path.read_text()))]
    advice = [one for one in sentences if ADVICE.search(one)]
    assert advice
    names = "|".join(map(re.escape, REJECTED))
    assert [one for one in advice if re.search(rf"(?<![\w-])({names})(?![\w-])", one)] == []


def listed() -> dict[str, str]:
    """Return the verdicts that ``clrng generators`` prints, by the names of the generators."""
    found, name = {}, ""
    for line in CliRunner().invoke(cli, ["generators"], env={"COLUMNS": "200"}).output.splitlines():
        if line[0] == "│":
            first, about = (cell.strip() for cell in line.split("│")[1:3])
            name = first or name
            if about.startswith("verdict: "):
                found[name] = about.removeprefix("verdict: ")
    return found


def test_the_catalogue_and_the_command_have_the_verdicts() -> None:
    overview = "\n".join(catalogue.overview(clrng.NAMED))
    for name in clrng.NAMED:
        assert f":verdict: {verdict_of(name).said}" in catalogue.entry(name)
        (line,) = (line for line in overview.splitlines() if f"(#{name})" in line)
        assert line.endswith(f"| {brief_of(name)} |")
    assert listed() == {name: brief_of(name) for name in DESCRIPTIONS}


def test_lists_say_which_large_batteries_a_generator_passes() -> None:
    for name in DESCRIPTIONS:
        said, told = VERDICTS.get(name, verdict_of(name)), brief_of(name)
        assert told.startswith("recommended; ") == (name in RECOMMENDED)
        if said.short != NO_FAILURE:
            assert told == said.short
        else:
            assert re.search(r"passes (\w+, )*SmallCrush", told)
            for battery in (", Crush", "PractRand to "):
                assert (battery in told) == (battery in said.said)
    assert brief_of("pcg64") == "passes SmallCrush, PractRand to 2³⁴ bytes"


def test_what_is_recommended_has_all_records_that_this_asks_for() -> None:
    assert tuple(name for name, found in verdicts.records().items() if verdicts.is_recommended(found)) == RECOMMENDED
    assert tables.NEW_WORK[0][3] == RECOMMENDED[0]
    for name in RECOMMENDED:
        found = verdicts.records()[name]
        for missing in ("crush", "crush-jumped", "crush-spawned", "practrand"):
            assert not verdicts.is_recommended({key: record for key, record in found.items() if key != missing})
        assert not verdicts.is_recommended(found | {"crush-jumped": found["crush-jumped"] | {"failing": 1}})
        assert not verdicts.is_recommended(found | {"practrand": found["practrand"] | {"bytes": verdicts.FAR - 1}})


@pytest.mark.parametrize(
    ("p", "said"),
    [(0.0, "below 1e-300"), (3e-12, "3e-12"), (0.25, "0.25"), (0.75, "0.75"), (1 - 1e-11, "1 - 1.0e-11"),
     (1.0, "1 - 1e-16 or nearer"), (None, "")],
)  # fmt: skip
def test_p_values_are_shown_near_both_ends(p: float | None, said: str) -> None:
    assert batteries.shown(p) == said


def test_every_record_is_on_the_page() -> None:
    paths = sorted((ROOT / "benchmarks" / "results" / "quality").glob("*/*.json"))
    assert {path.parent.name for path in paths} <= set(DESCRIPTIONS)
    lines, worst = batteries.verdicts(), batteries.worst()
    assert len(worst) == 2 + len(paths)
    for path in paths:
        found = json.loads(path.read_text())
        assert path.parent.name == found["generator"]
        (line,) = (line for line in lines if line.startswith(f"| `{path.parent.name}` |"))
        assert line.endswith(f"| {VERDICTS[path.parent.name].said} |")
        assert found["command"].startswith(f"clrng quality -g {found['generator']} ")
        failing = sum(result["verdict"] == "fails" for result in found["results"])
        assert failing == min(found["failing"], 200)


def test_how_far_practrand_went() -> None:
    found = [row for of_one in verdicts.records().values() for row in of_one.values() if row["battery"] == "practrand"]
    far = {row["generator"]: row["failing"] for row in found if row["bytes"] >= 2**40}
    assert far == {"numpy_pcg64": 0}
    assert "PractRand has read 2⁴⁰ bytes of the default generator alone:" in (DOCS / "batteries.md").read_text()


def test_streams_for_parallel_work() -> None:
    found = {
        (name, record["battery"], record["streams"]): record
        for name, of_one in verdicts.records().items()
        for record in of_one.values()
        if record["streams"] in ("jumped", "spawned") and record["battery"] in ("crush", "practrand")
    }
    tested = {key: (record["ended"], record["failing"]) for key, record in found.items() if key[1] == "crush"}
    three = ("numpy_pcg64", "numpy_pcg64dxsm", "mrg32k3a")
    assert tested == {(name, "crush", kind): (True, 0) for name in three for kind in ("jumped", "spawned")}
    spawned = found["numpy_pcg64", "practrand", "spawned"]
    lines = batteries.parallel()[2:]
    assert "| `mrg32k3a` | Crush | passes | passes |" in lines
    size = batteries.near_power(spawned["bytes"])
    assert f"| `numpy_pcg64` | PractRand | not run | passes to {size} |" in lines


def test_what_batteries_read_is_of_the_records() -> None:
    found = [json.loads(path.read_text()) for path in (ROOT / "benchmarks/results/quality").glob("*/crush.json")]
    least, most = (round(limit(row["bytes"] for row in found) / 1e9) for limit in (min, max))
    assert least == most
    (line,) = (line for line in batteries.read() if line.startswith("| Crush |"))
    assert line.endswith(f"| {max(row['p_values'] for row in found)} | {most} GB |")
    assert len(batteries.read()) == 2 + len(BATTERIES) + 1
    assert batteries.spread([3 * 10**8, 10**9]) == "0.300 to 1.00 GB"
    assert batteries.spread([688128]) == "0.688 MB"


def test_the_rule_has_the_limits_of_the_code() -> None:
    told = "\n".join(batteries.rule())
    assert "| a test with a p-value below 10⁻¹⁰ or above 1 - 10⁻¹⁰ |" in told
    assert "below 10⁻⁴ or above 1 - 10⁻⁴: by chance, one result in 5000 of a good generator" in told
    assert "within 2³² bytes" in told
    assert [line.split(" | ")[0].strip("| ") for line in batteries.rule()[4:]] == [
        OLD_WORK, NOT_LARGE, NOT_LINEAR, HIGHEST, "passes", "recommended"
    ]  # fmt: skip
