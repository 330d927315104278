"""Hypergeometric numbers of arrays: those of exact integers, whether the device is sure of them or the host decides."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions import on_host
from clrng.distributions.discrete import Hypergeometric
from clrng.distributions.elements import by_elements
from clrng.distributions.transforms.by_element import ByElement
from clrng.distributions.transforms.hypergeometric import LONGEST, HypergeometricByElement, longest
from clrng.fill import hypergeometric

N = 3000
BITS = {"one word": lambda: clrng.PCG64(4), "31 bits": lambda: clrng.ParkMiller(seed=7), "ring": clrng.MT19937}
Given = dict[str, npt.NDArray[np.int64]]


def parameters(n: int = N) -> Given:
    """Return parameters of all sizes, some of which leave one number or two."""
    random = np.random.default_rng(1)
    good, bad = (2.0 ** random.uniform(0, 45, (2, n))).astype(np.int64) - 1
    sample = np.minimum(good + bad, (2.0 ** random.uniform(0, 22, n)).astype(np.int64) - 1)
    few = random.integers(0, 30, (2, n // 2))
    good[::2], bad[::2] = few
    sample[::2] = random.integers(0, few.sum(axis=0) + 1)
    return {"ngood": good, "nbad": bad, "nsample": sample}


def exact(bits: clrng.BitGenerator, given: Given) -> npt.NDArray[np.int64]:
    """Return the values of the next raw values, by the host."""
    base, n = bits.upper_bound - bits.min_value, next(iter(given.values())).size
    steps = 1 if base > 2**32 else 2
    raw = (bits.sequence(steps * n).astype(np.uint64) - np.uint64(bits.min_value)).reshape(n, steps)
    found = raw[:, 0] if steps == 1 else raw[:, 0] * np.uint64(base) + raw[:, 1]
    return on_host.values(Hypergeometric, given, found, base**steps)


def test_the_longest_sums_are_tried() -> None:
    most = int(parameters()["nsample"].max())
    assert LONGEST / 4 < longest(most) < LONGEST


@pytest.mark.parametrize("name", BITS)
def test_values_are_exact(queue: cl.CommandQueue, name: str) -> None:
    given, rng = parameters(), clrng.Generator(BITS[name](), queue)
    expected = exact(BITS[name](), given)
    assert_array_equal(rng.hypergeometric(**given).get(), expected)
    follows: Any = rng.random_raw(3).get()
    rng = clrng.Generator(BITS[name](), queue)
    out: Any = cla.zeros(queue, 2 * N, np.int64)
    rng.hypergeometric(**{key: cla.to_device(queue, each) for key, each in given.items()}, out=out[::2])
    assert_array_equal(out.get(), np.stack([expected, np.zeros(N)], axis=1).reshape(-1))
    assert_array_equal(rng.random_raw(3).get(), follows)


@pytest.mark.parametrize(("capacity", "certain"), [(1 << 12, 2.0**-6), (5, 2.0**-6), (1 << 12, on_host.CERTAIN)])
def test_what_is_not_sure(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, capacity: int, certain: float
) -> None:
    """Double precision makes all values if single precision is not sure of any.

    The host makes the values in the list, or all if there are more than the list has room for.
    """
    given, constants = parameters(), {**hypergeometric.constants(), "certain": certain, "near_off": (1.0, 0.0)}
    monkeypatch.setattr(hypergeometric, "constants", lambda: constants)
    monkeypatch.setattr(hypergeometric, "CAPACITY", capacity)
    rng = clrng.Generator(clrng.MRG32k3a(1), queue)
    assert_array_equal(rng.hypergeometric(**given).get(), exact(clrng.MRG32k3a(1), given))


def test_parts_and_streams(queue: cl.CommandQueue) -> None:
    good, bad = np.arange(40)[:, None], np.arange(60)
    whole = clrng.Generator(clrng.PCG64(4), queue).hypergeometric(good, bad + 9, 9).get()
    several = clrng.MultiDeviceGenerator(clrng.PCG64(4), [queue, cl.CommandQueue(queue.context)])
    assert_array_equal(several.hypergeometric(good, bad + 9, 9), whole)
    ranks = [clrng.Generator(clrng.PCG64(4), queue).piece(rank, 3) for rank in range(3)]
    assert_array_equal(np.concatenate([each.hypergeometric(good, bad + 9, 9, (40, 60)).get() for each in ranks]), whole)
    given, bits = parameters(38), clrng.ParkMiller(seed=7)
    streams = clrng.Streams.by_jumps(bits.copy(), 38, 1000, queue)
    made: Any = streams.sample(clrng.distribution("hypergeometric", **given), 5).get()
    for i in (0, 8, 37):
        one = {key: np.full(5, each[i]) for key, each in given.items()}
        assert_array_equal(made[:, i], exact(bits.jumped(1000 * i), one))


def test_small_dtypes_and_wide_sums(queue: cl.CommandQueue) -> None:
    given = {"ngood": np.arange(99), "nbad": np.arange(99) + 50, "nsample": np.full(99, 40)}
    narrow = {key: each.astype("uint8") for key, each in given.items()}
    rng = clrng.Generator(clrng.MRG32k3a(1), queue)
    assert_array_equal(rng.hypergeometric(**narrow, dtype="int8").get(), exact(clrng.MRG32k3a(1), given))
    given = {key: np.full(3, 2**26) for key in given}
    assert longest(2**26) > LONGEST
    rng = clrng.Generator(clrng.MRG32k3a(1), queue)
    assert_array_equal(rng.hypergeometric(**given).get(), exact(clrng.MRG32k3a(1), given))


def test_what_is_not_legal(queue: cl.CommandQueue) -> None:
    rng, many = clrng.default_rng(1, queue), np.arange(2000) + 5
    for given, message in (
        ((many, np.where(many == 99, -1, many), 4), "nbad must be .*, not -1, as element 94 of nbad has it"),
        ((many, 3, np.where(many == 99, 103, 4)), "nsample must be .* to 102, .*not 103, as element 94 of nsample has"),
        ((many, 3.5, 4), "nbad must be an integer"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            rng.hypergeometric(*given)
    assert_array_equal(rng.random(3).get(), clrng.default_rng(1, queue).random(3).get())


def test_few_have_tables(queue: cl.CommandQueue) -> None:
    """Where sums would be long, or many values of few distributions are drawn; values are the same."""
    for good, draws, size, kind in (
        ([10**8, 2 * 10**8], 10**6, (3, 2), ByElement), ([30, 60], 20, (500, 2), ByElement),
        ([30, 60], 20, (3, 2), HypergeometricByElement),
    ):  # fmt: skip
        given: dict[str, Any] = {"ngood": np.array(good), "nbad": 10**8, "nsample": draws}
        law = by_elements("hypergeometric", given, {"ngood": given["ngood"]}, size)
        assert isinstance(law.transform(0, 2**64, np.dtype(np.int64)), kind)
        made = clrng.Generator(clrng.PCG64(4), queue).hypergeometric(**given, size=size)
        every = {key: np.broadcast_to(each, size).reshape(-1) for key, each in given.items()}
        assert_array_equal(made.get().reshape(-1), exact(clrng.PCG64(4), every))
