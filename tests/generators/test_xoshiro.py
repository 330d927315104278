"""Xoshiro, xoroshiro and scrambled xorshift against the programs of their authors, and what is refused."""

import re
from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng import Xoroshiro, Xoroshiro1024, XorShift, Xoshiro, Xoshiro512

Step = Callable[[list[int]], tuple[int, list[int]]]
"""Returns a value and the state after a step, as the ``next()`` of a program does."""


def rotl(x: int, k: int, bits: int) -> int:
    digits = f"{x:0{bits}b}"
    return int(digits[k:] + digits[:k], 2)


def sums(s: list[int], last: int, r: int, bits: int) -> int:
    total = (s[0] + s[last]) % 2**bits
    return (rotl(total, r, bits) + s[0]) % 2**bits if r else total


def products(word: int, first: int, r: int, last: int, bits: int) -> int:
    product = word * first % 2**bits
    return rotl(product, r, bits) * last % 2**bits if r else product


def xoshiro(value: Callable[[list[int]], int], a: int, b: int, bits: int) -> Step:
    def following(s: list[int]) -> tuple[int, list[int]]:
        s0, s1, s2, s3 = s
        t = s1 << a
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= t % 2**bits
        return value(s), [s0, s1, s2, rotl(s3, b, bits)]

    return following


def xoroshiro(value: Callable[[list[int]], int], a: int, b: int, c: int, bits: int) -> Step:
    def following(s: list[int]) -> tuple[int, list[int]]:
        s0, s1 = s[0], s[1] ^ s[0]
        return value(s), [rotl(s0, a, bits) ^ s1 ^ (s1 << b) % 2**bits, rotl(s1, c, bits)]

    return following


def xoshiro512(value: Callable[[list[int]], int]) -> Step:
    def following(s: list[int]) -> tuple[int, list[int]]:
        shown, t, s = value(s), s[1] << 11, list(s)
        for i, j in ((2, 0), (5, 1), (1, 2), (7, 3), (3, 4), (4, 5), (0, 6), (6, 7)):
            s[i] ^= s[j]
        s[6] ^= t % 2**64
        s[7] = rotl(s[7], 21, 64)
        return shown, s

    return following


def xoroshiro1024(value: Callable[[int, int], int]) -> Step:
    def following(s: list[int]) -> tuple[int, list[int]]:
        s0, s15 = s[0], s[15]
        mixed = s0 ^ s15
        return value(s0, s15), [*s[1:15], rotl(s0, 25, 64) ^ mixed ^ (mixed << 27) % 2**64, rotl(mixed, 36, 64)]

    return following


GOLDEN, GOLDEN_64 = 0x9E3779BB, 0x9E3779B97F4A7C13
STEPS: dict[tuple[type[Any], int, str], Step] = {
    (Xoshiro, 64, "+"): xoshiro(lambda s: sums(s, 3, 0, 64), 17, 45, 64),
    (Xoshiro, 64, "++"): xoshiro(lambda s: sums(s, 3, 23, 64), 17, 45, 64),
    (Xoshiro, 64, "**"): xoshiro(lambda s: products(s[1], 5, 7, 9, 64), 17, 45, 64),
    (Xoshiro, 32, "+"): xoshiro(lambda s: sums(s, 3, 0, 32), 9, 11, 32),
    (Xoshiro, 32, "++"): xoshiro(lambda s: sums(s, 3, 7, 32), 9, 11, 32),
    (Xoshiro, 32, "**"): xoshiro(lambda s: products(s[1], 5, 7, 9, 32), 9, 11, 32),
    (Xoroshiro, 64, "+"): xoroshiro(lambda s: sums(s, 1, 0, 64), 24, 16, 37, 64),
    (Xoroshiro, 64, "++"): xoroshiro(lambda s: sums(s, 1, 17, 64), 49, 21, 28, 64),
    (Xoroshiro, 64, "**"): xoroshiro(lambda s: products(s[0], 5, 7, 9, 64), 24, 16, 37, 64),
    (Xoroshiro, 32, "*"): xoroshiro(lambda s: products(s[0], GOLDEN, 0, 0, 32), 26, 9, 13, 32),
    (Xoroshiro, 32, "**"): xoroshiro(lambda s: products(s[0], GOLDEN, 5, 5, 32), 26, 9, 13, 32),
    (Xoshiro512, 64, "+"): xoshiro512(lambda s: sums([s[0], s[2]], 1, 0, 64)),
    (Xoshiro512, 64, "++"): xoshiro512(lambda s: sums([s[2], s[0]], 1, 17, 64)),
    (Xoshiro512, 64, "**"): xoshiro512(lambda s: products(s[1], 5, 7, 9, 64)),
    (Xoroshiro1024, 64, "++"): xoroshiro1024(lambda s0, s15: sums([s15, s0], 1, 23, 64)),
    (Xoroshiro1024, 64, "**"): xoroshiro1024(lambda s0, _: products(s0, 5, 7, 9, 64)),
    (Xoroshiro1024, 64, "*"): xoroshiro1024(lambda s0, _: products(s0, GOLDEN_64, 0, 0, 64)),
}
each = pytest.mark.parametrize("kind", STEPS, ids=lambda kind: f"{kind[0].name}-{kind[1]}-{kind[2]}")

