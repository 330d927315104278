"""The published digests: those of the host, of the libraries and of every device, and faults that they must show."""

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from click.testing import CliRunner, Result

import clrng
from clrng.cli.commands import cli
from clrng.cli.verify import VARIABLE
from clrng.generators.families import FAMILIES
from clrng.opencl.devices import describe
from clrng.quality import digests
from clrng.quality.checks import jobs as jobs_of
from clrng.quality.digests import CheckResult, Entry, Piece
from tests.conftest import DEVICES, make_queue
from tests.support import make_digests
from tests.support.libraries import Library
from tests.support.papers import LIVING

IN_THIS_PROCESS = {VARIABLE: os.devnull}
"""With this the command does not start another process, which would know nothing of what a test has planted."""

LONGEST = 5000
"""The order up to which the far pieces are made again here; beyond, jumps take seconds."""

SLICE = [
    "park_miller", "numerical_recipes", "lrand48", "lcg_2^64-59", "linear_3_2^31-1", "trng_yarn5s",
    "linear_3_2^61-1_yarn", "xorshift_3_words_of_64_bits", "xorwow", "xorshift7", "ranlux0", "std_ranlux24",
    "gsl_ranlxs0", "carry_64_3_7", "glibc_type_3", "ran3", "lagged_418_1279_-_32_bits", "lagged_418_1279_*_64_bits",
    "lagged_418_1279_xor_64_bits",
]  # fmt: skip
"""Entries of every operation and arithmetic."""

for _name, _family in FAMILIES.items():
    _of = [key for key, entry in digests.entries().items() if entry.maker == _family.generator.__name__]
    if not {*_of, _name} & set(SLICE):
        SLICE += [key for key in (_name, *_of) if key in digests.entries()][:1]

Exact = tuple[cl.CommandQueue, str]


def found(queue: cl.CommandQueue, entry: Entry, arithmetic: str = "integer") -> CheckResult:
    return digests.finding(queue, entry, lambda _: None, arithmetic)


def spoilt(entry: Entry, **changes: Any) -> Entry:
    """Return `entry` with another last piece."""
    return replace(entry, pieces=(*entry.pieces[:-1], replace(entry.pieces[-1], **changes)))


def test_the_file_has_every_named_generator_and_the_others() -> None:
    made = {name: (entry.maker, entry.arguments) for name, entry in digests.entries().items()}
    assert made == make_digests.generators()
    assert set(clrng.NAMED) < set(made)
    assert {entry.maker for entry in digests.entries().values()} == {*clrng.NAMED, *digests.CLASSES}


def test_the_file_is_what_the_host_gives() -> None:
    for name, entry in digests.entries().items():
        bits = entry.make()
        places = ("start", "middle", "far") if bits.order <= LONGEST else ("start",)
        assert make_digests.pieces(name, bits, places) == [p for p in entry.pieces if p.place in places], name
        assert {p.place: p.offset for p in entry.pieces} == make_digests.offsets(bits)


@pytest.mark.slow
def test_the_file_is_written_as_its_script_writes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    known = json.loads(make_digests.PATH.read_text())["generators"]
    monkeypatch.setattr(make_digests, "pieces", lambda name, _: [Piece(name, **row) for row in known[name]["pieces"]])
    assert make_digests.text() == make_digests.PATH.read_text()


@pytest.mark.parametrize(
    ("name", "library"),
    [pytest.param(name, give, id=f"{name}-{label}") for name, has in LIVING.items() for label, give in has.items()],
)
def test_the_library_gives_the_published_start(name: str, library: Library) -> None:
    entry = digests.entries()[name]
    start = next(piece for piece in entry.pieces if piece.place == "start")
    values = library(entry.arguments["seed"], digests.LENGTH)
    assert digests.digest(values.astype(start.dtype)) == start.sha256


@pytest.mark.parametrize("name", SLICE)
def test_every_device_gives_the_published_digests(queue: cl.CommandQueue, name: str) -> None:
    entry, device = digests.entries()[name], describe(queue.device)
    pieces = sum(piece.dtype != "float64" or device.fp64 for piece in entry.pieces)
    for arithmetic in entry.exact_on(device):
        finding = found(queue, entry, arithmetic)
        assert finding.passed, finding
        assert finding.cases == pieces * digests.LENGTH


def test_another_digest_is_found_in_every_arithmetic(exact: Exact) -> None:
    queue, name = exact
    assert name in digests.entries()["park_miller"].exact_on(describe(queue.device))
    assert not found(queue, spoilt(digests.entries()["park_miller"], sha256="0" * 64), name).passed


def test_what_is_wrong_is_said(queue: cl.CommandQueue) -> None:
    entry = digests.entries()["numerical_recipes"]
    last = entry.pieces[-1]
    other = spoilt(entry, sha256="0" * 64)
    where = "uint32 after 1000000000000000 values the next is 1039194476"
    assert found(queue, other) == CheckResult(
        digests.TITLE,
        digests.LENGTH * len(entry.drawn_on(describe(queue.device))),
        passed=False,
        detail=f"{where}, as published, but not all 4096 are",
    )
    assert found(queue, spoilt(entry, offset=10**15 + 1)).detail.endswith(f", not {last.first}")


def changed(monkeypatch: pytest.MonkeyPatch, change: Callable[[np.ndarray], None]) -> None:
    """Let every generator give values that `change` has changed."""
    right = clrng.Generator.random_raw

    def wrong(self: clrng.Generator, size: Any = None, out: Any = None) -> Any:
        values = right(self, size, out).get()
        change(values)
        out.set(values)
        return out

    monkeypatch.setattr(clrng.Generator, "random_raw", wrong)


