"""States at equal distances, made on a device by a few levels of jumps, against jumps of the host one after the other.

A device that is said to be a GPU gets the kernels of GPUs, in scalars; any device can run them.
"""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.fill import jump_tree
from clrng.fill.jump_tree import DeviceState, JumpTree
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.lagged_fibonacci import LaggedFibonacciCode
from tests.conftest import make_queue

GENERATORS = {
    "+ 32 bits": clrng.LaggedFibonacci((5, 17), "+", seed=1),
    "- 64 bits": clrng.LaggedFibonacci((17, 5), "-", 64, seed=2),
    "- the other way": clrng.LaggedFibonacci((3, 10), "-", 31, seed=3),
    "+ 1 bit": clrng.LaggedFibonacci((2, 5), "+", 1, state=[0, 0, 0, 0, 1]),
    "* 1 bit": clrng.LaggedFibonacci((1, 3), "*", 1, seed=4),
    "* 2 bits": clrng.LaggedFibonacci((3, 1), "*", 2, seed=5),
    "* 3 bits": clrng.LaggedFibonacci((24, 55), "*", 3, seed=6),
    "* 31 bits": clrng.LaggedFibonacci((7, 10), "*", 31, seed=7),
    "* 64 bits": clrng.LaggedFibonacci((10, 7), "*", 64, seed=8),
    "xor 2 bits": clrng.LaggedFibonacci((1, 2), "xor", 2, state=[2, 1]),
    "xor 64 bits": clrng.LaggedFibonacci((63, 127), "xor", 64, state=[*[0] * 126, 2**64 - 1]),
    "- 10^9": clrng.LaggedFibonacci((55, 24), "-", modulus=10**9, state=[10**9 - 1] * 55),
    "+ 2^64-59": clrng.LaggedFibonacci((5, 17), "+", modulus=2**64 - 59, state=[2**64 - 60] * 17),
    "- 10^19": clrng.LaggedFibonacci((10, 7), "-", modulus=10**19, state=[*[0] * 9, 10**19 - 1]),
}
LARGE = {
    "+ 32 bits": clrng.LaggedFibonacci((418, 1279), "+", seed=9),
    "* 64 bits": clrng.LaggedFibonacci((1279, 418), "*", 64, seed=10),
    "xor 32 bits": clrng.LaggedFibonacci((103, 250), "xor", seed=11),
    "- 10^9": clrng.LaggedFibonacci((30, 127), "-", modulus=10**9, seed=12),
}
LARGEST = clrng.LaggedFibonacci((4187, 9689), "+", seed=13)
FAR, FARTHER = 10**15, 2**200
KINDS = pytest.mark.parametrize("kind", ["cpu", "gpu"])


def tree_of(device: clrng.DeviceInfo, kind: str, bits: clrng.LaggedFibonacci) -> JumpTree:
    """Return a tree on a device that is said to be of a kind."""
    assert device.index is not None
    code = LaggedFibonacciCode(bits, ARITHMETICS["integer"])
    return JumpTree(make_queue(device.index), replace(device, kind=kind), code)


@cache
def weights(lags: tuple[int, int], op: str, modulus: int, distance: int) -> list[int]:
    """Return the weights of a jump."""
    return clrng.LaggedFibonacci(lags, op, modulus=modulus, seed=1).jumps.power(distance)


def one_after_another(bits: clrng.LaggedFibonacci, count: int, distance: int) -> npt.NDArray[Any]:
    """Return the states that as many jumps of the host lead to, each from the state before."""
    jump = weights(bits.lags, bits.op, bits.modulus, distance)
    found = [bits.words]
    for _ in range(count - 1):
        found.append(bits._combined(jump, found[-1]))
    return np.array(found, bits.word_dtype)


@cache
def far_states(name: str, count: int, distance: int) -> npt.NDArray[Any]:
    """Return such states of a generator of the list, made once for both kinds of devices."""
    found = one_after_another(GENERATORS[name], count, distance)
    assert GENERATORS[name].jumped((count - 1) * distance).words == tuple(found[-1].tolist())
    return found


def states(last: DeviceState, order: int) -> npt.NDArray[Any]:
    """Return the states up to the last, copied to the host."""
    if last.event:
        last.event.wait()
    rows: npt.NDArray[Any] = last.states.get()
    assert len(rows) == last.index + 1
    return rows[:, :order]


def made(tree: JumpTree, bits: clrng.LaggedFibonacci, count: int, distance: int) -> npt.NDArray[Any]:
    return states(tree.states(tree.device_state(bits.words), count, distance), bits.order)


