"""Make tests/data/digests.json by the recurrences in Python's integers: ``python -m tests.support.make_digests``.

The pieces at the start are stepped to; the others begin where a jump on the host leads, and are stepped on from there.
"""

import json
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.distributions import UNIFORM
from clrng.generators import BitGenerator
from clrng.generators.families import FAMILIES, NAMED
from clrng.generators.pcg import MULTIPLIER_128
from clrng.quality.digests import LENGTH, Piece, digest, make
from tests.support import make_drawn_digests

FIELDS = ("place", "offset", "dtype", "first", "sha256")
"""What the file says of each piece."""

PATH = Path(__file__).parents[1] / "data" / "digests.json"
FAR = 10**15
LONGEST = 2**192
MIDDLE = 10**9

ABOUT = [
    "SHA-256 of 4096 consecutive values each, of the stream of each generator: the bytes of all values one after",
    "another, the least significant byte of a value first. offset is how many values come before, first is the first",
    "of the piece. start is the beginning; middle is after half of the period where it is known and at most 2^192,",
    "else after 10^9; far is after 10^15. Values are raw ones, or uniform in [0, 1) where dtype is a float.",
    "Those of distributions are drawn by the method of Generator, with arguments; offset is then how many raw values",
    "come before, and table is the digest of the numbers that the kernel looks up. Orders are those of permutation of",
    "their length, as int64.",
    "Made by python -m tests.support.make_digests, from the recurrences in integers on the host.",
]

SQUARES_KEY = 0xC58EFD154CE32F6D

PLAIN: dict[str, tuple[str, dict[str, Any]]] = {
    "park_miller": ("ParkMiller", {"seed": 1}),
    "park_miller_48271": ("ParkMiller", {"seed": 1, "multiplier": 48271}),
    "park_miller_742938285": ("ParkMiller", {"seed": 1, "multiplier": 742938285}),
    "lcg_2^31-1_increment": ("LCG", {"multiplier": 16807, "increment": 12345, "modulus": 2**31 - 1, "seed": 0}),
    "lcg_2^32-5": (
        "LCG",
        {"multiplier": 1588635695, "increment": 4294967290, "modulus": 2**32 - 5, "seed": 4294967290},
    ),
    "lcg_10^9": ("LCG", {"multiplier": 314159221, "increment": 211324863, "modulus": 10**9, "seed": 999999999}),
    "lcg_2^61-1": (
        "LCG",
        {"multiplier": 437799614237992725, "increment": 2**61 - 3, "modulus": 2**61 - 1, "seed": 1},
    ),
    "lcg_2^64-59": (
        "LCG",
        {"multiplier": 13891176665706064842, "increment": 2**64 - 61, "modulus": 2**64 - 59, "seed": 2**64 - 60},
    ),
    "lcg_not_reversible": ("LCG", {"multiplier": 33614, "increment": 5, "modulus": 2**32 - 2, "seed": 1}),
    "coveyou_4294967294": ("Coveyou", {"seed": 4294967294}),
    "linear_2_2^32-5_constant": (
        "LinearRecurrence",
        {
            "coefficients": [271828, 2**32 - 314159],
            "state": [2**32 - 6, 0],
            "modulus": 2**32 - 5,
            "constant": 2**32 - 6,
        },
    ),
    "linear_3_2^31-1": (
        "LinearRecurrence",
        {
            "coefficients": [63308, 0, 2**31 - 1 - 183326],
            "state": [1, 2, 2**31 - 2],
            "modulus": 2**31 - 1,
        },
    ),
    "linear_5_2^61-1": (
        "LinearRecurrence",
        {
            "coefficients": [2**60 - 3**k for k in range(5)],
            "state": [1, 2, 3, 4, 5],
            "modulus": 2**61 - 1,
        },
    ),
    "linear_3_2^61-1_yarn": (
        "LinearRecurrence",
        {
            "coefficients": [2**60 - 3**k for k in range(3)],
            "state": [1, 2, 2**61 - 2],
            "modulus": 2**61 - 1,
            "yarn": 37,
        },
    ),
    "mrg32k3a": ("MRG32k3a", {"seed": 12345}),
    "xorshift32": ("XorShift32", {"seed": 2463534242, "shifts": [13, 17, 5]}),
    "xorshift_3_words_of_64_bits": (
        "XorShift",
        {
            "lags": [3, 3, 2, 1],
            "shifts": [29, -11, 0, -35],
            "state": [1, 0, 2**64 - 1, 5],
            "bits": 64,
            "increment": 2**63 + 1,
        },
    ),
    "lfsr113": ("LFSR113", {"seed": 987654321}),
    "well512a_16_words": ("WELL512a", {"state": [123456789 * k % 2**32 for k in range(1, 17)]}),
    "mt19937": ("MT19937", {"seed": [291, 564, 837, 1110]}),
    "mt19937_64": ("MT19937_64", {"seed": [74565, 144470, 214375, 284280]}),
    "carry_64_3_7": (
        "SubtractWithCarry",
        {"bits": 64, "lags": [3, 7], "state": [2**64 - 1, 0, 1, 2, 3, 4, 5], "block": 20, "used": 11},
    ),
    "ranluxpp": ("RANLUXpp", {"seed": 314159265}),
    "pcg64_largest_words": ("PCG64", {"state": 2**128 - 1, "increment": 2**128 - 1, "multiplier": 2**128 - 3}),
    "pcg64_dxsm_multiplier_of_pcg64": ("PCG64DXSM", {"state": 0, "increment": 1, "multiplier": MULTIPLIER_128}),
    "pcg32_largest_words": ("PCG32", {"state": 2**64 - 1, "increment": 2**64 - 1, "multiplier": 2**64 - 3}),
    "philox_largest_counter": ("Philox", {"key": [5, 2**64 - 1], "counter": 2**256 - 200}),
    **{
        f"counter_based_{name}": ("CounterBased", {"bijection": name, "key": key, "counter": counter})
        for name, key, counter in (
            ("philox2x32", 5, 2**64 - 100),
            ("philox4x32", 5 + 2**63, 2**128 - 100),
            ("philox2x64", 5, 2**64 - 100),
            ("philox4x64", 5 + 2**127, 2**192 - 100),
            ("threefry2x32", 5 + 2**63, 2**32 - 100),
            ("threefry4x32", 5 + 2**127, 2**96 - 100),
            ("threefry2x64", 5 + 2**127, 2**128 - 100),
            ("threefry4x64", 5 + 2**255, 2**256 - 100),
            ("jax_threefry2x32", 5 + 2**63, 2**64 - 100),
            ("chacha", 5 + 2**319, 2**64 - 100),
            ("squares32", SQUARES_KEY, 2**64 - 100),
            ("squares64", SQUARES_KEY, 0),
        )
    },
    "lagged_5_17_modulo_2^64-59": ("LaggedFibonacci", {"lags": [5, 17], "op": "+", "modulus": 2**64 - 59, "seed": 1}),
    "lagged_10_7_modulo_10^19": ("LaggedFibonacci", {"lags": [10, 7], "op": "-", "modulus": 10**19, "seed": 1}),
}
"""The class and the arguments of generators that have no name."""

