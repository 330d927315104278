"""The lattice goes spin by spin the way that the rule and the stream say, and what is exact is what others found."""

from functools import cache
from math import exp, log

import mpmath
import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pytest
from workloads import ising
from workloads.ising import CRITICAL, Ising, exact

import clrng

HEIGHT, DISTANCE = 8, 10**6


def swept(
    spins: npt.NDArray[np.int8], bits: clrng.BitGenerator, temperature: float, sweeps: int
) -> npt.NDArray[np.int8]:
    """Return the spins after sweeps, one site after the other, each stream with the sites that the class says."""
    size = len(spins)
    streams = [bits.jumped(DISTANCE * i) for i in range(size // HEIGHT * (size // 64))]
    chance = {4: exp(-4 / temperature), 8: exp(-8 / temperature)}
    for _ in range(sweeps):
        for colour in range(2):
            for stream, one in enumerate(streams):
                values = iter(one.sequence(32 * HEIGHT).tolist())
                one.advance(32 * HEIGHT)
                top, first = stream // (size // 64) * HEIGHT, stream % (size // 64) * 64
                for y in range(top, top + HEIGHT):
                    for bit in range(32):
                        x = first + 2 * bit + (y + colour) % 2
                        around = spins[y - 1, x] + spins[(y + 1) % size, x] + spins[y, x - 1] + spins[y, (x + 1) % size]
                        raised = 2 * int(spins[y, x] * around)
                        value = (next(values) - bits.min_value) / (bits.upper_bound - bits.min_value)
                        if raised <= 0 or value < chance[raised]:
                            spins[y, x] *= -1
    return spins


@cache
def expected() -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """Return spins at random, and what one sweep makes of them."""
    begin = np.random.default_rng(1).choice(np.array([-1, 1], np.int8), (128, 128))
    return begin, swept(begin.copy(), clrng.MRG32k3a(seed=7), 2.5, 1)


@pytest.mark.parametrize("lanes", [1, 2])
def test_spins_go_by_the_rule(queue: cl.CommandQueue, lanes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ising, "LANES", {"cpu": lanes, "gpu": lanes})
    lattice = Ising(queue, 128, HEIGHT, clrng.MRG32k3a(seed=7), DISTANCE)
    begin, end = expected()
    lattice.set_spins(begin)
    assert np.array_equal(lattice.spins(), begin)
    lattice.sweep(2.5)
    assert np.array_equal(lattice.spins(), end)
    seen = lattice.observe()
    bonds = (end * np.roll(end, 1, 0)).mean() + (end * np.roll(end, 1, 1)).mean()
    assert seen == pytest.approx((end.mean(), -bonds), abs=1e-14)


def test_spins_do_not_depend_on_how_work_is_cut(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for group, lanes in ((1, 1), (8, 4)):
        monkeypatch.setattr(ising, "LANES", {"cpu": lanes, "gpu": lanes})
        monkeypatch.setattr(ising, "GROUP", {"cpu": group, "gpu": group})
        lattice = Ising(queue, 256, bits=clrng.ParkMiller(seed=1), distance=10**5)
        lattice.sweep(CRITICAL, 3)
        found.append(lattice.spins())
    assert np.array_equal(*found)
    assert -0.5 < found[0].mean() < 0.99


def free_energy(beta: mpmath.mpf) -> mpmath.mpf:
    """Return the logarithm of the partition function of a site of the infinite lattice: Onsager's integral."""
    k = 1 / mpmath.sinh(2 * beta) ** 2

    def integrand(angle: mpmath.mpf) -> mpmath.mpf:
        root = mpmath.sqrt(1 + k**2 - 2 * k * mpmath.cos(2 * angle))
        return mpmath.log(mpmath.cosh(2 * beta) ** 2 + root / k)

    quarters = [mpmath.pi * i / 4 for i in range(5)]
    return mpmath.log(2) / 2 + mpmath.quad(integrand, quarters) / (2 * mpmath.pi)


@pytest.mark.parametrize("temperature", [1.0, 2.0, 2.5, 10.0])
def test_the_energy_is_the_derivative_of_the_free_energy(temperature: float) -> None:
    energy = -mpmath.diff(free_energy, 1 / mpmath.mpf(temperature))
    assert exact(temperature).energy == pytest.approx(float(energy), rel=1e-10)


def test_where_magnetisation_ends() -> None:
    assert pytest.approx(2.269185314213022) == CRITICAL == 2 / log(1 + 2**0.5)
    assert exact(2.0).magnetisation == pytest.approx(0.911319378, abs=1e-9)
    assert exact(2.27).magnetisation == 0


def test_averages_are_near_what_is_exact(queue: cl.CommandQueue) -> None:
    for seen in ising.averages(Ising(queue, 128), 1.8, 600).values():
        assert 0 < seen["error"] < 2e-3
        assert abs(seen["errors_off"]) < 5


def test_what_is_refused(queue: cl.CommandQueue) -> None:
    for arguments, message in [
        ({"size": 32}, "size must be an integer from 64 to 65536, not 32"),
        ({"size": 96}, "size must be a multiple of 64, not 96"),
        ({"size": 64, "height": 7}, "height must divide size = 64, not 7"),
        (
            {"size": 64, "bits": clrng.named("mmix", 1)},
            "bits must have values of 32 bits and a state of at most 64 words",
        ),
        (
            {"size": 64, "bits": clrng.ParkMiller(seed=1)},
            "distance must be an integer from 1 to 268435455, not 1099511627776",
        ),
    ]:
        with pytest.raises(ValueError, match=message):
            Ising(queue, **arguments)
    lattice = Ising(queue, 64)
    for temperature in (0, -1, float("nan")):
        with pytest.raises(ValueError, match=f"temperature must be above 0, not {temperature}"):
            lattice.sweep(temperature)
    with pytest.raises(ValueError, match="sweeps must be an integer of 0 or more, not -1"):
        lattice.sweep(1.0, -1)
    with pytest.raises(ValueError, match=r"spins must be -1 or 1, of the shape \(64, 64\)"):
        lattice.set_spins(np.zeros((64, 64)))
