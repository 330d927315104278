"""Xorshift generators of several words against the definition, written out here, and what is refused."""

import re
from math import prod
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng import XorShift, XorShift32
from clrng.generators.xorshift import primes_of_period
from tests.support.mersenne import factored

XOR128 = {"lags": [4, 4, 1], "shifts": [11, -8, -19], "state": [1, 2, 3, 4]}
TAPS: dict[str, tuple[list[tuple[int, int]], int]] = {
    "two of 32 bits": ([(2, 10), (2, -13), (1, -10)], 32),
    "three of 32 bits": ([(3, 10), (3, -5), (1, -26)], 32),
    "a word as it is": ([(3, 29), (3, -11), (2, 0), (1, -35)], 64),
    "eight of 32 bits": ([(1, 13), (1, 9), (4, 7), (5, -3), (7, -10), (8, -7), (8, 24)], 32),
}
"""Pairs of a lag and a shift, and the bits of a word."""


def defined(taps: list[tuple[int, int]], words: list[int], bits: int, n: int) -> list[int]:
    """Return the next `n` words: bit after bit, each shifted word a list of its bits, the lowest first."""
    known = [[word >> i & 1 for i in range(bits)] for word in words]
    for _ in range(n):
        terms = {lag: known[-lag] for lag, _ in taps}
        for lag, shift in taps:
            y = terms[lag]
            moved = [0] * shift + y[: bits - shift] if shift > 0 else y[-shift:] + [0] * -shift
            terms[lag] = [(a + b) % 2 for a, b in zip(y, moved, strict=True)] if shift else y
        known.append([sum(column) % 2 for column in zip(*terms.values(), strict=True)])
    return [sum(bit << i for i, bit in enumerate(word)) for word in known[len(words) :]]


def made(name: str, words: list[int], increment: int = 0) -> XorShift:
    taps, bits = TAPS[name]
    return XorShift([lag for lag, _ in taps], [shift for _, shift in taps], words, bits, increment)


@pytest.mark.parametrize("name", TAPS)
@given(data=st.data(), increment=st.integers(0, 2**31 - 1))
@settings(max_examples=10, deadline=None)
def test_the_sequence_is_the_definition(name: str, data: st.DataObject, increment: int) -> None:
    taps, bits = TAPS[name]
    order = max(lag for lag, _ in taps)
    words = data.draw(st.lists(st.integers(0, 2**bits - 1), min_size=order, max_size=order).filter(any))
    expected = defined(taps, words, bits, 60)
    assert made(name, words).sequence(60).tolist() == expected
    assert made(name, words).jumped(37).sequence(23).tolist() == expected[37:]
    step = 2 * increment + 1
    with_weyl = [(word + 5 + (i + 1) * step) % 2**bits for i, word in enumerate(expected)]
    assert made(name, [*words, 5], step).sequence(60).tolist() == with_weyl
    assert made(name, [*words, 5], step).jumped(50).sequence(10).tolist() == with_weyl[50:]


def test_a_single_word_is_the_xorshift_of_32_bits() -> None:
    bits = XorShift([1, 1, 1], [13, -17, 5], [2463534242])
    assert_array_equal(bits.sequence(100), XorShift32(2463534242).sequence(100))
    assert bits.jumped(10**20).words == XorShift32(2463534242).jumped(10**20).words
    assert (bits.min_value, bits.upper_bound, bits.period) == (1, 2**32, 2**32 - 1)


def test_the_primes_of_periods() -> None:
    for size in range(32, 257, 32):
        assert sorted(set(factored(size))) == primes_of_period(size)
        assert prod(factored(size)) == 2**size - 1


def refused(kind: type[Exception], message: str, **changes: Any) -> None:
    with pytest.raises(kind, match=f"^{re.escape(message)}"):
        XorShift(**{**XOR128, **changes})


