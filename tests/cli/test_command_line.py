"""The command line, run as a user runs it."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.cli import commands, generate
from tests.conftest import DEVICES
from tests.support import oracle

CLRNG = [sys.executable, "-m", "clrng"]


def run(*arguments: object) -> subprocess.CompletedProcess[bytes]:
    wide = {**os.environ, "COLUMNS": "200"}  # which a shell or readline may have set for tables
    return subprocess.run([*CLRNG, *map(str, arguments)], capture_output=True, check=False, env=wide)


def out(*arguments: object) -> bytes:
    ran = run(*arguments)
    assert ran.returncode == 0, ran.stderr.decode()
    assert ran.stderr == b""
    return ran.stdout


def run_here(*arguments: object) -> int:
    """Return the status of the command in this process, as another one takes long to start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["clrng", *map(str, arguments)])
        return commands._run()


def test_devices_as_a_table_and_as_json() -> None:
    table = out("devices").decode()
    rows = json.loads(out("devices", "--json"))
    assert len(rows) == len(DEVICES)
    for row, info in zip(rows, DEVICES, strict=True):
        assert info.name in table
        assert (row["name"], row["fp64"], row["index"]) == (info.name, info.fp64, info.index)
        assert "integer" in row["arithmetics"]


def test_raw_values_on_standard_output() -> None:
    n = 2 * generate.CHUNK + 5
    found = np.frombuffer(out("generate", "-g", "park_miller", "-n", n, "--seed", 5, "--offset", 10**15), np.uint32)
    assert_array_equal(found, oracle.sequence(5, n, first=10**15 + 1))


@pytest.mark.parametrize(("dtype", "shift"), [("uint16", 15), ("uint8", 23)])
def test_the_highest_bits_as_full_words(dtype: str, shift: int) -> None:
    found = np.frombuffer(out("generate", "-g", "park_miller", "-n", 1000, "--dtype", dtype), dtype)
    assert_array_equal(found, oracle.sequence(1, 1000) >> shift)


def test_text_is_exact(tmp_path: Path) -> None:
    out("generate", "-g", "park_miller", "-n", 300, "-o", tmp_path / "a.txt", "--dtype", "float32")
    found = np.array((tmp_path / "a.txt").read_text().split(), np.float32)
    assert_array_equal(found, (oracle.sequence(1, 300) >> 7) * np.float32(2**-24))
    assert out("generate", "-g", "park_miller", "-n", 3, "--format", "text") == b"16807\n282475249\n1622650073\n"


@pytest.mark.parametrize("count", [0, 1, 1000])
def test_npy(tmp_path: Path, count: int) -> None:
    out("generate", "-g", "park_miller", "-n", count, "-o", tmp_path / "a.npy", "--multiplier", 48271)
    assert_array_equal(np.load(tmp_path / "a.npy"), oracle.sequence(1, count, 48271))
    assert list(tmp_path.iterdir()) == [tmp_path / "a.npy"]


def test_float64_where_there_is_any() -> None:
    ran = run("generate", "-g", "park_miller", "-n", 100, "--dtype", "float64")
    if clrng.choose_device().fp64:
        assert_array_equal(np.frombuffer(ran.stdout), oracle.sequence(1, 100) / oracle.M)
    else:
        assert ran.returncode == 1
        assert b"dtype float64 needs double precision" in ran.stderr


