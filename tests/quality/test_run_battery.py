"""Batteries as they are run: programs that read words from a pipe, of which most here are shell scripts."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest
from click import ClickException
from click.testing import CliRunner
from quality import collect, run_many  # which are among the scripts

import clrng
from clrng.cli.commands import cli
from clrng.measuring.experiments import directory
from clrng.opencl.devices import describe
from clrng.quality.batteries import BATTERIES, Trial, fed, run, short_report
from tests.cli.test_command_line import run as command
from tests.conftest import make_queue
from tests.quality.test_batteries import PRACTRAND
from tests.support.processes import python

pytestmark = pytest.mark.skipif(
    not describe(make_queue(0).device).fp64, reason="words of numbers below 2^31 - 1 need double precision"
)

SMALLCRUSH = "head -c 4000 >$0.words; printf 'p\\t0\\tGap\\t0.25\\np\\t0\\tMaxOft\\t1e-20\\nwords\\t1000\\n'"
ONE_OF_CRUSH = "printf 'p\\t%d\\tGap\\t0.%d\\nwords\\t10\\n' $2 $2"
PLAN = "-g minstd --seed 7"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of programs, the only ones that are found besides those of the system."""
    monkeypatch.setenv("CLRNG_BATTERIES", str(tmp_path))
    return tmp_path


