"""What cuRAND made on an H200, and how its streams lie."""

import pickle
from collections.abc import Iterator
from typing import Any

import mpmath
import numpy as np
import pyopencl as cl
import pytest

import clrng
from clrng.frontends.device_libraries import converted, curand, curand_sets, dealt
from clrng.opencl.traits import traits_of
from tests.support.curand_host import ORDERINGS, CurandHost
from tests.support.device_libraries import digest, recorded

H200, HOST = "curand 10400 H200", "curand 10310 host"
CUPY, CUPY_GENERATORS = "cupy 14.2.0 H200", "cupy 14.2.0 generators H200"
NEAR = {"float32": 2.0**-18, "float64": 2e-15}
"""By how much normal numbers may differ."""


def rows() -> Iterator[Any]:
    """Yield libraries and calls; the streams of MT19937 take seconds to make."""
    for library in (H200, HOST):
        for calls in recorded(library):
            yield pytest.param(library, calls, marks=pytest.mark.slow if calls.startswith("mt19937") else ())


def skip_what_cannot_run(device: clrng.DeviceInfo, kind: str) -> None:
    if kind == "mtgp32" and curand_sets.header() is None:
        pytest.skip("cuRAND's header with the parameters of MTGP32 is not installed")
    if kind == "mt19937" and traits_of(device).short_loops:
        pytest.skip("Mesa's llvmpipe takes half an hour for the 8192 states of MT19937")


@pytest.mark.parametrize(("library", "calls"), list(rows()))
def test_it_is_what_curand_made(queue: cl.CommandQueue, device: clrng.DeviceInfo, library: str, calls: str) -> None:
    given, rest = calls.split(": ")
    kind, seed, offset, ordering = given.split()
    skip_what_cannot_run(device, kind)
    ours = clrng.Curand(kind, int(seed), int(offset), ordering, queue=queue)
    for call, expected in zip(rest.split(", "), recorded(library)[calls].split(", "), strict=True):
        method, size = call.split()
        if not device.fp64 and (kind == "mrg32k3a" or method not in ("generate", "uniform")):
            with pytest.raises(clrng.UnsupportedError, match=f"{method} needs double precision"):
                getattr(ours, method)(int(size))
            return
        found = getattr(ours, method)(int(size)).get()
        if expected.startswith("near"):
            theirs = np.array(expected.split()[1:], np.uint64).astype(f"u{found.dtype.itemsize}").view(found.dtype)
            assert np.abs(found[: theirs.size] - theirs).max() < NEAR[found.dtype.name]
        else:
            assert digest(found) == expected


@pytest.mark.parametrize("call", list(recorded(CUPY)))
def test_it_is_what_cupy_draws(queue: cl.CommandQueue, device: clrng.DeviceInfo, call: str) -> None:
    method, seed, size = call.split()
    rng, n, expected = clrng.Curand("xorwow", int(seed), queue=queue), int(size), recorded(CUPY)[call]
    if method != "uniform" and not device.fp64:
        return
    if expected.startswith("near"):  # CuPy draws one more than an odd number
        found = getattr(rng, method)(n + n % 2).get()[:n]
        theirs = np.array(expected.split()[1:], np.uint64).astype(f"u{found.dtype.itemsize}").view(found.dtype)
        assert np.abs(found[: theirs.size] - theirs).max() < NEAR[found.dtype.name]
    else:
        assert digest(getattr(rng, method)(n).get() % 1) == expected


@pytest.mark.parametrize("call", list(recorded(CUPY_GENERATORS)))
def test_it_is_what_generators_of_cupy_draw_first(queue: cl.CommandQueue, device: clrng.DeviceInfo, call: str) -> None:
    method, kind, seed, size = call.split()
    if not device.fp64 and (kind, method) != ("xorwow", "uniform"):
        return
    mixed = int(np.random.SeedSequence(int(seed)).generate_state(1)[0])
    found = getattr(clrng.Curand(kind, mixed, streams=132 * 2048, queue=queue), method)(int(size)).get()
    assert digest(np.where(found == 1, np.zeros_like(found), found)) == recorded(CUPY_GENERATORS)[call]