VALUES = {
    (Xoshiro, 64, "+"): [5, 211106232532999, 211106635186183, 9223759065350669058, 9250833439874351877],
    (Xoshiro, 64, "++"): [41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205],
    (Xoshiro, 64, "**"): [11520, 0, 1509978240, 1215971899390074240, 1216172134540287360],
    (Xoshiro, 32, "+"): [5, 12295, 25178119, 27286542, 39879690],
    (Xoshiro, 32, "++"): [641, 1573767, 3222811527, 3517856514, 836907274],
    (Xoshiro, 32, "**"): [11520, 0, 5927040, 70819200, 2031721883],
    (Xoroshiro, 64, "+"): [3, 412333834243, 2360170716294286339, 9295852285959843169, 2797080929874688578],
    (Xoroshiro, 64, "++"): [393217, 669327710093319, 1732421326133921491, 11394790081659126983, 9555452776773192676],
    (Xoroshiro, 64, "**"): [5760, 97769243520, 9706862127477703552, 9223447511460779954, 8358291023205304566],
    (Xoroshiro, 32, "*"): [2654435771, 327208753, 4063491769, 4259754937, 261922412],
    (Xoroshiro, 32, "**"): [3802928447, 813792938, 1618621494, 2955957307, 3252880261],
    (Xoshiro512, 64, "+"): [4, 8, 4113, 25169936, 52776585412635],
    (Xoshiro512, 64, "++"): [524291, 1048578, 539099140, 3299073855497, 6917532603230064654],
    (Xoshiro512, 64, "**"): [11520, 0, 23040, 23667840, 144955163520],
}
"""The first values from the words 1, 2, 3, 4 or 1, 2: the tests of rand_xoshiro, made by the authors' programs."""

JUMPS = {
    (Xoshiro, 64): {
        2**128: (0x180EC6D33CFD0ABA, 0xD5A61266F0C9392C, 0xA9582618E03FC9AA, 0x39ABDC4529B1661C),
        2**192: (0x76E15D3EFEFDCBBF, 0xC5004E441C522FB3, 0x77710069854EE241, 0x39109BB02ACBE635),
    },
    (Xoshiro, 32): {
        2**64: (0x8764000B, 0xF542D2D3, 0x6FA035C3, 0x77F2DB5B),
        2**96: (0xB523952E, 0x0B6F099F, 0xCCF5A0EF, 0x1C580662),
    },
    (Xoroshiro, 64): {
        2**64: (0xDF900294D8F554A5, 0x170865DF4B3201FC),
        2**96: (0xD2A98B26625EEE7B, 0xDDDF9B1090AA7AC1),
    },
    (Xoshiro512, 64): {
        2**256: (
            *(0x33ED89B6E7A353F9, 0x760083D7955323BE, 0x2837F2FBB5F22FAE, 0x4B8C5674D309511C),
            *(0xB11AC47A7BA28C25, 0xF1BE7667092BCC1C, 0x53851EFDB6DF0AAF, 0x1EBBC8B23EAF25DB),
        ),
        2**384: (
            *(0x11467FEF8F921D28, 0xA2A819F2E79C8EA8, 0xA8299FC284B3959A, 0xB4D347340CA63EE1),
            *(0x1CB0940BEDBFF6CE, 0xD956C5C4FA1F8E17, 0x915E38FD4EDA93BC, 0x5B3CCDFA5D7DACA5),
        ),
    },
    (Xoroshiro1024, 64): {
        2**512: (
            *(0x931197D8E3177F17, 0xB59422E0B9138C5F, 0xF06A6AFB49D668BB, 0xACB8A6412C8A1401),
            *(0x12304EC85F0B3468, 0xB7DFE7079209891E, 0x405B7EEC77D9EB14, 0x34EAD68280C44E4A),
            *(0xE0E4BA3E0AC9E366, 0x8F46EDA8348905B7, 0x328BF4DBAD90D6FF, 0xC8FD6FB31C9EFFC3),
            *(0xE899D452D4B67652, 0x45F387286ADE3205, 0x03864F454A8920BD, 0xA68FA28725B1B384),
        ),
        2**768: (
            *(0x7374156360BBF00F, 0x4630C2EFA3B3C1F6, 0x6654183A892786B1, 0x94F7BFCBFB0F1661),
            *(0x27D8243D3D13EB2D, 0x9701730F3DFB300F, 0x2F293BAAE6F604AD, 0xA661831CB60CD8B6),
            *(0x68280C77D9FE008C, 0x50554160F5BA9459, 0x2FC20B17EC7B2A9A, 0x49189BBDC8EC9F8F),
            *(0x92A65BCA41852CC1, 0xF46820DD0509C12A, 0x52B00C35FBF92185, 0x1E5B3B7F589E03C1),
        ),
    },
}
JUMPS_PLUSPLUS = {
    2**64: (0x2BD7A6A6E99C2DDC, 0x0992CCAF6A6FCA05),
    2**96: (0x360FD5F2CF8D5D99, 0x9C6E6877736C46E3),
}
"""The constants of ``jump()`` and ``long_jump()`` in the programs, by the steps that they take."""


