"""States from seeds: the fixed rule that `seeded` says, written again in Python's integers, and what is refused."""

from collections import Counter
from math import gcd
from typing import Any

import numpy as np
import pytest
from numpy.random import SeedSequence
from numpy.random.bit_generator import ISeedSequence

import clrng
from clrng.generators import (
    KISS,
    LCG,
    BitGenerator,
    LaggedFibonacci,
    LinearRecurrence,
    MRG32k3a,
    ParkMiller,
    SplitMix,
    SubtractWithCarry,
    XorShiftBackwards,
)
from tests.support.laws import each, slow

SEEDS = [0, 1, 2026, 2**200 + 3, [3, 2**40, 0]]


VALUES = {
    "ParkMiller": [(1, 1, 2**31 - 2)],
    "XorShift32": [(1, 1, 2**32 - 1)],
    "LFSR113": [(2**low, 1, 2**32 - 2**low) for low in (1, 3, 4, 7)],
    "Coveyou": [(2, 4, 2**30)],
    "RANLUXpp": [(0, 1, 2**64)] * 9 + [(0, 1, 12)],
    "MRG32k3a": [(0, 1, 4294967087)] * 3 + [(0, 1, 4294944443)] * 3,
    "MRG31k3p": [(0, 1, 2147483647)] * 3 + [(0, 1, 2147462579)] * 3,
}
"""The least value of each word, their step and number, of classes in which they are always the same."""


CARRIES, SHIFTED, WORD = [(1, 1, 2422800382), (1, 1, 1179647998)], (1, 1, 2**32 - 1), (0, 1, 2**32)
COMBINED = {"kiss99": [*CARRIES, SHIFTED, WORD], "multicarry": CARRIES, "super_duper": [SHIFTED, WORD]}


def usual_values(bits: BitGenerator) -> list[tuple[int, int, int]]:
    """Return the same where a word is from 0 to m - 1, and for a carry and a position in a block."""
    words, state = [(0, 1, bits.modulus)] * len(bits.words), bits.state
    if isinstance(bits, XorShiftBackwards):
        return [*words[:-1], (0, 1, bits.block)]
    if isinstance(bits, KISS):
        return COMBINED[bits.combination]
    if isinstance(bits, SplitMix):
        return [words[0], (bits.words[1], 1, 1)]  # which stays
    if not isinstance(bits, SubtractWithCarry):
        return words
    added = [(0, 1, 2), (1, 1, state["used"] * state["split"])]
    return [*words[: state["lags"][1]], *added][: len(words)]


TAUSWORTHE = (31, 6), (29, 2), (28, 13), (25, 3)


def lowest_bits(word: int, k: int, q: int) -> int:
    """Return `word` with its upper k bits, each of the others the sum of those k and k - q places above it."""
    for place in range(31 - k, -1, -1):
        bit = (word >> place + k ^ word >> place + k - q) & 1
        word = word & ~(1 << place) | bit << place
    return word


TWISTERS = {"MT19937": (32, 397, 0x9908B0DF), "MT19937_64": (64, 156, 0xB5026F5AA96619E9)}


def twisted_back(words: list[int], w: int, m: int, a: int) -> int:
    """Return the first word with its lowest 31 bits, one after the other, such that it leads to the last word.

    Bit i > 0 of y goes to bit i - 1 of the last word, to which the middle word is added, and a where bit 0 of y is 1.
    The highest bit of a tells.
    """
    added = words[-1] ^ words[m - 1]
    odd = added >> w - 1
    lowest = odd
    for i in range(1, 31):
        lowest |= (added >> i - 1 & 1 ^ odd & a >> i - 1) << i
    return words[0] >> 31 << 31 | lowest


def carry_after(words: list[int], lag: int, order: int) -> int:
    """Return the carry of a subtract with carry generator: 1 where the last words are a larger number than the first.

    The highest digits of both numbers are the newest words.
    """
    return int(words[lag:order][::-1] > words[: order - lag][::-1])


def pcg_words(kind: str, multiplier: int | None, sequence: ISeedSequence) -> tuple[int, ...]:
    """Return the words of the state that O'Neill's pcg32_srandom makes of two numbers, or NumPy of a seed."""
    if kind == "PCG32":
        initial, number = sequence.generate_state(2, np.uint64).tolist()
        c = (2 * number + 1) % 2**64
        x = ((c + initial) * 6364136223846793005 + c) % 2**64
        return (x - c) * pow(multiplier or 6364136223846793005, -1, 2**64) % 2**64, c  # before the last step
    state: Any = getattr(np.random, kind)(sequence).state["state"]
    x, c = state["state"], state["inc"]
    if kind == "PCG64DXSM":  # likewise
        x = (x - c) * pow(multiplier or 0xDA942042E4DD58B5, -1, 2**128) % 2**128
    return x >> 64, x % 2**64, c >> 64, c % 2**64, 0


COUNTING = {"philox4x32": (4, 4, 2), "threefry4x64": (4, 4, 4), "chacha": (2, 16, 10), "squares32": (1, 1, 1)}
"""The words of a counter, its values and the words of a key of bijections."""


