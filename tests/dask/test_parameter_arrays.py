"""Parameters that are arrays: a chunk has the values that calls with the parameters of each element draw there."""

import pickle
from typing import Any

import dask.array as da
import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

import clrng
import clrng.dask
from clrng.distributions import by_element, elements
from clrng.opencl.devices import DeviceInfo
from tests.distributions.test_parameter_arrays import BITS, CASES, exact_poisson, of_each, same_bits

Rng = clrng.dask.Generator

SHAPES: dict[str, tuple[dict[str, Any], tuple[int, ...], Any]] = {
    "poisson": ({"lam": [0.0, 1e-9, 3.5, 200.0]}, (9, 4), (4, 3)),
    "binomial": ({"n": np.arange(6).reshape(2, 3), "p": 0.3}, (7, 2, 3), (3, 1, 2)),
    "gamma": ({"shape": [[0.1], [2.0]], "scale": [1.0, 3.0, 0.0]}, (7, 2, 3), (7, 1, 2)),
    "uniform": ({"low": [0.0, -1.0], "high": [[1.0], [5.0]]}, (7, 2, 2), 1),
    "normal": ({"loc": [[0.0], [5.0]], "scale": [1.0, 3.0, 0.0]}, (7, 2, 3), (7, 1, 2)),
    "vonmises": ({"mu": [0.0, 3.0, -2.0], "kappa": 1.5}, (8, 3), (3, 2)),
}


def computed(array: da.Array) -> Any:
    return array.compute(scheduler="synchronous")


def as_dask(value: Any) -> Any:
    """Return an array in chunks of two."""
    return da.from_array(np.asarray(value), 2) if np.ndim(value) else value


@pytest.mark.parametrize("late", [False, True], ids=["host", "dask"])
@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("name", SHAPES)
def test_any_chunk_has_the_values_of_the_whole(drawing_on: DeviceInfo, name: str, bits: str, late: bool) -> None:
    parameters, size, chunks = SHAPES[name]
    rng, one = Rng(BITS[bits]()), clrng.Generator(BITS[bits](), drawing_on)
    given = {key: as_dask(value) if late else value for key, value in parameters.items()}
    array = getattr(rng, name)(**given, size=size, chunks=chunks)
    assert array.chunks == da.core.normalize_chunks(chunks, size)
    same_bits(computed(array), of_each(one.queue, BITS[bits], name, parameters, size))
    getattr(one, name)(**parameters, size=size)
    assert rng.bit_generator == one.bit_generator


@pytest.mark.parametrize("late", [False, True], ids=["host", "dask"])
@pytest.mark.parametrize("name", SHAPES)
def test_more_parameters_than_have_tables(
    drawing_on: DeviceInfo, monkeypatch: pytest.MonkeyPatch, name: str, late: bool
) -> None:
    parameters, size, chunks = SHAPES[name]
    expected = getattr(clrng.Generator(clrng.PCG64(4), drawing_on), name)(**parameters, size=size)
    given = {key: as_dask(value) if late else value for key, value in parameters.items()}
    for room, limit in ((by_element, "MAX_LAWS"), (elements, "FEW"), (elements, "MAX_TABLES")):
        monkeypatch.setattr(room, limit, 1)
    same_bits(computed(getattr(Rng(clrng.PCG64(4)), name)(**given, size=size, chunks=chunks)), expected.get())


@pytest.mark.parametrize("late", [False, True])
def test_mixtures_take_twice_the_steps(drawing_on: DeviceInfo, monkeypatch: pytest.MonkeyPatch, late: bool) -> None:
    monkeypatch.setattr(elements, "FEW", 10)
    df, nonc = np.linspace(0.2, 9, 20)[:, None], np.linspace(0, 30, 15)
    rng, one = Rng(clrng.PCG64(4)), clrng.Generator(clrng.PCG64(4), drawing_on)
    given = [da.from_array(each, 4) if late else each for each in (df, nonc)]
    array = rng.noncentral_chisquare(*given, size=(20, 15), chunks=(7, 4))
    same_bits(computed(array), one.noncentral_chisquare(df, nonc).get())
    assert rng.bit_generator == one.bit_generator


