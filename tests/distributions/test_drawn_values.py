"""What `Generator` draws from every distribution: bit for bit what the definitions give, wherever it is put."""

import math
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng.generators import BitGenerator
from clrng.opencl.devices import describe
from tests.conftest import DEVICES, make_queue
from tests.support.drawn_cases import CASES, CONTINUOUS, REAL, Case
from tests.support.generators import GENERATORS
from tests.support.reference_draws import Located, draws, located, steps_of, turned

MAIN = ("park_miller", "lcg_2^64")
"""One whose raw values are no power of two and take two steps for 64 bits, and one of which every word is one."""

OTHERS = (
    "lcg_2^32", "mrg32k3a", "lcg_2", "lcg_10^9", "lcg_10^19", "lcg_2^48_output_17_31", "coveyou", "linear_3_2^61-1",
    "lagged_+_5_17", "lagged_-_17_5_64_bits", "lagged_*_1_3_3_bits", "lagged_-_55_24_10^9", "xorshift32",
)  # fmt: skip
"""Generators with few raw values, with many, with more than one word, and with raw values that begin at 1 or 2."""

FEW = ("standard_normal", "gamma_0.5", "poisson_3.5", "integers_6", "integers_int64", "choice", "uniform_(]")
"""Cases of every kernel."""

PAIRS = [(kind, FEW[(i + j) % len(FEW)]) for i, kind in enumerate(OTHERS) for j in (0, 1, 3)]
"""Each of the others with three of the few, and each of these with five of the others or six."""

BY_ARITHMETIC = ("standard_normal", "integers_6", "integers_int64", "uniform_(]")
"""Those with one step and with several; what an arithmetic yields is made the others just so."""

PUT = ("standard_normal", "exponential", "poisson_1000", "integers_uint8")
"""Cases of values of 1, 4 and 8 bytes, with one step and with two."""


def dtypes_on(queue: cl.CommandQueue, case: Case) -> list[str]:
    """Return the dtypes of a case that the device has."""
    return [dtype for dtype in case.dtypes if dtype != "float64" or describe(queue.device).fp64]


def generator(bits: BitGenerator, queue: cl.CommandQueue, arithmetic: str = "auto") -> clrng.Generator:
    return clrng.Generator(bits.copy(), queue, arithmetic)


def check(rng: clrng.Generator, case: Case, n: int, dtype: str) -> None:
    """Draw `n` values where `rng` stands, and compare them, and where it stands then."""
    start = rng.bit_generator.copy()
    found = case.draw(rng, n, dtype=dtype).get()
    assert found.dtype == dtype
    assert_array_equal(found, draws(case.reference, start, n, dtype))
    assert rng.bit_generator == start.jumped(n * steps_of(case.reference, start, dtype))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("kind", MAIN)
def test_every_distribution(queue: cl.CommandQueue, kind: str, name: str) -> None:
    case, rng = CASES[name], generator(GENERATORS[kind], queue)
    for dtype in dtypes_on(queue, case):
        check(rng, case, 1003, dtype)
        check(rng, case, 1, dtype)


@pytest.mark.parametrize(("kind", "name"), PAIRS)
def test_other_generators(queue: cl.CommandQueue, kind: str, name: str) -> None:
    case, rng = CASES[name], generator(GENERATORS[kind], queue)
    dtypes = dtypes_on(queue, case)
    check(rng, case, 517, dtypes[(len(name) + len(kind)) % len(dtypes) if name in REAL else 0])


@pytest.mark.parametrize("name", BY_ARITHMETIC)
def test_every_arithmetic(exact: tuple[cl.CommandQueue, str], name: str) -> None:
    queue, arithmetic = exact
    rng = generator(GENERATORS["park_miller"], queue, arithmetic)
    for dtype in dtypes_on(queue, CASES[name])[:2]:
        check(rng, CASES[name], 2051, dtype)


@pytest.mark.parametrize("name", CASES)
def test_the_default_dtype(queue: cl.CommandQueue, name: str) -> None:
    case = CASES[name]
    expected = "float32" if name in REAL else "int64"
    if expected in case.dtypes:
        rng = generator(GENERATORS[MAIN[1]], queue)
        found = case.draw(rng, (2, 3)).get()
        assert found.dtype == expected
        assert_array_equal(found.ravel(), draws(case.reference, GENERATORS[MAIN[1]], 6, expected))
        assert case.draw(rng).shape == ()


@pytest.mark.parametrize("kind", ["park_miller", "lcg_2^64", "lagged_+_24_55"])
@pytest.mark.parametrize("name", PUT)
def test_more_values_than_work_items(queue: cl.CommandQueue, kind: str, name: str) -> None:
    check(generator(GENERATORS[kind], queue), CASES[name], 100_003, CASES[name].dtypes[0])


