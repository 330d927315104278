"""Poisson numbers in kernels of the user's own, whose means the kernel chooses: those of exact thresholds."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions import on_host
from clrng.distributions.discrete import Poisson
from clrng.distributions.transforms import poisson, poisson_near
from clrng.generators import BitGenerator
from clrng.generators.generator_code import CTYPES
from clrng.opencl.devices import describe
from tests.distributions.test_parameter_arrays import exact_poisson

GENERATORS: dict[str, tuple[BitGenerator, int, str]] = {
    "31 bits": (clrng.ParkMiller(seed=7), 2, "7u"),
    "64 bits": (clrng.LCG(6364136223846793005, 1442695040888963407, 2**64, 5), 1, "5UL"),
    "10^19": (clrng.LCG(3, 1, 10**19, 1), 1, "1UL"),
    "48 bits": (clrng.LCG(25214903917, 11, 2**48, 3), 1, "3UL"),
}
"""Generators, the steps of a value, and the seed in C."""

CONSTANT_BYTES = 2**19
"""More than the table of the largest mean takes."""

KERNEL = """
__kernel void draw(__global const uint *tables, __global const float *lam, __global OUT *out, const uint each)
{
    const uint item = get_global_id(0);
    my_state state = my_seed(SEED, (ulong)STEPS * item * each);
    for (uint i = item * each; i < item * each + each; i++) out[i] = my_next_counts_with(&state, tables, lam[i]);
}
"""


def drawn(
    queue: cl.CommandQueue, name: str, means: npt.NDArray[np.float32], most: float, dtype: str = "int64",
    each: int = 8,
) -> npt.NDArray[Any]:  # fmt: skip
    """Return what a kernel draws of these means, so many in each work-item."""
    bits, steps, seed = GENERATORS[name]
    chosen = clrng.distribution("poisson", lam=most)
    text = clrng.device_code(bits, device=queue.device, prefix="my_", distributions={"counts": (chosen, dtype)})
    kernel = KERNEL.replace("SEED", seed).replace("STEPS", str(steps)).replace("OUT", CTYPES[dtype])
    program = cl.Program(queue.context, text + kernel).build()
    tables, lam = cla.to_device(queue, chosen.device_tables()), cla.to_device(queue, means)  # type: ignore[attr-defined]
    out: Any = cla.zeros(queue, means.size, np.dtype(dtype))
    draw: Any = cl.Kernel(program, "draw")
    draw(queue, (means.size // each,), None, tables.data, lam.data, out.data, np.uint32(each)).wait()
    found: npt.NDArray[Any] = out.get()
    return found


def many_means(count: int, most: float) -> npt.NDArray[np.float32]:
    """Return means of every size, with the ends and subnormal ones."""
    random = np.random.default_rng(3)
    found = np.exp2(random.uniform(-60, np.log2(most), count)).astype(np.float32)
    found[::3] = random.random(found[::3].size) * most
    found[:6] = 0, -0.0, most, 1e-42, 1, np.nextafter(np.float32(1), np.float32(0))
    return found


@pytest.mark.parametrize("unsure", [poisson.UNSURE, 2**33], ids=["usual", "all by exact sums"])
@pytest.mark.parametrize("name", GENERATORS)
def test_means_that_a_kernel_chooses(
    queue: cl.CommandQueue, name: str, unsure: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poisson, "UNSURE", unsure)
    means = many_means(1600, 300)
    assert_array_equal(drawn(queue, name, means, 300), exact_poisson(GENERATORS[name][0], means))


@pytest.mark.slow
@pytest.mark.parametrize("unsure", [poisson.UNSURE, 2**33], ids=["usual", "all by exact sums"])
def test_large_means(queue: cl.CommandQueue, unsure: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(poisson, "UNSURE", unsure)
    means = many_means(160, 65535)
    assert_array_equal(drawn(queue, "64 bits", means, 65535, each=1), exact_poisson(GENERATORS["64 bits"][0], means))


WITHOUT_TABLES = """
__kernel void draw(__global const float *lam, __global long *out, const uint each)
{
    const uint item = get_global_id(0);
    my_state state = my_seed(SEED, (ulong)STEPS * item * each);
    for (uint i = item * each; i < item * each + each; i++) out[i] = my_next_counts_of(&state, lam[i]);
}
"""


def drawn_without_tables(
    queue: cl.CommandQueue, name: str, means: npt.NDArray[np.float32], each: int = 8, device: Any = None
) -> npt.NDArray[Any]:
    """Return what a kernel without tables draws of these means, so many in each work-item."""
    bits, steps, seed = GENERATORS[name]
    drawn = {"counts": clrng.distribution("poisson", lam=1)}
    text = clrng.device_code(bits, device=device or queue.device, prefix="my_", distributions=drawn)
    kernel = WITHOUT_TABLES.replace("SEED", seed).replace("STEPS", str(steps))
    program = cl.Program(queue.context, text + kernel).build()
    lam, out = cla.to_device(queue, means), cla.zeros(queue, means.size, np.int64)
    draw: Any = cl.Kernel(program, "draw")
    draw(queue, (means.size // each,), None, lam.data, out.data, np.uint32(each)).wait()
    found: npt.NDArray[Any] = out.get()
    return found


@pytest.mark.parametrize("unsure", ["few", "single precision", "all"])
@pytest.mark.parametrize("name", GENERATORS)
def test_means_without_tables(queue: cl.CommandQueue, name: str, unsure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if unsure != "few":
        monkeypatch.setattr(poisson_near, "OFF", (0.5, 0.0, 0.0, 0.0))
        monkeypatch.setattr(poisson_near, "SUM_OFF", (0.5, 0.0))
    if unsure == "all":
        monkeypatch.setattr(poisson_near, "CERTAIN", 2.0)
    means = many_means(1600, 300)
    assert_array_equal(drawn_without_tables(queue, name, means), exact_poisson(GENERATORS[name][0], means))


def test_large_means_without_tables(queue: cl.CommandQueue) -> None:
    """A device without double precision adds up masses of a few of them, and has a lower limit."""
    fp64 = describe(queue.device).fp64
    means = many_means(800, 2.0**24 - 1 if fp64 else 65535)
    found = drawn_without_tables(queue, "64 bits", means, 1)
    numbers = GENERATORS["64 bits"][0].sequence(means.size)
    expected = on_host.values(Poisson, {"lam": abs(means.astype(np.float64))}, numbers.astype(np.uint64), 2**64)
    assert_array_equal(found, expected)


def test_means_without_tables_that_are_not_legal_give_minus_one(queue: cl.CommandQueue) -> None:
    means = np.array([-1, np.nan, np.inf, -np.inf, 2.0**24, 1e30, 2.0**24 - 1, 0], np.float32)
    if not describe(queue.device).fp64:
        means[4::2] = 65536, 65535
    found = drawn_without_tables(queue, "31 bits", means)
    assert_array_equal(found[:6], -1)
    assert (found[6:] >= 0).all()


@pytest.mark.parametrize("lam", [40_000.5, 10**6, 2.0**24 - 1])
def test_a_large_mean_needs_no_constant_memory(queue: cl.CommandQueue, lam: float) -> None:
    """Of a device that has little, such as those of NVIDIA, a large table is left out."""
    own = describe(queue.device)
    if lam >= 2**16 and not own.fp64:
        pytest.skip("without double precision large means need tables")
    memory = SimpleNamespace(max_constant_buffer_size=2**16, local_mem_size=own.device.local_mem_size)
    device, bits = replace(own, device=memory), clrng.ParkMiller(seed=7)
    drawn = {"counts": clrng.distribution("poisson", lam=lam), "few": clrng.distribution("poisson", lam=3)}
    text = clrng.device_code(bits, device=device, prefix="my_", distributions=drawn, checks=True)
    assert "my_clrng_few_thresholds[" in text
    assert "my_clrng_counts_thresholds[" not in text
    kernel = """
