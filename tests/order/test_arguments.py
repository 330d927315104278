"""What sorts refuse, before anything is begun."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest

from clrng import order
from clrng.order import arguments
from tests.conftest import make_queue

pytestmark = pytest.mark.usefixtures("no_launches")

OTHER_CONTEXT = cl.Context([make_queue(0).device])  # held, as Intel's queues do not
LISTED = "uint8, int8, uint16, int16, float16, uint32, int32, float32, uint64, int64 or float64"
CALLS: dict[str, Callable[..., Any]] = {
    "a": order.sort,
    "keys": lambda keys, **options: order.sort_pairs(keys, keys, **options),
}


def array(size: int = 10, dtype: Any = np.uint32) -> cla.Array:
    return cla.zeros(make_queue(0), size, dtype)


def without_queue() -> cla.Array:
    return array().with_queue(None)


def odd() -> cla.Array:
    """Return an array that begins in its buffer between two values."""
    held = array(11, np.uint32)
    return cla.Array(make_queue(0), 10, np.uint32, data=held.base_data, offset=2)


def too_long() -> cla.Array:
    """Return an array that says that it is longer than its buffer."""
    return cla.Array(make_queue(0), 100, np.uint32, data=array(10).base_data)


ARRAYS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "list": (lambda: [1, 2], TypeError, r"must be a pyopencl.array.Array or an array of CUDA, not \[1, 2\]"),
    "NumPy's": (
        lambda: np.zeros(3, np.uint32),
        TypeError,
        "must be .* or an array of CUDA, not array",
    ),
    "None": (lambda: None, TypeError, "must be a pyopencl.array.Array or an array of CUDA, not None"),
    "complex": (lambda: array(3, np.complex64), ValueError, f"must be of dtype {LISTED}, not complex64"),
    "bool": (lambda: array(3, np.bool_), ValueError, f"must be of dtype {LISTED}, not bool"),
    "other bytes": (lambda: array(3).view(">u4"), ValueError, f"must be of dtype {LISTED}, not >u4"),
    "two dimensions": (
        lambda: cla.zeros(make_queue(0), (2, 3), np.uint32),
        ValueError,
        r"must have one dimension, not the 2 of shape \(2, 3\)",
    ),
    "none": (
        lambda: cla.zeros(make_queue(0), (), np.uint32),
        ValueError,
        r"must have one dimension, not the 0 of shape \(\)",
    ),
    "strides": (
        lambda: array(10)[::2],
        ValueError,
        r"must be C-contiguous, not with shape \(5,\) and strides \(8,\)",
    ),
    "no queue": (without_queue, ValueError, r"must have a queue, on which the work is done; \w+.with_queue\(queue\)"),
    "between": (odd, ValueError, "must begin at a multiple of 4 bytes of its buffer, not at 2"),
    "too long": (too_long, ValueError, "must fit its buffer of 40 bytes, not need 400"),
}


@pytest.mark.parametrize("kind", ARRAYS)
@pytest.mark.parametrize("name", CALLS)
def test_arrays_that_are_refused(name: str, kind: str) -> None:
    make, error, message = ARRAYS[kind]
    with pytest.raises(error, match=f"^{name} {message}"):
        CALLS[name](make())
    with pytest.raises(error, match=f"^a {message}"):
        order.argsort(make())


def test_more_values_than_there_are_places() -> None:
    few = array().base_data
    for size, message in (
        (2**31, r"fit its buffer of 40 bytes"),
        (2**31 + 1, r"have at most 2\^31 = 2147483648 values"),
    ):
        with pytest.raises(ValueError, match=f"^a must {message}, not.*{size}$"):
            arguments.array_of("a", cla.Array(make_queue(0), size, np.uint8, data=few))
    long = array(1)
    long.size = 2**31 + 1
    with pytest.raises(ValueError, match=r"^a must have at most 2\^31"):
        order.sort(long)


VALUES: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "NumPy's": (lambda: np.zeros(10, np.uint32), TypeError, "must be a pyopencl.array.Array"),
    "short": (lambda: array(10, np.uint16), ValueError, "must be of a dtype of numbers of 4 or 8 bytes, not uint16"),
    "long": (lambda: array(10, np.complex128), ValueError, "must be of a dtype of numbers of 4 or 8 bytes"),
    "structured": (
        lambda: cla.Array(make_queue(0), 10, np.dtype([("x", np.uint32)])),
        ValueError,
        "must be of a dtype of numbers of 4 or 8 bytes",
    ),
    "fewer": (lambda: array(9), ValueError, "must have as many values as keys, 10, not 9"),
    "strides": (lambda: array(20)[::2], ValueError, "must be C-contiguous"),
    "elsewhere": (
        lambda: cla.zeros(cl.CommandQueue(OTHER_CONTEXT), 10, np.uint32),
        ValueError,
        "must be in the context of keys, not in another one",
    ),
}


@pytest.mark.parametrize("kind", VALUES)
def test_values_that_are_refused(kind: str) -> None:
    make, error, message = VALUES[kind]
    with pytest.raises(error, match=f"^values {message}"):
        order.sort_pairs(array(), make())


OUTS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "NumPy's": (lambda: np.zeros(10, np.uint32), TypeError, "must be a pyopencl.array.Array"),
    "dtype": (lambda: array(10, np.int32), ValueError, "must have dtype uint32, not int32"),
    "size": (lambda: array(11), ValueError, r"must have shape \(10,\), the size asked for, not \(11,\)"),
    "strides": (lambda: array(20)[::2], ValueError, "must be C-contiguous"),
    "elsewhere": (
        lambda: cla.zeros(cl.CommandQueue(OTHER_CONTEXT), 10, np.uint32),
        ValueError,
        "must be in the context of the",
    ),
    "read-only": (
        lambda: cla.Array(
            make_queue(0), 10, np.uint32, data=cl.Buffer(make_queue(0).context, cl.mem_flags.READ_ONLY, 40)
        ),
        ValueError,
        "must be in memory that a device may write to",
    ),
}


@pytest.mark.parametrize("kind", OUTS)
def test_outs_that_are_refused(kind: str) -> None:
    make, error, message = OUTS[kind]
    with pytest.raises(error, match=f"^out {message}"):
        order.sort(array(), out=make())


BITS: list[tuple[Any, type[Exception], str]] = [
    (5, TypeError, r"bits must be two integers, low and high, or None, not 5"),
    ((1, 2, 3), TypeError, r"bits must be two integers, low and high, or None, not \(1, 2, 3\)"),
    ("12", TypeError, "bits must be two integers, low and high, or None, not '12'"),
    ((0, 8.0), TypeError, r"bits\[1\] must be an integer from 0 to 32, not 8.0"),
    ((False, 8), TypeError, r"bits\[0\] must be an integer from 0 to 32, not False"),
    ((-1, 8), ValueError, r"bits\[0\] must be an integer from 0 to 32, not -1"),
    ((0, 33), ValueError, r"bits\[1\] must be an integer from 0 to 32, not 33"),
    ((9, 8), ValueError, r"bits\[1\] must be an integer from 9 to 32, not 8"),
]


@pytest.mark.parametrize(("bits", "error", "message"), BITS)
def test_bits_that_are_refused(bits: Any, error: type[Exception], message: str) -> None:
    for call in (order.sort, order.argsort, CALLS["keys"]):
        with pytest.raises(error, match=f"^{message}$"):
            call(array(), bits=bits)


@pytest.mark.parametrize("value", [1, None, "yes"])
def test_descending_is_true_or_false(value: Any) -> None:
    for call in (order.sort, order.argsort, CALLS["keys"]):
        with pytest.raises(TypeError, match=f"^descending must be True or False, not {value!r}$"):
            call(array(), descending=value)


def test_nothing_is_launched_for_no_values() -> None:
    assert order.sort(array(0)).size == 0
    assert order.argsort(array(0)).dtype == np.uint32
    keys, values = order.sort_pairs(array(0), array(0, np.float64))
    assert (keys.size, values.dtype) == (0, np.float64)
