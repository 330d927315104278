"""How close does a lagged Fibonacci fill of one exact stream come to the device's write wall, against its larger lag?

Each pair of lags is measured with the four ops, warm, in one stream that goes on from call to call. In the same rounds
stand the wall and, for words of 32 bits, cuRAND's MT19937 where CuPy is installed, and for + the published algorithm of
2012 where its sums are short, with the best ratio of its matrix and its vector kept from call to call, and a plain loop
in C on one core of the host.

Set-up is timed apart: the first call of a new generator, which plans and builds programs if neither this process nor a
cache of the driver's has them, and its first call at another size. Both are the seconds of the whole call, values too.
"""

import ctypes
import os
import shlex
import shutil
import subprocess
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
from common import arguments, curand, save

import clrng
from clrng import bench
from clrng.devices import DeviceInfo, describe
from clrng.divide_and_conquer import solver_of

PAIRS = [
    (7, 10),
    (5, 17),
    (24, 55),
    (30, 127),
    (103, 250),
    (273, 607),
    (418, 1279),
    (1029, 2281),
    (576, 3217),
    (4187, 9689),
]
OPS = ["+", "-", "*", "xor"]
WORD = 32
"""Bits of a word, but where `CASES` says otherwise."""

CASES: dict[str, tuple[tuple[int, int], int]] = {f"{p1},{p2}": ((p1, p2), WORD) for p1, p2 in PAIRS}
CASES |= {f"{p1},{p2} of 64 bits": ((p1, p2), 64) for p1, p2 in ((5, 17), (418, 1279))}

VALUES = {"gpu": 2**30, "cpu": 2**28}
PUBLISHED_VALUES = {"gpu": 2**28, "cpu": 2**24}
PUBLISHED_LAG = 127
"""The largest lag at which the published algorithm is measured; a value takes it sums of p1 and p2 products."""

LOOP_VALUES = 2**26
LOOP_FLAGS = ["-O3", "-march=native", "-shared", "-fPIC"]
LOOP = """
#include <stddef.h>
#include <stdint.h>

static uint32_t ring[P2]; /* the last P2 words, the oldest at i */
static size_t i = 0, j = P2 - P1;

void start(const uint32_t *state)
{
    for (size_t k = 0; k < P2; k++)
        ring[k] = state[k];
}

void fill(uint32_t *out, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        out[k] = ring[i] += ring[j];
        if (++i == P2)
            i = 0;
        if (++j == P2)
            j = 0;
    }
}
"""

CHECKED = 1000
"""Values compared with the host's at the beginning, in the middle and at the end."""

Work = tuple[int, Callable[[], object]]
Parts = list[tuple[int, npt.NDArray[Any]]]


