"""Put all 2^31 - 2 raw values of Park-Miller through the standard normal distribution, and compare with NumPy.

The device draws the whole period, so that each raw value comes once. The host steps the recurrence by itself, in
integers of 64 bits, and evaluates the polynomials in float64, of which every result is put right where it was rounded
twice. All but the coefficients of the table is computed anew. Besides it counts where a larger raw value gives a
smaller value. It takes some minutes.
"""

import hashlib
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt
import pyopencl as cl
from harness.common import Results, arguments, run

import clrng
from clrng.distributions.quantiles.closed_forms import Normal
from clrng.distributions.quantiles.tables import InverseTable, inverse_table

MODULUS, MULTIPLIER = 2**31 - 1, 16807
RAW_VALUES = MODULUS - 1
CHUNK, PART = 2**22, 2**16
"""Values drawn at once, and values of which NumPy's arrays stay in the caches."""

HALFWAY, BELOW = np.uint64(2**28), np.uint64(2**29 - 1)
"""The bits of a float64 that a float32 has not, where it is in the middle between two; and all of them."""


@dataclass(frozen=True)
class Found:
    """What the comparison of `values` found.

    `different` values were not those of the host; `decreasing` ones are less than that of the raw value before, by at
    most `deepest` relative to them. `device` and `host` are the SHA-256 of all values in the order of the stream, and
    `table` is the digest of the table.
    """

    values: int
    different: int
    device: str
    host: str
    decreasing: int
    deepest: float
    largest: float
    table: str


def fma(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64], c: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return a·b + c rounded once to float32, as float64; of numbers of float32, none of them denormal.

    The product is exact in float64. The sum is rounded there first; that this shows in float32 takes a sum that is
    halfway between two and was not exact.
    """
    product = a * b
    total = product + c
    places = np.flatnonzero((total.view(np.uint64) & BELOW) == HALFWAY)
    if places.size:
        p, q, s = product[places], c[places], total[places]
        back = s - p
        error = (p - (s - back)) + (q - back)
        total[places] = np.where(error == 0, s, np.nextafter(s, np.where(error > 0, np.inf, -np.inf)))
    return total.astype(np.float32).astype(np.float64)


class Reference:
    """Standard normals of raw values, computed on the host from a table of float32 for `RAW_VALUES`."""

    def __init__(self, table: InverseTable) -> None:
        self.columns = [column.astype(np.float64) for column in table.coefficients.T]
        self.segment_bits = table.segment_bits

    def lower(self, d: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """Return the values at d + 1/2 of `RAW_VALUES`, 0 <= d < RAW_VALUES/2."""
        bits = (2 * d + 1).astype(np.float64).astype(np.float32).view(np.uint32)
        behind = 23 - self.segment_bits
        row = (bits >> behind) - np.uint32(127 << self.segment_bits)
        rest = ((bits & np.uint32(2**behind - 1)) | np.uint32(127 << 23)).view(np.float32).astype(np.float64)
        t = rest - (1 + 2.0 ** -(self.segment_bits + 1))
        y = self.columns[-1][row]
        for column in self.columns[-2::-1]:
            y = fma(y, t, column[row])
        made: npt.NDArray[np.float32] = y.astype(np.float32)
        return made

    def __call__(self, raw: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """Return the values of raw values from 1 to `RAW_VALUES`."""
        other = RAW_VALUES - raw
        value = self.lower(np.minimum(raw - 1, other))
        signed: npt.NDArray[np.float32] = np.where(raw - 1 > other, -value, value)
        return signed


def sequence(count: int) -> Iterator[npt.NDArray[np.int64]]:
    """Yield the first `count` raw values after seed 1 in pieces of `CHUNK`."""
    values = np.array([MULTIPLIER], np.int64)
    while len(values) < CHUNK:
        values = np.concatenate([values, values * pow(MULTIPLIER, len(values), MODULUS) % MODULUS])
    leap = pow(MULTIPLIER, CHUNK, MODULUS)
    for first in range(0, count, CHUNK):
        yield values[: count - first]
        values = values * leap % MODULUS


def every_normal(queue: cl.CommandQueue, count: int = RAW_VALUES, arithmetic: str = "auto") -> Found:
    """Compare the values of the first `count` raw values, by default of all.

    Order is looked at among as many raw values in the middle.
    """
    table = inverse_table(Normal(), RAW_VALUES, "float32")
    reference, rng = Reference(table), clrng.Generator(clrng.ParkMiller(seed=1), queue, arithmetic)
    device, host = hashlib.sha256(), hashlib.sha256()
    different, largest = 0, 0.0
    for raw in sequence(count):
        drawn = rng.standard_normal(len(raw), "float32").get()
        right = np.concatenate([reference(raw[i : i + PART]) for i in range(0, len(raw), PART)])
        device.update(drawn.astype("<f4").tobytes())
        host.update(right.astype("<f4").tobytes())
        different += int(np.count_nonzero(drawn.view(np.uint32) != right.view(np.uint32)))
        largest = max(largest, float(drawn.max()))
    falls, deepest = decreasing(reference, count // 2)
    return Found(count, different, device.hexdigest(), host.hexdigest(), falls, deepest, largest, table.digest)


def decreasing(reference: Reference, count: int) -> tuple[int, float]:
    """Return how many values are less than that of the raw value before, and by how much at most, relative to them.

    Looked at are `count` raw values up to the middle; those above it mirror those below.
    """
    found, deepest, last = 0, 0.0, -np.inf
    for first in range(RAW_VALUES // 2 - count, RAW_VALUES // 2, PART):
        values = reference.lower(np.arange(first, min(first + PART, RAW_VALUES // 2), dtype=np.int64))
        both = np.concatenate([np.array([last], np.float32), values])
        places = np.flatnonzero(both[1:] < both[:-1])
        if places.size:
            falls = (both[places].astype(np.float64) - both[places + 1]) / np.abs(both[places])
            found, deepest = found + len(places), max(deepest, float(falls.max()))
        last = values[-1]
    return 2 * found + int(last > 0), deepest


def main() -> None:
    """Compare, and print what was found."""
    options = arguments(__doc__)
    queue = clrng.make_queue(options.device)
    count = 2**24 if options.quick else RAW_VALUES
    results = Results(options, "every_normal", queue, values=count)
    began = time.perf_counter()
    found = every_normal(queue, count)
    results.add("standard_normal, float32", {**asdict(found), "seconds": round(time.perf_counter() - began, 1)})
    results.close()
    print(f"{found.values} values, {found.different} of them different; {found.decreasing} decreases", flush=True)
    if found.different:
        sys.exit("values are not those of the host")


if __name__ == "__main__":
    run(main)