__kernel void draw(__global long *out, __global long *by_copies)
{
    my_local_counts(near);
    const uint i = get_global_id(0);
    my_state state = my_seed(7, 2 * i), again = state;
    out[i] = my_next_counts(&state);
    by_copies[i] = my_next_counts_local(&again, near);
}
"""
    program = cl.Program(queue.context, text + kernel).build()
    outs = [cla.zeros(queue, 500, np.int64) for _ in range(2)]
    program.draw(queue, (500,), None, *(out.data for out in outs))
    expected = clrng.Generator(bits, queue).poisson(lam, 500).get()
    for out in outs:
        assert_array_equal(out.get(), expected)


def test_a_large_mean_that_is_no_float32_needs_tables(queue: cl.CommandQueue) -> None:
    memory = SimpleNamespace(max_constant_buffer_size=2**16, local_mem_size=2**15)
    device, drawn = replace(describe(queue.device), device=memory), [clrng.distribution("poisson", lam=1e6 + 0.1)]
    with pytest.raises(clrng.UnsupportedError, match="bytes of constant memory; take fewer, smaller parameters"):
        clrng.device_code(clrng.ParkMiller, device=device, distributions=drawn)


def test_the_smallest_and_the_largest_numbers(queue: cl.CommandQueue) -> None:
    """Of raw values at both ends, which are in no table of interpolation."""
    for start in (1, 2**31 - 2):
        bits = clrng.LCG(1, 0, 2**31 - 1, start)
        GENERATORS["ends"] = bits, 2, f"{start}u"
        try:
            means = many_means(64, 300)
            assert_array_equal(drawn(queue, "ends", means, 300), exact_poisson(bits, means))
        finally:
            del GENERATORS["ends"]


def test_means_that_are_not_legal_give_minus_one(queue: cl.CommandQueue) -> None:
    means = np.array([-1, np.nan, np.inf, -np.inf, 41, 40.00001, 40, 0], np.float32)
    found = drawn(queue, "31 bits", means, 40, "int32")
    assert_array_equal(found[:6], -1)
    assert (found[6:] >= 0).all()
    assert_array_equal(drawn(queue, "31 bits", means, 40, "uint8")[:6], 255)


def test_where_there_is_no_such_function(queue: cl.CommandQueue) -> None:
    few = clrng.LCG(5, 1, 2**20, 1)  # N is 2^40
    for bits, lam in ((few, 3), (clrng.ParkMiller(seed=1), 65536)):
        chosen = clrng.distribution("poisson", lam=lam)
        text = clrng.device_code(bits, device=queue.device, prefix="my_", distributions={"poisson": chosen})
        assert "next_poisson_with" not in text
    with pytest.raises(ValueError, match="lam must be below 65536 for device_tables, not 65536\\.0"):
        chosen.device_tables()  # type: ignore[attr-defined]


def test_arrays_of_parameters_are_refused() -> None:
    for chosen in (clrng.distribution("weibull", a=[1.0, 2.0]), clrng.distribution("poisson", lam=[1.0, 2.0])):
        with pytest.raises(
            TypeError, match="distributions must have parameters that are numbers, .* by Generator, and"
        ):
            clrng.device_code(clrng.ParkMiller, distributions={"x": chosen})
