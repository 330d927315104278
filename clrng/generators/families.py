"""The families of generators, a row each: all that clrng has for every family follows from these rows."""

from clrng.errors import UnsupportedError
from clrng.generators import (
    LCG,
    LFSR113,
    MT19937,
    MT19937_64,
    BitGenerator,
    Coveyou,
    LaggedFibonacci,
    LinearRecurrence,
    MRG32k3a,
    ParkMiller,
    RANLUXpp,
    SubtractWithCarry,
    WELL512a,
    XorShift,
    XorShift32,
)
from clrng.generators.arithmetic import ARITHMETICS, Arithmetic
from clrng.generators.congruential import LCGCode
from clrng.generators.coveyou import CoveyouCode
from clrng.generators.family import Command, Family, Option
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.lagged_fibonacci import OPS, LaggedFibonacciCode
from clrng.generators.lfsr113 import LFSR113Code
from clrng.generators.linear_recurrence import LinearRecurrenceCode
from clrng.generators.mersenne_twister import MersenneTwisterCode
from clrng.generators.mrg32k3a import MRG32k3aCode
from clrng.generators.ranluxpp import RANLUXppCode
from clrng.generators.subtract_with_carry import SubtractWithCarryCode
from clrng.generators.well512a import WELL512aCode
from clrng.generators.xorshift import XorShiftCode
from clrng.opencl.devices import DeviceInfo

CONGRUENTIAL = "Linear congruential generators"
RECURRENCES = "Linear recurrences"
XORSHIFT = "Xorshift generators"
TWISTERS = "Mersenne Twisters"
SEED = Option(about="by default 1", default=1)
TWISTER_OPTIONS = {
    "seed": Option(about="by default 5489"),
    "state": Option(about="x_0,x_1,..., in place of a seed", several=True),
}

