"""Small pieces of everything that runs on a device, for Oclgrind, which writes what it finds to its log.

Arrays are kept until the end: Oclgrind takes new memory at an old address for uninitialised beyond the old length.
"""

import sys
from typing import Any

import numpy as np
import pyopencl.array as cla

import clrng
from clrng import bench, verify
from clrng.arithmetic import ARITHMETICS, why_not
from clrng.devices import describe
from clrng.distributions import RAW
from clrng.fill import Filler
from clrng.plan import Plan
from tests import oracle

KEPT: list[Any] = []


def kept(value: Any) -> Any:
    """Return `value` and keep it."""
    KEPT.append(value)
    return value


def same(found: cla.Array, expected: Any) -> None:
    """Compare with what is expected."""
    np.testing.assert_array_equal(kept(found).get(), np.reshape(expected, found.shape))


def fills(queue: Any, name: str) -> None:
    """Fill in pieces, in both ways to share out the work, with vectors, and at odd places of a buffer."""
    rng = kept(clrng.Generator(clrng.ParkMiller(seed=1), queue, name))
    same(rng.random_raw(5), oracle.sequence(1, 5))
    same(rng.random_raw(1), oracle.sequence(1, 1, first=6))
    same(rng.random_raw(203), oracle.sequence(1, 203, first=7))
    same(rng.random(37), (oracle.sequence(1, 37, first=210) >> 7) * np.float32(2**-24))
    same(rng.random(37, dtype="float64"), oracle.sequence(1, 37, first=247) / oracle.M)
    whole = kept(cla.zeros(queue, 150, np.uint32))
    rng.random_raw(out=kept(whole[3:140]))
    same(whole, np.concatenate([np.zeros(3), oracle.sequence(1, 137, first=284), np.zeros(10)]))
    shapes = [Plan(1, 8, 2, True, False, 3, 1), Plan(1, 4, 3, False, False, 8, 4)]
    shapes += [Plan(4, 1, 2, True, False, 3, 1)] * (ARITHMETICS[name].widest > 1)
    for shape in shapes:
        out = kept(cla.zeros(queue, 301, np.uint32))
        Filler(queue, describe(queue.device), clrng.ParkMiller(seed=1), ARITHMETICS[name], RAW, shape).fill(out, 9)
        same(out, oracle.sequence(9, 301))


def streams(queue: Any, name: str) -> None:
    """Advance streams made in every way, in counts that leave some over."""
    for count in (8, 37):
        dealt = kept(clrng.Streams.by_leapfrog(clrng.ParkMiller(seed=1), count, queue, name))
        same(dealt.random_raw(3), oracle.sequence(1, 3 * count))
        jumped = kept(clrng.Streams.by_jumps(clrng.ParkMiller(seed=1), count, 5, queue, name))
        same(jumped.random_raw(5), oracle.sequence(1, 5 * count).reshape(count, 5).T)
        listed = kept(clrng.Streams.from_seeds(clrng.ParkMiller(seed=1), np.arange(1, count + 1), queue, name))
        same(listed.random_raw(2, keep="last"), [oracle.sequence(seed, 2)[1] for seed in range(1, count + 1)])
        kept(kept(clrng.Streams.from_master_seed(clrng.ParkMiller(seed=1), count, queue, name)).random(2))


def proofs(queue: Any, name: str) -> None:
    """Run the kernels of the proofs and of the measurements."""
    check = verify.every_step(queue, ARITHMETICS[name], clrng.ParkMiller(seed=1), 640)
    assert verify.finish(check, lambda _: None).passed
    bench.stepping(queue, ARITHMETICS[name], 3)


def main() -> None:
    """Run everything on the first device, which must be Oclgrind's."""
    queue = clrng.make_queue()
    device = describe(queue.device)
    if "Oclgrind" not in device.platform:
        sys.exit(f"run this under oclgrind, not on {device.platform}")
    for name in ARITHMETICS:
        reason = why_not(name, device, 16807)
        print(f"{name}: {reason or 'running'}", flush=True)
        if reason is None:
            fills(queue, name)
            streams(queue, name)
            proofs(queue, name)
    print(f"all values right on {device.name}")


if __name__ == "__main__":
    main()
