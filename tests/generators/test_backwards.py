"""Xorshift generators whose values come in blocks, each backwards, against V8's program in Python's integers."""

import re
from typing import Any

import pyopencl as cl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng import XorShiftBackwards

V8 = {"lags": [2, 2, 1], "shifts": [23, -17, -26], "bits": 64}
WORD = 2**64 - 1


def v8(s0: int, s1: int, n: int, block: int = 64, shift: int = 12) -> list[int]:
    """Return `n` numbers of V8, which fills a cache and then takes its last one."""
    found: list[int] = []
    while len(found) < n:
        cache = []
        for _ in range(block):
            x, s0 = s0, s1
            x ^= x << 23 & WORD
            x ^= x >> 17
            x ^= s0
            x ^= s0 >> 26
            s1 = x
            cache.append(s0 >> shift)
        found += [cache.pop() for _ in range(block)]
    return found[:n]


def begun(s0: int, s1: int, block: int, output: tuple[int, int] | None) -> XorShiftBackwards:
    words = clrng.XorShift([2, 2, 1], [23, -17, -26], [s0, s1], 64).advance(-block).words
    return XorShiftBackwards(**V8, state=[*words, block - 1], block=block, output=output)  # type: ignore[arg-type]


@given(s0=st.integers(0, WORD), s1=st.integers(1, WORD), exponent=st.integers(1, 7), n=st.integers(0, 300))
@settings(max_examples=15, deadline=None)
def test_the_sequence_is_v8s(s0: int, s1: int, exponent: int, n: int) -> None:
    expected, bits = v8(s0, s1, 400, 2**exponent, 11), begun(s0, s1, 2**exponent, (11, 53))
    assert bits.sequence(400).tolist() == expected
    assert bits.jumped(n).sequence(20).tolist() == expected[n : n + 20]
    assert bits.jumped(n).jumped(-n) == bits
    assert bits.jumped(10**30 + n).jumped(-(10**30)).words == bits.jumped(n).words


@pytest.mark.parametrize(("block", "output"), [(64, (12, 52)), (2, None), (1024, (32, 32))])
def test_fills_and_streams(block: int, output: tuple[int, int] | None, queue: cl.CommandQueue) -> None:
    bits, n = begun(1, 2, block, output), 20_003
    expected = v8(1, 2, n, block, output[0] if output else 0)
    rng = clrng.Generator(bits.copy(), queue)
    pieces = [rng.random_raw(size).get().tolist() for size in (3, n - 10, 7)]
    assert [value for piece in pieces for value in piece] == expected
    dealt = clrng.Streams.by_leapfrog(bits.copy(), 7, queue).random_raw(100)
    assert dealt.get().ravel().tolist() == expected[:700]


def test_the_floats_are_those_of_node(queue: cl.CommandQueue) -> None:
    if not queue.device.double_fp_config:
        pytest.skip("the device has no double precision")
    found = clrng.Generator(clrng.named("v8_math_random", 42), queue).random(3, dtype="float64").get()
    assert_array_equal(found, [0.7939112874678715, 0.5254990606499601, 0.3518347850388237])  # Node.js 20.20.2


def test_the_period() -> None:
    bits = begun(1, 2, 64, None)
    assert bits.period == 64 * (2**128 - 1)
    assert bits.jumped(bits.period) == bits


def test_what_is_refused() -> None:
    def refused(kind: type[Exception], message: str, **changes: Any) -> None:
        with pytest.raises(kind, match=f"^{re.escape(message)}"):
            XorShiftBackwards(**{**V8, "state": [1, 2, 3], **changes})

    refused(ValueError, "block must be a power of two from 2 to 1024, not 48", block=48)
    refused(ValueError, "block must be an integer from 2 to 1024, not 2048", block=2048)
    refused(ValueError, "state[2] must be an integer from 0 to 63, not 64", state=[1, 2, 64])
    refused(ValueError, "state must be 3 integers, not 2", state=[1, 2])
    refused(ValueError, "state must have a word other than 0 for the shifts, or they stay 0, not [0, 0, 5]",
            state=[0, 0, 5])  # fmt: skip
    refused(ValueError, "output[1] must be an integer from 1 to 52, not 53", output=(12, 53))
