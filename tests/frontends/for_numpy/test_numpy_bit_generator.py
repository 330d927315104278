"""NumPy's generators on clrng's streams: every method, against the same method on an oracle in plain Python."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from numpy.testing import assert_array_equal

import clrng
from tests.support.generators import GENERATORS
from tests.support.numpy_words import Oracle, OracleBitGenerator

LENGTH = 6000
BITS: dict[str, clrng.BitGenerator] = {
    "park_miller": clrng.ParkMiller(seed=2026),
    "mrg32k3a": clrng.MRG32k3a().seeded(2026),
    "mmix": clrng.named("mmix", 2026),
    "lagged": clrng.LaggedFibonacci((24, 55), "+", seed=7),
    "lcg_2^61-1": GENERATORS["lcg_2^61-1"],
}
N = 40
METHODS: dict[str, Callable[[np.random.Generator], Any]] = {
    "beta": lambda rng: rng.beta([0.3, 2.0], 1.5, (N, 2)),
    "binomial": lambda rng: rng.binomial([5, 500], 0.4, (N, 2)),
    "bytes": lambda rng: rng.bytes(N),
    "chisquare": lambda rng: rng.chisquare(3.0, N),
    "choice": lambda rng: (rng.choice(1000, N), rng.choice(N, 9, replace=False), rng.choice(3, N, p=[0.2, 0.3, 0.5])),
    "dirichlet": lambda rng: rng.dirichlet([0.5, 1.5, 2.5], N),
    "exponential": lambda rng: (rng.exponential(2.0, N), rng.exponential(2.0)),
    "f": lambda rng: rng.f(3.0, 5.0, N),
    "gamma": lambda rng: rng.gamma([0.5, 2.5], 3.0, (N, 2)),
    "geometric": lambda rng: rng.geometric([0.2, 0.7], (N, 2)),
    "gumbel": lambda rng: rng.gumbel(1.0, 2.0, N),
    "hypergeometric": lambda rng: rng.hypergeometric(15, [15, 150], 12, (N, 2)),
    "integers": lambda rng: [
        rng.integers(0, high, N, dtype)
        for dtype, high in [("u1", 256), ("i2", 100), ("u4", 2**32), ("u4", 10), ("i8", 2**40), ("u8", 2**64)]
    ],
    "laplace": lambda rng: rng.laplace(1.0, 2.0, N),
    "logistic": lambda rng: rng.logistic(1.0, 2.0, N),
    "lognormal": lambda rng: rng.lognormal(1.0, 0.5, N),
    "logseries": lambda rng: rng.logseries(0.6, N),
    "multinomial": lambda rng: rng.multinomial(50, [0.2, 0.3, 0.5], N),
    "multivariate_hypergeometric": lambda rng: [
        rng.multivariate_hypergeometric([16, 8, 4], 6, N, method=method) for method in ("marginals", "count")
    ],
    "multivariate_normal": lambda rng: rng.multivariate_normal([0, 1], [[2, 1], [1, 2]], N),
    "negative_binomial": lambda rng: rng.negative_binomial(3, 0.4, N),
    "noncentral_chisquare": lambda rng: rng.noncentral_chisquare(3.0, 2.0, N),
    "noncentral_f": lambda rng: rng.noncentral_f(3.0, 5.0, 2.0, N),
    "normal": lambda rng: (rng.normal(1.0, 2.0, N), rng.normal()),
    "pareto": lambda rng: rng.pareto(3.0, N),
    "permutation": lambda rng: rng.permutation(N),
    "permuted": lambda rng: rng.permuted(np.arange(3 * N).reshape(3, N), axis=1),
    "poisson": lambda rng: rng.poisson([0.5, 30.0], (N, 2)),
    "power": lambda rng: rng.power(3.0, N),
    "random": lambda rng: (rng.random(N), rng.random(N, "f4"), rng.random()),
    "rayleigh": lambda rng: rng.rayleigh(2.0, N),
    "shuffle": lambda rng: (cards := list(range(N)), rng.shuffle(cards))[0],
    "standard_cauchy": lambda rng: rng.standard_cauchy(N),
    "standard_exponential": lambda rng: [
        rng.standard_exponential(N, dtype, method) for dtype in ("f8", "f4") for method in ("zig", "inv")
    ],
    "standard_gamma": lambda rng: (rng.standard_gamma([0.5, 2.5], (N, 2)), rng.standard_gamma(2.5, N, "f4")),
    "standard_normal": lambda rng: (rng.standard_normal(N), rng.standard_normal(N, "f4")),
    "standard_t": lambda rng: rng.standard_t(3.0, N),
    "triangular": lambda rng: rng.triangular(0.0, 1.0, 3.0, N),
    "uniform": lambda rng: rng.uniform(-1.0, 2.0, N),
    "vonmises": lambda rng: rng.vonmises(0.5, 2.0, N),
    "wald": lambda rng: rng.wald(2.0, 3.0, N),
    "weibull": lambda rng: rng.weibull(2.0, N),
    "zipf": lambda rng: rng.zipf(3.0, N),
}
OF_RANDOM_STATE: dict[str, Callable[[np.random.RandomState], Any]] = {
    "rand": lambda rng: rng.rand(3, 5),
    "randn": lambda rng: rng.randn(3, 5),
    "randint": lambda rng: (rng.randint(10**6, size=N), rng.randint(2**40, size=N, dtype="i8")),
    "standard_gamma": lambda rng: rng.standard_gamma(0.5, N),
    "binomial": lambda rng: rng.binomial(500, 0.4, N),
    "permutation": lambda rng: rng.permutation(N),
    "choice": lambda rng: rng.choice(N, 7, replace=False),
}


def equal(found: Any, expected: Any) -> None:
    if isinstance(expected, (tuple, list)) and not isinstance(expected[0], int):
        for one, other in zip(found, expected, strict=True):
            equal(one, other)
    else:
        assert_array_equal(found, expected)


def oracle_of(name: str) -> Oracle:
    return Oracle(BITS[name], LENGTH)


def test_there_is_a_case_for_every_method() -> None:
    public = {name for name in dir(np.random.Generator) if not name.startswith("_")}
    assert public - {"bit_generator", "spawn"} == set(METHODS)


@pytest.mark.parametrize("name", BITS)
def test_every_method(queue: cl.CommandQueue, name: str) -> None:
    rng = np.random.Generator(clrng.numpy_bit_generator(BITS[name], queue))
    for method, call in METHODS.items():
        oracle = oracle_of(name)
        rng.bit_generator.state = BITS[name].state
        equal(call(rng), call(np.random.Generator(OracleBitGenerator(oracle))))
        assert 0 < oracle.position < LENGTH, method
        assert rng.bit_generator.bits == BITS[name].jumped(oracle.position), method


@pytest.mark.parametrize("name", BITS)
def test_one_method_after_the_other(queue: cl.CommandQueue, name: str) -> None:
    oracle = Oracle(BITS[name], 40 * LENGTH if name == "park_miller" else 10 * LENGTH)
    rng, other = (
        np.random.Generator(bits) for bits in (clrng.numpy_bit_generator(BITS[name], queue), OracleBitGenerator(oracle))
    )
    for call in list(METHODS.values())[:: 1 if name == "park_miller" else 5]:
        equal(call(rng), call(other))
    assert rng.bit_generator.bits == BITS[name].jumped(oracle.position)


@pytest.mark.parametrize("method", OF_RANDOM_STATE)
def test_random_state(method: str) -> None:
    oracle = oracle_of("mrg32k3a")
    call = OF_RANDOM_STATE[method]
    rng = np.random.RandomState(clrng.numpy_bit_generator(BITS["mrg32k3a"]))
    equal(call(rng), call(np.random.RandomState(OracleBitGenerator(oracle))))
    assert oracle.position > 0


def test_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(clrng.numpy_bit_generator(BITS["mrg32k3a"]))
    other = np.random.Generator(OracleBitGenerator(oracle_of("mrg32k3a")))
    for frozen in (
        stats.norm(1, 2),
        stats.gamma(2.5),
        stats.binom(50, 0.4),
        stats.genextreme(0.1),
        stats.levy_stable(1.5, 0.5),
    ):
        assert_array_equal(frozen.rvs(size=9, random_state=rng), frozen.rvs(size=9, random_state=other))
    assert_array_equal(
        stats.special_ortho_group.rvs(4, random_state=rng), stats.special_ortho_group.rvs(4, random_state=other)
    )


class _FromSeed(OracleBitGenerator):
    """The oracle of the bit generator that a seed sequence stands for."""

    def __init__(self, seed_sequence: Any) -> None:
        super().__init__(Oracle(clrng.PCG64(seed_sequence), LENGTH), seed_sequence)
        self._sequence = seed_sequence

    def __deepcopy__(self, memo: Any) -> "_FromSeed":
        return type(self)(self._sequence)  # SciPy keeps a copy from before it draws


@pytest.mark.parametrize("engine", ["Halton", "Sobol", "LatinHypercube"])
def test_quasi_monte_carlo_of_scipy(engine: str) -> None:
    qmc = pytest.importorskip("scipy.stats.qmc")
    bits = clrng.named("mmix", 1).seeded(2026)
    rng = np.random.Generator(clrng.numpy_bit_generator(bits))
    other = np.random.Generator(_FromSeed(np.random.SeedSequence(2026)))
    for _ in range(2):
        found, expected = (getattr(qmc, engine)(2, rng=one) for one in (rng, other))
        first = found.random(8)
        assert_array_equal(first, expected.random(8))
        assert_array_equal(found.reset().random(8), first)
    assert rng.bit_generator.bits == bits
    with pytest.raises(TypeError, match="^spawn needs a bit generator that was made from a seed"):
        getattr(qmc, engine)(2, rng=np.random.Generator(clrng.numpy_bit_generator(clrng.ParkMiller(seed=1))))


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": range(100)})
    rng = np.random.Generator(clrng.numpy_bit_generator(BITS["mrg32k3a"]))
    other = np.random.Generator(OracleBitGenerator(oracle_of("mrg32k3a")))
    found, expected = (frame.sample(10, random_state=one) for one in (rng, other))
    assert found.equals(expected)


@pytest.mark.parametrize("output", [np.arange(3), "no", None, 0])
def test_output_is_a_bool(output: Any) -> None:
    bits = clrng.numpy_bit_generator(clrng.ParkMiller(seed=1))
    with pytest.raises(TypeError, match="^output must be True or False, not "):
        bits.random_raw(3, output=output)
    assert bits.random_raw() == 16807
