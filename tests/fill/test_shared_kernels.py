"""Threads whose generators have queues of one context share its kernels."""

import pytest

import clrng
from tests.support.processes import said

THREADS = """
import sys, threading
import numpy as np, pyopencl as cl, pyopencl.array as cla
import clrng, clrng.order

sys.setswitchinterval(1e-6)
context, wrong, begin = clrng.make_queue(int(sys.argv[1])).context, [], threading.Barrier(4)

def located(rng, k):
    found = rng.normal(np.full(50, 1000 * k, np.float32), np.ones(50, np.float32), dtype="float32").get()
    return abs(found - 1000 * k).max() < 10

def picked(rng, k):
    return set(rng.permutation(np.arange(k, k + 50, dtype=np.uint32)).get().tolist()) == set(range(k, k + 50))

def mapped(rng, k):
    return set(rng.permutation(40 + k, method="bijective").get().tolist()) == set(range(40 + k))

def in_order(rng, k):
    values = np.arange(99, 50 - k, -1, dtype=np.uint32)
    return clrng.order.sort(cla.to_device(rng.queue, values)).get().tolist() == sorted(values.tolist())

def draw(k):
    rng = clrng.Generator(clrng.ParkMiller(seed=k), cl.CommandQueue(context))
    begin.wait()
    wrong.extend(k for _ in range(200) if not globals()[sys.argv[2]](rng, k))

threads = [threading.Thread(target=draw, args=(k,)) for k in range(1, 5)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(wrong)
"""


@pytest.mark.parametrize("call", ["located", "picked", "mapped", "in_order"])
def test_threads_that_share_kernels(device: clrng.DeviceInfo, call: str) -> None:
    """Where two set the arguments of one kernel, numbers are wrong or the process crashes."""
    assert said("-c", THREADS, device.index, call) == "[]\n"
