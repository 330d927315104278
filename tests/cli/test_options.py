"""Generators by name on the command line."""

import json
from pathlib import Path

import click
import numpy as np
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.cli.options import (
    COMMANDS,
    DESCRIPTIONS,
    GENERATOR,
    Integer,
    Integers,
    bit_generator,
    generator_options,
    owners,
    with_option,
)
from clrng.generators.families import FAMILIES
from tests.cli.test_command_line import out, run
from tests.support import oracle

NOTHING = dict.fromkeys(owners())


def made(generator: str, **options: object) -> clrng.BitGenerator:
    return bit_generator(generator, **{**NOTHING, **options})


@pytest.mark.parametrize("name", clrng.NAMED)
def test_the_named_are_seeded_as_their_libraries_do(name: str) -> None:
    low, high = clrng.NAMED[name].seeds
    assert made(name) == clrng.named(name, max(low, 1))
    assert made(name, seed=high) == clrng.named(name, high)


def test_the_families() -> None:
    assert made("park_miller", seed=7, multiplier=48271) == clrng.ParkMiller(7, 48271)
    assert made("park_miller") == clrng.ParkMiller(1)
    assert made("lcg", multiplier=5, modulus=97) == clrng.LCG(5, 0, 97, 1)
    assert made("lcg", multiplier=5, increment=3, modulus=97, seed=0) == clrng.LCG(5, 3, 97, 0)
    recurrence = made("linear_recurrence", coefficients=[1, 1], state=[0, 1], modulus=1000, constant=3)
    assert recurrence == clrng.LinearRecurrence([1, 1], [0, 1], 1000, 3)
    lagged = made("lagged_fibonacci", lags=[17, 5], op="-", seed=7, modulus=10**9)
    assert lagged == clrng.LaggedFibonacci((17, 5), "-", modulus=10**9, seed=7)
    assert made("lagged_fibonacci", lags=[1, 2], op="*", bits=8) == clrng.LaggedFibonacci((1, 2), "*", 8, seed=1)
    lagged = made("lagged_fibonacci", lags=[1, 2], op="xor", state=[0, 9])
    assert lagged == clrng.LaggedFibonacci((1, 2), "xor", state=[0, 9])
    assert made("mrg32k3a") == clrng.MRG32k3a()
    assert made("mrg32k3a", seed=3) == clrng.MRG32k3a(3)
    assert made("mrg32k3a", state=[1, 2, 3, 4, 5, 6]) == clrng.MRG32k3a([1, 2, 3, 4, 5, 6])


@pytest.mark.parametrize(
    ("generator", "options", "said"),
    [
        ("drand48", {"multiplier": 5}, "--multiplier is not an option of drand48, which has --seed"),
        ("lcg", {"multiplier": 5}, "--modulus is needed for lcg"),
        ("linear_recurrence", {"state": [1], "modulus": 5}, "--coefficients is needed for linear_recurrence"),
        ("linear_recurrence", {"seed": 1}, "--seed is not an option of linear_recurrence"),
        ("mrg32k3a", {"seed": 1, "state": [1] * 6}, "--seed and --state exclude one another"),
        ("lagged_fibonacci", {"op": "+"}, "--lags is needed for lagged_fibonacci"),
        ("lagged_fibonacci", {"lags": [1, 2]}, "--op is needed for lagged_fibonacci"),
        ("lagged_fibonacci", {"lags": [1], "op": "+"}, "--lags must be 2 integers such as 24,55, not 1"),
        ("lagged_fibonacci", {"lags": [1, 2, 3], "op": "+"}, "--lags must be 2 integers such as 24,55, not 3"),
        (
            "lagged_fibonacci",
            {"lags": [1, 2], "op": "+", "seed": 1, "state": [1, 1]},
            "--seed and --state exclude one another",
        ),
        (
            "lagged_fibonacci",
            {"lags": [1, 2], "op": "+", "bits": 3, "modulus": 8},
            "--bits and --modulus exclude one another",
        ),
        ("lagged_fibonacci", {"lags": [2, 2], "op": "+"}, "lags must be two different integers, not 2 twice"),
        ("lcg", {"multiplier": 97, "modulus": 97}, "multiplier must be an integer from 1 to 96, not 97"),
        ("randu", {"seed": 0}, "seed must be an integer from 1 to 2147483647, not 0"),
    ],
)
def test_options_that_do_not_go_together(generator: str, options: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said.replace("+", r"\+")):
        made(generator, **options)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("16807", 16807), ("007", 7), ("1_000_000", 10**6), ("-3", -3), ("+3", 3), (" 5", 5), ("0x41a7", 16807),
        ("0X41A7", 16807), ("-0x10", -16), ("0b101", 5), ("0o17", 15), ("2^64", 2**64), ("2^61-1", 2**61 - 1),
        ("2**61-1", 2**61 - 1), ("10^9+7", 10**9 + 7), ("10**15", 10**15), ("-2^63", -(2**63)), ("0^0", 1),
        ("2^4095", 2**4095), ("1^99999999999", 1), ("1e15", 10**15), ("1E6", 10**6), ("1e+3", 1000), ("1.5e6", 1500000),
        ("-1.50e1", -15), ("1.e3", 1000), ("0.25e2", 25),
    ],
)  # fmt: skip
def test_integers(text: str, value: int) -> None:
    assert Integer().convert(text, None, None) == value
    assert Integers().convert(f"{text}, 5", None, None) == [value, 5]