def test_a_stream_without_end_ends_when_the_pipe_closes() -> None:
    with subprocess.Popen(
        [*CLRNG, "generate", "-g", "park_miller"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        found = np.frombuffer(process.stdout.read(4 * 5_000_000), np.uint32)
        process.stdout.close()
        assert process.wait(60) == -signal.SIGPIPE
        assert process.stderr.read() == b""
    assert_array_equal(found, oracle.sequence(1, 5_000_000))


def began_to_write(process: int, folder: Path) -> bool:
    """Wait until a process has written a million bytes to a file in a folder, with a name or without."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        for link in Path(f"/proc/{process}/fd").iterdir():
            with suppress(FileNotFoundError):  # closed meanwhile
                if str(link.readlink()).startswith(f"{folder}/") and link.stat().st_size > 10**6:
                    return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_signal_leaves_the_old_file_and_nothing_else(tmp_path: Path, number: signal.Signals) -> None:
    target = tmp_path / "values.raw"
    target.write_text("old")
    with subprocess.Popen(
        [*CLRNG, "generate", "-g", "park_miller", "-n", "2e9", "-o", str(target)], stderr=subprocess.PIPE
    ) as process:
        assert began_to_write(process.pid, tmp_path)
        process.send_signal(number)
        assert process.wait(60) == -number
        assert process.stderr
        assert process.stderr.read().strip() == b""
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "values.raw"
    target.write_text("old")
    limit = f"ulimit -f 20000; exec {sys.executable} -m clrng generate -g park_miller -n 10000000 -o {target}"
    ran = subprocess.run(["bash", "-c", f"trap '' XFSZ; {limit}"], capture_output=True, check=False)
    assert ran.returncode == 1
    assert f"Error: [Errno 27] File too large: '{target}'" in ran.stderr.decode()
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_links_and_permissions_are_kept(tmp_path: Path) -> None:
    target, link = tmp_path / "target.raw", tmp_path / "link.raw"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    out("generate", "-g", "park_miller", "-n", 7, "-o", link)
    assert link.is_symlink()
    assert_array_equal(np.fromfile(target, np.uint32), oracle.sequence(1, 7))
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_long_name_and_a_link_to_itself(tmp_path: Path) -> None:
    long = tmp_path / ("x" * 250 + ".npy")
    out("generate", "-g", "park_miller", "-n", 7, "-o", long)
    assert_array_equal(np.load(long), oracle.sequence(1, 7))
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    ran = run("generate", "-g", "park_miller", "-n", 7, "-o", loop)
    assert ran.returncode == 1
    assert ran.stderr.startswith(b"Error: [Errno 40] Too many levels of symbolic links")


@pytest.mark.parametrize(("closed", "returns"), [(">&-", 1), ("2>&-", 0)])
def test_closed_streams(closed: str, returns: int) -> None:
    command = f"{sys.executable} -m clrng generate -g park_miller -n 1 --format text {closed}"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert ran.returncode == returns
    assert ran.stderr == (b"Error: standard output is closed\n" if returns else b"")
    assert ran.stdout == (b"" if returns else b"16807\n")


def test_what_is_no_file_is_written_to(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with subprocess.Popen([*CLRNG, "generate", "-g", "park_miller", "-n", "1000", "-o", str(fifo)]) as process:
        assert_array_equal(np.frombuffer(fifo.read_bytes(), np.uint32), oracle.sequence(1, 1000))
        assert process.wait(60) == 0
    assert fifo.is_fifo()


def test_a_named_pipe_gets_values_until_it_is_closed(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with subprocess.Popen(
        [*CLRNG, "generate", "-g", "park_miller", "-o", str(fifo)], stderr=subprocess.PIPE
    ) as process:
        with fifo.open("rb") as reader:
            found = reader.read(4 * 10**6)
        assert process.wait(60) == -signal.SIGPIPE  # as of a pipe to standard output
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert_array_equal(np.frombuffer(found, np.uint32), oracle.sequence(1, 10**6))
    ran = run("generate", "-g", "park_miller", "-o", fifo, "--format", "npy")
    assert ran.returncode == 1
    assert ran.stderr.startswith(b"Error: --count is needed for a file and for npy")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["generate", "-n", "-1"], "Invalid value for '-n' / '--count': it must be an integer of 0 or more, not -1"),
        (["generate", "-n", "9^99999999999"], "'-n' / '--count': '9^99999999999' is not between -2^4096 and 2^4096"),
        (
            ["generate", "-g", "park_miller", "--seed", "0"],
            "Error: --seed must be an integer from 1 to 2147483646, not 0",
        ),
        (
            ["generate", "-g", "mrg32k3a", "--state", "1,2"],
            "Error: --state must be 6 integers, three for each recurrence, not 2",
        ),
        (["generate", "--offset", "-5"], "Invalid value for '--offset': it must be an integer of 0 or more, not -5"),
        (["generate", "--dtype", "float16"], "'float16' is not one of"),
        (["generate", "--arithmetic", "x"], "'x' is not one of"),
        (["generate", "-o", "a.raw"], "--count is needed for a file"),
        (["generate", "-n", "5", "--device", "quantum"], "no device matches device = 'quantum'; the devices are 0:"),
        (
            ["generate", "-n", "5", "-o", "/no/such/folder/a"],
            "Error: --output must be the name of a file in a folder that can be written to, not '/no/such/folder/a'",
        ),
        (
            ["generate", "-n", "5", "-g", "park_miller", "--arithmetic", "limbs-2008", "--multiplier", "70000"],
            "up to 65535, not 70000",
        ),
        (
            ["generate", "-n", "5", "-o", "a.csv"],
            "Error: --output must end in .npy, .txt, .raw, .bin or .dat, not .csv",
        ),
        (
            ["generate", "-n", "5", "-o", ""],
            "Error: --output must be the name of a file in a folder that can be written to, not ''",
        ),
        (["generate", "-n", "5", "-o", "/tmp/no-such-folder/"], "Is a directory: '/tmp/no-such-folder/'"),
        (["verify", "--sample", "1"], "Invalid value for '--sample': it must be an integer of 64 or more, not 1"),
        (["rates", "--mib", "0"], "Invalid value for '--mib': it must be an integer of 1 or more, not 0"),
        (["rates", "--rounds", "0"], "Invalid value for '--rounds': it must be an integer from 1 to 1000, not 0"),
        (["rates", "--mib", "999999999"], "Error: --mib must be at most"),
        (["rates", "--json", "/no/such/folder/a"], "Error: --json must be the name of a file in a folder that can be"),
        (
            ["rates", "--json", ""],
            "Error: --json must be the name of a file in a folder that can be written to, not ''",
        ),
        (["spam"], "No such command 'spam'"),
    ],
)
def test_bad_arguments_end_with_one_clear_error(
    arguments: list[str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_here(*arguments) != 0
    told = capfd.readouterr()
    assert said in told.err
    assert told.out == ""


def test_a_terminal_gets_text_and_a_progress_bar() -> None:
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [*CLRNG, "generate", "-g", "park_miller", "-n", "2"], stdout=follower, stderr=follower
    ) as process:
        assert process.wait(60) == 0
    os.close(follower)
    said = os.read(leader, 100000)
    os.close(leader)
    assert b"16807\r\n282475249\r\n" in said
    assert b"generating" in said


def test_a_terminal_is_spared_raw_bytes() -> None:
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [*CLRNG, "generate", "-g", "park_miller", "-n", "2", "--format", "raw"], stdout=follower, stderr=subprocess.PIPE
    ) as process:
        assert process.wait(60) == 1
        assert process.stderr
        assert b"refusing to write raw values to a terminal" in process.stderr.read()
    os.close(follower)
    os.close(leader)


def test_verify_a_sample() -> None:
    said = out("verify", "-g", "park_miller", "--sample", 6400, "--arithmetic", "integer").decode()
    assert "integer      steps                     6,400 cases  ok: a sample of the states" in said


def test_verify_says_in_one_line_what_is_made_for_others() -> None:
    said = out("verify", "-g", "numpy_pcg64", "--sample", 64).decode()
    (line,) = (line for line in said.splitlines() if line.endswith(": made for x' = a x mod 2^31 - 1 alone"))
    assert line.startswith("not used: ")
    assert said.splitlines()[0].endswith("=194290289479364712180083596243593368443)")  # lines are whole in a pipe


@pytest.mark.slow
def test_rates(tmp_path: Path) -> None:
    said = out("rates", "--mib", 4, "--rounds", 1, "--json", tmp_path / "rates.json").decode()
    report = json.loads((tmp_path / "rates.json").read_text())
    assert set(report["fills"]) - {"wall (cached)"} == {"wall", *report["registers"]}
    assert all(row["low"] <= row["rate"] <= row["high"] for row in report["fills"].values())
    for name in report["fills"]:
        assert name in said


def test_a_file_is_written_though_standard_output_is_closed(tmp_path: Path) -> None:
    command = f"{sys.executable} -m clrng generate -g park_miller -n 9 -o {tmp_path}/a.raw >&-"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert_array_equal(np.fromfile(tmp_path / "a.raw", np.uint32), oracle.sequence(1, 9))


@pytest.mark.parametrize(
    "arguments", ["devices", "generators", "--help", "generate --help", "generate -n 1 -o /dev/stdout", "rates --mib 1"]
)
def test_what_prints_needs_standard_output(arguments: str) -> None:
    command = f"{sys.executable} -m clrng {arguments} >&-"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (1, b"Error: standard output is closed\n")


def test_ctrl_c_ends_a_shell_loop() -> None:
    """A shell goes on with its loop where a command has ended with a status, and stops where a signal ended it."""
    loop = f"for i in 1 2 3; do {' '.join(CLRNG)} generate; done; echo went on >&2"
    with subprocess.Popen(
        ["bash", "-c", loop], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdout
        assert process.stderr
        assert len(process.stdout.read(10**6)) == 10**6
        os.killpg(process.pid, signal.SIGINT)
        process.stdout.read()
        assert process.wait(60) == -signal.SIGINT
        assert process.stderr.read() == b""