@KINDS
@pytest.mark.parametrize("name", GENERATORS)
def test_states_at_equal_distances(device: clrng.DeviceInfo, name: str, kind: str) -> None:
    bits = GENERATORS[name].copy()
    tree = tree_of(device, kind, bits)
    for count, distance in (
        (1, 5), (2, 1), (8, FAR), (9, FAR), (37, FARTHER), (3, 0), (38, 2), (1024, 17), (1025, FAR), (1331, 1),
    ):  # fmt: skip
        expected = far_states(name, count, distance)
        assert_array_equal(made(tree, bits, count, distance), expected, err_msg=f"{count} by {distance}")


@KINDS
@pytest.mark.parametrize("name", LARGE)
def test_large_states(device: clrng.DeviceInfo, name: str, kind: str) -> None:
    bits = LARGE[name].copy()
    tree = tree_of(device, kind, bits)
    for count, distance in ((1, FAR), (8, 1), (9, FAR + 1)):
        assert_array_equal(made(tree, bits, count, distance), one_after_another(bits, count, distance))


def test_all_levels_of_large_states(device: clrng.DeviceInfo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jump_tree, "FEW", 2)
    monkeypatch.setattr(jump_tree, "SOME", 8)
    bits = LARGE["+ 32 bits"].copy()
    tree = tree_of(device, device.kind, bits)
    for count in (8, 9, 27, 28):
        assert_array_equal(made(tree, bits, count, FAR), one_after_another(bits, count, FAR))


@KINDS
def test_the_largest_states(device: clrng.DeviceInfo, kind: str) -> None:
    tree = tree_of(device, kind, LARGEST)
    found = made(tree, LARGEST, 3, 12345)
    assert_array_equal(found, [LARGEST.jumped(12345 * i).words for i in range(3)])


@KINDS
def test_a_start_in_another_row(device: clrng.DeviceInfo, kind: str) -> None:
    """The start of the next states may be in the memory that they are written to."""
    bits = GENERATORS["+ 32 bits"].copy()
    tree, order = tree_of(device, kind, bits), bits.order
    for count in (37, 9, 2, 1):
        last = tree.states(tree.device_state(bits.words), count, 1000)
        assert_array_equal(states(last, order), one_after_another(bits, count, 1000))
        for row in (0, count // 2, count - 1):
            start = tree.states(tree.device_state(bits.words), count, 1000)
            later = bits.jumped(1000 * row)
            again = tree.states(DeviceState(start.states, row, start.event), count, 7)
            assert_array_equal(states(again, order), one_after_another(later, count, 7))
            again = tree.states(again, 5, 1000)
            assert_array_equal(states(again, order), one_after_another(later.jumped(7 * (count - 1)), 5, 1000))


def test_more_sets_of_weights_than_are_kept(device: clrng.DeviceInfo) -> None:
    bits = GENERATORS["+ 32 bits"].copy()
    tree = tree_of(device, device.kind, bits)
    for distance in (*range(1, jump_tree.CACHED_WEIGHTS + 2), 1):
        for count in (3, 11):
            assert_array_equal(made(tree, bits, count, distance), one_after_another(bits, count, distance))


@KINDS
@pytest.mark.parametrize("count", [1, 37, 160])
def test_states_in_columns(device: clrng.DeviceInfo, kind: str, count: int) -> None:
    bits = GENERATORS["- 64 bits"].copy()
    tree = tree_of(device, kind, bits)
    assert device.index is not None
    columns = cla.Array(make_queue(device.index), (bits.order + 1, count + 5), bits.word_dtype)
    tree.columns(tree.states(tree.device_state(bits.words), count, FAR), columns, 2).wait()
    found = columns.get()
    assert_array_equal(found[:-1, 2:-3], one_after_another(bits, count, FAR).T)
    for untouched in (found[-1], found[:, :2], found[:, -3:]):
        assert (untouched == 2**64 - 1).all()


def test_in_any_order(any_order: cl.CommandQueue, device: clrng.DeviceInfo) -> None:
    """On a queue without an order the states wait for one another by their events."""
    bits = GENERATORS["+ 32 bits"].copy()
    tree = JumpTree(any_order, device, LaggedFibonacciCode(bits, ARITHMETICS["integer"]))
    row = tree.device_state(bits.words)
    for _ in range(20):
        row = tree.states(row, 1025, 3)
    assert_array_equal(states(row, bits.order), one_after_another(bits.jumped(19 * 1024 * 3), 1025, 3))