PAIRS: dict[tuple[int, int], dict[str, tuple[int, ...]]] = {
    (5, 17): {"+": (64,), "-": (32, 64), "*": (32, 64), "xor": (32, 64)},
    (24, 55): {"+": (64,), "-": (32,), "*": (64,), "xor": (32,)},
    (418, 1279): {"+": (64,), "-": (32,), "*": (32, 64), "xor": (64,)},
}
"""The widths of words of lagged Fibonacci generators by lags and operation; + on 32 bits has names."""

UNIFORMS = {
    "numerical_recipes", "mmix", "lrand48", "drand48", "glibc_type_3", "park_miller", "lcg_10^9", "lcg_2^61-1",
    "lcg_2^64-59", "linear_3_2^31-1", "mrg32k3a", "numpy_pcg64", "numpy_pcg64dxsm", "pcg32", "lagged_10_7_modulo_10^19",
    "counter_based_philox4x32",
}  # fmt: skip
"""The generators whose uniform values are digested too, those of every way to divide by the modulus among them."""


def generators() -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the name or class and the arguments of every generator of the file, by its key.

    Of a family that is not in the tables above it is the example.
    """
    named = {name: (name, {"seed": max(row.seeds[0], 1)}) for name, row in NAMED.items()}
    lagged = {
        f"lagged_{lags[0]}_{lags[1]}_{op}_{bits}_bits": (
            "LaggedFibonacci",
            {"lags": list(lags), "op": op, "bits": bits, "seed": 1},
        )
        for lags, by_op in PAIRS.items()
        for op, widths in by_op.items()
        for bits in widths
    }
    found = {**named, **PLAIN, **lagged}
    classes = {maker for maker, _ in found.values()}
    examples = {name: (family.generator.__name__, dict(family.arguments)) for name, family in FAMILIES.items()}
    return {**found, **{name: made for name, made in examples.items() if made[0] not in classes}}


def offsets(bits: BitGenerator) -> dict[str, int]:
    """Return how many values come before each piece of raw values."""
    period = bits.period
    return {"start": 0, "middle": period // 2 if period and period <= LONGEST else MIDDLE, "far": FAR}


def uniform(raw: npt.NDArray[Any], denominator: int, dtype: str) -> npt.NDArray[Any]:
    """Return raw values as uniform ones: rounded down to the bits of `dtype`, or for float64 correctly up to 2^53."""
    bits = UNIFORM[dtype].bits
    if dtype == "float64" and denominator <= 2**bits:
        return np.array([float(Fraction(value, denominator)) for value in raw.tolist()], dtype)
    return np.array([float(Fraction(value * 2**bits // denominator, 2**bits)) for value in raw.tolist()], dtype)


def pieces(name: str, bits: BitGenerator, places: tuple[str, ...] = ("start", "middle", "far")) -> list[Piece]:
    """Return the pieces of `places` of the generator of this name."""
    found = []
    for place, offset in offsets(bits).items():
        if place not in places:
            continue
        drawn = [bits.jumped(offset).sequence(LENGTH)]
        if place == "start" and name in UNIFORMS:
            for dtype, transform in UNIFORM.items():
                taken = bits.taken(transform)
                drawn.append(uniform(taken.sequence(LENGTH), taken.upper_bound, dtype))
        found += [Piece(name, offset, str(v.dtype), v[0].item(), digest(v), place=place) for v in drawn]
    return found


def text() -> str:
    """Return the file, with a line for each piece."""
    rows = []
    for name, (generator, arguments) in generators().items():
        began = time.perf_counter()
        made, about = pieces(name, make(generator, arguments)), {"generator": generator, "arguments": arguments}
        rows.append(make_drawn_digests.entry(name, about, made, FIELDS))
        print(f"{name}: {time.perf_counter() - began:.1f} s", flush=True)
    about = ",\n  ".join(map(json.dumps, ABOUT))
    generators_text = "{\n" + ",\n".join(rows) + "\n }"
    others = "".join(f',\n "{name}": {part}' for name, part in make_drawn_digests.parts().items())
    return f'{{\n "about": [\n  {about}\n ],\n "generators": {generators_text}{others}\n}}\n'


if __name__ == "__main__":
    PATH.write_text(text())
    print(f"-> {PATH}")
