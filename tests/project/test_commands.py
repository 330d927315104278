"""The commands that the documents name: there are such scripts, commands and options."""

import re
import shlex
from pathlib import Path

import click
import pytest

from clrng.cli.commands import cli
from clrng.measuring.experiments import directory
from tests.support.pages import DOCS, ROOT

SCRIPTS = {path.stem: path for path in directory().rglob("*.py") if "__main__" in path.read_text()}
COMMON = {"--device", "--results", "--quick", "--rounds"}
"""Options that scripts have without naming them."""

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "benchmarks" / "README.md", *DOCS.glob("*.md"),
         *DOCS.glob("*/*.md"), *(ROOT / "benchmarks" / "results").glob("*/README.md")]  # fmt: skip

CODE = re.compile(
    r"^(?P<fence>```+)[^\n]*\n(?P<block>.*?)^(?P=fence)$|(?<!`)(?P<mark>`+)(?P<inline>[^`]+)(?P=mark)(?!`)",
    re.MULTILINE | re.DOTALL,
)


def commands_in(text: str) -> list[str]:
    """Return what a page has in code that begins with ``clrng`` or ``python benchmarks``, each to its end."""
    found = []
    for code in CODE.finditer(text):
        lines = (code["block"] or re.sub(r"\s+", " ", code["inline"] or "")).splitlines()
        for line in lines:
            for part in re.split(r"[|;&<>]|\$\(", line.partition(" #")[0]):
                command = re.match(r"(?:\$ |\S*/)*(clrng|python benchmarks)(?=[ /]|$)", part.strip())
                if command:
                    found.append(part.strip().removeprefix("$ "))
    return found


COMMANDS = sorted(
    {(str(page.relative_to(ROOT)), command) for page in PAGES for command in commands_in(page.read_text())}
)


def faults_of_script(words: list[str]) -> list[str]:
    """Return what is wrong with the words behind ``python``."""
    if words[0] != "benchmarks":
        return [f"{words[0]} is not how a script is run"]
    if len(words) == 1:
        return []
    if words[1] == "NAME":
        return []
    if words[1] not in SCRIPTS:
        return [f"there is no script {words[1]}"]
    text = SCRIPTS[words[1]].read_text()
    options = {word.partition("=")[0] for word in words[2:] if word.startswith("--")} - COMMON
    return [f"{option} of {words[1]}" for option in options if not re.search(rf"\b{option[2:]}\b", text)]


def faults_of_command(words: list[str]) -> list[str]:
    """Return what is wrong with the words behind ``clrng``."""
    if not words or words[0] in ("--version", "--help", "-h"):
        return []
    if words[0] not in cli.commands:
        return [f"there is no command {words[0]}"]
    known = {name for option in cli.commands[words[0]].params if isinstance(option, click.Option)
             for name in (*option.opts, *option.secondary_opts)} | {"--help", "-h"}  # fmt: skip
    options = {word.partition("=")[0] for word in words[1:] if re.match("-{1,2}[a-z]", word)}
    return sorted(options - known)


def faults(command: str) -> list[str]:
    """Return what is wrong with a command."""
    program, *words = shlex.split(command)
    return faults_of_script(words) if program == "python" else faults_of_command(words)


@pytest.mark.parametrize(("page", "command"), COMMANDS)
def test_commands_of_the_documents_exist(page: str, command: str) -> None:
    assert faults(command) == [], page


def test_commands_are_found() -> None:
    pages = {page for page, _ in COMMANDS}
    assert {"README.md", "benchmarks/README.md", "docs/batteries.md", "docs/guides/command_line.md"} <= pages
    assert len(COMMANDS) > 80
    text = "Run `python benchmarks\nfill --quick`.\n\n```sh\nclrng devices  # a\nseq 3 | clrng bench\n```\n"
    assert commands_in(text) == ["python benchmarks fill --quick", "clrng devices", "clrng bench"]


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("python benchmarks/fill.py", "benchmarks/fill.py is not how a script is run"),
        ("python benchmarks filled", "there is no script filled"),
        ("python benchmarks fill --fast", "--fast of fill"),
        ("clrng benchmark", "there is no command benchmark"),
        ("clrng generate --seeds 1", "--seeds"),
    ],
)
def test_wrong_commands_are_told(command: str, fault: str) -> None:
    assert faults(command) == [fault]


def test_scripts_are_listed_with_their_folders() -> None:
    assert {path.parent.name for path in SCRIPTS.values()} >= {"speed", "peers", "quality", "plots", "exactness"}
    assert Path(SCRIPTS["fill"]).name == "fill.py"
