"""Distributions on the command line."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.testing import assert_array_equal

import clrng
from clrng.cli import options
from clrng.cli.commands import cli
from clrng.cli.generate import generate
from clrng.cli.options import CALLED, OWNERS, made_distribution, options_of, with_option
from clrng.measuring.expected import expected
from tests.cli.test_command_line import out, run
from tests.support.drawn_cases import EXAMPLES

NOTHING = dict.fromkeys(OWNERS)
SEEDED = ("-g", "park_miller", "--seed", 9)


def written(distribution: str, parameters: dict[str, Any]) -> list[str]:
    """Return parameters of a distribution as the command line takes them."""
    listed = {
        name: ",".join(map(str, value)) if isinstance(value, list) else value for name, value in parameters.items()
    }
    called = {name: CALLED.get((distribution, name), name) for name in listed}
    return [word for name, value in listed.items() for word in (f"--{called[name]}", str(value))]


def made(name: str | None, dtype: str | None = None, **given: object) -> clrng.Distribution | None:
    return made_distribution(dtype, **{"distribution": name, **NOTHING, **given})


@pytest.mark.parametrize(
    ("name", "given", "parameters"),
    [
        ("standard_normal", {}, {}),
        ("normal", {"loc": "-2.5", "scale": "1e-3"}, {"loc": -2.5, "scale": 1e-3}),
        ("gamma", {"shape": "2.5"}, {"shape": 2.5}),
        ("integers", {"low": "6"}, {"low": 6}),
        ("integers", {"low": "-2^62", "high": "1e6", "endpoint": True}, {"low": -(2**62), "high": 10**6 + 1}),
        ("choice", {"a": "3", "p": "0.5, 0.25,0.25"}, {"a": 3, "p": [0.5, 0.25, 0.25]}),
        ("choice", {"a": "1", "p": "1"}, {"a": 1, "p": [1.0]}),
        ("binomial", {"trials": "0x10", "p": "0.5"}, {"n": 16, "p": 0.5}),
        ("negative_binomial", {"successes": "2.5", "p": "0.5"}, {"n": 2.5, "p": 0.5}),
        ("hypergeometric", {"ngood": "5", "nbad": "6", "nsample": "7"}, {"ngood": 5, "nbad": 6, "nsample": 7}),
    ],
)
def test_options_make_distributions(name: str, given: dict[str, Any], parameters: dict[str, Any]) -> None:
    assert made(name, **given) == clrng.distribution(name, **parameters)


def test_the_dtype_of_integers_is_that_of_their_range() -> None:
    assert made("integers", "uint64", low="0", high="2^64") == clrng.distribution(
        "integers", low=0, high=2**64, dtype="uint64"
    )
    with pytest.raises(ValueError, match="^high must be an integer from .* to 9223372036854775808, not 18446744073"):
        made("integers", low="0", high="2^64")


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        (None, {"shape": "2"}, "--shape needs --distribution, such as --distribution standard_gamma"),
        ("gamma", {}, "--shape is needed for gamma, which has --shape, --scale"),
        ("gamma", {"shape": "2", "lam": "3"}, "--lam is not an option of gamma, which has --shape, --scale"),
        ("standard_normal", {"loc": "0"}, "--loc is not an option of standard_normal, which has no parameters"),
        ("gamma", {"shape": "x"}, "--shape must be a number such as 2.5 or 1e-3, not 'x'"),
        ("gamma", {"shape": ""}, "--shape must be a number such as 2.5 or 1e-3, not ''"),
        ("gamma", {"shape": "nan"}, "--shape must be a number from .*, not nan"),
        ("gamma", {"shape": "-1"}, "--shape must be a number from .*, not -1"),
        ("binomial", {"trials": "1.5", "p": "0.5"}, "--trials must be an integer such as 100, 0x64 or 1e6, not '1.5'"),
        ("binomial", {"trials": "-1", "p": "0.5"}, "--trials must be an integer from 0 to .*, not -1"),
        ("binomial", {"trials": "5", "p": "1.5"}, "--p must be a number from 0 to 1, not 1.5"),
        ("binomial", {"trials": "5", "p": "0.5,0.5"}, "--p must be a number such as 2.5 or 1e-3, not '0.5,0.5'"),
        ("choice", {"a": "2", "p": "0.5;0.5"}, "--p must be numbers with commas between them, such as 0.5,0.25,0.25"),
        ("choice", {"a": "2", "p": "0.5,1.5"}, r"--p\[1\] must be a number from 0 to 1, not 1.5"),
        ("choice", {"a": "2", "p": "0.5"}, "--p must be 2 probabilities, one of each element, not 1"),
        ("vonmises", {"mu": "inf", "kappa": "1"}, "--mu must be a number from .*, not inf"),
        ("integers", {"low": "5", "high": "5"}, "--high must be above 5, which is low, not 5"),
    ],
)
def test_errors_name_the_option(name: str | None, given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=".") as caught:
        made(name, **given)
    assert_matches(with_option(str(caught.value), cli.commands.values()), said)


def assert_matches(message: str, said: str) -> None:
    with pytest.raises(ValueError, match=f"^{said}"):
        raise ValueError(message)


@pytest.mark.parametrize("name", clrng.DISTRIBUTIONS)
@pytest.mark.parametrize("dtype", ["raw", "float16"])
def test_dtypes_that_are_refused(name: str, dtype: str) -> None:
    example = dict.fromkeys(kinds(name), "0.5")
    if clrng.DISTRIBUTIONS[name].parameters and any(kind == "integer" for kind in kinds(name).values()):
        example |= {key: "1" for key, kind in kinds(name).items() if kind == "integer"}
    example = {key: value for key, value in example.items() if kinds(name).get(key) in ("number", "integer")}
    if name == "integers":
        example = {"low": "5"}
    example |= {"triangular": {"right": "2"}, "uniform": {"high": "2"}, "zipf": {"a": "4"}}.get(name, {})
    with pytest.raises(ValueError, match=f"^--dtype must be .*(float64|uint64), not {dtype}$"):
        made(name, dtype, **example)


def kinds(name: str) -> dict[str, str]:
    return {option: parameter.kind for option, parameter in options_of(name).items()}


def test_no_parameter_is_another_option() -> None:
    names = [name for parameter in generate.params for name in parameter.opts]
    assert len(names) == len(set(names))
    assert not set(OWNERS) & set(options.owners())


@pytest.mark.parametrize("command", cli.commands.values(), ids=str)
def test_no_long_option_is_a_short_one_with_another_dash(command: click.Command) -> None:
    """-n is how many values, so no --n may be something else."""
    names = {name for parameter in command.params for name in parameter.opts}
    assert not {name for name in names if name.startswith("--") and name[1:] in names}


def test_a_word_of_one_letter_is_no_option() -> None:
    commands = [generate]
    assert with_option("a device is needed", commands) == "a device is needed"
    assert with_option("a must be an integer", commands) == "--a must be an integer"
    assert with_option("p[3] must be a number", commands) == "--p[3] must be a number"
    assert with_option("seed must be odd", commands) == "--seed must be odd"


@pytest.mark.parametrize(
    ("arguments", "name", "parameters", "dtype"),
    [
        ("--distribution gamma --shape 2.5", "gamma", {"shape": 2.5}, "float32"),
        ("--distribution normal --loc -3 --dtype float64", "normal", {"loc": -3}, "float64"),
        ("--distribution poisson --lam 100 --dtype uint16", "poisson", {"lam": 100}, "uint16"),
        ("--distribution integers --low -5 --high 6 --dtype int8", "integers", {"low": -5, "high": 6}, "int8"),
        ("--distribution poisson --lam 1e18", "poisson", {"lam": 1e18}, "int64"),
        ("--distribution binomial --trials 10 --p 0.5", "binomial", {"n": 10, "p": 0.5}, "int64"),
    ],
)
def test_generate(arguments: str, name: str, parameters: dict[str, Any], dtype: str, tmp_path: Path) -> None:
    if dtype == "float64" and not clrng.choose_device().fp64:
        pytest.skip("the device has no double precision")
    rng = clrng.Generator(clrng.ParkMiller(seed=9))
    expected = rng.sample(clrng.distribution(name, **parameters), 1200, dtype).get()
    out("generate", *arguments.split(), *SEEDED, "-n", 1200, "-o", tmp_path / "a.npy")
    found = np.load(tmp_path / "a.npy")
    assert found.dtype == dtype
    assert_array_equal(found, expected)
    skipped = out("generate", *arguments.split(), *SEEDED, "-n", 200, "--offset", 1000)  # values, not steps
    assert_array_equal(np.frombuffer(skipped, dtype), expected[1000:])
    text = out("generate", *arguments.split(), *SEEDED, "-n", 100, "--format", "text").decode()
    assert_array_equal(np.array(text.split(), dtype), expected[:100])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--distribution gamma", "Error: --shape is needed for gamma"),
        (
            "--distribution gauss",
            "it must be a name that `clrng distributions` lists, such as 'normal' or 'wald', not 'gauss'",
        ),
        ("--distribution normal --dtype raw", "Error: --dtype must be float32, float64, not raw"),
        ("--distribution poisson --lam 1e6 --dtype int8", "Error: --dtype must hold 9"),
        (
            "--distribution poisson --lam 1e19",
            "Error: --lam must be a number from 0 to 9.223372006484771e+18, not 1e+19",
        ),
        ("--distribution integers --low 0 --high 300 --dtype int8", "Error: --high must be an integer from -128"),
        ("--dtype int8", "Error: --dtype must be raw, uint64, uint32, uint16, uint8, float32, float64, not int8, with"),
        ("--lam 3", "Error: --lam needs --distribution, such as --distribution poisson"),
    ],
)
def test_errors_leave_the_old_file(arguments: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "a.raw"
    path.write_text("old")
    ran = run("generate", *arguments.split(), "-n", 5, "-o", path)
    assert ran.returncode != 0
    assert said in ran.stderr.decode()
    assert b"Traceback" not in ran.stderr
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_distributions_are_listed() -> None:
    table = out("distributions").decode()
    for name, row in clrng.DISTRIBUTIONS.items():
        assert f"│ {name} " in table
        assert row.signature in table


@pytest.mark.parametrize("name", clrng.DISTRIBUTIONS)
def test_every_distribution_is_written(name: str, tmp_path: Path) -> None:
    parameters = EXAMPLES[name]
    path = tmp_path / "a.npy"
    arguments = ["generate", "-n", "1000", "-o", str(path), "--distribution", name, *written(name, parameters)]
    ran = CliRunner().invoke(cli, [*arguments, "-g", "park_miller", "--seed", "7"])
    assert ran.exit_code == 0, ran.output
    drawn = clrng.Generator(clrng.ParkMiller(seed=7)).sample(clrng.distribution(name, **parameters), 1000).get()
    found = np.load(path)
    assert found.dtype == drawn.dtype
    assert_array_equal(found, drawn)


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is not installed")
@pytest.mark.parametrize("name", clrng.DISTRIBUTIONS)
def test_every_distribution_is_pictured(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    arguments = ["plot", "-n", "1e4", "-o", str(path), "--distribution", name, *written(name, EXAMPLES[name])]
    ran = CliRunner().invoke(cli, arguments)
    assert ran.exit_code == 0, ran.output
    assert "10,000 values" in path.read_text()


@pytest.mark.parametrize("name", clrng.DISTRIBUTIONS)
def test_what_is_expected_of_every_distribution_is_what_is_drawn(name: str) -> None:
    """Pearson's chi-square over the bins that expect 20 values or more is not beyond 8 standard deviations."""
    chosen, count = clrng.distribution(name, **EXAMPLES[name]), 100_000
    shape = expected(chosen)
    counts = shape.counts(clrng.Generator(clrng.MRG32k3a(seed=1)).sample(chosen, count).get())
    if shape.together:
        masses = shape.y
    else:
        places = np.linspace(shape.edges[0], shape.edges[-1], 100 * shape.bins + 1)
        heights = np.interp(places, shape.x, shape.y)
        masses = (heights[1:] + heights[:-1]).reshape(shape.bins, -1).mean(axis=1) / 2 * np.diff(shape.edges)
    bins = (masses * count >= 20) & (masses < 0.9)
    assert bins.sum() > min(2, shape.bins - 1)
    terms = ((counts - masses * count) ** 2 / (masses * count))[bins]
    assert terms.sum() < bins.sum() + 8 * np.sqrt(2 * bins.sum())
