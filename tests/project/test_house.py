"""The rooms of the package: a module imports from its own room and from rooms below it, and never in a circle."""

import ast
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "clrng"
FLOORS = (
    {"clrng.errors", "clrng.validation", "clrng.version"},
    {"clrng.distributions", "clrng.opencl"},
    {"clrng.generators"},
    {"clrng.proof"},
    {"clrng.fill"},
    {"clrng.order"},
    {"clrng.frontends"},
    {"clrng", "clrng.dask", "clrng.measuring", "clrng.quality"},
    {"clrng.cli"},
    {"clrng.__main__"},
)
"""Rooms, the lowest first; those of one floor know nothing of one another."""


def imports() -> dict[str, set[str]]:
    """Return the modules of the package that each of its modules imports, anywhere in its file."""
    files = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    found = {}
    for module, path in files.items():
        names = set()
        for node in ast.walk(ast.parse(path.read_text())):
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
