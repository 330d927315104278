"""Where output goes: to whole files, to devices and to what is open already."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from clrng.cli import generate
from clrng.cli.output import opened
from tests.cli.test_command_line import CLRNG, run

FIRST = b"16807\n"
GENERATE = [*CLRNG, "generate", "-g", "park_miller", "-n", "1", "--format", "text", "-o"]
IS_ROOT = os.geteuid() == 0
NOBODY = 65534


def fail_with(error: type[BaseException], path: Path) -> None:
    with opened(str(path)) as output:
        output.write(b"new")
        raise error


@pytest.fixture(params=["unnamed", "named"])
def temporary(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Take files without a name until they are complete, and files with one as where there is nothing else."""
    kind: str = request.param
    if kind == "named":
        monkeypatch.delattr(os, "O_TMPFILE")
    return kind


@pytest.fixture
def anyones() -> Iterator[Path]:
    """Return a folder in which every user may write."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Return a folder on a file system of 1 MiB."""
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(tmp_path)]
    if not IS_ROOT or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a small file system")
    yield tmp_path
    subprocess.run(["umount", str(tmp_path)], check=True)


def write(path: Path | str, data: bytes = b"new") -> None:
    with opened(str(path)) as output:
        output.write(data)


@pytest.mark.usefixtures("temporary")
@pytest.mark.parametrize(
    "name", ["€" * 83 + "é", "x" * 251 + ".npy", b"\xff\xfe".decode(errors="surrogateescape"), "a b\nc"]
)
def test_every_legal_name(tmp_path: Path, name: str) -> None:
    for data in (b"first", b"second"):
        write(tmp_path / name, data)
        assert (tmp_path / name).read_bytes() == data
    assert list(tmp_path.iterdir()) == [tmp_path / name]


def test_an_illegal_name_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"\[Errno"), opened("/dev/fd/99999999999999999999"):
        pytest.fail("it was opened")
    for name in ("€" * 86, "folder/", "folder/.", "folder/..", "no/folder", ""):
        with pytest.raises(OSError, match=r"\[Errno"), opened(f"{tmp_path}/{name}"):
            pytest.fail("it was opened")
    assert not list(tmp_path.iterdir())


def test_a_file_has_its_name_only_when_complete(tmp_path: Path, temporary: str) -> None:
    path = tmp_path / "a"
    for old in (None, b"old"):
        with opened(str(path)) as output:
            output.write(b"new")
            assert (path.read_bytes() if path.exists() else None) == old
            assert len(list(tmp_path.iterdir())) == (old is not None) + (temporary == "named")
        assert path.read_bytes() == b"new"
        path.write_bytes(b"old")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.usefixtures("temporary")
@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt, SystemExit])
def test_a_failure_leaves_what_was(tmp_path: Path, error: type[BaseException]) -> None:
    (tmp_path / "old").write_bytes(b"old")
    for name in ("old", "new"):
        with pytest.raises(error):
            fail_with(error, tmp_path / name)
    assert list(tmp_path.iterdir()) == [tmp_path / "old"]
    assert (tmp_path / "old").read_bytes() == b"old"


