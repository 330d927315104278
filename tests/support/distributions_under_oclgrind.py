"""Small pieces of every distribution's template, for Oclgrind; see `tests.support.under_oclgrind`.

Where Oclgrind itself is wrong, pieces are left out: its search for uninitialised values ends itself at vectors of
values of a byte, and takes a pair of scalars, stored as a vector, for uninitialised; it makes 255 of a comparison of
vectors that is to be 1, and cannot shift vectors of two words, which matters to `OF_SCALARS`.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

import clrng
from clrng.distributions.by_element import ByElements
from clrng.distributions.distribution import transform_of
from clrng.distributions.elements import FEW
from clrng.distributions.quantiles.surfaces import surface
from clrng.distributions.transforms.in_ranges import IntegerBounds
from clrng.fill.fill import FillKernel, Plan
from clrng.fill.ranges import range_sizes
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import code_for
from clrng.opencl.devices import describe
from tests.support.drawn_cases import CASES
from tests.support.kept import same
from tests.support.reference_draws import Reference, draws, located
from tests.support.reference_surfaces import drawn_numbers, value

PARK_MILLER = clrng.ParkMiller(seed=1)
GENERATORS: list[clrng.BitGenerator] = [
    PARK_MILLER,
    clrng.LCG(6364136223846793005, 1442695040888963407, 2**64, 5),
    clrng.LaggedFibonacci((5, 17), "+", seed=3),
]
"""One whose values take one step or two, one whose values take one, and one whose values of two are made in memory."""

NAMES = (
    "standard_normal", "normal", "gamma_0.5", "vonmises_3", "uniform_(]", "uniform_[]", "integers_6",
    "integers_10^12", "integers_int64", "poisson_3.5", "poisson_1000", "choice",
)  # fmt: skip
"""Cases of every template, with tables of one side and of two, and with short and long searches."""

OF_SCALARS = ("uniform_(]", "uniform_[]", "integers_10^12", "integers_int64")
"""Cases that are not made in vectors."""

BYTES = {"integers_6": "int8", "poisson_3.5": "uint8"}


SLICED = (("normal", "float32"), ("gamma_0.5", "float64"), ("poisson_3.5", "int64"), ("integers_6", "int32"))


def pieces() -> Iterator[tuple[str, str]]:
    """Yield names of cases and dtypes of more than one byte."""
    for name in NAMES:
        for dtype in CASES[name].dtypes:
            if np.dtype(dtype).itemsize > 1:
                yield name, dtype


def distribution_of(name: str) -> clrng.Distribution:
    """Return the distribution of a case."""
    method, arguments = CASES[name].method, CASES[name].arguments
    return clrng.distribution(method, **arguments)


def steps_of(bits: clrng.BitGenerator, reference: Reference, dtype: str) -> int:
    """Return how many steps a value takes."""
    return reference.steps(bits.upper_bound - bits.min_value, dtype)


def fills(queue: cl.CommandQueue, bits: clrng.BitGenerator) -> None:
    """Fill at an odd place of a buffer, and arrays of few values."""
    for name, dtype in pieces():
        case, rng = CASES[name], clrng.Generator(bits.copy(), queue)
        whole = cla.zeros(queue, 50, dtype)
        case.draw(rng, out=whole[3:40])
        same(whole, np.pad(draws(case.reference, bits, 37, dtype), (3, 10)))
        at = rng.bit_generator.copy()
        same(case.draw(rng, 3, dtype=dtype), draws(case.reference, at, 3, dtype))


def slices(queue: cl.CommandQueue, bits: clrng.BitGenerator) -> None:
    """Fill parts of arrays that are not contiguous."""
    for name, dtype in (("random_raw", bits.dtype.name), *SLICED):
        whole, rng = cla.zeros(queue, (7, 9), dtype), clrng.Generator(bits.copy(), queue)
        expected = np.zeros((7, 9), dtype)
        if name == "random_raw":
            rng.random_raw(out=whole[1:6, 7:0:-1])
            values = bits.sequence(35)
        else:
            CASES[name].draw(rng, out=whole[1:6, 7:0:-1])
            values = draws(CASES[name].reference, bits, 35, dtype)
        expected[1:6, 7:0:-1] = values.reshape(5, 7)
        same(whole, expected)


def on_a_cpu(queue: cl.CommandQueue) -> None:
    """Fill as a CPU does, without copies of tables: in vectors and in scalars."""
    device = replace(describe(queue.device), kind="cpu")
    code = code_for(PARK_MILLER, ARITHMETICS["integer"])
    for name, dtype in pieces():
        transform = transform_of(distribution_of(name), PARK_MILLER.min_value, PARK_MILLER.upper_bound, np.dtype(dtype))
        vectors = [] if name in OF_SCALARS else [Plan(4, 1, 2, True, False, 3, 1)]
        for shape in (*vectors, Plan(1, 8, 1, True, False, 3, 1)):
            out = cla.zeros(queue, 61, dtype)
            FillKernel(queue, device, code, transform, shape).fill(out, PARK_MILLER)
            same(out, draws(CASES[name].reference, PARK_MILLER, 61, dtype))


def arrays_of_parameters(queue: cl.CommandQueue) -> None:
    """Multiply by arrays and add arrays, of the host and of the device."""
    loc, scale = np.arange(5.0), np.linspace(0, 3, 3)[:, None]
    reference = CASES["standard_normal"].reference
    for dtype in ("float32", "float64"):
        expected = located(draws(reference, PARK_MILLER, 15, dtype).reshape(3, 5), loc, scale)
        on_device = [cla.to_device(queue, array.astype(dtype)) for array in (loc, scale)]
        for at, by in ((loc, scale), on_device):
            same(clrng.Generator(PARK_MILLER.copy(), queue).normal(at, by, dtype=dtype), expected)


def laws_of_elements(queue: cl.CommandQueue, bits: clrng.BitGenerator) -> None:
    """Draw by laws of their own: beta numbers by tables, gammas by a surface, and Poisson numbers by an expansion."""
    for name, columns in (
        ("poisson", {"lam": [0.5, 90.0]}),
        ("beta", {"a": [0.5, 3.0], "b": [1.0, 7.0]}),
        ("integers", {"low": [-5, 7], "high": [90, 10**6]}),
        ("uniform", {"low": [-1.0, 0.5], "high": [0.25, 9.0]}),
        ("hypergeometric", {"ngood": [3, 80], "nbad": [9, 40], "nsample": [5, 50]}),
    ):
        drawn = getattr(clrng.Generator(bits.copy(), queue), name)(**columns, size=(20, 2))
        for i in range(2):
            own = {key: values[i] for key, values in columns.items()}
            alone = getattr(clrng.Generator(bits.copy(), queue), name)(**own, size=(20, 2))
            same(drawn[:, i].copy(), alone.get()[:, i])
    means = np.linspace(0, 40, FEW + 1)
    tables = ByElements("poisson", {}, {"lam": means}, means.shape)
    expected = clrng.Generator(bits.copy(), queue).sample(tables, means.shape).get()
    same(clrng.Generator(bits.copy(), queue).poisson(means), expected)
    low, high = np.arange(40, dtype=np.int32), np.arange(40, dtype=np.int64)[::-1] + 50
    limits = IntegerBounds("int32", False, -(2**31), 2**31 - 1)
    sizes = range_sizes(queue, limits, *(cla.to_device(queue, each.copy()) for each in (low, high)))
    np.testing.assert_array_equal(sizes, [(high - low).min(), (high - low).max()])
    if bits is PARK_MILLER:
        mixed = clrng.Generator(bits.copy(), queue).noncentral_chisquare(np.linspace(1, 1.9, FEW + 1), 0.5)
        np.testing.assert_array_less(0, mixed.get())
        falling = clrng.Generator(bits.copy(), queue).triangular(0.0, np.zeros(FEW + 1), 1.0).get()
        drawn = clrng.Generator(bits.copy(), queue).random(FEW + 1).get().astype(float)
        np.testing.assert_allclose(falling, 1 - np.sqrt(1 - drawn), atol=1e-4)
    shapes = np.linspace(1, 3.9, 200)
    for dtype in ("float32", "float64"):
        numbers, count = drawn_numbers(bits, dtype, shapes.size)
        found = surface("gamma", dtype, 0, 1)
        values = [value(x, count, shape, found) for x, shape in zip(numbers, shapes.tolist(), strict=True)]
        made = clrng.Generator(bits.copy(), queue).gamma(shapes, np.full(shapes.size, 2.0), dtype=dtype)
        same(made, 2 * np.array(values, dtype))


def streams(queue: cl.CommandQueue, bits: clrng.BitGenerator) -> None:
    """Make values of several streams, of every size that there is, at places where no vectors are stored."""
    count, distance = 5, 50
    starts = [bits.jumped(distance * i) for i in range(count)]
    chosen = [("normal", "float32"), ("normal", "float64"), ("choice", "int64"), ("uniform_(]", "float32")]
    for name, dtype in [*chosen, *BYTES.items()]:
        several, reference = clrng.Streams.by_jumps(bits, count, distance, queue), CASES[name].reference
        expected = np.array([draws(reference, start, 4, dtype) for start in starts]).T
        same(several.sample(distribution_of(name), 3, dtype), expected[:3])
        whole = cla.zeros(queue, 12, dtype)
        several.sample(distribution_of(name), keep="last", out=whole[3 : 3 + count])
        same(whole, np.pad(expected[3], (3, 4)))


KERNEL = """
__kernel void draw(__global DTYPE *out, __global DTYPE *out_local)
{
    my_local_value(copy);
    const uint i = get_global_id(0);
    my_state state = my_seed(1, i * 3 * STEPS), other = state;
    for (uint j = 3 * i; j < 3 * i + 3; j++) {
        out[j] = my_next_value(&state);
        out_local[j] = my_next_value_local(&other, copy);
    }
}
"""


def kernels_of_users(queue: cl.CommandQueue) -> None:
    """Draw in a user's kernel, from tables in constant memory and from copies in local memory."""
    ctypes = {"float32": "float", "float64": "double", "int64": "long", "uint8": "uchar"}
    chosen = [("normal", "float32"), ("gamma_0.5", "float32"), ("poisson_3.5", "uint8"), ("integers_int64", "int64")]
    for name, dtype in [*chosen, ("uniform_(]", "float64")]:
        reference, device = CASES[name].reference, describe(queue.device)
        text = clrng.device_code(PARK_MILLER, "integer", device, "my_", {"value": (distribution_of(name), dtype)})
        kernel = KERNEL
        if "my_local_value" not in text:  # there is no table
            kernel = kernel.replace("my_local_value(copy);", "").replace("value_local(&other, copy)", "value(&other)")
        kernel = kernel.replace("STEPS", str(steps_of(PARK_MILLER, reference, dtype))).replace("DTYPE", ctypes[dtype])
        outs = [cla.zeros(queue, 24, dtype) for _ in range(2)]
        program = cl.Program(queue.context, text + kernel).build()
        program.draw(queue, (8,), (4,), *(out.data for out in outs))
        for out in outs:
            same(out, draws(reference, PARK_MILLER, 24, dtype))


def distributions(queue: cl.CommandQueue) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield all of it: what is said of a part, and what runs it."""
    for bits in GENERATORS:
        for run in (fills, slices, streams, laws_of_elements):
            yield f"distributions: {run.__name__} of {bits!r}", partial(run, queue, bits)
    for other in (on_a_cpu, arrays_of_parameters, kernels_of_users):
        yield f"distributions: {other.__name__}", partial(other, queue)
