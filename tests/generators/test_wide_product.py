"""Products modulo 2^(w r) - 2^(w s) + 1, by which subtract with carry generators jump, against Python's integers."""

import random
from collections.abc import Sequence

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest

from clrng.generators.maths.carry_numbers import CarryNumbers
from clrng.opencl.kernel import Kernel
from clrng.opencl.templates import prelude, render

RANLUX = CarryNumbers(24, 10, 24)
OTHERS = [CarryNumbers(w, s, r) for w, r, s in ((24, 11, 10), (31, 5, 2), (32, 4, 1), (1, 2, 1))]

KERNEL = """
__kernel void products(__global uint *xs, __global const uint *factors, const uint count)
{
    const uint i = get_global_id(0);
    uint x[LIMBS], a[LIMBS];
    for (int k = 0; k < LIMBS; k++) { x[k] = xs[k * count + i]; a[k] = factors[k * count + i]; }
    s_multiply(x, a);
    for (int k = 0; k < LIMBS; k++) xs[k * count + i] = x[k];
}
"""


def products(queue: cl.CommandQueue, modulus: CarryNumbers, xs: Sequence[int], factors: Sequence[int]) -> list[int]:
    text = prelude() + render("generators/wide_product.cl.mako", p="s_", **modulus.template_values)
    text += KERNEL.replace("LIMBS", str(modulus.limbs))
    x, a = (cla.to_device(queue, modulus.to_limbs(numbers)) for numbers in (xs, factors))
    Kernel(queue.context, text, "products")(queue, len(xs), 1, x.base_data, a.base_data, len(xs)).wait()
    return [int.from_bytes(row.tobytes(), "little") for row in np.ascontiguousarray(x.get().T, "<u4")]


@pytest.mark.parametrize("modulus", [RANLUX, *OTHERS], ids=lambda m: f"{m.top}-{m.middle}")
def test_random_and_extreme_numbers(queue: cl.CommandQueue, modulus: CarryNumbers) -> None:
    """Products of m - 1, and of numbers whose upper or lower bits are all 1 or 0, are those nearest to every bound."""
    m, digits = modulus.modulus, random.Random(5)
    special = {0, 1, 2, m - 1, m - 2, m // 2, 1 << modulus.middle, (1 << modulus.middle) - 1, m - (1 << modulus.middle)}
    special |= {1 << modulus.top - 1, *(digits.randrange(m) for _ in range(20))}
    pairs = [(x % m, a % m) for x in special for a in special]
    xs, factors = zip(*pairs, strict=True)
    assert products(queue, modulus, xs, factors) == [x * a % m for x, a in pairs]


def test_products_that_need_every_fold_and_subtraction(queue: cl.CommandQueue) -> None:
    """Factors are found for products whose last fold leaves m or more, so that m has to be subtracted."""
    digits, m = random.Random(7), RANLUX.modulus
    remainders = [0, 1, 5, (1 << 240) - 2, (1 << 240) - 1, 1 << 240, m - 1]
    xs = [digits.randrange(1, m) for _ in remainders]
    factors = [remainder * pow(x, -1, m) % m for x, remainder in zip(xs, remainders, strict=True)]
    assert products(queue, RANLUX, xs, factors) == remainders


def test_folds_are_counted_from_the_largest_product() -> None:
    """As often as the reduction says, the largest product is folded, and no smaller one has to be folded more often."""
    for modulus in (RANLUX, *OTHERS):
        folds, subtractions = modulus.reduction
        digits = random.Random(8)
        numbers = [
            (modulus.modulus - 1) ** 2,
            *(digits.randrange(modulus.modulus) * digits.randrange(modulus.modulus) for _ in range(200)),
        ]
        for number in numbers:
            folded = number
            for _ in range(folds):
                folded = folded % (1 << modulus.top) + (folded >> modulus.top) * ((1 << modulus.middle) - 1)
            assert folded % modulus.modulus == number % modulus.modulus
            assert folded // modulus.modulus <= subtractions
