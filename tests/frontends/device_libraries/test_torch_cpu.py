"""A processor's numbers of PyTorch."""

import pickle
from typing import Any

import numpy as np
import pyopencl as cl
import pytest

import clrng
from clrng.frontends.device_libraries import torch_cpu
from tests.support.device_libraries import digest, recorded

TORCH = "torch 2.14.1 cpu avx2"
NEAR = 2
"""By how many units in the last place normal numbers of float64 may differ."""


@pytest.mark.parametrize("calls", list(recorded(TORCH)))
def test_it_is_what_torch_draws(queue: cl.CommandQueue, device: clrng.DeviceInfo, calls: str) -> None:
    seed, rest = calls.split(": ")
    ours = clrng.TorchCpu(int(seed), queue)
    for call, expected in zip(rest.split(";"), recorded(TORCH)[calls].split(", "), strict=True):
        method, size, dtype, *bounds = call.split()
        if dtype == "float64" and not device.fp64:
            with pytest.raises(clrng.UnsupportedError, match=f"{method} of float64 needs double precision"):
                getattr(ours, method)(int(size), dtype)
            return
        found = getattr(ours, method)(*map(int, bounds), int(size), dtype).get()
        if expected.startswith("near"):
            theirs = np.array([float.fromhex(word) for word in expected.split()[1:]])
            np.testing.assert_array_max_ulp(found[: theirs.size], theirs, NEAR)
        else:
            assert digest(found) == expected


def test_normals_are_made_in_blocks(queue: cl.CommandQueue) -> None:
    """The last 16 of a size that is no multiple of 16 are made anew, of 16 more words."""
    n = 16 * 5 + 7
    words = np.random.RandomState(3).randint(0, 2**32, n + 16, np.uint32)
    numbers = (words & 0xFFFFFF) * 2.0**-24
    found = clrng.TorchCpu(3, queue).randn((n, 1)).get().reshape(-1)
    for blocks, made in ((numbers[:80].reshape(-1, 16), found[:64]), (numbers[n:].reshape(1, 16), found[-16:])):
        radius, angle = np.sqrt(-2 * np.log(1 - blocks[:, :8])), 2 * np.pi * blocks[:, 8:]
        expected = np.concatenate([radius * np.cos(angle), radius * np.sin(angle)], axis=1).reshape(-1)
        np.testing.assert_allclose(made, expected[: made.size], atol=4e-6)


def test_pickles_and_shapes(queue: cl.CommandQueue) -> None:
    ours = clrng.TorchCpu(-1, queue)
    assert ours.rand((3, 0)).shape == (3, 0)
    assert ours.randn().shape == ()  # one of two: the other waits
    again = pickle.loads(pickle.dumps(ours))
    assert again.seed == -1
    np.testing.assert_array_equal(again.randn(3).get(), ours.randn(3).get())
    np.testing.assert_array_equal(again.rand(3000).get(), ours.rand(3000).get())
    np.testing.assert_array_equal(again.randn(3).get(), ours.randn(3).get())
    assert repr(ours).startswith("TorchCpu(seed=-1) on ")


def test_what_fails_does_not_move(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = clrng.TorchCpu(0, queue)

    def failing(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(torch_cpu, "converted", failing)
        for call in (ours.rand, ours.randn, lambda size: ours.randint(0, 10, size)):
            with pytest.raises(KeyboardInterrupt):
                call(50)
    np.testing.assert_array_equal(ours.rand(50).get(), clrng.TorchCpu(0, queue).rand(50).get())


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: clrng.TorchCpu(2**64), ValueError, "seed must be an integer from -9223372036854775808 to"),
        (lambda: clrng.TorchCpu(1.5), TypeError, "seed must be an integer"),  # type: ignore[arg-type]
        (lambda: clrng.TorchCpu(0).rand(3, "float16"), ValueError, "dtype must be float32 or float64"),
        (lambda: clrng.TorchCpu(0).randint(0, 0, 3), ValueError, "high must be above low, 0, not 0"),
    ],
)
def test_what_is_not_legal_is_refused(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
