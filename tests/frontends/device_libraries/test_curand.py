"""What cuRAND made on an H200, and how its streams lie."""

import pickle
from typing import Any

import numpy as np
import pyopencl as cl
import pytest

import clrng
from clrng.frontends.device_libraries import curand
from tests.support.device_libraries import digest, recorded

H200, CUPY, CUPY_GENERATORS = "curand 10400 H200", "cupy 14.2.0 H200", "cupy 14.2.0 generators H200"
NEAR = {"float32": 2.0**-18, "float64": 2e-15}
"""By how much normal numbers may differ."""


@pytest.mark.parametrize("calls", list(recorded(H200)))
def test_it_is_what_curand_made(queue: cl.CommandQueue, device: clrng.DeviceInfo, calls: str) -> None:
    given, rest = calls.split(": ")
    kind, seed, offset, ordering = given.split()
    ours = clrng.Curand(kind, int(seed), int(offset), ordering, queue=queue)
    for call, expected in zip(rest.split(", "), recorded(H200)[calls].split(", "), strict=True):
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
        (lambda: clrng.Curand("mtgp32"), ValueError, "kind must be"),
        (
            lambda: clrng.Curand("xorwow", -1),
            ValueError,
            "seed must be an integer from 0 to 18446744073709551615, not -1",
        ),
        (lambda: clrng.Curand("xorwow", 0, -1), ValueError, "offset must be an integer from 0 to"),
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
