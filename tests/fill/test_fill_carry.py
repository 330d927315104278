"""Fills with subtract with carry generators, of words, lags and blocks of every kind."""

from typing import Any

import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions import RAW
from clrng.fill import fill
from clrng.fill.fill import FillKernel
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import code_for
from clrng.generators.subtract_with_carry import NAMED
from clrng.opencl.devices import describe

FORMS: list[dict[str, Any]] = [
    {"bits": 32, "lags": (4, 5), "block": 31, "used": 3},
    {"bits": 1, "lags": (2, 7), "block": 2, "used": 1},
]


NAMES = [row.name for row in NAMED]


def made(form: dict[str, Any]) -> clrng.SubtractWithCarry:
    bits, (_, r) = form["bits"], form["lags"]
    return clrng.SubtractWithCarry(**form, state=[pow(3, 5 * i + 3, 2**bits + 17) % 2**bits for i in range(r)])


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_a_fill_is_the_recurrence(queue: cl.CommandQueue, form: dict[str, Any]) -> None:
    bits = made(form)
    rng, n = clrng.Generator(bits.copy(), queue), 5003
    drawn = [rng.random_raw(size).get() for size in (1, n, 2)]
    assert_array_equal([*drawn[0], *drawn[1], *drawn[2]], bits.sequence(n + 3))
    rng.bit_generator.advance(10**30)
    assert_array_equal(rng.random_raw(100).get(), bits.jumped(n + 3 + 10**30).sequence(100))


def test_work_items_that_exchange_values(queue: cl.CommandQueue) -> None:
    bits, device = made(FORMS[0]), describe(queue.device)
    shape = fill.BlockPlan(1, 16, False, 70, 1, 8, unrolled=False)
    filler = FillKernel(queue, device, code_for(bits, ARITHMETICS["integer"]), RAW, shape)
    for n in (1, 333, 5003):
        out = cla.zeros(queue, n, bits.dtype)
        filler.fill(out, bits)
        assert_array_equal(out.get(), bits.sequence(n))


def test_lanes_discard_at_the_same_time() -> None:
    plan = fill.BlockPlan(1, 64, False, 1000, 1, 64, True, together=3)
    for n in (1, 10**5, 10**7, 2**31):
        work_items, each = plan.launch(n)
        assert each % 3 == 0
        assert each <= plan.longest
        assert work_items * each * 64 + 2 * 64 > n
    assert fill.BlockPlan(1, 2048, False, 1000, 1, 64, False, together=5).launch(2**31)[1] == 3


def test_codes_say_how_long_a_round_of_steps_is() -> None:
    phases = {name: code_for(clrng.named(name, 1), ARITHMETICS["integer"]).phases for name in NAMES}
    assert {name: n for name, n in phases.items() if n > 1} == {
        **dict.fromkeys(("ranlux1", "ranlux2", "ranlux3", "ranlux4", "gsl_ranlux", "gsl_ranlux389"), 24),
        **dict.fromkeys(("gsl_ranlxs0", "gsl_ranlxs1", "gsl_ranlxs2"), 24),
        **dict.fromkeys(("gsl_ranlxd1", "gsl_ranlxd2"), 12),
        "std_ranlux24": 23,
        "std_ranlux48": 11,
    }


def test_factors_of_jumps_fit_constant_memory() -> None:
    for bits, r in ((63, 32), (64, 32), (64, 64)):
        form = {"bits": bits, "lags": (1, r)}
        text = code_for(made(form), ARITHMETICS["integer"]).generator("p_", 1)
        words = int(text.split("__constant uint p_powers[")[1].split("]")[0])
        assert 4 * words <= 2**16
