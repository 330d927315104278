"""Which files of the package a warm call walks through, as the running program says."""

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from click.testing import CliRunner

import clrng
import clrng.dask
from clrng.cli.generate import generate
from tests.conftest import DEVICES
from tests.project.test_house import PACKAGE, floor, room

Call = tuple[str, str, str]
"""The module that calls, the name of its function, and the module that is called."""

pytestmark = pytest.mark.skipif(DEVICES[0].kind != "cpu", reason="a device with memory of its own takes other ways")


def module(frame: FrameType | None) -> str | None:
    """Return the module of the package that a frame is of."""
    path = Path(frame.f_code.co_filename) if frame else PACKAGE
    if PACKAGE not in path.parents:
        return None
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


def walk(call: Callable[[], object]) -> list[Call]:
    """Make a call twice, then again, and return the calls of functions of the package in all threads of that one."""
    calls: list[Call] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        entered = module(frame) if event == "call" else None
        if entered:
            caller = frame.f_back
            while caller and not module(caller):
                caller = caller.f_back
            calls.append((module(caller) or "", caller.f_code.co_name if caller else "", entered))

    call()
    call()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return calls


def jump() -> Callable[[], object]:
    rng = clrng.Generator(clrng.MT19937(seed=1), 0)

    def jumped() -> object:
        rng.bit_generator.advance(10**9)
        return rng.random_raw(1024)

    return jumped


def chunk() -> Callable[[], object]:
    block = clrng.dask.Generator(clrng.ParkMiller(seed=1)).normal(size=10_000, chunks=1000).blocks[3]
    return lambda: block.compute(scheduler="synchronous")


def normals() -> Callable[[], object]:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), 0)
    return lambda: rng.normal(size=1024)


def streams() -> Callable[[], object]:
    made = clrng.Streams.by_jumps(clrng.ParkMiller(seed=1), 1000, queue=0)
    return lambda: made.random_raw(3)


FILES = {normals: (9, 4), jump: (15, 3), chunk: (12, 1), streams: (8, 1)}
"""The most files that a call may enter: of all, and of front ends."""


@pytest.mark.parametrize("make", FILES, ids=lambda make: make.__name__)
def test_the_files_that_a_call_enters(make: Callable[[], Callable[[], object]]) -> None:
    entered = sorted({entered for _, _, entered in walk(make())})
    fronts = [each for each in entered if room(each) in {"clrng.frontends", "clrng.dask"}]
    files, own = FILES[make]
    assert len(entered) <= files, entered
    assert len(fronts) <= own, fronts


@pytest.mark.parametrize("kind", [clrng.Generator, clrng.Streams, clrng.MultiDeviceGenerator, clrng.dask.Generator])
def test_front_ends_inherit_from_few_classes(kind: type) -> None:
    assert len([each for each in kind.__mro__ if each.__module__.startswith("clrng")]) <= 6


def test_no_floor_is_climbed_to_twice(tmp_path: Path) -> None:
    """What is called from a lower floor, as a function that was handed down, is called from one place there."""
    arguments = ["-n", "100", "--distribution", "normal", "--output", str(tmp_path / "values.npy")]

    def command() -> None:
        ran = CliRunner().invoke(generate, arguments)
        assert ran.exit_code == 0, ran.output

    climbs = {call for call in walk(command) if call[0] and floor(call[0]) < floor(call[2])}
    rooms = [room(entered) for _, _, entered in {(caller, name, room(entered)) for caller, name, entered in climbs}]
    assert len(rooms) == len(set(rooms)), climbs
