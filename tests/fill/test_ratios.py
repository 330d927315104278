"""Ratios of the numbers of two arrays on the device: those of rational numbers, and Wald distributions of them."""

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions.by_element import LOOK
from clrng.fill.ratios import ratios
from clrng.frontends.looks import LARGE, LookOnDevice

KINDS = "float32", "float64"
SHAPES = [
    ((600,), (600,)), ((20, 30), (30,)), ((20, 1), (1, 30)), ((), (600,)), ((600,), (1,)), ((3, 1, 5, 1), (1, 4, 1, 6)),
    ((2, 3, 1), (3, 7)), ((1,), ()),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _has_doubles(queue: cl.CommandQueue) -> None:
    if not queue.device.double_fp_config:
        pytest.skip("the device has no double precision")


def numbers(shape: tuple[int, ...], kind: str, seed: int, exponent: int = 40) -> npt.NDArray[Any]:
    """Return numbers that have all exponents from minus `exponent` on, below it; the first ones are the ends."""
    random = np.random.default_rng(seed)
    found = np.ldexp(random.uniform(1, 2, shape), random.integers(-exponent, exponent, shape)).astype(kind)
    if found.size > 1:
        found.reshape(-1)[:2] = 2.0**-exponent, 2.0**exponent
    return np.asarray(found)


@pytest.mark.parametrize("shapes", SHAPES)
@pytest.mark.parametrize("under", KINDS)
@pytest.mark.parametrize("over", KINDS)
def test_ratios_are_those_of_rational_numbers(
    queue: cl.CommandQueue, over: str, under: str, shapes: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    a, b = numbers(shapes[0], over, 1), numbers(shapes[1], under, 2)
    made = ratios(queue, cla.to_device(queue, a), cla.to_device(queue, b))
    both = zip(*(each.reshape(-1).tolist() for each in np.broadcast_arrays(a, b)), strict=True)
    expected = np.array([float(Fraction(x) / Fraction(y)) for x, y in both])
    assert made.dtype == np.float64
    assert_array_equal(made.get(), expected.reshape(np.broadcast_shapes(*shapes)))


def test_parts_of_memory_and_arrays_of_both_kinds(queue: cl.CommandQueue) -> None:
    a, b = numbers((40, 50), "float32", 3), numbers((40, 50), "float64", 4)
    look, on_device = LookOnDevice(queue), [cla.to_device(queue, each) for each in (a, b)]
    for first, second in ((on_device[0][7:], b[7:]), (a[7:, ::-1], on_device[1][7:]), (on_device[0][3], on_device[1])):
        made = look.ratios(first, second)
        assert isinstance(made, cla.Array)
        held = (each.get() if isinstance(each, cla.Array) else each for each in (first, second))
        assert_array_equal(made.get(), LOOK.ratios(*held))
    assert isinstance(look.ratios(a, b), np.ndarray)


N = LARGE + 3
"""So many parameters stay on the device."""


def of_wald(queue: cl.CommandQueue, mean: Any, scale: Any, expected: list[npt.NDArray[Any]]) -> None:
    """Compare values with those of the ratios that the host makes, times the means."""
    rng = clrng.default_rng(1, queue)
    rng.random(5, "float32")
    made = rng.wald(mean, scale).get()
    rng = clrng.default_rng(1, queue)
    rng.random(5, "float32")
    means, scales = np.broadcast_arrays(*expected)
    plain = rng.wald(1.0, scales.astype(float) / means.astype(float)).get()
    assert_array_equal(made, plain * means.astype(np.float32))


@pytest.mark.parametrize("kind", KINDS)
def test_wald_of_arrays_of_the_device(queue: cl.CommandQueue, kind: str) -> None:
    means, scales = numbers((N,), kind, 5, 2), numbers((N,), kind, 6, 2)
    mean, scale = (cla.to_device(queue, each) for each in (means, scales))
    of_wald(queue, mean, scale, [means, scales])
    of_wald(queue, mean, 0.75, [means, np.array(0.75)])
    of_wald(queue, 1.5, scale, [np.array(1.5, kind), scales])
    of_wald(queue, mean, scales[:1], [means, scales[:1]])
    pairs = means[: N // 2 * 2].reshape(-1, 2)
    of_wald(queue, cla.to_device(queue, pairs), scales[:2], [pairs, scales[:2]])
    long, wide = numbers((2 * N,), kind, 7, 2), numbers((3, 1), kind, 8, 2)
    strided = cla.to_device(queue, long)[::2]
    of_wald(queue, strided, wide, [long[::2], wide])


@pytest.mark.parametrize("place", [0, 70_001 % N, N - 1])
def test_the_first_ratio_that_is_not_legal(queue: cl.CommandQueue, place: int) -> None:
    means, scales = np.ones(N), np.ones(N, np.float32)
    means[place:], scales[place:] = 2.0**-30, 2.0**11
    messages = set()
    for given in ((means, scales), [cla.to_device(queue, each) for each in (means, scales)]):
        rng = clrng.default_rng(1, queue)
        before = rng.bit_generator.state
        with pytest.raises(ValueError, match=f"scale must be .* as element {place} of ") as found:
            rng.wald(*given)
        assert rng.bit_generator.state == before
        messages.add(str(found.value))
    with pytest.raises(ValueError, match="scale must be") as alone:
        clrng.default_rng(1, queue).wald(means[place], scales[place].item())
    assert all(message.startswith(str(alone.value)) for message in messages)
