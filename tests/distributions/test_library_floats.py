"""Uniform numbers as NumPy, Python and C++ make them, against these, and at the ends against exact quotients."""

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.opencl.devices import describe
from tests.support import libraries
from tests.support.conversions import converted

SAMPLE, CANONICAL = (clrng.distribution(name) for name in ("random_sample", "generate_canonical"))
N = 3001


def doubles(queue: cl.CommandQueue) -> None:
    if not describe(queue.device).fp64:
        pytest.skip("the device has no double precision")


def test_random_sample_is_numpys_and_pythons(queue: cl.CommandQueue) -> None:
    doubles(queue)
    found = clrng.Generator(clrng.named("numpy_random_state", 7), queue).sample(SAMPLE, N)
    assert found.dtype == np.float64
    assert_array_equal(found.get(), np.random.RandomState(7).random_sample(N))
    modern = clrng.Generator(clrng.named("numpy_mt19937", 7), queue).sample(SAMPLE, N)
    assert_array_equal(modern.get(), np.random.Generator(np.random.MT19937(7)).random(N))
    theirs = random.Random(7)
    pythons = clrng.Generator(clrng.named("python_random", 7), queue).sample(SAMPLE, N)
    assert pythons.get().tolist() == [theirs.random() for _ in range(N)]


def test_random_sample_of_one_raw_value(queue: cl.CommandQueue) -> None:
    rng = clrng.Generator(clrng.named("numpy_mt19937", 7), queue)
    theirs = np.random.Generator(np.random.MT19937(7))
    assert_array_equal(rng.sample(SAMPLE, N, dtype="float32").get(), theirs.random(N, dtype=np.float32))
    doubles(queue)
    bits = clrng.MT19937_64(7)
    expected = (bits.sequence(N) >> np.uint64(11)) * 2.0**-53  # genrand64_res53 of the authors
    assert_array_equal(clrng.Generator(bits, queue).sample(SAMPLE, N).get(), expected)


@pytest.mark.parametrize("name", ["mt19937", "mt19937_64"])
@pytest.mark.parametrize(("kind", "dtype"), [("float", "float32"), ("double", "float64")])
def test_generate_canonical_is_that_of_cpp(queue: cl.CommandQueue, name: str, kind: str, dtype: str) -> None:
    if dtype == "float64":
        doubles(queue)
    rng = clrng.Generator(clrng.named(f"std_{name}", 7), queue)
    found = rng.sample(CANONICAL, N, dtype=dtype).get()
    assert found.dtype == dtype
    assert_array_equal(found, libraries.cpp_canonical(kind, name, 7, N))


def rounded(number: int, bits: int, dtype: str) -> float:
    """Return number / 2^bits rounded to the nearest, to even at a tie, with what is below 1 in place of 1."""
    digits = np.finfo(dtype).nmant + 1
    unit = Fraction(2) ** max(number.bit_length() - digits, 0)
    nearest = round(Fraction(number) / unit) * unit / Fraction(2) ** bits
    return float(min(nearest, 1 - Fraction(1, 2**digits)))


@pytest.mark.parametrize("width", [1, 4, 16])
@pytest.mark.parametrize(("dtype", "steps"), [("float64", 2), ("float32", 1)])
def test_generate_canonical_at_the_ends_and_at_ties(queue: cl.CommandQueue, dtype: str, steps: int, width: int) -> None:
    if dtype == "float64":
        doubles(queue)
    bits, digits = 32 * steps, np.finfo(dtype).nmant + 1
    numbers = [0, 1, 2, *(2**k + d for k in range(1, bits) for d in (-1, 0, 1))]
    numbers += [2**bits - 1 - (1 << k) for k in range(bits - digits + 1)] + [2**bits - 1]
    numbers += [
        (odd << bits - digits) + (1 << bits - digits - 1) for odd in range(2 ** (digits - 1), 2 ** (digits - 1) + 9)
    ]
    raw = [np.array([number >> 32 * j & 2**32 - 1 for number in numbers], np.uint32) for j in range(steps)]
    found = converted(
        queue, "library_float", raw, dtype, (), (), width, function="generate_canonical", digit_bits=32
    )  # fmt: skip
    assert found.tolist() == [rounded(number, bits, dtype) for number in numbers]
    assert found.max() < 1


def test_they_are_drawn_wherever_distributions_are(queue: cl.CommandQueue) -> None:
    doubles(queue)
    bits, raw = clrng.XorShift([4, 4, 1], [11, -8, -19], [1, 2, 3, 4]), clrng.named("xorshift128", 1)
    first, second = (bits.sequence(80).reshape(40, 2).T >> np.uint32([[5], [6]])).astype(float)
    expected = (first * 2**26 + second) / 2**53
    assert_array_equal(clrng.Generator(bits, queue).sample(SAMPLE, 40).get(), expected)
    several = clrng.Streams.by_leapfrog(raw, 2, queue).sample(CANONICAL, 3).get()
    digits = raw.sequence(12).reshape(3, 2, 2).astype(object)
    assert several.tolist() == [
        [rounded(int(r[0, i] + (r[1, i] << 32)), 64, "float64") for i in range(2)] for r in digits
    ]


def test_they_are_drawn_in_kernels_of_the_user(queue: cl.CommandQueue) -> None:
    doubles(queue)
    bits = clrng.named("xorwow", 5)
    text = clrng.device_code(bits, device=queue.device, distributions=[SAMPLE]) + """
    __kernel void draw(__global double *out, __constant const uint *start) {
        uint words[6];
        for (int i = 0; i < 6; i++) words[i] = start[i];
        xorshift_state s = xorshift_seed(words, 3);
        for (int i = 0; i < 20; i++) out[i] = xorshift_next_random_sample(&s);
    }"""  # fmt: skip
    out, words = cla.zeros(queue, 20, np.float64), cla.to_device(queue, np.array(bits.words, np.uint32))
    cl.Program(queue.context, text).build().draw(queue, (1,), None, out.data, words.data)
    rng = clrng.Generator(bits.jumped(3), queue)
    assert_array_equal(out.get(), rng.sample(SAMPLE, 20).get())


@pytest.mark.parametrize(
    "bits", [clrng.ParkMiller(1), clrng.XorShift32(1), clrng.named("drand48", 1), clrng.LCG(5, 1, 2**31, 1)], ids=repr
)
def test_other_raw_values_are_refused(queue: cl.CommandQueue, bits: clrng.BitGenerator) -> None:
    message = (
        f"^random_sample needs raw values of 32 or 64 bits, .* not from {bits.min_value} to {bits.upper_bound - 1}$"
    )
    rng = clrng.Generator(bits.copy(), queue)
    with pytest.raises(ValueError, match=message):
        rng.sample(SAMPLE, 3, dtype="float32")
    assert rng.bit_generator == bits


def test_their_names() -> None:
    assert SAMPLE != CANONICAL
    assert clrng.distribution("random_sample") == SAMPLE
    with pytest.raises(TypeError, match="^low is not a parameter of random_sample, which has none$"):
        clrng.distribution("random_sample", low=0)
    name: Any = "random_samples"
    with pytest.raises(ValueError, match="^name must be a key of clrng.DISTRIBUTIONS, such as 'random_sample'"):
        clrng.distribution(name)
