"""Sorts and distinct values of the workload are those of NumPy, and others are not taken for them."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from workloads import sorting
from workloads.sorting import CASES

import clrng


@pytest.mark.parametrize("name", CASES)
def test_values_are_those_of_numpy(queue: cl.CommandQueue, name: str) -> None:
    case = CASES[name]
    for n in (2, 1000, 4097):
        a = case.draw(clrng.Generator(clrng.MRG32k3a(seed=n), queue), n)
        expected = case.host(a.get())
        assert expected.size > 1
        for way in case.ways.values():
            assert np.array_equal(way(a, cla.zeros_like(a)).get(), expected)


def test_integers_are_below_their_number(queue: cl.CommandQueue) -> None:
    a = CASES["integers below their number"].draw(clrng.Generator(clrng.MRG32k3a(seed=1), queue), 1000).get()
    assert (a < 1000).all()
    assert (CASES["distinct"].draw(clrng.Generator(clrng.MRG32k3a(seed=1), queue), 10**5).get() < 1000).all()


def test_other_values_are_seen(queue: cl.CommandQueue) -> None:
    case = CASES["normals"]._replace(ways={"nothing": lambda _, out: out})
    with pytest.raises(clrng.ClrngError, match="nothing gave other values than NumPy for 100 values"):
        sorting.measured(queue, case, 100, 1)


def test_sizes_that_find_no_room(device: clrng.DeviceInfo) -> None:
    most = sorting.most_values(device)
    assert 0 < 4 * most <= device.largest_allocation
    assert 4 * most * sorting.ARRAYS <= device.memory
