"""Keys make what JAX makes of them."""

import pickle
from typing import Any

import numpy as np
import pyopencl as cl
import pytest

import clrng
from clrng.frontends.device_libraries import counted
from tests.support.device_libraries import calls, digest, number, recorded

JAX = "jax 0.10.2"
NEAR = 3
"""By how many units in the last place normal numbers may differ."""


def made(queue: cl.CommandQueue, call: str) -> Any:
    """Return what a call of the record makes here."""
    method, partitionable, seed, *arguments = call.split()
    key = clrng.JaxKey(int(seed), partitionable=partitionable == "True", queue=queue)
    if method == "randint":
        size, dtype, low, high = arguments
        return key.randint(int(size), int(low), int(high), dtype).get()
    found = getattr(key, method)(*map(number, arguments))
    if method == "fold_in":
        return np.array(found.data, np.uint32)
    return np.array([each.data for each in found], np.uint32) if method == "split" else found.get()


@pytest.mark.parametrize("call", [*calls(JAX, "bits", "uniform", "randint"), *calls(JAX, "split", "fold_in")])
def test_it_is_what_jax_makes(queue: cl.CommandQueue, device: clrng.DeviceInfo, call: str) -> None:
    if "float64" in call and not device.fp64:
        with pytest.raises(clrng.UnsupportedError, match="double precision"):
            made(queue, call)
        return
    assert digest(made(queue, call)) == recorded(JAX)[call]


def test_normal_numbers_are_near(queue: cl.CommandQueue, device: clrng.DeviceInfo) -> None:
    call = next(calls(JAX, "normal"))
    if not device.fp64:
        with pytest.raises(clrng.UnsupportedError, match="double precision"):
            clrng.JaxKey(2026, queue=queue).normal(200)
        return
    found = clrng.JaxKey(2026, queue=queue).normal(200).get()
    theirs = np.array([float.fromhex(word) for word in recorded(JAX)[call].split()], np.float32)
    assert np.abs(found - theirs).max(initial=0, where=found != 0) < 1e-6
    np.testing.assert_array_max_ulp(found, theirs, NEAR)


def test_it_is_what_the_named_generator_gives(queue: cl.CommandQueue) -> None:
    bits = clrng.Generator(clrng.named("jax_bits", 5), queue).random_raw(100)
    np.testing.assert_array_equal(clrng.JaxKey(5, queue=queue).bits((10, 10)).get().reshape(-1), bits.get())
    empty = clrng.JaxKey(5, queue=queue).bits((3, 0))
    assert empty.shape == (3, 0)
    assert clrng.JaxKey(5, queue=queue).bits().shape == ()


def test_keys_have_data_and_are_pickled() -> None:
    key = clrng.JaxKey(data=(3, 2**32 - 1), partitionable=False)
    again = pickle.loads(pickle.dumps(key))
    assert (again.data, again.partitionable) == ((3, 2**32 - 1), False)
    assert repr(key).startswith("JaxKey(data=(3, 4294967295), partitionable=False) on ")
    assert key.split(0) == []


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (clrng.JaxKey, TypeError, "one of seed and data must be given, not None and None"),
        (lambda: clrng.JaxKey(1, data=(1, 2)), TypeError, "one of seed and data must be given"),
        (lambda: clrng.JaxKey(-1), ValueError, "seed must be an integer from 0 to 4294967295, not -1"),
        (lambda: clrng.JaxKey(data=(1, 2, 3)), ValueError, "data must be 2 integers, not 3"),
        (lambda: clrng.JaxKey(data=(1, 2**32)), ValueError, r"data\[1\] must be an integer from 0 to"),
        (lambda: clrng.JaxKey(1, partitionable=1), TypeError, "partitionable must be"),
        (lambda: clrng.JaxKey(1).split(-1), ValueError, "num must be an integer from 0 to 1048576, not -1"),
        (lambda: clrng.JaxKey(1).fold_in(2**32), ValueError, "data must be an integer from 0 to 4294967295"),
        (lambda: clrng.JaxKey(1).bits(3, "int32"), ValueError, "dtype must be uint32 or uint64"),
        (lambda: clrng.JaxKey(1).randint(3, 5, 5), ValueError, "high must be above low, 5, not 5"),
        (lambda: clrng.JaxKey(1).randint(3, 0, 2**31), ValueError, "high must be an integer from"),
        (lambda: clrng.JaxKey(1).uniform(-1), ValueError, "size must be an integer from 0"),
    ],
)
def test_what_is_not_legal_is_refused(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_a_call_counts_in_32_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    clrng.JaxKey(1).bits(101)  # which proves the kernel, if it is not yet
    monkeypatch.setattr(counted, "MAX_ITEMS", 100)
    assert clrng.JaxKey(1).bits(100).shape == (100,)
    with pytest.raises(ValueError, match="size must make at most 100 values of uint32 in a call, not 101"):
        clrng.JaxKey(1).bits(101)


def test_keys_of_the_same_words_are_equal() -> None:
    key = clrng.JaxKey(1)
    assert key == clrng.JaxKey(data=key.data)
    assert {key, clrng.JaxKey(1), clrng.JaxKey(2)} == {key, clrng.JaxKey(2)}
    assert key not in (clrng.JaxKey(1, partitionable=False), clrng.JaxKey(2), 1)
