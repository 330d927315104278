"""What every benchmark script shares: its command line, its results, its clock and its checks."""

import argparse
import json
import os
import platform
import re
import shlex
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

import clrng
from clrng.measuring import timing
from clrng.measuring.timing import Work, check, pieces, poison
from clrng.opencl.devices import DeviceInfo, describe
from clrng.opencl.kernel import Kernel
from clrng.opencl.templates import prelude, render
from harness.record import commit

RESULTS = Path(__file__).parents[1] / "results"
UNFINISHED = ".unfinished.json"

MOST_ON_HOST = 2**24
"""The most values with which NumPy is measured beside a GPU."""

Made = TypeVar("Made")


def count(text: str) -> int:
    """Return the whole number from 1 on that an option of the command line is.

    Raises
    ------
    argparse.ArgumentTypeError
        If it is none.
    """
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 on, not {text!r}")
    return int(text)


def arguments(about: str | None, *, rounds: int | None = None, **options: dict[str, Any]) -> argparse.Namespace:
    """Return the command line's arguments: --device, --results, --quick and those of `options`; integers are counts.

    Scripts that measure in `rounds` have --rounds too; by default so many, or 1 with --quick.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", help="index, kind or part of a name; by default the best there is")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder of results")
    parser.add_argument("--quick", action="store_true", help="few sizes, small: to see that it works, not how fast")
    if rounds is not None:
        parser.add_argument("--rounds", type=count, help=f"by default {rounds}, or 1 with --quick")
    for name, option in options.items():
        parser.add_argument(f"--{name}", **({**option, "type": count} if option.get("type") is int else option))
    found = parser.parse_args()
    if rounds is not None:
        found.rounds = found.rounds or (1 if found.quick else rounds)
    return found


def _end(number: int, _: object) -> NoReturn:
    """End at the first signal, and leave those that follow alone, so that what is to be closed is closed."""
    for other in (signal.SIGINT, signal.SIGTERM):
        signal.signal(other, lambda *_: None)  # not SIG_IGN: of a signal that has come by then Python would complain
    sys.exit(128 + number)


def run(main: Callable[[], None]) -> NoReturn:
    """Run a script's `main`; a refusal ends it with one line, a signal or a closed pipe quietly, with its rows kept."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _end)
    try:
        main()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(128 + getattr(signal, "SIGPIPE", 13))  # which Windows lacks
    except (clrng.ClrngError, ImportError, ValueError, OSError) as error:
        sys.exit(f"Error: {error}")
    sys.exit(0)


def kind_of(device: DeviceInfo) -> str:
    """Return whose sizes `device` takes: those of "cpu" or of "gpu"."""
    return "cpu" if device.kind == "cpu" else "gpu"


def chosen(names: Iterable[str], only: str) -> list[str]:
    """Return those of `names` that `only` is a part of.

    Raises
    ------
    ValueError
        If there is none.
    """
    every = list(names)
    if found := [name for name in every if only in name]:
        return found
    raise ValueError(f"only must be a part of one of {', '.join(every)}, not {only!r}")


def buffer_bytes(device: DeviceInfo, mib: int | None, usual: int) -> int:
    """Return the bytes of `mib` MiB, or of `usual` ones or as many as the device allocates.

    Raises
    ------
    ValueError
        If it does not allocate `mib`.
    """
    most = device.largest_allocation // 2**20
    if mib is not None and mib > most:
        raise ValueError(f"mib must be at most {most} for the largest allocation of {device.name}, not {mib}")
    return 2**20 * (mib or min(usual, most))


def takes_host(device: DeviceInfo, n: int) -> bool:
    """Return whether NumPy is measured with `n` values beside a device: beside a GPU, where it takes no minutes."""
    return device.kind == "cpu" or n <= MOST_ON_HOST


def processor() -> str:
    """Return the name of the host's processor, or its architecture where it does not say."""
    about = Path("/proc/cpuinfo")
    lines = about.read_text().splitlines() if about.exists() else []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def cores() -> int:
    """Return how many cores of the host this process may take."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def command() -> str:
    """Return the command line that this script was started by, but for the folder of its results."""
    words = ["benchmarks", Path(sys.argv[0]).stem]
    rest = iter(sys.argv[1:])
    for word in rest:
        if word == "--results":
            next(rest, None)
        elif not word.startswith("--results="):
            words.append(word)
    return shlex.join(["python", *words])


def folder_of(device: DeviceInfo) -> str:
    """Return the name of the folder of the results of `device`."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", f"{device.platform} {device.driver} {device.name}").strip("-")


