"""Shares of many different numbers, which have no tables: compared with gamma and F values of arrays, and SciPy."""

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal
from scipy import stats

import clrng
from clrng.distributions import vectors

DTYPES = ["float32", "float64"]

BITS: dict[str, Callable[[], clrng.BitGenerator]] = {
    "halves": lambda: clrng.PCG64(4),
    "short": lambda: clrng.ParkMiller(seed=7),
    "lagged": lambda: clrng.LaggedFibonacci((5, 17), "+", seed=3),
}

MIXED = [[0.06, 0.09, 0.054], [1.2, 1.9, 1.4], [0.08, 0, 0.06], [0, 1.3, 1.1], [0.052, 0.06, 0], [0, 0, 0.08]]
"""Rows whose shares are cut off, and others."""

ROWS = {
    "mixed": MIXED, "cut": MIXED[::2], "divided": MIXED[1:4:2], "whole": [[0, 0, 0.08], [0, 0.07, 0], [0.06, 0, 0]],
}  # fmt: skip
"""Rows of these kinds; of the last ones a share is the whole."""

SIZE = 70, 6
"""So many rows of three have more numbers than those up to which F values have tables."""


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have tables for three different numbers at most."""
    monkeypatch.setattr(vectors, "FEW", 3)


def skip_without(queue: cl.CommandQueue, dtype: str) -> None:
    if dtype == "float64" and not queue.device.double_fp_config:
        pytest.skip("the device has no double precision")


def share(alpha: list[float], gammas: list[float], ratios: list[float], limit: float) -> list[float]:
    """Return the shares of a row; `ratios` has those of a share to what is left behind it."""
    if max(alpha) >= limit:
        total = 0.0
        for each in gammas:
            total += each
        return [each / total for each in gammas]
    left, made = 1.0, []
    for j, each in enumerate(alpha):
        ratio = inf if not sum(alpha[j + 1 :]) else ratios[j] if each else 0.0
        made.append(left / (1 + 1 / ratio) if ratio else 0.0)
        left /= 1 + ratio
    return made


def composed(queue: cl.CommandQueue, bits: str, alpha: npt.NDArray[Any], dtype: str) -> npt.NDArray[Any]:
    """Return shares of all rows of `alpha`, of the values of calls that make all numbers of gamma and F."""
    rest = np.zeros(alpha.shape)
    for j in range(alpha.shape[-1] - 2, -1, -1):
        rest[..., j] = rest[..., j + 1] + alpha[..., j + 1]
    limit = {"float32": 0.5, "float64": 0.1}[dtype]
    large = alpha.max(axis=-1, keepdims=True) >= limit
    gammas = clrng.Generator(BITS[bits](), queue).standard_gamma(np.where(large, alpha, 0), dtype=dtype).get()
    a, b = (np.where(large | (alpha == 0) | (rest == 0), 1.0, each) for each in (alpha, rest))
    ratios = gammas
    if not large.all():
        ratios = clrng.Generator(BITS[bits](), queue).f(2 * a, 2 * b, dtype=dtype).get().astype(float) * (a / b)
    flat = (each.reshape(-1, alpha.shape[-1]).tolist() for each in (alpha, gammas, ratios))
    made = np.array([share(own, gamma, ratio, limit) for own, gamma, ratio in zip(*flat, strict=True)])
    return made.reshape(alpha.shape).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.usefixtures("few")
def test_shares_are_those_of_arrays(queue: cl.CommandQueue, rows: str, bits: str, dtype: str) -> None:
    skip_without(queue, dtype)
    alpha = np.array(ROWS[rows])
    size = (SIZE[0] * 2, len(alpha))
    rng = clrng.Generator(BITS[bits](), queue)
    drawn = rng.dirichlet(alpha, size, dtype)
    assert_array_equal(drawn.get(), composed(queue, bits, np.broadcast_to(alpha, (*size, 3)), dtype))
    moved = clrng.Generator(BITS[bits](), queue)
    moved.standard_gamma(1.0, drawn.size, dtype)
    assert rng.bit_generator == moved.bit_generator


def test_many_numbers_have_no_tables(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    alpha = np.linspace(1, 2, 3 * (vectors.FEW // 3 + 1), endpoint=False).reshape(-1, 3)
    expected = composed(queue, "halves", alpha, "float32")
    monkeypatch.setattr(vectors, "ByElements", None)
    assert_array_equal(clrng.Generator(clrng.PCG64(4), queue).dirichlet(alpha).get(), expected)


def test_different_numbers_are_counted_once(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to so many have the values of `standard_gamma` of a number, however often they are there."""
    alpha = [1.2, 1.9, 1.4]
    drawn = [clrng.Generator(clrng.PCG64(4), queue).dirichlet(alpha, 200).get()]
    for most in (3, 2):
        monkeypatch.setattr(vectors, "FEW", most)
        drawn += [
            clrng.Generator(clrng.PCG64(4), queue).dirichlet(given, 200).get() for given in (alpha, [alpha] * 200)
        ]
    assert_array_equal(drawn[1], drawn[0])
    assert_array_equal(drawn[2], drawn[0])
    assert_array_equal(drawn[3], drawn[4])
    assert (drawn[3] != drawn[0]).any()
    np.testing.assert_allclose(drawn[3], drawn[0], 48 * 2.0**-24)