def made(kind: tuple[type[Any], int, str], words: list[int]) -> Any:
    return kind[0](words, kind[2], *([kind[1]] if "bits" in signature(kind[0]).parameters else []))


def drawn(step: Step, s: list[int], n: int) -> tuple[list[int], list[int]]:
    """Return `n` values and the state behind them."""
    values = []
    for _ in range(n):
        value, s = step(s)
        values.append(value)
    return values, s


@each
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_the_sequence_is_that_of_the_program(kind: tuple[type[Any], int, str], data: st.DataObject) -> None:
    count, bits = kind[0].linear_order, kind[1]
    words = data.draw(st.lists(st.integers(0, 2**bits - 1), min_size=count, max_size=count).filter(any))
    expected, after = drawn(STEPS[kind], words, 60)
    generator = made(kind, words)
    assert generator.state["state"] == words
    assert generator.sequence(60).tolist() == expected
    assert generator.jumped(37).sequence(23).tolist() == expected[37:]
    assert generator.advance(60).state["state"] == after
    assert generator.advance(-60).state["state"] == words


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: f"{kind[0].name}-{kind[1]}-{kind[2]}")
def test_published_values(kind: tuple[type[Any], int, str]) -> None:
    words = list(range(1, kind[0].linear_order + 1))
    assert made(kind, words).sequence(5).tolist() == VALUES[kind]


def after_jump(step: Step, s: list[int], bits: int, constants: tuple[int, ...]) -> list[int]:
    """Return the state to which the ``jump()`` with these constants leads."""
    total = [0] * len(s)
    for constant in constants:
        for b in range(bits):
            if constant >> b & 1:
                total = [x ^ y for x, y in zip(total, s, strict=True)]
            _, s = step(s)
    return total


@each
def test_jumps_are_those_of_the_programs(kind: tuple[type[Any], int, str]) -> None:
    family, bits, scrambler = kind
    words = [2**bits - 12345 * k for k in range(1, family.linear_order + 1)]
    jumps = JUMPS_PLUSPLUS if (family, bits, scrambler) == (Xoroshiro, 64, "++") else JUMPS.get((family, bits), {})
    for distance, constants in jumps.items():
        expected = after_jump(STEPS[kind], words, bits, constants)
        assert made(kind, words).jumped(distance).state["state"] == expected
        assert made(kind, expected).advance(-distance).state["state"] == words


def test_far_places_are_where_running_on_leads() -> None:
    for kind, step in STEPS.items():
        words = [5] * kind[0].linear_order
        values, _ = drawn(step, words, 5000)
        assert made(kind, words).advance(4000).sequence(1000).tolist() == values[4000:]


@each
def test_periods(kind: tuple[type[Any], int, str]) -> None:
    generator = made(kind, [1] * kind[0].linear_order)
    assert generator.period == 2 ** (kind[1] * kind[0].linear_order) - 1
    assert generator.jumped(generator.period) == generator


@pytest.mark.parametrize("scrambler", [("+", 1, 2), ("++", 2, 1, 31), ("*", 3, 2**32 - 1), ("**", 0, 3, 1, 2**31 + 1)])
def test_other_scramblers_and_shifts(scrambler: tuple[Any, ...], queue: cl.CommandQueue) -> None:
    operation, i, *rest = scrambler
    words = [2**32 - 1, 0, 5, 7]

    def value(s: list[int]) -> int:
        if operation[0] == "+":
            j, turned = (*rest, 0)[:2]
            return sums([s[i], s[j]], 1, turned, 32)
        factor, turned, more = (*rest, 0, 0)[:3]
        return products(s[i], factor, turned, more, 32)

    expected, _ = drawn(xoshiro(value, 9, 11, 32), words, 3000)
    generator = Xoshiro(words, scrambler, 32, shifts=[9, 11])
    assert generator.sequence(3000).tolist() == expected
    assert_array_equal(clrng.Generator(generator, queue).random_raw(3000).get(), np.array(expected, np.uint32))


