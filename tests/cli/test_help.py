"""What help says, what the tables show on a terminal of 80 columns, and what the shell completes."""

import re
from io import StringIO

import click
import numpy as np
import pytest
from click.shell_completion import BashComplete
from click.testing import CliRunner
from numpy.testing import assert_array_equal
from rich.console import Console

import clrng
from clrng.cli import commands
from clrng.cli.commands import cli
from clrng.cli.options import DEFAULT, DESCRIPTIONS, OWNERS, bit_generator, owners
from clrng.measuring.experiments import EXPERIMENTS
from clrng.opencl.devices import list_devices
from tests.cli.test_command_line import out

WITH_EXAMPLES = ("generate", "plot", "verify", "quality", "rates")


def told(*arguments: str) -> str:
    ran = CliRunner().invoke(cli, [*arguments], terminal_width=80)
    assert ran.exit_code == 0, ran.output
    return ran.output


def options_in(text: str, heading: str) -> set[str]:
    """Return the long options under a heading."""
    (section,) = re.findall(rf"^{heading}:\n(.*?)(?:\n\n|\Z)", text, re.MULTILINE | re.DOTALL)
    return set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", section, re.MULTILINE))


def test_the_default_generator_is_that_of_the_library() -> None:
    assert bit_generator(DEFAULT, seed=7) == clrng.default_rng(7).bit_generator
    found = np.frombuffer(out("generate", "--count", 1000), np.uint64)
    assert_array_equal(found, np.random.default_rng(1).bit_generator.random_raw(1000))
    text = out("generate", "-n", 5, "--dtype", "float32", "--seed", 9, "--format", "text").split()
    assert_array_equal(np.array(text, np.float32), np.random.default_rng(9).random(5, np.float32))


def test_every_command_that_takes_a_generator_has_the_same_default() -> None:
    defaults = {name: p.default for name, c in cli.commands.items() for p in c.params if p.name == "generator"}
    assert defaults == dict.fromkeys(WITH_EXAMPLES, DEFAULT)


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_has_headings_and_is_short(option: str) -> None:
    text = told("generate", option)
    assert options_in(text, "Values") == {"--count", "--offset", "--dtype"}
    assert options_in(text, "Generator") == {"--generator", "--seed"}
    assert options_in(text, "Distribution") == {"--distribution"}
    assert options_in(text, "Output") == {"--output", "--format"}
    assert options_in(text, "Device") == {"--device", "--arithmetic"}
    assert len(text.splitlines()) < 60
    assert max(map(len, text.splitlines())) <= 80


def test_help_has_the_parameters_of_what_is_named_before_or_behind_it() -> None:
    for arguments in (["-g", "LCG", "--help"], ["--help", "-g", "lcg"]):
        text = told("generate", *arguments)
        assert options_in(text, "Generator") == {"--generator", "--seed", "--multiplier", "--increment", "--modulus"}
        assert "Of lcg: needed, for example 2^61-1." in text
    text = told("plot", "--distribution", "negative_binomial", "--help")
    assert options_in(text, "Distribution") == {"--distribution", "--successes", "--p"}
    assert "Of numpy_pcg64: 0 to 2^128 - 1; by default 1." in text
    assert "Of java: -2^63 to 2^63 - 1; by default 1." in told("rates", "-g", "java", "-h")


def test_all_parameters_are_in_the_long_help() -> None:
    text = told("generate", "--help-all")
    assert options_in(text, "Generator") == {"--generator", *(f"--{name}" for name in owners())}
    assert options_in(text, "Distribution") == {"--distribution", *(f"--{name}" for name in OWNERS)}
    assert told("verify", "--help-all").count("--lags") == 1


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_are_commands_that_there_are(name: str) -> None:
    text = told(name, "--help")
    examples = re.findall(rf"^  clrng {name} (.*?)(?: {{2,}}.*)?$", text.split("Examples:\n")[1], re.MULTILINE)
    assert len(examples) + (f"  clrng {name}\n" in text) >= 2
    for example in examples:
        arguments = example.split()
        if "--help" not in arguments:
            with cli.commands[name].make_context(name, arguments) as context:
                assert context.params["generator"] in DESCRIPTIONS