def test_elements_are_of_many_streams(queue: cl.CommandQueue) -> None:
    rng, first = clrng.Curand("xorwow", 5, queue=queue), curand.xorwow(5)
    words = rng.generate((3, 4096)).get()
    for stream in (0, 1, 4095):
        np.testing.assert_array_equal(words[:, stream], first.jumped(stream * 2**67).sequence(3))
    np.testing.assert_array_equal(
        rng.generate(100).get(), clrng.Curand("xorwow", 5, 3 * 4096, queue=queue).generate(100).get()
    )


@pytest.mark.parametrize("kind", ["xorwow", "philox4_32_10"])
def test_other_values_follow_where_all_streams_have_given_as_many(
    queue: cl.CommandQueue, device: clrng.DeviceInfo, kind: str
) -> None:
    rng, row = clrng.Curand(kind, 5, queue=queue), 4096 if kind == "xorwow" else 2**18
    rng.generate(row + 1)
    rng.uniform(row - 1)
    if not device.fp64:
        return
    wanted = clrng.Curand(kind, 5, queue=queue)
    wanted.uniform_double(row)
    np.testing.assert_array_equal(rng.uniform_double(7).get(), wanted.uniform_double(7).get())
    with pytest.raises(clrng.UnsupportedError, match=r"generate takes 1 word\(s\) of a stream, not 2"):
        rng.generate(1)
    np.testing.assert_array_equal(rng.uniform_double(7).get(), wanted.uniform_double(7).get())


