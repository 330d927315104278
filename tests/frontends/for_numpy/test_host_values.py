"""Single values for NumPy, of every bit generator: the plain definition, and what clrng's own generator draws."""

import numpy as np
import pyopencl as cl
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.frontends.for_numpy.callbacks import kinds
from tests.support.generators import GENERATORS
from tests.support.numpy_words import Oracle

COUNT = 24
SEVERAL = pytest.mark.parametrize("bits", GENERATORS.values(), ids=GENERATORS)


@SEVERAL
@pytest.mark.parametrize("name", ["uint64", "uint32", "double", "raw"])
def test_every_kind_is_as_defined(bits: clrng.BitGenerator, name: str) -> None:
    kind = kinds(bits)[name]
    oracle = Oracle(bits, COUNT * kind.steps)
    found = kind.make(bits.sequence(COUNT * kind.steps)).tolist()
    assert found == [getattr(oracle, name)() for _ in range(2 * COUNT if kind.halves else COUNT)]
    assert oracle.position == COUNT * kind.steps


@pytest.mark.parametrize("name", ["uint64", "uint32", "double"])
@pytest.mark.parametrize(
    "bits",
    [
        clrng.ParkMiller(seed=1),
        clrng.LCG(2**31 - 3, 5, 2**31, seed=1, output=(7, 24)),
        clrng.LCG(5, 1, 2**32, seed=1),
        clrng.LCG(5, 1, 2**48, seed=1),
        clrng.LCG(5, 1, 2**64, seed=1),
        clrng.LCG(5, 1, 2**53 - 1, seed=1),
        clrng.LCG(5, 1, 2**53 + 1, seed=1),
        clrng.LCG(3, 1, 2**32 - 1, seed=1),
        clrng.LCG(3, 1, 2**32 + 1, seed=1),
        clrng.LCG(5, 1, 2**64 - 1, seed=1),
        clrng.LCG(2, 1, 3, seed=0),
    ],
    ids=lambda bits: bits.summary,
)
def test_raw_values_at_their_ends(bits: clrng.BitGenerator, name: str) -> None:
    kind = kinds(bits)[name]
    ends = [bits.min_value, bits.min_value + 1, bits.upper_bound - 2, bits.upper_bound - 1]
    rng = np.random.default_rng(2026)
    raw = np.array([ends[i] for i in rng.integers(0, 4, COUNT * kind.steps)], bits.dtype)
    raw[: kind.steps], raw[kind.steps : 2 * kind.steps] = bits.min_value, bits.upper_bound - 1
    oracle = Oracle(bits, 0)
    oracle._values = raw.tolist()
    assert kind.make(raw).tolist() == [getattr(oracle, name)() for _ in range(COUNT)]


@pytest.mark.parametrize(
    "bits", [clrng.ParkMiller(seed=1), clrng.MRG32k3a(), clrng.named("mmix", 1), GENERATORS["lcg_2^61-1"]]
)
def test_they_are_what_a_generator_draws(queue: cl.CommandQueue, bits: clrng.BitGenerator) -> None:
    for name, kind in kinds(bits).items():
        rng = clrng.Generator(bits.copy(), queue)
        if name == "double" and not rng.device.fp64:
            continue
        drawn = {
            "raw": lambda rng: rng.random_raw(COUNT),
            "double": lambda rng: rng.random(COUNT, "float64"),
            "uint32": lambda rng: rng.integers(0, 2**32, COUNT, "uint32"),
            "uint64": lambda rng: rng.integers(0, 2**64, COUNT, "uint64"),
        }[name](rng)
        assert_array_equal(kind.make(bits.sequence(COUNT * kind.steps)).astype(drawn.dtype), drawn.get())
        assert rng.bit_generator == bits.jumped(COUNT * kind.steps)


def test_one_raw_value_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^bit_generator must have at least 2 raw values, not 1 as LCG\("):
        clrng.numpy_bit_generator(clrng.LCG(1, 0, 2, seed=1))
