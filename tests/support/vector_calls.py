"""Calls of the methods that draw vectors, for front ends that draw parts of arrays; all have axes that can be cut."""

from collections.abc import Callable
from typing import Any

import numpy as np

import clrng

BITS: dict[str, Callable[[], clrng.BitGenerator]] = {
    "halves": lambda: clrng.PCG64(4),
    "short": lambda: clrng.ParkMiller(seed=7),
    "lagged": lambda: clrng.LaggedFibonacci((5, 17), "+", seed=3),
}

RANDOM = np.random.default_rng(5)
COV = np.array([[2.0, 0.3, -0.5], [0.3, 1.0, 0.1], [-0.5, 0.1, 3.0]])
COVS = COV * np.arange(1.0, 8.0)[:, np.newaxis, np.newaxis]
PVALS = RANDOM.dirichlet([1.0, 2, 3, 4], (7, 1))
COLORS = RANDOM.integers(5, 40, (7, 1, 3))
MANY = RANDOM.uniform(0.05, 3, (7, 50, 3)) * np.where(RANDOM.random((7, 50, 1)) < 0.5, 0.05, 1)
"""Numbers of `alpha` that have no tables, of which some rows are divided and some cut off."""

CALLS: dict[str, Callable[..., Any]] = {
    "counts": lambda rng, **more: rng.multinomial(20, [0.2, 0.3, 0.5], size=7, **more),
    "counts of the device": lambda rng, **more: rng.multinomial(900, [0.2, 0.3, 0.5], size=(1031, 2), **more),
    "counts of arrays": lambda rng, **more: rng.multinomial(np.arange(5), PVALS, **more),
    "many counts of arrays": lambda rng, **more: rng.multinomial(np.arange(300), PVALS, size=(7, 300), **more),
    "counts of many trials": lambda rng, **more: rng.multinomial([2**33, 7], [1e-8, 2e-6, 1 - 2.01e-6], (7, 2), **more),
    "one category": lambda rng, **more: rng.multinomial(20, [1.0], size=(7, 2), **more),
    "colours": lambda rng, **more: rng.multivariate_hypergeometric([16, 8, 4], 6, size=(7, 3), **more),
    "colours of arrays": lambda rng, **more: rng.multivariate_hypergeometric(COLORS, np.arange(4), **more),
    "shares": lambda rng, **more: rng.dirichlet([0.2, 3, 5], size=(7, 4), **more),
    "small shares": lambda rng, **more: rng.dirichlet([[0.01, 0.02, 0.04], [0.0, 0.09, 5.0]], size=(7, 2), **more),
    "shares of arrays": lambda rng, **more: rng.dirichlet(np.arange(1, 22).reshape(7, 1, 3) / 4, size=(7, 2), **more),
    "many shares": lambda rng, **more: rng.dirichlet(MANY, **more),
    "normal vectors": lambda rng, **more: rng.multivariate_normal([0, 1, 2], COV, size=(7, 5), **more),
    "normal vectors of means": lambda rng, **more: rng.multivariate_normal(np.arange(21.0).reshape(7, 3), COV, **more),
    "normal vectors of covariances": lambda rng, **more: rng.multivariate_normal(
        np.arange(6.0).reshape(2, 3), COVS[:, np.newaxis], **more
    ),
    "no vectors": lambda rng, **more: rng.dirichlet([2, 3], size=(0, 4), **more),
    "vectors of nothing": lambda rng, **more: rng.dirichlet([], size=7, **more),
}
"""The first axis of results has 7 elements, or more, or none."""
