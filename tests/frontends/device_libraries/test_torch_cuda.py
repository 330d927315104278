"""A GPU's numbers of PyTorch, thread by thread, and those that PyTorch made on one."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pyopencl as cl
import pytest

import clrng
from clrng.frontends.device_libraries import torch_cuda
from clrng.generators.maths.bijections import BIJECTIONS
from tests.support.device_libraries import digest, recorded

SMALL = {"multiprocessors": 2, "threads": 512}
"""A GPU that holds 1024 threads, so that these make more than one value each."""

H200 = "torch 2.11.0 cuda H200"
NEAR = {"float32": 2.0**-18, "float64": 2e-15}
"""By how much normal numbers may differ."""

FORMS = {"float32": 1, "float64": 2}
"""The words of a value by its dtype."""


def by_threads(seed: int, offset: int, n: int, words: int, most_blocks: int) -> tuple[Any, int]:
    """Return the words of every value, shape (n, words), and the next offset: the loop of PyTorch's kernel."""
    each, philox = 4 // words, BIJECTIONS["philox4x32"]
    blocks = min((n + 255) // 256, most_blocks)
    threads, found = 256 * blocks, np.zeros((n, words), np.uint32)
    for thread in range(threads):
        counter = offset // 4
        for index in range(thread, n, threads * each):
            made = philox.made((counter % 2**32, counter >> 32, thread, 0), (seed % 2**32, seed >> 32))
            for i in range(each):
                if index + threads * i < n:
                    found[index + threads * i] = made[i * words : i * words + words]
            counter += 1
    return found, offset + ((n - 1) // (threads * each) + 1) * 4


def uniform(words: Any) -> Any:
    """Return what cuRAND makes of the words of values, with 0 in place of 1, by exact sums of integers."""
    if words.shape[1] == 1:
        x = ((2 * words[:, 0].astype(np.float32).astype(np.float64) + 1) * 2.0**-33).astype(np.float32)
    else:
        joined = [int(a) ^ int(b) << 21 for a, b in words]
        x = np.array([(2 * z + 1) / 2**54 for z in joined])
    return np.where(x == 1, np.zeros_like(x), x)


@pytest.mark.parametrize("n", [1, 255, 1025, 4099, 9001])
@pytest.mark.parametrize("dtype", list(FORMS))
def test_rand_is_dealt_out_to_threads(queue: cl.CommandQueue, device: clrng.DeviceInfo, n: int, dtype: str) -> None:
    ours = clrng.TorchCuda(2**40 + 7, **SMALL, queue=queue)
    ours.offset = 2**34 - 4
    if dtype == "float64" and not device.fp64:
        with pytest.raises(clrng.UnsupportedError, match="rand of float64 needs double precision"):
            ours.rand(n, dtype)
        assert ours.offset == 2**34 - 4
        return
    words, offset = by_threads(2**40 + 7, 2**34 - 4, n, FORMS[dtype], 4)
    np.testing.assert_array_equal(ours.rand(n, dtype).get(), uniform(words))
    assert ours.offset == offset


@pytest.mark.parametrize(
    ("dtype", "low", "high"),
    [("int64", -5, 2**28 - 6), ("int64", -5, 2**28 - 5), ("int64", -(2**63), 2**63 - 1), ("uint8", 0, 256),
     ("int32", -(2**31), 2**31), ("int16", 7, 8), ("int8", -128, 127)],
)  # fmt: skip
def test_integers_are_remainders(queue: cl.CommandQueue, dtype: str, low: int, high: int) -> None:
    ours, n = clrng.TorchCuda(3, **SMALL, queue=queue), 3001
    words, offset = by_threads(3, 0, n, 1 if high - low < 2**28 else 2, 4)
    whole = [int(w[0]) if len(w) == 1 else int(w[0]) << 32 | int(w[1]) for w in words]
    expected = [word % (high - low) + low for word in whole]
    found = ours.randint(low, high, n, dtype).get()
    assert (found.dtype.name, found.tolist(), ours.offset) == (dtype, expected, offset)


@pytest.mark.parametrize(("dtype", "near"), [("float32", 3e-7), ("float64", 4e-16)])
def test_normals_are_of_box_and_muller(
    queue: cl.CommandQueue, device: clrng.DeviceInfo, dtype: str, near: float
) -> None:
    ours, n = clrng.TorchCuda(9, **SMALL, queue=queue), 3001
    if not device.fp64:
        with pytest.raises(clrng.UnsupportedError, match=f"randn of {dtype} needs double precision"):
            ours.randn(n, dtype)
        return
    each = 2 if dtype == "float32" else 1
    counters, offset = by_threads(9, 0, n, 2 if dtype == "float64" else 1, 4)
    del counters
    philox, found = BIJECTIONS["philox4x32"], ours.randn(n, dtype).get()
    expected = np.zeros(n)
    for index in range(n):
        turn, lane = divmod(index // 1024, 2 * each)
        words = philox.made((turn, 0, index % 1024, 0), (9, 0))
        if dtype == "float32":
            x, y = words[lane // 2 * 2 : lane // 2 * 2 + 2]
            u, v = np.float32(x) * 2.0**-32 + 2.0**-33, float(np.float32(y)) * 2.0**-32 + 2.0**-33
        else:
            u, v = ((2 * (a ^ b << 21) + 1) / 2**54 for a, b in (words[:2], words[2:]))
        expected[index] = np.sqrt(-2 * np.log(float(u))) * (np.sin, np.cos)[lane % 2](2 * np.pi * v)
    assert np.abs(found - expected).max() < near * 2 * 8
    assert ours.offset == offset


@pytest.mark.parametrize("calls", list(recorded(H200)))
def test_it_is_what_torch_drew_on_an_h200(queue: cl.CommandQueue, device: clrng.DeviceInfo, calls: str) -> None:
    seed, rest = calls.split(": ")
    ours = clrng.TorchCuda(int(seed), 132, queue=queue)
    for call, expected in zip(rest.split("; "), recorded(H200)[calls].split(", "), strict=True):
        method, size, dtype, *bounds = call.split()
        offset, *kept = expected.split()
        if not device.fp64 and (dtype == "float64" or method == "randn"):
            ours.offset = int(offset)
            continue
        found = getattr(ours, method)(*map(int, bounds), int(size), dtype).get()
        assert ours.offset == int(offset)
        if kept[0] == "near":
            theirs = np.array(kept[1:], np.uint64).astype(f"u{found.dtype.itemsize}").view(found.dtype)
            assert np.abs(found[: theirs.size] - theirs).max() < NEAR[dtype]
        else:
            assert digest(found) == " ".join(kept)


def test_known_numbers(queue: cl.CommandQueue) -> None:
    """These are in many notebooks: the first numbers of the seeds 0 and 42 on any GPU."""
    assert [f"{x:.4f}" for x in clrng.TorchCuda(0, 80, queue=queue).rand(3).get()] == ["0.3990", "0.5167", "0.0249"]
    assert [f"{x:.4f}" for x in clrng.TorchCuda(42, 80, queue=queue).rand(3).get()] == ["0.6130", "0.0101", "0.3984"]


def test_arrays_of_many_bytes_are_made_in_halves(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, n = clrng.TorchCuda(3, **SMALL, queue=queue), 3001
    monkeypatch.setattr(torch_cuda, "MAX_BYTES", 6100)
    found = ours.rand(n).get()
    _, offset = by_threads(3, 0, n, 1, 4)
    first, offset = by_threads(3, offset, n // 2, 1, 4)
    second, offset = by_threads(3, offset, n - n // 2, 1, 4)
    np.testing.assert_array_equal(found, uniform(np.concatenate([first, second])))
    assert ours.offset == offset


def test_shapes_pickles_and_threads(queue: cl.CommandQueue) -> None:
    ours = clrng.TorchCuda(-1, 132, queue=queue)
    assert (ours.rand((3, 0)).shape, ours.offset) == ((3, 0), 0)
    assert ours.randint(0, 10).shape == ()
    again = pickle.loads(pickle.dumps(ours))
    assert (again.seed, again.multiprocessors, again.threads, again.offset) == (-1, 132, 2048, 4)
    np.testing.assert_array_equal(again.rand((7, 5)).get(), ours.rand((7, 5)).get())
    assert repr(ours).startswith("TorchCuda(seed=-1, multiprocessors=132, threads=2048) on ")
    with ThreadPoolExecutor(4) as pool:
        found = {x.get().tobytes() for x in pool.map(lambda _: ours.rand(10), range(20))}
    assert (len(found), ours.offset) == (20, 8 + 80)


def test_what_fails_does_not_move(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = clrng.TorchCuda(0, 132, queue=queue)

    def failing(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(torch_cuda, "counted", failing)
    with pytest.raises(KeyboardInterrupt):
        ours.rand(5)
    assert ours.offset == 0


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: clrng.TorchCuda(2**64, 1), ValueError, "seed must be an integer from -9223372036854775808 to"),
        (lambda: clrng.TorchCuda(0, 0), ValueError, "multiprocessors must be an integer from 1 to 65536, not 0"),
        (lambda: clrng.TorchCuda(0, 1, 1000), ValueError, "threads must be a multiple of 256"),
        (lambda: clrng.TorchCuda(0, 1).randn(3, "float16"), ValueError, "dtype must be float32 or float64"),
        (lambda: clrng.TorchCuda(0, 1).randint(3, 3, 1), ValueError, "high must be above low, 3, not 3"),
        (lambda: clrng.TorchCuda(0, 1).randint(0, 257, 1, "uint8"), ValueError, "high must be an integer from 0 to"),
        (lambda: setattr(clrng.TorchCuda(0, 1), "offset", 3), ValueError, "offset must be a multiple of 4, not 3"),
        (lambda: clrng.TorchCuda(0, 1).rand("5"), TypeError, "size must be"),
    ],
)
def test_what_is_not_legal_is_refused(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
