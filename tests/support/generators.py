"""Every kind of bit generator in one list, for the tests that hold all of them to the same laws.

What these have to know of a family by itself is its record in `RECORDS`.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from clrng.generators import (
    KISS,
    LCG,
    LXM,
    MT19937,
    MT19937_64,
    PCG32,
    PCG64,
    PCG64DXSM,
    BitGenerator,
    CounterBased,
    Coveyou,
    LaggedFibonacci,
    LinearRecurrence,
    MRG32k3a,
    ParkMiller,
    Philox,
    SplitMix,
    SubtractWithCarry,
    Xoroshiro,
    XorShift,
    Xoshiro,
    lxm,
    philox,
)
from clrng.generators.base import Words
from clrng.generators.families import FAMILIES
from clrng.generators.maths.number_theory import factors
from tests.support.mersenne import factored

MERSENNE_31, MERSENNE_61 = 2**31 - 1, 2**61 - 1


def numbers(base: int, count: int, modulus: int) -> list[int]:
    """Return `count` numbers below `modulus` that look arbitrary: powers of `base`."""
    return [pow(base, 7 * i + 11, modulus) for i in range(count)]


def linear(order: int, modulus: int, constant: int = 0) -> LinearRecurrence:
    """Return a recurrence with arbitrary coefficients and state, the last coefficient odd."""
    *others, last = numbers(1234577, order, modulus)
    return LinearRecurrence([*others, last | 1], numbers(7654321, order, modulus), modulus, constant)


GENERATORS: dict[str, BitGenerator] = {
    "park_miller": ParkMiller(seed=1),
    "park_miller_largest_multiplier": ParkMiller(seed=MERSENNE_31 - 1, multiplier=MERSENNE_31 - 2),
    "lcg_2^32": LCG(1664525, 1013904223, 2**32, seed=0),
    "lcg_2^32_multiplicative": LCG(69069, 0, 2**32, seed=4294967295),
    "lcg_2^64": LCG(6364136223846793005, 1442695040888963407, 2**64, seed=1),
    "lcg_2^48_output_17_31": LCG(0x5DEECE66D, 11, 2**48, seed=20017429951246, output=(17, 31)),
    "lcg_2^24": LCG(16598013, 12820163, 2**24, seed=327680),
    "lcg_2": LCG(1, 1, 2, seed=0),
    "lcg_2^31-1": LCG(16807, 12345, MERSENNE_31, seed=0),
    "lcg_101": LCG(2, 0, 101, seed=100),
    "lcg_10^9+7": LCG(999999937, 123456789, 10**9 + 7, seed=10**9 + 6),
    "lcg_2147483399": LCG(40692, 0, 2147483399, seed=1),
    "lcg_2^32-5": LCG(1588635695, 4294967290, 2**32 - 5, seed=4294967290),
    "lcg_10^9": LCG(314159221, 211324863, 10**9, seed=999999999),
    "lcg_2^61-1": LCG(437799614237992725, 2**61 - 3, MERSENNE_61, seed=1),
    "lcg_10^19": LCG(9999999999999999961, 9999999999999999999, 10**19, seed=9999999999999999998),
    "lcg_2^64-59": LCG(13891176665706064842, 2**64 - 61, 2**64 - 59, seed=2**64 - 60),
    "lcg_falls_to_0": LCG(6, 0, 2**40, seed=5),
    "lcg_not_reversible": LCG(2 * 16807, 5, 2 * MERSENNE_31, seed=1),
    "coveyou": Coveyou(seed=4294967294),
    "linear_1_10^9+7": LinearRecurrence([40692], state=[10**9 + 6], modulus=10**9 + 7, constant=1),
    "linear_5_2": LinearRecurrence([0, 0, 1, 0, 1], state=[1, 0, 0, 0, 0], modulus=2),
    "linear_3_2^31-1": LinearRecurrence([63308, 0, MERSENNE_31 - 183326], [1, 2, MERSENNE_31 - 1], MERSENNE_31),
    "linear_2_2^32-5": LinearRecurrence([271828, 2**32 - 314159], [2**32 - 6, 0], 2**32 - 5, constant=2**32 - 6),
    "linear_3_2^61-1": linear(3, MERSENNE_61),
    "linear_4_2^64": linear(4, 2**64),
    "linear_5_10^19": linear(5, 10**19, constant=10**19 - 1),
    "linear_2_falls_to_0": LinearRecurrence([6, 10], state=[1, 3], modulus=2**32),
    "linear_2_not_reversible": LinearRecurrence([123456, 1000], state=[0, 1], modulus=10**9),
    "linear_20_2^31-1": linear(20, MERSENNE_31),
    "linear_64_2^64-59": linear(64, 2**64 - 59),
    "yarn_2_2^64-59": LinearRecurrence([2**40, 2**64 - 60], [2**64 - 60, 5], 2**64 - 59, constant=7, yarn=2),
    "mrg32k3a": MRG32k3a(seed=12345),
    "philox_largest_counter": Philox(state=[2**64 - 2, *[2**64 - 1] * 3, 1, 5, 2**64 - 1, 0]),
    "threefry4x64_largest_counter": CounterBased("threefry4x64", 5, counter=2**256 - 9, rounds=13),
    "chacha_8_largest_counter": CounterBased("chacha", 2**319 + 5, counter=2**64 - 9, rounds=8),
    "squares32": CounterBased("squares32", 0xC58EFD154CE32F6D, counter=2**63),
    "pcg64_largest_words": PCG64(state=2**128 - 1, increment=2**128 - 1, multiplier=2**128 - 3),
    "pcg64_dxsm_even_increment": PCG64DXSM(state=0, increment=2, multiplier=5),
    "pcg32_largest_words": PCG32(state=2**64 - 1, increment=2**64 - 1, multiplier=2**64 - 1),
    "xorshift_3_64_bits": XorShift([3, 3, 2, 1], [29, -11, 0, -35], [0, 1, 0, 5], bits=64, increment=2**63 + 1),
    "xorwow": XorShift([5, 5, 1], [-2, 1, 4], [0, 0, 0, 0, 1, 2**32 - 1], increment=362437),
    "xorshift_of_a_word_and_weyl": XorShift([1, 1, 1], [13, -17, 5], [5, 1], increment=3),
    "xorshift128plus": XorShift([2, 2, 1], [23, -18, -5], [0, 1], bits=64, scrambler=("+", 0, 1)),
    "xoshiro128starstar": Xoshiro([0, 0, 0, 1], "**", 32),
    "xoroshiro64star": Xoroshiro([2**32 - 1, 0], "*", 32),
    "splitmix32": SplitMix([2**32 - 1, 2**32 - 1], 32),
    "splitmix_part": SplitMix(7, mixer=[1, 3, 2, 5, 0], output=(31, 33)),
    "kiss_multicarry": KISS("multicarry", [2422800382, 1]),
    "kiss_super_duper": KISS("super_duper", [2**32 - 1, 2**32 - 1]),
    "lxm_32_64": LXM([2**32 - 1, 0, 0, 1], 32, 64),
    "lxm_128_256": LXM([0, 1, 2**64 - 1, 2**64 - 1, 1, 0, 0, 0], 128, 256),
    "carry_24_10_24": SubtractWithCarry(24, (10, 24), numbers(271, 24, 2**24)),
    "carry_48_5_12_split": SubtractWithCarry(48, (5, 12), numbers(271, 12, 2**48), block=30, used=12, split=2),
    "lagged_+_5_17": LaggedFibonacci((5, 17), "+", seed=1),
    "lagged_-_5_17": LaggedFibonacci((5, 17), "-", seed=2),
    "lagged_-_17_5_64_bits": LaggedFibonacci((17, 5), "-", bits=64, seed=3),
    "lagged_*_17_5": LaggedFibonacci((17, 5), "*", bits=32, seed=4),
    "lagged_xor_5_17_64_bits": LaggedFibonacci((5, 17), "xor", bits=64, state=[*[0] * 16, 2**64 - 1]),
    "lagged_-_7_10_31_bits": LaggedFibonacci((7, 10), "-", bits=31, seed=5),
    "lagged_xor_10_7_30_bits": LaggedFibonacci((10, 7), "xor", bits=30, seed=6),
    "lagged_+_1_2": LaggedFibonacci((1, 2), "+", state=[0, 1]),
    "lagged_+_3_1_64_bits": LaggedFibonacci((3, 1), "+", bits=64, state=[2**64 - 1, 2**64 - 2, 0]),
    "lagged_+_2_5_1_bit": LaggedFibonacci((2, 5), "+", bits=1, state=[0, 0, 0, 0, 1]),
    "lagged_xor_1_3_2_bits": LaggedFibonacci((1, 3), "xor", bits=2, state=[2, 1, 0]),
    "lagged_*_1_3_3_bits": LaggedFibonacci((1, 3), "*", bits=3, state=[7, 1, 3]),
    "lagged_+_24_55": LaggedFibonacci((24, 55), "+", seed=7),
    "lagged_*_24_55_64_bits": LaggedFibonacci((24, 55), "*", bits=64, seed=2**64 - 1),
    "lagged_-_55_24_10^9": LaggedFibonacci((55, 24), "-", modulus=10**9, seed=8),
    "lagged_+_5_17_2^64-59": LaggedFibonacci((5, 17), "+", modulus=2**64 - 59, state=[2**64 - 60] * 17),
    "lagged_-_10_7_10^19": LaggedFibonacci((10, 7), "-", modulus=10**19, state=[*[0] * 9, 10**19 - 1]),
    "lagged_*_63_127": LaggedFibonacci((63, 127), "*", seed=10),
    "lagged_xor_103_250": LaggedFibonacci((103, 250), "xor", seed=11),
    "lagged_+_3_31_output_1_31": LaggedFibonacci((3, 31), "+", seed=9, output=(1, 31)),
}
"""Bit generators by name, moduli and states at their ends and the example of every family among them."""

LARGE: dict[str, BitGenerator] = {
    "lagged_+_418_1279": LaggedFibonacci((418, 1279), "+", seed=12),
    "mt19937": MT19937(seed=5489),
    "mt19937_64": MT19937_64(seed=5489),
}
"""Bit generators whose jumps take too long for most laws."""

for _name, _family in FAMILIES.items():
    if _family.example not in [*GENERATORS.values(), *LARGE.values()]:
        GENERATORS[_name] = _family.example


class Record(NamedTuple):
    """What is to be known of a family.

    `primes`: returns the primes that divide the period of a generator; left out where all periods are below 2^64.
    `showing`: returns a state whose value is a given one, or None where it cannot be told. `dictionary`: returns what
    the dictionary of a state has for words, which may be illegal.
    """

    primes: Callable[[Any, int], Iterable[int]] = lambda _, period: factors(period)
    showing: Callable[[Any, int], Words | None] = lambda bits, value: (value,) if bits.order == 1 else None
    dictionary: Callable[[Any, Words], dict[str, Any]] = lambda bits, words: {
        "state": list(words) if isinstance(bits.state["state"], list) else words[0]
    }


def _of_mersenne(bits: int, period: int, powers_of_two: bool) -> set[int]:
    """Return the primes of a period of 2^bits - 1 times a power of two, if there may be one."""
    rest, none = divmod(period, 2**bits - 1)
    assert none == 0
    assert rest & (rest - 1) == 0
    assert powers_of_two or rest == 1
    return set(factored(bits)) | ({2} if rest > 1 else set())


def _of_xorshift(bits: Any, period: int) -> set[int]:
    size = 8 * bits.word_dtype.itemsize * bits.linear_order
    assert period // (2**size - 1) in (1, bits.modulus)
    return _of_mersenne(size, period, powers_of_two=True)


def _of_carry(_: Any, period: int) -> set[int]:
    return {prime for prime in [2, *factored(336)] if period % prime == 0}  # m - 1 is 2^240 (2^336 - 1)


def unmixed(z: int, mixer: tuple[int, ...], bits: int) -> int:
    """Return the word of which a mixer makes `z`."""
    first, a, second, b, last = mixer
    for shift, multiplier in ((last, b), (second, a), (first, 1)):
        y = z
        for _ in range(bits // shift if shift else 0):
            y = z ^ y >> shift
        z = y * pow(multiplier, -1, 2**bits) % 2**bits
    return z


def _showing_sum(bits: Any, value: int) -> Words | None:
    """Return the words of which ("++", i, j, r) makes a value, where word i is 1."""
    operation, i, j, *rest = bits.scrambler
    if operation != "++":
        return None
    total = (value - 1) % bits.modulus
    words = [0] * bits.order
    words[i], words[j] = 1, ((total >> rest[0] | total << bits.bits - rest[0]) - 1) % bits.modulus
    return tuple(words)


def _showing_lxm(bits: Any, value: int) -> Words | None:
    words = [1] * bits.order
    words[bits.linear_order] = (unmixed(value, lxm.MIXERS[bits.bits], bits.bits) - 1) % bits.modulus
    return tuple(words)


def _of_lagging(bits: Any, words: Words) -> dict[str, Any]:
    legal = all(0 <= word < bits.modulus for word in words)
    return {"state": bits._plain(words) if legal else list(words)}


def _of_mrg32k3a(bits: Any, _: int) -> set[int]:
    m1, m2 = (part.modulus for part in bits.parts)
    return set().union(*map(factors, (m1 - 1, m1 * m1 + m1 + 1, m2 - 1, m2 * m2 + m2 + 1)))


def _of_numpys_philox(_: Any, words: Words) -> dict[str, Any]:
    *counter, place, first, second, waiting = words
    made = philox.bijection(tuple(counter), (first, second))
    return {
        "state": {"counter": counter, "key": [first, second]},
        "buffer": [word % 2**64 for word in made],
        "buffer_pos": place + 1,
        "has_uint32": waiting >> 32,
        "uinteger": waiting % 2**32,
    }


def _of_counters(*_: Any) -> None:
    """Return None: no counter is known to have a given value."""


def _of_pcg(bits: Any, words: Words) -> dict[str, Any]:
    count = bits.order // 2
    parts = words[:count], words[count : 2 * count]
    x, c = (sum(word << 64 * i for i, word in enumerate(part[::-1])) if legal(part) else -1 for part in parts)
    if isinstance(bits, PCG64DXSM | PCG32) and x >= 0:
        x = (bits.multiplier * x + c) % 2 ** (64 * count)
    waiting = {"has_uint32": words[-1] >> 32, "uinteger": words[-1] % 2**32} if count > 1 else {}
    return {"state": {"state": x, "inc": c}, **waiting}


def legal(words: Words) -> bool:
    """Return whether all are words of 64 bits."""
    return all(0 <= word < 2**64 for word in words)


def _newest_word(bits: Any, value: int) -> Words | None:
    output = getattr(bits, "output", None)
    words = (*[1] * (bits.order - 1), value << output.shift if output else value)
    return words if (words[-1] - bits.word_limits[-1][0]) % bits.word_step == 0 else None


RECORDS = {
    "LinearRecurrence": Record(showing=lambda bits, value: None if bits.yarn else _newest_word(bits, value)),
    "LaggedFibonacci": Record(
        lambda bits, period: _of_mersenne(bits.order, period, powers_of_two=True),
        _newest_word,
    ),
    "XorShiftBackwards": Record(
        lambda bits, period: _of_mersenne(64 * bits.linear_order, period, powers_of_two=True),
        lambda bits, value: (1, value << (bits.output.shift if bits.output else 0), 5),
    ),
    "XorShift": Record(
        _of_xorshift,
        lambda bits, value: (
            None if bits.scrambler else (*[1] * (bits.linear_order - 1), value, *([0] if bits.increment else []))
        ),
    ),
    "Scrambled": Record(
        lambda bits, period: _of_mersenne(bits.order * bits.bits, period, powers_of_two=False),
        _showing_sum,
        _of_lagging,
    ),
    "SplitMix": Record(
        showing=lambda bits, value: (
            unmixed(value << bits.output.shift if bits.output else value, bits.mixer, bits.bits),
            1,
        )
    ),
    "LXM": Record(lambda bits, _: {2, *factored(bits.xbg)}, _showing_lxm, _of_lagging),
    "LFSR113": Record(lambda *_: {2**31 - 1, *(prime for k in (29, 28, 25) for prime in factored(k))}),
    "WELL512a": Record(lambda _, period: _of_mersenne(512, period, powers_of_two=False)),
    "SubtractWithCarry": Record(_of_carry),
    "RANLUXpp": Record(lambda *_: {2, *factored(336)}),
    "Combined": Record(_of_mrg32k3a, lambda bits, value: (1, 1, value % bits.modulus, 1, 1, 0)),
    "CounterBased": Record(lambda *_: {2}, showing=_of_counters),
    "Philox": Record(lambda *_: {2}, dictionary=_of_numpys_philox),
    "PCG64": Record(lambda *_: {2}, lambda bits, value: (0, value, *bits.words[2:]), _of_pcg),
    "PCG64DXSM": Record(lambda *_: {2}, dictionary=_of_pcg),
    "PCG32": Record(dictionary=_of_pcg),
    "Coveyou": Record(showing=lambda _, value: (value - (value - 2) % 4,)),
}
"""The records of the families that need one, by their classes."""


def record_of(bits: BitGenerator) -> Record:
    """Return the record of the family of a generator."""
    names = [kind.__name__ for kind in type(bits).__mro__]
    return next((RECORDS[name] for name in names if name in RECORDS), Record())


ONE_OF_EACH = list({type(bits): bits for bits in reversed(GENERATORS.values())}.values())
"""The first bit generator of each class, where a test needs no others."""
