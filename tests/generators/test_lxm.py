"""LXM against its definition, written out here in other words, and what is refused."""

import re
from functools import partial
from math import prod
from typing import Any

import pyopencl as cl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng import LXM
from clrng.generators import xorshift, xoshiro

SIZES = [(32, 64), (64, 128), (64, 256), (128, 128), (128, 256), (64, 1024), (128, 1024)]
each = pytest.mark.parametrize(("lcg", "xbg"), SIZES)


def rotl(x: int, k: int, bits: int) -> int:
    return (x << k | x >> bits - k) % 2**bits


def moved(x: list[int], bits: int) -> list[int]:
    """Return the words of a xoroshiro or xoshiro generator a step later."""
    if len(x) == 2:
        turn, shift, other = (26, 9, 13) if bits == 32 else (24, 16, 37)
        y = x[0] ^ x[1]
        return [rotl(x[0], turn, bits) ^ y ^ (y << shift) % 2**bits, rotl(y, other, bits)]
    if len(x) == 16:
        y = x[0] ^ x[15]
        return [*x[1:15], rotl(x[0], 25, 64) ^ y ^ (y << 27) % 2**64, rotl(y, 36, 64)]
    x0, x1, x2, x3 = x
    return [x0 ^ x3 ^ x1, x1 ^ x2 ^ x0, x2 ^ x0 ^ (x1 << 17) % 2**64, rotl(x3 ^ x1, 45, 64)]


def defined(words: list[int], lcg: int, n: int) -> list[int]:
    """Return `n` values from the words that a constructor of Java takes."""
    bits, halves = (32, 1) if lcg == 32 else (64, lcg // 64)
    a, s = (int.from_bytes(b"".join(w.to_bytes(bits // 8, "big") for w in part), "big")
            for part in (words[:halves], words[halves : 2 * halves]))  # fmt: skip
    x, found = words[2 * halves :], []
    factor = {32: 0xD36D884B, 64: 0xDABA0B6EB09322E3}[bits]
    multiplier = {32: 0xADB4A92D, 64: 0xD1342543DE82EF95, 128: 2**64 + 0xD605BBB58C8ABBFD}[lcg]
    for _ in range(n):
        z = ((s >> lcg - bits) + x[0]) % 2**bits
        for _ in range(2):
            z = (z ^ z >> bits // 2) * factor % 2**bits
        found.append(z ^ z >> bits // 2)
        s = (multiplier * s + a) % 2**lcg
        x = moved(x, bits)
    return found


@each
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_the_sequence_is_the_definition(lcg: int, xbg: int, data: st.DataObject) -> None:
    bits, halves = (32, 1) if lcg == 32 else (64, lcg // 64)
    count = 2 * halves + xbg // bits
    words = data.draw(st.lists(st.integers(0, 2**bits - 1), min_size=count, max_size=count))
    words[halves - 1] |= 1
    words[-1] |= 1
    expected = defined(words, lcg, 60)
    generator = LXM(words, lcg, xbg)
    assert generator.state["state"] == words
    assert generator.sequence(60).tolist() == expected
    assert generator.jumped(37).sequence(23).tolist() == expected[37:]
    assert generator.jumped(10**40).advance(-(10**40)).state == generator.state


def test_the_periods_of_512_and_1024_bits_are_the_longest() -> None:
    for kind, shifts, bits in (*xoshiro.KNOWN, (xorshift.XorShift, *xorshift.XORSHIFT_1024)):
        step = (
            partial(xorshift.stepped, moves=shifts)
            if kind is xorshift.XorShift
            else partial(kind._stepped, shifts=shifts)
        )
        assert xorshift.longest(partial(step, bits=bits), 8 if kind is xoshiro.Xoshiro512 else 16, bits) is not None
    assert prod(prime for prime in xorshift.primes_of_period(1024)) == 2**1024 - 1


@each
def test_a_period_leads_back(lcg: int, xbg: int) -> None:
    generator = clrng.named(f"java_l{lcg}x{xbg}mix", 1)
    assert generator.period == (2**xbg - 1) * 2**lcg
    assert generator.jumped(generator.period) == generator
    assert generator.jumped(2**lcg).state["state"][: lcg // 32] == generator.state["state"][: lcg // 32]


@pytest.mark.parametrize(("lcg", "xbg"), SIZES[:-1])
def test_streams_of_an_a_of_their_own(lcg: int, xbg: int, queue: cl.CommandQueue) -> None:
    rows = [clrng.named(f"java_l{lcg}x{xbg}mix", seed) for seed in (1, 2, 2**64 - 1)]
    drawn = clrng.Streams.from_seeds(rows[0], [row.words for row in rows], queue).random_raw(20).get()
    for column, row in zip(drawn.T, rows, strict=True):
        assert_array_equal(column, row.sequence(20))
    far = clrng.Streams.by_leapfrog(rows[0], 7, queue).random_raw(9)
    assert_array_equal(far.get().ravel(), rows[0].sequence(63))


def test_what_is_refused() -> None:
    def refused(kind: type[Exception], message: str, *given: Any) -> None:
        with pytest.raises(kind, match=f"^{re.escape(message)}"):
            LXM(*given)

    refused(ValueError, "state must be 4 integers, a, s and x, not 3", [1, 2, 3])
    refused(ValueError, "state must have an odd a, not [2, 0, 3, 4]", [2, 0, 3, 4])
    refused(ValueError, "state must have a word of x other than 0, or they stay 0, not [1, 5, 0, 0]", [1, 5, 0, 0])
    refused(ValueError, "state must have an odd a, not [1, 2, 3, 4, 5, 6]", [1, 2, 3, 4, 5, 6], 128)
    refused(
        ValueError, "state[0] must be an integer from 0 to 4294967295, not 4294967297", [2**32 + 1, 0, 1, 1], 32, 64
    )
    refused(ValueError, "lcg must be 32, 64 or 128, not 48", [1, 2, 3, 4], 48)
    refused(ValueError, "xbg must be 64 where lcg is 32, not 128", [1, 2, 3, 4], 32, 128)
    refused(ValueError, "xbg must be 128 or 256 or 1024 where lcg is 64, not 64", [1, 2, 3, 4], 64, 64)
    refused(TypeError, "state must be a sequence of integers, not 1", 1)
