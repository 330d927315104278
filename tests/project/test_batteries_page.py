"""The page of test batteries: its verdicts follow the rule that it states, and are of every record."""

import json
import sys
from typing import Any

import pytest

from tests.support.pages import DOCS, ROOT

sys.path.insert(0, str(DOCS / "_ext"))

import batteries

from clrng.cli.options import DESCRIPTIONS
from clrng.quality.batteries import BATTERIES

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


@pytest.mark.parametrize(("records", "said"), CASES, ids=range(len(CASES)))
def test_verdicts(records: list[Record], said: str) -> None:
    assert batteries.verdict({str(i): row for i, row in enumerate(records)}) == said


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
    verdicts, worst = batteries.verdicts(), batteries.worst()
    assert len(worst) == 2 + len(paths)
    for path in paths:
        found = json.loads(path.read_text())
        assert path.parent.name == found["generator"]
        assert sum(line.startswith(f"| `{path.parent.name}` |") for line in verdicts) == 1
        assert found["command"].startswith(f"clrng quality -g {found['generator']} ")
        failing = sum(result["verdict"] == "fails" for result in found["results"])
        assert failing == min(found["failing"], 200)


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
    assert "below 10⁻⁴ or above 1 - 10⁻⁴ that does not fail: by chance one of 5000 of a good generator" in told
    assert "within 2³² bytes" in told
