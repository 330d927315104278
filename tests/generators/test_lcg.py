"""Congruential generators against plain loops over Python's integers and published values."""

from itertools import accumulate, product, repeat
from math import gcd
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from clrng.generators import LCG, ParkMiller
from clrng.generators.parameters import Output

MODULI = st.one_of(
    st.integers(2, 2**64),
    st.integers(2, 300),
    st.integers(1, 64).map(lambda bits: 2**bits),
    st.integers(1, 63).map(lambda bits: 2 ** (bits + 1) - 1),
)


@st.composite
def parameters(draw: st.DrawFn) -> tuple[int, int, int, int]:
    """Return a, c, m and a seed, all legal."""
    m = draw(MODULI)
    a, c = draw(st.integers(1, m - 1)), draw(st.one_of(st.just(0), st.integers(0, m - 1)))
    return a, c, m, draw(st.integers(int(c == 0), m - 1))


def walked(a: int, c: int, m: int, seed: int, n: int) -> list[int]:
    """Return the `n` numbers after `seed`, one by one."""
    return list(accumulate(repeat(0, n), lambda x, _: (a * x + c) % m, initial=seed))[1:]


@given(parameters())
def test_the_sequence_is_the_recurrence(row: tuple[int, int, int, int]) -> None:
    a, c, m, seed = row
    assert LCG(a, c, m, seed).sequence(50).tolist() == walked(a, c, m, seed, 50)


@given(parameters(), st.integers(0, 2**200))
def test_a_jump_is_the_closed_form(row: tuple[int, int, int, int], n: int) -> None:
    """With (a - 1) times the modulus, a geometric sum is divided by a - 1 exactly."""
    a, c, m, seed = row
    total = n if a == 1 else (pow(a, n, (a - 1) * m) - 1) // (a - 1)
    assert LCG(a, c, m, seed).jumped(n).word == (pow(a, n, m) * seed + c * total) % m
    assert LCG(a, c, m, seed).stride(n) == (pow(a, n, m), c * total % m)


@given(parameters(), st.integers(0, 2**70))
def test_a_jump_backwards_is_one_with_the_inverse(row: tuple[int, int, int, int], n: int) -> None:
    a, c, m, seed = row
    generator = LCG(a, c, m, seed)
    assert generator.reversible == (gcd(a, m) == 1)
    if generator.reversible:
        inverse = pow(a, -1, m)
        assert generator.state_after((seed,), -1) == (inverse * (seed - c) % m,)
        backwards = LCG(inverse, -inverse * c % m, m, seed)
        assert generator.state_after((seed,), -n) == backwards.state_after((seed,), n)


def counted(a: int, c: int, m: int, seed: int) -> int | None:
    """Return after how many steps `seed` comes back, by walking, or None if it does not."""
    values = walked(a, c, m, seed, m)
    return values.index(seed) + 1 if seed in values else None


@pytest.mark.parametrize("m", range(2, 17))
def test_all_periods_of_small_moduli(m: int) -> None:
    for a, c in product(range(1, m), range(m)):
        for seed in range(int(c == 0), m):
            expected = counted(a, c, m, seed) if gcd(a, m) == 1 else None
            assert LCG(a, c, m, seed).period == expected, (a, c, m, seed)