@pytest.mark.parametrize("place", [0, 1, 2047, 4095])
def test_a_single_wrong_bit_is_found(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, place: int) -> None:
    entry = digests.entries()["lrand48"]
    assert found(queue, entry).passed
    changed(monkeypatch, lambda values: values.__setitem__(place, values[place] ^ 1))
    assert not found(queue, entry).passed


def test_values_that_are_not_written_are_found(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = digests.entries()["lrand48"]
    assert found(queue, entry).passed
    monkeypatch.setattr(clrng.Generator, "random_raw", lambda self, out: out)  # noqa: ARG005  # as it is called
    finding = found(queue, entry)
    assert not finding.passed
    assert f"the next is {2**32 - 1}, not {entry.pieces[0].first}" in finding.detail


def test_float64_is_left_out_without_double_precision() -> None:
    entry = digests.entries()["mmix"]
    types = {fp64: [p.dtype for p in entry.drawn_on(replace(DEVICES[0], fp64=fp64))] for fp64 in (True, False)}
    assert types[True] == ["uint64", "float32", "float64", "uint64", "uint64"]
    assert types[False] == ["uint64", "float32", "uint64", "uint64"]


def test_a_digest_is_that_of_the_bytes_with_the_least_first() -> None:
    values = np.array([1, 2**31], "<u4")
    assert digests.digest(values) == hashlib.sha256(bytes([1, 0, 0, 0, 0, 0, 0, 128])).hexdigest()
    assert digests.digest(values.astype(">u4")) == digests.digest(values)


def test_the_entry_of_a_stream() -> None:
    bits = clrng.named("lrand48", 1)
    entry = digests.entry_of(bits)
    assert entry is not None
    assert entry.name == "lrand48"
    assert digests.entry_of(bits.jumped(1)) is None
    assert digests.entry_of(clrng.named("lrand48", 2)) is None


def verify(monkeypatch: pytest.MonkeyPatch, entries: list[Entry], *arguments: str) -> Result:
    """Run ``clrng verify --digests`` with a file of these entries."""
    known = {digests.GENERATORS: {entry.name: entry for entry in entries}}
    monkeypatch.setattr(digests, "entries", lambda table=digests.GENERATORS: known.get(table, {}))
    return CliRunner(env=IN_THIS_PROCESS).invoke(cli, ["verify", "--digests", "--device", "0", *arguments])


def test_the_command_compares_all(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [digests.entries()[name] for name in ("park_miller", "lrand48")]
    device, ran = DEVICES[0], verify(monkeypatch, entries)
    exact = [entry.exact_on(device) for entry in entries]
    drawn = [len(names) * len(entry.drawn_on(device)) for names, entry in zip(exact, entries, strict=True)]
    assert ran.exit_code == 0, ran.output
    lines = ran.output.splitlines()
    assert lines[0] == f"{device.name}, {device.platform}, driver {device.driver}"
    assert lines[-3].split(" pieces  ") == [f"park_miller {drawn[0]:21}", f"ok: {', '.join(exact[0])}"]
    assert lines[-2].split(" pieces  ") == [f"lrand48 {drawn[1]:25}", "ok: integer"]
    about = f"{sum(drawn)} pieces of 2 of 2 generators, of 0 distributions and of 0 permutations"
    assert lines[-1] == f"{about} compared on {lines[0]}: all as published"


def test_the_command_ends_with_an_error_for_another_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    right, other = (digests.entries()[name] for name in ("park_miller", "lrand48"))
    ran = verify(monkeypatch, [spoilt(other, sha256="0" * 64), right], "--arithmetic", "integer")
    assert ran.exit_code == 1
    assert "pieces  FAILED: integer: uint32 after 1000000000000000 values" in ran.output
    assert "pieces  ok: integer" in ran.output
    assert "1 FAILED: do not use these on this device" in ran.output


def test_a_program_that_is_refused_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (digests.entries()[name] for name in ("lrand48", "park_miller"))
    right = clrng.Generator.random_raw

    def refused(self: clrng.Generator, size: Any = None, out: Any = None) -> Any:
        if isinstance(self.bit_generator, clrng.ParkMiller):
            return right(self, size, out)
        raise clrng.BuildError("the compiler refused it\nline 1", "", "")

    monkeypatch.setattr(clrng.Generator, "random_raw", refused)
    ran = verify(monkeypatch, [first, second], "--arithmetic", "integer")
    assert ran.exit_code == 1
    assert "FAILED: integer: BuildError: the compiler refused it\n" in ran.output
    assert "pieces  ok: integer" in ran.output


def test_nothing_compared_is_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = verify(monkeypatch, [digests.entries()["lrand48"]], "--arithmetic", "float")
    assert ran.exit_code == 1
    assert "0 pieces of 0 of 1 generators" in ran.output


@pytest.mark.parametrize("options", [["-g", "java"], ["--seed", "1"], ["--sample", "64"], ["--full"]])
def test_options_of_one_generator_are_refused(options: list[str]) -> None:
    ran = CliRunner(env=IN_THIS_PROCESS).invoke(cli, ["verify", "--digests", *options])
    assert ran.exit_code == 1
    assert "compares every generator, and --" in ran.output


def test_one_generator_is_compared_with_its_digests_too() -> None:
    jobs = jobs_of(make_queue(0), ["integer"], clrng.ParkMiller(seed=1), 6400)
    assert digests.TITLE in [title for _, title, _, _ in jobs.checks]
    jobs = jobs_of(make_queue(0), ["integer"], clrng.ParkMiller(seed=2), 6400)
    assert digests.TITLE not in [title for _, title, _, _ in jobs.checks]
