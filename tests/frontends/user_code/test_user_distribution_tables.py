"""The tables of distributions in kernels of the user's own: shared, in local memory, and within what memory holds."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions.distribution import Continuous
from clrng.distributions.quantiles.closed_forms import Normal
from clrng.opencl.devices import describe
from tests.conftest import DEVICES
from tests.frontends.user_code.test_user_distributions import DICE, GAMMA, NORMAL, POISSON, expected


def test_distributions_of_one_table_share_it() -> None:
    drawn = {"normal": NORMAL, "price": Continuous(Normal(), 100, 0.3), "events": POISSON, "few": (POISSON, "uint8")}
    text = clrng.device_code(clrng.ParkMiller, "integer", DEVICES[0], "my_", drawn)
    tables = re.findall(r"^__constant \w+ my_clrng_(\w+)\[", text, re.MULTILINE)
    of_events = ["events_tops", "events_guide", "events_thresholds", "events_places"]
    assert tables == ["normal_table", *of_events]


LOCAL = """
__kernel void draw(__global float *normal, __global float *gamma, __global float *both, __global int *events)
{
    my_local_normal(near);
    my_local_gamma(other);
    my_local_poisson(third);
    const uint i = get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2));
    my_state state = my_seed(9, 25 * i);
    for (uint j = 5 * i; j < 5 * i + 5; j++) {
        normal[j] = my_next_normal_local(&state, near);
        gamma[j] = my_next_gamma_local(&state, other);
        both[j] = my_next_normal_with_local(&state, near, 2.5f, 0.3f);
        events[j] = my_next_poisson_local(&state, third);
    }
}
"""


@pytest.mark.parametrize("kind", ["cpu", "gpu"])
@pytest.mark.parametrize("shape", [(64,), (8, 8), (2, 4, 8)])
def test_tables_in_local_memory(queue: cl.CommandQueue, kind: str, shape: tuple[int, ...]) -> None:
    """They are copied where the device is called a GPU, by groups of up to three dimensions."""
    device = replace(describe(queue.device), kind=kind)
    bits, drawn = clrng.ParkMiller(seed=9), {"normal": NORMAL, "gamma": GAMMA, "poisson": (POISSON, "int32")}
    text = clrng.device_code(bits, "integer", device, "my_", drawn)
    assert ("__local float4" in text) == (kind == "gpu")
    outs = [cla.zeros(queue, 5 * 64, dtype) for dtype in ("f4", "f4", "f4", "i4")]
    program = cl.Program(queue.context, text + LOCAL).build()
    program.draw(queue, shape, tuple(side // 2 for side in shape), *(out.data for out in outs))
    by_turns = {
        "normal": (NORMAL, "float32"), "gamma": (GAMMA, "float32"),
        "both": (Continuous(Normal(), 2.5, 0.3), "float32"), "events": (POISSON, "int32"),
    }  # fmt: skip
    for out, (name, values) in zip(outs, expected(bits, by_turns, 5 * 64, queue).items(), strict=True):
        assert_array_equal(out.get(), values, err_msg=name)


@pytest.mark.parametrize("local_bytes", [2**14, 48 * 1024, 2**16])
def test_all_copies_leave_a_quarter_of_local_memory(local_bytes: int) -> None:
    device = replace(
        DEVICES[0], kind="gpu", device=SimpleNamespace(max_constant_buffer_size=2**20, local_mem_size=local_bytes)
    )
    for drawn in ([NORMAL], [NORMAL, GAMMA], [NORMAL, GAMMA, POISSON], [NORMAL, GAMMA, POISSON, DICE]):
        text = clrng.device_code(clrng.ParkMiller, "integer", device, distributions=drawn)
        taken = sum(
            {"float4": 16, "uint": 4}[kind] * int(size)
            for kind, size in re.findall(r"__local (\w+) \S+\[(\d+)\];", text)
        )
        assert taken <= 0.75 * local_bytes
        assert taken or local_bytes < 2**15


def test_tables_larger_than_constant_memory_are_refused() -> None:
    """The normal's has 497 rows of 16 bytes, and the jumps of Park-Miller's take 64 words."""
    needed = 497 * 16 + 64 * 4
    fits, too_small = (
        replace(DEVICES[0], kind="cpu", device=SimpleNamespace(max_constant_buffer_size=there))
        for there in (needed, needed - 1)
    )
    assert "_table[497]" in clrng.device_code(clrng.ParkMiller, "integer", fits, distributions=[NORMAL])
    message = (
        f"^distributions need tables of {needed} bytes together, but .* has {needed - 1} bytes of constant memory;"
    )
    with pytest.raises(clrng.UnsupportedError, match=message):
        clrng.device_code(clrng.ParkMiller, "integer", too_small, distributions=[NORMAL])
    assert clrng.device_code(clrng.ParkMiller, "integer", too_small, distributions=[DICE])
