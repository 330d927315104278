"""How fast does a device draw exactly NumPy's numbers, beside NumPy itself and the device's write wall?

`clrng.from_numpy` goes on with a generator of NumPy on the device, into memory that is there. In the same rounds NumPy
draws from one like it on a core of the host. After all rounds both draw once more, from the same state: values and
states must be equal.
"""

from functools import partial
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from harness.c_loop import Host
from harness.common import Results, arguments, chosen, kind_of, measure, run, wall

import clrng
from clrng.measuring.timing import Work
from clrng.opencl.devices import describe

SIZES = {"cpu": [10**4, 10**6, 10**7], "gpu": [2**20, 2**24, 2**28, 2**30]}
QUICK_SIZES = [10**4]

NUMPYS = 10**6
"""The most values that NumPy makes in a call: more take as long each."""

CHECKED = 10**5

METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "random, float64": ("random", {"dtype": "float64"}),
    "random, float32": ("random", {"dtype": "float32"}),
    "integers(1000), int64": ("integers", {"low": 0, "high": 1000, "dtype": "int64"}),
    "integers(1000), int32": ("integers", {"low": 0, "high": 1000, "dtype": "int32"}),
    "standard_normal, float64": ("standard_normal", {"dtype": "float64"}),
    "standard_normal, float32": ("standard_normal", {"dtype": "float32"}),
    "standard_exponential, float64": ("standard_exponential", {"dtype": "float64"}),
    "standard_exponential, float32": ("standard_exponential", {"dtype": "float32"}),
    "permutation, int64": ("permutation", {"dtype": "int64"}),
}
"""By what is said of it: the method and its arguments but the size."""

BIT_GENERATORS = {"PCG64": np.random.PCG64, "MT19937": np.random.MT19937}

LARGEST_ORDER = 2**24
"""The maximum size of a permutation that is measured."""


def drawing(rng: Any, method: str, given: dict[str, Any], n: int) -> Any:
    """Return `n` values of a generator of NumPy or of one that goes on with it."""
    if method == "permutation":
        return rng.permutation(n)
    return getattr(rng, method)(size=n, **given)


def equal(queue: cl.CommandQueue, start: np.random.Generator, method: str, given: dict[str, Any], n: int) -> None:
    """Raise `ClrngError` if the device's values from where `start` stands, or the state after, are not NumPy's."""
    ours = clrng.from_numpy(start, queue=queue)
    values, expected = drawing(ours, method, given, n).get(), drawing(start, method, given, n)
    np.testing.assert_array_equal(values, expected)
    np.testing.assert_equal(ours.to_numpy().bit_generator.state, start.bit_generator.state)


def works(queue: cl.CommandQueue, kind: type, what: str, n: int) -> dict[str, Work]:
    """Return the wall, what NumPy draws and what the device draws by one method."""
    method, given = METHODS[what]
    host = np.random.Generator(kind(1))
    ours: Any = clrng.from_numpy(np.random.Generator(kind(1)), queue=queue)
    out = cla.Array(queue, n, np.dtype(given["dtype"]))
    call = partial(ours.permutation, n) if method == "permutation" else partial(getattr(ours, method), out=out)
    if method == "integers":
        call = partial(ours.integers, given["low"], given["high"], dtype=given["dtype"], out=out)
    elif method != "permutation":
        call = partial(call, dtype=given["dtype"])
    few = min(n, NUMPYS)
    return {
        "wall": wall(queue, out),
        "clrng": Work(n, call, None, lambda: equal(queue, ours.to_numpy(), method, given, min(n, CHECKED))),
        "NumPy": Work(few, partial(drawing, host, method, given, few), Host()),
    }


def main() -> None:
    """Measure, print and save."""
    options = arguments(__doc__, rounds=5, only={"default": "", "help": "a part of the names"})
    queue = clrng.make_queue(options.device)
    device, rounds = describe(queue.device), options.rounds
    sizes = QUICK_SIZES if options.quick else SIZES[kind_of(device)]
    results = Results(options, "numpy_numbers", queue, rounds=rounds, numpy=np.__version__)
    for what in chosen(METHODS, options.only):
        if what.endswith("float64") and not device.fp64:
            results.skip(what, "the device has no double precision")
            continue
        for name, kind in BIT_GENERATORS.items():
            for n in sizes if name == "PCG64" else sizes[-2:-1]:
                if what.startswith("permutation") and n > LARGEST_ORDER:
                    continue
                row = measure(queue, works(queue, kind, what, n), rounds)
                results.add(f"{name}, {what}, {n}", {"bits": name, "what": what, "n": n, "rates": row})
                rate, times = row["clrng"]["rate"], row["clrng"]["rate"] / row["NumPy"]["rate"]
                share = row["clrng"]["ratio"]
                print(
                    f"{name:8} {what:30} {n:11} {rate / 1e9:8.3f} G/s, {times:8.2f} of NumPy, {share:.3f} of the wall"
                )
    results.close()


if __name__ == "__main__":
    run(main)
