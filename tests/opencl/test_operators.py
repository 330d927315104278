"""Operators of clrng's arrays with operands of any layout, and of shapes that are broadcast, against NumPy."""

import operator as op
from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng.opencl.arrays import upload
from tests.conftest import own_queue

several = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80)
VIEWS: dict[str, Callable[[Any], Any]] = {
    "all": lambda a: a, "turned": lambda a: a.T, "part": lambda a: a[:, 3:], "steps": lambda a: a[::2, ::2],
    "backwards": lambda a: a[::-1], "row": lambda a: a[1], "column": lambda a: a[:, 1:2], "value": lambda a: a[2, 3],
    "nothing": lambda a: a[:0],
}  # fmt: skip
ONE: dict[str, Callable[[Any], Any]] = {
    "- a": op.neg, "abs": abs, "~ a": op.invert, "a + 1": lambda a: a + 1, "5 - a": lambda a: 5 - a,
    "a > 0": lambda a: a > 0, "3 == a": lambda a: a == 3, "a & 6": lambda a: a & 6,
    "astype": lambda a: a.astype(np.int16), "copy": lambda a: a.copy(),
}  # fmt: skip
TWO = (op.add, op.sub, op.mul, op.and_, op.or_, op.xor, op.eq, op.ne, op.lt, op.le, op.gt, op.ge)
IN_PLACE = (op.iadd, op.isub, op.imul, op.iand, op.ior, op.ixor)


def numbers(queue: cl.CommandQueue, seed: int = 1) -> tuple[np.ndarray, Any]:
    """Return a matrix of small integers, and the same on the device."""
    values = np.random.default_rng(seed).integers(-9, 9, (6, 6), np.int32)
    return values, upload(queue, values)


@pytest.mark.parametrize("view", VIEWS)
def test_operators_with_scalars(queue: cl.CommandQueue, view: str) -> None:
    values, x = numbers(queue)
    for name, function in ONE.items():
        found, wanted = function(VIEWS[view](x)), function(VIEWS[view](values))
        assert type(found) is clrng.Array
        assert_array_equal(found.to_numpy(), wanted, err_msg=name)
    assert_array_equal(VIEWS[view](x).get(), VIEWS[view](values))


@several
@given(
    left=st.sampled_from(sorted(VIEWS)), right=st.sampled_from(sorted(VIEWS)), sign=st.sampled_from(TWO), data=st.data()
)
def test_operators_with_arrays(queue: cl.CommandQueue, left: str, right: str, sign: Any, data: Any) -> None:
    (values, x), (others, y) = numbers(queue), numbers(queue, 2)
    plain = data.draw(st.sampled_from(["left", "right", "none"]))  # which is PyOpenCL's own
    x = cla.to_device(queue, values) if plain == "left" and left != "backwards" else x
    y = cla.to_device(queue, others) if plain == "right" else y
    a, b = VIEWS[left](values), VIEWS[right](others)
    try:
        wanted = sign(a, b)
    except ValueError:
        with pytest.raises(ValueError, match="shape mismatch"):
            sign(VIEWS[left](x), VIEWS[right](y))
        return
    found = sign(VIEWS[left](x), VIEWS[right](y))
    assert type(found) is clrng.Array
    assert_array_equal(found.to_numpy(), wanted)
    assert_array_equal(x.get(), values)


@several
@given(turned=st.booleans(), right=st.sampled_from(sorted(VIEWS)), sign=st.sampled_from(IN_PLACE))
def test_operators_in_place(queue: cl.CommandQueue, turned: bool, right: str, sign: Any) -> None:
    (values, x), (others, y) = numbers(queue), numbers(queue, 2)
    a, into = (values.T, x.T) if turned else (values, x)
    try:
        sign(a, VIEWS[right](others))
    except ValueError:
        with pytest.raises((ValueError, NotImplementedError)):
            sign(into, VIEWS[right](y))
        return
    sign(into, VIEWS[right](y))
    assert_array_equal(x.get(), values)
    with pytest.raises(NotImplementedError, match="non-contiguous"):
        sign(x[:, ::2], y[:, ::2])


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32", "int64", "uint64"])
def test_integers_are_compared_with_any_number(queue: cl.CommandQueue, dtype: str) -> None:
    low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    given = np.array([low, low + 1, 2, 3, high - 1, high], dtype)
    compared: list[Any] = [
        -1, 2, 2.5, -0.5, True, low, high, low - 1, high + 1, 2**70, -(2**70), 1e300, -1e300, np.inf, -np.inf, np.nan,
        np.float32(2.5), np.float64(3), np.int8(-3), np.uint64(2**63),
    ]  # fmt: skip
    for x, values in ((upload(queue, given), given), (upload(queue, given)[::2], given[::2])):
        for number in compared:
            exact = number.item() if isinstance(number, np.generic) else number
            for sign in (op.eq, op.ne, op.lt, op.le, op.gt, op.ge):
                wanted = [sign(value, exact) for value in values.tolist()]
                assert sign(x, number).get().tolist() == wanted, (number, sign)