def test_the_commands_are_listed_with_whole_sentences() -> None:
    text = told("--help")
    listed = re.findall(r"^  (\w+) {2,}([A-Z].*)$", text, re.MULTILINE)
    assert [name for name, _ in listed] == sorted(cli.commands)
    assert [about for _, about in listed if not about.endswith(".") or about.endswith("..")] == []
    assert "\n    clrng generate -n 5 " in text


def shown(command: click.Command, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return what a command shows on a terminal of 80 columns."""
    found = StringIO()
    console = Console(file=found, width=80, highlight=False, markup=False)
    with monkeypatch.context() as patch:
        patch.setattr(commands, "show", console.print)
        assert CliRunner().invoke(command, []).exit_code == 0
    return found.getvalue()


def words_of(text: str) -> set[str]:
    return set(re.sub("[│┃┏┓┡┩┗┛└┘├┤┼┴┬┳╇━─,]", " ", text).split())


@pytest.mark.parametrize("name", ["generators", "distributions", "devices"])
def test_words_of_tables_are_whole_at_80_columns(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(cli.commands[name], monkeypatch)
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    expected = {
        "generators": [" ".join((key, *row)) for key, row in DESCRIPTIONS.items()],
        "distributions": [f"{key} {row.about} {row.signature}" for key, row in clrng.DISTRIBUTIONS.items()],
        "devices": [f"{info.name} {info.platform} {info.driver} limbs-2008, double-2009" for info in list_devices()],
    }[name]
    assert {word for word in words_of(" ".join(expected)) if len(word) < 35} <= words_of(text)


def test_generators_are_found_by_a_part_of_their_name() -> None:
    text = told("generators", "MT1")
    found = {name for name in DESCRIPTIONS if re.search(rf"│ {name} ", text)}
    assert found == {name for name in DESCRIPTIONS if "mt1" in name} > {"mt19937", "std_mt19937"}
    ran = CliRunner().invoke(cli, ["generators", "spam"])
    assert (ran.exit_code, ran.output) == (
        1, "Error: no generator has 'spam' in its name; `clrng generators` lists them all\n",
    )  # fmt: skip


def test_a_table_in_a_pipe_is_as_wide_as_columns_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    assert max(map(len, told("generators").splitlines())) == 70


def test_the_help_of_bench_is_whole_at_80_columns() -> None:
    text = told("bench", "--help")
    assert max(map(len, text.splitlines())) <= 80
    for name, about in EXPERIMENTS.items():
        assert f"{name} {about}" in re.sub(r"\s+", " ", text)


def test_seeds_are_readable_at_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(cli.commands["generators"], monkeypatch)
    for seeds in {row[1] for row in DESCRIPTIONS.values()}:
        assert re.search(rf"│   seeds: {re.escape(seeds)} +│", text)
    assert DESCRIPTIONS["java"][1] == "-2^63 to 2^63 - 1"
    assert DESCRIPTIONS["mmix"][1] == "0 to 2^64 - 1"
    assert DESCRIPTIONS["minstd"][1] == "1 to 2147483646"


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("clrng gen", ["generate", "generators"]),
        ("clrng generate -g numpy_p", ["numpy_pcg64", "numpy_pcg64dxsm", "numpy_philox"]),
        ("clrng plot --distribution ga", ["gamma"]),
        ("clrng bench to_", ["to_host"]),
    ],
)
def test_the_shell_completes_commands_and_names(typed: str, completed: list[str]) -> None:
    _, *words, last = typed.split()
    found = BashComplete(cli, {}, "clrng", "_CLRNG_COMPLETE").get_completions(words, last)
    assert sorted(item.value for item in found) == completed