def parts(out: Any) -> Parts:
    """Return the beginning, the middle and the end of an array of the host or the device, each with its place."""
    n = min(CHECKED, out.size)
    found = []
    for first in (0, (out.size - n) // 2, out.size - n):
        part = out[first : first + n]
        found.append((first, part.get() if isinstance(part, cla.Array) else part.copy()))
    return found


def check(bits: clrng.LaggedFibonacci, found: Parts, who: str) -> None:
    """Compare values with the host's sequence.

    Raises
    ------
    ClrngError
        If one is other.
    """
    for first, values in found:
        if not np.array_equal(values, bits.jumped(first).sequence(values.size)):
            raise clrng.ClrngError(f"{bits!r}: wrong values near {first} from {who}")


def exact(queue: cl.CommandQueue, bits: clrng.LaggedFibonacci, out: cla.Array) -> tuple[Work, dict[str, float]]:
    """Return a call that fills `out` with the next values of the stream, and the seconds of the first calls.

    Raises
    ------
    ClrngError
        If a value of the first call is wrong at the beginning, the middle or the end of `out`, which was poisoned.
    """
    out.fill(0)
    queue.finish()
    begin = perf_counter()
    rng = clrng.Generator(bits.jumped(0), queue)
    rng.random_raw(out=out)
    queue.finish()
    first = perf_counter() - begin
    found = parts(out)
    other = out[: out.size // 2]
    begin = perf_counter()
    rng.random_raw(out=other)
    queue.finish()
    again = perf_counter() - begin
    check(bits, found, queue.device.name)
    return (out.size, partial(rng.random_raw, out=out)), {"first call": first, "first call at half the size": again}


def published(queue: cl.CommandQueue, bits: clrng.LaggedFibonacci, out: cla.Array) -> Work:
    """Return a call that fills `out` with the published algorithm, from the same state every time."""
    peer = clrng.DivideAndConquer(bits.jumped(0), queue)
    length, _ = peer.columns(out.size)
    solver = solver_of(bits)(queue, bits, peer.group)
    out.fill(0)
    solver.fill(out, bits.words, length)
    check(bits, parts(out), "the published algorithm")
    return out.size, partial(solver.fill, out, bits.words, length)


def compiler() -> list[str]:
    """Return the command of $CC, or else of cc or gcc; empty where there is none."""
    return shlex.split(os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or "")


def loop(bits: clrng.LaggedFibonacci, values: int) -> Work:
    """Return a call of the plain loop in C on one core of the host, which goes on from call to call.

    Raises
    ------
    ClrngError
        If there is no compiler, it fails or a value is wrong.
    """
    command = compiler()
    if not command:
        raise clrng.ClrngError("no C compiler: neither $CC nor cc nor gcc")
    with TemporaryDirectory() as folder:
        source, library = Path(folder) / "loop.c", Path(folder) / "loop.so"
        source.write_text(LOOP)
        lags = [f"-DP1={bits.lags[0]}", f"-DP2={bits.lags[1]}"]
        done = subprocess.run(
            [*command, *LOOP_FLAGS, *lags, str(source), "-o", str(library)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise clrng.ClrngError(f"{shlex.join(command)} failed: {done.stderr.strip()}")
        compiled = ctypes.CDLL(str(library))
    out, state = np.zeros(values, np.uint32), np.array(bits.words, np.uint32)
    compiled.start(ctypes.c_void_p(state.ctypes.data))
    arguments = ctypes.c_void_p(out.ctypes.data), ctypes.c_size_t(values)

    def work() -> None:
        compiled.fill(*arguments)
        _ = out  # which has to live as long as its address is in use

    work()
    check(bits, parts(out), "the plain C loop")
    return values, work


@cache
def mersenne(values: int) -> Work:
    """Return a call that makes so many values with cuRAND's MT19937.

    Raises
    ------
    ClrngError
        If there is no CuPy.
    """
    work = curand(4 * values, "MT19937")
    if work is None:
        raise clrng.ClrngError("no CuPy")
    work()
    return values, work


def kind_of(device: DeviceInfo) -> str:
    """Return whose sizes `device` takes."""
    return "cpu" if device.kind == "cpu" else "gpu"


def peers(queue: cl.CommandQueue, bits: clrng.LaggedFibonacci, out: cla.Array) -> dict[str, Callable[[], Work]]:
    """Return what makes each peer of the additive generator `bits` of 32 bits, by its name."""
    found: dict[str, Callable[[], Work]] = {"cuRAND MT19937": partial(mersenne, out.size)}
    if bits.order <= PUBLISHED_LAG:
        found["published +"] = partial(published, queue, bits, out[: PUBLISHED_VALUES[kind_of(describe(queue.device))]])
    found["C loop +"] = partial(loop, bits, min(out.size, LOOP_VALUES))
    return found


def attempt(make: Callable[[], Work]) -> Work | str:
    """Return what `make` makes, or why it cannot."""
    try:
        return make()
    except Exception as error:  # noqa: BLE001  # whatever a peer lacks, the others are measured
        return f"{type(error).__name__}: {error}"


def measure(
    queue: cl.CommandQueue, case: tuple[tuple[int, int], int], ops: list[str], wall: Work, out: cla.Array, rounds: int
) -> dict[str, Any]:
    """Return the rates of one pair of lags by op and peer, and why peers are missing.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    case : ((int, int), int)
        The lags and the bits of a word.
    ops : list of str
    wall : Work
        Writes the bytes of `out`.
    out : pyopencl.array.Array
        Where all on the device put their values.
    rounds : int
    """
    lags, word = case
    works, setup, missing = {"wall": wall}, {}, {}
    for op in ops:
        works[op], setup[op] = exact(queue, clrng.LaggedFibonacci(lags, op, word, seed=1), out)
    others = peers(queue, clrng.LaggedFibonacci(lags, "+", seed=1), out) if word == WORD else {}
    for name, make in others.items():
        found = attempt(make)
        if isinstance(found, str):
            missing[name] = found
        else:
            works[name] = found
    *_, rates = bench.rounds(queue, works, rounds, "wall")
    measured = {
        rate.name: {
            "values": works[rate.name][0],
            **{key: value for key, value in vars(rate).items() if key != "name"},
            **setup.get(rate.name, {}),
        }
        for rate in rates
    }
    return {"lags": lags, "bits": word, "rates": measured, "missing": missing}


def show(name: str, row: dict[str, Any]) -> None:
    """Print a line for each rate of one pair of lags, and for each peer that is missing."""
    for who, rate in row["rates"].items():
        first = ", ".join(f"{key} {1e3 * rate[key]:8.1f} ms" for key in rate if key.startswith("first"))
        print(
            f"{name:20} {who:15} {rate['rate'] / 1e9:9.3f} G/s ({rate['low'] / 1e9:9.3f} to {rate['high'] / 1e9:9.3f}) "
            f"{rate['ratio']:6.3f} of the wall  {first}".rstrip(),
            flush=True,
        )
    for who, why in row["missing"].items():
        print(f"{name:20} {who:15} skipped: {why}", flush=True)


def host() -> dict[str, str]:
    """Return the processor and the compiler of the plain C loop, as far as they say what they are."""
    found = {"loop flags": shlex.join(LOOP_FLAGS)}
    about = Path("/proc/cpuinfo")
    lines = about.read_text().splitlines() if about.exists() else []
    found["processor"] = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")
    try:
        found["compiler"] = subprocess.check_output([*compiler(), "--version"], text=True).split("\n")[0]
    except (OSError, subprocess.CalledProcessError):
        found["compiler"] = ""
    return found


def main() -> None:
    """Measure, print and save, after each pair of lags what there is so far."""
    options = arguments(
        __doc__,
        values={"type": int, "help": "values of 32 bits a call; by default 2^30, 2^28 on a CPU, or what fits"},
        rounds={"type": int, "default": 7},
        only={"default": "", "help": "a part of the names of the pairs to measure, such as '5,17' or '64 bits'"},
        ops={"nargs": "+", "choices": OPS, "default": OPS},
    )
    queue = clrng.make_queue(options.device)
    device = describe(queue.device)
    n = options.values or min(VALUES[kind_of(device)], device.largest_allocation // 4)
    out = cla.Array(queue, n + n % 2, np.uint32)
    wall = bench.wall(queue, out)
    about, rows = {"values": out.size, "rounds": options.rounds, "host": host()}, {}
    for name, case in ((name, case) for name, case in CASES.items() if options.only in name):
        mine = out if case[1] == WORD else cla.Array(queue, out.size // 2, np.uint64, data=out.base_data)
        ops = options.ops if case[1] == WORD else ["+"]
        rows[name] = measure(queue, case, ops, (mine.size, wall), mine, options.rounds)
        show(name, rows[name])
        save(options, "lagged_fibonacci", queue, about | {"rows": rows})


if __name__ == "__main__":
    main()