@pytest.mark.parametrize("m", [101, 128, 169, 243, 256, 257, 343, 561, 720, 1000, 1001, 1024])
def test_periods_of_larger_moduli(m: int) -> None:
    for a in {1, 2, 3, 5, 6, 7, 21, m // 2 + 1, m - 2, m - 1}:
        for c in (0, 1, 2, 10, m - 1):
            expected = counted(a, c, m, 1) if gcd(a, m) == 1 else None
            assert LCG(a, c, m, 1).period == expected, (a, c, m)


@pytest.mark.parametrize("bits", [4, 8, 16, 24, 32, 48, 63, 64])
def test_full_periods_modulo_powers_of_two(bits: int) -> None:
    """By the theorem of Hull and Dobell for odd c and a = 1 (mod 4); a quarter of it for c = 0 and a = 5 (mod 8)."""
    assert LCG(5, 1, 2**bits, seed=0).period == 2**bits
    assert LCG(2**bits - 3, 2**bits - 1, 2**bits, seed=3).period == 2**bits
    assert LCG(5, 0, 2**bits, seed=1).period == 2 ** (bits - 2)
    assert LCG(3, 1, 2**bits, seed=0).period is not None
    assert LCG(3, 1, 2**bits, seed=0).period < 2**bits  # type: ignore[operator]


def test_periods_of_published_generators() -> None:
    assert LCG(69621, 0, 2**31 - 1, seed=1).period == 2**31 - 2
    assert LCG(40014, 0, 2147483563, seed=1).period == 2147483562
    assert LCG(40692, 0, 2147483399, seed=1).period == 2147483398
    assert LCG(13**13, 0, 2**59, seed=123456789).period == 2**57
    assert LCG(4096, 150889, 714025, seed=0).period == 714025


NUMERICAL_RECIPES = "3C6EF35F 47502932 D1CCF6E9 AAF95334 6252E503 9F2EC686 57FE6C2D A3D95FA8 81FDBEE7 94F0AF1A CBF633B1"


def test_numerical_recipes_in_c_page_284() -> None:
    expected = [int(number, 16) for number in NUMERICAL_RECIPES.split()]
    assert LCG(1664525, 1013904223, 2**32, seed=0).sequence(11).tolist() == expected


def test_knuths_mmix() -> None:
    a, c, m = 6364136223846793005, 1442695040888963407, 2**64
    expected = [1442695040888963407, 1876011003808476466, 11166244414315200793]
    assert LCG(a, c, m, seed=0).sequence(3).tolist() == expected
    assert LCG(a, c, m, seed=1).sequence(2).tolist() == [7806831264735756412, 9396908728118811419]


def test_lrand48_of_posix() -> None:
    seeded = LCG(0x5DEECE66D, 11, 2**48, seed=0x330E, output=(17, 31))
    assert seeded.sequence(3).tolist() == [366850414, 1610402240, 206956554]
    whole = LCG(0x5DEECE66D, 11, 2**48, seed=0x330E).sequence(3) / 2**48
    assert whole.tolist() == [0.17082803610628972, 0.74990198048496381, 0.09637165562356742]


@given(st.integers(1, 2**31 - 2), st.integers(1, 2**31 - 2))
def test_park_miller_is_one(seed: int, multiplier: int) -> None:
    one, other = ParkMiller(seed, multiplier), LCG(multiplier, 0, 2**31 - 1, seed)
    assert_array_equal(one.sequence(10), other.sequence(10))
    assert one.period == other.period
    assert one != other


@given(parameters(), st.data())
def test_an_output_is_some_bits_of_the_state(row: tuple[int, int, int, int], data: st.DataObject) -> None:
    a, c, m, seed = row
    length = (m - 1).bit_length()
    shift = data.draw(st.integers(0, length - 1))
    bits = data.draw(st.integers(1, length - shift))
    generator = LCG(a, c, m, seed, (shift, bits))
    expected = [x // 2**shift % 2**bits for x in walked(a, c, m, seed, 20)]
    assert generator.sequence(20).tolist() == expected
    assert generator.upper_bound == 2**bits
    assert generator.min_value == 0
    assert generator.dtype == (np.uint32 if bits <= 32 else np.uint64)
    assert generator.output == Output(shift, bits)
    assert LCG(a, c, m, seed, [shift, bits]) == generator  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("m", "c", "least", "dtype"),
    [
        (2**32, 0, 1, np.uint32),
        (2**32, 1, 0, np.uint32),
        (2**32 + 1, 0, 1, np.uint64),
        (2**64, 5, 0, np.uint64),
        (2, 1, 0, np.uint32),
        (2, 0, 1, np.uint32),
    ],
)
def test_what_there_is_to_say_of_one(m: int, c: int, least: int, dtype: Any) -> None:
    generator = LCG(m - 1, c, m, seed=1)
    assert (generator.multiplier, generator.increment, generator.modulus, generator.word) == (m - 1, c, m, 1)
    assert (generator.min_value, generator.upper_bound, generator.output) == (least, m, None)
    assert generator.dtype == generator.word_dtype == dtype
    assert generator.word_limits == [(least, m - 1)]


def test_a_representation_can_be_read() -> None:
    assert repr(LCG(5, 1, 16, 3)) == "LCG(multiplier=5, increment=1, modulus=16, seed=3)"
    assert repr(LCG(5, 1, 16, 3, (2, 2))) == "LCG(multiplier=5, increment=1, modulus=16, seed=3, output=(2, 2))"
    assert LCG(5, 1, 16, 3).state == {
        "bit_generator": "LCG",
        "multiplier": 5,
        "increment": 1,
        "modulus": 16,
        "output": None,
        "state": 3,
    }


LEGAL = {"multiplier": 5, "increment": 3, "modulus": 101, "seed": 7}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"modulus": 1}, "modulus must be an integer from 2 to 18446744073709551616, not 1"),
        ({"modulus": 0}, "modulus must be an integer from 2 to 18446744073709551616, not 0"),
        ({"modulus": -101}, "modulus must be an integer from 2 to 18446744073709551616, not -101"),
        ({"modulus": 2**64 + 1}, "modulus must be an integer from 2 to 18446744073709551616, not 18446744073709551617"),
        ({"multiplier": 0}, "multiplier must be an integer from 1 to 100, not 0"),
        ({"multiplier": -1}, "multiplier must be an integer from 1 to 100, not -1"),
        ({"multiplier": 101}, "multiplier must be an integer from 1 to 100, not 101"),
        ({"multiplier": np.uint64(2**64 - 1)}, "multiplier must be an integer from 1 to 100, not 18446744073709551615"),
        ({"increment": -1}, "increment must be an integer from 0 to 100, not -1"),
        ({"increment": 101}, "increment must be an integer from 0 to 100, not 101"),
        ({"seed": -1}, "seed must be an integer from 0 to 100, not -1"),
        ({"seed": 101}, "seed must be an integer from 0 to 100, not 101"),
        ({"seed": 0, "increment": 0}, "seed must be an integer from 1 to 100, not 0"),
        (
            {"seed": 1, "modulus": 2, "multiplier": 2, "increment": 1},
            "multiplier must be an integer from 1 to 1, not 2",
        ),
        ({"output": (-1, 3)}, "output[0] must be an integer from 0 to 6, not -1"),
        ({"output": (7, 1)}, "output[0] must be an integer from 0 to 6, not 7"),
        ({"output": (0, 0)}, "output[1] must be an integer from 1 to 7, not 0"),
        ({"output": (0, 8)}, "output[1] must be an integer from 1 to 7, not 8"),
        ({"output": (3, 5)}, "output[1] must be an integer from 1 to 4, not 5"),
        ({"output": (6, -1)}, "output[1] must be an integer from 1 to 1, not -1"),
    ],
)
def test_out_of_range(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match="must be") as raised:
        LCG(**{**LEGAL, **change})
    assert str(raised.value) == message