@pytest.mark.usefixtures("temporary")
def test_the_modes_of_new_and_of_old_files(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write(tmp_path / "a")
        assert (tmp_path / "a").stat().st_mode & 0o7777 == 0o640
        (tmp_path / "a").chmod(0o604)
        write(tmp_path / "a")
        assert (tmp_path / "a").stat().st_mode & 0o7777 == 0o604
    finally:
        os.umask(before)


@pytest.mark.usefixtures("temporary")
def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder/link")
    (tmp_path / "folder" / "link").symlink_to("a")
    for data in (b"first", b"second"):
        write(tmp_path / "link", data)
        assert (tmp_path / "folder" / "a").read_bytes() == data
    assert (tmp_path / "link").is_symlink()
    assert sorted(path.name for path in (tmp_path / "folder").iterdir()) == ["a", "link"]


@pytest.mark.usefixtures("temporary")
def test_two_writers_of_one_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with opened(str(path)) as first:
        first.write(b"first")
        with opened(str(path)) as second:
            second.write(b"second")
        assert path.read_bytes() == b"second"
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.usefixtures("temporary")
def test_a_write_protected_file_is_refused(anyones: Path) -> None:
    path = anyones / "protected"
    path.write_bytes(b"old")
    path.chmod(0o444)
    if IS_ROOT:
        os.chown(path, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    try:
        with pytest.raises(PermissionError, match=f"Permission denied: '{path}'"), opened(str(path)):
            pytest.fail("it was opened")
        path.chmod(0o644)
        write(path)
    finally:
        if IS_ROOT:
            os.seteuid(0)
    assert path.read_bytes() == b"new"
    assert list(anyones.iterdir()) == [path]


@pytest.mark.skipif(not IS_ROOT, reason="needs two users")
@pytest.mark.usefixtures("temporary")
def test_who_may_replace_a_file_of_another(anyones: Path) -> None:
    path = anyones / "theirs"
    path.write_bytes(b"old")
    path.chmod(0o666)
    anyones.chmod(0o1777)
    os.seteuid(NOBODY)
    try:
        with (
            pytest.raises(PermissionError, match=f"Only its owner may replace it in this folder: '{path}'"),
            opened(str(path)),
        ):
            pytest.fail("it was opened")
    finally:
        os.seteuid(0)
    os.chown(path, NOBODY, NOBODY)
    write(path)
    assert (path.stat().st_uid, path.stat().st_gid, path.read_bytes()) == (NOBODY, NOBODY, b"new")


@pytest.mark.parametrize("name", ["/dev/fd/1", "/dev/stdout", "/proc/self/fd/1", "-", "link"])
def test_standard_output_by_its_names(tmp_path: Path, name: str) -> None:
    (tmp_path / "link").symlink_to("/dev/stdout")
    log = tmp_path / "log"
    log.write_bytes(b"earlier\n")
    with log.open("ab") as file:
        subprocess.run([*GENERATE, name], stdout=file, cwd=tmp_path, check=True)
    assert log.read_bytes() == b"earlier\n" + FIRST
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "log"]


@pytest.mark.parametrize(("name", "redirected"), [("/dev/stderr", "2>"), ("/dev/fd/1", ">"), ("/proc/self/fd/7", "7>")])
def test_descriptors_are_written_to_where_they_stand(tmp_path: Path, name: str, redirected: str) -> None:
    number = redirected.rstrip(">") or "1"
    command = f"(echo earlier >&{number}; {' '.join(GENERATE)} {name}; echo later >&{number}) {redirected} log"
    subprocess.run(["bash", "-c", command], cwd=tmp_path, check=True)
    assert (tmp_path / "log").read_bytes() == b"earlier\n" + FIRST + b"later\n"
    assert list(tmp_path.iterdir()) == [tmp_path / "log"]


def test_descriptors_that_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with (tmp_path / "a").open("r+b") as own, (tmp_path / "a").open("rb") as read_only:
        os.set_inheritable(read_only.fileno(), True)
        for number, said in (
            (own.fileno(), "Bad file descriptor"),
            (read_only.fileno(), "Not open for writing"),
            (987, "Bad"),
        ):
            with pytest.raises(OSError, match=rf"\[Errno 9\] {said}.*'/dev/fd/{number}'"), opened(f"/dev/fd/{number}"):
                pytest.fail("it was opened")
    assert (tmp_path / "a").read_bytes() == b"old"


def test_a_file_called_dash(tmp_path: Path) -> None:
    subprocess.run([*GENERATE, "./-"], cwd=tmp_path, check=True)
    assert (tmp_path / "-").read_bytes() == FIRST


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("a.npy", "npy"), ("a.NPY", "npy"), ("a.b.npy", "npy"), (".npy", "npy"), ("a.txt", "text"), ("a.Txt", "text"),
        ("a", "raw"), ("a.", "raw"), ("a.raw", "raw"), ("a.bin", "raw"), ("a.DAT", "raw"), ("a.1", "raw"),
        ("b.csv/a", "raw"), ("csv", "raw"), ("/dev/null", "raw"),
    ],
)  # fmt: skip
def test_the_format_is_that_of_the_ending(name: str, form: str) -> None:
    assert generate.default_format(name) == form