def test_values_that_the_host_makes(drawing_on: DeviceInfo) -> None:
    expected = clrng.Generator(clrng.PCG64(4), drawing_on).zipf(1.5, (7, 5))
    array, again = (Rng(clrng.PCG64(4)).zipf(1.5, (7, 5), chunks=(3, 2)) for _ in range(2))
    same_bits(computed(array), expected.get())
    assert array.name == again.name


@pytest.mark.usefixtures("drawing_on")
@pytest.mark.parametrize("name", CASES)
def test_every_distribution_takes_arrays(queue: cl.CommandQueue, name: str) -> None:
    parameters, size = CASES[name]
    expected = getattr(clrng.Generator(clrng.PCG64(4), queue), name)(**parameters, size=size)
    for late in (False, True):
        given = {key: as_dask(value) if late else value for key, value in parameters.items()}
        same_bits(computed(getattr(Rng(clrng.PCG64(4)), name)(**given, size=size, chunks=(5, *size[1:]))), expected)


@pytest.mark.parametrize("bits", BITS)
def test_chunks_of_narrow_integers_take_the_steps_of_the_widest(drawing_on: DeviceInfo, bits: str) -> None:
    lows, highs = np.array([0, 7, -5, 0]), np.array([2**32, 9, 2**40, 2**32])
    for part in (slice(0, 4), slice(0, 2), slice(0, 1), slice(3, 4)):  # all of the last ones are halves
        rng, one = Rng(BITS[bits]()), clrng.Generator(BITS[bits](), drawing_on)
        found = rng.integers(lows[part], highs[part], (50, lows[part].size), chunks=(20, 1))
        same_bits(computed(found), one.integers(lows[part], highs[part], (50, lows[part].size)))
        assert rng.bit_generator == one.bit_generator


@pytest.mark.usefixtures("drawing_on")
def test_many_means() -> None:
    means = (np.random.default_rng(5).random((70, 60)) * 255).astype(np.float32)
    for lam in (means, da.from_array(means, (11, 60))):
        array = Rng(clrng.ParkMiller(seed=7)).poisson(lam, chunks=(40, 50))
        same_bits(computed(array), exact_poisson(clrng.ParkMiller(seed=7), means))


def test_many_means_of_one_sigma(queue: cl.CommandQueue) -> None:
    means = np.linspace(-4, 4, 5000)
    made = clrng.dask.default_rng(3).lognormal(means, 0.5, chunks=999).compute()
    np.testing.assert_array_equal(made, clrng.default_rng(3, queue).lognormal(means, 0.5).get())


def test_a_chunk_of_a_large_array_is_not_one_of_few(drawing_on: DeviceInfo) -> None:
    a = np.linspace(0.5, 9.5, 1300)
    array = Rng(clrng.PCG64(4)).beta(a, 2.0, (3, a.size), chunks=(2, 500))
    same_bits(computed(array), clrng.Generator(clrng.PCG64(4), drawing_on).beta(a, 2.0, (3, a.size)))


@pytest.mark.usefixtures("drawing_on")
@given(data=st.data())
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_any_shapes_and_any_chunks(queue: cl.CommandQueue, data: st.DataObject) -> None:
    size = tuple(data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=4)))
    chunks = tuple(data.draw(st.integers(1, length)) for length in size)
    shapes = []
    for _ in range(2):
        kept = data.draw(st.integers(0, len(size)))
        shapes.append(tuple(length if data.draw(st.booleans()) else 1 for length in size[len(size) - kept :]))
    a, b = (np.arange(1.0, np.prod(shape) + 1).reshape(shape) % 3 + 0.5 for shape in shapes)
    given_a = a if data.draw(st.booleans()) else da.from_array(a, -1)
    found = Rng(clrng.PCG64(4)).noncentral_chisquare(given_a, b, size, chunks=chunks)
    same_bits(computed(found), clrng.Generator(clrng.PCG64(4), queue).noncentral_chisquare(a, b, size))


