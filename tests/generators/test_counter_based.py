"""Generators that count, against published values of Random123, RFC 8439, C++ and randomgen, and what is refused."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng import CounterBased
from clrng.distributions import RAW, UNIFORM
from clrng.fill import counter_tiles, fill
from clrng.generators.families import code_for
from clrng.generators.maths.bijections import BIJECTIONS
from clrng.opencl import traits
from clrng.opencl.devices import describe
from tests.support.tiers import first_of_each

Row = dict[str, Any]

DATA = Path(__file__).parents[1] / "data" / "counter_values.json"


def _row(row: Row) -> Row:
    """Return a row with integers in place of the hexadecimal words."""
    return {**row, **{name: [int(word, 16) for word in row[name].split()] for name in ("counter", "key", "values")}}


PUBLISHED: list[Row] = [_row(row) for row in json.loads(DATA.read_text())]
SQUARES_KEY = 0xC58EFD154CE32F6D
KEYS = {name: SQUARES_KEY if name.startswith("squares") else 12345 for name in BIJECTIONS}
each = pytest.mark.parametrize("bijection", BIJECTIONS)


def example(bijection: str, counter: int = 0) -> CounterBased:
    return CounterBased(bijection, KEYS[bijection], counter)


def test_every_bijection_of_random123_and_chacha_has_published_values() -> None:
    assert {row["bijection"] for row in PUBLISHED} == {
        name for name in BIJECTIONS if not name.startswith(("squares", "jax"))
    }


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: f"{row['bijection']}-{row['rounds']}-{row['counter'][0]:x}")
def test_published_values(row: Row) -> None:
    made = CounterBased(row["bijection"], row["key"], row["counter"], rounds=row["rounds"])
    assert made.values_of(row["counter"]) == tuple(row["values"])
    assert made.sequence(len(row["values"])).tolist() == row["values"]


@pytest.mark.parametrize(
    "row", first_of_each(PUBLISHED, lambda row: (row["bijection"], row["rounds"])), ids=lambda row: f"{row['source']}"
)
def test_published_values_on_a_device(queue: cl.CommandQueue, row: Row) -> None:
    made = CounterBased(row["bijection"], row["key"], row["counter"], rounds=row["rounds"])
    assert clrng.Generator(made, queue).random_raw(len(row["values"])).get().tolist() == row["values"]


@pytest.mark.parametrize(("bijection", "value"), [("philox4x32", 1955073260), ("philox4x64", 3409172418970261260)])
def test_the_ten_thousandth_value_of_cpp(bijection: str, value: int) -> None:
    assert CounterBased(bijection, key=20111115).jumped(9999).sequence(1) == value


RANDOMGEN: dict[str, tuple[int, int, list[int]]] = {
    "philox2x32": (0x89ABCDEF, 6, [1942901328, 1054849891, 4202481857, 4004442229, 621133128]),
    "philox4x32": (0x123456789ABCDEF, 6, [1607080441, 4204647148, 1070743755, 2637870569, 2392103196]),
    "philox2x64": (0x123456789ABCDEF, 6, [9598330711524051063, 13594773281155169487, 6253041534477462293]),
    "philox4x64": (0x123456789ABCDEF, 6, [12348562640850114890, 12163030829189184406, 2685896189065575138]),
    "threefry2x32": (0x123456789ABCDEF, 6, [1822680882, 2755357497, 3356640791, 544688494, 3039885333]),
    "threefry4x32": (0x123456789ABCDEF, 6, [3195356745, 1630247777, 2803248343, 3735498652, 2246248652]),
    "threefry2x64": (0x123456789ABCDEF, 6, [11253785260645675665, 1288058549495861715, 7120196125487351943]),
    "threefry4x64": (0x123456789ABCDEF, 6, [1295737229906672199, 16336077349676478380, 4111708508661121404]),
    "squares32": (SQUARES_KEY, 0, [2203244565, 1298422897]),
    "squares64": (SQUARES_KEY, 0, [9462863352113132047, 5576683879226033212, 6874264570996313208]),
}
"""Keys, counters and values of randomgen 2.5.1, which counts before its first values but in Squares."""


@pytest.mark.parametrize("bijection", RANDOMGEN)
def test_values_of_randomgen(bijection: str) -> None:
    key, counter, values = RANDOMGEN[bijection]
    assert CounterBased(bijection, key, counter).sequence(len(values)).tolist() == values


@given(st.sampled_from(["philox4x64"]), st.integers(0, 2**256 - 1), st.integers(0, 2**128 - 1))
def test_counters_and_keys_are_numpys(bijection: str, counter: int, key: int) -> None:
    made = CounterBased(bijection, key, (counter + 1) % 2**256)
    assert_array_equal(made.sequence(9), np.random.Philox(counter=counter, key=key).random_raw(9))


@each
@given(data=st.data())
def test_places_and_counters(bijection: str, data: st.DataObject) -> None:
    traits = BIJECTIONS[bijection]
    most = 2 ** (traits.bits * traits.counter)
    counter, n = data.draw(st.integers(0, most - 1)), data.draw(st.integers(-(2**70), 2**70))
    made = example(bijection, counter)
    moved = made.jumped(n)
    counts, place = divmod(n, traits.values)
    expected = made.values_of((counter + counts) % most)
    assert moved.sequence(1)[0] == expected[place]
    digits = [(counter + counts) % most >> traits.bits * i & 2**traits.bits - 1 for i in range(traits.counter)]
    assert list(moved.counter) == digits
    assert CounterBased(bijection, state=moved.words) == moved == eval(repr(moved))
    assert CounterBased(bijection, moved.key, moved.counter).jumped(place) == moved


def counters_near_carries(bijection: str) -> list[int]:
    """Return counters from which the next ones carry into each word."""
    traits = BIJECTIONS[bijection]
    return [2 ** (traits.bits * i) - 5 for i in range(1, traits.counter + 1)]


@each
def test_fills_from_any_place(queue: cl.CommandQueue, bijection: str) -> None:
    values = BIJECTIONS[bijection].values
    for counter in (0, *counters_near_carries(bijection)):
        for place in sorted({0, 1 % values, values - 1}):
            made = example(bijection, counter).advance(place)
            rng = clrng.Generator(made.copy(), queue)
            out: Any = cla.zeros(queue, 1300, made.dtype)
            rng.random_raw(out=out[3:1234])
            expected = np.concatenate([np.zeros(3, made.dtype), made.sequence(1231), np.zeros(66, made.dtype)])
            assert_array_equal(out.get(), expected)
            assert rng.bit_generator == made.jumped(1231)


@each
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_uniform_numbers_from_odd_places(queue: cl.CommandQueue, device: Any, bijection: str, dtype: str) -> None:
    if dtype == "float64" and not device.fp64:
        pytest.skip("needs double precision")
    made = example(bijection).advance(1)
    bound = made.upper_bound
    bits = 24 if dtype == "float32" else 53
    raw = [int(value) for value in made.sequence(901)]
    expected = [value * 2**bits // bound / 2**bits for value in raw]
    rng = clrng.Generator(made, queue)
    if dtype == "float32" or bound == 2**64:
        assert_array_equal(rng.random(901, dtype).get(), np.array(expected, dtype))
    else:
        assert_array_equal(rng.random(901, dtype).get(), np.array(raw) / 2**32)


def test_values_of_several_steps_from_odd_places(queue: cl.CommandQueue) -> None:
    made = example("philox4x32").advance(3)
    raw = [int(value) for value in made.sequence(3 * 700)]
    numbers = [raw[i] << 64 | raw[i + 1] << 32 | raw[i + 2] for i in range(0, len(raw), 3)]
    expected = [number * 10**12 >> 96 for number in numbers]
    assert clrng.Generator(made, queue).integers(10**12, size=700).get().tolist() == expected


def test_a_tile_has_all_values_of_counters_and_whole_stores() -> None:
    for name in BIJECTIONS:
        code: Any = code_for(example(name), clrng.ARITHMETICS["integer"])
        for side_by_side in (False, True):
            for steps in (1, 2, 3):
                for size in (2, 4, 8):
                    tile = counter_tiles.choose_tile(code, steps, size, side_by_side=side_by_side)
                    if tile is None:
                        continue
                    raw = tile.values * steps
                    assert raw == tile.counts * tile.sets * tile.lanes * BIJECTIONS[name].values
                    assert tile.values % tile.group == 0
                    assert tile.group * size % 16 == 0


@each
@pytest.mark.parametrize("dtype", ["raw", "float32", "float64"])
def test_work_items_of_a_gpu_exchange_stores(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, bijection: str, dtype: str
) -> None:
    made, device = example(bijection), describe(queue.device)
    if dtype == "float64" and not device.fp64:
        pytest.skip("the device has no double precision")
    rng, most = clrng.Generator(made.copy(), queue), 20_004
    expected: Any = (rng.random_raw(most) if dtype == "raw" else rng.random(most, dtype)).get()
    monkeypatch.setattr(fill, "traits_of", lambda _: traits.GPU)
    transform: Any = RAW if dtype == "raw" else UNIFORM[dtype]
    filler = fill.FillKernel(queue, device, code_for(made, clrng.ARITHMETICS["integer"]), transform)
    for begin in (0, 1, 3):
        for n in (1, 1003, most - begin):
            out: Any = cla.empty(queue, n, filler.dtype)
            filler.fill(out, made.jumped(begin), transform)
            assert_array_equal(out.get(), expected[begin : begin + n])


@each
def test_streams_of_several_keys(queue: cl.CommandQueue, bijection: str) -> None:
    starts = [example(bijection).seeded(seed).advance(seed) for seed in range(37)]
    streams = clrng.Streams.from_seeds(starts[0], [bits.words for bits in starts], queue)
    assert_array_equal(streams.random_raw(9).get(), np.array([bits.sequence(9) for bits in starts]).T)


def test_keys_and_counters_share_a_kernel(queue: cl.CommandQueue) -> None:
    rng = clrng.Generator(example("philox4x32"), queue)
    for seed in (1, 2, 3):
        rng.bit_generator = CounterBased("philox4x32", seed, counter=seed)
        assert_array_equal(rng.random_raw(501).get(), CounterBased("philox4x32", seed, counter=seed).sequence(501))


KERNEL = """
__kernel void draw(__global const {word} *counters, __global {value} *out)
{{
    const size_t item = get_global_id(0);
    const {word} key[] = {{{key}}};
    {word} counter[{counter}];
    {value} values[{values}];
    for (int i = 0; i < {counter}; i++) counter[i] = counters[item * {counter} + i];
    bits_values_of(counter, key, values);
    for (int i = 0; i < {values}; i++) out[item * {values} + i] = values[i];
}}
"""


@each
def test_a_pure_function_for_kernels(queue: cl.CommandQueue, bijection: str) -> None:
    made, traits = example(bijection), BIJECTIONS[bijection]
    word, value = ("uint", "ulong")[traits.bits > 32], ("uint", "ulong")[traits.value_bits > 32]
    end = "u" if word == "uint" else "UL"
    sizes = {"word": word, "value": value, "counter": traits.counter, "values": traits.values}
    kernel = KERNEL.format(key=", ".join(f"{k}{end}" for k in made.key), **sizes)
    program = cl.Program(queue.context, clrng.device_code(made, device=queue.device, prefix="bits_") + kernel).build()
    rng = np.random.default_rng(5)
    counters = rng.integers(0, 2**traits.bits, (19, traits.counter), dtype=made.word_dtype)
    given, out = cla.to_device(queue, counters), cla.empty(queue, (19, traits.values), made.dtype)
    program.draw(queue, (19,), None, given.data, out.data)
    assert out.get().tolist() == [list(made.values_of(counter)) for counter in counters.tolist()]


def test_seeds_and_children() -> None:
    for bijection in BIJECTIONS:
        traits, made = BIJECTIONS[bijection], example(bijection)
        sequence = np.random.SeedSequence(2026)
        key = sequence.generate_state(traits.key, made.word_dtype.type).tolist()
        odd = [key[0] | 1] if bijection.startswith("squares") else key
        seeded = made.seeded(2026)
        assert seeded == CounterBased(bijection, odd)
        assert seeded.spawn(1)[0] == made.seeded(sequence.spawn(1)[0])


@pytest.mark.parametrize(
    ("bijection", "arguments", "message"),
    [
        ("philox4x32", {"key": 2**64}, "key must be an integer from 0 to "),
        ("philox4x32", {"key": [1]}, "key must be 2 integers, not 1"),
        ("philox4x32", {"key": [1, 2**32]}, "key[1] must be an integer from 0 to 4294967295, not 4294967296"),
        ("threefry2x64", {"key": 1, "counter": [0] * 3}, "counter must be 2 integers, not 3"),
        ("threefry2x64", {"key": 1, "counter": 2**128}, "counter must be an integer from 0 to "),
        ("philox2x64", {"key": 1, "rounds": 17}, "rounds must be an integer from 1 to 16, not 17"),
        ("chacha", {"key": 1, "rounds": 7}, "rounds must be a multiple of 2 from 2 to 20 for chacha, not 7"),
        ("squares32", {"key": 1, "rounds": 5}, "rounds must be an integer from 4 to 4, not 5"),
        ("squares32", {"key": 2}, "key must be odd"),
        ("squares64", {"state": [5, 0, 2]}, "state must have an odd key"),
        ("philox2x32", {"state": [0] * 5}, "state must be 4 integers, 2 of the counter, "),
        ("philox2x32", {"state": [0, 0, 2, 0]}, "state[2] must be an integer from 0 to 1, not 2"),
        ("aes", {"key": 1}, "bijection must be one of 'philox2x32', "),
    ],
)
def test_arguments_out_of_range(bijection: str, arguments: Row, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        CounterBased(bijection, **arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "key must be an integer or a sequence of them where no state is given, not None"),
        ({"key": 1, "state": [0] * 7}, "state must be given alone, "),
        ({"counter": [1, 0, 0, 0], "state": [0] * 7}, "state must be given alone, "),
        ({"key": 1.5}, "key must be an integer "),
        ({"key": 1, "counter": "12"}, "counter must be an integer "),
    ],
)
def test_arguments_that_are_none(arguments: Row, message: str) -> None:
    with pytest.raises(TypeError, match=f"^{re.escape(message)}"):
        CounterBased("philox4x32", **arguments)