@pytest.mark.usefixtures("few")
def test_slices_and_arrays_of_the_host_are_filled(queue: cl.CommandQueue) -> None:
    expected = clrng.Generator(clrng.PCG64(4), queue).dirichlet(MIXED, SIZE).get()
    held = cla.zeros(queue, (*SIZE, 6), np.float32)
    clrng.Generator(clrng.PCG64(4), queue).dirichlet(MIXED, out=held[..., 1::2])
    assert_array_equal(held.get()[..., 1::2], expected)
    assert not held.get()[..., ::2].any()
    host = np.zeros((*SIZE, 6), np.float32)
    clrng.Generator(clrng.PCG64(4), queue).dirichlet(cla.to_device(queue, np.array(MIXED)), out=host[..., ::2])
    assert_array_equal(host[..., ::2], expected)
    assert_array_equal(clrng.Generator(clrng.PCG64(4), queue).dirichlet(MIXED, SIZE, out=np.ndarray), expected)
    rng = clrng.Generator(clrng.PCG64(4), queue)
    assert_array_equal(np.concatenate([rng.dirichlet(MIXED, (n, 6)).get() for n in (7, 63)]), expected)


@pytest.mark.usefixtures("few")
def test_another_bit_generator_is_for_the_next_call(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread may assign it between the values of `standard_gamma` and those of `beta`."""
    expected = clrng.Generator(clrng.PCG64(4), queue).dirichlet(MIXED, SIZE).get()
    rng = clrng.Generator(clrng.PCG64(4), queue)
    fill, other = rng._fill, clrng.ParkMiller(seed=7)

    def replaced(*given: Any, **more: Any) -> None:
        fill(*given, **more)
        rng.bit_generator = other

    monkeypatch.setattr(rng, "_fill", replaced)
    assert_array_equal(rng.dirichlet(MIXED, SIZE).get(), expected)
    assert other == clrng.ParkMiller(seed=7)


@pytest.mark.parametrize("dtype", DTYPES)
def test_shares_have_beta_distributions(queue: cl.CommandQueue, dtype: str) -> None:
    skip_without(queue, dtype)
    exponents = np.random.default_rng(5).uniform(-2, 2, (10_000, 3))
    exponents[::2] = exponents[::2] / 4 - 1.5
    alpha = np.exp2(exponents if dtype == "float32" else exponents % 1)
    drawn = clrng.default_rng(8, queue).dirichlet(alpha, dtype=dtype).get().astype(float)
    np.testing.assert_allclose(drawn.sum(axis=1), 1, 4 * np.finfo(dtype).eps)
    total = alpha.sum(axis=1)
    for j in range(3):
        for rows in (slice(0, None, 2), slice(1, None, 2)):
            cdf = stats.beta.cdf(drawn[rows, j], alpha[rows, j], total[rows] - alpha[rows, j])
            assert stats.kstest(cdf, "uniform").pvalue > 1e-4


@pytest.mark.parametrize("bad", [-1.0, np.inf, np.nan, 1e-9, 2.0**41])
def test_the_first_number_that_is_not_legal(queue: cl.CommandQueue, bad: float) -> None:
    alpha = np.linspace(1, 2, 900).reshape(300, 3)
    alpha[200:, 1] = bad
    rng = clrng.Generator(clrng.PCG64(4), queue)
    with pytest.raises(ValueError, match=r"alpha must be .*, or 0, not .*, as element \(200, 1\) of alpha has it"):
        rng.dirichlet(alpha)
    assert rng.bit_generator.state == clrng.PCG64(4).state
