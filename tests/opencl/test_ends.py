"""The end of a process whose daemon threads still draw."""

import pytest

import clrng
from tests.support.processes import python

DAEMONS = """
import atexit, sys, threading, time

calls = [0]

def say():
    before = calls[0]
    time.sleep(0.2)  # in which hundreds of calls could be made
    print(before > 0, calls[0] - before <= 1, flush=True)  # the one that had begun may have its numbers already

atexit.register(say)  # which is called after what clrng registers
import numpy as np
import clrng, clrng.order

queue = clrng.make_queue(int(sys.argv[1]))
rng = clrng.Generator(clrng.MRG32k3a(), queue)
several = clrng.MultiDeviceGenerator(clrng.MRG32k3a(), [clrng.make_queue(int(sys.argv[1])) for _ in range(2)], [1, 1])
streams = clrng.Streams.by_jumps(clrng.MRG32k3a(), 5, 10**6, queue)
numpys = np.random.Generator(clrng.numpy_bit_generator(clrng.MRG32k3a(), queue))
values = rng.random_raw(1000)
draws = {
    "generator": lambda: rng.random(10**5),
    "host": lambda: rng.random(10**5, out=np.ndarray),
    "several": lambda: several.random(10**5, out=np.ndarray),
    "streams": lambda: streams.random_raw(100),
    "numpy": lambda: numpys.random(10**5),
    "sort": lambda: clrng.order.sort(values),
}

def draw():
    while True:
        draws[sys.argv[2]]()
        calls[0] += 1

threading.Thread(target=draw, daemon=True).start()
while calls[0] < 5:
    time.sleep(0.01)
"""


@pytest.mark.parametrize("kind", ["generator", "host", "several", "streams", "numpy", "sort"])
def test_daemons_begin_nothing_when_the_process_ends(device: clrng.DeviceInfo, kind: str) -> None:
    """What the driver makes of it afterwards is not looked at."""
    ran = python("-c", DAEMONS, device.index, kind)
    assert ran.stdout == "True True\n", ran.stderr


LATE = """
import sys, threading, time
import clrng

def draw():
    time.sleep(0.5)  # until the main thread has ended
    import numpy as np
    rng = clrng.Generator(clrng.ParkMiller(seed=1), int(sys.argv[1]))
    out = np.empty(3 * 2**21, np.float32)
    rng.random(out=out)
    print(rng.random_raw(2).get().tolist(), flush=True)

threading.Thread(target=draw).start()
"""


def test_a_thread_that_begins_after_the_end_of_the_main_one(device: clrng.DeviceInfo) -> None:
    """Python lets no module of threads be imported then, and none of them begin others."""
    ran = python("-c", LATE, str(device.index))
    expected = clrng.ParkMiller(seed=1).jumped(3 * 2**21).sequence(2).tolist()
    assert (ran.returncode, ran.stdout) == (0, f"{expected}\n"), ran.stderr
