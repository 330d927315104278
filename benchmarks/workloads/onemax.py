"""How fast is a genetic algorithm whose population stays on the device, and does it go the way that theory says?

Strings of bits are to become all ones. Each of the next generation is made by one work-item, which draws from a
stream of its own: of two strings drawn at random the better one is the mother, of two others the father, and each bit
comes from one of the two, as likely from either. Then a bit may be turned over. A rate is in strings a second. In the
same rounds stands the same algorithm in NumPy on one core of the host.

Muehlenbein and Schlierkamp-Voosen (1993) found that without mutation the share of ones after t generations is near
(1 + sin(I t / sqrt(n))) / 2, where n is the length, and I = 1/sqrt(pi) for such tournaments of two.
"""

from math import gcd, pi, sin, sqrt
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

SIZES = {"gpu": (2**20, 1024), "cpu": (2**16, 1024), "quick": (2**10, 256)}
"""Strings, and bits of each."""

LANES = {"gpu": 1, "cpu": 16}
"""The most strings that a work-item makes together."""

HOST_POPULATION = 2**14
"""The most strings that NumPy is timed with."""

COMPARED = (2**10, 256, 3)
"""Strings, bits and generations that NumPy follows with the same random numbers."""

TOLERATED = 0.05
"""By how much the share of ones may differ from the theory, which takes bits for independent."""

MUTATION = 0.1
STEP = 128
"""Bits that are made at a time."""

LONGEST = 2**15
"""Bits of the longest string."""

FEWEST_VALUES = 2**32 - 2**16
"""With fewer raw values than this the bits of a raw value are not ones and zeros alike."""

SEED = 2026
SHORTEST = 0.05
"""Seconds of one timing."""


class Draws(NamedTuple):
    """The random numbers of a generation of p strings of w words.

    Attributes
    ----------
    picks : ndarray of shape (4, p)
        Strings of the two tournaments.
    places : ndarray of shape (p,)
        The bit that mutates.
    mutate : ndarray of bool, shape (p,)
    masks : ndarray of uint32, shape (p, w)
        Which bits come from the mother.
    """

    picks: npt.NDArray[Any]
    places: npt.NDArray[Any]
    mutate: npt.NDArray[np.bool_]
    masks: npt.NDArray[np.uint32]