def install(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def trial(battery: str, **others: Any) -> Trial:
    wanted = {"output": "uniform", "streams": "sequential", "up_to": 2**30, "test": None, **others}
    return Trial(bit_generator=clrng.named("minstd", 7), battery=battery, **wanted)


def zeros() -> Iterator[np.ndarray[Any, Any]]:
    return repeat(np.zeros(2**16, np.uint32))


def test_a_program_reads_as_much_as_it_wants() -> None:
    assert fed(["sh", "-c", "head -c 8000001 | wc -c"], zeros(), None) == ("8000001\n", True)
    assert fed(["sh", "-c", "exec <&-; echo none"], zeros(), None) == ("none\n", True)
    assert fed(["wc", "-c"], [np.zeros((5, 4), np.uint8)[:, :3]], None) == ("15\n", True)


@pytest.mark.parametrize("seconds", [1e300, float("inf")])
def test_a_program_that_may_take_for_ever(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", failed.append)
    assert fed(["sh", "-c", "echo begun; sleep 0.2"], zeros(), seconds) == ("begun\n", True)
    assert not failed


def test_a_program_that_fails() -> None:
    with pytest.raises(clrng.ClrngError, match="^sh ended with the status 3: it broke$"):
        fed(["sh", "-c", "echo so far; echo it broke >&2; exit 3"], zeros(), None)


@pytest.fixture
def late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file; programs are late as soon as they have made it, however long that takes them."""
    file = tmp_path / "late"

    class LateTimer(Thread):
        def __init__(self, _: float, end: Callable[[], None]) -> None:
            super().__init__(daemon=True)
            self._end, self._cancelled = end, Event()

        def run(self) -> None:
            while not file.exists() and not self._cancelled.is_set():
                time.sleep(0.01)
            if not self._cancelled.is_set():
                self._end()

        def cancel(self) -> None:
            self._cancelled.set()

    monkeypatch.setattr("clrng.quality.batteries.Timer", LateTimer)
    return file


@pytest.mark.parametrize("script", ["exec cat >/dev/null", "exec sleep 600"])
def test_a_program_that_takes_too_long(late: Path, script: str) -> None:
    assert fed(["sh", "-c", f"echo begun; touch {late}; {script}"], zeros(), 1) == ("begun\n", False)


def test_a_program_is_ended_when_its_time_is_over() -> None:
    assert not fed(["sh", "-c", "exec sleep 600"], zeros(), 0.1)[1]


def test_a_battery_gets_the_words_and_is_recorded(programs: Path) -> None:
    install(programs, "clrng-testu01", SMALLCRUSH)
    found = run(trial("smallcrush"), make_queue(0))
    values = clrng.named("minstd", 7).sequence(1000)
    expected = [x * 2**32 // (2**31 - 1) for x in values.tolist()]
    assert np.fromfile(programs / "clrng-testu01.words", np.uint32).tolist() == expected
    assert found is not None
    assert {key: found[key] for key in ("battery", "version", "bits", "bytes", "ended", "p_values", "failing")} == {
        "battery": "smallcrush", "version": "TestU01 1.2.3", "bits": 32, "bytes": 4000, "ended": True, "p_values": 2,
        "failing": 1,
    }  # fmt: skip
    assert found["results"] == [
        {"name": "MaxOft", "p": 1e-20, "verdict": "fails", "size": None},
        {"name": "Gap", "p": 0.25, "verdict": "passes", "size": None},
    ]


def test_batteries_that_take_too_long(programs: Path, late: Path) -> None:
    install(programs, "clrng-testu01", f"printf 'p\\t0\\tGap\\t0.25\\n'; touch {late}; exec sleep 600")
    install(programs, "RNG_test", f"cat <<'end'\n{PRACTRAND}end\ntouch {late}\nexec sleep 600")
    assert run(trial("smallcrush"), make_queue(0), 600) is None
    late.unlink()
    found = run(trial("practrand", output="raw"), make_queue(0), 600)
    assert found is not None
    assert (found["ended"], found["bytes"], found["first_failing_size"]) == (False, 2**22, 2**22)


def test_a_battery_that_says_nothing(programs: Path) -> None:
    install(programs, "RNG_test", "echo nothing that is known")
    with pytest.raises(clrng.ClrngError, match="RNG_test printed what cannot be read: 'nothing that is known"):
        run(trial("practrand", output="raw"), make_queue(0))


def test_the_short_battery_needs_no_program() -> None:
    found = run(trial("short", output="raw"), make_queue(0))
    assert found is not None
    assert found["bytes"] == 3 * 2**20
    worst = found["results"][0]["name"]
    assert found["failing"] > 0
    assert worst.startswith("birthday spacings")


def test_words_of_three_bytes_are_put_together() -> None:
    words = np.random.default_rng(5).integers(0, 2**24, 2**16, np.uint32)
    rows = words.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :3]
    assert short_report(rows, 24).results == short_report(words, 24).results


@pytest.mark.skipif(not shutil.which("dieharder"), reason="dieharder is not installed")
def test_dieharder_itself() -> None:
    found = run(trial("dieharder", output="raw", test=100), make_queue(0))
    assert found is not None
    assert [result["name"] for result in found["results"]] == ["sts_monobit 1"]


@pytest.mark.skipif(not shutil.which("clrng-testu01"), reason="the driver of TestU01 is not installed")
def test_testu01_itself() -> None:
    found = run(replace(trial("crush", test=72), bit_generator=clrng.named("numpy_random_state", 1)), make_queue(0))
    assert found is not None
    assert [(result["name"], result["verdict"]) for result in found["results"]] == [
        ("72 LinearComp, r = 29", "fails"),  # as L'Ecuyer and Simard 2007 publish
        ("72 LinearComp, r = 29", "passes"),
    ]


def test_the_command(programs: Path) -> None:
    install(programs, "clrng-testu01", SMALLCRUSH)
    file = programs / "found.json"
    ran = command("quality", *PLAN.split(), "--battery", "smallcrush", "--json", file)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.decode().split("\n")[-2] == "2 p-values of TestU01 1.2.3, smallcrush: 1 fail, 0 are suspicious"
    told = json.loads(file.read_text())
    assert (told["generator"], told["seed"], told["failing"]) == ("minstd", 7, 1)
    assert told["command"] == f"clrng quality {PLAN} --battery smallcrush --json {file}"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--battery crush --up-to 2^30", "--up-to is for practrand, not for crush, which reads what its tests need"),
        ("--battery practrand --test 3", "--test is for crush, dieharder, not practrand"),
        ("--battery crush --test 97", "--test must be an integer from 1 to 96, not 97"),
        ("--battery crush --test 0", "--test must be an integer from 1 to 96, not 0"),
        ("--battery dieharder --test 18", "--test must be an integer from 0 to 17, 100 to 102 or 200 to 209, not 18"),
        ("--battery dieharder --test 210", "--test must be an integer from 0 to 17, 100 to 102 or 200 to 209, not 210"),
        ("--battery practrand --up-to 2^30+1024", "--up-to must be a power of two, as practrand reports on these "),
        ("--json=", "--json must be the name of a file in a folder that can be written to, not ''"),
        ("-g mmix --battery smallcrush --seconds 1", "--seconds must be more: smallcrush did not end within 1 seconds"),
        ("--battery dieharder", "dieharder 3.31.1 cannot be run: its program dieharder is neither in "),
        ("--json a.json", "--json must name a new file, not a.json, which is there"),
        ("--json b/a.json", "--json must be the name of a file in a folder that can be written to, not 'b/a.json'"),
        ("--streams jumped --output normal", "--streams must be sequential for the values of a distribution, not ju"),
    ],
)
def test_what_the_command_refuses(programs: Path, monkeypatch: pytest.MonkeyPatch, options: str, said: str) -> None:
    install(programs, "clrng-testu01", "exec sleep 60")
    monkeypatch.chdir(programs)
    Path("a.json").touch()
    monkeypatch.setenv("PATH", os.defpath if "dieharder" not in options else str(programs))
    ran = CliRunner().invoke(cli, ["quality", *options.split()], standalone_mode=False)
    assert isinstance(ran.exception, (ValueError, ClickException))
    assert str(ran.exception).startswith(said)
    assert ran.output == ""


def test_a_file_that_cannot_be_written_is_refused_before_the_battery(programs: Path) -> None:
    install(programs, "clrng-testu01", f"touch {programs}/ran\n{SMALLCRUSH}")
    file = programs / "found.json"
    file.symlink_to(programs / "absent" / "found.json")
    ran = command("quality", *PLAN.split(), "--battery", "smallcrush", "--json", file)
    assert ran.returncode == 1
    assert str(file) in ran.stderr.decode()
    assert not (programs / "ran").exists()


def test_many_jobs(programs: Path, tmp_path: Path) -> None:
    install(programs, "clrng-testu01", ONE_OF_CRUSH)
    jobs, results = tmp_path / "jobs.txt", tmp_path / "results.jsonl"
    jobs.write_text("".join(f"{PLAN} --battery crush --test {i}\n\n" for i in (12, 3, 5)) + "# others\n-g x # one\n")
    row = {"name": "12 Gap", "p": 0.12, "verdict": "passes", "size": None}
    done = {"job": f"{PLAN} --battery crush --test 12", "ended": True, "test": 12, "results": [row]}
    late = {"job": f"{PLAN} --battery crush --test 3", "ended": False, "test": 3, "results": []}
    results.write_text(json.dumps(done) + "\n" + json.dumps(late) + '\n{"job": "cut o')
    ran = python(directory(), "run_many", jobs, "--results", results, "--processes", 1)
    assert ran.returncode == 1, ran.stderr
    assert "3 of 4 jobs to do" in ran.stdout
    assert "ERROR -g x: BadParameter: it must be a name that `clrng generators` lists, not 'x'" in ran.stdout
    assert "2 recorded, 1 failed, 0 left" in ran.stdout
    records = collect.records_in(results)
    assert records[:2] == [done, late]
    ((place, record),) = collect.collected(records[2:]).items()
    assert place == "minstd/crush.json"
    assert record["tests"] == [3, 5]
    assert record["command"] == f"clrng quality {PLAN} --battery crush"
    assert (record["ended"], record["p_values"], record["bytes"]) == (False, 2, 80)
    assert [(row["name"], row["p"]) for row in record["results"]] == [("3 Gap", 0.3), ("5 Gap", 0.5)]
    assert json.loads(collect.written(record)) == {k: v for k, v in record.items() if k not in ("job", "test")}


def test_what_practrand_has_found_until_it_is_interrupted(programs: Path, tmp_path: Path) -> None:
    install(programs, "RNG_test", f"cat <<'END'\n{PRACTRAND}\nEND\ntouch {programs}/begun\nexec sleep 60")
    jobs, results = tmp_path / "jobs.txt", tmp_path / "results.jsonl"
    jobs.write_text(f"{PLAN} --battery practrand --up-to 2^40\n{PLAN} --battery practrand --up-to 2^41\n")
    command = [sys.executable, directory(), "run_many", jobs, "--results", results, "--processes", "1"]
    with subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE, text=True) as running:
        while not (programs / "begun").exists():
            assert running.poll() is None
            time.sleep(0.1)
        os.killpg(running.pid, signal.SIGINT)
        assert "1 recorded, 0 failed, 1 left" in running.communicate(timeout=60)[0]
    (record,) = collect.records_in(results)
    assert (record["job"], record["ended"]) == (f"{PLAN} --battery practrand --up-to 2^40", False)
    assert record["bytes"] > 2**20
    with pytest.raises(KeyboardInterrupt):
        fed(["sh", "-c", f"head -c 1 > /dev/null; kill -INT {os.getpid()}; exec sleep 60"], zeros(), None)


def test_lists_of_jobs(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("-g minstd --battery crush\n-g {name} --battery short\n-g randu --battery short\n")
    jobs = run_many.jobs_in([str(tmp_path / "a.txt")])
    assert jobs[95] == "-g minstd --battery crush --test 96"
    assert jobs[96:] == [f"-g {name} --battery short" for name in clrng.NAMED]


@pytest.mark.parametrize("path", sorted((directory() / "quality" / "jobs").glob("*.txt")), ids=lambda path: path.name)
def test_the_jobs_of_the_benchmarks_are_legal(path: Path) -> None:
    for job in run_many.jobs_in([str(path)]):
        options = run_many.options_of(job)
        assert options["battery"] in BATTERIES


@pytest.mark.parametrize(
    ("battery", "output", "streams", "name"),
    [
        ("smallcrush", "uniform", "sequential", "smallcrush.json"),
        ("smallcrush", "raw", "sequential", "smallcrush-raw.json"),
        ("smallcrush", "normal", "sequential", "smallcrush-normal.json"),
        ("smallcrush", "uniform", "leapfrog", "smallcrush-leapfrog.json"),
        ("practrand", "raw", "sequential", "practrand.json"),
        ("practrand", "uniform", "jumped", "practrand-uniform-jumped.json"),
        ("short", "raw", "sequential", "short.json"),
    ],
)
def test_names_of_files(battery: str, output: str, streams: str, name: str) -> None:
    assert collect.name_of({"battery": battery, "output": output, "streams": streams}) == name


def test_the_record_that_tested_most_counts() -> None:
    row = {"generator": "a", "battery": "practrand", "output": "raw", "streams": "jumped", "test": None}
    rows = [{**row, "bytes": size, "ended": ended} for size, ended in ((4, False), (16, False), (16, True), (8, True))]
    assert collect.collected(rows) == {"a/practrand-jumped.json": rows[2]}
