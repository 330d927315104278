"""Numbers in kernels of the user's own that choose all parameters: those that `Generator` makes of arrays of them."""

import re
from copy import deepcopy
from dataclasses import replace
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions.transforms.uniform import INTERVALS
from clrng.frontends import user_chosen
from clrng.generators.generator_code import CTYPES
from clrng.opencl.devices import DeviceInfo, describe
from tests.frontends.user_code.test_means_at_run_time import GENERATORS

KERNEL = """
__kernel void draw(DECLARED, __global OUT *out, const uint each)
{
    const uint item = get_global_id(0);
    my_state state = my_seed(SEED, (ulong)STEPS * item * each);
    for (uint i = item * each; i < item * each + each; i++) out[i] = my_next_it_of(&state, PASSED);
}
"""

EACH, COUNT, MANY = 4, 400, 1100
"""So many are `MANY` that triangular numbers have no tables."""

PLAIN: dict[str, dict[str, Any]] = {
    "uniform": {"low": 0, "high": 1},
    "triangular": {"left": 0, "mode": 0.5, "right": 1},
    "binomial": {"n": 3, "p": 0.5},
    "geometric": {"p": 0.5},
    "negative_binomial": {"n": 3, "p": 0.5},
    "hypergeometric": {"ngood": 3, "nbad": 3, "nsample": 2},
}
"""Distributions with parameters that are not used, in the order in which functions take them."""

Given = dict[str, npt.NDArray[Any]]


