"""How fast is an Ising model whose kernel draws its random numbers itself, and is it right?

The model is that on a square lattice on a torus, by Metropolis's rule. A spin is a bit, and a work-item updates 32
of one colour of a checkerboard at a time, with a random number of a clrng stream for each. A rate is in chances to flip
a second. In the same rounds stands the same rule in NumPy, on one core of the host.

Then magnetisation and energy are averaged at several temperatures, and compared with what Onsager and Yang found.
"""

from functools import partial
from math import cosh, exp, gcd, log, sinh, sqrt, tanh
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
from harness.c_loop import Host
from harness.common import Results, arguments, kind_of, measure, run
from harness.kernels import kernels, render
from harness.own_streams import below, drawing, resident_states

import clrng
from clrng.measuring.timing import Work
from clrng.opencl.devices import describe
from clrng.validation import integer, shown

CRITICAL = 2 / log(1 + sqrt(2))
"""The temperature of the phase transition, in units of the coupling."""

BITS = 64
"""Sites of a row that share a word of each colour."""

GROUP = {"gpu": 128, "cpu": 8}
"""Work-items of a work-group."""

LANES = {"gpu": 1, "cpu": 16}
"""The most streams that a work-item moves on together."""

COUNTERS = {"gpu": 2**14, "cpu": 2**11}
"""Work-items that measure, at most."""


SIZES = {"gpu": (16384, 4096, 20000), "cpu": (2048, 512, 5000), "quick": (256, 128, 400)}
"""Sites on a side of the lattice that is timed, of the one whose averages are taken, and how many sweeps these take."""

HOST_SIZE = 1024
"""The most sites on a side of the lattice that NumPy is timed with."""

TEMPERATURES = [1.5, 2.0, 2.1, 2.5, 3.0]
BATCHES, APART = 20, 5
"""Pieces that averages are made of, and sweeps from one look to the next."""

MOST_OFF = 5
"""Standard errors that an average may be off."""

SEED = 12345
SHORTEST = 0.05
"""Seconds of one timing."""


class Observed(NamedTuple):
    """What is seen of a lattice, each for one site: the magnetisation, from -1 to 1, and the energy, from -2 to 2."""

    magnetisation: float
    energy: float


