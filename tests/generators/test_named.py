"""The generators by name, against the libraries that have them, and Coveyou's against its definition."""

import json
import pickle
import re
import sys
from itertools import accumulate, repeat
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import clrng
from clrng.generators import lagged_fibonacci, lxm, splitmix, subtract_with_carry, xoshiro
from clrng.generators.backwards import XorShiftBackwards
from clrng.generators.base import BitGenerator
from clrng.generators.binary_recurrence import LFSR113, WELL512a
from clrng.generators.congruential import IDENTITY, LCG, Coveyou, ParkMiller, map_at, map_doubled, maps_composed
from clrng.generators.counter_based import CounterBased  # noqa: F401  # which reprs have
from clrng.generators.families import FAMILIES, NAMED
from clrng.generators.family import Named
from clrng.generators.kiss import KISS
from clrng.generators.lagged_fibonacci import LaggedFibonacci
from clrng.generators.linear_recurrence import LinearRecurrence
from clrng.generators.lxm import LXM
from clrng.generators.mersenne_twister import MT19937, MT19937_64
from clrng.generators.mrg32k3a import MRG32k3a
from clrng.generators.pcg import PCG32, PCG64, PCG64DXSM
from clrng.generators.philox import Philox
from clrng.generators.ranluxpp import RANLUXpp
from clrng.generators.splitmix import SplitMix
from clrng.generators.subtract_with_carry import SubtractWithCarry
from clrng.generators.xorshift import XorShift
from clrng.generators.xoshiro import Xoroshiro, Xoroshiro1024, Xoshiro, Xoshiro512  # noqa: F401  # which reprs have
from tests.support import libraries, papers

PUBLISHED: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data" / "named_values.json").read_text())
FAR = 100_000
STATES = st.integers(0, 2**30 - 1).map(lambda t: 2 + 4 * t)
STEPS = st.integers(-(2**70), 2**70)


LARGE = 1000
"""Orders from which a seed takes long."""


KINDS = {name: row.make(max(row.seeds[0], 1)) for name, row in NAMED.items()}
"""A generator of each name."""


