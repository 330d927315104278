"""Distributions in kernels of the user's own: the numbers of `Generator.sample`, bit for bit."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions.discrete import Poisson
from clrng.distributions.distribution import Between, Continuous, Distribution, integers
from clrng.distributions.quantiles.closed_forms import Exponential, Normal
from clrng.distributions.quantiles.integrated import Gamma, VonMises
from clrng.generators import BitGenerator
from clrng.generators.families import why_not
from clrng.generators.generator_code import CTYPES
from clrng.opencl.devices import describe
from tests.conftest import DEVICES
from tests.support.reference_draws import Angles, Located, Reference, Spaced, Whole, draws
from tests.support.reference_draws import Counted as Of
from tests.support.reference_draws import steps_of as reference_steps

NORMAL, GAMMA, POISSON = Continuous(Normal()), Continuous(Gamma(2.5)), Poisson(3)
DICE, WIDE = integers(1, 7, dtype="int8"), integers(-(2**63), 2**63 - 1)

DRAWN: dict[str, tuple[Distribution, str]] = {
    "normal": (NORMAL, "float32"),
    "price": (Continuous(Normal(), 100, 0.3), "float32"),
    "exponential": (Continuous(Exponential()), "float32"),
    "gamma": (GAMMA, "float32"),
    "fine": (NORMAL, "float64"),
    "fine_price": (Continuous(Normal(), 100, 0.3), "float64"),
    "angle": (Continuous(VonMises(0.5), 3), "float32"),
    "between": (Between(-1.0, 3.0), "float32"),
    "closed": (Between(1e-3, 0.7, "[]"), "float64"),
    "subnormal": (Between(-1e-38, 1e-38, "()"), "float32"),
    "poisson": (POISSON, "int64"),
    "short_poisson": (POISSON, "uint8"),
    "dice": (DICE, "int8"),
    "wide": (WIDE, "int64"),
}

REFERENCES: dict[str, Reference] = {
    "normal": Located(Normal()),
    "price": Located(Normal(), 100, 0.3),
    "exponential": Located(Exponential()),
    "gamma": Located(Gamma(2.5)),
    "fine": Located(Normal()),
    "fine_price": Located(Normal(), 100, 0.3),
    "angle": Angles(VonMises(0.5), 3),
    "between": Spaced(-1.0, 3.0, "[)"),
    "closed": Spaced(1e-3, 0.7, "[]"),
    "subnormal": Spaced(-1e-38, 1e-38, "()"),
    "poisson": Of(Poisson(3)),
    "short_poisson": Of(Poisson(3)),
    "dice": Whole(1, 6),
    "wide": Whole(-(2**63), 2**64 - 1),
}
"""What they must give."""

GENERATORS: dict[str, tuple[BitGenerator, str]] = {
    "Park-Miller": (clrng.ParkMiller(seed=77), "integer"),
    "Park-Miller in floats": (clrng.ParkMiller(seed=77), "float-nofma"),
    "LCG of 32 bits": (clrng.LCG(1664525, 1013904223, 2**32, 5), "integer"),
    "LCG of 64 bits": (clrng.LCG(6364136223846793005, 1442695040888963407, 2**64, 5), "integer"),
    "LCG modulo 10^19": (clrng.LCG(3, 1, 10**19, 1), "integer"),
    "MRG32k3a": (clrng.MRG32k3a(seed=12345), "auto"),
    "lagged Fibonacci in registers": (clrng.LaggedFibonacci((5, 17), "+", seed=3), "integer"),
}

KERNEL = """
__kernel void draw(__global const WORD *start, const ulong skip, const uint each OUTS)
{
    const uint i = get_global_id(0);
    WORD words[ORDER];
    for (uint k = 0; k < ORDER; k++) words[k] = start[k];
    my_state state = my_seed(SEED, skip + STEPS * each * (ulong)i);
    for (uint j = i * each; j < i * each + each; j++) {
        DRAWS
    }
}
"""


def steps_of(bits: BitGenerator, distribution: Distribution, dtype: str) -> int:
    return distribution.transform(bits.min_value, bits.upper_bound, np.dtype(dtype)).steps


def expected(
    bits: BitGenerator, drawn: Mapping[str, tuple[Distribution, str]], count: int, queue: cl.CommandQueue
) -> dict[str, npt.NDArray[Any]]:
    """Return what `count` values of each are, drawn by turns: each is a fill of one value at its position."""
    steps = {name: steps_of(bits, *pair) for name, pair in drawn.items()}
    found: dict[str, npt.NDArray[Any]] = {}
    at, turn = 0, sum(steps.values())
    for name, (distribution, dtype) in drawn.items():
        values = [
            clrng.Generator(bits.jumped(at + i * turn), queue).sample(distribution, (), dtype).get()
            for i in range(count)
        ]
        found[name] = np.array(values, dtype)
        at += steps[name]
    return found


def defined(bits: BitGenerator, names: Iterable[str], count: int) -> dict[str, npt.NDArray[Any]]:
    """Return what `expected` does, by the definitions."""
    steps = {name: reference_steps(REFERENCES[name], bits, DRAWN[name][1]) for name in names}
    found: dict[str, npt.NDArray[Any]] = {}
    at, turn = 0, sum(steps.values())
    for name in names:
        starts = [bits.jumped(at + i * turn) for i in range(count)]
        found[name] = np.concatenate([draws(REFERENCES[name], start, 1, DRAWN[name][1]) for start in starts])
        at += steps[name]
    return found


def drawn_by_kernel(
    queue: cl.CommandQueue, text: str, bits: BitGenerator, drawn: Mapping[str, tuple[Distribution, str]], skip: int
) -> dict[str, npt.NDArray[Any]]:  # fmt: skip
    """Return five times three values of each, as five work-items draw them by turns."""
    items, each = 5, 3
    steps = sum(steps_of(bits, *pair) for pair in drawn.values())
    kernel = KERNEL
    for name, part in {
        "WORD": CTYPES[bits.word_dtype.name],
        "ORDER": str(bits.order),
        "SEED": "words" if bits.order > 1 else "words[0]",
        "STEPS": str(steps),
        "OUTS": "".join(f", __global {CTYPES[dtype]} *{name}" for name, (_, dtype) in drawn.items()),
        "DRAWS": " ".join(f"{name}[j] = my_next_{name}(&state);" for name in drawn),
    }.items():
        kernel = kernel.replace(name, part)
    outs = {name: cla.zeros(queue, items * each, dtype) for name, (_, dtype) in drawn.items()}
    start = cla.to_device(queue, np.array(bits.words, bits.word_dtype))
    program = cl.Program(queue.context, text + kernel).build()
    program.draw(
        queue, (items,), None, start.data, np.uint64(skip), np.uint32(each), *(out.data for out in outs.values())
    )
    return {name: out.get() for name, out in outs.items()}


KINDS = {"float32": ("float32",), "float64": ("float64",), "integers": ("int8", "uint8", "int64")}
"""Dtypes that are drawn in one kernel: the tables of all together are more than some constant memories hold."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("skip", [0, 10**15 + 7])
@pytest.mark.parametrize("generator", GENERATORS)
def test_kernels_draw_what_fills_do(queue: cl.CommandQueue, generator: str, skip: int, kind: str) -> None:
    """Compare with the definitions, and for one generator with fills, which take long to build."""
    bits, arithmetic = GENERATORS[generator]
    device = describe(queue.device)
    if arithmetic != "auto" and why_not(arithmetic, device, bits):
        pytest.skip(f"{arithmetic} is not exact here")
    if kind == "float64" and not device.fp64:
        pytest.skip("the device has no double precision")
    if kind == "float64" and queue.device.max_constant_buffer_size < 2**17:
        pytest.skip("the tables of float64 do not fit the constant memory of the device")
    drawn = {name: pair for name, pair in DRAWN.items() if pair[1] in KINDS[kind]}
    one_by_one = queue.device.max_constant_buffer_size < 2**18  # too little for all tables together
    for some in [{name: pair} for name, pair in drawn.items()] if one_by_one else [drawn]:
        text = clrng.device_code(bits, arithmetic, device, "my_", some)
        found = drawn_by_kernel(queue, text, bits, some, skip)
        start = bits.jumped(skip)
        for name, values in defined(start, some, 15).items():
            assert_array_equal(found[name], values, err_msg=name)
        if generator == "Park-Miller" and not skip:
            for name, values in expected(start, some, 15, queue).items():
                assert_array_equal(found[name], values, err_msg=name)


