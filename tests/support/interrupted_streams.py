"""Interrupt streams by signals at random moments: ``python -m tests.support.interrupted_streams DEVICE GENERATOR``.

Prints how many calls were interrupted.
"""

import os
import random
import signal
import sys
import time
from threading import Event, Semaphore, Thread

import clrng
from tests.frontends.test_interrupts import APART, COUNT, JUMPED

SIGNALS, STEPS = 40, 1000


def main() -> None:
    """Move streams on until a signal comes, and compare with the jumps of the host."""
    device, name = sys.argv[1:]
    bits = JUMPED[name].jumped(0)
    streams = clrng.Streams.by_jumps(bits, COUNT, APART, clrng.make_queue(int(device)))
    for keep in ("all", "last"):
        streams.random_raw(STEPS, keep)  # builds
    done, interrupted, begin, sent = 2 * STEPS, 0, Semaphore(0), Event()
    chance = random.Random(1)

    def send() -> None:
        for _ in range(SIGNALS):
            begin.acquire()
            time.sleep(chance.random() * 0.01)
            os.kill(os.getpid(), signal.SIGINT)
            sent.set()

    Thread(target=send, daemon=True).start()
    for number in range(SIGNALS):
        calls = 0
        sent.clear()
        try:
            begin.release()
            while not sent.is_set():
                streams.random_raw(STEPS, "all" if number % 2 else "last")
                calls += 1
            time.sleep(0.05)  # until the signal is seen
        except KeyboardInterrupt:
            interrupted += 1
        sent.wait()
        found = streams.states.reshape(COUNT, -1).tolist()
        for more in (calls * STEPS, (calls + 1) * STEPS):
            if found == [list(bits.jumped(i * APART + done + more).words) for i in range(COUNT)]:
                done += more
                break
        else:
            sys.exit(f"{calls} calls of {STEPS} steps, {done} steps on, lead to other states")
    print(interrupted, flush=True)
    os._exit(0)  # as some drivers fail when a process takes them down


if __name__ == "__main__":
    main()
