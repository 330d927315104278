"""Beta and F values of many parameters: each is the float32 nearest to the right one, of parameters of every size."""

from collections.abc import Iterator
from typing import Any

import mpmath as mp
import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from scipy import special

import clrng
from clrng.distributions import beta_digits, beta_values, elements
from clrng.distributions.transforms import beta_near
from clrng.fill import beta, near
from tests.support.tiers import first_of_each

N = 2**32
TINY, LARGEST = np.finfo(np.float32).tiny, np.finfo(np.float32).max
LARGEST_DOUBLE = np.finfo(np.float64).max

RANGES = {
    "small": ((-3, 3), (-3, 3)),
    "ordinary": ((0, 6), (0, 6)),
    "tiny": ((-10, 0), (-10, 0)),
    "one tiny": ((-10, 0), (0, 8)),
    "large": ((6, 10), (6, 10)),
    "one large": ((-3, 5), (10, 30)),
    "huge": ((20, 40), (20, 40)),
}
"""The binary logarithms of a and b."""


def parameters(name: str, n: int, seed: int = 1) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return n pairs of a range, those of each in both orders."""
    random = np.random.default_rng(seed)
    a, b = (np.exp2(random.uniform(*ends, n)) for ends in RANGES[name])
    exchanged = random.random(n) < 0.5
    return np.where(exchanged, b, a), np.where(exchanged, a, b)


def tails(n: int, seed: int = 2) -> npt.NDArray[np.uint64]:
    """Return n numbers below 2^32, a third of them in each of the tails."""
    random = np.random.default_rng(seed)
    x = random.integers(0, N, n, dtype=np.uint64)
    x[::3] >>= random.integers(0, 32, x[::3].size).astype(np.uint64)
    x[1::3] = N - 1 - (x[1::3] >> random.integers(0, 32, x[1::3].size).astype(np.uint64))
    return x


def below(a: Any, b: Any, odds: mp.mpf) -> mp.mpf:
    """Return I(x; a, b) of odds x/(1 - x), by the positive terms of its series, or an integral where they are many."""
    if odds > mp.mpf(a) / b:
        return 1 - below(b, a, 1 / odds)
    a, b, x = mp.mpf(a), mp.mpf(b), odds / (1 + odds)
    power = mp.exp(
        a * mp.log(odds) - (a + b) * mp.log1p(odds) + mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b)
    )  # fmt: skip
    if a > 2**8:
        scale = mp.sqrt(1 / a + 1 / b)
        spans = [0, *(scale * end for end in (1, 2, 4, 8, 16, 32, 64))]
        return power * mp.quad(lambda v: mp.exp(-a * v - (a + b) * mp.log1p(x * mp.expm1(-v))), spans)
    total, term, k = mp.mpf(0), 1 / a, 0
    while term > total * mp.mpf(2) ** -110:
        total += term
        term *= (a + b + k) * x / (a + k + 1)
        k += 1
    return power * total


def is_nearest(value: np.float32, a: float, b: float, x: int, *, is_ratio: bool) -> bool:
    """Return whether a float32 is the nearest to the value of a number."""
    wanted = (mp.mpf(x) + mp.mpf(0.5)) / N

    def reached(number: mp.mpf) -> mp.mpf:
        if not is_ratio:
            return below(a, b, number / (1 - number)) if number < 1 else mp.mpf(1)
        return below(a, b, number * a / b)

    bits = value.view(np.uint32)
    lower, upper = (
        mp.mpf(float(np.uint32(each).view(np.float32))) for each in (max(bits, 1) - 1, min(bits + 1, 0x7F7FFFFF))
    )
    number = mp.mpf(float(value))
    if value == 0:
        return bool(reached(mp.mpf(float(TINY))) > wanted)
    middle = number if value == TINY else (lower + number) / 2
    return bool(reached(middle) <= wanted and (value == LARGEST or wanted < reached((number + upper) / 2)))


@pytest.fixture(autouse=True)
def digits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(elements, "FEW", 0)  # so that none have tables
    with mp.workdps(50):
        yield


@pytest.mark.parametrize("is_ratio", [False, True])
@pytest.mark.parametrize("name", RANGES)
def test_values_are_the_nearest_to_those_of_mpmath(name: str, is_ratio: bool) -> None:
    (a, b), x = parameters(name, 24), tails(24)
    made = beta_values.exact(a, b, x, N, is_ratio=is_ratio)
    for given in zip(made, a.tolist(), b.tolist(), x.tolist(), strict=True):
        assert is_nearest(*given, is_ratio=is_ratio), given


@pytest.mark.parametrize("name", ["small", "ordinary", "large"])
def test_thousands_of_values_are_those_of_scipy(name: str) -> None:
    (a, b), x = parameters(name, 20_000), tails(20_000)
    made = beta_values.exact(a, b, x, N, is_ratio=False)
    right = special.betaincinv(a, b, (x + 0.5) / N)
    ends = [(right * (1 + sign * 1e-9)).astype(np.float32) for sign in (-1, 1)]
    clear = (ends[0] == ends[1]) & (right > 2 * TINY) & ((x + 0.5) / N < 0.99)  # where SciPy has digits enough
    assert clear.mean() > 0.5
    np.testing.assert_array_equal(made[clear], right[clear].astype(np.float32))


@pytest.mark.parametrize("name", RANGES)
def test_errors_are_less_than_they_may_be(name: str) -> None:
    (a, b), x = parameters(name, 12, 5), tails(12, 6)
    lower, upper = ((each + 0.5) / N for each in (x.astype(float), (N - 1 - x).astype(float)))
    odds, _, is_upper, off = beta_values.solved(a, b, lower, upper, beta_values.fast())
    assert np.isfinite(off).all()
    for i in range(12):
        if not odds[i] > TINY:
            continue
        one, other = (b[i], a[i]) if is_upper[i] else (a[i], b[i])
        tail = (mp.mpf(int(N - 1 - x[i] if is_upper[i] else x[i])) + mp.mpf(0.5)) / N
        ends = [below(one, other, mp.mpf(odds[i]) * (1 + sign * mp.mpf(off[i]))) for sign in (-1, 1)]
        assert ends[0] < tail < ends[1]


@pytest.mark.parametrize("is_ratio", [False, True])
@pytest.mark.parametrize("guess", [0.0, 1.0, np.nan, 0.3, LARGEST])
def test_the_nearest_is_found_from_any_guess(guess: float, is_ratio: bool) -> None:
    (a, b), x = parameters("small", 6), tails(6)
    made = beta_values.exact(a, b, x, N, is_ratio=is_ratio)
    for value, *given in zip(made.tolist(), a.tolist(), b.tolist(), (2 * x + 1).tolist(), strict=True):
        assert beta_digits.nearest(*given, whole=2 * N, guesses=(guess, guess), is_ratio=is_ratio) == value
    ends = [(0.001, 1.0, 1), (1.0, 2.0**-10, 2 * N - 1)]
    found = [beta_digits.nearest(*given, 2 * N, (guess, guess), is_ratio=is_ratio) for given in ends]
    assert found == [0.0, float(LARGEST) if is_ratio else 1.0]


@pytest.mark.parametrize("is_ratio", [False, True])
def test_one_of_two_neighbours_is_the_nearest(is_ratio: bool) -> None:
    (a, b), x = parameters("small", 40), tails(40)
    made = beta_values.exact(a, b, x, N, is_ratio=is_ratio)
    inside = (made > TINY) & (made < (LARGEST if is_ratio else 1))
    assert inside.sum() > 10
    for place in np.flatnonzero(inside).tolist():
        value, given = made[place], (float(a[place]), float(b[place]), 2 * int(x[place]) + 1, 2 * N)
        for pair in ((np.nextafter(value, np.float32(0)), value), (value, np.nextafter(value, np.float32(np.inf)))):
            assert beta_digits.nearest(*given, (float(pair[0]), float(pair[1])), is_ratio=is_ratio) == value


BITS = {
    "halves": lambda: clrng.PCG64(4),
    "31 bits": lambda: clrng.ParkMiller(seed=7),
    "64 bits": lambda: clrng.named("mmix", seed=3),
}


def expected(
    make: Any, name: str, a: npt.NDArray[Any], b: npt.NDArray[Any], queue: cl.CommandQueue
) -> npt.NDArray[np.float32]:
    """Return what the host makes of the raw values that values of all elements are made of."""
    bits = make()
    n = np.broadcast_shapes(a.shape, b.shape)
    if isinstance(bits, clrng.PCG64):
        raw, least, numbers = clrng.Generator(bits, queue).integers(0, N, n, dtype=np.uint32).get(), 0, N
    else:
        raw, least, numbers = clrng.Generator(bits, queue).random_raw(n).get(), bits.min_value, bits.upper_bound
    one, other = (np.broadcast_to(each, n).astype(float).reshape(-1) / (2 if name == "f" else 1) for each in (a, b))
    x = raw.reshape(-1).astype(np.uint64) - np.uint64(least)
    return beta_values.exact(one, other, x, numbers - least, is_ratio=name == "f").reshape(n)


@pytest.mark.parametrize("name", ["beta", "f"])
@pytest.mark.parametrize("bits", first_of_each(list(BITS), lambda each: each))
def test_the_device_makes_the_values_of_the_host(queue: cl.CommandQueue, bits: str, name: str) -> None:
    pairs = [parameters(each, 500) for each in RANGES]
    a, b = (np.minimum(np.concatenate([pair[i] for pair in pairs]), 2.0**39) for i in range(2))
    if name == "f":
        a, b = 2 * a, 2 * b
    made = getattr(clrng.Generator(BITS[bits](), queue), name)(a, b).get()
    np.testing.assert_array_equal(made, expected(BITS[bits], name, a, b, queue))


def test_broadcasting_dtypes_devices_and_parts(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near, "AT_ONCE", {"cpu": 256, "gpu": 256})
    monkeypatch.setattr(beta, "HOST_AT_ONCE", 256)
    a, b = np.linspace(0.25, 40, 37)[:, None], np.exp2(np.linspace(-4, 9, 23))
    whole = expected(BITS["31 bits"], "beta", a, b, queue)
    for one in (a, cla.to_device(queue, a)):
        made = clrng.Generator(clrng.ParkMiller(seed=7), queue).beta(one, b)
        np.testing.assert_array_equal(made.get(), whole)
    out = cla.zeros(queue, (37, 46), np.float32)
    clrng.Generator(clrng.ParkMiller(seed=7), queue).beta(a, b, out=out[:, ::2])
    np.testing.assert_array_equal(out.get()[:, ::2], whole)
    assert not out.get()[:, 1::2].any()
    singles = b.astype(np.float32)
    made = clrng.Generator(clrng.ParkMiller(seed=7), queue).f(singles, 5).get()
    np.testing.assert_array_equal(made, expected(BITS["31 bits"], "f", singles, np.array(5.0), queue))
    streams = clrng.Streams.by_leapfrog(clrng.ParkMiller(seed=7), 23, queue=queue)
    drawn = streams.sample(clrng.distribution("beta", a=2.5, b=b), 3).get()
    np.testing.assert_array_equal(drawn, expected(BITS["31 bits"], "beta", np.full((3, 1), 2.5), b, queue))


@pytest.mark.parametrize("is_ratio", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", RANGES)
def test_float64_values_are_near_those_of_mpmath(name: str, is_ratio: bool) -> None:
    (a, b), x = parameters(name, 12, 7), tails(12, 8)
    a[0], b[0], x[0] = a.min() / 2, b.max(), 0  # of one that is tiny, F values whose odds are below all normal numbers
    made = beta_values.doubles(a, b, x, N, is_ratio=is_ratio)
    for value, one, other, number in zip(made.tolist(), a.tolist(), b.tolist(), x.tolist(), strict=True):
        if not 0 < value < (LARGEST_DOUBLE if is_ratio else 1):
            continue
        odds = mp.mpf(value) * one / other if is_ratio else mp.mpf(value) / (1 - mp.mpf(value))
        wanted = (mp.mpf(number) + mp.mpf(0.5)) / N
        found = below(one, other, odds)
        tail = min(wanted, 1 - wanted)
        log_slope = (below(one, other, odds * (1 + mp.mpf(2) ** -40)) - found) / tail * mp.mpf(2) ** 40
        share = 1 if is_ratio else 1 / (1 + odds)  # of a change of the odds that the value has
        off = abs(found - wanted) / tail / log_slope * share
        assert off < mp.mpf(2) ** -53 * (64 + 128 * share / log_slope), (one, other, number)


def test_float64_values_are_those_of_scipy() -> None:
    (a, b), x = parameters("ordinary", 5000), tails(5000)
    p = (x + 0.5) / N
    made, clear = beta_values.doubles(a, b, x, N, is_ratio=False), p < 0.9
    np.testing.assert_allclose(made[clear], special.betaincinv(a, b, p)[clear], rtol=1e-9)


def test_float64_values_need_only_specified_operations(monkeypatch: pytest.MonkeyPatch) -> None:
    (a, b), x = (
        (np.concatenate(each) for each in zip(*(parameters(name, 50) for name in RANGES), strict=True)),
        tails(350),
    )
    made = beta_values.doubles(a, b, x, N, is_ratio=False)
    for name in ("exp", "log", "log1p", "expm1", "power", "dot"):
        monkeypatch.delattr(np, name)
    monkeypatch.delattr(np.linalg, "eigh")
    beta_values.specified.cache_clear()
    np.testing.assert_array_equal(beta_values.doubles(a, b, x, N, is_ratio=False), made)


def test_digits_find_the_float64_values_that_are_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    (a, b), x = parameters("small", 6), tails(6)
    made = [beta_values.doubles(a, b, x, N, is_ratio=is_ratio) for is_ratio in (False, True)]
    monkeypatch.setattr(beta_values, "MAX_GUESSES", 0)
    for is_ratio in (False, True):
        np.testing.assert_allclose(beta_values.doubles(a, b, x, N, is_ratio=is_ratio), made[is_ratio], rtol=1e-11)


@pytest.mark.parametrize("name", ["beta", "f"])
@pytest.mark.parametrize("bits", BITS)
def test_float64_values_of_arrays(queue: cl.CommandQueue, bits: str, name: str) -> None:
    if not queue.device.double_fp_config:
        pytest.skip("the device has no double precision")
    a, b = np.linspace(0.5, 40, 17)[:, None], np.exp2(np.linspace(-3, 9, 13))
    half = 2 if name == "f" else 1
    raw: Any = clrng.Generator(BITS[bits](), queue).random_raw(442).get()
    base = BITS[bits]().upper_bound - BITS[bits]().min_value
    x = raw.astype(np.uint64) - np.uint64(BITS[bits]().min_value)
    x, numbers = (x[::2] * np.uint64(base) + x[1::2], base**2) if base <= N else (x[:221], base)
    one, other = (np.broadcast_to(each, (17, 13)).reshape(-1) / half for each in (a, b))
    right = beta_values.doubles(one, other, x, numbers, is_ratio=name == "f").reshape(17, 13)
    for given in (a, cla.to_device(queue, a)):
        made = getattr(clrng.Generator(BITS[bits](), queue), name)(given, b, dtype="float64")
        np.testing.assert_array_equal(made.get(), right)
    out = cla.zeros(queue, (17, 26), np.float64)
    getattr(clrng.Generator(BITS[bits](), queue), name)(a, b, out=out[:, ::2])
    np.testing.assert_array_equal(out.get()[:, ::2], right)
    ranks = [clrng.Generator(BITS[bits](), queue).piece(rank, 2) for rank in range(2)]
    parts = [getattr(rank, name)(a, b, (17, 13), dtype="float64").get() for rank in ranks]
    np.testing.assert_array_equal(np.concatenate(parts), right)


def test_the_first_element_that_is_not_legal_is_named(queue: cl.CommandQueue) -> None:
    a, b = np.ones(2000), np.ones(2000)
    a[40], b[40], b[70] = 2.0**40, 2.0**-10, -1
    for dtype in ("float32", "float64")[: 1 + bool(queue.device.double_fp_config)]:
        with pytest.raises(ValueError, match="b must be .*, not 0.0009765625, as element 40 of b has it"):
            clrng.default_rng(1, queue).beta(a, b, dtype=dtype)
    a, b = np.ones(100), np.ones(100)
    a[40], b[40], b[70] = 1e6, 1e-7, -1
    with pytest.raises(ValueError, match="scale must be .*, not 1e-07, as element 40 of scale has it"):
        clrng.default_rng(1, queue).wald(a, b)


def test_few_parameters_have_tables(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    a, rng = np.array([[0.5], [2.0], [70.0]]), clrng.Generator(clrng.PCG64(5), queue)
    nearest = rng.beta(a, [1.5, 4.0], size=(500, 3, 2)).get()
    for most, same in ((6, False), (5, True)):
        monkeypatch.setattr(elements, "FEW", most)
        rng.bit_generator = clrng.PCG64(5)
        found = rng.beta(a, [1.5, 4.0], size=(500, 3, 2)).get()
        assert np.array_equal(found, nearest) == same
        alone = clrng.Generator(clrng.PCG64(5), queue).beta(70.0, 4.0, size=(500, 3, 2)).get()
        assert same or np.array_equal(found[:, 2, 1], alone[:, 2, 1])


@pytest.mark.parametrize("of", ["few nodes", "double precision"])
def test_what_is_not_sure_is_settled(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, of: str) -> None:
    a, b = parameters("small", 400)
    whole = expected(BITS["halves"], "beta", a, b, queue)
    monkeypatch.setattr(beta_near, "OFF", 1.0)
    monkeypatch.setattr(near, "CAPACITY", 7)
    if of == "double precision":
        monkeypatch.setattr(beta_near, "OFF_OF_MOST", 2.0**-27)
    np.testing.assert_array_equal(clrng.Generator(clrng.PCG64(4), queue).beta(a, b).get(), whole)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda rng: rng.beta([1.0, -1.0], 2.0), "a must be a number from 0.0009765625 to .*, not -1.0, as element 1"),
        (lambda rng: rng.beta([1.0, 2.0], 0), "b must be a number from 0.0009765625 to .*, not 0$"),
        (
            lambda rng: rng.beta([[1.0], [2.0**-9]], [1.0, 2.0**39]),
            "b must be a number from 1.77.* to 2147483648, not 549755813888.0, as element 1 of b",
        ),
        (lambda rng: rng.f([1.0, np.nan], [2.0, 3.0]), "dfnum must be a number from .*, not nan, as element 1 of dfnu"),
        (lambda rng: rng.f(3.0, [2.0**-10]), "dfden must be a number from 0.001953125 to .*, as element 0 of dfden"),
    ],
)
def test_what_is_not_legal_is_refused(queue: cl.CommandQueue, call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(clrng.default_rng(1, queue))
