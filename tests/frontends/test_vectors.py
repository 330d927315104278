"""Vectors of numbers that depend on one another: counts, shares and normal vectors, compared with their definitions."""

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest

import clrng
from clrng.distributions.discrete import Binomial, Discrete, Hypergeometric, threshold_table
from clrng.distributions.vectors import factor
from clrng.fill import categories

BITS: dict[str, Callable[[], clrng.BitGenerator]] = {
    "halves": lambda: clrng.PCG64(4),
    "short": lambda: clrng.ParkMiller(seed=7),
    "lagged": lambda: clrng.LaggedFibonacci((5, 17), "+", seed=3),
}


def numbers_of(bits: clrng.BitGenerator, count: int) -> tuple[list[int], int]:
    """Return so many numbers, each of one raw value or of two where they are short, and what they are below."""
    base = bits.upper_bound - bits.min_value
    steps = 1 if base > 2**32 else 2
    raw = [int(value) - bits.min_value for value in bits.sequence(count * steps).tolist()]
    if steps == 1:
        return raw, base
    return [high * base + low for high, low in zip(raw[::2], raw[1::2], strict=True)], base**2


def value_of(law: Discrete, number: int, numbers: int) -> int:
    """Return the value of a number by exact thresholds."""
    table = threshold_table(law, numbers)
    return table.low + int(np.searchsorted(table.thresholds[:-1], np.uint64(number), side="right"))


def counts_of_categories(bits: clrng.BitGenerator, rows: list[tuple[int, list[float]]]) -> npt.NDArray[np.int64]:
    """Return multinomial counts of rows of trials and probabilities, which add up to 1."""
    width = len(rows[0][1])
    found, numbers = numbers_of(bits, len(rows) * width)
    made = []
    for i, (n, p) in enumerate(rows):
        sums = [p[-1]]
        for each in p[-2::-1]:
            sums.insert(0, sums[0] + each)
        for j in range(width - 1):
            chance = min(p[j] / sums[j], 1.0) if sums[j] else 0.0
            made.append(value_of(Binomial(n, chance), found[i * width + j], numbers))
            n -= made[-1]  # noqa: PLW2901  # what is left
        made.append(n)
    return np.array(made).reshape(len(rows), width)


