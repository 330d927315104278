"""The families of generators and the generators of libraries by name: all else follows from their rows."""

from clrng import validation
from clrng.errors import UnsupportedError
from clrng.generators import (
    backwards,
    binary_recurrence,
    congruential,
    counter_based,
    kiss,
    lagged_fibonacci,
    linear_recurrence,
    lxm,
    mersenne_twister,
    mrg32k3a,
    pcg,
    philox,
    ranluxpp,
    splitmix,
    subtract_with_carry,
    xorshift,
    xoshiro,
)
from clrng.generators.arithmetic import ARITHMETICS, Arithmetic
from clrng.generators.base import BitGenerator
from clrng.generators.family import Family, Named
from clrng.generators.generator_code import GeneratorCode
from clrng.opencl.devices import DeviceInfo

FAMILIES: dict[str, Family] = {}
"""Every family by its name, in the order in which they are listed."""

NAMED: dict[str, Named] = {
    row.name: row
    for module in (
        congruential, pcg, lagged_fibonacci, mrg32k3a, xorshift, backwards, xoshiro, lxm, binary_recurrence,
        mersenne_twister, subtract_with_carry, ranluxpp, linear_recurrence, splitmix, kiss, counter_based, philox,
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
        Of the class of its recurrence, such as an `LCG` or a `LaggedFibonacci`.

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
    titles = {row.name: f"{row.what} {row.source}" for row in NAMED.values()}
    family = FAMILIES.get(name.lower()) if isinstance(name, str) else None
    other = f", or else the class clrng.{family.generator.__name__}" if family else ""
    return NAMED[validation.key("name", name, titles, "a key of clrng.NAMED", other)].make(seed)


def register(family: Family) -> None:
    """Add a family: fills, streams, device code, checks and the command line, if not yet imported, have it then."""
    name = family.generator.name
    if name in FAMILIES:
        raise ValueError(f"family must have a name that no other has, not {name!r}")
    FAMILIES[name] = family


for _module in (
    congruential, pcg, linear_recurrence, lagged_fibonacci, mrg32k3a, xorshift, backwards, xoshiro, lxm,
    binary_recurrence, mersenne_twister, subtract_with_carry, ranluxpp, splitmix, kiss, counter_based, philox,
):  # fmt: skip
    for _family in _module.FAMILIES:
        register(_family)


def family_of(bit_generator: BitGenerator) -> Family:
    """Return the family of a bit generator: that of its class, or of the nearest class that this is made from."""
    families = {row.generator: row for row in FAMILIES.values()}
    kind = type(bit_generator)
    for base in kind.__mro__:
        if base in families:
            return families[base]
    raise TypeError(
        f"bit_generator must be of a class that there is device code for, "
        f"{', '.join(family.__name__ for family in families)} or a subclass of one of them, not of the class "
        f"{kind.__name__}; its sequence() works on the host"
    )


def code_for(bit_generator: BitGenerator, arithmetic: Arithmetic) -> GeneratorCode:
    """Return how `bit_generator` is written in `arithmetic`, which must be exact for it."""
    family, kind = family_of(bit_generator), type(bit_generator)
    changed = [part for part in ("step", "value") if getattr(kind, part) is not getattr(family.generator, part)]
    if changed:
        raise TypeError(
            f"bit_generator must have the {' and '.join(changed)} of {family.generator.__name__}, as devices have "
            f"them, not others as the class {kind.__name__} has"
        )
    return family.code(bit_generator, arithmetic)


def why_not(name: str, device: DeviceInfo, bit_generator: BitGenerator) -> str | None:
    """Return why the arithmetic `name`, one of `ARITHMETICS`, is not exact for `bit_generator` on `device`, or None."""
    arithmetic = ARITHMETICS[name]
    return arithmetic.missing(device) or family_of(bit_generator).code.why_not(arithmetic, bit_generator)


def exact_arithmetics(device: DeviceInfo, bit_generator: BitGenerator) -> list[Arithmetic]:
    """Return the arithmetics that are exact for `bit_generator` on `device`."""
    return [arithmetic for name, arithmetic in ARITHMETICS.items() if why_not(name, device, bit_generator) is None]


def select(name: str, device: DeviceInfo, bit_generator: BitGenerator) -> Arithmetic:
    """Return the arithmetic `name`, or for ``"auto"`` the fastest exact one.

    `name`: ``"auto"`` or a name in `ARITHMETICS`; `check_name` tells.

    ``"auto"`` takes the first that is exact, in the order of speed measured with ``clrng rates``: for congruential
    generators ``integer`` was the fastest, or equal to the fastest, on every device tried, and ``double`` for the sums
    of linear recurrences. All give the same numbers, so the choice is one of speed alone.
    """
    if name == "auto":
        fastest = family_of(bit_generator).code.fastest_first
        return ARITHMETICS[next(other for other in fastest if why_not(other, device, bit_generator) is None)]
    reason = why_not(name, device, bit_generator)
    if reason is not None:
        usable = [other.name for other in exact_arithmetics(device, bit_generator)]
        raise UnsupportedError(
            f"arithmetic {name!r} cannot be used on {device.name}: {reason}; exact there: {', '.join(usable)}"
        )
    return ARITHMETICS[name]