class Rule:
    """What is legal for the words of one bit generator, said for each class by itself."""

    def __init__(self, bits: BitGenerator) -> None:
        state, m = bits.state, bits.modulus
        self.values: list[tuple[int, int, int]]  # the least value of each word, their step and number
        self.modulus, self.added, self.zeros = m, True, True
        self.linear, self.lowest = len(bits.words), False
        self.twister: tuple[int, int, int] | None = None
        self.lags: list[int] = state["lags"] if isinstance(bits, SubtractWithCarry) else []
        self.kind, self.multiplier = type(bits).__name__, state.get("multiplier")
        self.bijection = state.get("bijection", "")
        self.values = VALUES.get(self.kind) or usual_values(bits)
        match self.kind:
            case "XorShift":
                self.linear = max(state["lags"])
                if len(bits.words) == 1:
                    self.values = [(1, 1, m - 1)]
            case "LFSR113":
                self.lowest = True
            case "MT19937" | "MT19937_64":
                self.twister = TWISTERS[self.kind]
            case "LCG":
                self.added = state["increment"] > 0
                if not self.added and gcd(state["multiplier"], m) == 1:
                    self.values = [(1, 1, m - 1)]
            case "LinearRecurrence":
                self.added = state["constant"] > 0
            case "LaggedFibonacci":
                self.added, self.zeros = state["op"] in ("*", "xor"), False
                if state["op"] == "*":
                    self.values = [(1, 2, m // 2)] * max(state["lags"])

    def legal(self, words: tuple[int, ...]) -> bool:
        """Return whether legal words make a legal state."""
        if self.kind in ("MRG32k3a", "MRG31k3p"):
            return any(words[:3]) and any(words[3:])
        if self.lags:
            lag, order = self.lags
            return words[lag:order] != words[: order - lag]
        if not any(words[: self.linear]):
            return self.zeros and self.linear == len(words)
        return (self.added or gcd(self.modulus, *words) == 1) and (self.zeros or any(words))

    def counting(self, sequence: ISeedSequence) -> tuple[int, ...]:
        """Return the state of a generator that counts, of whose seed a key is made."""
        if self.kind == "Philox":
            return (0, 0, 0, 0, 3, *sequence.generate_state(2, np.uint64).tolist(), 0)
        counter, values, count = COUNTING[self.bijection]
        word = np.uint32 if self.modulus == 2**32 else np.uint64
        key = sequence.generate_state(count, word).tolist()
        key[0] |= self.bijection.startswith("squares")
        return (*[self.modulus - 1] * counter, values - 1, *key)

    def words(self, sequence: ISeedSequence) -> tuple[int, ...]:
        """Return the state of a seed: digit after digit from one long list of numbers."""
        if self.kind.startswith("PCG"):
            return pcg_words(self.kind, self.multiplier, sequence)
        if self.kind in ("CounterBased", "Philox"):
            return self.counting(sequence)
        lengths = [2 * ((len(f"{count - 1:b}") + 31) // 32) + 1 if count > 1 else 1 for _, _, count in self.values]
        numbers = iter(sequence.generate_state(20 * sum(lengths)).tolist())
        while True:
            words = []
            for (least, step, count), length in zip(self.values, lengths, strict=True):
                number = sum(next(numbers) << 32 * i for i in range(length))
                words.append(least + step * (number % count))
            if self.twister:
                words[0] = twisted_back(words, *self.twister)
            if self.lowest:
                words = [lowest_bits(word, *each) for word, each in zip(words, TAUSWORTHE, strict=True)]
            if self.kind == "LXM":
                words[-1] |= 1
            if self.lags:
                words[self.lags[1]] = carry_after(words, *self.lags)
            if self.legal(tuple(words)):
                return tuple(words)


def follows_the_rule(generator: BitGenerator) -> None:
    rule = Rule(generator)
    for seed in SEEDS:
        found = generator.seeded(seed)
        assert type(found) is type(generator)
        assert found.parameters == generator.parameters
        assert found.words == rule.words(SeedSequence(seed))
        assert found.words == generator.jumped(3).seeded(SeedSequence(seed)).words
        restored = generator.copy()
        restored.state = found.state  # which refuses what is not legal
        assert restored == found


@each()
def test_the_state_of_a_seed_is_that_of_the_rule(generator: BitGenerator) -> None:
    before = generator.copy()
    follows_the_rule(generator)
    assert generator == before


@slow
def test_the_state_of_a_seed_is_that_of_the_rule_for_many_words(generator: BitGenerator) -> None:
    follows_the_rule(generator)


def test_known_states() -> None:
    assert ParkMiller(seed=1).seeded(2026).words == (357927480,)
    words = (533966541, 2580029012, 2663793069, 3728431510, 2571720617, 1625831988)
    assert MRG32k3a().seeded(5).words == words
    assert clrng.Coveyou(seed=2).seeded(5).words == (67293598,)
    assert clrng.XorShift32(seed=1).seeded(5).words == (952858726,)


TINY: list[tuple[BitGenerator, int]] = [
    (LCG(2, 0, 101, seed=100), 100),
    (LCG(5, 3, 8, seed=0), 8),
    (LCG(3, 0, 32, seed=1), 16),  # odd words only
    (LCG(1, 0, 2, seed=1), 1),
    (LinearRecurrence([1], [1], 2), 1),
    (LinearRecurrence([1, 2], [1, 0], 3), 8),
    (
        LinearRecurrence([1, 1], [1, 0], 6),
        24,
    ),  # 36 - 9 pairs of even words - 4 of multiples of 3 + 1 of both
    (LinearRecurrence([1, 1], [1, 0], 4, constant=1), 16),
    (LaggedFibonacci((1, 2), "+", bits=2, state=[1, 0]), 12),
    (LaggedFibonacci((1, 2), "-", modulus=3, state=[1, 0]), 8),
    (LaggedFibonacci((1, 2), "xor", bits=2, state=[1, 0]), 15),
    (LaggedFibonacci((1, 3), "*", bits=3, state=[1, 1, 1]), 64),
]


@pytest.mark.parametrize(("generator", "count"), TINY, ids=lambda value: str(value)[:40])
def test_all_states_are_equally_likely(generator: BitGenerator, count: int) -> None:
    seeds = 100 * count
    found = Counter(generator.seeded(seed).words for seed in range(seeds))
    assert len(found) == count
    spread = sum((times - 100) ** 2 for times in found.values()) / 100  # chi squared
    assert spread < count + 5 * (2 * count) ** 0.5


class Counting(ISeedSequence):
    """A SeedSequence of the numbers 0, 1, 2, ..."""

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> Any:
        """Return the first of them."""
        return np.arange(n_words, dtype=dtype)


class Nothing(ISeedSequence):
    """A SeedSequence of zeros."""

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> Any:
        """Return as many zeros."""
        return np.zeros(n_words, dtype)


def test_words_of_64_bits_take_numbers_from_every_fourth_place() -> None:
    words = LaggedFibonacci((1, 4), "+", bits=64, seed=1).seeded(Counting()).words
    firsts = [word % 2**32 for word in words]
    assert firsts == [0, 5, 10, 15]
    assert {first % 4 for first in firsts} == {0, 1, 2, 3}


def test_a_seed_sequence_of_zeros_ends_in_an_error() -> None:
    assert ParkMiller(seed=5).seeded(Nothing()).words == (1,)
    with pytest.raises(ValueError, match="^seed must yield numbers that make a legal state of MRG32k3a.*, not "):
        MRG32k3a().seeded(Nothing())


def test_without_a_seed_each_is_another() -> None:
    first, second = MRG32k3a().seeded(), MRG32k3a().seeded(None)
    assert first != second
    assert first.seed_seq.entropy != second.seed_seq.entropy  # type: ignore[union-attr]
    assert MRG32k3a().seeded(first.seed_seq) == first


@pytest.mark.parametrize(
    "seed",
    [
        *(7, np.int64(7), np.uint8(7), np.array(7), [7], (7,), range(7, 8), np.array([7]), np.array([7], np.uint32)),
        *(["7"], ["0x7"], SeedSequence(7)),
    ],
)
def test_one_seed_in_many_types(seed: Any) -> None:
    assert MRG32k3a().seeded(seed) == MRG32k3a().seeded(7)
    assert MRG32k3a().seeded(seed).seed_seq.generate_state(4).tolist() == SeedSequence(7).generate_state(4).tolist()  # type: ignore[union-attr]


def test_the_seed_is_kept_as_it_was() -> None:
    seed = [7, 8]
    bits = MRG32k3a().seeded(seed)
    seed[1] = 0
    assert bits.spawn(1) == MRG32k3a().seeded([7, 8]).spawn(1)


@pytest.mark.parametrize("seed", [[[7]], np.array([[7]]), [7, [8, 9]]])
def test_sequences_of_sequences_are_what_they_are_to_numpy(seed: Any) -> None:
    """Versions of NumPy from 2.5 on refuse them."""
    try:
        expected = SeedSequence(seed).generate_state(4)
    except TypeError:
        with pytest.raises(TypeError, match=r"^seed.* must be an integer of 0 or more"):
            MRG32k3a().seeded(seed)
    else:
        found = MRG32k3a().seeded(seed).seed_seq
        assert found is not None
        assert found.generate_state(4).tolist() == expected.tolist()


@pytest.mark.parametrize(
    "seed",
    [
        *(1.0, "1", np.True_, b"1", 1j, {1}, {}, [1.5], ["x"], [None], np.array([1.0]), object()),
        *(np.random.default_rng(1), np.random.PCG64(1), np.random.RandomState(1), ParkMiller(seed=1)),
    ],
)
def test_what_is_no_seed(seed: Any) -> None:
    with pytest.raises(TypeError, match=r"^seed(\[0\])? must be an integer of 0 or more.*, not "):
        MRG32k3a().seeded(seed)


@pytest.mark.parametrize(("seed", "name"), [(-1, "seed"), (-(2**70), "seed"), ([1, -1], r"seed\[1\]")])
def test_negative_seeds(seed: Any, name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} must be an integer of 0 or more, not -"):
        MRG32k3a().seeded(seed)
