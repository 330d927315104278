"""How fast are sums, selections, distinct values and counts made on the device, beside NumPy's and, on CUDA, CuPy's?

All rates are in values of the input a second, and ratios are to a plain read of it, measured in the same rounds.
Results are allocated in a memory pool. With --plans the shapes of sums and counts are measured, which
`clrng/order/plans.py` explains.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
from harness.c_loop import Host
from harness.common import Results, arguments, attempt, chosen, kind_of, measure, run, takes_host
from peers.peers_cuda import Cuda
from pyopencl.tools import ImmediateAllocator, MemoryPool

import clrng
from clrng import order
from clrng.measuring.timing import Work
from clrng.opencl.devices import describe
from clrng.opencl.kernel import Kernel
from clrng.opencl.templates import prelude, render
from clrng.order import plans
from clrng.order.plans import CountPlan, ScanPlan

EXPONENTS = {"gpu": [16, 20, 24, 28], "cpu": [12, 16, 20, 24]}
QUICK_EXPONENTS = [12, 16]


class Subject(NamedTuple):
    """What is measured.

    Attributes
    ----------
    make : callable
        Makes the input of so many values from a NumPy generator.
    ours : callable
        Makes the result from arrays of the device: the condition and the input.
    peers : callable
        The same with a module like NumPy.
    expected : callable, optional
        Makes the result from arrays of NumPy, where that takes its function minutes.
    """

    make: Callable[[np.random.Generator, int], npt.NDArray[Any]]
    ours: Callable[[cla.Array, cla.Array], Any]
    peers: Callable[[Any, Any, Any], Any]
    expected: Callable[[Any, Any], Any] | None = None


def distinct(_: object, a: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the distinct values in order, by a sort."""
    values = np.sort(a)
    return values[np.append(True, values[1:] != values[:-1])]


def words(rng: np.random.Generator, n: int) -> npt.NDArray[Any]:
    """Return integers of all 32 bits."""
    return rng.integers(0, 2**32, n, dtype=np.uint32)


def integers(most: int, dtype: Any) -> Callable[[np.random.Generator, int], npt.NDArray[Any]]:
    """Return what makes integers below `most`."""
    return lambda rng, n: rng.integers(0, most, n, dtype=dtype)


SUBJECTS: dict[str, Subject] = {
    "cumsum, 32 bits": Subject(
        words, lambda _, a: order.cumsum(a, "uint32"), lambda np, _, a: np.cumsum(a, dtype=np.uint32)
    ),
    "cumsum, 64 bits": Subject(words, lambda _, a: order.cumsum(a), lambda np, _, a: np.cumsum(a, dtype=np.uint64)),
    "compress": Subject(words, order.compress, lambda np, c, a: np.compress(c, a)),
    "compress, bytes": Subject(integers(256, np.uint8), order.compress, lambda np, c, a: np.compress(c, a)),
    "flatnonzero": Subject(words, lambda c, _: order.flatnonzero(c), lambda np, c, _: np.flatnonzero(c)),
    "split": Subject(words, lambda c, a: order.split(c, a)[0], lambda np, c, a: np.concatenate([a[c], a[~c]])),
    "unique": Subject(words, lambda _, a: order.unique(a), lambda np, _, a: np.unique(a), distinct),
    "unique of 1000": Subject(
        integers(1000, np.uint32), lambda _, a: order.unique(a), lambda np, _, a: np.unique(a), distinct
    ),
    "bincount of bytes": Subject(
        integers(256, np.uint8), lambda _, a: order.bincount(a, 256), lambda np, _, a: np.bincount(a, minlength=256)
    ),
    "bincount of 2^20": Subject(
        integers(2**20, np.uint32), lambda _, a: order.bincount(a), lambda np, _, a: np.bincount(a)
    ),
    "histogram, float32": Subject(
        lambda rng, n: rng.random(n, np.float32),
        lambda _, a: order.histogram(a, 256, (0, 1))[0],
        lambda np, _, a: np.histogram(a, 256, (0, 1))[0],
    ),
    "histogram, normals": Subject(
        lambda rng, n: rng.standard_normal(n, np.float32),
        lambda _, a: order.histogram(a, 100, (-3, 3))[0],
        lambda np, _, a: np.histogram(a, 100, (-3, 3))[0],
    ),
    "histogram, bytes": Subject(
        integers(256, np.uint8),
        lambda _, a: order.histogram(a, 64, (0, 256))[0],
        lambda np, _, a: np.histogram(a, 64, (0, 256))[0],
    ),
    "histogram, uint32": Subject(
        integers(10**6, np.uint32),
        lambda _, a: order.histogram(a, 256, (0, 10**6))[0],
        lambda np, _, a: np.histogram(a, 256, (0, 10**6))[0],
    ),
}