def test_results_of_another_dtype_keep_their_places(queue: cl.CommandQueue) -> None:
    if not queue.device.double_fp_config:
        pytest.skip("results are float64")
    values, x = numbers(queue)
    for found, wanted in (
        (x.T / 4, values.T / 4),
        (x.T * 0.5, values.T * 0.5),
        (abs(x).T ** np.float32(2), values.T**2),
    ):
        np.testing.assert_allclose(found.to_numpy(), wanted, rtol=1e-6)
    real: Any = upload(queue, np.abs(values).astype(np.float32))
    np.testing.assert_allclose((real**real.T).to_numpy(), np.abs(values).astype(float) ** np.abs(values).T, rtol=1e-5)
    assert_array_equal((real - real.mean()).get(), real.get() - real.mean().get())
    assert_array_equal((real > real.mean(0)).get(), real.get() > real.mean(0).get())


def test_an_array_of_shape_nothing_is_a_value(queue: cl.CommandQueue) -> None:
    one: Any = upload(queue, np.full((), 1.25, np.float32))
    assert (f"{one:.1f}", f"{one}", f"{one:>6}") == ("1.2", "1.25", "  1.25")
    for call in (len, list):
        with pytest.raises(TypeError, match="must have an axis for a length"):
            call(one)
    with pytest.raises(TypeError, match="format"):
        f"{numbers(queue)[1]:.1f}"
    assert [int(each) for each in numbers(queue)[1][0]] == numbers(queue)[0][0].tolist()


def test_results_know_the_commands_that_make_them(queue: cl.CommandQueue) -> None:
    x: Any = upload(queue, np.arange(9, dtype=np.float32))
    for made in (x <= 3, x < 3, x + 1, -x, x == x + 1):
        assert made.events
    made = x - 0
    told = len(made.events)
    made -= 1
    assert len(made.events) > told


@several
@given(
    left=st.sampled_from(["all", "turned"]), right=st.sampled_from(sorted(VIEWS)),
    sign=st.sampled_from((*TWO, *IN_PLACE)),
)  # fmt: skip
def test_operands_of_two_queues(queue: cl.CommandQueue, left: str, right: str, sign: Any) -> None:
    (values, x), (others, y) = numbers(queue), numbers(cl.CommandQueue(queue.context), 2)
    y += 1  # a command of the other queue, for which this one has to wait
    a, b = VIEWS[left](values), VIEWS[right](others + 1)
    try:
        wanted = sign(a, b)
    except ValueError:
        return  # as with operands of one queue, above
    found = sign(VIEWS[left](x), VIEWS[right](y))
    y.fill(0)  # which waits until they have been read
    assert found.queue == queue
    assert_array_equal(found.to_numpy(), wanted)
    assert not y.get().any()


def test_operands_of_two_contexts(queue: cl.CommandQueue) -> None:
    (_, x), (_, y) = numbers(queue), numbers(own_queue(queue.device))
    for sign in (op.add, op.eq, op.imul):
        with pytest.raises(ValueError, match="operands must be in one context, .* take get"):
            sign(x, y)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "uint64"])
def test_differences_of_unsigned_integers(queue: cl.CommandQueue, dtype: str) -> None:
    given, other = np.array([[0, 1, 7], [200, 255, 3]], dtype), np.array([[1, 0, 9], [255, 200, 3]], dtype)
    short, signed = np.array([5, 250, 3], np.uint8), np.array([3, -4, 5], np.int64)
    for left, right in ((given, other), (given, short), (short, given), (given, 2), (2, given)):
        a, b = (upload(queue, each) if isinstance(each, np.ndarray) else each for each in (left, right))
        found, wanted = a - b, left - right
        assert (found.dtype, bool(found.events)) == (wanted.dtype, True)
        assert_array_equal(found.get(), wanted)
    square: Any = upload(queue, given)[:, :2]
    assert_array_equal((square - square.T).get(), given[:, :2] - given[:, :2].T)
    assert_array_equal((upload(queue, given) - cla.to_device(queue, other)).get(), given - other)
    for start in (given[0], signed, signed.astype(np.float32)) if dtype != "uint64" else (given[0],):
        x: Any = upload(queue, start)
        x -= upload(queue, other[1])
        assert_array_equal(x.get(), (start - other[1].astype(start.dtype)))