@pytest.mark.parametrize("ordering", ORDERINGS)
@pytest.mark.parametrize(
    "kind", ["xorwow", "mrg32k3a", "philox4_32_10", "mtgp32", pytest.param("mt19937", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("method", ["generate", "uniform", "uniform_double"])
def test_it_is_what_curand_makes_on_the_host(
    queue: cl.CommandQueue, device: clrng.DeviceInfo, kind: str, ordering: str, method: str
) -> None:
    skip_what_cannot_run(device, kind)
    theirs = CurandHost(kind, 2**50 + 2026, 0, ordering)
    if not device.fp64 and (kind == "mrg32k3a" or method == "uniform_double"):
        pytest.skip("the values need double precision")
    ours = clrng.Curand(kind, 2**50 + 2026, 0, ordering, queue=queue)
    for n in (1, 7, 300_000, 77):
        np.testing.assert_array_equal(getattr(ours, method)(n).get(), theirs.draw(method, n))


def test_a_stream_of_mt19937_gives_each_word_once() -> None:
    rows = converted.rows_of_eights()
    np.testing.assert_array_equal(np.sort(rows, axis=None), np.arange(624))
    np.testing.assert_array_equal(
        rows[[0, 1, 7, 8, 15, 77]],
        [
            [0, 113, 170, 283, 340, 397, 510, 567], [1, 8, 15, 22, 29, 36, 43, 50], [7, 14, 21, 28, 35, 42, 49, 56],
            [57, 64, 71, 78, 85, 92, 99, 106], [114, 121, 128, 135, 142, 149, 156, 163],
            [574, 581, 588, 595, 602, 609, 616, 623],
        ],
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "method", "near"),
    [
        ("mt19937", "normal", 1e-6), ("mt19937", "normal_double", 1e-14), ("mtgp32", "normal", 1e-6),
        ("mtgp32", "normal_double", 1e-6),
    ],
)  # fmt: skip
def test_normals_of_one_word_are_near_those_of_the_host(
    queue: cl.CommandQueue, device: clrng.DeviceInfo, kind: str, method: str, near: float
) -> None:
    skip_what_cannot_run(device, kind)
    theirs = CurandHost(kind, 2026).draw(method, 300_001)
    if not device.fp64:
        pytest.skip("the values need double precision")
    ours = getattr(clrng.Curand(kind, 2026, queue=queue), method)(300_001).get()
    assert np.abs(ours.astype(float) - theirs).max() < near


def test_normals_of_words_are_inverses_of_the_distribution_function() -> None:
    words = np.concatenate([2 ** np.arange(32), 2**32 - 2 ** np.arange(32), np.arange(1, 2**32, 2**25)])
    found = curand.OF_TWISTER["normal_double"].made(words.astype(np.uint32)[:, None])[:, 0]
    with mpmath.workdps(40):
        expected = [float(mpmath.sqrt(2) * mpmath.erfinv((mpmath.mpf(2 * int(w) + 1)) / 2**32 - 1)) for w in words]
    np.testing.assert_allclose(found, expected, rtol=2e-15)


@pytest.mark.slow
def test_mt19937_goes_on_in_a_later_block(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    streams = 64  # not 8192, which take minutes on llvmpipe
    kind = curand.KINDS["mt19937"]._replace(streams={"default": streams})
    monkeypatch.setitem(curand.KINDS, "mt19937", kind)
    rng = clrng.Curand("mt19937", 7, queue=queue)
    block = 624 * streams
    first = rng.generate(block + 10).get()
    again = pickle.loads(pickle.dumps(rng))

    def failing(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(dealt, "converted", failing)
        with pytest.raises(KeyboardInterrupt):
            rng.generate(3 * block)
    values = rng.generate(1000).get()
    np.testing.assert_array_equal(again.generate(1000).get(), values)
    last = clrng.MT19937(7).jumped(624).sequence(1)  # the first value of a block is the next one of the first stream
    np.testing.assert_array_equal(first[block], last[0])


def test_pickles_and_what_fails(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = clrng.Curand("xorwow", 2**63, 5, queue=queue)
    assert rng.generate((0, 3)).shape == (0, 3)
    rng.generate(1000)

    def failing(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(curand, "converted", failing)
        with pytest.raises(KeyboardInterrupt):
            rng.generate(10_000)
    again = pickle.loads(pickle.dumps(rng))
    assert repr(again).startswith(
        "Curand(kind='xorwow', seed=9223372036854775808, offset=5, ordering='default', streams=None) on "
    )
    np.testing.assert_array_equal(again.generate(9000).get(), rng.generate(9000).get())
    np.testing.assert_array_equal(
        rng.generate(5).get(), clrng.Curand("xorwow", 2**63, 10_005, queue=queue).generate(5).get()
    )


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: clrng.Curand("mtgp64"), ValueError, "kind must be"),
        (
            lambda: clrng.Curand("xorwow", -1),
            ValueError,
            "seed must be an integer from 0 to 18446744073709551615, not -1",
        ),
        (lambda: clrng.Curand("xorwow", 0, -1), ValueError, "offset must be an integer from 0 to"),
        (lambda: clrng.Curand("mt19937", offset=5), ValueError, "offset must be 0 for mt19937, as in cuRAND, not 5"),
        (lambda: clrng.Curand("mtgp32", offset=5), ValueError, "offset must be 0 for mtgp32, as in cuRAND, not 5"),
        (lambda: clrng.Curand("mtgp32", streams=5), ValueError, "streams must be None for mtgp32, not 5"),
        (lambda: clrng.Curand("mt19937", streams=5), ValueError, "streams must be None for mt19937, not 5"),
        (lambda: clrng.Curand("philox4_32_10", streams=5), ValueError, "streams must be None for philox4_32_10, not 5"),
        (
            lambda: clrng.Curand("xorwow", streams=0),
            ValueError,
            "streams must be an integer from 1 to 2147483648, not 0",
        ),
        (lambda: clrng.Curand("xorwow", ordering="dynamic"), ValueError, "ordering must be"),
        (
            lambda: clrng.Curand("xorwow").normal(3),
            (ValueError, clrng.UnsupportedError),
            "an even number|double precision",
        ),
    ],
)
def test_what_is_not_legal_is_refused(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