@pytest.mark.parametrize("name", ["a.csv", "a.CSV", "a.npz", "a.txt.gz", "a.json", "a.h5", "a.parquet", ".tsv"])
def test_endings_of_other_formats_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(
        ValueError, match="--output must end in .npy, .txt, .raw, .bin or .dat, not .*; or give --format"
    ):
        generate.default_format(f"{tmp_path}/{name}")


def test_any_ending_with_a_format(tmp_path: Path) -> None:
    ran = run("generate", "-g", "park_miller", "-n", 1, "--format", "text", "-o", tmp_path / "a.csv")
    assert (ran.returncode, (tmp_path / "a.csv").read_bytes()) == (0, FIRST)


@pytest.mark.parametrize(("ending", "size"), [("raw", 4), ("npy", 4), ("txt", 2)])
def test_a_disk_too_small_is_refused_before_anything_is_drawn(tmp_path: Path, ending: str, size: int) -> None:
    count = shutil.disk_usage(tmp_path).total
    target = tmp_path / f"a.{ending}"
    command = f"{' '.join(CLRNG)} generate -g park_miller -n {count} -o {target}"
    limited = f"ulimit -f 20000; exec {command}"  # should it be drawn after all
    ran = subprocess.run(["bash", "-c", limited], capture_output=True, check=False)
    needed = size * count + (128 if ending == "npy" else 0)
    assert ran.returncode == 1
    assert f"Error: '{target}' needs {needed} bytes, and its file system has " in ran.stderr.decode()
    assert not list(tmp_path.iterdir())


def test_a_disk_of_just_the_right_size(small_disk: Path) -> None:
    path = small_disk / "a.raw"
    with opened(str(path)) as output:
        output.check_room(2**20)
        with pytest.raises(OSError, match=f"'{path}' needs 1048577 bytes, and its file system has 1048576 free"):
            output.check_room(2**20 + 1)
        output.write(bytes(2**20))
    with path.open("r+b") as file:
        os.set_inheritable(file.fileno(), True)
        with opened(f"/dev/fd/{file.fileno()}") as output:
            output.check_room(2**20)  # is written over
            with pytest.raises(OSError, match="needs 1 bytes, and its file system has 0 free"):
                output.check_room(2**20 + 1)


@pytest.mark.usefixtures("temporary")
def test_a_disk_that_is_full_in_the_middle(small_disk: Path) -> None:
    path = small_disk / "a.txt"
    path.write_bytes(b"old")
    said = f"\\[Errno 28\\] No space left on device: '{path}'"
    with pytest.raises(OSError, match=said):
        write(path, bytes(2**21))
    assert path.read_bytes() == b"old"
    assert list(small_disk.iterdir()) == [path]


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["generate", "-n", "5", "-o", "-"], "standard output"),
        (["generate", "-n", "5", "-o", "/dev/full"], "/dev/full"),
    ],
)
def test_a_device_that_is_full(arguments: list[str], name: str) -> None:
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run([*CLRNG, *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (ran.returncode, ran.stderr.decode()) == (1, f"Error: [Errno 28] No space left on device: '{name}'\n")


@pytest.mark.parametrize("command", [["generators"], ["devices"], ["devices", "--json"], ["--help"], ["--version"]])
def test_whatever_prints_into_a_closed_pipe_ends_as_other_tools_do(command: list[str]) -> None:
    with subprocess.Popen([*CLRNG, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.wait(60) == -signal.SIGPIPE
        assert process.stderr.read() == b""


def test_closed_standard_streams_are_no_numbers_for_files(tmp_path: Path) -> None:
    code = "import os, clrng.__main__; print(*(os.readlink(f'/proc/self/fd/{n}') for n in range(3)), sep='\\n')"
    command = f'exec {sys.executable} -c "{code}" <&- 2>&- >{tmp_path}/log'
    subprocess.run(["bash", "-c", command], check=True)
    assert (tmp_path / "log").read_text() == f"/dev/null\n{tmp_path}/log\n/dev/null\n"
