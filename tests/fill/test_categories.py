"""Multinomial counts that a device makes: those of the host bit for bit, and of their laws."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from scipy import stats

import clrng
from clrng.distributions import vectors
from clrng.distributions.transforms import binomial_near, poisson_near
from clrng.distributions.vectors import OfCategories
from clrng.fill import categories, convert, near
from clrng.fill.categories import CategoriesFiller
from clrng.fill.near import NearFiller
from clrng.fill.on_host import HostFiller
from tests.conftest import own_queue

BITS: dict[str, Callable[[], clrng.BitGenerator]] = {
    "64 bits": lambda: clrng.PCG64(8),
    "48 bits": lambda: clrng.named("drand48", 8),
    "32 bits": lambda: clrng.named("pcg32", 8),
    "31 bits": lambda: clrng.ParkMiller(seed=8),
    "24 bits, lagged": lambda: clrng.named("std_ranlux24_base", 8),
}


def drawn(queue: cl.CommandQueue, where: str, bits: Callable[[], clrng.BitGenerator], *given: Any, **more: Any) -> Any:
    """Return what `multinomial` draws ``"on the host"`` or ``"on the device"``, and the position after it."""
    rng = clrng.Generator(bits(), queue)
    with pytest.MonkeyPatch.context() as context:
        context.setattr(categories, "LEAST_ROWS", 1 if where == "on the device" else 2**60)
        if where == "on the device":  # the host makes none of them
            context.setattr(HostFiller, "fill", None)
        made = rng.multinomial(*given, **more)
    is_slice = isinstance(made, np.ndarray) or not made.flags.c_contiguous
    return made if is_slice else made.get(), rng.bit_generator.state


def compare(queue: cl.CommandQueue, bits: Callable[[], clrng.BitGenerator], *given: Any, **more: Any) -> None:
    """Compare counts and positions."""
    (made, state), (expected, then) = (drawn(queue, f"on the {by}", bits, *given, **more) for by in ("device", "host"))
    assert made.dtype == expected.dtype
    np.testing.assert_array_equal(made, expected)
    assert state == then


def probabilities(random: np.random.Generator, rows: tuple[int, ...], width: int) -> npt.NDArray[np.float64]:
    """Return probabilities of rows of categories: any, tiny ones, 0 and 1; some add up to less than 1."""
    found = random.dirichlet([0.3] * width, rows)
    found[..., 0] *= random.choice([1.0, 0.5, 2.0**-40, 0.0, -0.0], rows)
    found[random.random(rows) < 0.1] = np.eye(width)[random.integers(width)]
    return found


@pytest.mark.parametrize("bits", BITS)
def test_counts_are_those_of_the_host(queue: cl.CommandQueue, bits: str) -> None:
    random = np.random.default_rng(3)
    n = np.exp2(random.uniform(0, 12, (60, 1))).astype(int) * random.integers(0, 2, (60, 1))
    compare(queue, BITS[bits], n, probabilities(random, (3, 1, 20), 4), size=(3, 60, 20))
    compare(queue, BITS[bits], 100, [0.1] * 10, 50)


@pytest.mark.parametrize("n", [0, 1, 20, 255, 10**6])
def test_a_number_of_trials_of_all_rows(queue: cl.CommandQueue, n: int) -> None:
    random = np.random.default_rng(n)
    compare(queue, BITS["64 bits"], n, probabilities(random, (200,), 3))
    compare(queue, BITS["64 bits"], n, [0.3, 0.2, 0.5], 60)


@pytest.mark.parametrize("width", [1, 2, 33])
def test_any_number_of_categories(queue: cl.CommandQueue, width: int) -> None:
    pvals = probabilities(np.random.default_rng(width), (40, 1), width)
    if width > 1:
        compare(queue, BITS["31 bits"], [5, 300], pvals)
    made = clrng.Generator(clrng.PCG64(1), queue).multinomial(np.resize([5, 300], 2000), pvals[0, 0]).get()
    np.testing.assert_array_equal(made.sum(axis=-1), np.resize([5, 300], 2000))


def test_large_numbers_of_trials_of_rare_categories(queue: cl.CommandQueue) -> None:
    n = np.resize([2**31 - 2, 2**30, 7], 90)
    compare(queue, BITS["64 bits"], n, [1e-8, 2e-6, 0.0, 1e-9, 1 - 2.011e-6])
    law = vectors.multinomial
    for most, kind in ((2**31 - 2, True), (2**31 - 1, False)):
        chosen = law(np.array([3, most]), np.array([1e-8, 1 - 1e-8]), (2, 2))
        assert isinstance(chosen.transform(0, 2**64, np.dtype(np.int64)), OfCategories) is kind
        assert not isinstance(chosen.transform(0, 2**33, np.dtype(np.int64)), OfCategories)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint32", "int32", "uint64", "int64"])
def test_dtypes_and_places(queue: cl.CommandQueue, dtype: str) -> None:
    given = np.resize([3, 100, 55], 70), [0.2, 0.3, 0.1, 0.4]
    compare(queue, BITS["64 bits"], *given, dtype=dtype)
    expected, _ = drawn(queue, "on the host", BITS["64 bits"], *given, dtype=dtype)
    made, _ = drawn(queue, "on the device", BITS["64 bits"], *given, out=np.zeros((70, 9), dtype)[:, 1::2])
    np.testing.assert_array_equal(made, expected)
    held = cla.zeros(queue, (72, 2, 8), dtype)
    drawn(queue, "on the device", BITS["64 bits"], *given, out=held[2:, 1, ::2])
    np.testing.assert_array_equal(held.get()[2:, 1, ::2], expected)
    assert not held.get()[:, 0].any()
    assert not held.get()[..., 1::2].any()
    drawn(queue, "on the device", BITS["64 bits"], *given, out=held.reshape(-1, 4)[5:75])
    np.testing.assert_array_equal(held.get().reshape(-1, 4)[5:75], expected)


@pytest.mark.parametrize("bits", ["64 bits", "31 bits"])
def test_parts_of_rows(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, bits: str) -> None:
    monkeypatch.setattr(convert, "AT_ONCE", {"cpu": 128, "gpu": 128})
    monkeypatch.setattr(categories, "AT_ONCE", 23)
    parts, make = [], CategoriesFiller._make

    def count(self: CategoriesFiller, *given: Any) -> cl.Event:
        parts.append(given[-1])
        return make(self, *given)

    monkeypatch.setattr(CategoriesFiller, "_make", count)
    random = np.random.default_rng(1)
    own = cl.CommandQueue(queue.context)  # of which no part was made before, of another size
    compare(own, BITS[bits], random.integers(0, 99, 200), probabilities(random, (200,), 7))
    assert parts == list(range(0, 200, 23))


def test_counts_of_which_the_device_is_not_sure(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binomial_near, "OFF", (0.4, 0.0, 0.0))
    monkeypatch.setattr(binomial_near, "SUM_OFF", (0.4, 0.0))
    monkeypatch.setattr(poisson_near, "CERTAIN", 2.0)
    monkeypatch.setattr(near, "CAPACITY", 7)
    random = np.random.default_rng(2)
    compare(queue, BITS["64 bits"], random.integers(0, 999, 300), probabilities(random, (300,), 4))


def test_a_queue_without_order(any_order: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(categories, "AT_ONCE", 100)
    monkeypatch.setattr(convert, "AT_ONCE", {"cpu": 256, "gpu": 256})
    random = np.random.default_rng(1)
    compare(any_order, BITS["64 bits"], random.integers(0, 99, 900), probabilities(random, (900,), 4))


def test_the_host_makes_what_a_device_does_not(device: clrng.DeviceInfo, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = own_queue(device.device)

    def refuse(*_: Any) -> None:
        raise clrng.WrongNumbersError("wrong", "device", "kernel")

    monkeypatch.setattr(NearFiller, "prepare", refuse)
    expected, state = drawn(queue, "on the host", BITS["64 bits"], 20, [0.5, 0.5], 3 * categories.LEAST_ROWS)
    rng = clrng.Generator(clrng.PCG64(8), queue)
    parts = [rng.multinomial(20, [0.5, 0.5], n * categories.LEAST_ROWS).get() for n in (1, 2)]
    np.testing.assert_array_equal(np.concatenate(parts), expected)
    assert rng.bit_generator.state == state


def test_counts_follow_their_laws(queue: cl.CommandQueue) -> None:
    """The probability that a right sample fails is 1 in 1000; the seed stays."""
    n, p, rows = 6, np.array([0.2, 0.05, 0.45, 0.3]), 20_000
    made, _ = drawn(queue, "on the device", lambda: clrng.PCG64(26), n, p, rows)
    assert (made.sum(axis=1) == n).all()
    every = np.array([each for each in np.ndindex(*(n + 1,) * 4) if sum(each) == n])
    expected = stats.multinomial(n, p).pmf(every) * rows
    found = np.array([(made == each).all(axis=1).sum() for each in every])
    rare = expected < 10
    found, expected = (np.append(each[~rare], each[rare].sum()) for each in (found, expected))
    assert stats.chisquare(found, expected).pvalue > 1e-3