@pytest.mark.parametrize("kind", ["park_miller", "mrg32k3a"])
@pytest.mark.parametrize("name", FEW)
def test_far_positions(queue: cl.CommandQueue, kind: str, name: str) -> None:
    case, rng = CASES[name], generator(GENERATORS[kind].jumped(10**15 + 1), queue)
    check(rng, case, 65, dtypes_on(queue, case)[-1])


@pytest.mark.parametrize("place", [0, 1, 2**31 - 4, 2**31 - 3])
def test_the_ends_of_park_miller(queue: cl.CommandQueue, place: int) -> None:
    """Raw values 1, 2, m - 2 and m - 1 are drawn: the state before one is it times the inverse of 16807."""
    before = (place + 1) * pow(16807, -1, 2**31 - 1) % (2**31 - 1)
    bits = clrng.ParkMiller(seed=before)
    assert bits.sequence(1).tolist() == [place + 1]
    for name in REAL:
        check(generator(bits, queue), REAL[name], 1, "float32")


@pytest.mark.parametrize("name", FEW)
@pytest.mark.parametrize("modulus", [101, 2**31 - 1, 2**32, 2**61 - 1, 2**64])
def test_the_corners_of_tables(queue: cl.CommandQueue, modulus: int, name: str) -> None:
    """A generator that counts gives raw values at the ends, in the middle, and where octaves of a table begin."""
    case = CASES[name]
    dtype = dtypes_on(queue, case)[0]
    octaves = {2**k for k in range(64)} | {modulus // 2, 3}
    places = sorted({x % modulus for y in octaves if y < modulus for x in (y, -y)})
    rng = generator(clrng.LCG(multiplier=1, increment=1, modulus=modulus, seed=0), queue)
    made = []
    for place in places:
        rng.bit_generator = clrng.LCG(1, 1, modulus, (place - 4) % modulus)
        made.append(case.draw(rng, 6, dtype=dtype).get())
    starts = [clrng.LCG(1, 1, modulus, (place - 4) % modulus) for place in places]
    assert_array_equal(made, [draws(case.reference, start, 6, dtype) for start in starts])


@pytest.mark.parametrize("name", PUT)
@pytest.mark.parametrize("kind", ["park_miller", "lcg_2^64", "lagged_+_5_17"])
def test_out_may_be_a_part_of_an_array(queue: cl.CommandQueue, kind: str, name: str) -> None:
    case, bits = CASES[name], GENERATORS[kind]
    dtype = case.dtypes[0]
    expected = draws(case.reference, bits, 501, dtype)
    for first in (1, 4, 13):
        whole = cla.to_device(queue, np.full(601, 77, dtype))
        rng = generator(bits, queue)
        found = case.draw(rng, out=whole[first : first + 501])
        assert found.shape == (501,)
        assert_array_equal(whole.get(), [*[77] * first, *expected, *[77] * (100 - first)])
        assert rng.bit_generator == bits.jumped(501 * steps_of(case.reference, bits, dtype))


@pytest.mark.parametrize("name", PUT)
@pytest.mark.parametrize("kind", ["park_miller", "lcg_2^64", "lagged_+_5_17"])
def test_out_may_be_an_array_of_numpy(queue: cl.CommandQueue, kind: str, name: str) -> None:
    case, bits = CASES[name], GENERATORS[kind]
    dtype = case.dtypes[0]
    expected = draws(case.reference, bits, 1001, dtype)
    for first in (0, 1, 7):
        whole = np.full(1100, 77, dtype)
        rng = generator(bits, queue)
        out = whole[first : first + 1001].reshape(7, 143)
        assert case.draw(rng, out=out) is out
        assert_array_equal(whole, [*[77] * first, *expected, *[77] * (99 - first)])
        assert rng.bit_generator == bits.jumped(1001 * steps_of(case.reference, bits, dtype))


SHAPES: list[tuple[Any, Any]] = [((3, 1), (5,)), ((), (4, 5)), ((4, 1, 5), (1, 3, 1)), ((6,), ()), ((2, 3), (2, 3))]


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("method", ["normal", "laplace", "logistic", "gumbel"])
def test_arrays_of_loc_and_scale(queue: cl.CommandQueue, method: str, dtype: str, shapes: tuple[Any, Any]) -> None:
    if dtype not in dtypes_on(queue, CASES["normal"]):
        pytest.skip("the device has no double precision")
    bits, numbers = GENERATORS["park_miller"], np.random.default_rng(1)
    loc, scale = np.asarray(numbers.normal(size=shapes[0])), np.asarray(numbers.exponential(size=shapes[1]))
    shape = np.broadcast_shapes(*shapes)
    reference = CONTINUOUS[method].reference
    assert isinstance(reference, Located)
    standard = draws(Located(reference.quantile), bits, int(np.prod(shape)), dtype).reshape(shape)
    rng = generator(bits, queue)
    found = getattr(rng, method)(loc, scale, dtype=dtype).get()
    assert_array_equal(found, located(standard, loc, scale))
    assert rng.bit_generator == bits.jumped(found.size * steps_of(reference, bits, dtype))
    on_device = [cla.to_device(queue, array.astype(dtype)) for array in (loc, scale)]
    assert_array_equal(getattr(generator(bits, queue), method)(*on_device, dtype=dtype).get(), found)
    for place in [(0,) * len(shape), tuple(n - 1 for n in shape)]:
        one = float(np.broadcast_to(loc, shape)[place]), float(np.broadcast_to(scale, shape)[place])
        scalar = getattr(generator(bits, queue), method)(*one, shape, dtype).get()
        assert scalar[place] == found[place]


def test_scales_alone_and_locations_alone(queue: cl.CommandQueue) -> None:
    bits, many = GENERATORS["park_miller"], np.linspace(0, 3, 12, dtype=np.float32).reshape(3, 4)
    for method, quantile_of in (("exponential", "exponential"), ("rayleigh", "rayleigh"), ("gamma", "gamma_0.5")):
        reference = CONTINUOUS[quantile_of].reference
        assert isinstance(reference, Located)
        standard = draws(Located(reference.quantile), bits, 12, "float32").reshape(3, 4)
        shapes = {"shape": 0.5} if method == "gamma" else {}
        found = getattr(generator(bits, queue), method)(scale=many, **shapes).get()
        assert_array_equal(found, located(standard, 0.0, many))
    angles = generator(bits, queue).vonmises(many, 4.0).get()
    standard = draws(CONTINUOUS["vonmises"].reference, bits, 12, "float32").reshape(3, 4)
    assert_array_equal(angles, turned(located(standard, many, 1.0)))


def test_a_scale_of_0(queue: cl.CommandQueue) -> None:
    rng = generator(GENERATORS["park_miller"], queue)
    assert_array_equal(rng.normal(2.5, 0.0, 100).get(), np.full(100, 2.5, np.float32))
    assert_array_equal(rng.normal(np.array([1.0, 2.0]), np.zeros((3, 1))).get(), [[1, 2]] * 3)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("mean", [0.0, 1.5, -3.0])
def test_a_lognormal_sigma_of_0(queue: cl.CommandQueue, mean: float, dtype: str) -> None:
    """All values are exp(mean), here that of the mathematics library; ours is right to the last bit but one."""
    if dtype in dtypes_on(queue, CASES["lognormal"]):
        found = generator(GENERATORS["park_miller"], queue).lognormal(mean, 0, 100, dtype).get()
        assert len(set(found.tolist())) == 1
        assert abs(found[0] - np.dtype(dtype).type(math.exp(mean))) <= np.spacing(found[0])


def test_choice_below_an_array_without_axes(queue: cl.CommandQueue) -> None:
    drawn = [clrng.Generator(clrng.ParkMiller(seed=1), queue).choice(a, 100).get() for a in (np.array(5), 5)]
    assert_array_equal(*drawn)


@pytest.mark.parametrize("replace", [True, False])
def test_choice_by_probabilities_on_the_device(queue: cl.CommandQueue, replace: bool) -> None:
    p = np.array([0.125, 0.5, 0.375], np.float32)
    drawn = [
        clrng.Generator(clrng.ParkMiller(seed=1), queue).choice(3, 3, replace, each).get()
        for each in (p, cla.to_device(queue, p))
    ]
    assert_array_equal(*drawn)


def test_choice_of_elements(queue: cl.CommandQueue) -> None:
    case, bits = CASES["choice"], GENERATORS["park_miller"]
    elements = np.array([10.5, -1.0, 7.25, 3.0])
    places = draws(case.reference, bits, 200, "int64")
    assert_array_equal(generator(bits, queue).choice(elements, 200, p=case.arguments["p"]).get(), elements[places])
    on_device = cla.to_device(queue, elements)
    assert_array_equal(generator(bits, queue).choice(on_device, 200, p=case.arguments["p"]).get(), elements[places])
    assert not np.any(places == 1)  # whose probability is 0


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=8)
@given(
    kind=st.sampled_from(MAIN),  # whose kernels are built above
    sizes=st.lists(st.integers(0, 300), min_size=2, max_size=6),
    device=st.sampled_from(DEVICES),
)
def test_requests_may_be_cut(name: str, kind: str, sizes: list[int], device: clrng.DeviceInfo) -> None:
    case, queue = CASES[name], make_queue(device.index)
    for dtype in dtypes_on(queue, case)[:2]:
        rng = generator(GENERATORS[kind], queue)
        parts = [case.draw(rng, n, dtype=dtype).get() for n in sizes]
        whole = case.draw(generator(GENERATORS[kind], queue), sum(sizes), dtype=dtype).get()
        assert_array_equal(np.concatenate(parts), whole)
        assert_array_equal(whole, draws(case.reference, GENERATORS[kind], sum(sizes), dtype))