@pytest.mark.usefixtures("drawing_on")
def test_the_shape_is_that_of_the_parameters(queue: cl.CommandQueue) -> None:
    lam = np.arange(12.0).reshape(3, 4)
    expected = clrng.Generator(clrng.PCG64(4), queue).poisson(lam)
    same_bits(computed(Rng(clrng.PCG64(4)).poisson(lam, chunks=2)), expected)
    same_bits(computed(Rng(clrng.PCG64(4)).poisson(da.from_array(lam, 3), chunks=2)), expected)
    same_bits(computed(Rng(clrng.PCG64(4)).poisson(cla.to_device(queue, lam), chunks=2)), expected)
    assert Rng(clrng.PCG64(4)).poisson(da.zeros((0, 3))).compute().shape == (0, 3)
    assert Rng(clrng.PCG64(4)).normal([]).compute().shape == (0,)


@pytest.mark.usefixtures("drawing_on")
def test_arrays_of_the_host_are_copied() -> None:
    lam = np.array([1.0, 2.0, 3.0])
    array, expected = Rng(clrng.PCG64(4)).poisson(lam), computed(Rng(clrng.PCG64(4)).poisson(lam.copy()))
    lam[:] = -1
    same_bits(computed(array), expected)


def test_the_name_says_what_the_parameters_are() -> None:
    lams: list[Any] = [np.arange(6.0), np.arange(6.0) + 1, np.arange(6), da.arange(6, chunks=3)]
    names = [Rng(clrng.PCG64(4)).poisson(lam, chunks=2).name for lam in lams]
    assert len({name.split("-")[1] for name in names}) == len(names)
    assert names == [Rng(clrng.PCG64(4)).poisson(lam, chunks=2).name for lam in lams]
    assert Rng(clrng.PCG64(4)).poisson(lams[0], chunks=3).name.split("-")[1] == names[0].split("-")[1]
    located = [Rng(clrng.PCG64(4)).normal(lam, chunks=2).name.split("-")[1] for lam in lams]
    assert len({*located}) == len(lams) - 1  # as float32 two of them are equal


@pytest.mark.usefixtures("drawing_on")
@pytest.mark.parametrize(
    "frozen", [stats.gamma([1.0, 2.0], scale=[[1.0], [3.0]]), stats.poisson([[1.5], [20.0]]), stats.norm(3, [1, 2])],
    ids=["gamma", "poisson", "norm"],
)  # fmt: skip
def test_distributions_of_scipy_travel_to_chunks(queue: cl.CommandQueue, frozen: Any) -> None:
    expected = clrng.Generator(clrng.PCG64(4), queue).sample(frozen, (5, 2, 2))
    array = Rng(clrng.PCG64(4)).sample(frozen, (5, 2, 2), chunks=(3, 1, 2))
    same_bits(computed(pickle.loads(pickle.dumps(array))), expected)
    named = clrng.distribution("gamma", shape=[1.0, 2.0], scale=3.0)
    whole = clrng.Generator(clrng.PCG64(4), queue).gamma([1.0, 2.0], 3.0, (5, 2))
    same_bits(computed(Rng(clrng.PCG64(4)).sample(named, (5, 2), chunks=1)), whole)


@pytest.mark.usefixtures("drawing_on")
def test_elements_that_are_not_legal() -> None:
    rng = Rng(clrng.PCG64(4))
    with pytest.raises(ValueError, match=r"lam must be .*, not -1.0, as element \(1, 2\) of lam has it"):
        rng.poisson([[1.0, 2, 3], [4, 5, -1]], (7, 2, 3))
    with pytest.raises(ValueError, match="scale must be .* as float32, not -2.0, as element 1 of scale has it"):
        rng.normal(0, [1.0, -2.0])
    assert rng.bit_generator == clrng.PCG64(4)
    lam = da.from_array(np.array([[1.0, 2, 3], [4, 5, -1]]), 2)
    with pytest.raises(ValueError, match=r"lam must be .*, not -1.0, as element \(1, 2\) of lam has it"):
        computed(rng.poisson(lam, (7, 2, 3), chunks=(2, 1, 2)))
    with pytest.raises(ValueError, match=r"scale must be .*, not -1.0, as element \(1, 2\) of scale has it"):
        computed(rng.normal(0, lam, chunks=2))