@pytest.mark.parametrize(
    "text",
    ["", "1.5", "2^", "2^-1", "two", "2^64-", "1e-3", "1.55e1", "1e", "e5", "0x", "0xg", "1__0", "_1", "--1", "1,5"],
)
def test_no_integers(text: str) -> None:
    with pytest.raises(click.BadParameter, match="is not an integer such as 16807, 0x41a7, 2\\^61-1 or 1.5e6"):
        Integer().convert(text, None, None)


@pytest.mark.parametrize(
    "text",
    ["2^4096", "-2^4096", "9^99999999999", "2**9999999", "1e99999999999", "9" * 4000, "1e1234", "2^4095+" + "9" * 2000],
)
def test_integers_too_large_to_be_computed(text: str) -> None:
    with pytest.raises(click.BadParameter, match="is not between -2\\^4096 and 2\\^4096") as caught:
        Integer().convert(text, None, None)
    assert len(str(caught.value)) < 120


def test_ranges_of_integers() -> None:
    assert Integer(64).convert("2^64", None, None) == 2**64
    assert Integer(0, 5).convert("5", None, None) == 5
    with pytest.raises(click.BadParameter, match="it must be an integer of 64 or more, not 63"):
        Integer(64).convert("63", None, None)
    with pytest.raises(click.BadParameter, match="it must be an integer from 0 to 5, not 6"):
        Integer(0, 5).convert("6", None, None)


NEEDED: dict[str, dict[str, object]] = {
    name: {key: FAMILIES[name].arguments[key] for key, option in command.options.items() if option.needed}
    for name, command in COMMANDS.items()
}
COMMAND = click.command()(generator_options(lambda: None))
BAD: dict[str, list[object]] = {
    "counter": [-1, 2**128],
    "coefficients": [[], [1, 2**65], [1, 0]],
    "state": [[], [-1, 1], [0, 0], [0] * 6, [1, 1, 1, 0, 0, 0], [2**32] * 6, [1, 2, 3, 4, 5]],
    "lags": [[0, 1], [1, 2**17], [3, 3]],
    "shifts": [[], [-100] * 3, [2**65] * 3],
}


@pytest.mark.parametrize(
    ("generator", "option"),
    [
        (name, key)
        for name, command in COMMANDS.items()
        for key, option in command.options.items()
        if not option.kind.choices
    ],
)
def test_errors_name_the_option(generator: str, option: str) -> None:
    family = COMMANDS[generator]
    kind = family.options[option].kind
    numbers = (-1,) if option == "seed" and family.seeds == "0 or more" else (-1, 2**65)
    usual = [[], *([number] * (kind.count or 1) for number in numbers)] if kind.several else list(numbers)
    for value in BAD.get(option, usual):
        with pytest.raises(ValueError, match=" must ") as caught:
            made(generator, **{**NEEDED[generator], option: value})
        assert with_option(str(caught.value), [COMMAND]).startswith((f"--{option} must", f"--{option}[")), caught.value


@pytest.mark.parametrize("name", clrng.NAMED)
def test_errors_of_the_named_name_the_seed(name: str) -> None:
    with pytest.raises(ValueError, match="seed must") as caught:
        made(name, seed=2**600)
    assert with_option(str(caught.value), [COMMAND]).startswith("--seed must")


