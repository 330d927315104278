"""The command line on systems that lack what Linux has, each a process from which that is hidden."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import clrng
from tests.cli.test_command_line import CLRNG
from tests.support import oracle

HIDING = {
    "windows": """
import os, signal, sys
sys.modules["fcntl"] = None
for name in ("SIGPIPE", "SIGHUP"):
    delattr(signal, name)
for name in ("O_TMPFILE", "fstatvfs", "fchown", "fchmod", "statvfs"):
    delattr(os, name)
""",
    "macos": """
import os
from pathlib import Path
del os.O_TMPFILE
there = Path.is_dir
Path.is_dir = lambda path: False if str(path).startswith("/proc") else there(path)
""",
}
"""What stands before everything else in the process."""


@pytest.fixture(params=HIDING)
def environment(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    folder = tmp_path / "hiding"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(HIDING[request.param])
    path = os.pathsep.join([str(folder), str(Path(clrng.__file__).parent.parent), *sys.path[1:]])
    return {**os.environ, "PYTHONPATH": path}


def run(environment: dict[str, str], *arguments: object) -> bytes:
    ran = subprocess.run([*CLRNG, *map(str, arguments)], env=environment, capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
    return ran.stdout


def test_it_is_hidden(environment: dict[str, str]) -> None:
    code = "import os; print(hasattr(os, 'O_TMPFILE'))"
    assert subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True).stdout == b"False\n"  # noqa: PLW1510


@pytest.mark.slow
def test_values_to_files_and_pipes(environment: dict[str, str], tmp_path: Path) -> None:
    expected = oracle.sequence(1, 1000)
    assert_array_equal(
        np.frombuffer(run(environment, "generate", "-g", "park_miller", "-n", 1000), np.uint32), expected
    )
    assert_array_equal(
        np.array(run(environment, "generate", "-g", "park_miller", "-n", 1000, "--format", "text").split(), int),
        expected,
    )
    target = tmp_path / "a.npy"
    target.write_text("old")
    run(environment, "generate", "-g", "park_miller", "-n", 1000, "-o", target)
    assert_array_equal(np.load(target), expected)
    run(environment, "generate", "-g", "park_miller", "-n", 1000, "-o", tmp_path / "a.raw")
    assert_array_equal(np.fromfile(tmp_path / "a.raw", np.uint32), expected)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npy", "a.raw", "hiding"]


@pytest.mark.slow
def test_the_other_commands(environment: dict[str, str]) -> None:
    assert clrng.list_devices()[0].name.split()[0].encode() in run(environment, "devices")
    assert b"park_miller" in run(environment, "generators")
    assert b"ok: a sample of the states" in run(
        environment, "verify", "-g", "park_miller", "--sample", 64, "--arithmetic", "integer"
    )


@pytest.mark.slow
def test_a_closed_pipe_ends_it_quietly(environment: dict[str, str]) -> None:
    for command in (["generate"], ["generate", "--format", "text"], ["generators"]):
        with subprocess.Popen(
            [*CLRNG, *command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdout
            assert process.stderr
            process.stdout.close()
            assert process.wait(60) in (1, -signal.SIGPIPE)
            assert process.stderr.read() == b""


def grown(folder: Path) -> bool:
    """Say whether the file that is being written is long; it may be gone meanwhile."""
    with suppress(FileNotFoundError):
        return any(path.stat().st_size > 10**6 for path in folder.glob(".*.part"))
    return False


def test_ctrl_c_puts_files_right(environment: dict[str, str], tmp_path: Path) -> None:
    target = tmp_path / "a.raw"
    target.write_text("old")
    command = [*CLRNG, "generate", "-g", "park_miller", "-n", "2e9", "-o", str(target)]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE) as process:
        while process.poll() is None and not grown(tmp_path):
            pass
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == -signal.SIGINT
        assert process.stderr
        assert process.stderr.read() == b""
    assert target.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.raw", "hiding"]
