"""Seeds make what TensorFlow makes of them."""

import pickle
from typing import Any

import numpy as np
import pyopencl as cl
import pytest

import clrng
from tests.support.device_libraries import calls, digest, recorded

TENSORFLOW = "tensorflow 2.21.0 cpu"
NEAR = 1e-6
"""By how much normal numbers may differ."""


def made(queue: cl.CommandQueue, call: str) -> Any:
    """Return what a call of the record makes here."""
    method, first, second, size, dtype, *bounds = call.split()
    seed = clrng.TensorFlowSeed((int(first), int(second)), queue)
    if method == "normal":
        return seed.normal(int(size)).get()
    return getattr(seed, method)(*map(int, bounds), int(size), dtype).get()


@pytest.mark.parametrize("call", list(calls(TENSORFLOW, "bits", "uniform", "integers")))
def test_it_is_what_tensorflow_makes(queue: cl.CommandQueue, device: clrng.DeviceInfo, call: str) -> None:
    if "float64" in call and not device.fp64:
        with pytest.raises(clrng.UnsupportedError, match="double precision"):
            made(queue, call)
        return
    assert digest(made(queue, call)) == recorded(TENSORFLOW)[call]


@pytest.mark.parametrize("call", list(calls(TENSORFLOW, "normal")))
def test_normal_numbers_are_near(queue: cl.CommandQueue, device: clrng.DeviceInfo, call: str) -> None:
    if not device.fp64:
        with pytest.raises(clrng.UnsupportedError, match="normal needs double precision"):
            made(queue, call)
        return
    theirs = np.array([float.fromhex(word) for word in recorded(TENSORFLOW)[call].split()[1:]])
    assert np.abs(made(queue, call)[: theirs.size] - theirs).max() < NEAR


def test_seeds_are_pickled(queue: cl.CommandQueue) -> None:
    seed = clrng.TensorFlowSeed([1, -(2**63)], queue)
    again = pickle.loads(pickle.dumps(seed))
    assert again.seed == (1, -(2**63))
    np.testing.assert_array_equal(again.bits((3, 5)).get(), seed.bits((3, 5)).get())
    assert seed.bits().shape == ()
    assert repr(seed).startswith("TensorFlowSeed(seed=(1, -9223372036854775808)) on ")


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: clrng.TensorFlowSeed(1), TypeError, "seed must be"),  # type: ignore[arg-type]
        (lambda: clrng.TensorFlowSeed((1, 2, 3)), ValueError, "seed must be 2 integers, not 3"),
        (lambda: clrng.TensorFlowSeed((1, 2**63)), ValueError, r"seed\[1\] must be an integer from"),
        (lambda: clrng.TensorFlowSeed((1, 2)).integers(3, 3), ValueError, "high must be above low, 3, not 3"),
        (lambda: clrng.TensorFlowSeed((1, 2)).bits(3, "int32"), ValueError, "dtype must be uint32 or uint64"),
    ],
)
def test_what_is_not_legal_is_refused(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
