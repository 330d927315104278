"""The tables of the pages of workloads say what the results do."""

import sys

import pytest

from tests.support.pages import DOCS

sys.path.insert(0, str(DOCS / "_ext"))

import worked

ABOUT = {"device": "D", "platform": "P", "driver": "1", "host": "H", "clrng": "1.0"}
READ = {"plain read": {"values": 10**6, "rate": 2e9}, "on the device": {"values": 10**6, "rate": 1e9}}


def test_durations(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {"a": READ, "b": {**READ, "NumPy": {"values": 10**6, "rate": 1e6}}}
    monkeypatch.setattr(worked, "reports", {"x": [{**ABOUT, "rows": rows}]}.__getitem__)
    assert worked.durations("x") == [
        "",
        "D, P 1; clrng 1.0, of no recorded date; NumPy and Python on H.",
        "",
        "|  | plain read | on the device | NumPy | share of the read's rate |",
        "| --- | ---: | ---: | ---: | ---: |",
        "| a | 500 µs | 1.00 ms |  | 0.50 |",
        "| b | 500 µs | 1.00 ms | 1.00 s | 0.50 |",
    ]


def test_rates_and_averages(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = {"mean": 0.5, "error": 0.01, "exact": 0.25, "errors_off": 25}
    rows = {"spins": {"clrng": {"values": 1, "rate": 5e8}}, "T = 2": {"magnetisation": seen, "energy": seen}}
    about = {**ABOUT, "averaged_size": 64, "sweeps": 10, "rows": rows}
    monkeypatch.setattr(worked, "reports", {"x": [about]}.__getitem__)
    assert worked.rates("x")[3:] == ["|  | clrng |", "| --- | ---: |", "| 10⁹ spins a second | 0.500 |"]
    lines = worked.averages("x")
    assert lines[1] == "D, P 1; clrng 1.0, of no recorded date: 64² spins, 10 sweeps at each temperature."
    assert lines[-1] == f"| T = 2 |{' 0.500000 | 0.010000 | 0.250000 |' * 2}"
