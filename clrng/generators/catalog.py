"""The generators of libraries and books by name, seeded as these seed them."""

from clrng import validation
from clrng.generators import (
    congruential,
    coveyou,
    lagged_fibonacci_named,
    lfsr113,
    linear_recurrence,
    mersenne_twister,
    ranluxpp,
    subtract_with_carry_named,
    well512a,
    xorshift,
)
from clrng.generators.base import BitGenerator
from clrng.generators.family import Named

NAMED: dict[str, Named] = {
    row.name: row
    for module in (
        congruential, coveyou, lagged_fibonacci_named, xorshift, lfsr113, well512a, mersenne_twister,
        subtract_with_carry_named, ranluxpp, linear_recurrence,
    )
    for row in module.NAMED
}  # fmt: skip
"""The generators of libraries and books by name: congruential and lagged Fibonacci ones, and others.

Each has the attributes ``name``, ``what``, ``source`` and ``seeds``, and ``make(seed)``."""


def named(name: str, seed: int) -> BitGenerator:
    """Return a generator of a library or a book, seeded as it seeds it.

    Parameters
    ----------
    name : str
        A key of `clrng.NAMED`.
    seed : int
        What the library's own seeding function takes, or the state before the first value.

    Returns
    -------
    BitGenerator
        An `LCG`, a `ParkMiller`, a `Coveyou`, a `LaggedFibonacci`, a `XorShift`, a `LFSR113`, a `WELL512a`, a
        `MT19937`, a `MT19937_64`, a `SubtractWithCarry`, a `RANLUXpp` or a `LinearRecurrence`.

    Raises
    ------
    TypeError
        If `name` is not a string or `seed` not an integer.
    ValueError
        If there is no such name or `seed` is out of range.

    Examples
    --------
    >>> import clrng
    >>> clrng.named("lrand48", 0).sequence(3).tolist()
    [366850414, 1610402240, 206956554]
    """
    return NAMED[validation.key("name", name, NAMED, "clrng.NAMED")].make(seed)