ROWS = (
    Family(
        generator=ParkMiller,
        code=LCGCode,
        title=CONGRUENTIAL,
        arguments={"seed": 1},
        command=Command(
            about="Park and Miller's minimal standard, with any --multiplier",
            seeds="1 to 2147483646",
            source="Park and Miller 1988",
            options={"seed": SEED, "multiplier": Option(about="by default 16807")},
        ),
    ),
    Family(
        generator=LCG,
        code=LCGCode,
        title=CONGRUENTIAL,
        arguments={"multiplier": 1664525, "increment": 1013904223, "modulus": 2**32, "seed": 0},
        command=Command(
            about="any --multiplier, --increment and --modulus up to 2^64",
            seeds="0 or 1 to m - 1",
            source="Knuth, vol. 2, section 3.2.1",
            options={
                "seed": SEED,
                "multiplier": Option(needed=True),
                "increment": Option(about="by default 0", default=0),
                "modulus": Option(about="for example 2^61-1", needed=True),
            },
        ),
    ),
    Family(
        generator=LinearRecurrence,
        code=LinearRecurrenceCode,
        title=RECURRENCES,
        arguments={"coefficients": [63308, 0, 2**31 - 183327], "state": [1, 2, 2**31 - 2], "modulus": 2**31 - 1},
        command=Command(
            about="any --coefficients, --constant and --modulus up to 2^64, from --state, or powers by --yarn",
            seeds="none",
            source="Stpiczynski, Szalkowski and Potiopa 2012, equation (3)",
            options={
                "coefficients": Option(about="a_1,a_2,...", needed=True, several=True),
                "constant": Option(about="by default 0"),
                "modulus": Option(needed=True),
                "state": Option(about="x_0,x_1,...", needed=True, several=True),
                "yarn": Option(about="a primitive root g, for values g^x mod m"),
            },
        ),
    ),
    Family(
        generator=LaggedFibonacci,
        code=LaggedFibonacciCode,
        title="Lagged Fibonacci generators",
        arguments={"lags": (5, 17), "op": "+", "seed": 1},
        command=Command(
            about="any --lags up to 65536 with an --op, --bits up to 64 or a --modulus, from --seed or --state",
            seeds="0 to 18446744073709551615",
            source="Knuth, vol. 2, section 3.2.2",
            options={
                "lags": Option(about="such as 24,55", needed=True, several=True, count=2),
                "op": Option(needed=True, choices=OPS),
                "bits": Option(about="those of a word, by default 32"),
                "modulus": Option(),
                "seed": SEED,
                "state": Option(about="x_0,x_1,..., in place of a seed", several=True),
            },
            exclusive=(("seed", "state"), ("bits", "modulus")),
        ),
    ),
    Family(
        generator=MRG32k3a,
        code=MRG32k3aCode,
        title=RECURRENCES,
        arguments={"seed": 12345},
        command=Command(
            about="L'Ecuyer's combined multiple recursive generator",
            seeds="1 to 4294944442",
            source="L'Ecuyer 1999",
            options={
                "seed": Option(about="by default 12345"),
                "state": Option(about="six integers, in place of a seed", several=True, argument="seed"),
            },
            exclusive=(("seed", "state"),),
        ),
    ),
    Family(
        generator=XorShift,
        code=XorShiftCode,
        title=XORSHIFT,
        arguments={
            "lags": [4, 4, 1],
            "shifts": [11, -8, -19],
            "state": [123456789, 362436069, 521288629, 88675123],
            "bits": 32,
            "increment": 0,
        },
        command=Command(
            about="xorshift generators of any --lags and --shifts of the longest period, from --state",
            seeds="none",
            source="Marsaglia 2003; Panneton and L'Ecuyer 2005",
            options={
                "lags": Option(about="such as 4,4,1", needed=True, several=True),
                "shifts": Option(about="as many, such as 11,-8,-19", needed=True, several=True),
                "state": Option(about="x_0,x_1,...", needed=True, several=True),
                "bits": Option(about="32 or 64, by default 32", default=32),
                "increment": Option(about="by default 0", default=0),
            },
        ),
    ),
    Family(
        generator=XorShift32,
        code=XorShiftCode,
        title=XORSHIFT,
        arguments={"seed": 2463534242, "shifts": (13, 17, 5)},
        command=Command(
            about="Marsaglia's xorshift generator of 32 bits, with any --shifts of full period",
            seeds="1 to 4294967295",
            source="Marsaglia 2003",
            options={
                "seed": SEED,
                "shifts": Option(about="such as 13,17,5", several=True, count=3),
            },
        ),
    ),
    Family(
        generator=LFSR113,
        code=LFSR113Code,
        title="Tausworthe generators",
        arguments={"seed": 987654321},
        command=Command(
            about="L'Ecuyer's combined Tausworthe generator",
            seeds="128 to 4294967295",
            source="L'Ecuyer 1999",
            options={
                "seed": Option(about="by default 987654321"),
                "state": Option(about="four integers, in place of a seed", several=True, argument="seed"),
            },
            exclusive=(("seed", "state"),),
        ),
    ),
    Family(
        generator=WELL512a,
        code=WELL512aCode,
        title="WELL generators",
        arguments={"state": [123456789 * k % 2**32 for k in range(1, 17)]},
        command=None,
    ),
    Family(
        generator=MT19937,
        code=MersenneTwisterCode,
        title=TWISTERS,
        arguments={"seed": 5489},
        command=Command(
            about="the Mersenne Twister of 32 bits, from --seed as in C++, or --state",
            seeds="0 to 4294967295",
            source="Matsumoto and Nishimura 1998",
            options=TWISTER_OPTIONS,
            exclusive=(("seed", "state"),),
        ),
    ),
    Family(
        generator=MT19937_64,
        code=MersenneTwisterCode,
        title=TWISTERS,
        arguments={"seed": 5489},
        command=Command(
            about="the Mersenne Twister of 64 bits, from --seed as in C++, or --state",
            seeds="0 to 18446744073709551615",
            source="Nishimura 2000",
            options=TWISTER_OPTIONS,
            exclusive=(("seed", "state"),),
        ),
    ),
    Family(
        generator=SubtractWithCarry,
        code=SubtractWithCarryCode,
        title="Subtract with carry generators",
        arguments={"bits": 24, "lags": (10, 24), "state": tuple(range(1, 25)), "block": 48, "used": 24},
        command=Command(
            about="subtract with carry of any --bits and --lags, of whose words --block and --used discard some, "
            "from --state",
            seeds="none",
            source="Marsaglia and Zaman 1991; Lüscher 1994",
            options={
                "bits": Option(about="those of a word, up to 64", needed=True),
                "lags": Option(about="such as 10,24", needed=True, several=True, count=2),
                "state": Option(about="x_0,x_1,... and the carry", needed=True, several=True),
                "block": Option(about="the words of a block, by default 1", default=1),
                "used": Option(about="how many of these are used, by default all"),
            },
        ),
    ),
    Family(
        generator=RANLUXpp,
        code=RANLUXppCode,
        title="Subtract with carry generators",
        arguments={"seed": 314159265},
        command=Command(
            about="RANLUX++, RANLUX of luxury 2048 as a product of 576 bits",
            seeds="0 to 18446744073709551615",
            source="Sibidanov 2017; Hahnfeld and Moneta 2021",
            options={
                "seed": Option(about="by default 314159265"),
                "state": Option(about="ten integers, in place of a seed", several=True, argument="seed"),
            },
            exclusive=(("seed", "state"),),
        ),
    ),
    Family(
        generator=Coveyou,
        code=CoveyouCode,
        title=CONGRUENTIAL,
        arguments={"seed": 4294967294},
        command=None,
    ),
)

