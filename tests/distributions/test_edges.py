"""Parameters at the edge of what is legal: what NumPy gives for them, and errors where NumPy has one."""

from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.opencl.devices import describe
from tests.conftest import make_queue

CONSTANT: list[tuple[str, dict[str, Any]]] = [
    *((method, {"loc": 2.5, "scale": 0}) for method in ("normal", "laplace", "logistic", "gumbel")),
    ("exponential", {"scale": 0}),
    ("rayleigh", {"scale": 0}),
    ("gamma", {"shape": 2, "scale": 0}),
    ("gamma", {"shape": 0, "scale": 3}),
    ("standard_gamma", {"shape": 0}),
    ("weibull", {"a": 0}),
    ("lognormal", {"mean": 0, "sigma": 0}),
    ("poisson", {"lam": 0}),
    ("binomial", {"n": 0, "p": 0.5}),
    ("binomial", {"n": 5, "p": 0}),
    ("binomial", {"n": 5, "p": 1}),
    ("negative_binomial", {"n": 5, "p": 1}),
    ("geometric", {"p": 1}),
    ("hypergeometric", {"ngood": 0, "nbad": 5, "nsample": 3}),
    ("hypergeometric", {"ngood": 5, "nbad": 0, "nsample": 3}),
    ("hypergeometric", {"ngood": 5, "nbad": 4, "nsample": 0}),
    ("hypergeometric", {"ngood": 5, "nbad": 4, "nsample": 9}),
    ("hypergeometric", {"ngood": 0, "nbad": 0, "nsample": 0}),
    ("logseries", {"p": 0}),
    ("choice", {"a": 1}),
    ("choice", {"a": 2, "p": [1, 0]}),
    ("choice", {"a": 2, "p": [0, 1]}),
    ("integers", {"low": 1}),
    ("integers", {"low": 5, "high": 5, "endpoint": True}),
]
"""Methods with parameters for which NumPy always gives one value."""

REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("pareto", {"a": 0}),
    ("power", {"a": 0}),
    ("chisquare", {"df": 0}),
    ("noncentral_chisquare", {"df": 0, "nonc": 1}),
    ("noncentral_f", {"dfnum": 0, "dfden": 1, "nonc": 1}),
    ("beta", {"a": 0, "b": 1}),
    ("f", {"dfnum": 0, "dfden": 1}),
    ("standard_t", {"df": 0}),
    ("wald", {"mean": 0, "scale": 1}),
    ("wald", {"mean": 1, "scale": 0}),
    ("triangular", {"left": 1, "mode": 1, "right": 1}),
    ("uniform", {"low": 2, "high": 1}),
    ("negative_binomial", {"n": 5, "p": 0}),
    ("negative_binomial", {"n": 0, "p": 0.5}),
    ("geometric", {"p": 0}),
    ("logseries", {"p": 1}),
    ("zipf", {"a": 1}),
    ("choice", {"a": 0}),
    ("integers", {"low": 5, "high": 5}),
]
"""Methods with parameters that NumPy refuses."""

INSIDE: list[tuple[str, dict[str, Any], float, float]] = [
    ("triangular", {"left": 0, "mode": 0, "right": 1}, 0, 1),
    ("triangular", {"left": 0, "mode": 1, "right": 1}, 0, 1),
    ("noncentral_chisquare", {"df": 3, "nonc": 0}, 0, np.inf),
    ("noncentral_f", {"dfnum": 3, "dfden": 20, "nonc": 0}, 0, np.inf),
    ("vonmises", {"mu": 0, "kappa": 0}, -np.pi, np.pi),
]
"""Methods with parameters at an edge that still spread, and the bounds of the values."""


@pytest.mark.parametrize(("method", "parameters"), CONSTANT, ids=str)
def test_the_one_value_of_numpy(queue: cl.CommandQueue, method: str, parameters: dict[str, Any]) -> None:
    right = getattr(np.random.default_rng(1), method)(**parameters, size=200)
    assert (right == right[0]).all()
    dtypes = [None] if right.dtype.kind == "i" or not describe(queue.device).fp64 else [None, "float64"]
    for dtype in dtypes:
        options = {} if dtype is None else {"dtype": dtype}
        for bits in (clrng.ParkMiller(seed=1), clrng.LCG(5, 1, 2**64, 1)):
            found = getattr(clrng.Generator(bits, queue), method)(**parameters, size=200, **options).get()
            assert_array_equal(found, right)


@pytest.mark.parametrize(("method", "parameters"), REFUSED, ids=str)
def test_what_numpy_refuses_is_refused(method: str, parameters: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="."):
        getattr(np.random.default_rng(1), method)(**parameters)
    rng = clrng.Generator(clrng.ParkMiller(seed=1), make_queue(0))
    with pytest.raises(ValueError, match=rf"^({'|'.join(parameters)}|high) must be "):
        getattr(rng, method)(**parameters, size=3)
    assert rng.bit_generator == clrng.ParkMiller(seed=1)


@pytest.mark.parametrize(("method", "parameters", "low", "high"), INSIDE, ids=str)
def test_edges_at_which_values_spread(
    queue: cl.CommandQueue, method: str, parameters: dict[str, Any], low: float, high: float
) -> None:
    """The quartiles are those of NumPy's sample, to what samples of these sizes tell, about five standard errors."""
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    found = getattr(rng, method)(**parameters, size=100_000).get()
    right = getattr(np.random.default_rng(1), method)(**parameters, size=100_000)
    assert low <= found.min() < found.max() <= high
    for quarter in (0.25, 0.5, 0.75):
        assert abs(np.mean(found < np.quantile(right, quarter)) - quarter) < 0.01


def test_no_numbers_between_equal_bounds(queue: cl.CommandQueue) -> None:
    """NumPy gives the bound, which its half-open interval leaves out: [a, a) is empty."""
    assert np.random.default_rng(1).uniform(1, 1) == 1
    with pytest.raises(ValueError, match=r"^high must be above low, 1.0, not 1"):
        clrng.Generator(clrng.ParkMiller(seed=1), queue).uniform(1, 1)
