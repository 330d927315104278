"""Draws of arrays whose work-items make one value each, as on GPUs, give the values of those that make vectors."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest

import clrng
from clrng.opencl import traits

N = 2**16 + 5
"""The values of each; the device looks at so many parameters."""

Given = dict[str, Any]

FAMILIES: dict[str, Callable[[np.random.Generator], Given]] = {
    "poisson": lambda rng: {"lam": rng.random(N) * 99},
    "binomial": lambda rng: {"n": rng.integers(1, 99, N), "p": rng.random(N)},
    "negative_binomial": lambda rng: {"n": 0.5 + 9.5 * rng.random(N), "p": 0.1 + 0.8 * rng.random(N)},
    "geometric": lambda rng: {"p": 0.01 + 0.99 * rng.random(N)},
    "hypergeometric": lambda rng: {
        "ngood": rng.integers(9, 99, N), "nbad": rng.integers(9, 99, N), "nsample": rng.integers(1, 18, N),
    },
    "standard_gamma": lambda rng: {"shape": 0.1 + 9 * rng.random(N)},
    "beta": lambda rng: {"a": 2.0 ** rng.uniform(-9, 7, N), "b": 2.0 ** rng.uniform(-9, 7, N)},
    "f": lambda rng: {"dfnum": 2.0 ** rng.uniform(-1, 8, N), "dfden": 2.0 ** rng.uniform(-1, 8, N)},
    "lognormal": lambda rng: {"mean": rng.random(N), "sigma": 0.1 + rng.random(N)},
    "wald": lambda rng: {"mean": 0.5 + rng.random(N), "scale": 0.5 + rng.random(N)},
    "noncentral_chisquare": lambda rng: {"df": 0.5 + 9 * rng.random(N), "nonc": 9 * rng.random(N)},
    "triangular": lambda rng: {"left": -rng.random(N), "mode": rng.random(N) / 2, "right": 1 + rng.random(N)},
    "uniform": lambda rng: {"low": -rng.random(N), "high": rng.random(N)},
    "integers": lambda rng: {"low": rng.integers(-50, 0, N), "high": rng.integers(1, 1000, N)},
}  # fmt: skip


@pytest.mark.parametrize("name", FAMILIES)
def test_values_are_those_of_vectors(queue: cl.CommandQueue, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given = FAMILIES[name](np.random.default_rng(1))

    def drawn() -> Any:
        held = {key: cla.to_device(queue, each) for key, each in given.items()}
        return getattr(clrng.Generator(clrng.MRG32k3a(3), queue), name)(**held).get()

    vectors = drawn()
    monkeypatch.setattr(traits, "traits_of", lambda _: traits.GPU)  # which `vector_width` asks, and nobody else here
    np.testing.assert_array_equal(drawn(), vectors)