NOT_INTEGERS = [5.0, np.float32(5), "5", b"5", None, True, np.bool_(True), [5], (5,), 5j, np.array([5, 6]), {5}]


@pytest.mark.parametrize("name", LEGAL)
@pytest.mark.parametrize("value", NOT_INTEGERS)
def test_not_an_integer(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match=f"^{name} must be an integer from [012] to [0-9]+, not ") as raised:
        LCG(**{**LEGAL, name: value})
    assert str(raised.value).endswith(f", not {value!r}")


@pytest.mark.parametrize("value", [5, 1.5, "ab", b"ab", (), (1,), (1, 2, 3), {1, 2}, {1: 2, 3: 4}, True])
def test_an_output_that_is_no_pair(value: Any) -> None:
    with pytest.raises(TypeError, match="^output must be None or a pair ") as raised:
        LCG(**LEGAL, output=value)
    assert str(raised.value).endswith(f"of integers, not {value!r}")


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("value", NOT_INTEGERS)
def test_an_output_that_is_not_of_integers(place: int, value: Any) -> None:
    pair: list[Any] = [1, 2]
    pair[place] = value
    with pytest.raises(TypeError, match=rf"^output\[{place}\] must be an integer from [01] to [0-9]+, not "):
        LCG(**LEGAL, output=tuple(pair))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.uint64, int])
def test_integers_of_numpy_are_taken_as_integers(kind: Any) -> None:
    found = LCG(*map(kind, (5, 3, 101, 7)), output=(kind(1), kind(2)))
    assert found == LCG(5, 3, 101, 7, output=(1, 2))
    assert {type(value) for value in found.state.values()} == {str, int, list}
    assert found.sequence(30).tolist() == [x // 2 % 4 for x in walked(5, 3, 101, 7, 30)]