def test_a_scrambler_of_a_xorshift(queue: cl.CommandQueue) -> None:
    lags, shifts, multiplier = [1, 1, 1], [-12, 25, -27], 2685821657736338717
    s, expected = 1, []
    for _ in range(2000):  # xorshift64* of Vigna 2016
        s ^= s >> 12
        s ^= s << 25 & 2**64 - 1
        s ^= s >> 27
        expected.append(s * multiplier % 2**64)
    star = XorShift(lags, shifts, [1], 64, scrambler=("*", 0, multiplier))
    assert star.sequence(2000).tolist() == expected
    assert_array_equal(clrng.Generator(star.copy(), queue).random_raw(2000).get(), np.array(expected, np.uint64))
    plain = XorShift(lags, shifts, [1], 64)
    assert "scrambler" not in plain.state
    plain.state = star.state
    assert plain == star
    plain.state = XorShift(lags, shifts, [1], 64).state
    assert plain.scrambler is None


def test_the_jump_of_xorshift128plus() -> None:
    constants, words = (0x8A5CD789635D2DFF, 0x121FD2155C472F96), [2**64 - 5, 7]

    def step(s: list[int]) -> tuple[int, list[int]]:
        s1 = s[0] ^ s[0] << 23 & 2**64 - 1
        return 0, [s[1], s1 ^ s[1] ^ s1 >> 18 ^ s[1] >> 5]

    generator = XorShift([2, 2, 1], [23, -18, -5], words, 64, scrambler=("+", 0, 1))
    assert list(generator.jumped(2**64).words) == after_jump(step, words, 64, constants)


def test_the_seed_whose_words_would_be_0_is_taken_for_0() -> None:
    seed = -0x9E3779B97F4A7C15 % 2**64  # to which SplitMix64 adds this, and then gives 0
    assert clrng.named("xoroshiro64star", seed) == clrng.named("xoroshiro64star", 0)
    assert clrng.named("xoroshiro64star", 0) != clrng.named("xoroshiro64star", 1)


def refused(kind: type[Exception], message: str, *given: Any, family: type[Any] = Xoshiro, **more: Any) -> None:
    with pytest.raises(kind, match=f"^{re.escape(message)}"):
        family(*given, **more)


def test_what_is_refused() -> None:
    legal = "('+', i, j), ('++', i, j, r), ('*', i, a) or ('**', i, a, r, b)"
    four = [1, 2, 3, 4]
    refused(ValueError, f"scrambler must be '++' or '+' or '**' or {legal}, not '*'", four, "*")
    refused(ValueError, f"scrambler must be '**' or '*' or {legal}, not '+'", [1, 2], "+", 32, family=Xoroshiro)
    refused(TypeError, f"scrambler must be {legal}, not 5", four, 5)
    refused(ValueError, f"scrambler must be {legal}, not ('+', 1)", four, ("+", 1))
    refused(ValueError, f"scrambler must be {legal}, not ('-', 1, 2)", four, ("-", 1, 2))
    refused(ValueError, "scrambler[2] must be an integer from 0 to 3, not 4", four, ("+", 1, 4))
    refused(ValueError, "scrambler must be of two words, not twice of word 1", four, ("+", 1, 1))
    refused(ValueError, "scrambler[3] must be an integer from 1 to 63, not 64", four, ("++", 0, 1, 64))
    refused(ValueError, "scrambler[2] must be an odd multiplier, not 4", four, ("*", 0, 4))
    refused(ValueError, "bits must be 32 or 64, not 48", four, bits=48)
    refused(TypeError, "shifts must be 2 integers, not [1, 2, 3]", four, shifts=[1, 2, 3])
    refused(TypeError, "shifts must be 2 integers, as none are published for ('*', 0, 3)", four, ("*", 0, 3))
    refused(ValueError, "shifts must be such that the period is 2^256 - 1, as with [17, 45], not [17, 44]", four,
            shifts=[17, 44])  # fmt: skip
    refused(ValueError, "state must be 4 integers, not 2", [1, 2])
    refused(ValueError, "state must have a word other than 0, as all would stay 0, not [0, 0]", [0, 0],
            family=Xoroshiro)  # fmt: skip
    refused(ValueError, "state[1] must be an integer from 0 to 4294967295, not 4294967296", [0, 2**32], bits=32,
            family=Xoroshiro)  # fmt: skip
    generator = Xoshiro(four)
    for bad in (None, [], "+-", ["+", 0, 4], ["+", "0", 1]):
        with pytest.raises((TypeError, ValueError), match=r"^state\['scrambler'\]"):
            generator.state = {**generator.state, "scrambler": bad}
    assert generator == Xoshiro(four)
    message = "scrambler must be None where there is an increment, not ('+', 0, 1)"
    refused(ValueError, message, [2, 2, 1], [10, -13, -10], [1, 2, 3], increment=1, scrambler=("+", 0, 1),
            family=XorShift)  # fmt: skip