class Ising:
    """A square lattice of spins on a torus, all of them up.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    size : int
        Sites on a side, a multiple of 64, at most 65536.
    height : int, optional
        Rows that one stream sees to, a divisor of `size`. The spins depend on it and on `bits`, and on nothing else.
    bits : BitGenerator, optional
        With values of 32 bits; by default MRG32k3a.
    distance : int, optional
        How many values of `bits` a stream has to itself.

    Raises
    ------
    TypeError
        If `size`, `height` or `distance` is not an integer, or `bits` is no bit generator.
    ValueError
        If `size` or `height` is not legal, or `bits` has values of 64 bits.
    """

    def __init__(
        self,
        queue: cl.CommandQueue,
        size: int,
        height: int = 8,
        bits: clrng.BitGenerator | None = None,
        distance: int = 2**40,
    ) -> None:
        self.queue, self.size = queue, integer("size", size, BITS, 2**16)
        if size % BITS:
            raise ValueError(f"size must be a multiple of {BITS}, not {size}")
        if size % integer("height", height, 1, size):
            raise ValueError(f"height must divide size = {size}, not {height}")
        self.bits = clrng.MRG32k3a(seed=SEED) if bits is None else bits
        code = drawing(self.bits, queue.device)
        kind, words = kind_of(describe(queue.device)), size // BITS
        streams, lanes = size // height * words, gcd(words, LANES[kind])
        self._items = streams // lanes
        values = {"rows": size, "words": words, "height": height, "streams": streams, "lanes": lanes}
        self._sweep, self._measure = kernels(queue, code + render("ising", **values), "sweep", "measure")
        self._states = resident_states(queue, code, self.bits, streams, distance)
        self._group = min(GROUP[kind], self._sweep.largest_group)
        self._black, self._white = (cla.Array(queue, (size, words), np.uint32) for _ in range(2))
        self._up, self._equal = (cla.Array(queue, COUNTERS[kind], np.uint32) for _ in range(2))
        self.set_spins(np.ones((size, size), np.int8))

    def sweep(self, temperature: float, sweeps: int = 1) -> None:
        """Give every spin a chance to flip, those of the first colour first, at a temperature, so many times.

        Raises
        ------
        TypeError, ValueError
            If `temperature` is not a number above 0, or `sweeps` not an integer from 0 on.
        """
        if not temperature > 0:
            raise ValueError(f"temperature must be above 0, not {shown(temperature)}")
        chances = [below(self.bits, exp(-raised / temperature)) for raised in (4, 8)]
        for _ in range(integer("sweeps", sweeps, 0, None)):
            for colour, (own, other) in enumerate(((self._black, self._white), (self._white, self._black))):
                items = -(-self._items // self._group) * self._group
                self._sweep(self.queue, items, self._group, own.data, other.data, self._states.data, colour, *chances)

    def spins(self) -> npt.NDArray[np.int8]:
        """Return the spins, -1 or 1, as an array of the host of the shape (size, size); x is the last index."""
        found = np.empty((self.size, self.size), np.int8)
        for colour, words in enumerate((self._black, self._white)):
            bits = np.unpackbits(words.get().view(np.uint8), axis=1, bitorder="little")
            for parity in range(2):
                found[parity::2, (parity + colour) % 2 :: 2] = 2 * bits[parity::2].astype(np.int8) - 1
        return found

    def set_spins(self, spins: npt.ArrayLike) -> None:
        """Take over spins, -1 or 1.

        Raises
        ------
        ValueError
            If they have another shape than (size, size), or one is something else.
        """
        given = np.asarray(spins)
        if given.shape != (self.size, self.size) or not np.isin(given, (-1, 1)).all():
            raise ValueError(f"spins must be -1 or 1, of the shape {(self.size, self.size)}, not {shown(spins)}")
        for colour, words in enumerate((self._black, self._white)):
            bits = np.empty((self.size, self.size // 2), np.uint8)
            for parity in range(2):
                bits[parity::2] = given[parity::2, (parity + colour) % 2 :: 2] > 0
            words.set(np.packbits(bits, axis=1, bitorder="little").view(np.uint32))

    def observe(self) -> Observed:
        """Return magnetisation and energy."""
        sites, given = self.size**2, (self._black.data, self._white.data)
        self._measure(self.queue, self._up.size, None, *given, self._up.data, self._equal.data)
        up, equal = (int(counts.get().sum(dtype=np.int64)) for counts in (self._up, self._equal))
        return Observed(2 * up / sites - 1, 2 - 2 * equal / sites)


def exact(temperature: float) -> Observed:
    """Return magnetisation and energy of an infinite lattice, after Yang (1952) and Onsager (1944)."""
    k = 2 * sinh(2 / temperature) / cosh(2 / temperature) ** 2
    above, below = 1.0, sqrt(1 - k * k)
    while above - below > 1e-15:  # noqa: PLR2004  # their common limit makes the elliptic integral
        above, below = (above + below) / 2, sqrt(above * below)
    energy = -(1 + (2 * tanh(2 / temperature) ** 2 - 1) / above) / tanh(2 / temperature)
    magnetisation = (1 - sinh(2 / temperature) ** -4) ** 0.125 if temperature < CRITICAL else 0.0
    return Observed(magnetisation, energy)


def averages(lattice: Ising, temperature: float, sweeps: int) -> dict[str, Any]:
    """Return what is seen on average at a temperature, with standard errors and what is exact.

    The first fifth of `sweeps`, from all spins up, is not counted. The rest is cut into `BATCHES`, longer than
    the memory of the lattice, so that the spread of their averages tells the error.
    """
    lattice.set_spins(np.ones((lattice.size, lattice.size), np.int8))
    lattice.sweep(temperature, sweeps // 5)
    seen = []
    for _ in range(BATCHES):
        batch = []
        for _ in range(max(1, sweeps * 4 // 5 // BATCHES // APART)):
            lattice.sweep(temperature, APART)
            batch.append(lattice.observe())
        seen.append(np.mean(batch, axis=0))
    means, errors = np.mean(seen, axis=0), np.std(seen, axis=0, ddof=1) / sqrt(BATCHES)
    return {
        name: {"mean": mean, "error": error, "exact": true, "errors_off": (mean - true) / error}
        for name, mean, error, true in zip(
            Observed._fields, means.tolist(), errors.tolist(), exact(temperature), strict=True
        )
    }


class OnHost:
    """The same rule in NumPy: the colours of a lattice apart, all of their spins at once."""

    def __init__(self, size: int) -> None:
        self.spins = np.ones((2, size, size // 2), np.int8)
        self._rng = np.random.default_rng(SEED)

    def sweep(self, temperature: float) -> None:
        """Give every spin a chance to flip."""
        chances = np.exp(np.float32(-2 / temperature) * np.arange(-4, 5, dtype=np.float32))
        for colour in range(2):
            own, other = self.spins[colour], self.spins[1 - colour]
            field = np.roll(other, 1, 0) + np.roll(other, -1, 0) + other
            for parity in range(2):
                field[parity::2] += np.roll(other[parity::2], -1 if (parity + colour) % 2 else 1, 1)
            flips = self._rng.random(own.shape, np.float32) < chances[own * field + 4]
            own[flips] *= -1


def rates(queue: cl.CommandQueue, results: Results, size: int, rounds: int) -> None:
    """Measure chances to flip a second at the critical temperature."""
    lattice, host = Ising(queue, size), OnHost(min(size, HOST_SIZE))
    works = {
        "clrng": Work(size**2, partial(lattice.sweep, CRITICAL)),
        "NumPy": Work(host.spins.size, partial(host.sweep, CRITICAL), Host()),
    }
    row = measure(queue, works, rounds, None, SHORTEST)
    results.add("spins", row)
    for name, rate in row.items():
        print(f"{name:20} {rate['rate'] / 1e9:10.4f} G spins/s", flush=True)


def main() -> None:
    """Measure, print and save."""
    options = arguments(
        __doc__, rounds=3, size={"type": int, "help": "sites on a side of the lattice that is timed"},
        sweeps={"type": int, "help": "sweeps at each temperature"},
    )  # fmt: skip
    queue = clrng.make_queue(options.device)
    kind = "quick" if options.quick else kind_of(describe(queue.device))
    size, averaged, sweeps = SIZES[kind]
    size, sweeps = options.size or size, options.sweeps or sweeps
    rounds = options.rounds
    results = Results(options, "ising", queue, rounds=rounds, averaged_size=averaged, sweeps=sweeps)
    rates(queue, results, size, rounds)
    lattice = Ising(queue, averaged)
    for temperature in TEMPERATURES[: 1 if options.quick else None]:
        found = averages(lattice, temperature, sweeps)
        results.add(f"T = {temperature}", found)
        for name, seen in found.items():
            print("T = {:.2f} {:14} {mean:9.6f} +- {error:.6f}, exactly {exact:9.6f}".format(temperature, name, **seen))
            if abs(seen["errors_off"]) > MOST_OFF:
                raise clrng.ClrngError(f"the {name} at {temperature} is {seen['errors_off']:.1f} standard errors off")
    results.close()


if __name__ == "__main__":
    run(main)
