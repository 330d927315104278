"""The published digests of random orders: the file, what devices give, and what is said of what is wrong."""

import os
from dataclasses import replace
from typing import Any

import pyopencl as cl
import pytest
from click.testing import CliRunner

import clrng
from clrng.cli.commands import cli
from clrng.cli.verify import VARIABLE
from clrng.quality import digests
from clrng.quality.digests import GENERATORS, PERMUTATIONS
from tests.support import make_drawn_digests

ENTRIES = digests.entries(PERMUTATIONS)


@pytest.mark.parametrize("length", make_drawn_digests.LENGTHS)
def test_the_file_is_what_the_definition_gives(length: int) -> None:
    entry = ENTRIES[f"permutation_{length}"]
    assert entry.length == length
    assert list(entry.pieces) == make_drawn_digests.order_pieces(length)
    assert len(ENTRIES) == len(make_drawn_digests.LENGTHS)


@pytest.mark.parametrize("name", ENTRIES)
def test_every_device_gives_the_published_digests(queue: cl.CommandQueue, name: str) -> None:
    finding = digests.finding(queue, ENTRIES[name], lambda _: None)
    assert finding.passed, finding
    assert finding.cases == ENTRIES[name].length * len(ENTRIES[name].pieces)


def test_what_is_wrong_is_said(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = ENTRIES["permutation_4096"]
    (piece, *_) = entry.pieces

    def said(**changes: Any) -> str:
        spoilt = replace(entry, pieces=(replace(piece, **changes),))
        finding = digests.finding(queue, spoilt, lambda _: None)
        assert not finding.passed
        return finding.detail

    where = f"the order of park_miller after 0 raw values begins with {piece.first}"
    assert said(sha256="0" * 64) == f"{where}, as published, but not all is"
    assert said(sha256="0" * 64, first=-1) == f"{where}, not -1"

    def refused(*_: Any, **__: Any) -> None:
        raise clrng.BuildError("the compiler refused it\nline 1", "", "")

    monkeypatch.setattr(clrng.Generator, "permutation", refused)
    assert said() == "BuildError: the compiler refused it"


def test_the_command_compares_permutations(monkeypatch: pytest.MonkeyPatch) -> None:
    one = ENTRIES["permutation_100000"]
    known = {GENERATORS: {"lrand48": digests.entries()["lrand48"]}, PERMUTATIONS: {one.name: one}}
    monkeypatch.setattr(digests, "entries", lambda table=GENERATORS: known.get(table, {}))
    ran = CliRunner(env={VARIABLE: os.devnull}).invoke(cli, ["verify", "--digests", "--device", "0"])
    assert ran.exit_code == 0, ran.output
    assert f"{one.name:30} {len(one.pieces):2} pieces  ok" in ran.output
    assert "of 1 of 1 generators, of 0 distributions and of 1 permutations compared" in ran.output
