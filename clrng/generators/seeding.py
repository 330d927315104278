"""Seeds of any kind as sequences of numbers, NumPy's SeedSequence, and the states that these stand for."""

from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from itertools import islice
from math import prod
from typing import Any

import numpy as np
from numpy.random import SeedSequence
from numpy.random.bit_generator import ISeedSequence, ISpawnableSeedSequence

from clrng import validation
from clrng.validation import shown

MOST_TRIES = 1000
"""How many states of a seed are tried; of any family at least one in eight is legal."""


def checked(name: str, seed: Any) -> ISeedSequence:
    """Return the sequence that `seed` is, or that is made of it: of all that NumPy takes, and of any integers."""
    if isinstance(seed, ISeedSequence):
        return seed
    try:
        return SeedSequence(deepcopy(seed))  # which is kept, and makes the children
    except (TypeError, ValueError):
        return SeedSequence(_integers(name, seed))


def _integers(name: str, seed: Any) -> int | list[int]:
    """Return `seed` as integers of Python, or raise an error that says what of it is no seed."""
    if validation.is_sequence(seed):
        return [validation.integer(f"{name}[{i}]", number, 0, None) for i, number in enumerate(seed)]
    try:
        return validation.integer(name, seed, 0, None)
    except TypeError:
        raise TypeError(
            f"{name} must be an integer of 0 or more, a sequence of them, a numpy.random.SeedSequence or None, not "
            f"{shown(seed)}"
        ) from None


def integers(sequence: ISeedSequence, counts: Sequence[int], attempt: int) -> list[int]:
    """Return for each n of `counts` an integer from 0 to n - 1, made from the numbers of `sequence`.

    Each is made from 64 bits more than n - 1 has, or still more. The first `attempt` sets of numbers that would make as
    many integers are left out.

    SeedSequence makes number i from word i mod 4 of the four words it keeps of its seed. Each integer takes an odd
    count of numbers, so that even where only the lowest of these matter, n being a power of two, all four words do.
    """
    lengths = [2 * -(-(count - 1).bit_length() // 32) + 1 for count in counts]
    needed = sum(lengths)
    numbers = sequence.generate_state(needed * (attempt + 1), np.uint32)[needed * attempt :]
    digits = numbers.astype("<u4").tobytes()
    found, done = [], 0
    for count, length in zip(counts, lengths, strict=True):
        found.append(int.from_bytes(digits[4 * done : 4 * (done + length)], "little") % count)
        done += length
    return found


def state_of(sequence: ISeedSequence, bit_generator: Any) -> tuple[int, ...]:
    """Return the words of the state of `bit_generator` that `sequence` stands for."""
    step = bit_generator.word_step
    values = [(low, (high - low) // step + 1) for low, high in bit_generator.word_limits]
    for attempt in range(MOST_TRIES):
        numbers = integers(sequence, [count for _, count in values], attempt)
        words = tuple(low + step * number for (low, _), number in zip(values, numbers, strict=True))
        states = bit_generator.made_legal(np.array([words], bit_generator.word_dtype))
        words = tuple(states[0].tolist())
        if not bit_generator.has_common_factor(words) and bit_generator.bad_states(states) is None:
            return words
    legal = f"a legal state of {shown(bit_generator)}"
    raise ValueError(f"seed must yield numbers that make {legal}, not {shown(sequence)}")


def of_r(seed: int) -> Iterator[int]:
    """Yield what ``set.seed`` of R makes of a seed: the values of a congruential generator, from the 50th on."""
    for _ in range(49):
        seed = (69069 * seed + 1) % 2**32
    while True:
        yield (seed := (69069 * seed + 1) % 2**32)


PRIMES = 30269, 30307, 30323
WICHMANN_HILL = prod(PRIMES)
"""The moduli of Wichmann and Hill's three generators, which together are one modulo the product of these.

See H. Zeisel, Remark AS R61, Applied Statistics 35(1), 1986, p. 89."""


def _wichmann_hill(words: Iterable[int]) -> int:
    """Return the numerator of the sum of three words, each over its prime; words that are 0 are taken for 1."""
    parts = ((word % p or 1) * (WICHMANN_HILL // p) for word, p in zip(words, PRIMES, strict=True))
    return sum(parts) % WICHMANN_HILL


def wichmann_hill_of_python(seed: int) -> int:
    """Return the state that random.WichmannHill of Python 2 makes of a seed."""
    seed, x = divmod(seed, PRIMES[0] - 1)
    z, y = divmod(seed, PRIMES[1] - 1)
    return _wichmann_hill((x + 1, y + 1, z + 1))


def wichmann_hill_of_r(seed: int) -> int:
    """Return the state that ``set.seed`` of R makes."""
    return _wichmann_hill(islice(of_r(seed), 1, 4))


def of_rust(seed: int, count: int) -> list[int]:
    """Return the words of 32 bits that ``seed_from_u64`` of Rust's rand_core makes: values of a PCG32."""
    words = []
    for _ in range(count):
        seed = (seed * 6364136223846793005 + 11634580027462260723) % 2**64
        x, turn = (seed >> 18 ^ seed) >> 27 & 2**32 - 1, seed >> 59
        words.append((x >> turn | x << 32 - turn) & 2**32 - 1)
    return words


def spawned(bit_generator: Any, count: int) -> list[ISeedSequence]:
    """Return the next `count` children of the SeedSequence of a bit generator."""
    sequence = bit_generator.seed_seq
    if sequence is None:
        raise TypeError(
            f"spawn needs a bit generator that was made by clrng.default_rng(seed) or by seeded(seed), not one of "
            f"an explicit state, {shown(bit_generator)}; jumped() gives a stream far away on its sequence, and "
            f"clrng.Streams.by_jumps many"
        )
    if not isinstance(sequence, ISpawnableSeedSequence):
        raise TypeError(f"spawn needs a bit generator whose SeedSequence can spawn, not {shown(sequence)}")
    return list(sequence.spawn(count))