def test_what_is_refused() -> None:
    refused(ValueError, "shifts must be such that the period is 2^128 - 1 with lags [4, 4, 1], not [11, -8, -18]",
            shifts=[11, -8, -18])  # fmt: skip
    refused(ValueError, "shifts must be such that the period is 2^128 - 1 with lags [4, 4, 4]", lags=[4, 4, 4])
    refused(ValueError, "shifts[1] must be an integer from -31 to 31, not -32", shifts=[11, -32, -19])
    refused(ValueError, "lags must have a largest of 8 at most, or 16 or 32, not 9", lags=[9, 4, 1])
    refused(ValueError, "lags[0] must be an integer from 1 to 32, not 33", lags=[33, 4, 1])
    refused(ValueError, "lags must be 3 integers, as many as shifts, not 2", lags=[4, 1])
    refused(ValueError, "lags must be 1 to 16 integers, not 17", lags=[1] * 17, shifts=[1] * 17)
    refused(ValueError, "state must be 4 integers, not 5", state=[1, 2, 3, 4, 5])
    refused(ValueError, "state must be 5 integers, not 4", increment=1)
    refused(ValueError, "state[2] must be an integer from 0 to 4294967295, not -1", state=[1, 2, -1, 4])
    message = "state must have a word other than 0 for the shifts, or they stay 0, not [0, 0, 0, 0"
    refused(ValueError, f"{message}]", state=[0] * 4)
    refused(ValueError, f"{message}, 7]", state=[0, 0, 0, 0, 7], increment=1)
    refused(ValueError, "increment must be an odd integer, or 0 for none, not 2", increment=2)
    refused(ValueError, "bits must be 32 or 64, not 48", bits=48)
    refused(ValueError, "bits must be an integer from 32 to 64, not 16", bits=16)
    refused(TypeError, "lags must be", lags=4)
    refused(TypeError, "shifts[0] must be an integer", shifts=[1.5, -8, -19])


def test_zero_seeds_of_streams_are_named(queue: cl.CommandQueue) -> None:
    with pytest.raises(ValueError, match=r"^seeds\[1\] must have a word other than 0 .*, not \[0, 0, 0, 0\]$"):
        clrng.Streams.from_seeds(XorShift(**XOR128), [[1, 0, 0, 0], [0, 0, 0, 0]], queue)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["xorshift64", "xorshift96", "xorshift7"])
def test_fills_and_streams_of_other_sizes(name: str, queue: cl.CommandQueue) -> None:
    bits, n = clrng.named(name, 2**60 + 1), 20_003
    rng = clrng.Generator(bits.copy(), queue)
    found = np.concatenate([rng.random_raw(size).get() for size in (3, n - 10, 7)])
    assert_array_equal(found[:1000], bits.sequence(1000))
    assert_array_equal(found[-1000:], bits.jumped(n - 1000).sequence(1000))
    dealt = clrng.Streams.by_leapfrog(bits, 7, queue).random_raw(9)
    assert_array_equal(dealt.get().ravel(), bits.sequence(63))


def test_a_single_word_beside_a_weyl_sequence(queue: cl.CommandQueue) -> None:
    bits = XorShift([1, 1, 1], [13, -17, 5], [5, 1], increment=3)
    assert_array_equal(clrng.Generator(bits.copy(), queue).random_raw(5000).get(), bits.sequence(5000))
    dealt = clrng.Streams.by_leapfrog(bits, 7, queue).random_raw(9)
    assert_array_equal(dealt.get().ravel(), bits.sequence(63))


FAR = [0, 1, 15, 16, 62, 63, 64, 2**40 + 3, 2**63, 2**64 - 2, 2**64 - 1]
FAR += [k * (2**32 - 1) + more for k in (1, 2) for more in (-1, 0, 1)]  # periods of a word of 32 bits


@pytest.mark.parametrize("name", ["xorshift32", "xorshift64", "xorwow", "gsl_taus113", "v8_math_random"])
def test_jumps_in_kernels_are_of_64_bits(name: str, queue: cl.CommandQueue) -> None:
    bits = XorShift32(2463534242) if name == "xorshift32" else clrng.named(name, 5)
    p, ctype, words = bits.name, {4: "uint", 8: "ulong"}[bits.word_dtype.itemsize], ", ".join(map(str, bits.words))
    seed = "words[0], n[i]" if bits.order == 1 else "words, n[i]"
    text = f"""
    __kernel void first(__global {ctype} *out, __global const ulong *n) {{
        const uint i = get_global_id(0);
        const {ctype} words[] = {{{words}}};
        {p}_state s = {p}_seed({seed});
        out[i] = {p}_next_raw(&s);
    }}"""
    out, n = cla.zeros(queue, len(FAR), bits.dtype), cla.to_device(queue, np.array(FAR, np.uint64))
    program = cl.Program(queue.context, clrng.device_code(bits, device=queue.device) + text).build()
    program.first(queue, (len(FAR),), None, out.data, n.data)
    assert out.get().tolist() == [bits.jumped(place).sequence(1)[0] for place in FAR]