def checked(call: Callable[[], Any], expected: npt.NDArray[Any], values: int, who: str, queue: Any = None) -> Work:
    """Return the work of `call`, after one whose result was checked.

    Raises
    ------
    ClrngError
        If a value is other than in `expected`; so does the check of what is returned.
    """

    def once_more() -> None:
        found = call()
        if not np.array_equal(found.get() if hasattr(found, "get") else found, expected):
            raise clrng.ClrngError(f"{who} gave other values than NumPy")

    once_more()
    return Work(values, call, queue, once_more)


def reading(queue: cl.CommandQueue, a: cla.Array) -> Work:
    """Return a plain read of the memory of `a`, in the shape that suits the device."""
    device = describe(queue.device)
    on_cpu = device.kind == "cpu"
    width, group_size = (16, 1) if on_cpu else (4, 256)
    vectors = a.nbytes // (4 * width)
    most = max(vectors // 4, 1)
    items = min(most, 16 * device.units if on_cpu else 2048 * device.units) // group_size * group_size or 1
    turns = vectors // items // 4 * 4
    kernel = Kernel(queue.context, prelude() + render("bench/read.cl.mako", width=width), "read")
    sums = cla.Array(queue, items, np.uint32)
    size = min(group_size, items, kernel.largest_group)
    steps = (turns, 1) if on_cpu else (1, items)
    values = turns * items * 4 * width // a.dtype.itemsize
    return Work(values, lambda: kernel(queue, items, size, a.data, turns, *steps, sums.data))


def works(queue: cl.CommandQueue, name: str, size: int, results: Results) -> dict[str, Work]:
    """Return a read, a copy, clrng's work on an input of `size` values, and that of its peers."""
    subject, rng = SUBJECTS[name], np.random.default_rng(1)
    values, condition = subject.make(rng, size), rng.random(size) < 0.5  # noqa: PLR2004  # half of them
    pool = MemoryPool(ImmediateAllocator(queue))
    a, held = (cla.to_device(queue, each, allocator=pool) for each in (values, condition))
    out, expected = cla.empty_like(a), (subject.expected or partial(subject.peers, np))(condition, values)
    made = {
        "read": reading(queue, a),
        "copy": Work(size, lambda: cl.enqueue_copy(queue, out.data, a.data)),  # type: ignore[arg-type]  # PyOpenCL has narrower types
        "clrng": checked(lambda: subject.ours(held, a), expected, size, name),
    }
    if takes_host(describe(queue.device), size):
        made["numpy"] = Work(size, lambda: subject.peers(np, condition, values), Host())

    def cupy() -> Work:
        cuda = Cuda()
        there, where = cuda.cupy.asarray(values), cuda.cupy.asarray(condition)
        return checked(lambda: subject.peers(cuda.cupy, where, there), expected, size, f"CuPy's {name}", cuda)

    peer = attempt(results, f"CuPy's {name}", cupy)
    return made | ({"cupy": peer} if peer else {})


def scans(usual: ScanPlan, largest: int) -> Iterator[ScanPlan]:
    """Yield the usual shape of a scan and others that change it."""
    yield usual
    if usual.group_size > 1:
        for group_size in (128, 256, 512, 1024):
            for each in (4, 8, 16):
                # two words of 8 bytes of a term, and of a work-item, are in local memory
                if group_size <= largest and group_size * each <= 2**12 and (group_size, each) != (256, 8):
                    yield replace(usual, group_size=group_size, each=each, min_part=group_size * each)
    else:
        yield from (replace(usual, each=each) for each in (4, 16))
    yield from (replace(usual, parts_per_unit=n) for n in (2, 4, 8, 16, 32, 64) if n != usual.parts_per_unit)


def counts(usual: CountPlan, largest: int) -> Iterator[CountPlan]:
    """Yield the usual shape of a count and others that change it."""
    yield usual
    if usual.group_size > 1:
        yield from (replace(usual, group_size=n) for n in (128, 256, 1024) if n <= largest)
        yield from (replace(usual, each=n) for n in (1, 4, 8))
        yield from (replace(usual, load_bytes=n) for n in (4, 8))
    else:
        yield from (replace(usual, vector=n) for n in (4, 8))
    yield from (replace(usual, max_copies=n) for n in (1, 2, 4, 8, 16, 32) if n != usual.max_copies)
    yield from (replace(usual, parts_per_unit=n) for n in (2, 4, 8, 16, 32) if n != usual.parts_per_unit)


def sweep(results: Results, queue: cl.CommandQueue, name: str, exponent: int, rounds: int) -> None:
    """Measure clrng's work in every shape, and print each as it is made."""
    kind = "cpu" if kind_of(describe(queue.device)) == "cpu" else "gpu"
    found_in: Any = plans.COUNTS if name.startswith(("bincount", "histogram")) else plans.SCANS
    shapes: Any = counts if found_in is plans.COUNTS else scans
    usual = found_in[kind]
    for plan in shapes(usual, queue.device.max_work_group_size):
        found_in[kind] = plan
        made = attempt(results, f"{name}, {plan}", lambda: works(queue, name, 2**exponent, results))
        found_in[kind] = usual
        if made:
            found_in[kind] = plan
            found = measure(queue, {who: made[who] for who in ("read", "clrng")}, rounds, "read")
            found_in[kind] = usual
            results.add(f"{name} 2^{exponent}, {plan}", found)
            rate, ratio = found["clrng"]["rate"], found["clrng"]["ratio"]
            print(f"{name} 2^{exponent} {rate / 1e9:8.3f} G/s {ratio:6.3f} of a read: {plan}", flush=True)


def main() -> None:
    """Measure, print and save."""
    options = arguments(
        __doc__,
        exponents={"type": int, "nargs": "+", "help": "sizes, as exponents of two"},
        rounds=3,
        only={"default": "", "help": "what to measure, by a part of its name"},
        plans={"action": "store_true", "help": "measure the shapes of sums and counts, not the peers"},
    )
    queue = clrng.make_queue(options.device)
    device, rounds = describe(queue.device), options.rounds
    exponents = options.exponents or (QUICK_EXPONENTS if options.quick else EXPONENTS[kind_of(device)])
    name_of = "selection_plans" if options.plans else "selection"
    results = Results(options, name_of, queue, exponents=exponents, rounds=rounds)
    for name in chosen(SUBJECTS, options.only):
        for exponent in exponents:
            if options.plans:
                sweep(results, queue, name, exponent, rounds)
                continue
            found = measure(queue, works(queue, name, 2**exponent, results), rounds, "read")
            results.add(f"{name} 2^{exponent}", found)
            rates = "  ".join(f"{who} {row['rate'] / 1e6:.0f} M/s" for who, row in found.items())
            print(f"{name:20} 2^{exponent:2} {rates}  of a read: {found['clrng']['ratio']:.3f}", flush=True)
    results.close()


if __name__ == "__main__":
    run(main)
