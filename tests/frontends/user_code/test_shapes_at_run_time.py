"""Continuous distributions in kernels of the user's own, whose shapes the kernel chooses: those of arrays of shapes."""

import re
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
from clrng.distributions.quantiles.surfaces import surface
from clrng.distributions.shapes import SURFACES
from clrng.generators.generator_code import CTYPES
from clrng.opencl.devices import describe
from tests.frontends.user_code.test_means_at_run_time import GENERATORS
from tests.support.reference_surfaces import drawn_numbers, value

KERNEL = """
__kernel void draw(__global const uint *tables, __global const OUT *shape, __global OUT *out, const uint each)
{
    const uint item = get_global_id(0);
    my_state state = my_seed(SEED, (ulong)STEPS * item * each);
    for (uint i = item * each; i < item * each + each; i++) out[i] = my_next_it_of(&state, tables, shape[i]);
}
"""

OTHERS = {"wald": {"mean": 1.0}, "vonmises": {"mu": 0.0}, "lognormal": {"mean": 0.0}}
"""Parameters that have no default."""

EACH, COUNT = 8, 160


def one_of(name: str) -> clrng.Distribution:
    """Return a distribution of this name, whose own parameters do not matter."""
    return clrng.distribution(name, **OTHERS.get(name, {}), **{SURFACES[name].shape: 2.0})