FAMILIES: dict[str, Family] = {row.generator.name: row for row in ROWS}
"""Every family by its name, in the order in which they are listed."""


def family_of(bit_generator: BitGenerator) -> Family:
    """Return the family of a bit generator: that of its class, or of the nearest class that this is made from.

    Raises
    ------
    TypeError
        If it has none.
    """
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
    """Return how `bit_generator` is written in `arithmetic`, which must be exact for it.

    Raises
    ------
    TypeError
        If it is of a class that is not written for devices: neither a family that is, nor one that steps like it.
    """
    family, kind = family_of(bit_generator), type(bit_generator)
    changed = [part for part in ("step", "value") if getattr(kind, part) is not getattr(family.generator, part)]
    if changed:
        raise TypeError(
            f"bit_generator must have the {' and '.join(changed)} of {family.generator.__name__}, as devices have "
            f"them, not others as the class {kind.__name__} has"
        )
    return family.code(bit_generator, arithmetic)


def why_not(name: str, device: DeviceInfo, bit_generator: BitGenerator) -> str | None:
    """Return why the arithmetic `name`, one of `ARITHMETICS`, is not exact for `bit_generator` on `device`, or None.

    Raises
    ------
    TypeError
        If `bit_generator` is of no family.
    """
    arithmetic = ARITHMETICS[name]
    return arithmetic.missing(device) or family_of(bit_generator).code.why_not(arithmetic, bit_generator)


def select(name: str, device: DeviceInfo, bit_generator: BitGenerator) -> Arithmetic:
    """Return the arithmetic `name`, or for ``"auto"`` the fastest exact one.

    Parameters
    ----------
    name : str
        ``"auto"`` or a name in `ARITHMETICS`; `check_name` tells.
    device : DeviceInfo
    bit_generator : BitGenerator

    Raises
    ------
    TypeError
        If `bit_generator` is of no family.
    UnsupportedError
        If the arithmetic is not exact for this bit generator on this device; the message says why.

    Notes
    -----
    ``"auto"`` takes the first that is exact, in the order of speed measured with ``clrng rates``: for congruential
    generators ``integer`` was the fastest, or equal to the fastest, on every device tried, and ``double`` for the sums
    of linear recurrences. All give the same numbers, so the choice is one of speed alone.
    """
    if name == "auto":
        fastest = family_of(bit_generator).code.fastest_first
        return ARITHMETICS[next(other for other in fastest if why_not(other, device, bit_generator) is None)]
    reason = why_not(name, device, bit_generator)
    if reason is not None:
        usable = [other for other in ARITHMETICS if why_not(other, device, bit_generator) is None]
        raise UnsupportedError(
            f"arithmetic {name!r} cannot be used on {device.name}: {reason}; exact there: {', '.join(usable)}"
        )
    return ARITHMETICS[name]
