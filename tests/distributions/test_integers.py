"""Integers of a range: their arguments, how many raw values they take, and the kernel against integers of Python."""

from fractions import Fraction
from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from clrng.distributions.distribution import WHOLE as DTYPES
from clrng.distributions.distribution import Integers, integers
from clrng.distributions.transforms.transform import Declaration
from clrng.distributions.transforms.uniform import steps_for
from tests.support.conversions import converted

PARAMETERS = (Declaration("ulong", "last"), Declaration("ulong", "low"))

MODULI = {
    101: np.uint32,
    2**16: np.uint32,
    1000003: np.uint32,
    2**31 - 2: np.uint32,
    2**32 - 1: np.uint32,
    2**32: np.uint32,
    2**32 + 1: np.uint64,
    2**48: np.uint64,
    2**61 - 1: np.uint64,
    2**63 + 29: np.uint64,
    2**64 - 1: np.uint64,
    2**64: np.uint64,
}
"""Numbers of raw values, and the types of these."""

RANGES = [1, 2, 3, 52, 1000, 2**16, 2**31 - 1, 2**32 - 1, 2**32, 2**32 + 1, 10**18, 2**63, 2**64 - 1, 2**64]


def numbers(n: int, m: int, steps: int) -> list[int]:
    """Return numbers of `steps` digits at both ends, on both sides of where the result changes, and at random."""
    rng = np.random.default_rng([n % 2**63, m % 2**63, steps])
    everything = m**steps
    uniform = [sum(int(word) << 64 * i for i, word in enumerate(words)) % everything
               for words in rng.integers(0, 2**64, (200, steps + 1), dtype=np.uint64)]  # fmt: skip
    results = [1, 2, n // 2, n - 2, n - 1, *(x * n // everything for x in uniform)]
    changes = [-(-result * everything // n) for result in results if 0 < result < n]
    near = [0, 1, m - 1, m, everything - m, everything - 2, everything - 1, *uniform]
    near += [x + d for x in changes for d in (-1, 0, 1)]
    return [x for x in near if 0 <= x < everything]


def arguments(drawn: Integers) -> tuple[np.uint64, np.uint64]:
    return np.uint64(drawn.n - 1), np.uint64(drawn.low % 2**64)


def product_bits(drawn: Integers, m: int) -> int:
    return 64 if max(drawn.n, m) <= 2**32 else 128


@pytest.mark.parametrize(("steps", "width"), [(1, 16), (2, 1), (3, 4), (5, 8)])
@pytest.mark.parametrize("m", MODULI)
def test_a_result_is_the_quotient_of_the_whole_product(queue: cl.CommandQueue, m: int, steps: int, width: int) -> None:
    least = 1 if m in (2**31 - 2, 2**61 - 1) else 0
    for n in RANGES:
        chosen = numbers(n, m, steps)
        digits = [np.array([x // m**place % m + least for x in chosen], MODULI[m]) for place in reversed(range(steps))]
        wanted = np.array([x * n // m**steps for x in chosen], np.uint64)
        drawn = Integers(0, n, np.dtype("uint64"))
        found = converted(
            queue, "integers", digits, "uint64", PARAMETERS, arguments(drawn), width, min_value=least, raw_values=m,
            product_bits=product_bits(drawn, m), divisor=m, closed=False,
        )  # fmt: skip
        assert_array_equal(found, wanted)


@pytest.mark.parametrize("width", [1, 4, 16])
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_in_its_whole_range(queue: cl.CommandQueue, dtype: str, width: int) -> None:
    limits = np.iinfo(dtype)
    middle = (int(limits.max) + int(limits.min)) // 2
    rng = np.random.default_rng(7)
    for kind, m in ((np.uint32, 2**32), (np.uint64, 2**64), (np.uint32, 2**31 - 2)):
        for low, high in ((limits.min, limits.max), (middle - 3, middle + 9), (limits.max, limits.max)):
            drawn = integers(low, high, dtype, endpoint=True)
            steps = steps_for(drawn.n, m)
            digits = [rng.integers(0, m, 500, dtype=np.uint64).astype(kind) for _ in range(steps)]
            digits = [np.concatenate([each, np.array([0, m - 1], kind)]) for each in digits]
            wholes = [sum(int(d) * m**j for j, d in enumerate(reversed(each))) for each in zip(*digits, strict=True)]
            found = converted(
                queue, "integers", digits, dtype, PARAMETERS, arguments(drawn), width, min_value=0, raw_values=m,
                product_bits=product_bits(drawn, m), divisor=m, closed=False,
            )  # fmt: skip
            assert found.dtype == dtype
            assert found.tolist() == [int(low) + x * drawn.n // m**steps for x in wholes]
            assert (found[-2], found[-1]) == (low, high)


@pytest.mark.parametrize(("n", "m"), [(6, 7), (7, 101), (100, 101), (12, 144), (1000, 1024)])
def test_canons_method_is_as_close_as_it_says(n: int, m: int) -> None:
    counts = np.bincount([x * n // m for x in range(m)], minlength=n)
    variation = sum(abs(Fraction(int(count), m) - Fraction(1, n)) for count in counts) / 2
    assert variation <= Fraction(n, 4 * m)
    assert (variation == 0) == (m % n == 0)


@given(st.integers(1, 2**64), st.integers(2, 2**64))
def test_the_least_steps_that_are_close_enough(n: int, m: int) -> None:
    def is_close(steps: int) -> bool:
        return m**steps % n == 0 or Fraction(n, 4 * m**steps) <= Fraction(1, 2**40)

    steps = steps_for(n, m)
    assert is_close(steps)
    assert not any(is_close(fewer) for fewer in range(1, steps))


def test_some_steps() -> None:
    assert [steps_for(n, 2**32) for n in (1, 6, 2**26 - 1, 2**26 + 1, 2**32, 2**64)] == [1, 2, 2, 3, 1, 2]
    assert [steps_for(n, 2**64) for n in (6, 2**26 - 1, 2**26 + 1, 2**64 - 1, 2**64)] == [1, 1, 2, 2, 1]
    assert [steps_for(n, 2**31 - 2) for n in (6, 10, 2**64 - 1)] == [1, 2, 4]  # 6 divides 2^31 - 2


def test_ranges_are_those_of_numpy() -> None:
    assert integers(5) == Integers(0, 5, np.dtype("int64"))
    assert integers(5, endpoint=True).n == 6
    assert integers(-3, 4, np.int8) == Integers(-3, 7, np.dtype("int8"))
    assert integers(0, 2**64, "uint64").n == 2**64
    assert integers(0, 2**64 - 1, "uint64", endpoint=True).n == 2**64
    assert integers(-(2**63), 2**63, "int64").n == 2**64
    assert integers(np.uint8(255), np.uint16(256), "uint8") == Integers(255, 1, np.dtype("uint8"))
    assert integers(7, 7, endpoint=True).n == 1


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((0,), ValueError, "low must be above 0, not 0"),
        ((-1, None, "int64", True), ValueError, "low must be 0 or more, not -1"),
        ((5, 5), ValueError, "high must be above 5, which is low, not 5"),
        ((5, 4, "int8", True), ValueError, "high must be 5 or more, which is low, not 4"),
        ((0, 257, "uint8"), ValueError, "high must be an integer from 0 to 256, not 257, as dtype is uint8"),
        ((0, 256, "uint8", True), ValueError, "high must be an integer from 0 to 255, not 256, as dtype is uint8"),
        ((-1, 5, "uint8"), ValueError, "low must be an integer from 0 to 255, not -1, as dtype is uint8"),
        ((128, 129, "int8"), ValueError, "low must be an integer from -128 to 127, not 128, as dtype is int8"),
        ((2**64 + 1, None, "uint64"), ValueError, "low must be an integer from 0 to .*, not .*, as dtype is uint64"),
        ((0.5, 7), TypeError, "low must be an integer from .* to .*, not 0.5; numpy.*"),
        ((0, 7.0), TypeError, "high must be an integer from .* to .*, not 7.0; numpy.*"),
        ((0, 7, "float32"), ValueError, "dtype must be int8 or .* or uint64, not float32"),
        ((0, 7, ">i4"), ValueError, "dtype must be int8 or .* or uint64, not >i4"),
        ((0, 7, "integer"), TypeError, "dtype must be int8 or .* or uint64, not 'integer'"),
        ((0, 7, "int8", 1), TypeError, "endpoint must be True or False, not 1"),
    ],
)
def test_ranges_that_are_none_are_refused(arguments: tuple[Any, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{message}$"):
        integers(*arguments)


def test_the_steps_that_the_documentation_lists() -> None:
    for m, limits in ((2**31 - 2, (2**24 - 1, 2**55 - 2**27 - 1)), (2**32, (2**26 - 1, 2**58 - 1))):
        for n in (m - 1, *limits, limits[0] + 2, limits[1] + 2**27, 2**64 - 1, 1001, 2**40 + 1):
            steps = 2 + sum(n > limit for limit in limits)
            assert steps_for(n, m) == (1 if m % n == 0 else steps)
    assert [steps_for(n, 2**64) for n in (1001, 2**26 - 1, 2**26 + 1, 2**64 - 1, 2**63)] == [1, 1, 2, 2, 1]
    assert [steps_for(2**32, m) for m in (2**31 - 2, 2**32, 2**64)] == [3, 1, 1]
