"""What a release has: one version wherever it stands, extras and oldest versions as the pages say, a legal citation."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import clrng
from tests.support.oldest_versions import oldest

ROOT = Path(__file__).parents[2]
PROJECT = (ROOT / "pyproject.toml").read_text()
RECIPE = (ROOT / "recipe" / "recipe.yaml").read_text()
CITATION = (ROOT / "CITATION.cff").read_text()
INSTALL = (ROOT / "docs" / "start" / "install.md").read_text()

EXTRAS = set(
    re.findall(r"^(\w+) = \[", PROJECT.split("[project.optional-dependencies]\n")[1].split("\n[")[0], re.MULTILINE)
)
NEEDED = oldest(PROJECT.split("\ndependencies = ")[1].split("\n]")[0])


def table(heading: str) -> list[list[str]]:
    """Return the rows of the table under a heading of the page about installing."""
    lines = INSTALL.split(f"\n## {heading}\n")[1].split("\n## ")[0].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return rows[2:]


@pytest.mark.parametrize(
    ("where", "text", "pattern"),
    [
        ("CITATION.cff", CITATION, r"^version: (\S+)$"),
        ("recipe", RECIPE, r'^  version: "(\S+)"$'),
        ("changelog", (ROOT / "CHANGELOG.md").read_text(), r"^## (\S+)$"),
    ],
    ids=lambda value: value if len(value) < 20 else "",
)
def test_the_version_is_the_same_everywhere(where: str, text: str, pattern: str) -> None:
    assert re.findall(pattern, text, re.MULTILINE)[0] == clrng.__version__, where


def test_the_command_line_says_the_version() -> None:
    said = subprocess.run(
        [sys.executable, "-m", "clrng", "--version"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert said.stdout == f"clrng, version {clrng.__version__}\n"


def test_the_build_takes_the_version_of_the_package() -> None:
    assert 'dynamic = ["version"]' in PROJECT
    assert '[tool.hatch.version]\npath = "clrng/version.py"' in PROJECT
    assert re.findall(r'__version__ = "(.+)"', (ROOT / "clrng" / "version.py").read_text()) == [clrng.__version__]


def test_every_extra_is_explained() -> None:
    assert {row[0].strip("`") for row in table("Extras")} == EXTRAS
    (listed,) = re.findall(r"^Extras, as in .*: (.*)\.$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", listed)) == EXTRAS


def test_no_page_installs_a_package_that_is_not_there() -> None:
    """Extras are of a copy of the repository."""
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "clrng").rglob("*.py")]:
        assert "clrng[" not in path.read_text(), path


def test_the_oldest_versions_are_those_of_the_page_and_of_the_recipe() -> None:
    names = {"numpy": "NumPy", "pyopencl": "PyOpenCL", "mako": "Mako", "rich": "Rich"}
    assert set(NEEDED) >= {"numpy", "pyopencl", "mako", "click", "rich", "typing_extensions"}
    python = re.findall(r'requires-python = ">=(.+)"', PROJECT)[0]
    drawn = {row[0]: row[1] for row in table("Versions")}
    of_wheels = {name: version for name, version in NEEDED.items() if not name.startswith("pocl")}
    assert drawn == {"Python": python, **{names.get(name, name): version for name, version in of_wheels.items()}}
    run = RECIPE.split("  run:\n")[1].split("\ntests:")[0]
    assert dict(re.findall(r"- (\w+) >=(\S+)", run)) == {"python": python, **of_wheels}


def test_the_citation_has_what_the_format_asks_for() -> None:
    keys = dict(re.findall(r"^([\w-]+):\s*(.*)$", CITATION, re.MULTILINE))
    assert {"cff-version", "message", "title", "authors"} <= set(keys)
    assert (keys["cff-version"], keys["title"], keys["type"]) == ("1.2.0", "clrng", "software")
    assert re.findall(r'^license = "(.+)"$', PROJECT, re.MULTILINE) == [keys["license"]]
    (author,) = re.findall(r"^authors:\n  - name: (.+)$", CITATION, re.MULTILINE)
    assert f'authors = [{{ name = "{author}" }}]\n' in PROJECT
    assert not re.search(r"^\s*\t", CITATION, re.MULTILINE)


def test_rattler_build_renders_the_recipe() -> None:
    rattler_build = pytest.importorskip("rattler_build", reason="py-rattler-build is not installed")
    (built,) = rattler_build.Stage0Recipe.from_file(ROOT / "recipe" / "recipe.yaml").render()
    recipe = built.recipe.to_dict()
    assert (recipe["package"]["name"], recipe["package"]["version"]) == ("clrng", clrng.__version__)


def test_the_recipe_says_what_pyproject_says() -> None:
    yaml = pytest.importorskip("yaml")  # which dask needs
    recipe = yaml.safe_load(RECIPE)
    keys = {"schema_version", "context", "package", "source", "build", "requirements", "tests", "about"}
    assert recipe.keys() == keys
    assert (recipe["schema_version"], recipe["context"]["version"]) == (1, clrng.__version__)
    assert recipe["package"] == {"name": "clrng", "version": "${{ version }}"}
    assert (ROOT / "recipe" / recipe["source"]["path"]).resolve() == ROOT
    scripts = re.findall(r'^(\w+) = "(.+)"$', PROJECT.split("[project.scripts]\n")[1].split("\n\n")[0], re.MULTILINE)
    assert recipe["build"]["python"]["entry_points"] == [f"{name} = {call}" for name, call in scripts]
    assert recipe["build"]["noarch"] == "python"
    built = re.findall(r'^requires = \["(\w+)>=(.+)"\]$', PROJECT, re.MULTILINE)
    python = re.findall(r'requires-python = ">=(.+)"', PROJECT)[0]
    host = {f"python {python}.*", "pip", *(f"{name} >={version}" for name, version in built)}
    assert set(recipe["requirements"]["host"]) == host
    needed = {f"{name} >={version}" for name, version in NEEDED.items() if not name.startswith("pocl")}
    assert set(recipe["requirements"]["run"]) == {f"python >={python}", "pocl", *needed}
    license_line = re.findall(r'^license = "(.+)"$', PROJECT, re.MULTILINE)[0]
    assert recipe["about"] == {
        "summary": re.findall(r'^description = "(.+)"$', PROJECT, re.MULTILINE)[0],
        "license": license_line,
        "license_file": "LICENSE",
    }
