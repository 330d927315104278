"""Noncentral chi-square numbers of many parameters: of each the Poisson number, and then the chi-square number."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import special, stats

import clrng
from clrng.distributions import elements

N = 221
BITS = {"halves": lambda: clrng.PCG64(4), "31 bits": lambda: clrng.ParkMiller(seed=7), "lagged": clrng.MT19937}
SMALLEST = {"float32": 2.0**-110, "float64": 1e-290}


@pytest.fixture(autouse=True)
def few_have_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elements, "FEW", 10)


def parameters(n: int = N) -> tuple[npt.NDArray[np.float64], ...]:
    random = np.random.default_rng(1)
    df, nonc = np.exp(random.uniform(np.log(0.125), 11, n)), random.uniform(0, 1024, n) * random.random(n) ** 4
    nonc[::9] = 0
    return df, nonc


def numbers(bits: clrng.BitGenerator, count: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return the probabilities that the next numbers are, and those above them: of a value one behind the other."""
    base = bits.upper_bound - bits.min_value
    steps = 1 if base > 2**32 else 2
    raw = [value - bits.min_value for value in bits.sequence(2 * steps * count).tolist()]
    found = raw if steps == 1 else [a * base + b for a, b in zip(raw[::2], raw[1::2], strict=True)]
    share = np.array([(x + 0.5) / base**steps for x in found])
    left = np.array([(base**steps - x - 0.5) / base**steps for x in found])
    return share.reshape(count, 2), left.reshape(count, 2)


def assert_mixed(made: Any, bits: clrng.BitGenerator, df: Any, nonc: Any) -> None:
    """Check that values are the chi-square numbers of the mixtures that the Poisson numbers choose."""
    share, left = numbers(bits, made.size)
    counts = stats.poisson.ppf(share[:, 0], np.broadcast_to(nonc, made.shape) / 2)
    shapes, x = (df + 2 * counts) / 2, made.astype(np.float64) / 2
    below, above = special.gammainc(shapes, x), special.gammaincc(shapes, x)
    exact = 2e-4 if made.dtype == np.float32 else 1e-9  # in probability: shapes are up to 2^15
    near = np.where(share[:, 1] < 0.5, abs(below / share[:, 1] - 1), abs(above / left[:, 1] - 1))
    assert (near[made > SMALLEST[made.dtype.name]] < exact).all()
    tiny = special.gammaincinv(shapes, share[:, 1]) * 2
    assert (tiny[made <= SMALLEST[made.dtype.name]] <= 2 * SMALLEST[made.dtype.name]).all()


def dtypes(queue: cl.CommandQueue) -> list[str]:
    return ["float32", "float64"] if queue.device.double_fp_config else ["float32"]


@pytest.mark.parametrize("name", BITS)
def test_values_are_mixed(queue: cl.CommandQueue, name: str) -> None:
    df, nonc = parameters()
    for dtype in dtypes(queue):
        bits, rng = BITS[name](), clrng.Generator(BITS[name](), queue)
        made: Any = rng.noncentral_chisquare(df, nonc, dtype=dtype).get()
        assert made.dtype == dtype
        assert_mixed(made, bits, df, nonc)
        bits.advance(2 * N * (1 if bits.upper_bound > 2**33 else 2))
        assert rng.bit_generator == bits
        assert_mixed(clrng.Generator(BITS[name](), queue).noncentral_chisquare(df, 3.5).get(), BITS[name](), df, 3.5)
        assert_mixed(clrng.Generator(BITS[name](), queue).noncentral_chisquare(4, nonc).get(), BITS[name](), 4, nonc)


def test_arrays_of_the_device_parts_and_several_devices(queue: cl.CommandQueue) -> None:
    df, nonc = np.linspace(0.2, 9, 20)[:, None], np.linspace(0, 30, 15)
    rng = clrng.Generator(clrng.PCG64(4), queue)
    whole = rng.noncentral_chisquare(df, nonc).get()
    following = rng.random(3).get()
    rng = clrng.Generator(clrng.PCG64(4), queue)
    out: Any = cla.zeros(queue, (20, 30), np.float32)
    rng.noncentral_chisquare(cla.to_device(queue, df), cla.to_device(queue, nonc), out=out[:, ::2])
    assert_array_equal(out.get()[:, ::2], whole)
    assert_array_equal(rng.random(3).get(), following)
    several = clrng.MultiDeviceGenerator(clrng.PCG64(4), [queue, cl.CommandQueue(queue.context)])
    assert_array_equal(several.noncentral_chisquare(df, nonc), whole)
    ranks = [clrng.Generator(clrng.PCG64(4), queue).piece(rank, 3) for rank in range(3)]
    assert_array_equal(np.concatenate([rank.noncentral_chisquare(df, nonc, (20, 15)).get() for rank in ranks]), whole)
    large = np.resize(nonc, 2**16 + 5)
    on_host = clrng.Generator(clrng.PCG64(4), queue).noncentral_chisquare(2, large).get()
    on_device = clrng.Generator(clrng.PCG64(4), queue).noncentral_chisquare(2, cla.to_device(queue, large)).get()
    assert_array_equal(on_host, on_device)


@pytest.mark.parametrize("name", ["lagged", "31 bits"])
def test_streams(queue: cl.CommandQueue, name: str) -> None:
    bits, count, steps = BITS[name](), 37, 6
    df, nonc = parameters(count)
    streams = clrng.Streams.by_jumps(bits.copy(), count, 1000, queue)
    made: Any = streams.sample(clrng.distribution("noncentral_chisquare", df=df, nonc=nonc), steps).get()
    for i in (0, 9, count - 1):
        assert_mixed(made[:, i], bits.jumped(1000 * i), df[i], nonc[i])


def test_few_have_tables_and_are_distributed_alike(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    given = np.repeat([0.5, 7.0], 20_000), np.tile([0.0, 1.0, 40.0, 500.0], 10_000)
    many = clrng.Generator(clrng.PCG64(4), queue).noncentral_chisquare(*given).get()
    monkeypatch.setattr(elements, "FEW", 10**5)
    few = clrng.Generator(clrng.PCG64(4), queue).noncentral_chisquare(*given).get()
    for start in range(4):
        for df in (slice(start, 20_000, 4), slice(20_000 + start, None, 4)):
            assert stats.ks_2samp(many[df], few[df]).pvalue > 1e-6


def test_what_is_not_legal(queue: cl.CommandQueue) -> None:
    rng, ones = clrng.default_rng(1, queue), np.ones(50)
    with pytest.raises(ValueError, match="df must be .* from 0.125 to 65536, not -1.0, as element 7 of df has it"):
        rng.noncentral_chisquare(np.where(np.arange(50) == 7, -1.0, ones), 4.0)
    with pytest.raises(ValueError, match="nonc must be a number from 0 to 1024, not nan, as element 9 of nonc has it"):
        rng.noncentral_chisquare(ones, np.where(np.arange(50) == 9, np.nan, ones))
    with pytest.raises(ValueError, match="nonc must be a number from 0 to 1024, not 2000"):
        rng.noncentral_chisquare(ones, 2000)
    assert_allclose(rng.random(3).get(), clrng.default_rng(1, queue).random(3).get(), rtol=0)