@pytest.mark.parametrize("least", [1, categories.LEAST_ROWS])
@pytest.mark.parametrize("bits", BITS)
def test_counts_are_binomial_of_what_is_left(
    queue: cl.CommandQueue, bits: str, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(categories, "LEAST_ROWS", least)
    trials = np.array([0, 1, 20, 1000])
    chances = np.array([[0.2, 0.3, 0.5], [0.1, 0.0, 0.9], [1.0, 0.0, 0.0], [0.0, 1e-9, 1 - 1e-9]])
    rng, moved = clrng.Generator(BITS[bits](), queue), BITS[bits]()
    drawn = rng.multinomial(trials, chances, (50, 4)).get()
    rows = [(n, p) for _ in range(50) for n, p in zip(trials.tolist(), chances.tolist(), strict=True)]
    np.testing.assert_array_equal(drawn.reshape(200, 3), counts_of_categories(BITS[bits](), rows))
    moved.advance(600 if moved.upper_bound > 2**33 else 1200)
    assert rng.bit_generator.state == moved.state


def test_a_last_probability_is_what_the_others_leave(queue: cl.CommandQueue) -> None:
    given = clrng.Generator(clrng.PCG64(4), queue).multinomial(30, [0.5, 0.2, 0.9], 40).get()
    np.testing.assert_array_equal(given, counts_of_categories(clrng.PCG64(4), [(30, [0.5, 0.2, 1 - 0.7])] * 40))
    tenths = clrng.Generator(clrng.PCG64(4), queue).multinomial(1000, [0.1] * 10 + [0.0], 400).get()
    assert not tenths[:, -1].any()  # of probability 0, although the sum of the tenths is not quite 1


@pytest.mark.parametrize("bits", BITS)
def test_counts_are_hypergeometric_of_what_is_left(queue: cl.CommandQueue, bits: str) -> None:
    colors, samples = np.array([[16, 8, 4], [0, 5, 3000]]), np.array([6, 1234])
    drawn = clrng.Generator(BITS[bits](), queue).multivariate_hypergeometric(colors, samples, (50, 2)).get()
    found, numbers = numbers_of(BITS[bits](), 300)
    expected = []
    for i in range(100):
        left, own = int(samples[i % 2]), colors[i % 2].tolist()
        for j in range(2):
            expected.append(value_of(Hypergeometric(own[j], sum(own[j + 1 :]), left), found[3 * i + j], numbers))
            left -= expected[-1]
        expected.append(left)
    np.testing.assert_array_equal(drawn.reshape(-1), expected)


@pytest.mark.parametrize("n", [8 * 10**10, [8 * 10**10, 3]])
def test_counts_of_many_trials_in_many_categories(queue: cl.CommandQueue, n: Any) -> None:
    """Trials are those that are left: half of all trials would spread too far, but not those of two categories."""
    drawn = clrng.Generator(clrng.PCG64(4), queue).multinomial(n, [0.01] * 100).get()
    np.testing.assert_array_equal(drawn.sum(axis=-1), n)
    first = drawn[0] if drawn.ndim > 1 else drawn
    assert (abs(first - 8e8) < 6 * sqrt(8e10 * 0.01 * 0.99)).all()


def test_normal_vectors_of_integers_of_any_size(queue: cl.CommandQueue) -> None:
    cov = [[1, 0], [0, 2]]
    drawn = clrng.Generator(clrng.PCG64(4), queue).multivariate_normal([2**70, -3], cov, 3).get()
    same = clrng.Generator(clrng.PCG64(4), queue).multivariate_normal([2.0**70, -3.0], cov, 3).get()
    np.testing.assert_array_equal(drawn, same)


DTYPES = ["float32", "float64"]


def skip_without(queue: cl.CommandQueue, dtype: str) -> None:
    if dtype == "float64" and not queue.device.double_fp_config:
        pytest.skip("the device has no double precision")


def of_scalars(queue: cl.CommandQueue, name: str, rows: int, columns: list[tuple[float, ...]], dtype: str) -> Any:
    """Return what calls with the parameters of each column draw there, as float64."""
    made = np.empty((rows, len(columns)))
    for j, given in enumerate(columns):
        drawn = getattr(clrng.Generator(clrng.PCG64(4), queue), name)(*given, size=made.shape, dtype=dtype)
        made[:, j] = drawn.get()[:, j]
    return made


@pytest.mark.parametrize("dtype", DTYPES)
def test_shares_are_gamma_variates_divided_by_their_sum(queue: cl.CommandQueue, dtype: str) -> None:
    skip_without(queue, dtype)
    alpha = [0.02, 3.0, 0.0, 0.7]
    drawn = clrng.Generator(clrng.PCG64(4), queue).dirichlet(alpha, 30, dtype).get()
    gammas = of_scalars(queue, "standard_gamma", 30, [(a,) for a in alpha], dtype)
    expected = [[x / (((row[0] + row[1]) + row[2]) + row[3]) for x in row] for row in gammas.tolist()]
    np.testing.assert_array_equal(drawn, np.array(expected).astype(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_small_shares_are_cut_off_one_after_the_other(queue: cl.CommandQueue, dtype: str) -> None:
    skip_without(queue, dtype)
    alpha = [0.01, 0.02, 0.04]
    drawn = clrng.Generator(clrng.PCG64(4), queue).dirichlet([alpha, [0.0, 0.09, 5.0]], (30, 2), dtype).get()[:, 0]
    wide = np.empty((30, 2, 3))
    for j, (a, b) in enumerate([(0.01, 0.02 + 0.04), (0.02, 0.04)]):
        ratios = clrng.Generator(clrng.PCG64(4), queue).f(2 * a, 2 * b, size=wide.shape, dtype=dtype)
        wide[:, :, j] = ratios.get()[:, :, j].astype(float) * (a / b)
    expected = []
    for first, second in wide[:, 0, :2].tolist():
        left = 1 / (1 + first)
        cut = [1 / (1 + 1 / first) if first else 0.0, left / (1 + 1 / second) if second else 0.0]
        expected.append([*cut, left / (1 + second)])
    np.testing.assert_array_equal(drawn, np.array(expected).astype(dtype))


@pytest.mark.parametrize("rows", [1, 300], ids=["few", "many"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_small_shares_keep_their_digits(queue: cl.CommandQueue, dtype: str, rows: int) -> None:
    """No share is 0 more often than another, and what is left of 1 has no step of 2^-24."""
    skip_without(queue, dtype)
    alpha = np.full((rows, 8), 0.09) + np.arange(rows)[:, np.newaxis] / 2**20
    drawn = clrng.Generator(clrng.PCG64(4), queue).dirichlet(alpha, (20_000 // rows, rows), dtype).get().reshape(-1, 8)
    assert ((drawn == 0).mean(axis=0) < 2e-3).all()
    small = drawn[:, -1][drawn[:, -1] < 2.0**-26]
    assert len(np.unique(small[small > 0])) > 1000
    np.testing.assert_allclose(drawn.mean(axis=0, dtype=float), 1 / 8, atol=0.01)
    below = (drawn < 2.0**-26).mean(axis=0)
    assert abs(below[0] - below[-1]) < 6 * sqrt(2 * below[0] / 20_000)


def cholesky(cov: list[list[float]]) -> list[list[float]]:
    """Return the factor of Cholesky and Banachiewicz, with products taken away in the order of the columns."""
    size = len(cov)
    made = [[0.0] * size for _ in range(size)]
    for j in range(size):
        for i in range(j, size):
            left = cov[i][j]
            for k in range(j):
                left = left - made[i][k] * made[j][k]
            made[i][j] = sqrt(left) if i == j else left / made[j][j]
    return made


COV = [[2.0, 0.3, -0.5], [0.3, 1.0, 0.1], [-0.5, 0.1, 3.0]]


@pytest.mark.parametrize("dtype", DTYPES)
def test_normal_vectors_are_sums_of_products(queue: cl.CommandQueue, dtype: str) -> None:
    skip_without(queue, dtype)
    mean, lower = [1.5, -7.0, 1e6], cholesky(COV)
    drawn = clrng.Generator(clrng.PCG64(4), queue).multivariate_normal(mean, COV, 30, dtype=dtype).get()
    normals = clrng.Generator(clrng.PCG64(4), queue).standard_normal((30, 3), dtype=dtype).get().tolist()
    expected = []
    for z in normals:
        row = mean
        for j in range(3):
            row = [x + lower[i][j] * z[j] for i, x in enumerate(row)]
        expected.append(row)
    np.testing.assert_array_equal(drawn, np.array(expected).astype(dtype))


def test_factors_of_singular_matrices() -> None:
    for size in (1, 2, 5):
        for rank in range(size):
            part = np.random.default_rng(rank).normal(size=(size, rank))
            cov = part @ part.T
            made = factor(cov)
            assert not np.triu(made, 1).any()
            np.testing.assert_allclose(made @ made.T, cov, atol=1e-7)
    np.testing.assert_allclose(factor(np.array(COV)), np.linalg.cholesky(COV), rtol=1e-14)


def test_normal_vectors_of_several_means_and_covariances(queue: cl.CommandQueue) -> None:
    means, covs = np.array([[0.0, 1], [5, 9], [-1, -1]]), np.array([[[2.0, 1], [1, 3]], [[1, 1], [1, 1]]])
    drawn = clrng.Generator(clrng.PCG64(4), queue).multivariate_normal(means, covs[:, np.newaxis], (7, 2, 3)).get()
    for i, cov in enumerate(covs):
        for j, mean in enumerate(means):
            alone = clrng.Generator(clrng.PCG64(4), queue).multivariate_normal(mean, cov, (7, 2, 3)).get()
            np.testing.assert_array_equal(drawn[:, i, j], alone[:, i, j])


CALLS: dict[str, Callable[[Any], Any]] = {
    "a row of counts": lambda rng: rng.multinomial(10, [0.2, 0.8]),
    "rows of counts": lambda rng: rng.multinomial([[10], [20]], [[0.2, 0.8], [0.5, 0.5]], size=(3, 2, 2)),
    "no rows of counts": lambda rng: rng.multinomial([], [0.5, 0.5]),
    "one category": lambda rng: rng.multinomial(10, [1.0], size=3),
    "a last one that is too large": lambda rng: rng.multinomial(10, [0.5, 0.6]),
    "colours": lambda rng: rng.multivariate_hypergeometric([3, 4, 5], 6, size=(2, 3), method="count"),
    "no colours": lambda rng: rng.multivariate_hypergeometric([], 0),
    "shares": lambda rng: rng.dirichlet([1, 2, 3], size=(4, 2)),
    "no shares": lambda rng: rng.dirichlet([]),
    "one share": lambda rng: rng.dirichlet([2.0], size=5),
    "normal vectors": lambda rng: rng.multivariate_normal([0, 0], np.eye(2), size=(3, 2), method="cholesky"),
    "a constant": lambda rng: rng.multivariate_normal([0], [[0]]),
}


@pytest.mark.parametrize("call", CALLS)
def test_shapes_are_numpys(queue: cl.CommandQueue, call: str) -> None:
    expected = CALLS[call](np.random.default_rng(1))
    found = CALLS[call](clrng.default_rng(1, queue))
    assert found.shape == expected.shape
    assert found.dtype.kind == expected.dtype.kind


ERRORS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda rng: rng.multinomial(10, [0.5, 0.6, 0.0]), "pvals must add up to 1 or less without the last, not 1.1"),
    (lambda rng: rng.multinomial(10, [-0.1, 1.1]), "pvals must be numbers from 0 to 1, not -0.1"),
    (lambda rng: rng.multinomial(10, [np.nan, 1]), "pvals must be numbers from 0 to 1, not nan"),
    (lambda rng: rng.multinomial(10, 0.5), r"pvals must have an axis of 1 or more elements, not shape \(\)"),
    (lambda rng: rng.multinomial([5, -1], [0.5, 0.5]), r"n must be integers from 0 to 2\^63 - 1, not -1"),
    (lambda rng: rng.multinomial(10.5, [0.5, 0.5]), "n must be an integer or an array of integers, not 10.5"),
    (lambda rng: rng.multinomial(2**40, [0.5, 0.5]), r"n must be smaller, not 1099511627776; .* above 2\^17"),
    (
        lambda rng: rng.multinomial([[5], [2**40]], [[0.5, 0.5], [0.1, 0.9]]),
        r"n must be smaller, not 1099511627776, as element \(1, 0\) of n has it; a count's standard deviation",
    ),
    (
        lambda rng: rng.multinomial(5, [2**70, 0]),
        "pvals must be numbers from 0 to 1, not 1.18.*, as element 0",
    ),
    (lambda rng: rng.multinomial(300, [0.5, 0.5], dtype="uint8"), "dtype must hold counts up to 300, not uint8"),
    (lambda rng: rng.multinomial([1, 2], [0.5, 0.5], size=3), "size must be a shape to which"),
    (lambda rng: rng.multivariate_hypergeometric([3, 4], 8), "nsample must be at most 7, the sum of colors, not 8"),
    (lambda rng: rng.multivariate_hypergeometric([3, -4], 1), r"colors must be integers from 0 to 2\^63 - 1, not -4"),
    (lambda rng: rng.multivariate_hypergeometric([2**61, 2**61], 1), r"colors must add up to less than 2\^62, not "),
    (lambda rng: rng.multivariate_hypergeometric([3, 4], 1, method="x"), "method must be one of"),
    (lambda rng: rng.multivariate_hypergeometric([2**40] * 2, 2**40), r"nsample must be smaller, .* above 2\^17"),
    (
        lambda rng: rng.multivariate_hypergeometric([2**50] * 3, [3, 2**40]),
        "nsample must be smaller, not 1099511627776, as element 1 of nsample has it; a count's standard deviation",
    ),
    (lambda rng: rng.dirichlet([10**400, 1]), "alpha must be .*, or 0, not inf, as element 0 of alpha has it"),
    (lambda rng: rng.multivariate_normal([10**400, 0], np.eye(2)), "mean must be finite numbers, not inf"),
    (lambda rng: rng.dirichlet([-1, 2]), "alpha must be .*, or 0, not -1.0, as element 0 of alpha has it"),
    (lambda rng: rng.dirichlet([1, np.inf]), "alpha must be .*, or 0, not inf, as element 1 of alpha has it"),
    (lambda rng: rng.dirichlet([[0, 1], [0, 0]]), "alpha must have a number above 0 in every row"),
    (lambda rng: rng.dirichlet([1, 2], dtype="float16"), "dtype must be float32 or float64, not float16"),
    (lambda rng: rng.multivariate_normal([0, 0, 0], np.eye(2)), r"cov must have shape \(..., 3, 3\)"),
    (lambda rng: rng.multivariate_normal([0, np.nan], np.eye(2)), "mean must be finite numbers, not nan"),
    (lambda rng: rng.multivariate_normal([0, 0], [[1j, 0], [0, 1]]), "cov must be a real number or an array"),
    (lambda rng: rng.multivariate_normal([0, 0], np.eye(2), method="x"), "method must be one of"),
    (
        lambda rng: rng.multivariate_normal([0, 0], [[1, 2], [2, 1]], check_valid="raise"),
        "cov must be symmetric and positive semidefinite$",
    ),
    (
        lambda rng: rng.multivariate_normal([0, 0], [np.eye(2), [[1, 0.5], [0, 1]]], check_valid="raise"),
        r"cov must be symmetric and positive semidefinite, as matrix \(1,\) is not",
    ),
]


@pytest.mark.parametrize(("call", "message"), ERRORS)
def test_errors_come_before_the_stream_moves(queue: cl.CommandQueue, call: Callable[[Any], Any], message: str) -> None:
    rng = clrng.Generator(clrng.PCG64(4), queue)
    with pytest.raises((TypeError, ValueError), match=message):
        call(rng)
    assert rng.bit_generator.state == clrng.PCG64(4).state


def test_a_covariance_that_is_none_is_warned_of(queue: cl.CommandQueue) -> None:
    rng = clrng.default_rng(1, queue)
    with pytest.warns(RuntimeWarning, match="cov must be symmetric and positive semidefinite"):
        rng.multivariate_normal([0, 0], [[1, 2], [2, 1]])
    assert rng.multivariate_normal([0, 0], [[1, 2], [2, 1]], check_valid="ignore").shape == (2,)


VECTORS: dict[str, Callable[..., Any]] = {
    "multinomial": lambda rng, **more: rng.multinomial(20, [0.2, 0.3, 0.5], **more),
    "multivariate_hypergeometric": lambda rng, **more: rng.multivariate_hypergeometric([9, 8, 7], 6, **more),
    "dirichlet": lambda rng, **more: rng.dirichlet([0.2, 3, 5], **more),
    "multivariate_normal": lambda rng, **more: rng.multivariate_normal([0, 1, 2], COV, **more),
}


@pytest.mark.parametrize("name", VECTORS)
def test_slices_and_arrays_of_the_host_are_filled(queue: cl.CommandQueue, name: str) -> None:
    expected = VECTORS[name](clrng.Generator(clrng.PCG64(4), queue), size=(5, 4)).get()
    held = cla.zeros(queue, (5, 4, 6), expected.dtype)
    VECTORS[name](clrng.Generator(clrng.PCG64(4), queue), out=held[..., 1::2])
    np.testing.assert_array_equal(held.get()[..., 1::2], expected)
    assert not held.get()[..., ::2].any()
    host = np.zeros((5, 4, 6), expected.dtype)
    VECTORS[name](clrng.Generator(clrng.PCG64(4), queue), out=host[..., ::2])
    np.testing.assert_array_equal(host[..., ::2], expected)
    new = VECTORS[name](clrng.Generator(clrng.PCG64(4), queue), size=(5, 4), out=np.ndarray)
    np.testing.assert_array_equal(new, expected)
    rng = clrng.Generator(clrng.PCG64(4), queue)
    parts = [VECTORS[name](rng, size=n).get() for n in (7, 13)]
    np.testing.assert_array_equal(np.concatenate(parts), expected.reshape(20, 3))