def seeds(name: str) -> list[int]:
    """Return the legal seeds at both ends and some between, fewer where the library takes long."""
    low, high = NAMED[name].seeds
    kind, order = type(KINDS[name]), KINDS[name].order
    if kind in (SubtractWithCarry, WELL512a):
        return [low, 12345, high]
    takes_long = kind in (MT19937, MT19937_64, LinearRecurrence) or order > LARGE
    n = 1 if takes_long else 2
    ends = [*range(low, low + n), *range(high + 1 - n, high + 1)]
    return sorted({*ends, min(12345, high), (low + high) // 3, low + 2 * (high - low) // 3})


LIVING = [
    pytest.param(
        name, library, seed, id=f"{name}-{label}-{seed}", marks=[pytest.mark.slow] if some[0] < seed < some[-1] else []
    )
    for name, has in papers.LIVING.items()
    for label, library in has.items()
    for some in (seeds(name),)
    for seed in some
]


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: f"{row['name']}-{row['seed']}-{row['position']}")
def test_published_values(row: dict[str, Any]) -> None:
    generator = NAMED[row["name"]].make(row["seed"]).advance(row["position"] - 1)
    shown = generator.sequence(len(row["values"])) >> row.get("shift", 0)  # which some libraries do not show
    assert_array_equal(shown, np.array(row["values"], np.uint64))


@pytest.mark.parametrize(("name", "library", "seed"), LIVING)
def test_the_library_gives_the_same(name: str, library: libraries.Library, seed: int) -> None:
    the_same(NAMED[name].make(seed), library, seed)


def the_same(generator: BitGenerator, library: libraries.Library, seed: int) -> None:
    """Compare the first values, of a few times the order, and 100 far ones."""
    near, far = max(1000, 3 * generator.order), max(FAR, 4 * generator.order)
    values = library(seed, far + 100)
    assert_array_equal(generator.sequence(near), values[:near])
    assert_array_equal(generator.advance(far).sequence(100), values[far:])


@pytest.mark.parametrize("seed", seeds("knuth_ran_array_2002"))
def test_gsl_draws_a_hundred_of_1009_values_of_ran_array(seed: int) -> None:
    values = libraries.knuthran2002(seed, FAR + 1100)
    generator = NAMED["knuth_ran_array_2002"].make(seed)
    drawn = [i for i in range(11 * 1009) if i % 1009 < 100]
    assert_array_equal(generator.sequence(11 * 1009)[drawn], values[:1100])
    assert_array_equal(generator.advance(FAR // 100 * 1009).sequence(11 * 1009)[drawn], values[FAR:])


@pytest.mark.parametrize(("name", "seed"), [("glibc_type_1", 114), ("glibc_type_1", 128), ("glibc_type_2", 8294)])
def test_glibc_with_even_words_alone(name: str, seed: int) -> None:
    generator = NAMED[name].make(seed)
    assert not any(word % 2 for word in generator.words)
    assert generator.period is None
    the_same(generator, libraries.LIVING[name]["C"], seed)


@pytest.mark.parametrize("seed", [2**31 - 1, 2**31, 2**31 + 1])
@pytest.mark.parametrize("name", ["glibc_type_1", "glibc_type_2", "glibc_type_3", "glibc_type_4"])
def test_glibc_takes_a_seed_for_a_signed_integer(name: str, seed: int) -> None:
    the_same(NAMED[name].make(seed), libraries.LIVING[name]["C"], seed)


@pytest.mark.parametrize("seed", [0, 1, 12345, 2**31, 2**32 - 1])
def test_drand48_over_2_48_is_the_double(seed: int) -> None:
    doubles = libraries.drand48_doubles(seed, 1000)
    assert_array_equal(NAMED["drand48"].make(seed).sequence(1000) / 2**48, doubles)


@pytest.mark.parametrize("name", ["ranlxd1", "ranlxd2"])
def test_gsl_gives_the_upper_32_of_48_bits_of_ranlxd(name: str) -> None:
    assert_array_equal(NAMED[f"gsl_{name}"].make(7).sequence(100) >> 16, libraries.gsl(name)(7, 100))


@pytest.mark.parametrize("name", ["ranlux", "ranlxs0"])
def test_gsl_divides_by_2_24(name: str) -> None:
    assert_array_equal(NAMED[f"gsl_{name}"].make(7).sequence(100) / 2**24, libraries.gsl_uniform(name, 7, 100))


@pytest.mark.parametrize("seed", [1, 2, 12345, 10**9])
@pytest.mark.parametrize("name", libraries.CPP_ENGINES)
def test_engines_of_cpp(name: str, seed: int) -> None:
    _, a, c, m = libraries.CPP_ENGINES[name]
    the_same(LCG(a, c, m, seed % m), libraries.cpp(name), seed)


def test_there_are_published_values_of_every_name() -> None:
    assert {row["name"] for row in PUBLISHED} == set(NAMED)
    assert all(row["values"] and row["source"] for row in PUBLISHED)


RECORDED = {
    *("jax_bits", "std_philox4x32", "std_philox4x64", "rust_chacha8", "rust_chacha12", "rust_chacha20"),
    *("gfortran", "php_mt_rand", "php_pcg", "rust_small_rng", "rust_pcg32", "rust_pcg64", "rust_pcg64mcg"),
    *("go_pcg", "julia", "haskell_splitmix", "dotnet_random", "matlab_twister", "octave_twister"),
    *("r_knuth_taocp", "r_knuth_taocp_2002", "kotlin_random", "sprng_mlfg_63_31"),
}
"""Names of libraries that few machines have, or that show a part: only the file of published values has theirs."""


def test_every_name_has_a_library_but_those_that_are_named() -> None:
    living = {name for name, *_ in (parameter.values for parameter in LIVING)}
    assert set(NAMED) - living - RECORDED == {"microsoft_c", "knuth_ran_array_2002", "root_ranluxpp"}


@pytest.mark.parametrize("name", NAMED)
def test_an_entry_says_what_it_is_and_where_it_is_from(name: str) -> None:
    row = NAMED[name]
    assert row.name == name
    assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
    assert row.what
    assert len(row.source) > 10


@pytest.mark.parametrize("name", NAMED)
def test_all_seeds_have_the_same_parameters(name: str) -> None:
    for seed in seeds(name):
        generator = NAMED[name].make(seed)
        assert generator == clrng.named(name, seed)
        assert type(generator) is type(KINDS[name])
        assert generator.parameters == KINDS[name].parameters


def test_which_are_of_which_class() -> None:
    kinds = {name: type(bits) for name, bits in KINDS.items()}
    park_miller = {"lewis_goodman_miller", "minstd_rand0", "minstd", "mcg31m1", "fishman18", "fishman20"}
    assert {name for name, kind in kinds.items() if kind is ParkMiller} == park_miller
    assert {name for name, kind in kinds.items() if kind is Coveyou} == {"coveyou"}
    assert {name for name, kind in kinds.items() if kind is LaggedFibonacci} == {
        row.name for row in lagged_fibonacci.NAMED
    }
    assert {name for name, kind in kinds.items() if kind is XorShift} == {
        "xorshift64", "xorshift96", "xorshift128", "xorwow", "xorshift7", "xorshift128plus", "xorshift1024star",
        "kotlin_random"
    }  # fmt: skip
    assert {name for name, kind in kinds.items() if issubclass(kind, xoshiro.Scrambled)} == {
        row.name for row in xoshiro.NAMED
    }
    assert {name for name, kind in kinds.items() if kind is LFSR113} == {"gsl_taus113"}
    assert {name for name, kind in kinds.items() if kind is WELL512a} == {"well512a", "commons_math_well512a"}
    assert {name for name, kind in kinds.items() if kind is MT19937_64} == {"std_mt19937_64"}
    assert {name for name, kind in kinds.items() if kind is PCG64} == {
        *("numpy_pcg64", "pcg64", "php_pcg", "rust_pcg64", "rust_pcg64mcg")
    }
    assert {name for name, kind in kinds.items() if kind is PCG64DXSM} == {"numpy_pcg64dxsm", "go_pcg"}
    assert {name for name, kind in kinds.items() if kind is PCG32} == {"pcg32", "rust_pcg32"}
    assert {name for name, kind in kinds.items() if kind is Philox} == {"numpy_philox"}
    assert {name for name, kind in kinds.items() if kind is SplitMix} == {row.name for row in splitmix.NAMED}
    assert {name for name, kind in kinds.items() if kind is XorShiftBackwards} == {"v8_math_random"}
    assert {name for name, kind in kinds.items() if kind is LXM} == {row.name for row in lxm.NAMED}
    assert {name for name, kind in kinds.items() if kind is MRG32k3a} == {"r_lecuyer_cmrg"}
    assert {name for name, kind in kinds.items() if kind is KISS} == {"r_marsaglia_multicarry", "r_super_duper"}
    assert {name for name, kind in kinds.items() if kind is RANLUXpp} == {"root_ranluxpp"}
    assert {name for name, kind in kinds.items() if kind is SubtractWithCarry} == {
        row.name for row in subtract_with_carry.NAMED
    }
    assert {LCG, MT19937, LinearRecurrence} <= set(kinds.values()) <= {family.generator for family in FAMILIES.values()}
    for name, kind in kinds.items():  # a name stands in the file of its family
        assert NAMED[name] in sys.modules[kind.__module__].NAMED


@pytest.mark.parametrize("row", lagged_fibonacci.NAMED, ids=lambda row: row.name)
def test_which_have_the_longest_period(row: Named) -> None:
    generator = row.make(row.seeds[1])
    assert isinstance(generator, LaggedFibonacci)
    lost = 4 if generator.op == "*" else 2  # of the bits of a word, one more of each product
    bits = 0 if generator.op == "xor" else generator.modulus.bit_length() - lost
    longest = (2**generator.order - 1) << bits
    assert generator.period == (None if row.name in ("ran3", "dotnet_random") else longest)


@pytest.mark.parametrize("name", NAMED)
def test_seeds_out_of_range(name: str) -> None:
    low, high = NAMED[name].seeds
    for seed in (low - 1, high + 1, -(2**80), 2**600):
        largest = str(high) if high < 2**64 else f"2^{high.bit_length()} - 1"
        message = f"seed must be an integer from {low} to {largest}, not {seed}"
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            NAMED[name].make(seed)


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("seed", [1.0, "1", None, True, np.bool_(True), [1], 1j, b"1"])
def test_seeds_that_are_not_integers(name: str, seed: Any) -> None:
    with pytest.raises(TypeError, match="^seed must be an integer from .* to .*, not "):
        NAMED[name].make(seed)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("minstd_rand", "such as 'minstd_rand0' or 'minstd'"),
        ("glibc", "such as " + " or ".join(f"'glibc_type_{i}'" for i in range(5))),
        ("java.util.Random", "such as 'java' or 'java_xoshiro256plusplus' or .*"), ("jaav", "such as 'java'"),
        ("randu ", "such as 'randu'"),
        ("default_rng", "such as 'numpy_pcg64'"), ("numpy.random.default_rng", "such as 'numpy_pcg64'"),
        ("mt19937", "such as 'std_mt19937' or 'std_mt19937_64' or 'numpy_mt19937', or else the class clrng.MT19937"),
        ("MRG32k3a", "or else the class clrng.MRG32k3a"),
    ],
)  # fmt: skip
def test_an_unknown_name_is_answered_by_what_may_be_meant(name: str, said: str) -> None:
    with pytest.raises(ValueError, match=f"^name must be a key of clrng.NAMED, {said}, not '{name}'$"):
        clrng.named(name, 1)


def test_names_that_are_like_none_and_no_names() -> None:
    for name in ("", "C++", "?" * 10**4):
        with pytest.raises(ValueError, match="^name must be a key of clrng.NAMED, not '"):
            clrng.named(name, 1)
    with pytest.raises(TypeError, match="^name must be a key of clrng.NAMED, not 5$"):
        clrng.named(5, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NAMED)
def test_the_state_survives_a_round_trip(name: str) -> None:
    low, high = NAMED[name].seeds
    generator = NAMED[name].make(high)
    generator.advance(10**20 if generator.order < LARGE else 10**6)
    other = NAMED[name].make(low)
    other.state = json.loads(json.dumps(generator.state))
    assert other == generator == pickle.loads(pickle.dumps(generator))
    if generator.order <= 100:
        assert eval(repr(generator)) == generator
    assert_array_equal(other.sequence(10), generator.sequence(10))


@pytest.mark.parametrize("name", NAMED)
def test_backwards_undoes_forwards(name: str) -> None:
    generator = NAMED[name].make(NAMED[name].seeds[1])
    for n in (1, 2, 12345, 2**40 + 1) if generator.order < LARGE else (1, 123456):
        assert generator.state_after(generator.state_after(generator.words, n), -n) == generator.words


def test_odd_seeds_of_coveyou_follow_gsls_rule() -> None:
    for seed in range(200):
        first = NAMED["coveyou"].make(seed).sequence(1)
        state = seed if seed % 4 == 1 else seed - (seed % 4 - 2)
        assert_array_equal(first, [state * (state + 1) % 2**32])


def squared(word: int, n: int) -> list[int]:
    """Return `word` and the next n numbers of Coveyou's recurrence, from its definition."""
    return list(accumulate(repeat(0, n), lambda x, _: x * (x + 1) & 0xFFFFFFFF, initial=word))


@pytest.mark.parametrize("seed", [2, 6, 1234567890, 2**31 + 2, 2**32 - 2])
def test_coveyou_is_its_definition(seed: int) -> None:
    generator = Coveyou(seed)
    values = squared(seed, 5000)
    assert_array_equal(generator.sequence(5000), values[1:])
    for n in (0, 1, 2, 3, 255, 256, 1000, 4999, 5000):
        assert generator.jumped(n).words == (values[n],)
        assert generator.with_state((values[n],)).state_after((values[n],), -n) == (seed,)
    assert (generator.min_value, generator.upper_bound, generator.modulus) == (2, 2**32, 2**32)
    assert generator.dtype == generator.word_dtype == np.dtype(np.uint32)


def test_a_jump_of_a_million_of_coveyou() -> None:
    assert Coveyou(2).jumped(10**6).words == (squared(2, 10**6)[-1],)


@given(STATES, STEPS, STEPS)
def test_jumps_of_coveyou_add_up(word: int, first: int, second: int) -> None:
    generator = Coveyou(word)
    assert generator.state_after(generator.state_after((word,), first), second) == generator.state_after(
        (word,), first + second
    )


@given(STATES, STEPS)
def test_the_polynomial_is_the_jump(word: int, n: int) -> None:
    generator = Coveyou(word)
    assert (2 + 4 * map_at(generator.polynomial(n), word // 4),) == generator.state_after((word,), n)


@given(STEPS)
def test_the_coefficients_of_the_polynomial(n: int) -> None:
    coefficients = Coveyou(2).polynomial(n)
    assert len(coefficients) == 16
    for k, coefficient in enumerate(coefficients):
        assert 0 <= coefficient < 2**30
        assert coefficient % 4 ** max(k - 1, 0) == 0


def test_polynomials_of_few_steps() -> None:
    assert Coveyou(2).polynomial(0) == IDENTITY == (0, 1, *[0] * 14)
    assert Coveyou(2).polynomial(1) == (1, 5, 4, *[0] * 13)
    assert Coveyou(2).polynomial(2) == (10, 65, 152, 160, 64, *[0] * 11)
    assert Coveyou(2).polynomial(3) == maps_composed(Coveyou(2).polynomial(1), Coveyou(2).polynomial(2))


def test_the_period_of_coveyou() -> None:
    generator = Coveyou(6)
    assert generator.period == 2**30
    assert generator.reversible
    half, whole = map_doubled(29), maps_composed(map_doubled(29), map_doubled(29))
    for t in (0, 1, 2, 3, 12345, 2**29, 2**30 - 1):
        assert map_at(half, t) != t
        assert map_at(whole, t) == t


def test_coveyou_reaches_every_residue_once() -> None:
    ts = np.array(squared(2, 2**16 - 1)) // 4 % 2**16
    assert_array_equal(np.sort(ts), np.arange(2**16))


@pytest.mark.parametrize("seed", [3, 4, 5, 8, 2**32 - 3, 2**32 - 4])
def test_a_state_of_coveyou_is_2_modulo_4(seed: int) -> None:
    with pytest.raises(
        ValueError, match=f"^seed must be an integer from 2 to 4294967294 that is 2 modulo 4, not {seed}$"
    ):
        Coveyou(seed)
    generator = Coveyou(2)
    with pytest.raises(ValueError, match=rf"^state\['state'\] must be .* that is 2 modulo 4, not {seed}$"):
        generator.state = {"bit_generator": "Coveyou", "state": seed}
    assert generator == Coveyou(2)


@pytest.mark.parametrize("seed", [0, 1, -2, 2**32 - 1, 2**32 + 2])
def test_a_state_of_coveyou_out_of_range(seed: int) -> None:
    with pytest.raises(ValueError, match=f"^seed must be an integer from 2 to 4294967294, not {seed}$"):
        Coveyou(seed)


@pytest.mark.parametrize("seed", [2.0, "2", None, True])
def test_a_state_of_coveyou_that_is_not_an_integer(seed: Any) -> None:
    with pytest.raises(TypeError, match="^seed must be an integer from 2 to 4294967294, not "):
        Coveyou(seed)
