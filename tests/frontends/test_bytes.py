"""Random bytes: those of integers below 2^32, the lowest first."""

import pyopencl as cl
import pytest

import clrng
from tests.support.generators import GENERATORS
from tests.support.reference_draws import Whole, draws, steps_of

WORDS = Whole(0, 2**32)


@pytest.mark.parametrize("length", [0, 1, 2, 3, 4, 5, 1003, 100_000])
@pytest.mark.parametrize("kind", ["park_miller", "lcg_2^32", "lcg_2^64", "mrg32k3a", "lagged_+_5_17"])
def test_bytes_are_those_of_integers(queue: cl.CommandQueue, kind: str, length: int) -> None:
    bits, words = GENERATORS[kind], -(-length // 4)
    rng = clrng.Generator(bits.copy(), queue)
    expected = b"".join(int(word).to_bytes(4, "little") for word in draws(WORDS, bits, words, "uint32"))
    found = rng.bytes(length)
    assert isinstance(found, bytes)
    assert found == expected[:length]
    assert rng.bit_generator == bits.jumped(words * steps_of(WORDS, bits, "uint32"))
