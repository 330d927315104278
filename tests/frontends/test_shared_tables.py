"""What depends on the parameters alone is computed for the first generator, and not again for the next."""

import gc
from collections.abc import Callable

import pyopencl as cl
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.generators import source
from clrng.generators.maths import polynomials
from clrng.generators.maths.polynomials import LARGEST_CACHED, PowersOfX, powers_of_x
from clrng.opencl import kernel
from clrng.opencl.kernel import of_queue
from tests.conftest import own_queue

MADE: dict[str, Callable[[int], clrng.BitGenerator]] = {
    "mrg32k3a": clrng.MRG32k3a,
    "order 8": lambda seed: clrng.LinearRecurrence([3, 5, 7, 11, 13, 17, 19, 23], range(seed, seed + 8), 2**31 - 1),
    "lags 24, 55": lambda seed: clrng.LaggedFibonacci((24, 55), "+", seed=seed),
}


@pytest.mark.parametrize("name", MADE)
def test_the_second_generator(queue: cl.CommandQueue, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make, squared, rendered = MADE[name], [], []
    multiply, render = polynomials.multiply, source.render
    clrng.Generator(make(1), queue).random_raw(100)
    gc.collect()

    def counting(f: list[int], g: list[int], modulus: int) -> list[int]:
        if f is g:
            squared.append(f)
        return multiply(f, g, modulus)

    monkeypatch.setattr(polynomials, "multiply", counting)
    monkeypatch.setattr(source, "render", lambda name, **values: rendered.append(name) or render(name, **values))
    assert_array_equal(clrng.Generator(make(2), queue).random_raw(100).get(), make(2).sequence(100))
    assert not squared
    assert not rendered


@pytest.mark.slow
def test_other_parameters_have_other_texts(queue: cl.CommandQueue) -> None:
    for modulus in (2**31 - 1, 2**32 - 5):
        for first in (3, 4):
            bits = clrng.LinearRecurrence([first, 5, 7], [1, 2, 3], modulus)
            assert_array_equal(clrng.Generator(bits.jumped(0), queue).random_raw(100).get(), bits.sequence(100))
    for output in (None, (3, 20), (4, 20)):
        lagged = clrng.LaggedFibonacci((5, 17), "+", seed=1, output=output)
        assert_array_equal(clrng.Generator(lagged.jumped(0), queue).random_raw(100).get(), lagged.sequence(100))


def test_kernels_are_kept_up_to_a_number(device: clrng.DeviceInfo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "MAX_CACHED", 3)
    queue = own_queue(device.device)
    for shift in range(6):
        bits = clrng.LCG(69069, 1, 2**32, seed=1, output=(shift, 20))
        assert_array_equal(clrng.Generator(bits.jumped(0), queue).random_raw(9).get(), bits.sequence(9))
        kept = of_queue(queue).cached(kernel._made)
        assert kept.cache_info().currsize <= 3  # type: ignore[attr-defined]


def test_powers_are_shared() -> None:
    assert powers_of_x([1, 2], 101) is powers_of_x((1, 2), 101)
    assert powers_of_x([1, 2], 101) is not powers_of_x([1, 2], 103)
    assert powers_of_x([1, 2], 101).power(1000) == PowersOfX([1, 2], 101).power(1000)
    large = [*[0] * LARGEST_CACHED, 1]
    assert powers_of_x(large, 2) is not powers_of_x(large, 2)