def test_operators_copy_nothing_to_the_host(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    x: Any = upload(queue, np.arange(1, 7, dtype=np.int32).reshape(2, 3))
    y, real = x + 1, x.astype(np.float32)

    def copied(*_: object, **__: object) -> None:
        raise AssertionError("values are copied to the host")

    def operate() -> None:
        for sign in (*TWO, op.truediv):
            for operands in ((x, y), (x, 2), (2, x), (x, y[0]), (x.T, y[:1].T), (x, x.sum()), (x, np.int32(3))):
                sign(*operands)
        for sign in IN_PLACE:
            sign(x, y)
            sign(x, 2)
        real**2, -x, abs(x), x.copy(), x.astype("float32"), x.fill(3), x[:, 1:], x.T, x.sum(), x.max(0)

    operate()  # which has the kernels of sums proved
    monkeypatch.setattr(cla.Array, "_get", copied)
    operate()
    assert np.result_type(x, real) == np.float64
    assert (np.shape(x), np.size(x), np.zeros_like(x).dtype) == ((2, 3), 6, np.int32)


PAIRS = [("u4", "i4"), ("u8", "i8"), ("u1", "i8"), ("i1", "u2"), ("f4", "u4")]
"""Dtypes of which C makes others than NumPy, or which PyOpenCL subtracts wrongly."""

SCALARS = [3, 200, -3, 2**40, True, 2.5, np.uint8(5), np.int8(-128), np.uint32(5), np.int64(-3), np.float32(1.5)]


def outcome(call: Callable[..., Any], *args: Any) -> Any:
    """Return the result of a call, on the host, or the class of its error."""
    try:
        with np.errstate(all="ignore"):
            made = call(*args)
    except (TypeError, OverflowError) as error:
        return OverflowError if isinstance(error, OverflowError) else TypeError
    return made.get() if isinstance(made, cla.Array) else made


def agree(found: Any, wanted: Any, what: Any) -> None:
    """Compare two outcomes; comparisons have another dtype in PyOpenCL."""
    if not isinstance(wanted, np.ndarray):
        assert found is wanted, what
        return
    assert_array_equal(found, wanted, err_msg=str(what))
    assert wanted.dtype in (np.dtype(bool), found.dtype), what


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_operators_of_other_dtypes_are_numpys(queue: cl.CommandQueue, first: str, second: str) -> None:
    if not queue.device.double_fp_config:
        pytest.skip("results of some pairs are float64")
    random = np.random.default_rng(1)
    ends = [[0, 1] if kind == "f4" else [np.iinfo(kind).min, np.iinfo(kind).max] for kind in (first, second)]
    small = random.integers(0, 9, (2, 6)).tolist()
    values, others = (np.array(small[i] + ends[i], kind) for i, kind in enumerate((first, second)))
    x, y = upload(queue, values), upload(queue, others)
    for sign in TWO:
        agree(outcome(sign, x, y), outcome(sign, values, others), sign)
        agree(outcome(sign, y, x), outcome(sign, others, values), sign)
        for scalar in SCALARS:
            agree(outcome(sign, x, scalar), outcome(sign, values, scalar), (sign, scalar))
            agree(outcome(sign, scalar, x), outcome(sign, scalar, values), (scalar, sign))
    for sign in IN_PLACE:
        for operand, same in [(y, others), *((scalar, scalar) for scalar in SCALARS)]:
            a, b = upload(queue, values), values.copy()
            agree(outcome(sign, a, operand), outcome(sign, b, same), (sign, same))


@pytest.mark.parametrize("dtype", ["u1", "i4", "u8"])
def test_powers_of_integers(queue: cl.CommandQueue, dtype: str) -> None:
    values = np.arange(-3, 9).astype(dtype)
    x: Any = upload(queue, values)
    for exponent in (0, 1, 2, 7, np.uint8(3)):  # with an int8 powers of uint64 are float64
        agree(outcome(op.pow, x, exponent), outcome(op.pow, values, exponent), exponent)
    for call in (lambda: x**-1, lambda: 2**x, lambda: x**x):
        with pytest.raises(TypeError, match="an exponent that is an integer of 0 or more"):
            call()
