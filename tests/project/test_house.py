"""The rooms of the package: a module imports from its own room and rooms below it, in no circle; and their sizes."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "clrng"
SOURCES = {path: path.read_text() for path in sorted(PACKAGE.rglob("*.py"))}
MAX_ROOMS = 20
MAX_FLOORS = 9
MAX_LINES_OF_A_FILE = 600
MAX_LINES_OF_A_FUNCTION = 60
MAX_LINES = {"*.py": 52_300, "*.mako": 11_741}
"""Lines of the package and of the templates: these numbers go down, but where a new feature needs more."""

FLOORS = (
    {"clrng.documented", "clrng.errors", "clrng.validation", "clrng.version"},
    {"clrng.distributions", "clrng.opencl"},
    {"clrng.cuda", "clrng.generators"},
    {"clrng.proof"},
    {"clrng.fill", "clrng.order"},
    {"clrng.frontends"},
    {"clrng", "clrng.dask", "clrng.measuring", "clrng.quality"},
    {"clrng.cli"},
    {"clrng.__main__"},
)
"""Rooms, the lowest first; those of one floor know nothing of one another."""


def imports() -> dict[str, set[str]]:
    """Return the modules of the package that each of its modules imports, anywhere in its file."""
    files = {}
    for path in SOURCES:
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    found = {}
    for module, path in files.items():
        names = set()
        for node in ast.walk(ast.parse(SOURCES[path])):
            if isinstance(node, ast.ImportFrom):
                full = (f"{node.module}.{alias.name}" for alias in node.names)
                names |= {name if name in files else str(node.module) for name in full}
            elif isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
        found[module] = {name for name in names if name in files}
    return found


IMPORTS = imports()


def room(module: str) -> str:
    """Return the room of a module: the longest that its name begins with."""
    rooms = {name for floor in FLOORS for name in floor}
    while module not in rooms:
        module = module.rpartition(".")[0]
    return module


def floor(module: str) -> int:
    return next(i for i, rooms in enumerate(FLOORS) if room(module) in rooms)


def test_every_module_at_the_top_is_on_a_floor() -> None:
    top = {module for module in IMPORTS if module.count(".") == 1}
    assert {module for module in top if room(module) == "clrng"} == set()


def test_rooms_import_from_rooms_below() -> None:
    wrong = [
        f"{module} imports {other}"
        for module, others in IMPORTS.items()
        for other in others
        if room(module) != room(other) and floor(module) <= floor(other)
    ]
    assert wrong == []


def test_no_modules_import_one_another_in_a_circle() -> None:
    left = dict(IMPORTS)
    while ready := {module for module, others in left.items() if not others & set(left)}:
        left = {module: others for module, others in left.items() if module not in ready}
    assert left == {}


def test_there_are_few_rooms_and_floors() -> None:
    rooms = {path for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert len({*rooms, ROOT / "benchmarks", ROOT / "cl_kernels"}) <= MAX_ROOMS
    assert len(FLOORS) <= MAX_FLOORS


def test_no_file_is_long() -> None:
    templates = (ROOT / "cl_kernels").rglob("*.mako")
    lines = {path: len(path.read_text().splitlines()) for path in (*SOURCES, *templates)}
    assert {path.name: count for path, count in lines.items() if count > MAX_LINES_OF_A_FILE} == {}


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the lines of a function without its decorators and its docstring."""
    body = function.body
    if len(body) > 1 and ast.get_docstring(function, clean=False) is not None:
        return body[0].lineno - function.lineno + (function.end_lineno or 0) - (body[0].end_lineno or 0)
    return (function.end_lineno or 0) - function.lineno + 1


def test_no_function_is_long() -> None:
    functions = (
        (path, node)
        for path, text in SOURCES.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    )
    assert [f"{path.name}: {node.name}" for path, node in functions if lines_of(node) > MAX_LINES_OF_A_FUNCTION] == []


def test_the_package_does_not_grow() -> None:
    for pattern, most in MAX_LINES.items():
        paths = PACKAGE.rglob(pattern) if pattern == "*.py" else (ROOT / "cl_kernels").rglob(pattern)
        assert sum(len(path.read_text().splitlines()) for path in paths) <= most, pattern


def test_what_the_gate_runs_is_there() -> None:
    named = re.findall(r"\btests/[\w/]+(?:\.py)?(?=[\s\"])", (ROOT / ".ci" / "run").read_text())
    assert len(named) > 8
    assert [name for name in named if not (ROOT / name).exists()] == []


GUIDE = (ROOT / "CONTRIBUTING.md").read_text()


def test_contributors_are_told_of_every_room() -> None:
    told: list[set[str]] = [set() for _ in FLOORS]
    for number, rooms in re.findall(r"^\| (\d+) \| (.*?) \|", GUIDE, re.MULTILINE):
        told[int(number) - 1] |= {f"clrng.{name}" for name in re.findall(r"`(\w+)`", rooms)}
    assert told == [{f"clrng.{name.removeprefix('clrng.')}" for name in floor} for floor in FLOORS]


def test_pages_name_files_that_there_are() -> None:
    text = GUIDE + (ROOT / "docs" / "design" / "index.md").read_text()
    named = re.findall(r"`((?:clrng|tests|cl_kernels|benchmarks)/[^`]*|\.ci/run)`", text)
    assert len(named) > 20
    assert [name for name in named if not (ROOT / name).exists()] == []
