"""What sums, selections, distinct values and counts refuse, before anything is begun."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl.array as cla
import pytest

from clrng import order
from tests.conftest import make_queue, own_queue

pytestmark = pytest.mark.usefixtures("no_launches")

INTEGERS = "int8, uint8, int16, uint16, int32, uint32, int64 or uint64"


def array(size: int = 10, dtype: Any = np.uint32) -> cla.Array:
    return cla.empty(make_queue(0), size, dtype)


CALLS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "cumsum": ("a", order.cumsum),
    "compress, condition": ("condition", lambda given: order.compress(given, array())),
    "compress": ("a", lambda given: order.compress(array(), given)),
    "split, condition": ("condition", lambda given: order.split(given, array())),
    "split": ("a", lambda given: order.split(array(), given)),
    "flatnonzero": ("condition", order.flatnonzero),
    "unique": ("a", order.unique),
    "bincount": ("a", order.bincount),
    "histogram": ("a", order.histogram),
}
WRONG: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "list": (lambda: [1, 2], TypeError, r"must be a pyopencl.array.Array or an array of CUDA, not \[1, 2\]"),
    "NumPy's": (
        lambda: np.zeros(10, np.uint32),
        TypeError,
        "must be .* or an array of CUDA, not array",
    ),
    "complex": (lambda: array(10, np.complex128), ValueError, "must be of dtype .*, not complex128"),
    "other bytes": (lambda: array(10).view(">u4"), ValueError, "must be of dtype .*, not >u4"),
    "two dimensions": (lambda: array((2, 5)), ValueError, r"must have one dimension, not the 2 of shape \(2, 5\)"),
    "strides": (lambda: array(20)[::2], ValueError, "must be C-contiguous"),
    "no queue": (lambda: array().with_queue(None), ValueError, "must have a queue"),
}


@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize("call", CALLS)
def test_arrays_that_are_refused(call: str, kind: str) -> None:
    name, function = CALLS[call]
    make, error, message = WRONG[kind]
    with pytest.raises(error, match=f"^{name} {message}"):
        function(make())


def test_dtypes_that_are_refused() -> None:
    floats = array(10, np.float32)
    with pytest.raises(ValueError, match=f"^a must be of dtype bool, {INTEGERS}, not float32$"):
        order.cumsum(floats)
    with pytest.raises(ValueError, match=f"^a must be of dtype {INTEGERS}, not float32$"):
        order.bincount(floats)
    with pytest.raises(
        ValueError, match=f"^a must be of dtype {INTEGERS.replace(' or', ',')}, float32 or float64, not"
    ):
        order.histogram(array(10, np.float16))
    for call in (lambda: order.compress(floats, array()), lambda: order.flatnonzero(floats)):
        with pytest.raises(ValueError, match=f"^condition must be of dtype bool, {INTEGERS}, not float32$"):
            call()


@pytest.mark.parametrize("call", [order.compress, order.split])
def test_conditions_of_other_places_are_refused(call: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match="^condition must have as many values as a, 10, not 9$"):
        call(array(9, np.bool_), array())
    elsewhere = cla.empty(own_queue(make_queue(0).device), 10, np.bool_)
    with pytest.raises(ValueError, match="^condition must be in the context of a, not in another one$"):
        call(elsewhere, array())


@pytest.mark.parametrize(
    ("dtype", "error"), [("float32", ValueError), ("int16", ValueError), ("bool", ValueError), (object(), TypeError)]
)
def test_dtypes_of_sums_that_are_refused(dtype: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="^dtype must be int32 or uint32 or int64 or uint64, not "):
        order.cumsum(array(), dtype)


def test_arrays_for_sums_that_are_refused() -> None:
    a = array()
    queue = a.queue
    for out, error, message in (
        (3, TypeError, "^out must be a pyopencl.array.Array"),
        (cla.empty(queue, a.size + 1, np.uint64), ValueError, "^out must have shape"),
        (cla.empty(queue, a.size, np.float32), ValueError, "^out.dtype must be int32"),
    ):
        with pytest.raises(error, match=message):
            order.cumsum(a, out=out)
    with pytest.raises(ValueError, match="^out must have dtype int32"):
        order.cumsum(a, "int32", out=cla.empty(queue, a.size, np.uint64))


def test_flags_are_true_or_false() -> None:
    with pytest.raises(TypeError, match="^exclusive must be True or False, not 1$"):
        order.cumsum(array(), exclusive=1)
    for name in ("return_index", "return_inverse", "return_counts"):
        with pytest.raises(TypeError, match=f"^{name} must be True or False, not 'no'$"):
            order.unique(array(), **{name: "no"})


@pytest.mark.parametrize(
    ("value", "error"), [(-1, ValueError), (2**30 + 1, ValueError), (2.0, TypeError), (None, TypeError)]
)
def test_lengths_that_are_refused(value: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="^minlength must be an integer from 0 to 1073741824, not "):
        order.bincount(array(), value)


@pytest.mark.parametrize(
    ("value", "error"), [(0, ValueError), (-3, ValueError), (2**30 + 1, ValueError), (2.0, TypeError), ([1], TypeError)]
)
def test_bins_that_are_refused(value: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="^bins must be an integer from 1 to 1073741824, not "):
        order.histogram(array(), value)


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        ((1, 0), ValueError, r"must be finite and in rising order, not \(1, 0\)"),
        ((0, float("nan")), ValueError, r"must be finite and in rising order, not \(0, nan\)"),
        ((-float("inf"), 1), ValueError, r"must be finite and in rising order, not \(-inf, 1\)"),
        ((0, 10**400), ValueError, "must be finite and in rising order, not "),
        ((0, 1, 2), TypeError, r"must be a pair of numbers, or None, not \(0, 1, 2\)"),
        (5, TypeError, "must be a pair of numbers, or None, not 5"),
        (("0", "1"), TypeError, "must be a pair of numbers, or None, not "),
        ((0, 1j), TypeError, "must be a pair of numbers, or None, not "),
        (
            (1, 1 + 1e-6),
            ValueError,
            "must have a finite length, and 1000 bins with edges that float32 tells apart, not",
        ),
    ],
)
def test_ranges_that_are_refused(value: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^range {message}"):
        order.histogram(array(10, np.float32), 1000, value)
    with pytest.raises(ValueError, match="^range must have a finite length, and 3 bins with edges that float64 tells"):
        order.histogram(array(10, np.uint32), 3, (-1.7e308, 1.7e308))


def test_nothing_is_launched_for_no_values() -> None:
    nothing = array(0)
    assert order.cumsum(nothing).dtype == np.uint64
    assert order.compress(array(0, np.bool_), nothing).size == order.flatnonzero(nothing).size == 0
    values, count = order.split(nothing, nothing)
    assert (values.size, count.get()) == (0, 0)
    assert [each.size for each in order.unique(nothing, True, True, True)] == [0] * 4
    assert order.bincount(nothing).size == 0