def drawn(
    queue: cl.CommandQueue, name: str, bits: str, given: Given, dtype: str, device: DeviceInfo | None = None,
    **options: Any,
) -> npt.NDArray[Any]:  # fmt: skip
    """Return what a kernel draws of these parameters, each an array in the function's order."""
    generator, steps, seed = GENERATORS[bits]
    law = clrng.distribution(name, **PLAIN[name], **options)
    text = clrng.device_code(generator, device=device or queue.device, prefix="my_", distributions={"it": (law, dtype)})
    arrays = [cla.to_device(queue, each) for each in given.values()]
    declared = ", ".join(f"__global const {CTYPES[each.dtype.name]} *a{i}" for i, each in enumerate(arrays))
    passed = ", ".join(f"a{i}[i]" for i in range(len(arrays)))
    kernel = KERNEL.replace("DECLARED", declared).replace("PASSED", passed).replace("OUT", CTYPES[dtype])
    kernel = kernel.replace("SEED", seed).replace("STEPS", "1" if dtype == "float32" else str(steps))
    program = cl.Program(queue.context, text + kernel).build()
    out: Any = cla.zeros(queue, arrays[0].size, np.dtype(dtype))
    program.draw(queue, (out.size // EACH,), None, *(each.data for each in arrays), out.data, np.uint32(EACH))
    found: npt.NDArray[Any] = out.get()
    return found


def expected(
    queue: cl.CommandQueue, name: str, bits: str, given: Given, dtype: str, **options: Any
) -> npt.NDArray[Any]:
    """Return what `Generator` makes of them."""
    generator = clrng.Generator(deepcopy(GENERATORS[bits][0]), queue)
    size = next(iter(given.values())).size
    made: npt.NDArray[Any] = generator.sample(clrng.distribution(name, **given, **options), size, dtype).get()
    return made


def parameters_of(name: str, dtype: str = "", *, fp64: bool = True) -> Given:
    """Return parameters of all sizes, with the ends of their ranges, where these do not make loops long."""
    random = np.random.default_rng(3)
    sizes = random.random(COUNT) ** np.resize([1, 3, 12], COUNT)
    p = np.maximum(
        sizes, {"geometric": 2.0**-57, "negative_binomial": 2.0**-10 if fp64 else 2.0**-5}.get(name, 0)
    ).astype(np.float32)
    p[:5], p[20:60] = [p.min(), 1, 0.5, 1 - 2.0**-24, 0.999], 0.5
    if name in ("uniform", "triangular"):
        shape = len(PLAIN[name]), MANY
        ends = random.normal(size=shape) * 10.0 ** random.integers(-9, 9, shape)
        return dict(zip(PLAIN[name], np.sort(ends, axis=0).astype(dtype), strict=True))
    if name == "binomial":
        n = np.exp2(random.uniform(0, 17, COUNT)).astype(np.int32)
        n[5:9], n[20:60] = 0, random.integers(0, 20, 40)
        return {"n": n, "p": p}
    if name == "negative_binomial":
        return {"n": np.exp2(random.uniform(-20, 3, COUNT)).astype(np.float32) * p**2 * 100, "p": p}
    if name == "hypergeometric":
        good, bad = np.exp2(random.uniform(0, 16, (2, COUNT))).astype(np.int32)
        good[:9], bad[9:20] = 0, 0
        return {"ngood": good, "nbad": bad, "nsample": (random.random(COUNT) * (good + bad + 1)).astype(np.int32)}
    return {"p": p}


COUNTS = [name for name in PLAIN if name not in ("uniform", "triangular")]
MARGINS: dict[str, dict[str, Any]] = {
    "few": {},
    "single precision": {"off": (2.0, 0.0, 0.0, 0.0), "sum_off": (0.5, 0.0)},
    "all": {"off": (2.0, 0.0, 0.0, 0.0), "sum_off": (0.5, 0.0), "certain": 2.0},
}
"""What is not sure: few values, all in single precision, or all in double precision too."""


@pytest.mark.parametrize("unsure", MARGINS)
@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("bits", GENERATORS)
def test_counts(queue: cl.CommandQueue, bits: str, name: str, unsure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    margins = user_chosen.margins
    monkeypatch.setattr(user_chosen, "margins", lambda module: margins(module) | MARGINS[unsure])
    given = parameters_of(name, fp64=describe(queue.device).fp64)
    assert_array_equal(drawn(queue, name, bits, given, "int64"), expected(queue, name, bits, given, "int64"))


@pytest.mark.parametrize("name", COUNTS)
def test_counts_without_double_precision(queue: cl.CommandQueue, name: str) -> None:
    given = parameters_of(name, fp64=False)
    found = drawn(queue, name, "64 bits", given, "int64", replace(describe(queue.device), fp64=False))
    assert_array_equal(found, expected(queue, name, "64 bits", given, "int64"))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("bits", ["31 bits", "64 bits", "10^19"])
def test_uniform_and_triangular(queue: cl.CommandQueue, bits: str, dtype: str) -> None:
    if not describe(queue.device).fp64:
        pytest.skip("triangular numbers need double precision")
    calls: list[tuple[str, dict[str, Any]]] = [("uniform", {"interval": each}) for each in INTERVALS]
    if dtype == "float32" or queue.device.max_constant_buffer_size >= 2**18:  # the table of float64 is large
        calls.append(("triangular", {}))
    for name, options in calls:
        given = parameters_of(name, dtype)
        found = drawn(queue, name, bits, given, dtype, **options)
        assert_array_equal(found, expected(queue, name, bits, given, dtype, **options), err_msg=f"{name} {options}")


def test_float64_numbers_of_numpys_generators(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    if not describe(queue.device).fp64:
        pytest.skip("float64 numbers need double precision")
    bits = clrng.Philox(key=5)
    text = clrng.device_code(bits, device=queue.device, prefix="my_", distributions=[(UNIFORM, "float64")])
    assert "my_next_uniform_of(my_state *, double low, double high)" in text
    seed = "".join(f"{int(each)}UL, " for each in bits.words)
    monkeypatch.setitem(GENERATORS, "numpy", (bits, 1, f"(const __private ulong[]){{{seed}}}"))
    given = parameters_of("uniform", "float64")
    assert_array_equal(
        drawn(queue, "uniform", "numpy", given, "float64"), expected(queue, "uniform", "numpy", given, "float64")
    )


UNIFORM = clrng.distribution("uniform")


@pytest.mark.parametrize(("n", "k"), [(1, 0), (2, 1), (5, 2), (10, 3)])
def test_numbers_at_thresholds(queue: cl.CommandQueue, n: int, k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With p = 1/2 a threshold is F(k) N exactly, and the number T(k) itself is above k."""
    threshold = sum(comb(n, i) for i in range(k + 1)) << 64 - n
    given = {"n": np.full(EACH, n, np.int32), "p": np.full(EACH, 0.5, np.float32)}
    bits = clrng.LCG(1, 1, 2**64, threshold - 2)  # the numbers T(k) - 1, T(k), ...
    monkeypatch.setitem(GENERATORS, "counts", (bits, 1, f"{threshold - 2}UL"))
    assert_array_equal(drawn(queue, "binomial", "counts", given, "int64"), [k, k + 1, k + 1, k + 1])


NAN, INF = np.nan, np.inf
ILLEGAL: dict[str, tuple[list[Any], ...]] = {
    "uniform": ([1, NAN, -INF, 0, 2, 1e-39, 0, 0], [1, 1, 1, INF, 1, 1, 1e-39, NAN]),
    "triangular": ([1, 0, 0, NAN, -INF, 0, 0, 0], [1, 2, -1, 0, 0, NAN, 0, 0], [1, 1, 1, 1, 1, 1, INF, -1]),
    "binomial": ([-1, 5, 5, 5, 2**31 - 1, 2**31 - 2, 5, 5], [0.5, -0.1, 1.1, NAN, 0, 0.5, INF, -INF]),
    "geometric": ([0, -1, 1.1, NAN, INF, 2.0**-58, -INF, -0.0],),
    "negative_binomial": ([0, -1, NAN, 1, 1, 2.0**31, 1e9, INF], [0.5, 0.5, 0.5, 0.0009, 1.1, 0.999, 0.5, 0.5]),
    "hypergeometric": ([-1, 1, 1, 1, 2**30, -1, 1, 0], [1, -1, 1, 1, 2**30, -1, 1, 0], [0, 0, -1, 3, 2**30, -1, 9, 1]),
}
"""Parameters that are not legal, or whose variances are too large."""


@pytest.mark.parametrize("name", ILLEGAL)
def test_parameters_that_are_not_legal(queue: cl.CommandQueue, name: str) -> None:
    if name == "triangular" and not describe(queue.device).fp64:
        pytest.skip("triangular numbers need double precision")
    kinds = {"n": np.int32 if name == "binomial" else np.float32, **dict.fromkeys(PLAIN["hypergeometric"], np.int32)}
    names = PLAIN[name]
    given = {key: np.array(each, kinds.get(key, np.float32)) for key, each in zip(names, ILLEGAL[name], strict=True)}
    floats = name in ("uniform", "triangular")
    found = drawn(queue, name, "31 bits", given, "float32" if floats else "int64")
    assert_array_equal(found, np.full(8, NAN if floats else -1))


def test_where_there_is_no_such_function(queue: cl.CommandQueue) -> None:
    single, few = replace(describe(queue.device), fp64=False), clrng.LCG(5, 1, 2**20, 1)
    triangular = [(clrng.distribution("triangular", **PLAIN["triangular"]), "float32")]
    assert "next_triangular_of" not in clrng.device_code(clrng.ParkMiller, device=single, distributions=triangular)
    others = [clrng.distribution("geometric", p=0.5), clrng.distribution("logseries", p=0.5), (UNIFORM, "float32")]
    text = clrng.device_code(few, device=queue.device, distributions=others)
    assert re.findall(r"next_\w+_of\b", text) == []