def test_any_option_takes_any_integer() -> None:
    integers = ("-n", "1e1", "--offset", "2^61-1", "--seed", "0x5")
    found = out("generate", "-g", "park_miller", *integers, "--format", "text").decode()
    assert [int(line) for line in found.split()] == oracle.sequence(5, 10, first=2**61).tolist()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("well512b", ", such as 'well512a'.*, not 'well512b'"), ("MMIY", ", such as 'mmix'.*, not 'MMIY'"),
        ("?" * 10**4, ", not '\\?+\\.\\.\\.\\?+'"), ("glibc", ", such as 'glibc_type_0' or .*, not 'glibc'"),
        ("mt19937ar", ", such as 'mt19937' or .*, not 'mt19937ar'"),
        ("numpy", ", such as 'numpy_pcg64' or .*, not 'numpy'"),
        ("java.util.Random", ", such as 'java' or 'java_.*, not 'java.util.Random'"),
        ("randu ", ", such as 'randu', not 'randu '"),
        ("default_rng", ", such as 'numpy_pcg64', not 'default_rng'"),
    ],
)  # fmt: skip
def test_an_unknown_name_is_answered_by_those_most_like_it(name: str, said: str) -> None:
    with pytest.raises(click.BadParameter, match=f"it must be a name that `clrng generators` lists{said}$") as caught:
        GENERATOR.convert(name, None, None)
    assert len(str(caught.value)) < 400


def test_the_generators_are_listed() -> None:
    table = out("generators").decode()
    for name, (_, _, source) in DESCRIPTIONS.items():
        assert f" {name} " in table
        assert source.split()[0] in table


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["lrand48", "mmix", "mrg32k3a", "coveyou", "java"])
def test_generate_by_name(name: str, tmp_path: Path) -> None:
    out("generate", "-g", name, "-n", 1000, "--offset", 123, "-o", tmp_path / "a.npy")
    expected = made(name).advance(123).sequence(1000)
    found = np.load(tmp_path / "a.npy")
    assert found.dtype == expected.dtype
    assert_array_equal(found, expected)


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["Java", "MMIX", "MRG32k3a", "Park_Miller"])
def test_names_in_capital_letters(name: str) -> None:
    found = np.frombuffer(out("generate", "-g", name, "-n", 10), made(name.lower()).dtype)
    assert_array_equal(found, made(name.lower()).sequence(10))


@pytest.mark.slow
def test_a_sample_of_more_states_than_there_are_is_all_of_them() -> None:
    ran = out("verify", "-g", "lcg", "--multiplier", 5, "--increment", 3, "--modulus", 4096, "--sample", 9999).decode()
    lines = [line for line in ran.splitlines() if " steps " in line]
    assert lines
    assert all("4,096 cases  ok: " in line for line in lines)
    assert "full period" not in ran


def test_generate_any_recurrence() -> None:
    options = ("--coefficients", "3,0,5", "--state", "1,2,3", "--modulus", "2^61-1", "--constant", 7)
    found = out("generate", "-g", "linear_recurrence", *options, "-n", 50, "--format", "text").decode()
    assert [int(line) for line in found.split()] == clrng.LinearRecurrence([3, 0, 5], [1, 2, 3], 2**61 - 1, 7).sequence(
        50
    ).tolist()


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "dtype", "shift"),
    [
        ("drand48", "uint32", 16),
        ("drand48", "uint8", 40),
        ("drand48", "uint64", 0),
        ("mmix", "uint16", 48),
        ("lrand48", "uint32", 0),
        ("lrand48", "uint64", 0),
        ("mrg32k3a", "uint16", 16),
    ],
)
def test_full_words_of_longer_values(name: str, dtype: str, shift: int) -> None:
    found = np.frombuffer(out("generate", "-g", name, "-n", 500, "--dtype", dtype), dtype)
    assert_array_equal(found, (made(name).sequence(500) >> shift).astype(dtype))


def test_words_longer_than_values_are_refused(tmp_path: Path) -> None:
    ran = run("generate", "-g", "ansi_c", "-n", 5, "--dtype", "uint16", "-o", tmp_path / "a.raw")
    assert ran.returncode == 1
    assert b"Error: --dtype uint16 must have at most the 15 bits of a raw value, not 16" in ran.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_verify_and_rates_by_name(tmp_path: Path) -> None:
    said = out("verify", "-g", "lrand48", "--sample", 6400).decode()
    assert "integer      published values              1 cases  ok: POSIX lrand48" in said
    assert "integer      chosen steps" in said
    assert "integer      far pieces" in said
    out("rates", "-g", "mrg32k3a", "--mib", 2, "--rounds", 1, "--json", tmp_path / "rates.json")
    report = json.loads((tmp_path / "rates.json").read_text())
    assert "integer" in report["fills"]
    assert report["generator"] == repr(clrng.MRG32k3a())
