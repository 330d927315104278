"""How fast are arrays of dask that no memory holds? The mean and the histogram of 10^9 normals, in chunks.

Without --workers the threads of this process work, else that many processes of one thread, each of which takes a GPU of
its own where there are several. The counts of the histogram are integers, the same for any workers and chunks.
"""

import os
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
from harness.common import Results, arguments, cores, run

import clrng
from clrng.opencl.devices import DEVICE_VARIABLE

VALUES, CHUNK = 10**9, 2**24
SEED = 2026
BINS, LARGEST = 120, 6.0
"""The histogram goes from -`LARGEST` to `LARGEST`."""

MOST_SUMMED = 10**9
"""The most values of the sum, which costs little beside the drawing of what it adds."""

COMPARED = 10**6
"""Values of a piece, taken from the middle, that is compared with that of one device."""

UNIT = 1 if sys.platform == "darwin" else 1024
"""What ``ru_maxrss`` counts, in bytes."""


def peak() -> int:
    """Return the most memory that this process has had, in bytes."""
    return UNIT * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@contextmanager
def crew(workers: int, device: str | None) -> Iterator[Any]:
    """Let threads work, with a progress bar, or processes, whose client this yields."""
    if device is not None:
        os.environ[DEVICE_VARIABLE] = device  # which workers see
    if not workers:
        from dask.diagnostics import ProgressBar  # noqa: PLC0415  # which the script is told of if it is missing

        with ProgressBar():
            yield None
        return
    from distributed import Client, LocalCluster  # noqa: PLC0415  # likewise

    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        yield client


def computed(wanted: list[Any], client: Any) -> tuple[Any, ...]:
    """Return what arrays are, with a progress bar."""
    import dask  # noqa: PLC0415  # likewise

    if client is None:
        found: tuple[Any, ...] = dask.compute(*wanted)
        return found
    from distributed import progress  # noqa: PLC0415  # likewise

    futures = client.compute(wanted)
    progress(futures, notebook=False)
    return tuple(client.gather(futures))


def check(array: Any, values: int, counts: Any, mean: float) -> None:
    """Raise an error if there are other values than one device gives, or not all were counted."""
    begin = max(0, values // 2 - COMPARED // 2) // 2 * 2  # two float32 numbers take a step
    piece = array[begin : begin + COMPARED].compute(scheduler="synchronous")
    one = clrng.default_rng(SEED)
    one.bit_generator.advance(begin // 2)
    if not np.array_equal(piece, np.asarray(one.standard_normal(len(piece), out=cast("Any", np.ndarray)))):
        raise ValueError(f"values from {begin} on are not those of one device")
    if not values - values // 10**7 <= counts.sum() <= values or abs(mean) > 5 * values**-0.5:
        raise ValueError(f"{values} normals have the mean {mean:g}, and {counts.sum()} are in the histogram")


def main() -> None:
    """Measure, print and save."""
    sizes = {"values": VALUES, "chunk": CHUNK, "workers": None}
    wanted: dict[str, Any] = {name: {"type": int, "default": value} for name, value in sizes.items()}
    options = arguments(__doc__, **wanted)
    try:
        import dask.array as da  # noqa: PLC0415  # which the script says if it is missing

        import clrng.dask  # noqa: PLC0415  # likewise
    except ImportError as error:
        raise ValueError(error) from None
    values, chunk = (10**7, 2**20) if options.quick else (options.values, options.chunk)
    results = Results(options, "dask_normals", clrng.make_queue(options.device), chunk=chunk)
    array = clrng.dask.default_rng(SEED).standard_normal(values, chunk)
    counts, _ = da.histogram(array, BINS, (-LARGEST, LARGEST))
    with crew(options.workers or 0, options.device) as client:
        computed([array[:chunk].sum()], client)  # builds kernels
        begin = time.perf_counter()
        summed = array[:MOST_SUMMED]
        total = computed([summed.sum(dtype=np.float64)], client)[0]
        between = time.perf_counter()
        found, mean = computed([counts, array.mean()], client)
        end = time.perf_counter()
        peaks = [peak()] if client is None else sorted(client.run(peak).values())
    check(array, values, found, float(mean))
    who = {"workers": options.workers or f"{cores()} threads", "peak_bytes": peaks, "array_bytes": array.nbytes}
    for name, size, taken, made in (
        ("sum", summed.size, between - begin, {"sum": float(total)}),
        ("mean and histogram", values, end - between, {"mean": float(mean), "counts": found.tolist()}),
    ):
        rate = dict.fromkeys(("rate", "low", "high"), size / taken)
        results.add(name, {"values": size, **who, "taken": taken, **rate, **made})
        print(f"{name:20} {size / taken / 1e9:8.3f} G/s, {taken:8.1f} s", flush=True)
    print(
        f"mean {float(mean):.3g}; {array.nbytes / 1e9:.3g} GB in at most {max(peaks) / 1e9:.3g} GB a process",
        flush=True,
    )
    results.close()


if __name__ == "__main__":
    run(main)
