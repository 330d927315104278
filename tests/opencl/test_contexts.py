"""What is kept for a context: as long as it is in use, and no longer."""

import gc
from pathlib import Path

import pyopencl as cl
import pytest

import clrng
from clrng.opencl import program
from clrng.opencl.kernel import _all, of_context, of_queue
from tests.conftest import make_queue
from tests.support.processes import said

BITS = {
    "park_miller": clrng.ParkMiller(seed=1),
    "mrg32k3a": clrng.MRG32k3a(),
    "lagged": clrng.LaggedFibonacci((5, 17), "+", seed=1),
}
KINDS = pytest.mark.parametrize("name", BITS)


def use(queue: cl.CommandQueue, name: str) -> None:
    """Draw with everything there is."""
    bits = BITS[name].jumped(0)
    clrng.Generator(bits, queue).random_raw(100).get()
    rng = clrng.Generator(bits, queue)
    for _ in range(3):  # from the second time on by what was found out before
        rng.random(10).get()
    clrng.Streams.by_jumps(bits, 5, 10, queue).random_raw(2).get()
    clrng.Streams.by_leapfrog(bits, 5, queue).random_raw(2).get()
    if not isinstance(bits, clrng.MRG32k3a):
        clrng.DivideAndConquer(bits, queue).random_raw(1000).get()


@KINDS
def test_nothing_of_a_context_stays(device: clrng.DeviceInfo, name: str) -> None:
    context = cl.Context([device.device])
    gc.collect()
    before = context.reference_count
    queue = cl.CommandQueue(context)
    use(queue, name)
    assert context.reference_count > before
    assert of_queue(queue) is of_context(context)
    del queue
    gc.collect()
    assert context.int_ptr not in _all
    assert context.reference_count == before


@KINDS
def test_programs_are_built_once(device: clrng.DeviceInfo, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    built, build = [], program.build

    def counting(context: cl.Context, source: str) -> cl.Program:
        built.append(source)
        return build(context, source)

    monkeypatch.setattr(program, "build", counting)
    context = cl.Context([device.device])
    queue = cl.CommandQueue(context)
    use(queue, name)
    count = len(built)
    assert count == len(set(built)) > 0
    gc.collect()
    use(queue, name)
    use(cl.CommandQueue(context), name)
    assert len(built) == count


def test_the_contexts_of_clrng_keep_their_programs(device: clrng.DeviceInfo, monkeypatch: pytest.MonkeyPatch) -> None:
    assert device.index is not None
    clrng.Generator(BITS["park_miller"].jumped(0), clrng.make_queue(device.index)).random_raw(1)
    gc.collect()
    monkeypatch.setattr(cl, "Program", None)
    clrng.Generator(BITS["park_miller"].jumped(0), clrng.make_queue(device.index)).random_raw(1)


def test_results_take_the_queue_they_are_made_on(queue: cl.CommandQueue) -> None:
    for used in (make_queue(0), cl.CommandQueue(queue.context), cl.CommandQueue(queue.context)):
        for _ in range(2):
            found = clrng.Generator(BITS["park_miller"].jumped(0), used).random_raw(5)
            assert found.queue is used
            assert found.context == used.context


MEMORY = """
import gc, resource, sys
import numpy as np, pyopencl as cl, clrng
device = clrng.choose_device(sys.argv[1]).device
draws = (
    lambda queue: clrng.Generator(clrng.ParkMiller(1), queue).random_raw(100).get(),
    lambda queue: clrng.Generator(clrng.MRG32k3a(), queue).random_raw(100).get(),
    lambda queue: clrng.Generator(clrng.LaggedFibonacci((5, 17), "+", seed=1), queue).random_raw(100).get(),
    lambda queue: clrng.Generator(clrng.PCG64(1), queue).random(101).get(),
    lambda queue: clrng.from_numpy(np.random.default_rng(1), queue=queue).integers(5, 10, 100).get(),
    lambda queue: clrng.Streams.by_jumps(clrng.ParkMiller(1), 9, queue=queue).random_raw(100).get(),
    lambda queue: clrng.Streams.by_jumps(clrng.LaggedFibonacci((5, 17), "+", seed=1), 9, 9, queue).random_raw(9).get(),
)
gc.collect()
gc.disable()  # nothing may wait for a search for circles of references
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()
for number in range(168):
    if number == 28:
        before = resident()
    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    if sys.argv[2] == "clrng":
        draws[number % len(draws)](queue)
    else:
        program = cl.Program(context, "kernel void f(global uint *x) { x[0] = 1; }").build()
        program.f(queue, (1,), None, cl.Buffer(context, cl.mem_flags.READ_WRITE, 400)).wait()
        del program
print(resident() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the memory of a process is not known")
def test_contexts_that_come_and_go_take_no_memory(device: clrng.DeviceInfo) -> None:
    def grown(user: str) -> int:
        return int(said("-c", MEMORY, device.index, user))

    drivers_own = grown("pyopencl")
    assert grown("clrng") < max(drivers_own, 0) + 30 * 2**20


AT_THE_END = """
import atexit, sys
import pyopencl as cl

def say():
    print(all(event.command_execution_status == cl.command_execution_status.COMPLETE for event in values.events))

atexit.register(say)
import clrng

queue = clrng.make_queue(int(sys.argv[1]))
values = clrng.Generator(clrng.MRG32k3a(), queue).random(2**25)
queue.flush()
print(len(values.events))
"""


def test_a_process_ends_when_its_queues_are_idle(device: clrng.DeviceInfo) -> None:
    assert said("-c", AT_THE_END, device.index) == "1\nTrue\n"
