"""The subtract with carry generators of libraries, seeded as these seed them: RANLUX in its kinds."""

from collections.abc import Callable, Sequence
from functools import partial

from clrng.generators.family import GSL, Named
from clrng.generators.subtract_with_carry import SubtractWithCarry

LECUYER = 2147483563
"""That of L'Ecuyer's congruential generator, of multiplier 40014, from which C++ and James take the words of a seed."""

CPP_SEED = 19780503
"""The seed that the engines of C++ have if none is given (C++ [rand.eng.sub])."""

LUSCHER = (
    "M. Lüscher, A portable high-quality random number generator for lattice field theory simulations, Computer "
    "Physics Communications 79, 1994, pp. 100-110"
)
JAMES = f"F. James, RANLUX, Computer Physics Communications 79, 1994, pp. 111-114; {LUSCHER}"

Seeded = tuple[Sequence[int], int]
"""The words, the oldest first, and the carry that a seed stands for."""


def _congruential(seed: int, count: int) -> list[int]:
    """Return `count` values of L'Ecuyer's congruential generator."""
    found = []
    for _ in range(count):
        seed = 40014 * seed % LECUYER
        found.append(seed)
    return found


def _cpp_start(seed: int) -> int:
    """Return where C++ begins the congruential generator: a seed of 0 stands for the usual one."""
    return (seed or CPP_SEED) % LECUYER or 1


def _cpp_24(seed: int) -> Seeded:
    words = [value % 2**24 for value in _congruential(_cpp_start(seed), 24)]
    return words, int(words[-1] == 0)


def _cpp_48(seed: int) -> Seeded:
    halves = _congruential(_cpp_start(seed), 24)
    words = [(low + (high << 32)) % 2**48 for low, high in zip(halves[::2], halves[1::2], strict=True)]
    return words, int(words[-1] == 0)


def _gsl(seed: int) -> Seeded:
    return [value % 2**24 for value in _congruential(seed, 24)][::-1], 0


def _james(seed: int) -> Seeded:
    words, _ = _gsl(seed)
    return words, int(words[0] == 0)


def _luscher(inverted: int, seed: int) -> Seeded:
    """Return the words that are made of the bits of a shift register, of which the bits may be `inverted`."""
    register = [seed >> i & 1 for i in range(31)]
    words = []
    for _ in range(12):
        word = 0
        for _ in range(48):
            word = 2 * word + (register[0] ^ inverted)
            register = [*register[1:], register[0] ^ register[18]]
        words.append(word)
    return words, 0


LEVELS = 24, 48, 97, 223, 389
"""The words of a block of 24 used ones at James's levels of luxury."""

SHORT, LONG = (24, (10, 24)), (48, (5, 12))
"""The bits of a word and the lags."""


def _named(  # noqa: PLR0913  # the columns of the table
    name: str,
    what: str,
    source: str,
    seeds: tuple[int, int],
    seeding: Callable[[int], Seeded],
    *,
    words: tuple[int, tuple[int, int]] = SHORT,
    block: int = 1,
    used: int = 1,
    discards_first: bool = False,
    split: int = 1,
) -> Named:
    """Return the row of a generator of a library, whose seeding function makes the words and the carry.

    `discards_first` says whether the words of a block that are not used come before the others.
    """

    def made(seed: int) -> SubtractWithCarry:
        state, carry = seeding(seed)
        if discards_first:
            *state, carry = SubtractWithCarry(*words, [*state, carry]).advance(block - used).words
        return SubtractWithCarry(*words, [*state, carry], block, used, split=split)

    return Named(name, what, source, seeds, made)


def _gsl_luscher(name: str, block: int, what: str, inverted: int, split: int) -> Named:
    """Return the row of a generator of words of 48 bits of GSL."""
    what = f"GSL's {name}, which uses 12 of {block} words of 48 bits{what}; GSL takes 1 for seed 0"
    return _named(
        f"gsl_{name}", what, f"{GSL}, gsl_rng_{name}; {LUSCHER}", (1, 2**31 - 1), partial(_luscher, inverted),
        words=LONG, block=block, used=12, discards_first=True, split=split,
    )  # fmt: skip


WHOLE = "; a value is all of them, which gsl_rng_uniform divides by 2^48 and of which gsl_rng_get gives the upper 32"
UINT = 2**32 - 1
NAMED = (
    *(
        _named(f"ranlux{level}", f"James's RANLUX at level {level}, which uses 24 of {block} words, as CERN's library "
               "has it; a value is a number times 2^24 before small ones get more bits", JAMES, (1, LECUYER - 1),
               _james, block=block, used=24)
        for level, block in enumerate(LEVELS)
    ),
    *(
        _named(f"gsl_{name}", f"GSL's {name}, which uses 24 of {block} words; GSL takes 314159265 for seed 0",
               f"{GSL}, gsl_rng_{name}; {JAMES}", (1, LECUYER - 1), _gsl, block=block, used=24)
        for name, block in (("ranlux", 223), ("ranlux389", 389))
    ),
    *(
        _gsl_luscher(f"ranlxs{level}", block, ", each as two values of 24 bits", 0, 2)
        for level, block in enumerate((109, 202, 397))
    ),
    *(_gsl_luscher(f"ranlxd{level}", block, WHOLE, 1, 1) for level, block in enumerate((202, 397), 1)),
    _named("std_ranlux24_base", "std::ranlux24_base of C++", f"C++ [rand.predef] ranlux24_base; {LUSCHER}", (0, UINT),
           _cpp_24),
    _named("std_ranlux24", "std::ranlux24 of C++, which uses 23 of 223 words",
           f"C++ [rand.predef] ranlux24; {LUSCHER}", (0, UINT), _cpp_24, block=223, used=23),
    _named("std_ranlux48_base", "std::ranlux48_base of C++", f"C++ [rand.predef] ranlux48_base; {LUSCHER}", (0, UINT),
           _cpp_48, words=LONG),
    _named("std_ranlux48", "std::ranlux48 of C++, which uses 11 of 389 words",
           f"C++ [rand.predef] ranlux48; {LUSCHER}", (0, UINT), _cpp_48, words=LONG, block=389, used=11),
)  # fmt: skip
"""The subtract with carry generators of libraries, seeded as these seed them: RANLUX in its kinds."""