RING = """
__kernel void draw(__global uint *states, __global float *normal, __global int *dice, const uint each)
{
    const uint i = get_global_id(0);
    my_state state = my_seed(states + i * 1279);
    for (uint j = i * each; j < i * each + each; j++) {
        normal[j] = my_next_standard_normal(&state);
        dice[j] = my_next_poisson(&state);
    }
}
"""


def test_a_state_in_global_memory(queue: cl.CommandQueue) -> None:
    bits, count, each, distance = clrng.LaggedFibonacci((418, 1279), "+", seed=4), 3, 500, 10**9
    states = cla.to_device(queue, clrng.Streams.by_jumps(bits, count, distance, queue).states)
    text = clrng.device_code(bits, device=queue.device, prefix="my_", distributions=[NORMAL, (POISSON, "int32")])
    normal, events = (cla.zeros(queue, (count, each), dtype) for dtype in (np.float32, np.int32))
    program = cl.Program(queue.context, text + RING).build()
    program.draw(queue, (count,), None, states.data, normal.data, events.data, np.uint32(each))
    for row in range(count):
        start = bits.jumped(row * distance)
        three = clrng.Generator(start.copy(), queue).sample(NORMAL, 3 * each).get()
        assert_array_equal(normal.get()[row], three[::3])
        two = clrng.Generator(start.jumped(1), queue)
        for value in events.get()[row][:20]:
            assert value == two.sample(POISSON, ()).get()
            two.bit_generator.advance(1)


