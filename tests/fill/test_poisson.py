"""Poisson numbers of many means where they are hard to find: at thresholds, in tails, where no arithmetic is sure."""

from typing import Any

import mpmath as mp
import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest

import clrng
from clrng.distributions.discrete import Discrete, Poisson, threshold_table
from clrng.distributions.transforms import poisson_near
from clrng.distributions.transforms.near import NearByElement
from clrng.distributions.transforms.poisson_near import PoissonByElement
from clrng.fill import near
from clrng.fill.convert import Converter, copying
from clrng.fill.near import NearFiller
from clrng.generators.families import code_for, exact_arithmetics
from clrng.opencl.arrays import upload
from clrng.opencl.devices import describe

MEANS = [
    0.0,
    1e-30,
    1e-9,
    0.03,
    1.0,
    2.5,
    7.9,
    9.999,
    10.0,
    11.5,
    17.0,
    30.25,
    63.9,
    64.0,
    100.0,
    255.0,
    1000.5,
    40_000.0,
]


def made(
    queue: cl.CommandQueue, bits: clrng.BitGenerator, kind: type[NearByElement], each: npt.NDArray[Any],
    raw: npt.NDArray[Any], trials: npt.NDArray[Any] | None = None,
) -> npt.NDArray[Any]:  # fmt: skip
    """Return the numbers that the kernel makes of parameters and raw values, in rows of the steps of a value."""
    device = describe(queue.device)
    code = code_for(bits, exact_arithmetics(device, bits)[0])
    filler = NearFiller(queue, device, code, Converter(queue, device, code))
    transform = kind(kind.law, np.dtype(np.int64), raw.shape[1], {}, False, each, each.shape, trials=trials)
    out = cla.empty(queue, each.shape, np.int64)
    filler.fill(transform, out, copying(queue, upload(queue, raw.reshape(-1))))
    return out.get()


def around_thresholds(law: Discrete, numbers: int, random: np.random.Generator) -> tuple[list[int], list[int]]:
    """Return numbers X at thresholds of a law, near to them and far out in tails, and the values of these."""
    table = threshold_table(law, numbers)
    listed = table.thresholds[:-1].tolist()
    places = sorted({0, len(listed) - 1, *random.integers(0, max(len(listed), 1), 40).tolist()}) if listed else []
    found = [
        0,
        1,
        numbers - 1,
        numbers - 2,
        *(numbers >> i for i in range(1, 60)),
        *(numbers - 1 - (numbers >> i) for i in range(1, 60)),
    ]
    for place in places:
        for distance in (0, 1, *(1 << i for i in range(8, 50, 3))):
            found += [listed[place] - distance, listed[place] + distance - 1]
    found = [x for x in found if 0 <= x < numbers]
    values = table.low + np.searchsorted(table.thresholds[:-1], np.array(found, np.uint64), side="right")
    return found, values.tolist()


