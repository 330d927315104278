"""Tables of logarithms: what a kernel makes of them, and the two references."""

import mpmath as mp
import numpy as np
import pyopencl as cl
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions.quantiles.closed_forms import Pareto, Power
from clrng.distributions.quantiles.integrated import Beta, FisherF, Gamma, StudentT
from clrng.distributions.quantiles.quantile import Quantile
from clrng.distributions.quantiles.tables import FRACTION_BITS, LogarithmTable, inverse_table
from clrng.opencl.devices import describe
from clrng.proof import logarithms
from tests.support import reference_logarithms
from tests.support.drawn_cases import HARD
from tests.support.generators import GENERATORS
from tests.support.reference_draws import Located, draws, located

SOME = (Gamma(0.001), Gamma(2.0**-10), StudentT(0.01), StudentT(2.0**-9), Beta(0.001, 0.002), Pareto(0.01), Power(0.01))
SOME += (FisherF(0.0227, 2.0**-9),)
COUNTS = (2, 3, 5, 1000, 2**31 - 2, 2**32, (2**31 - 2) ** 2, 2**64)
EVERY = ("lcg_2^64", "lcg_2^32", "mrg32k3a", "coveyou", "lagged_+_5_17")
TWO = ("gamma_0.001", "standard_t_0.01")


def same_bits(found: np.ndarray, right: np.ndarray) -> None:
    """Compare numbers, and the signs of zeros."""
    assert found.dtype == right.dtype
    assert_array_equal(found.view(np.uint8), right.view(np.uint8))


@pytest.mark.sampled
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("count", COUNTS)
def test_the_fast_reference_is_the_exact_one(count: int, dtype: str) -> None:
    rng = np.random.default_rng(1)
    sizes = {int(2 ** rng.uniform(0, np.log2(float(count)))) for _ in range(40)} | {count // 2, count // 2 - 1, 0}
    numbers = sorted({n for size in sizes for n in (size, count - 1 - size) if 0 <= n < count})
    for quantile in SOME:
        table = inverse_table(quantile, count, dtype)
        if isinstance(table, LogarithmTable):
            exact = np.array([reference_logarithms.value(number, table) for number in numbers], dtype)
            same_bits(reference_logarithms.values(np.array(numbers, np.uint64), table), exact)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("quantile", SOME, ids=repr)
def test_hard_parameters_have_tables_of_logarithms(quantile: Quantile, dtype: str) -> None:
    table = inverse_table(quantile, 2**64, dtype)
    assert isinstance(table, LogarithmTable)
    assert table.excess <= 1


def test_powers_of_two_are_right() -> None:
    one = 2**FRACTION_BITS
    fractions = [one - 1, 0, *np.random.default_rng(1).integers(0, one, 500).tolist()]
    with mp.workdps(40):
        for x in fractions:
            n, s = logarithms.power(x - 7 * one)
            assert n == -7
            assert abs(mp.mpf(s) / 2**64 - mp.mpf(2) ** (mp.mpf(x) / one)) < 2.0**-58


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_powers_of_two_rise_and_end_where_the_dtype_does(dtype: str) -> None:
    limits, one = np.finfo(dtype), 1 << FRACTION_BITS

    def power(v: int) -> float:
        return logarithms.number(*logarithms.power(v), dtype)

    assert power(limits.minexp * one) == float(limits.tiny)
    assert power(limits.minexp * one - 1) == 0
    assert power(limits.maxexp * one - 1) == float(limits.max)
    assert power((limits.maxexp + 900) * one) == float(limits.max)
    assert power(0) == 1
    steps = [power(v) for v in range(-one, one, one // 999)]
    assert steps == sorted(steps)


@pytest.mark.parametrize(
    ("kind", "name"), [("park_miller", name) for name in HARD] + [(kind, name) for kind in EVERY for name in TWO]
)
def test_kernels_give_what_the_definition_says(queue: cl.CommandQueue, name: str, kind: str) -> None:
    case, bits = HARD[name], GENERATORS[kind]
    for dtype in case.dtypes if describe(queue.device).fp64 else ("float32",):
        found = case.draw(clrng.Generator(bits.copy(), queue), 517, dtype=dtype).get()
        same_bits(found, draws(case.reference, bits, 517, dtype))


def test_scale_and_loc_may_be_arrays(queue: cl.CommandQueue) -> None:
    bits, scale = GENERATORS["park_miller"], np.linspace(0, 3, 101).astype(np.float32)
    found = clrng.Generator(bits.copy(), queue).gamma(0.001, scale, dtype="float32").get()
    same_bits(found, located(draws(Located(Gamma(0.001)), bits, 101, "float32"), 0.0, scale))


@pytest.mark.parametrize("scale", [1e-38, 3e-37, 1e-45])
def test_what_is_scaled_below_the_smallest_number_is_zero(queue: cl.CommandQueue, scale: float) -> None:
    """So that devices which keep denormal numbers and others give the same."""
    bits = GENERATORS["lcg_2^32"]
    for draw, standard in (("normal", "standard_normal"), ("laplace", None)):
        found = getattr(clrng.Generator(bits.copy(), queue), draw)(0.0, scale, 1000, dtype="float32").get()
        assert np.all((found == 0) | (np.abs(found) >= np.finfo(np.float32).tiny))
        assert not (np.signbit(found) & (found == 0)).any()
        if standard:
            plain = getattr(clrng.Generator(bits.copy(), queue), standard)(1000, dtype="float32").get()
            same_bits(found, located(plain, 0.0, scale))
            arrays = clrng.Generator(bits.copy(), queue).normal(np.zeros(1000), scale, dtype="float32").get()
            same_bits(arrays, found)


@pytest.mark.parametrize("count", [5, 2**31, 2**32, 2**64])
def test_zeros_have_the_sign_of_the_rule(queue: cl.CommandQueue, count: int) -> None:
    """The upper side of a symmetric distribution is the lower one with the other sign, also of 0; no other has -0.0."""
    start = max(count // 2 - 3, 0)
    bits = clrng.LCG(multiplier=1, increment=1, modulus=count, seed=start)
    length = min(count, 7)
    upper = np.array([number % count > (count - 1) // 2 for number in range(start + 1, start + 1 + length)])
    for method, arguments in (
        ("standard_normal", ()),
        ("normal", (0, 2)),
        ("standard_gamma", (0.05,)),
        ("power", (0.1,)),
    ):
        found = getattr(clrng.Generator(bits.copy(), queue), method)(*arguments, size=length, dtype="float32").get()
        negative = upper & (method == "standard_normal")
        assert not ((found == 0) & (np.signbit(found) != negative)).any()
