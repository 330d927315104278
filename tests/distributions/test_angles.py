"""Angles of the von Mises distribution: in -pi to pi for every mode, as NumPy's are."""

import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions.quantiles.integrated import VonMises, without_turns
from clrng.opencl.devices import describe
from tests.support.drawn_cases import REALS
from tests.support.reference_draws import PI, Angles, draws, located, turned

PARK_MILLER = clrng.ParkMiller(seed=1)
MODES = (0.0, 1.0, 3.0, -3.0, math.pi, -math.pi, 6.0, -7.5, 1000.25)


def of(queue: cl.CommandQueue, bits: clrng.BitGenerator = PARK_MILLER) -> clrng.Generator:
    return clrng.Generator(bits.copy(), queue)


def legal(queue: cl.CommandQueue, dtype: str) -> None:
    if dtype == "float64" and not describe(queue.device).fp64:
        pytest.skip("the device has no double precision")


@pytest.mark.parametrize("dtype", REALS)
@pytest.mark.parametrize("kappa", [0.0, 0.5, 300.0])
def test_they_are_the_mode_and_an_angle_less_whole_turns(queue: cl.CommandQueue, kappa: float, dtype: str) -> None:
    legal(queue, dtype)
    standard = of(queue).vonmises(0.0, kappa, 2000, dtype).get().astype(np.float64)
    for mode in MODES:
        found = of(queue).vonmises(mode, kappa, 2000, dtype).get()
        assert max(map(abs, map(Fraction, found.tolist()))) < PI
        left = np.remainder(found - standard - mode + np.pi, 2 * np.pi) - np.pi
        assert np.max(np.abs(left)) <= 2 * np.finfo(dtype).eps * (abs(mode) + math.pi)
        if kappa < 1:
            assert found.min() < -3.1 < 3.1 < found.max()


@pytest.mark.parametrize("dtype", REALS)
def test_the_ends_are_the_last_numbers_before_pi(queue: cl.CommandQueue, dtype: str) -> None:
    """The nearest float32 to pi is above it, the nearest float64 below."""
    legal(queue, dtype)
    counting = clrng.LCG(multiplier=1, increment=1, modulus=2**64, seed=2**64 - 4)
    last = math.pi if dtype == "float64" else np.nextafter(np.float32(math.pi), np.float32(0))
    assert_array_equal(of(queue, counting).vonmises(0.0, 0.0, 6, dtype).get(), [last] * 3 + [-last] * 3)


@pytest.mark.parametrize("mode", [0.0, 1.0, -3.0, math.pi])
@pytest.mark.parametrize("kappa", [0.5, 20.0])
def test_all_raw_values_together_have_the_distribution(queue: cl.CommandQueue, kappa: float, mode: float) -> None:
    count = 2**16
    every = clrng.LCG(multiplier=5, increment=1, modulus=count, seed=0)
    found = np.sort(of(queue, every).vonmises(mode, kappa, count).get())
    with mp.workdps(20):
        whole = 2 * mp.pi * mp.besseli(0, kappa)
        for angle in np.linspace(-3, 3, 13).tolist():
            ends = mp.linspace(-mp.pi, angle, 12)
            right = mp.quad(lambda x: mp.exp(kappa * mp.cos(x - mode)), ends) / whole
            assert abs(np.searchsorted(found, angle) / count - right) <= 1.5 / count + 1e-7


@pytest.mark.parametrize("dtype", REALS)
def test_arrays_of_modes_and_streams(queue: cl.CommandQueue, dtype: str) -> None:
    legal(queue, dtype)
    modes = np.array([MODES, [-mode / 2 for mode in MODES]])
    x = draws(Angles(VonMises(0.5)), PARK_MILLER, modes.size, dtype).reshape(modes.shape)
    expected = turned(located(x, modes, 1.0))
    for given in (modes, modes.tolist(), cla.to_device(queue, modes.astype(dtype))):
        assert_array_equal(of(queue).vonmises(given, 0.5, dtype=dtype).get(), expected)
    for place, mode in np.ndenumerate(modes):
        assert of(queue).vonmises(mode, 0.5, modes.shape, dtype).get()[place] == expected[place]
    streams = clrng.Streams.by_jumps(PARK_MILLER, 33, 1000, queue)
    distribution = clrng.distribution("vonmises", mu=3, kappa=0.5)
    rows = [draws(Angles(VonMises(0.5), 3.0), PARK_MILLER.jumped(1000 * i), 4, dtype) for i in range(33)]
    assert_array_equal(streams.sample(distribution, 4, dtype).get(), np.array(rows).T)


def test_whole_turns_are_taken_from_a_large_mode_exactly(queue: cl.CommandQueue) -> None:
    large = 10.0 ** np.random.default_rng(1).uniform(0.5, 308, 100)
    with mp.workprec(2400):
        for mode in (3.2, 1e10, -1e16, 1e300, -np.finfo(np.float64).max, 3 * np.pi, *large.tolist()):
            turns = mp.nint(mp.mpf(mode) / (2 * mp.pi))
            assert without_turns(mode) == float(mp.mpf(mode) - 2 * mp.pi * turns), mode
    near = without_turns(1e16)
    assert_array_equal(of(queue).vonmises(1e16, 4.0, 50).get(), of(queue).vonmises(near, 4.0, 50).get())


KERNEL = """
__kernel void draw(__global float *out, const float mu)
{
    const uint i = get_global_id(0);
    my_state state = my_seed(1, i);
    out[i] = my_next_vonmises_with(&state, mu, 1.0f);
}
"""


def test_a_mode_chosen_in_a_kernel(queue: cl.CommandQueue) -> None:
    distribution = clrng.distribution("vonmises", mu=3, kappa=0.5)
    text = clrng.device_code(PARK_MILLER, device=queue.device, prefix="my_", distributions=[distribution])
    kernel = cl.Kernel(cl.Program(queue.context, text + KERNEL).build(), "draw")
    for mode in MODES:
        out = cla.zeros(queue, 500, np.float32)
        kernel(queue, (500,), None, out.data, np.float32(mode))
        assert_array_equal(out.get(), draws(Angles(VonMises(0.5), mode), PARK_MILLER, 500, "float32"))