def digits_of(numbers: list[int], bits: clrng.BitGenerator, steps: int) -> npt.NDArray[Any]:
    """Return the one or two raw values of which each number is made, in rows."""
    base = bits.upper_bound - bits.min_value
    digits = [[x // base, x % base][2 - steps :] for x in numbers]
    return (np.array(digits, np.uint64) + np.uint64(bits.min_value)).astype(bits.dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("short", [False, True])
def test_numbers_at_thresholds_and_in_tails(queue: cl.CommandQueue, short: bool, dtype: str) -> None:
    bits: clrng.BitGenerator = clrng.ParkMiller(seed=1) if short else clrng.PCG64(1)
    base = bits.upper_bound - bits.min_value
    steps, random = (2 if short else 1), np.random.default_rng(3)
    means, numbers, expected = [], [], []
    for mean in np.array(MEANS, dtype).tolist():
        found, values = around_thresholds(Poisson(mean), base**steps, random)
        means += [mean] * len(found)
        numbers += found
        expected += values
    raw = digits_of(numbers, bits, steps)
    drawn = made(queue, bits, PoissonByElement, np.array(means, dtype), raw)
    np.testing.assert_array_equal(drawn, expected)


@pytest.mark.parametrize("of", ["nothing is sure", "single precision is not"])
@pytest.mark.parametrize("room", [1 << 10, 7])
def test_what_is_not_sure_is_made_by_exact_thresholds(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, of: str, room: int
) -> None:
    means = np.random.default_rng(6).random(1500) * 400
    means[:300] /= 40
    plain = clrng.Generator(clrng.PCG64(9), queue).poisson(means).get()
    monkeypatch.setattr(poisson_near, "OFF", (0.4, 0.0, 0.0, 0.0))
    monkeypatch.setattr(poisson_near, "SUM_OFF", (0.4, 0.0))
    monkeypatch.setattr(near, "CAPACITY", room)
    if of == "nothing is sure":
        monkeypatch.setattr(poisson_near, "CERTAIN", 2.0)
    np.testing.assert_array_equal(clrng.Generator(clrng.PCG64(9), queue).poisson(means).get(), plain)
    out = cla.zeros(queue, (1500, 3), np.int32)
    clrng.Generator(clrng.PCG64(9), queue).poisson(means, out=out[:, 1])
    np.testing.assert_array_equal(out.get()[:, 1], plain)
    assert not out.get()[:, ::2].any()


def place(mean: float, v: float) -> mp.mpf:
    """Return the x at which Q(x, mean) is the probability of a normal number below v."""
    start = mean + mean**0.5 * v + v**2 / 6 + 0.3
    if v > 0:
        tail = mp.ncdf(-mp.mpf(v))
        return mp.findroot(lambda x: mp.log(mp.gammainc(x, 0, mean, regularized=True) / tail), (start, start + 0.01))
    tail = mp.ncdf(mp.mpf(v))
    return mp.findroot(lambda x: mp.log(mp.gammainc(x, mean, regularized=True) / tail), (start, start + 0.01))


@pytest.mark.parametrize("mean", [10.0, 13.0, 20.0, 50.0, 255.0, 4000.0])
def test_the_expansion_is_far_closer_than_it_must_be(mean: float) -> None:
    with mp.workdps(30):
        for v in np.linspace(-7, 7, 29).tolist():
            s = v / mean**0.5
            if not poisson_near.LOW_S < s < poisson_near.HIGH_S:
                continue
            h, c, d = (np.polyval(each, s) for each in (poisson_near.H, poisson_near.C, poisson_near.D))
            found = mean + mean**0.5 * v + v**2 * h + c + d / mean
            a, b, far, further = poisson_near.OFF
            off = a + b * mean**0.5 * (1 + v**2) + (far + further * s**2) / mean
            assert abs(found - float(place(mean, v))) < off / 3


def test_normal_numbers_are_far_closer_than_they_must_be() -> None:
    with mp.workdps(30):
        for v in np.linspace(0.01, 7.28, 200).tolist():
            below = mp.ncdf(-mp.mpf(v))
            t = float(-mp.log(4 * below * (1 - below)))
            polynomial, at = (poisson_near.CENTRAL, t - 2.5) if t < 5 else (poisson_near.TAIL, t**0.5 - 4)
            found = np.polyval(polynomial, at) * float(1 - 2 * below)
            assert abs(found - v) < poisson_near.OFF[1] * (1 + v**2) / 4


@pytest.mark.parametrize("mean", [64, 100, 1000, 10**6])
def test_the_expansion_in_double_precision_is_far_closer_than_it_must_be(mean: int) -> None:
    with mp.workdps(40):
        for v in range(-6, 7):
            a = int(mean + v * mean**0.5)
            mu = mp.mpf(mean - a) / a
            half = mu - mp.log(1 + mu)
            eta = mp.sign(mu) * mp.sqrt(2 * half)
            if abs(eta) >= poisson_near.FARTHEST_ETA:
                continue
            orders = [
                sum(c * eta**i for i, c in enumerate(row)) / mp.mpf(a) ** k
                for k, row in enumerate(poisson_near.temme())
            ]
            found = mp.erfc(eta * mp.sqrt(mp.mpf(a) / 2)) / 2 + mp.exp(-a * half) / mp.sqrt(2 * mp.pi * a) * sum(orders)
            exact = mp.gammainc(a, mean, regularized=True) if mean < 10**5 else exactly(a, mean)
            assert abs(found - exact) < poisson_near.CERTAIN / 64


def exactly(a: int, mean: int) -> mp.mpf:
    """Return Q(a, mean) by adding up probabilities of a - 1 and less."""
    term = mp.exp(-mean + (a - 1) * mp.log(mean) - mp.loggamma(a))
    total, k = mp.mpf(0), a - 1
    while term > mp.mpf(2) ** -70 and k >= 0:
        total += term
        term *= mp.mpf(k) / mean
        k -= 1
    return total
