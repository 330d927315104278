"""A generator from any seed."""

from collections.abc import Sequence
from typing import Any

import numpy.typing as npt
from numpy.random.bit_generator import ISeedSequence

from clrng.frontends.arguments import Queue
from clrng.frontends.generator import Generator
from clrng.generators import BitGenerator, MRG32k3a
from clrng.generators.seeding import checked
from clrng.validation import shown


def default_rng(
    seed: int | Sequence[int] | npt.NDArray[Any] | ISeedSequence | BitGenerator | Generator | None = None,
    queue: Queue | None = None,
    arithmetic: str = "auto",
    allocator: Any = None,
) -> Generator:
    """Return a generator from any seed, of `MRG32k3a` where `seed` is not a bit generator itself.

    Parameters
    ----------
    seed : int, sequence of int, numpy.random.SeedSequence, BitGenerator or Generator, optional
        Integers of 0 or more, of any size, go through ``numpy.random.SeedSequence``. By default the operating system
        gives the seed, another one at each call. A bit generator of clrng is taken as the stream, and a `Generator` is
        returned as it is.
    queue, arithmetic, allocator : optional
        As for `Generator`; not with one that is returned as it is.

    Returns
    -------
    Generator

    Raises
    ------
    TypeError
        If `seed` is none of these, `queue`, `arithmetic` or `allocator` is given with a `Generator`, or as for
        `Generator`.
    ValueError
        If an integer of `seed` is negative, or as for `Generator`.
    UnsupportedError, NoDeviceError, ForkError
        As for `Generator`.

    See Also
    --------
    Generator.spawn : independent generators for parts of a program.
    BitGenerator.seeded : what state a seed stands for; and any other bit generator from any seed.

    Notes
    -----
    `MRG32k3a` passes all tests of TestU01's BigCrush. Its period, about 2^191, is long enough for seeds and spawned
    streams to be chosen at random: among a million of 10^15 values each some overlap with a chance below 10^-30. It
    jumps quickly, and has a state of six words. A fill takes longer than one with `ParkMiller`, 1.2 times as long on an
    NVIDIA H200 and 3.5 times on a processor. But that and the other simple generators have shorter periods, or fail
    statistical tests.

    The same seed gives the same numbers in every version of clrng. They are not those of ``numpy.random.default_rng``,
    whose bit generator is another one.

    References
    ----------
    P. L'Ecuyer and R. Simard, "TestU01: a C library for empirical testing of random number generators", ACM
    Transactions on Mathematical Software 33(4), 2007, article 22.

    Examples
    --------
    >>> import clrng
    >>> rng = clrng.default_rng(2026)
    >>> rng.random_raw(3).get().tolist()
    [3588656951, 3291159430, 2274426737]
    >>> clrng.default_rng(clrng.ParkMiller(seed=1)).random_raw(3).get().tolist()
    [16807, 282475249, 1622650073]
    """
    if isinstance(seed, Generator):
        given = {"queue": queue is not None, "arithmetic": arithmetic != "auto", "allocator": allocator is not None}
        for name, is_given in given.items():
            if is_given:
                raise TypeError(
                    f"{name} must not be given with a Generator, which is returned as it is, not {shown(seed)}"
                )
        return seed
    bits = seed if isinstance(seed, BitGenerator) else MRG32k3a().seeded(checked("seed", seed))
    return Generator(bits, queue, arithmetic, allocator)