WITH = """
__kernel void draw(__global float *real, __global uint *whole, const float loc, const float scale, const uint n)
{
    const uint i = get_global_id(0);
    my_state state = my_seed(9, i);
    real[i] = my_next_normal_with(&state, loc, scale);
    state = my_seed(9, 2 * i);
    whole[i] = my_next_uints_with(&state, 7, n);
}
"""


def test_parameters_chosen_at_run_time(queue: cl.CommandQueue) -> None:
    bits, count = clrng.ParkMiller(seed=9), 1000
    largest = integers(0, 2**23, dtype="uint32")
    drawn = {"normal": Continuous(Normal(), 3, 4), "uints": largest}
    text = clrng.device_code(bits, device=queue.device, prefix="my_", distributions=drawn)
    kernel = cl.Kernel(cl.Program(queue.context, text + WITH).build(), "draw")
    for loc, scale, n in ((0.1, 1e-3, 1), (-5e4, 7.7, 10**6), (0, 1, 2**23), (1, 0, 2**22 + 1)):
        real, whole = cla.zeros(queue, count, np.float32), cla.zeros(queue, count, np.uint32)
        kernel(queue, (count,), None, real.data, whole.data, np.float32(loc), np.float32(scale), np.uint32(n))
        of = clrng.Generator(bits.copy(), queue).sample(Continuous(Normal(), loc, scale), count).get()
        assert_array_equal(real.get(), of)
        raw = bits.sequence(2 * count).astype(object) - 1
        m = 2**31 - 2
        assert_array_equal(whole.get(), [7 + int(a * m + b) * n // m**2 for a, b in raw.reshape(-1, 2)])


def test_no_double_for_a_device_without() -> None:
    device = replace(DEVICES[0], fp64=False, fma=False)
    drawn = [NORMAL, GAMMA, POISSON, DICE]
    for bits, _ in GENERATORS.values():
        for kind in ("cpu", "gpu"):
            text = clrng.device_code(bits, "auto", replace(device, kind=kind), distributions=drawn)
            assert re.findall(r".*double\d*\b.*", text) == []
    with pytest.raises(clrng.UnsupportedError, match="^distributions of float64 need double precision, which "):
        clrng.device_code(clrng.ParkMiller, device=device, distributions=[(NORMAL, "float64")])


def test_two_generators_and_the_same_text_twice(queue: cl.CommandQueue) -> None:
    texts = [
        clrng.device_code(bits, device=queue.device, prefix=prefix, distributions={"normal": NORMAL, "dice": DICE})
        for bits, prefix in ((clrng.ParkMiller(1), "a_"), (clrng.LCG(5, 1, 2**64, 1), "b_"))
    ]
    text = """__kernel void draw(__global float *out) {
        a_state a = a_seed(1, 3);
        b_state b = b_seed(1, 3);
        out[0] = a_next_normal(&a);
        out[1] = b_next_normal(&b);
    }"""
    out = cla.zeros(queue, 2, np.float32)
    cl.Program(queue.context, "".join([*texts, *texts, text])).build().draw(queue, (1,), None, out.data)
    bits = (clrng.ParkMiller(1).advance(3), clrng.LCG(5, 1, 2**64, 1).advance(3))
    assert_array_equal(out.get(), [clrng.Generator(each, queue).sample(NORMAL, ()).get() for each in bits])


def test_fast_relaxed_math_is_refused_or_harmless(queue: cl.CommandQueue) -> None:
    def text(*distributions: Distribution) -> str:
        code = clrng.device_code(clrng.ParkMiller(1), "integer", queue.device, "my_", list(distributions))
        return code + "__kernel void draw(__global long *out) { my_state s = my_seed(1, 0); DRAWN; }"

    with pytest.raises(cl.RuntimeError, match="distributions are exact only without -cl-fast-relaxed-math"):
        cl.Program(queue.context, text(NORMAL, DICE).replace("DRAWN", "")).build(["-cl-fast-relaxed-math"])
    calls = "out[0] = my_next_integers(&s); out[1] = my_next_poisson(&s)"
    program = cl.Program(queue.context, text(DICE, POISSON).replace("DRAWN", calls)).build(["-cl-fast-relaxed-math"])
    out = cla.zeros(queue, 2, np.int64)
    program.draw(queue, (1,), None, out.data)
    rng = clrng.Generator(clrng.ParkMiller(1), queue)
    assert_array_equal(out.get(), [int(rng.sample(each, ()).get()) for each in (DICE, POISSON)])
