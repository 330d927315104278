"""The published digests of distributions: those of the definitions and of every device, and faults that they show."""

import hashlib
import os
from dataclasses import replace
from typing import Any

import pyopencl as cl
import pytest
from click.testing import CliRunner

import clrng
from clrng.cli.commands import cli
from clrng.cli.verify import VARIABLE
from clrng.opencl.devices import describe
from clrng.quality import digests
from clrng.quality.digests import DISTRIBUTIONS, GENERATORS, CheckResult, Entry
from tests.conftest import make_queue
from tests.support import make_drawn_digests
from tests.support.drawn_cases import BY_ELEMENT, CASES

ALL = CASES | BY_ELEMENT

ENTRIES = digests.entries(DISTRIBUTIONS)


def found(queue: cl.CommandQueue, entry: Entry) -> CheckResult:
    return digests.finding(queue, entry, lambda _: None)


def spoilt(name: str, **changes: Any) -> Entry:
    """Return an entry with another last piece."""
    pieces = ENTRIES[name].pieces
    return replace(ENTRIES[name], pieces=(*pieces[:-1], replace(pieces[-1], **changes)))


def test_the_file_has_every_case() -> None:
    asked = {name: (entry.maker, entry.arguments) for name, entry in ENTRIES.items()}
    assert asked == {name: (case.method, case.arguments) for name, case in ALL.items()}
    assert {name: entry.columns for name, entry in ENTRIES.items() if entry.columns} == {
        name: make_drawn_digests.columns_of(case) for name, case in BY_ELEMENT.items()
    }
    generators = {name: (entry.maker, entry.arguments) for name, entry in digests.entries().items()}
    assert generators.items() >= make_drawn_digests.GENERATORS.items()
    assert not set(ENTRIES) & set(generators)


@pytest.mark.parametrize("name", ALL)
def test_the_file_is_what_the_definitions_give(name: str) -> None:
    assert make_drawn_digests.pieces(name) == list(ENTRIES[name].pieces)


@pytest.mark.parametrize("name", ALL)
def test_every_device_gives_the_published_digests(queue: cl.CommandQueue, name: str) -> None:
    finding = found(queue, ENTRIES[name])
    assert finding.passed, finding
    assert finding.cases == digests.LENGTH * len(ENTRIES[name].drawn_on(describe(queue.device)))


@pytest.mark.parametrize("name", ["poisson_3.5", "standard_normal", "integers_6"])
def test_what_is_wrong_is_said(queue: cl.CommandQueue, name: str) -> None:
    last = ENTRIES[name].pieces[-1]
    where = f"{last.dtype} of {last.generator} after {last.offset} raw values the next is {last.first}"
    assert found(queue, spoilt(name, sha256="0" * 64)).detail == f"{where}, as published, but not all 4096 are"
    other = found(queue, spoilt(name, first=-1, sha256="0" * 64))
    assert (other.passed, other.detail) == (False, f"{where}, not -1")
    assert not found(queue, spoilt(name, offset=last.offset + 1)).passed


def test_another_table_is_said(queue: cl.CommandQueue) -> None:
    for name in ("standard_normal", "poisson_3.5"):
        finding = found(queue, spoilt(name, table="0" * 64))
        last = ENTRIES[name].pieces[-1]
        assert finding.detail == f"the table of {last.dtype} for {last.generator} is another one"
    assert not found(queue, spoilt("integers_6", table="0" * 64)).passed


def test_values_that_are_not_written_are_found(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clrng.Generator, "_draw", lambda *_: None)
    assert not found(queue, ENTRIES["standard_exponential"]).passed


def test_float64_is_left_out_without_double_precision() -> None:
    device = describe(make_queue(0).device)
    types = [piece.dtype for piece in ENTRIES["beta"].drawn_on(replace(device, fp64=False))]
    assert set(types) == {"float32"}


def test_what_a_compiler_refuses_is_a_finding(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise clrng.BuildError("the compiler refused it\nline 1", "", "")

    monkeypatch.setattr(clrng.Generator, "beta", refused)
    assert found(queue, ENTRIES["beta"]).detail == "BuildError: the compiler refused it"


def test_the_command_compares_distributions(monkeypatch: pytest.MonkeyPatch) -> None:
    right, wrong = ENTRIES["choice"], spoilt("standard_normal", sha256="0" * 64)
    known = {
        GENERATORS: {"lrand48": digests.entries()["lrand48"]},
        DISTRIBUTIONS: {each.name: each for each in (right, wrong)},
    }
    for piece in (*right.pieces, *wrong.pieces):
        digests.stream(piece.generator)  # which is kept, and no entry below
    monkeypatch.setattr(digests, "entries", lambda table=GENERATORS: known.get(table, {}))
    ran = CliRunner(env={VARIABLE: os.devnull}).invoke(cli, ["verify", "--digests", "--device", "0"])
    assert ran.exit_code == 1
    assert f"choice {len(right.pieces):26} pieces  ok" in ran.output
    last = wrong.pieces[-1]
    assert f"pieces  FAILED: {last.dtype} of {last.generator} after {last.offset} raw values" in ran.output
    assert "of 1 of 1 generators, of 2 distributions and of 0 permutations compared" in ran.output
    known[DISTRIBUTIONS] = {"choice": right}
    assert CliRunner(env={VARIABLE: os.devnull}).invoke(cli, ["verify", "--digests", "--device", "0"]).exit_code == 0
    alone = CliRunner(env={VARIABLE: os.devnull}).invoke(
        cli, ["verify", "--digests", "--device", "0", "--arithmetic", "integer"]
    )
    assert "distributions" not in alone.output


def test_the_digest_of_a_table_is_that_of_its_numbers() -> None:
    """Of N = 2^64 numbers, half are 0, none is 1, an eighth is 2 and the others are 3."""
    entry = ENTRIES["choice"]
    piece = next(piece for piece in entry.pieces if piece.generator == "mmix")
    numbers = (0, 2**63, 2**63, 2**63 + 2**61, 2**64)
    written = b"".join(number.to_bytes(16, "little") for number in numbers)
    assert digests.table_digest(entry, piece) == piece.table == hashlib.sha256(written).hexdigest()
