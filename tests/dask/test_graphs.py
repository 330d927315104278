"""Graphs are small whatever the number of chunks, and named after what is in them."""

import pickle
from typing import Any

import dask.array as da
import pytest
from dask.array import Array
from dask.base import tokenize
from numpy.testing import assert_array_equal
from scipy import stats

import clrng
import clrng.dask
from clrng.dask.generator import MAX_INLINE
from clrng.dask.worker import Places
from tests.support.generators import GENERATORS
from tests.support.processes import said

LONG = clrng.LaggedFibonacci((4187, 9689), "+", seed=1)


def normals(seed: int, shape: Any, chunks: Any, **options: Any) -> Array:
    return clrng.dask.default_rng(seed).standard_normal(shape, chunks, **options)


@pytest.mark.parametrize(
    ("shape", "chunks", "count"), [(10**5, 1, 10**5), (10**9 + 7, 10**4, 10**5 + 1), ((1000, 999), (3, 10), 334 * 100)]
)
def test_the_size_of_a_graph_does_not_grow(shape: Any, chunks: Any, count: int) -> None:
    array = normals(1, shape, chunks)
    assert array.npartitions == count
    assert list(array.dask.layers) == [array.name]
    assert not array.dask.layers[array.name].is_materialized()
    assert len(pickle.dumps(array.dask)) < 2000


def test_a_task_is_small() -> None:
    array = clrng.dask.default_rng(2026).gamma(2.5, 3.0, (10**6, 10**6), 1000)
    layer = array.dask.layers[array.name].cull({(array.name, 999, 7)}, set())[0]
    (task,) = dict(layer).values()
    assert len(pickle.dumps(task)) < 1000


def test_a_long_state_is_in_a_graph_once() -> None:
    array = clrng.dask.Generator(LONG.copy()).random_raw((10, 10), chunks=2)
    source, chunks = array.dask.layers.values()
    assert (len(source), len(chunks)) == (1, 25)
    assert len(pickle.dumps(source)) > MAX_INLINE
    assert max(len(pickle.dumps(task)) for task in dict(chunks).values()) < 1000


@pytest.mark.parametrize(
    "cut", [((3, 3, 3),), ((3, 3, 1),), ((3, 1, 3),), ((0,),), ((0, 4, 4),), ((5,), (2, 2), (1, 2, 3)), ()], ids=str
)
def test_places(cut: tuple[tuple[int, ...], ...]) -> None:
    whole = da.zeros(tuple(map(sum, cut)), chunks=cut)
    places: Places = pickle.loads(pickle.dumps(Places(cut)))
    assert places.chunks == cut
    assert places.numblocks == whole.numblocks
    for index in da.core.product(*map(range, whole.numblocks)):
        starts, sizes = places[index]
        assert sizes == tuple(lengths[i] for lengths, i in zip(cut, index, strict=True))
        assert starts == tuple(sum(lengths[:i]) for lengths, i in zip(cut, index, strict=True))


def test_the_name_says_what_the_values_are() -> None:
    array = normals(1, (4, 6), (2, 3))
    assert array.name == normals(1, (4, 6), ((2, 2), (3, 3))).name
    assert array.name.startswith("standard_normal-")
    values = array.name.rpartition("-")[0]
    assert normals(1, (4, 6), 2).name.rpartition("-")[0] == values  # the same values, in other chunks
    assert normals(1, (4, 6), 2).name != array.name
    rng = clrng.dask.default_rng(1)
    rng.bit_generator.advance(1)
    others = [
        normals(2, (4, 6), (2, 3)),
        normals(1, (4, 6), (2, 3), dtype="float64"),
        clrng.dask.Generator(clrng.ParkMiller(seed=1)).standard_normal((4, 6), (2, 3)),
        clrng.dask.Generator(clrng.ParkMiller(1, 48271)).standard_normal((4, 6), (2, 3)),
        clrng.dask.default_rng(1).normal(0.0, 2.0, (4, 6), (2, 3)),
        clrng.dask.default_rng(1).normal(1.0, 2.0, (4, 6), (2, 3)),
        clrng.dask.default_rng(1).gamma(1.5, 1.0, (4, 6), (2, 3)),
        clrng.dask.default_rng(1).gamma(2.5, 1.0, (4, 6), (2, 3)),
        rng.standard_normal((4, 6), (2, 3)),
        rng.standard_normal((4, 6), (2, 3)),
    ]
    names = [array.name, *(other.name for other in others)]
    assert len({name.split("-")[1] for name in names}) == len(names)
    assert len({name.split("-")[2] for name in names}) == 1


def test_names_are_the_same_in_another_process() -> None:
    here = [
        clrng.dask.default_rng(5).poisson(3.5, (7, 8), 3).name,
        clrng.dask.Generator(clrng.LaggedFibonacci((5, 17), "+", seed=1)).normal(1.0, 2.0, 100, 7).name,
        clrng.dask.default_rng(5).choice(4, 10, p=[0.5, 0.0, 0.125, 0.375]).name,
        clrng.dask.default_rng(5).sample(stats.norm(3.0)).name,
    ]
    code = (
        "import clrng, clrng.dask\n"
        "from scipy import stats\n"
        "print(clrng.dask.default_rng(5).poisson(3.5, (7, 8), 3).name)\n"
        "print(clrng.dask.Generator(clrng.LaggedFibonacci((5, 17), '+', seed=1)).normal(1.0, 2.0, 100, 7).name)\n"
        "print(clrng.dask.default_rng(5).choice(4, 10, p=[0.5, 0.0, 0.125, 0.375]).name)\n"
        "print(clrng.dask.default_rng(5).sample(stats.norm(3.0)).name)\n"
    )
    assert said("-c", code).split() == here


def test_tokens() -> None:
    """Of equal objects they are equal, and of others they are not."""
    makers: list[Any] = [
        *(bits.copy for bits in GENERATORS.values()),
        lambda: clrng.distribution("normal", loc=1.0),
        lambda: clrng.distribution("normal", loc=2.0),
        lambda: clrng.distribution("integers", low=6),
        lambda: clrng.distribution("choice", a=2, p=[0.25, 0.75]),
        lambda: clrng.distribution("poisson", lam=3.0),
        lambda: clrng.distribution(stats.norm(1.0)),
        lambda: clrng.distribution(stats.norm(2.0)),
        lambda: clrng.distribution(stats.poisson(2.0)),
    ]
    tokens = [tokenize(make(), ensure_deterministic=True) for make in makers]
    assert tokens == [tokenize(make(), ensure_deterministic=True) for make in makers]
    assert len(set(tokens)) == len(tokens)
    moved = clrng.MRG32k3a(seed=1).advance(5).advance(-5)
    assert tokenize(moved) == tokenize(clrng.MRG32k3a(seed=1))


def test_a_generator_can_be_pickled() -> None:
    rng = clrng.dask.default_rng(3)
    rng.random(7)
    again = pickle.loads(pickle.dumps(rng))
    assert again.random((3, 4)).name == rng.random((3, 4)).name
    assert_array_equal(again.random_raw(4).compute(scheduler="synchronous"), rng.bit_generator.sequence(4))
