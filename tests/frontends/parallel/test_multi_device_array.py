"""Arrays whose values are on several devices."""

from typing import Any

import numpy as np
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.frontends.parallel import multi_device_generator
from clrng.opencl import staging
from tests.support import oracle
from tests.support.several_queues import several_queues

pytestmark = pytest.mark.device
QUEUES = several_queues()
RNG = clrng.MultiDeviceGenerator(clrng.ParkMiller(seed=1), QUEUES, [2, *[1] * (len(QUEUES) - 1)])


def drawn(size: Any) -> clrng.MultiDeviceArray:
    RNG.bit_generator = clrng.ParkMiller(seed=1)
    found: Any = RNG.random_raw(size)
    assert isinstance(found, clrng.MultiDeviceArray)
    return found


@pytest.mark.parametrize("shape", [(300, 4), (2, 600), (1000,), (200, 2, 3)])
def test_parts_say_where_they_lie(shape: tuple[int, ...]) -> None:
    found, whole = drawn(shape), oracle.sequence(1, int(np.prod(shape))).reshape(shape)
    assert [part.array.queue for part in found.parts] == QUEUES
    assert [part.device for part in found.parts] == [queue.device for queue in QUEUES]
    for part in found.parts:
        values = part.array.get()
        assert_array_equal(values.ravel(), whole.reshape(-1)[part.begin : part.end])
        if shape[0] == 2:
            assert part.rows is None
            assert values.ndim == 1
        else:
            assert part.rows is not None
            assert_array_equal(values, whole[part.rows])
    assert sum(part.end - part.begin for part in found.parts) == whole.size


def test_attributes() -> None:
    found = drawn((300, 4))
    assert (found.shape, found.ndim, found.size, found.nbytes, len(found)) == ((300, 4), 2, 1200, 4800, 300)
    assert found.dtype == np.uint32
    assert repr(found).startswith("MultiDeviceArray(shape=(300, 4), dtype=uint32; ")
    single = drawn(())
    with pytest.raises(TypeError, match="^an array of no dimensions has no length$"):
        len(single)
    assert single.get() == 16807
    assert repr(drawn(0)) == "MultiDeviceArray(shape=(0,), dtype=uint32; empty)"


def test_gathering() -> None:
    found, expected = drawn((300, 4)), oracle.sequence(1, 1200).reshape(300, 4)
    assert_array_equal(found.get(), expected)
    assert_array_equal(np.asarray(found), expected)
    assert_array_equal(np.asarray(found, dtype=np.float64), expected.astype(np.float64))
    out = np.zeros((300, 4), np.uint32)
    assert found.get(out) is out
    assert_array_equal(out, expected)
    found.wait()
    assert [event.command_execution_status for part in found.parts for event in part.array.events] == [0] * len(QUEUES)
    for wrong in (np.zeros((300, 4), np.int32), np.zeros((4, 300), np.uint32), np.zeros((300, 8), np.uint32)[:, ::2]):
        with pytest.raises(ValueError, match="^out must "):
            found.get(wrong)
    with pytest.raises(TypeError, match=r"^out must be a numpy.ndarray, not \[1\]$"):
        found.get([1])  # type: ignore[arg-type]  # on purpose
    with pytest.raises(ValueError, match="^copy must not be False"):
        found.__array__(copy=False)


def test_gathering_through_the_blocks_of_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    def copied(array: Any, out: np.ndarray) -> None:
        staging.copy_to_host(array.queue, array, out)

    monkeypatch.setattr(multi_device_generator, "_copy", copied)
    assert_array_equal(drawn((3, 400)).get().ravel(), oracle.sequence(1, 1200))


def test_parts_are_worked_on_where_they_are() -> None:
    found = drawn(1000)
    total = sum(int(cla.sum(part.array, dtype=np.dtype(np.uint64)).get()) for part in found.parts)
    assert total == int(oracle.sequence(1, 1000).astype(np.uint64).sum())


def test_an_error_of_one_copy_comes_out_when_all_have_ended() -> None:
    ended: list[int] = []

    def failing() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        multi_device_generator.at_once([failing, lambda: ended.append(1), lambda: ended.append(2)])
    assert sorted(ended) == [1, 2]


def test_parts_that_are_not_the_whole() -> None:
    found = drawn((60, 3))
    for parts in (found.parts[:1], found.parts[1:], found.parts[::-1], [*found.parts, found.parts[1]]):
        with pytest.raises(ValueError, match="^parts must "):
            clrng.MultiDeviceArray((60, 3), found.dtype, parts)
