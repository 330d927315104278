"""Ctrl-C, from the first import on, and the public names, which are imported late for its sake."""

import ast
import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import clrng
from clrng import generators
from tests.cli.test_command_line import CLRNG
from tests.support.processes import said

INTERRUPTING = """
import os, signal, sys

LEFT = int(os.environ["INTERRUPTED_AT"])
BEGUN = False

def hook(event, arguments):
    global BEGUN, LEFT
    if event == "import" and LEFT:
        LEFT -= BEGUN
        BEGUN = BEGUN or arguments[0] == "clrng"
        if not LEFT:
            os.kill(os.getpid(), signal.SIGINT)

sys.addaudithook(hook)
"""
"""Interrupts its process at the import of a number after that of clrng."""


def interrupted(at: int, folder: Path, *command: str) -> subprocess.CompletedProcess[bytes]:
    (folder / "sitecustomize.py").write_text(INTERRUPTING)
    path = os.pathsep.join([str(folder), str(Path(clrng.__file__).parent.parent), *sys.path[1:]])
    environment = {**os.environ, "PYTHONPATH": path, "INTERRUPTED_AT": str(at)}
    return subprocess.run([*CLRNG, *command], env=environment, capture_output=True, check=False)


@pytest.mark.parametrize("at", [1, 2, 3, 5, 10, 20, 50, 100, 200, 400])
def test_ctrl_c_during_the_imports(at: int, tmp_path: Path) -> None:
    ran = interrupted(at, tmp_path, "generators")
    assert ran.returncode == -signal.SIGINT
    assert (ran.stdout, ran.stderr) == (b"", b"")


def test_all_imports_come_to_an_end(tmp_path: Path) -> None:
    ran = interrupted(10**6, tmp_path, "--version")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"clrng, version {clrng.__version__}\n".encode(), b"")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_signals_that_are_ignored_stay_so(number: signal.Signals) -> None:
    command = f"trap '' {number}; exec {' '.join(CLRNG)} generate"
    with subprocess.Popen(["bash", "-c", command], stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert len(process.stdout.read(10**5)) == 10**5
        process.send_signal(number)
        assert len(process.stdout.read(10**8)) == 10**8
        process.terminate()
        assert len(process.stdout.read()) > 0
        assert process.wait(60) == -signal.SIGTERM


def test_importing_clrng_imports_nothing_else() -> None:
    code = "import sys; before = set(sys.modules); import clrng; print(*set(sys.modules) - before)"
    assert said("-c", code) == "clrng\n"


@pytest.mark.slow
def test_every_way_to_the_names() -> None:
    names = clrng.__all__
    assert len(names) == len(set(names)) >= 20
    for use in (
        "import clrng; names = [getattr(clrng, name) for name in {names}]",
        f"from clrng import {', '.join(names)}",
        "from clrng import *; names = [globals()[name] for name in {names}]",
        "import clrng; assert set({names}) < set(dir(clrng)); names = [vars(clrng)[name] for name in {names}]",
    ):
        assert said("-c", f"{use.format(names=names)}; print('ok')") == "ok\n"
    assert said("-c", "import clrng; clrng.Generator; print(clrng.opencl.devices.no_device()[:9])") == "no OpenCL\n"
    assert said("-c", "from clrng.opencl import devices; print(devices.no_device()[:9])") == "no OpenCL\n"


def test_names_that_are_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'clrng' has no attribute 'spam'"):
        clrng.spam  # noqa: B018  # what it raises is the test
    with pytest.raises(ImportError, match="cannot import name 'spam' from 'clrng'"):
        from clrng import spam  # noqa: F401, PLC0415


IMPORTED_FIRST = """
import importlib, os, sys
import mako.template, numpy, pyopencl.array  # which take longest, once for all
for name in {names}:
    sys.stdout.flush()
    if not (child := os.fork()):
        try:
            print(importlib.import_module(name).__name__, flush=True)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_each_module_can_be_imported_first() -> None:
    folder = Path(clrng.__file__).parent
    names = [f"clrng.{path.stem}" for path in folder.glob("*.py") if path.stem not in {"__init__", "__main__"}]
    assert said("-c", IMPORTED_FIRST.format(names=names)).split() == names


def test_generators_are_pickled() -> None:
    assert pickle.loads(pickle.dumps(clrng.ParkMiller(5))) == clrng.ParkMiller(5)
    code = pickle.dumps(clrng.MRG32k3a(7))
    assert said("-c", f"import pickle; print(pickle.loads({code!r}))") == f"{clrng.MRG32k3a(7)!r}\n"


def test_the_public_names_are_those_imported_for_them() -> None:
    tree = ast.parse((Path(clrng.__file__).parent / "frontends" / "public.py").read_text())
    imported = {name.name for node in tree.body if isinstance(node, ast.ImportFrom) for name in node.names}
    assert imported - {"*", "generators"} | set(generators.__all__) == set(clrng.__all__)
