"""Small random orders by every kernel of permutations, for Oclgrind; see `tests.support.under_oclgrind`."""

from math import prod

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

import clrng
from clrng.frontends.permutations import Permuter
from clrng.order.plans import RowSortPlan
from tests.support.kept import kept, same
from tests.support.orders import order, orders

PLANS = (
    RowSortPlan(1, 16, 2, in_order=False, max_local=16, keys_a_heap=0.5, groups=3, piece=50),
    RowSortPlan(8, 16, 2, in_order=True, max_local=16, keys_a_heap=2, groups=3, piece=50),
)
GENERATORS = (
    clrng.LCG(1, 2**64 - 1, 2**64, 5),
    clrng.LaggedFibonacci((5, 17), "xor", 64, state=[7 * i % 61 for i in range(17)]),
)
"""One whose keys are made again, and one whose keys are in memory; all are alike but for their last bits."""


def permutations(queue: cl.CommandQueue) -> None:
    """Sort rows and buckets, mend orders, move elements and map places."""
    for plan in PLANS:
        for shape in ((3, 5, 2), (1, 90, 1)):
            rng = kept(clrng.Generator(clrng.ParkMiller(seed=1), queue))
            rng._permuter = Permuter(queue, rng.device, rng._executor.code, plan)
            made = kept(cla.zeros(queue, prod(shape), np.int32))
            rng._orders(made, shape)
            same(made, orders(clrng.ParkMiller(seed=1), shape)[0].transpose(0, 2, 1).ravel())
    for bits in GENERATORS:
        same(kept(clrng.Generator(bits.copy(), queue)).permutation(11), order(bits.copy(), 11))
    rng, bits = kept(clrng.Generator(clrng.ParkMiller(seed=1), queue)), clrng.ParkMiller(seed=1)
    array = kept(cla.to_device(queue, np.arange(12, dtype=np.int16).reshape(3, 4)))
    same(rng.permutation(array[:, ::2], 1), array.get()[:, ::2][:, order(bits, 2)])
    row = kept(cla.to_device(queue, np.arange(70, dtype=np.int32)))
    rng.shuffle(row)
    same(row, order(bits, 70))
    np.testing.assert_array_equal(np.sort(rng.permutation(10, method="bijective").get()), np.arange(10))
