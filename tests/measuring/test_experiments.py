"""The experiments run, keep what they measured, and compare what they time with the host's values: never how fast."""

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from argparse import Namespace
from pathlib import Path

import numpy as np
import pyopencl.array as cla
import pytest
from click.testing import CliRunner

import clrng
from clrng.cli.commands import cli
from clrng.measuring import experiments
from clrng.measuring.experiments import EXPERIMENTS
from tests.support.processes import said

SCRIPTS = experiments.directory()
sys.path.insert(0, str(SCRIPTS))

from harness import c_loop, common, compiled  # noqa: E402  # which is among the scripts, as they import it

COMPILED = pytest.mark.skipif(not compiled.compiler("C"), reason="there is no C compiler")
WHOLE = {
    "park_miller": clrng.ParkMiller(seed=1),
    "2^32": clrng.named("numerical_recipes", 1),
    "2^64": clrng.named("mmix", 1),
    "2^64 - 59": clrng.LCG(13891176665706064842, 1442695040888963407, 2**64 - 59, 1),
    **{
        f"{op} of {bits} bits": clrng.LaggedFibonacci((5, 17), op, bits, seed=1)
        for op in ("+", "-", "*", "xor")
        for bits in (32, 64)
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_measures(name: str, tmp_path: Path) -> None:
    said(SCRIPTS, name, "--quick", "--results", tmp_path)
    (path,) = tmp_path.rglob("*.json")
    assert path.stem == name
    found = json.loads(path.read_text())
    assert found["complete"]
    assert found["rows"]
    assert found["command"] == f"python benchmarks {name} --quick"
    device = clrng.make_queue().device
    assert (found["device"], found["driver"]) == (device.name.strip(), device.driver_version)


@pytest.mark.slow
def test_what_was_measured_outlives_an_interruption(tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPTS), "generators", "--mib", "1", "--rounds", "1", "--results", tmp_path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        while not (paths := list(tmp_path.rglob("*.json"))) and running.poll() is None:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=300)
    assert running.returncode == 130, errors
    assert "Traceback" not in errors  # a driver may say that a build failed
    found = json.loads(paths[0].read_text())
    assert paths[0].name == "generators.unfinished.json"
    assert found["rows"]
    assert not found["complete"]


def test_an_earlier_run_is_kept_until_another_is_complete(tmp_path: Path) -> None:
    queue, options = clrng.make_queue(), Namespace(results=tmp_path)
    first = common.Results(options, "fill", queue)
    first.add("one", {"rate": 1.0})
    first.close()
    second = common.Results(options, "fill", queue)
    second.add("two", {"rate": 2.0})
    assert list(json.loads(first.path.read_text())["rows"]) == ["one"]
    second.close()
    assert list(json.loads(first.path.read_text())["rows"]) == ["two"]
    assert list(json.loads(first.path.with_suffix(".json.old").read_text())["rows"]) == ["one"]
    assert sorted(path.name for path in first.path.parent.iterdir()) == ["fill.json", "fill.json.old"]


def children(process: int) -> list[str]:
    """Return the processes whose parent, or whose parent's parent, is this one."""
    said = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = dict(line.split() for line in said.splitlines())
    return [pid for pid, parent in parents.items() if str(process) in (parent, parents.get(parent))]


def lives(process: str) -> bool:
    """Say whether a process still runs: one that ended may wait for its parent to ask how."""
    said = subprocess.run(["ps", "-o", "stat=", "-p", process], capture_output=True, text=True, check=False).stdout
    return bool(said.strip()) and not said.startswith("Z")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("ps") is None, reason="there is no ps")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_no_process_is_left_behind(number: int, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "clrng", "bench", "same_numbers", "--results", tmp_path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        while not list(tmp_path.rglob("*.json")) and running.poll() is None:
            time.sleep(0.01)
        left = children(running.pid)
        running.send_signal(number)
        running.communicate(timeout=300)
    assert running.returncode == -number
    assert left
    for _ in range(1000):
        if not any(map(lives, left)):
            return
        time.sleep(0.1)
    pytest.fail(f"{[pid for pid in left if lives(pid)]} of {left} still run")


def test_a_failed_experiment_does_not_stop_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(SCRIPTS / "__main__.py", tmp_path)
    (tmp_path / "fill.py").write_text("raise SystemExit(3)")
    (tmp_path / "peers.py").write_text("import sys, pathlib; pathlib.Path(sys.argv[2], 'seen').write_text('peers')")
    monkeypatch.setattr(experiments, "directory", lambda: tmp_path)
    (tmp_path / "report.py").write_text("")
    (tmp_path / "plot.py").write_text("")
    ran = CliRunner().invoke(cli, ["bench", "fill", "peers", "--results", str(tmp_path / "results")])
    assert ran.exit_code == 1
    assert "fill ended with status 3" in ran.output
    assert ran.output.endswith("Error: failed: fill\n")
    assert (tmp_path / "results" / "seen").read_text() == "peers"
    assert ran.output.startswith(f"results go to {tmp_path / 'results'}, a folder for each device")


SIGNALS = "for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT): os.kill(os.getpid(), number)"


@pytest.mark.parametrize(
    ("script", "status"),
    [
        (
            f"import os, signal, harness.common\ndef main():\n    {SIGNALS}\nharness.common.run(main)",
            128 + signal.SIGINT,
        ),
        (f"import os, signal\n{SIGNALS}\nimport harness.common", -signal.SIGINT),
    ],
    ids=["measuring", "importing"],
)
def test_a_script_that_is_interrupted_ends_without_a_traceback(script: str, status: int, tmp_path: Path) -> None:
    shutil.copytree(SCRIPTS / "harness", tmp_path / "harness")
    shutil.copy(SCRIPTS / "__main__.py", tmp_path)
    (tmp_path / "fill.py").write_text(f"{script}  # __main__")
    ran = subprocess.run([sys.executable, str(tmp_path), "fill"], capture_output=True, check=False, timeout=300)
    assert (ran.returncode, ran.stdout, ran.stderr) == (status, b"", b"")


def test_a_script_says_what_is_not_installed_in_one_line() -> None:
    def main() -> None:
        raise ModuleNotFoundError("No module named 'spam'")

    with pytest.raises(SystemExit, match="^Error: No module named 'spam'$"):
        common.run(main)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["fil"], "it must be a name that `clrng bench --help` lists, such as 'fill' or .*, not 'fil'"),
        (["fill", "--results", "FILE"], "Directory '.*' is a file"),
        (
            ["fill", "--results", "FILE/a"],
            "--results must be a folder that can be written to, not '.*FILE/a': Not a dir",
        ),
    ],
)
def test_what_bench_refuses_it_refuses_before_it_begins(arguments: list[str], said: str, tmp_path: Path) -> None:
    (tmp_path / "FILE").write_text("old")
    ran = CliRunner().invoke(cli, ["bench", *(word.replace("FILE", str(tmp_path / "FILE")) for word in arguments)])
    assert ran.exit_code != 0
    assert re.search(said, ran.output)
    assert "[1/1]" not in ran.output