class Results:
    """The results of one script on one device, written after every row, so that an interrupted run keeps its rows.

    Until all is measured they are in a file of their own, and those of an earlier run stay; then these are kept as
    ``<name>.json.old``.

    Parameters
    ----------
    options : argparse.Namespace
        The script's, of which ``results`` is the folder to write to.
    name : str
        The script's; results go to ``<results>/<device>/<name>.json``.
    queue : pyopencl.CommandQueue
    **about
        What to say of all rows: sizes, rounds.

    Attributes
    ----------
    rows : dict of str to dict
        What was measured, by name.
    missing : dict of str to str
        What could not be measured, and why.
    """

    def __init__(self, options: argparse.Namespace, name: str, queue: cl.CommandQueue, **about: Any) -> None:
        device = describe(queue.device)
        self.path: Path = options.results / folder_of(device) / f"{name}.json"
        self.rows: dict[str, Any] = {}
        self.missing: dict[str, str] = {}
        self._about = {
            "device": device.name,
            "platform": device.platform,
            "driver": device.driver,
            "units": device.units,
            "kind": device.kind,
            "host": processor(),
            "cores": cores(),
            "clrng": clrng.__version__,
            "commit": commit(),
            "python": platform.python_version(),
            "date": datetime.now(timezone.utc).date().isoformat(),
            "command": command(),
            **about,
        }

    def add(self, name: str, row: Any) -> None:
        """Add a row, of plain values, and write all there are."""
        self.rows[name] = row
        self._write(complete=False)

    def skip(self, what: str, why: str) -> None:
        """Print and keep that `what` could not be measured, and why."""
        if what not in self.missing:
            print(f"{what}: skipped: {why}", flush=True)
            self.missing[what] = why

    def close(self) -> None:
        """Write that nothing is left to measure, and put the file where that of an earlier run is."""
        unfinished = self._write(complete=True)
        if self.path.exists():
            self.path.replace(self.path.with_suffix(".json.old"))
        unfinished.replace(self.path)
        print(f"-> {self.path}", flush=True)

    def _write(self, *, complete: bool) -> Path:
        found = {**self._about, "complete": complete, "missing": self.missing, "rows": self.rows}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.path.with_name(self.path.stem + UNFINISHED)
        part = self.path.with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps(found, indent=1) + "\n")
        part.replace(unfinished)
        return unfinished


def read(path: Path) -> dict[str, Any] | None:
    """Return the results in a file, or None, with a line that says so, if there are none in it."""
    try:
        found = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        print(f"{path}: left out: {error}", flush=True)
        return None
    return found if isinstance(found, dict) else None


def measure(
    queue: cl.CommandQueue,
    works: Mapping[str, Work],
    rounds: int,
    wall: str | None = "wall",
    shortest: float = timing.MIN_SECONDS,
) -> dict[str, dict[str, Any]]:
    """Measure `works` in turns; return values, rate, low, high and, where there is a wall, ratio of each by name.

    Rates are in values a second: the median of the rounds, the lowest and the highest; the ratio is the median over the
    rounds of the rate over that of the work named `wall`. One timing lasts at least `shortest` seconds.
    """
    *_, rates = timing.rounds(queue, works, rounds, wall, shortest)
    return {
        name: {"values": works[name].values, **{k: v for k, v in rate.items() if wall or k != "ratio"}}
        for name, rate in rates.items()
    }


def in_a_line(error: Exception) -> str:
    """Return the kind of an error, and the first line of what it says."""
    return f"{type(error).__name__}: {error}".split("\n")[0]


def attempt(results: Results, what: str, make: Callable[[], Made]) -> Made | None:
    """Return what `make` makes, or None, with a line that says why, if it cannot; the others are measured anyway."""
    try:
        return make()
    except Exception as error:  # noqa: BLE001  # whatever a peer lacks
        results.skip(what, in_a_line(error))
        return None


def checked(call: Callable[[], object], bits: clrng.BitGenerator, out: Any, who: str) -> Work:
    """Return a fill of `out` by `call` with the values of `bits` from its state on, every time, after one checked.

    Raises
    ------
    ClrngError
        If a value is wrong at the beginning, the middle or the end of `out`, which was poisoned before. So does the
        check of what is returned.
    """

    def once_more() -> None:
        poison(out)
        call()
        check(bits, out, who)

    once_more()
    return Work(out.size, call, None, once_more)


def wall(queue: cl.CommandQueue, out: cla.Array) -> Work:
    """Return the fastest plain store to the bytes of `out`; its values are those of `out`, and none may be left out."""
    words = cla.Array(queue, out.nbytes // 4, np.uint32, data=out.base_data, offset=out.offset)
    call = timing.wall(queue, words)

    def written() -> None:
        poison(words)
        call()
        if any((values == np.iinfo(np.uint32).max).any() for _, values in pieces(words[: words.size // 4096 * 4096])):
            raise clrng.ClrngError(f"the plain store on {queue.device.name} left values unwritten")

    return Work(out.size, call, None, written)


def empty_launch(queue: cl.CommandQueue) -> Callable[[], object]:
    """Return a call that launches a kernel that does nothing."""
    text = prelude() + render("bench/wall.cl.mako", width=1, consecutive=4, interleaved=1, streaming=False)
    kernel = Kernel(queue.context, text, "nothing")
    return lambda: kernel(queue, 1, 1)
