"""The device code in kernels of the user's own."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import code_for, why_not
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.lagged_fibonacci import LaggedFibonacciCode
from clrng.generators.source import kernel
from clrng.opencl import templates
from clrng.opencl.devices import describe
from clrng.opencl.templates import prelude
from tests.conftest import DEVICES
from tests.support import oracle, render_everything
from tests.support.generators import GENERATORS

Exact = tuple[cl.CommandQueue, str]

KERNEL = """
__kernel void draw(__global uint *raw, __global float *uniform, const uint seed, const ulong skip, const uint each)
{
    const size_t i = get_global_id(0);
    P_state state = P_seed(seed, skip + 2 * each * i);
    for (uint j = 0; j < each; j++) {
        raw[i * each + j] = P_next_raw(&state);
        uniform[i * each + j] = P_next_float(&state);
    }
}
"""


@pytest.mark.parametrize("skip", [0, 5, 10**18])
@pytest.mark.parametrize("multiplier", [16807, 48271, 630360016])
def test_kernels_draw_the_stream(exact: Exact, skip: int, multiplier: int) -> None:
    queue, arithmetic = exact
    bits = clrng.ParkMiller(seed=1, multiplier=multiplier)
    if why_not(arithmetic, describe(queue.device), bits):
        with pytest.raises(clrng.UnsupportedError, match=arithmetic):
            clrng.device_code(bits, arithmetic, queue.device)
        return
    code = clrng.device_code(bits, arithmetic, queue.device, prefix="mine_")
    program = cl.Program(queue.context, code + KERNEL.replace("P_", "mine_")).build()
    raw, uniform = cla.zeros(queue, 60, np.uint32), cla.zeros(queue, 60, np.float32)
    program.draw(queue, (20,), None, raw.data, uniform.data, np.uint32(77), np.uint64(skip), np.uint32(3))
    expected = oracle.sequence(77, 120, multiplier, first=skip + 1)
    assert_array_equal(raw.get(), expected[::2])
    assert_array_equal(uniform.get(), (expected[1::2] >> 7) * np.float32(2**-24))


WHOLE_STEPS = """
__kernel void draw(__global ulong *raw, __global float *uniform, __global const ulong *words)
{
    ulong own[COUNT];
    for (uint j = 0; j < COUNT; j++)
        own[j] = words[j];
    mine_state state = mine_seed(own, 3);
    for (uint j = 0; j < 50; j++) {
        raw[j] = mine_next_raw(&state);
        uniform[j] = mine_next_float(&state);
    }
}
"""


@pytest.mark.parametrize("kind", ["PCG64", "PCG64DXSM", "Philox"])
def test_every_value_takes_a_whole_step(queue: cl.CommandQueue, kind: str) -> None:
    bits, numpys = getattr(clrng, kind)(5), getattr(np.random, kind)(5)
    code = clrng.device_code(bits, device=queue.device, prefix="mine_")
    words = cla.to_device(queue, np.array(bits.words, np.uint64))
    raw, uniform = cla.zeros(queue, 50, np.uint64), cla.zeros(queue, 50, np.float32)
    program = cl.Program(queue.context, code + WHOLE_STEPS.replace("COUNT", str(words.size))).build()
    program.draw(queue, (1,), None, raw.data, uniform.data, words.data)
    expected = numpys.random_raw(103)[3:]
    assert_array_equal(raw.get(), expected[::2])
    assert_array_equal(uniform.get(), (expected[1::2] >> np.uint64(40)).astype(np.float32) * np.float32(2**-24))


RINGS = """
__kernel void draw(__global uint *states, __global uint *raw, __global float *uniform, const uint each)
{
    const uint i = get_global_id(0);
    lagged_fibonacci_state state = lagged_fibonacci_seed(states + i * ORDER);
    for (uint j = i * each; j < i * each + each; j++) {
        raw[j] = lagged_fibonacci_next_raw(&state);
        uniform[j] = lagged_fibonacci_next_float(&state);
    }
}
"""


@pytest.mark.parametrize(("lags", "op"), [((30, 127), "*"), ((250, 103), "-"), ((418, 1279), "xor")])
def test_large_states_stay_in_memory(queue: cl.CommandQueue, lags: tuple[int, int], op: str) -> None:
    bits, count, each, distance = clrng.LaggedFibonacci(lags, op, seed=4), 3, 700, 10**9
    states = cla.to_device(queue, clrng.Streams.by_jumps(bits, count, distance, queue).states)
    code = clrng.device_code(bits, device=queue.device) + RINGS.replace("ORDER", str(max(lags)))
    raw, uniform = (cla.zeros(queue, (count, each), dtype) for dtype in (np.uint32, np.float32))
    program = cl.Program(queue.context, code).build()
    program.draw(queue, (count,), None, states.data, raw.data, uniform.data, np.uint32(each))
    expected = np.array([bits.jumped(i * distance).sequence(2 * each) for i in range(count)])
    assert_array_equal(raw.get(), expected[:, ::2])
    assert_array_equal(uniform.get(), (expected[:, 1::2] >> 8) * np.float32(2**-24))


def test_doubles_where_there_are_any(exact: Exact) -> None:
    queue, arithmetic = exact
    code = clrng.device_code(clrng.ParkMiller, arithmetic, queue.device)
    if not describe(queue.device).fp64:
        assert "double" not in code
        return
    text = """
    __kernel void draw(__global double *out) {
        park_miller_state s = park_miller_seed(1u, get_global_id(0));
        out[get_global_id(0)] = park_miller_next_double(&s);
    }"""
    out = cla.zeros(queue, 100, np.float64)
    cl.Program(queue.context, code + text).build().draw(queue, (100,), None, out.data)
    assert_array_equal(out.get(), oracle.sequence(1, 100) / oracle.M)


def test_every_arithmetic_in_one_program(queue: cl.CommandQueue) -> None:
    names = [name for name in clrng.ARITHMETICS if why_not(name, describe(queue.device), clrng.ParkMiller(1)) is None]
    prefixes = [*(f"g{i}_" for i in range(2, len(names))), "x_", "x_float_"]  # one of them begins another
    code = "".join(
        clrng.device_code(clrng.ParkMiller, n, queue.device, p) for n, p in zip(names, prefixes, strict=True)
    )
    other = clrng.device_code(clrng.ParkMiller(seed=1, multiplier=48271), device=queue.device, prefix="other_")
    body = "".join(
        f"{{ {p}state s = {p}seed(9u, 4); out[{i}] = {p}next_raw(&s); }}" for i, p in enumerate([*prefixes, "other_"])
    )
    text = f"{code}{other}{code}__kernel void draw(__global uint *out) {{ {body} }}"
    out = cla.zeros(queue, len(names) + 1, np.uint32)
    cl.Program(queue.context, text).build().draw(queue, (1,), None, out.data)
    fifth = oracle.sequence(9, 5)[4]
    assert_array_equal(out.get(), [fifth] * len(names) + [oracle.sequence(9, 5, 48271)[4]])


def templates_of(form: GeneratorCode) -> dict[str, dict[str, Any]]:
    """Return the templates of kernels that a form has, and their values."""
    lagged = isinstance(form, LaggedFibonacciCode)
    strides = {"stride_words": len(form.stride(1)), "streaming": False, "leaping": not lagged, "keep_all": True}
    strides["interleaved"] = 4 if form.max_vector_width > 1 else 1
    blocks = {
        **strides,
        "chunk": 64,
        "per_store": 4,
        "group_size": 32,
        "unrolled": True,
        "resident": lagged,
        "state_words": form.order,
        "by_tables": form.jump_tables is not None,
        "by_groups": form.jumps_by_groups,
    }
    if not isinstance(form, LaggedFibonacciCode):
        moving = {"moving": False, "fixes_strides": form.fixes_strides}
        fills: dict[str, dict[str, Any]] = (
            {"fill/fill_blocks": blocks}
            if form.fill_strategy == "blocks"
            else {"fill/fill": {**strides, "consecutive": 4, "per_store": 4, **moving}}
        )
        one_word: dict[str, dict[str, Any]] = {"bench/step_streams": {}} if form.order == 1 else {}
        return {**fills, **one_word, "streams/advance_streams": strides, "streams/seed_streams": strides}
    padded = -(-form.order // 16) * 16
    jumps = {"chunk": 8 if form.word.itemsize == 4 else 4, "per_store": 4 if form.word.itemsize == 4 else 2}
    jumps |= {"padded": padded, "stretch": 512, "op": form.recurrence.op, "word_bits": 8 * form.word.itemsize}
    step = min(form.recurrence.lags)
    rings = {"group_size": 8, "step": step, "ring_words": (form.order // step + 2) * step, "mirrored": step}
    found = {
        "streams/jump_states": {**jumps, "weight_words": form.weight_words},
        "fill/fill_rings": {**rings, "space": "__local", "dimensions": None, "spaced": False},
        "fill/fill_lines": {"tile": 64, "interleaved": 2, "spare": 16, "streaming": False},
        "streams/advance_rings": {"keep_all": True},
    }
    if form.fits_registers:
        found |= {"fill/fill_blocks": blocks, "streams/advance_streams": strides}
    return {template: {"lags": form.recurrence.lags, **values} for template, values in found.items()}


def test_no_double_in_anything_for_a_device_without() -> None:
    device = replace(DEVICES[0], fp64=False, fma=False)
    for generator in (clrng.ParkMiller(1), *GENERATORS.values()):
        for name in (a for a in clrng.ARITHMETICS if why_not(a, device, generator) is None):
            form = code_for(generator, clrng.ARITHMETICS[name])
            texts = [clrng.device_code(generator, name, device)]
            texts += [
                kernel(f"{template}.cl.mako", form, transform, 1, values)
                for template, values in templates_of(form).items()
                for transform in (clrng.distributions.RAW, clrng.distributions.UNIFORM["float32"])
            ]
            for text in texts:
                assert "double" not in text.replace("in double precision", "")
                assert text.count("CLRNG_FMA(") == 2  # its two definitions


@pytest.mark.parametrize("width", [1, 8])
def test_operations_are_all_made(queue: cl.CommandQueue, width: int) -> None:
    rows = [("mixed", "uint", "x * a + (y >> 1) + b"), ("rounded", "float", "b - convert_TYPE(convert_UINT(x))")]
    text = prelude() + templates.render(
        "bench/operations.cl.mako", operations=rows, width=width, interleaved=3, repeats=2
    )
    program = cl.Program(queue.context, text).build()
    items, turns = 4, 5
    starts = np.arange(items * width * 3, dtype=np.uint32).reshape(-1, 3)
    for name, dtype in (("mixed", np.uint32), ("rounded", np.float32)):
        sums = cla.zeros(queue, items, dtype)
        getattr(program, name)(queue, (items,), None, sums.data, np.uint32(turns), dtype(1664525), dtype(1013))
        x = starts.astype(dtype)
        for _ in range(2 * turns):
            for c in range(3):
                step = x[:, c] * 1664525 + (x[:, (c + 1) % 3] >> 1) + 1013 if name == "mixed" else 1013 - x[:, c]
                x[:, c] = step
        assert_array_equal(sums.get(), x.reshape(items, -1).sum(axis=1, dtype=dtype))


def test_two_generators_of_one_prefix_do_not_compile(queue: cl.CommandQueue) -> None:
    texts = [clrng.device_code(clrng.ParkMiller(1, multiplier), device=queue.device) for multiplier in (16807, 48271)]
    with pytest.raises(cl.RuntimeError, match="redefinition"):
        cl.Program(queue.context, "".join(texts) + KERNEL.replace("P_", "park_miller_")).build()


def test_pragmas_of_others_do_not_reach_it(exact: Exact) -> None:
    queue, arithmetic = exact
    first, second = (clrng.device_code(clrng.ParkMiller, arithmetic, queue.device, f"{p}_") for p in "ab")
    text = first + "\n#pragma OPENCL FP_CONTRACT OFF\n" + second + KERNEL.replace("P_", "b_")
    raw, uniform = cla.zeros(queue, 20, np.uint32), cla.zeros(queue, 20, np.float32)
    program = cl.Program(queue.context, text).build()
    program.draw(queue, (20,), None, raw.data, uniform.data, np.uint32(7), np.uint64(0), np.uint32(1))
    assert_array_equal(raw.get(), oracle.sequence(7, 40)[::2])
    assert_array_equal(uniform.get(), (oracle.sequence(7, 40)[1::2] >> 7) * np.float32(2**-24))


def test_fast_relaxed_math_is_refused_or_harmless(exact: Exact) -> None:
    queue, arithmetic = exact
    code = clrng.device_code(clrng.ParkMiller, arithmetic, queue.device, prefix="mine_")
    program = cl.Program(queue.context, code + KERNEL.replace("P_", "mine_"))
    if arithmetic != "integer":
        with pytest.raises(cl.RuntimeError, match="exact only without -cl-fast-relaxed-math"):
            program.build(["-cl-fast-relaxed-math"])
        return
    raw, uniform = cla.zeros(queue, 40, np.uint32), cla.zeros(queue, 40, np.float32)
    program.build(["-cl-fast-relaxed-math"]).draw(
        queue, (20,), None, raw.data, uniform.data, np.uint32(77), np.uint64(0), np.uint32(2)
    )
    assert_array_equal(raw.get(), oracle.sequence(77, 80)[::2])
    assert_array_equal(uniform.get(), (oracle.sequence(77, 80)[1::2] >> 7) * np.float32(2**-24))


def test_fast_relaxed_math_leaves_out_doubles_that_are_divided(queue: cl.CommandQueue) -> None:
    if not describe(queue.device).fp64:
        pytest.skip("the device has no double precision")
    for generator, divided in ((clrng.LCG(5, 3, 10**9, 1), True), (clrng.LCG(5, 3, 2**40, 1), False)):
        text = clrng.device_code(generator, "integer", queue.device, "g_")
        text += "__kernel void k(__global double *out) { g_state s = g_seed(1, 0); *out = g_next_double(&s); }"
        if divided:
            with pytest.raises(cl.RuntimeError):
                cl.Program(queue.context, text).build(["-cl-fast-relaxed-math"])
        options = [] if divided else ["-cl-fast-relaxed-math"]
        out = cla.zeros(queue, 1, np.float64)
        cl.Program(queue.context, text).build(options).k(queue, (1,), None, out.data)
        assert out.get()[0] == 8 / generator.upper_bound


@pytest.mark.parametrize("prefix", ["", "1a_", "a-b", "ä_", "a b", "CLRNG_x", "clrng_x"])
def test_a_prefix_that_cannot_begin_a_name(prefix: str) -> None:
    with pytest.raises(ValueError, match="prefix must be letters, digits and underscores"):
        clrng.device_code(clrng.ParkMiller, prefix=prefix)


@pytest.mark.parametrize(("prefix", "builtin"), [("vec_", "vec_step"), ("smooth", "smoothstep")])
def test_a_prefix_that_makes_a_builtin(prefix: str, builtin: str) -> None:
    with pytest.raises(ValueError, match=f"prefix must not be '{prefix}', which makes {builtin}"):
        clrng.device_code(clrng.ParkMiller, prefix=prefix)


@pytest.mark.parametrize("prefix", ["h", "rh", "native_", "half_", "as_"])
def test_prefixes_that_begin_builtins(queue: cl.CommandQueue, prefix: str) -> None:
    for generator in (clrng.LCG(5, 3, 101, 1), clrng.LinearRecurrence([1, 2], [3, 4], 101, constant=5)):
        assert cl.Program(queue.context, clrng.device_code(generator, device=queue.device, prefix=prefix)).build()


def test_bad_arguments() -> None:
    with pytest.raises(
        TypeError, match="bit_generator must be a clrng bit generator or the class clrng.ParkMiller, not 'pm'"
    ):
        clrng.device_code("pm")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="prefix must be a string"):
        clrng.device_code(clrng.ParkMiller, prefix=5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="device must be a pyopencl.Device"):
        clrng.device_code(clrng.ParkMiller, device="gpu")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="arithmetic must be one of"):
        clrng.device_code(clrng.ParkMiller, "half")


def test_templates_are_strict() -> None:
    with pytest.raises(NameError, match="is not defined"):
        templates.render("distributions/raw.cl.mako", p="x_")


@pytest.mark.parametrize("bits", [*render_everything.EXAMPLES, *render_everything.GENERATORS], ids=repr)
def test_the_constant_memory_that_a_generator_takes(bits: clrng.BitGenerator) -> None:
    code = code_for(bits, ARITHMETICS["integer"]).user_code()
    arrays = re.findall(r"^__constant (uint|ulong) \w+\[(\d+)\]", code.generator("p_", 1), re.MULTILINE)
    assert code.constant_bytes == sum(int(size) * {"uint": 4, "ulong": 8}[kind] for kind, size in arrays)
