"""float32 numbers rounded to 16 bits by the kernels' own text, against NumPy and ml_dtypes."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

from clrng.distributions.distribution import SINGLE, Between, Continuous
from clrng.distributions.quantiles.closed_forms import Normal
from clrng.distributions.transforms.rounded import Rounded
from clrng.generators.generator_code import suffix
from clrng.opencl.arrays import upload
from clrng.opencl.templates import prelude, render
from clrng.validation import dtype_named
from tests.support.rounded import DTYPES

KERNEL = """
__kernel void round_all(__global const uint *given, __global ushort *out, const int lower_end, const int upper_end)
{{
    const size_t i = get_global_id(0);
    {store}{convert}({load}{ends}){end};
}}
"""


def rounded_by_device(queue: cl.CommandQueue, transform: Rounded, width: int, numbers: Any) -> npt.NDArray[Any]:
    """Return float32 numbers, a multiple of 16, rounded by the template in vectors of `width`."""
    w = suffix(width)
    whole = f"CLRNG_INLINE float{w} s_index_convert(const uint{w} x) {{ return as_float{w}(x); }}\n"
    text = render(
        "distributions/rounded.cl.mako", p="s_", width=width, w=w, value="uint", steps=1, copies=0,
        parameters=transform.parameters[len(transform.whole.parameters) :], **transform.values(0, 2**32),
    )  # fmt: skip
    ends, bounds = (", lower_end, upper_end", transform.arguments[-2:]) if transform.bounded else ("", (0, 0))
    store, load, end = (f"vstore{w}(", f"vload{w}(i, given)", ", i, out)") if w else ("out[i] = ", "given[i]", "")
    kernel = KERNEL.format(store=store, convert="s_convert", load=load, ends=ends, end=end)
    built = cl.Kernel(cl.Program(queue.context, prelude() + whole + text + kernel).build(), "round_all")
    given, out = upload(queue, numbers.view(np.uint32)), cla.zeros(queue, numbers.size, np.uint16)
    built(queue, (numbers.size // width,), None, given.data, out.data, *map(np.int32, bounds))
    return np.asarray(out.get())


def neighbours(dtype: np.dtype[Any]) -> npt.NDArray[np.float32]:
    """Return every number of `dtype`, what is half-way to the next one, and the float32 next to each on both sides."""
    numbers = np.arange(2**16, dtype=np.uint16).view(dtype)
    bits = numbers.astype(SINGLE).view(np.uint32).astype(np.int64)
    size = numbers.view(np.uint16) & 0x7FFF
    following = (numbers.view(np.uint16) & 0x8000 | np.minimum(size + 1, 0x7FFF)).view(dtype)
    with np.errstate(invalid="ignore"):  # of NaN
        middles = (numbers.astype(np.float64) + following.astype(np.float64)) / 2
        bits_of_middles = middles.astype(SINGLE).view(np.uint32).astype(np.int64)
    largest = np.array([0x477FEFFF, 0x477FF000, 0x7F7F7FFF, 0x7F7F8000, 0x7F7FFFFF])
    every = np.concatenate(
        [each + d for each in (bits, bits_of_middles) for d in (-1, 0, 1)] + [largest, largest + 2**31]
    )
    return np.resize(every % 2**32, -(-every.size // 16) * 16).astype(np.uint32).view(SINGLE)


@pytest.mark.parametrize("width", [1, 16])
@pytest.mark.parametrize("name", DTYPES)
def test_every_number_and_its_neighbours(queue: cl.CommandQueue, name: str, width: int) -> None:
    dtype = dtype_named(name)
    numbers = neighbours(dtype)
    transform: Any = Continuous(Normal()).transform(0, 2**32, dtype)
    with np.errstate(all="ignore"):
        expected = numbers.astype(dtype)
    found = rounded_by_device(queue, transform, width, numbers)
    is_nan = np.isnan(numbers)
    assert 100 < is_nan.sum() < numbers.size // 10
    assert_array_equal(found[~is_nan], expected.view(np.uint16)[~is_nan])
    assert np.isnan(found.view(dtype)[is_nan].astype(SINGLE)).all()


@pytest.mark.parametrize("width", [1, 16])
@pytest.mark.parametrize(
    ("low", "high", "interval"),
    [(0.0, 1.0, "[)"), (-3.0, 2.5, "()"), (-2.0, -1e-30, "()"), (6e-5, 1e-4, "(]"), (-6e4, 6e4, "[]")],
)
@pytest.mark.parametrize("name", DTYPES)
def test_numbers_stay_in_the_interval(
    queue: cl.CommandQueue, name: str, low: float, high: float, interval: str, width: int
) -> None:
    dtype = dtype_named(name)
    transform: Any = Between(low, high, interval).transform(0, 2**32, dtype)
    lowest, highest = np.array([low, high]).astype(dtype).astype(SINGLE)
    all_of_it = np.sort(np.arange(2**16, dtype=np.uint16).view(dtype).astype(SINGLE))
    within = all_of_it[(all_of_it >= lowest) & (all_of_it <= highest)]
    ends = within[(within != lowest) | (interval[0] == "[")]
    ends = ends[(ends != highest) | (interval[1] == "]")]
    numbers = neighbours(dtype)
    numbers = numbers[(numbers >= np.float32(low)) & (numbers <= np.float32(high))]
    numbers = np.resize(numbers, -(-numbers.size // 16) * 16)
    found = rounded_by_device(queue, transform, width, numbers).view(dtype)
    assert_array_equal(found.astype(SINGLE), numbers.clip(ends[0], ends[-1]).astype(dtype).astype(SINGLE))
    assert {found.min(), found.max()} == {dtype.type(ends[0]), dtype.type(ends[-1])}


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize(
    ("low", "high", "message"),
    [
        (0.0, 1e39, "high must be at most {largest} in size as dtype is {name}, not 1e[+]39"),
        (1.0, 1.0001, "high must be above low, 1.0 as {name}, not 1.0001"),
        (1.0, 1.01, "high must be further above low, 1.0, not 1.01: no {name} is between them"),
    ],
)
def test_intervals_without_numbers(name: str, low: float, high: float, message: str) -> None:
    largest = {"float16": "65504", "bfloat16": "3.3895313892515355e[+]38"}[name]
    high = {"float16": 1.001}.get(name, high) if high == 1.01 else high
    with pytest.raises(ValueError, match=message.format(name=name, largest=largest).replace("1.01", str(high))):
        Between(low, high, "()").transform(0, 2**32, dtype_named(name))
