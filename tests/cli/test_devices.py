"""What ``clrng devices`` says of a device whose compiler builds nothing."""

import json

import pytest
from click.testing import CliRunner

import clrng
from clrng.cli.commands import cli
from tests.conftest import DEVICES


def test_a_fault_is_in_the_table_and_in_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clrng.DeviceInfo, "fault", "no [linker]")  # which a table must not take for markup
    table = CliRunner().invoke(cli, ["devices"])
    assert table.exit_code == 0
    assert table.output.count("none: no [linker]") == len(DEVICES)
    rows = json.loads(CliRunner().invoke(cli, ["devices", "--json"]).output)
    assert [(row["fault"], row["arithmetics"]) for row in rows] == [("no [linker]", [])] * len(DEVICES)
    monkeypatch.undo()
    rows = json.loads(CliRunner().invoke(cli, ["devices", "--json"]).output)
    assert [row["fault"] for row in rows] == [info.fault for info in DEVICES]