def drawn(
    queue: cl.CommandQueue, name: str, bits: str, shapes: npt.NDArray[Any], ends: tuple[float, float], held: Any = None
) -> npt.NDArray[Any]:
    """Return what a kernel draws of these shapes, with tables from one end to the other, or those that are `held`."""
    generator, steps, seed = GENERATORS[bits]
    dtype = shapes.dtype.name
    steps = steps if dtype == "float64" else 1
    text = clrng.device_code(generator, device=queue.device, prefix="my_", distributions={"it": (one_of(name), dtype)})
    kernel = KERNEL.replace("SEED", seed).replace("STEPS", str(steps)).replace("OUT", CTYPES[dtype])
    program = cl.Program(queue.context, text + kernel).build()
    tables = cla.to_device(queue, clrng.shape_tables(one_of(name), *ends, dtype) if held is None else held)
    given: Any = cla.to_device(queue, shapes)
    out: Any = cla.zeros(queue, shapes.size, shapes.dtype)
    draw: Any = cl.Kernel(program, "draw")
    draw(queue, (shapes.size // EACH,), None, tables.data, given.data, out.data, np.uint32(EACH)).wait()
    found: npt.NDArray[Any] = out.get()
    return found


def many(ends: tuple[float, float], dtype: str) -> npt.NDArray[Any]:
    """Return shapes from one end to the other."""
    found = np.geomspace(*ends, COUNT).astype(dtype)
    found[0], found[-1] = ends
    return found


def expected(name: str, bits: str, shapes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return values by the independent form of the definition."""
    parts, dtype = SURFACES[name], shapes.dtype.name
    numbers, count = drawn_numbers(GENERATORS[bits][0], dtype, shapes.size)
    found = surface(parts.family, dtype, *parts.octaves(float(shapes.min()), float(shapes.max())))
    made = [value(x, count, shape, found, parts.doublings) for x, shape in zip(numbers, shapes.tolist(), strict=True)]
    return np.array(made, dtype)


@pytest.mark.parametrize("name", SURFACES)
def test_shapes_that_a_kernel_chooses(queue: cl.CommandQueue, name: str) -> None:
    shapes = many((0.75, 5.5), "float32")
    found = drawn(queue, name, "64 bits", shapes, (0.75, 5.5))
    assert_array_equal(found, expected(name, "64 bits", shapes))


@pytest.mark.parametrize("bits", GENERATORS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_dtypes_and_generators(queue: cl.CommandQueue, bits: str, dtype: str) -> None:
    if dtype == "float64" and not queue.device.double_fp_config:
        pytest.skip("the device has no double precision")
    shapes = many((2.0, 3.9), dtype)
    found = drawn(queue, "chisquare", bits, shapes, (2.0, 3.9))
    assert_array_equal(found, expected("chisquare", bits, shapes))


def test_values_are_those_of_an_array_of_shapes(queue: cl.CommandQueue) -> None:
    shapes = many((0.1, 100.0), "float32")
    generator = clrng.Generator(clrng.LCG(6364136223846793005, 1442695040888963407, 2**64, 5), queue)
    assert_array_equal(
        drawn(queue, "gamma", "64 bits", shapes, (0.1, 100.0)), generator.standard_gamma(shapes, dtype="float32").get()
    )


@pytest.mark.parametrize("name", ["standard_gamma", "chisquare", "vonmises", "standard_t"])
def test_shapes_that_tables_do_not_have(queue: cl.CommandQueue, name: str) -> None:
    """Tables have the shapes of each power of 2, and all small ones of those that have one octave for these."""
    shapes = np.array([4, 7.9, 8, 3.9, 1e-42, 0, -0.0, -1, np.nan, np.inf, -np.inf, 1e30, 15.9, 16, 2, 5], np.float32)
    is_small = np.array([0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0], bool)
    found = drawn(queue, name, "64 bits", shapes, (4.0, 15.0))
    legal = (shapes >= 4) & (shapes < 16)
    legal |= (shapes == 0) & (name in {"standard_gamma", "vonmises"})
    assert_array_equal(np.isnan(found), ~legal)
    small = drawn(queue, "vonmises", "64 bits", shapes, (0.5, 0.75))
    assert_array_equal(np.isnan(small), ~(is_small & (shapes < 2)))


def test_tables_of_something_else(queue: cl.CommandQueue) -> None:
    shapes = many((2.0, 3.9), "float32")
    for name, tables in (("vonmises", one_of("gamma")), ("gamma", one_of("wald"))):
        found = drawn(queue, name, "64 bits", shapes, (2.0, 3.9), clrng.shape_tables(tables, 2.0, 3.9))
        assert np.isnan(found).all()
    if queue.device.double_fp_config:
        found = drawn(
            queue, "gamma", "64 bits", shapes.astype(float), (2.0, 3.9), clrng.shape_tables(one_of("gamma"), 2, 3)
        )
        assert np.isnan(found).all()


def test_little_constant_memory(queue: cl.CommandQueue) -> None:
    """Of what has a larger table than that holds there is only the function whose shape a kernel chooses."""
    info = describe(queue.device)
    held = SimpleNamespace(max_constant_buffer_size=2**10, local_mem_size=info.device.local_mem_size)
    given = {"it": one_of("gamma"), "die": clrng.distribution("integers", low=1, high=7)}
    text = clrng.device_code(
        GENERATORS["64 bits"][0], device=replace(info, device=held), prefix="my_", distributions=given, checks=True
    )
    assert "my_next_it_of(" in text
    assert not {"my_next_it(", "my_next_it_with(", "my_next_it_local("} & set(re.findall(r"my_next_it\w*\(", text))
    program = cl.Program(queue.context, text).build()
    assert "my_check_die" in {kernel.function_name for kernel in program.all_kernels()}


def test_of_what_there_are_tables() -> None:
    gamma = one_of("gamma")
    with pytest.raises(TypeError, match="distribution must be a distribution, not 'gamma'"):
        clrng.shape_tables("gamma", 1, 2)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="distribution must be one of standard_gamma, .*, not .*Normal"):
        clrng.shape_tables(clrng.distribution("normal"), 1, 2)
    with pytest.raises(ValueError, match="least must be a number from .*, not -1"):
        clrng.shape_tables(gamma, -1, 2)
    with pytest.raises(ValueError, match="most must be a number from .*, not 1e\\+300"):
        clrng.shape_tables(gamma, 1, 1e300)
    with pytest.raises(TypeError, match="most must be a number from .*, not 'two'"):
        clrng.shape_tables(gamma, 1, "two")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="most must be at least 2.0, which is least, not 1.0"):
        clrng.shape_tables(gamma, 2, 1)
    with pytest.raises(ValueError, match="dtype must be float32 or float64, not float16"):
        clrng.shape_tables(gamma, 1, 2, "float16")
    with pytest.raises(TypeError, match="dtype must be float32 or float64, not 'real'"):
        clrng.shape_tables(gamma, 1, 2, "real")
    assert clrng.shape_tables(gamma, 1, 1.5).nbytes < clrng.shape_tables(gamma, 1, 2.5).nbytes
    assert_array_equal(
        clrng.shape_tables(gamma, 1, 1.5), clrng.shape_tables(clrng.distribution("gamma", shape=9), 1, 1.5)
    )
