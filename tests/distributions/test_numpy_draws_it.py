"""Errors of arguments that NumPy takes say that it draws them of a stream of clrng, and it does."""

from typing import Any

import numpy as np
import pytest

import clrng

CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("weibull", (1e-5,), {}),
    ("pareto", (1e-5,), {}),
    ("power", (1e13,), {}),
    ("gamma", ([1.0, 1e-5],), {}),
    ("gamma", (1e13, 2.0), {}),
    ("chisquare", (1e-5,), {}),
    ("beta", (1e-5, 1.0), {}),
    ("f", (1e13, 3.0), {}),
    ("standard_t", (1e-5,), {}),
    ("wald", (1.0, 1e-15), {}),
    ("wald", (1.0, [1e-15, 1.0]), {}),
    ("vonmises", (0.0, 1e9), {}),
    ("noncentral_chisquare", (3.0, 1e6), {}),
    ("noncentral_f", (3.0, 3.0, 1e6), {}),
    ("dirichlet", ([1e-5, 1.0],), {}),
    ("binomial", (10.0, 0.5), {}),
    ("binomial", (10**15, 0.5), {}),
    ("negative_binomial", (5, 1e-7), {}),
    ("logseries", ([0.5, 1 - 1e-9],), {}),
    ("hypergeometric", (10.0, 5.0, 3.0), {}),
    ("integers", (0, 10.5), {}),
    ("standard_exponential", (), {"method": "zig"}),
]


@pytest.mark.parametrize(("name", "given", "others"), CALLS)
def test_an_error_says_that_numpy_draws_it(name: str, given: tuple[Any, ...], others: dict[str, Any]) -> None:
    rng = clrng.default_rng(1)
    with pytest.raises(
        (TypeError, ValueError), match=r"; numpy\.random\.Generator\(clrng\.numpy_bit_generator\(.* draws"
    ):
        getattr(rng, name)(*given, **others)
    numpys = np.random.Generator(clrng.numpy_bit_generator(rng.bit_generator))
    assert not np.isnan(getattr(numpys, name)(*given, **others)).any()


REFUSED_BY_BOTH = [
    ("weibull", (-1.0,)),
    ("gamma", ([1.0, -1e-5],)),
    ("beta", (0.0, 1.0)),
    ("chisquare", (-np.inf,)),
    ("binomial", ("10", 0.5)),
    ("binomial", (-1, 0.5)),
    ("binomial", (np.array([10.0, 3.0]), 0.5)),
    ("hypergeometric", (10, 5, 16)),
    ("integers", (3, 3)),
    ("poisson", (1e19,)),
]


@pytest.mark.parametrize(("name", "given"), REFUSED_BY_BOTH)
def test_an_error_of_what_numpy_refuses_too_says_nothing_of_it(name: str, given: tuple[Any, ...]) -> None:
    rng = clrng.default_rng(1)
    with pytest.raises((TypeError, ValueError), match=r"^(?!.*numpy_bit_generator)"):
        getattr(rng, name)(*given)
    with pytest.raises((TypeError, ValueError)):
        getattr(np.random.default_rng(1), name)(*given)