class OneMax:
    """A population of strings of bits on a device, whose fitness is the number of ones.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    population : int
        Strings, 2 or more.
    length : int
        Bits of a string, a multiple of 128, at most 32768.
    mutation : float, optional
        With which chance a bit of a new string is turned over.
    bits : BitGenerator, optional
        With (nearly) all values of 32 bits; by default MRG32k3a.
    distance : int, optional
        How many of its values each string has to itself.

    Attributes
    ----------
    genes : pyopencl.array.Array of uint32, shape (population, length / 32)
    fitness : pyopencl.array.Array of uint32, shape (population,)

    Raises
    ------
    TypeError
        If `population`, `length` or `distance` is not an integer, or `bits` is no bit generator.
    ValueError
        If an argument is out of range.
    """

    def __init__(
        self,
        queue: cl.CommandQueue,
        population: int,
        length: int,
        mutation: float = 0.0,
        bits: clrng.BitGenerator | None = None,
        distance: int = 2**40,
    ) -> None:
        self.queue, self.bits = queue, clrng.MRG32k3a(seed=SEED) if bits is None else bits
        self._population = integer("population", population, 2, 2**31)
        if integer("length", length, STEP, LONGEST) % STEP:
            raise ValueError(f"length must be a multiple of {STEP}, not {length}")
        if not 0 <= mutation <= 1:
            raise ValueError(f"mutation must be from 0 to 1, not {shown(mutation)}")
        self._lanes = gcd(population, LANES[kind_of(describe(queue.device))])
        code = drawing(self.bits, queue.device, distributions(population, length))
        if self.bits.upper_bound - self.bits.min_value < FEWEST_VALUES:
            raise ValueError(
                f"bits must have at least {FEWEST_VALUES} values, as MRG32k3a has, not be {shown(self.bits)}"
            )
        self.mutation = below(self.bits, mutation)
        text = code + render("onemax", words=length // 32, lanes=self._lanes)
        create, self._breed = kernels(queue, text, "create", "breed")
        self._states = resident_states(queue, code, self.bits, population, distance)
        self.genes, self._other_genes = (cla.Array(queue, (population, length // 32), np.uint32) for _ in range(2))
        self.fitness, self._other_fitness = (cla.Array(queue, population, np.uint32) for _ in range(2))
        create(queue, population, None, self._states.data, self.genes.data, self.fitness.data)

    def breed(self, generations: int = 1) -> None:
        """Replace the population by the next generation, so many times."""
        for _ in range(integer("generations", generations, 0, None)):
            parents, children = (self.genes, self.fitness), (self._other_genes, self._other_fitness)
            arrays = [each.data for each in (*parents, *children)]
            self._breed(self.queue, self._population // self._lanes, None, self._states.data, *arrays, self.mutation)
            (self.genes, self.fitness), (self._other_genes, self._other_fitness) = children, parents


def distributions(population: int, length: int) -> dict[str, Any]:
    """Return what is drawn beside raw values."""
    return {
        "index": (clrng.distribution("integers", low=0, high=population), np.uint32),
        "place": (clrng.distribution("integers", low=0, high=length), np.uint32),
    }


def theory(generation: int, length: int) -> float:
    """Return the share of ones that is expected after so many generations without mutation."""
    turn = min(generation / sqrt(pi * length), pi / 2)
    return (1 + sin(turn)) / 2


def next_generation(
    genes: npt.NDArray[np.uint32], fitness: npt.NDArray[Any], draws: Draws
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
    """Return the next population and its fitness, in NumPy."""
    picks = draws.picks
    mothers, fathers = (
        np.where(fitness[second] > fitness[first], second, first) for first, second in (picks[:2], picks[2:])
    )
    young = (genes[mothers] & draws.masks) | (genes[fathers] & ~draws.masks)
    mutants = np.flatnonzero(draws.mutate)
    places = draws.places[mutants]
    young[mutants, places // 32] ^= np.uint32(1) << (places % 32).astype(np.uint32)
    return young, np.bitwise_count(young).sum(axis=1, dtype=np.int64)


class OnHost:
    """The same algorithm with random numbers of NumPy."""

    def __init__(self, population: int, length: int, mutation: float) -> None:
        self._rng, self._length, self._mutation = np.random.default_rng(SEED), length, mutation
        self.genes = self._rng.integers(0, 2**32, (population, length // 32), np.uint32)
        self.fitness = np.bitwise_count(self.genes).sum(axis=1, dtype=np.int64)

    def breed(self) -> None:
        """Replace the population by the next generation."""
        population, words = self.genes.shape
        draws = Draws(
            self._rng.integers(0, population, (4, population)),
            self._rng.integers(0, self._length, (population,)),
            self._rng.random((population,)) < self._mutation,
            self._rng.integers(0, 2**32, (population, words), np.uint32),
        )
        self.genes, self.fitness = next_generation(self.genes, self.fitness, draws)


def compare(queue: cl.CommandQueue, population: int, length: int, generations: int, bits: clrng.BitGenerator) -> None:
    """Follow a population on the device in NumPy, with the random numbers of `clrng.Streams`.

    Raises
    ------
    ClrngError
        If a bit or a fitness is other.
    """
    found = OneMax(queue, population, length, MUTATION, bits, distance=10**6)
    streams = clrng.Streams.by_jumps(bits, population, 10**6, queue=queue)
    index, place = (each for each, _ in distributions(population, length).values())

    def sampled(distribution: Any, steps: int) -> npt.NDArray[Any]:
        return streams.sample(distribution, steps, dtype=np.uint32).get()

    def raw(steps: int) -> npt.NDArray[np.uint32]:
        return np.ascontiguousarray(streams.random_raw(steps).get().T)

    genes = raw(length // 32)
    fitness = np.bitwise_count(genes).sum(axis=1, dtype=np.int64)
    for generation in range(generations + 1):
        if not (np.array_equal(found.genes.get(), genes) and np.array_equal(found.fitness.get(), fitness)):
            raise clrng.ClrngError(f"generation {generation} on {queue.device.name} is not that of NumPy")
        draws = Draws(sampled(index, 4), sampled(place, 1)[0], raw(1)[:, 0] < found.mutation, raw(length // 32))
        genes, fitness = next_generation(genes, fitness, draws)
        found.breed()


def evolve(population: OneMax, generations: int) -> list[dict[str, float]]:
    """Return the share of ones of every generation: its mean, the best string's, and the theory's mean."""
    length = 32 * population.genes.shape[1]
    course = []
    for generation in range(generations):
        fitness = population.fitness.get()
        shares = {"mean": float(fitness.mean()) / length, "best": int(fitness.max()) / length}
        course.append({**shares, "theory": theory(generation, length)})
        population.breed()
    return course


def main() -> None:
    """Measure, print and save."""
    options = arguments(__doc__, rounds=3, population={"type": int}, length={"type": int})
    queue = clrng.make_queue(options.device)
    population, length = SIZES["quick" if options.quick else kind_of(describe(queue.device))]
    population, length = options.population or population, options.length or length
    rounds = options.rounds
    results = Results(options, "onemax", queue, rounds=rounds, population=population, length=length)
    compare(queue, *COMPARED, clrng.MRG32k3a(seed=SEED))
    device = OneMax(queue, population, length, MUTATION)
    host = OnHost(min(population, HOST_POPULATION), length, MUTATION)
    works = {
        "clrng": Work(population, device.breed),
        "NumPy": Work(len(host.genes), host.breed, Host()),
    }
    row = measure(queue, works, rounds, None, SHORTEST)
    results.add("strings", row)
    for name, rate in row.items():
        print(f"{name:20} {rate['rate'] / 1e6:12.3f} M strings/s", flush=True)
    course = evolve(OneMax(queue, population, length), round(2 * sqrt(pi * length)))
    results.add("course without mutation", course)
    off = max(abs(each["mean"] - each["theory"]) for each in course)
    print(f"after {len(course)} generations {course[-1]['mean']:.4f} are ones; the theory is at most {off:.4f} off")
    if off > TOLERATED:
        raise clrng.ClrngError(f"the share of ones is {off:.3f} off the theory at most, not {TOLERATED}")
    results.close()


if __name__ == "__main__":
    run(main)