@COMPILED
@pytest.mark.parametrize("name", WHOLE)
def test_the_loop_in_c_is_the_sequence(name: str) -> None:
    bits = WHOLE[name]
    work = c_loop.loop(bits, 5000)  # which compares the first call itself
    work.call()
    assert work.values == 5000


@COMPILED
def test_loops_in_c_of_one_recurrence_go_on_apart() -> None:
    first, second = (c_loop.loop(clrng.ParkMiller(seed=1), 5000) for _ in range(2))
    second.call()
    for work in (first, second):
        assert work.check is not None
        work.check()  # raises for values of another place


@COMPILED
def test_a_wrong_loop_in_c_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(c_loop.OPS, "+", "ring[i] + ring[j] + 1")
    with pytest.raises(clrng.ClrngError, match="the loop in C gave wrong values near 0"):
        c_loop.loop(WHOLE["+ of 32 bits"], 5000)


def test_there_are_loops_in_c_of_whole_words_alone() -> None:
    for bits in (clrng.MRG32k3a(), clrng.named("lrand48", 1), clrng.LaggedFibonacci((5, 17), "+", 31, seed=1)):
        with pytest.raises(ValueError, match="bits must be an LCG or a lagged Fibonacci generator that shows whole"):
            c_loop.source(bits)


def test_values_left_poisoned_are_seen() -> None:
    queue, bits = clrng.make_queue(), clrng.ParkMiller(seed=1)
    out = cla.Array(queue, 5000, np.uint32)
    common.poison(out)
    assert (out.get() == 2**32 - 1).all()
    out[:4999] = clrng.Generator(bits, queue).random_raw(4999)
    with pytest.raises(clrng.ClrngError, match="nobody gave wrong values near 4000"):
        common.check(clrng.ParkMiller(seed=1), out, "nobody")
