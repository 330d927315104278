"""Find the templates of ``cl_kernels`` and render them strictly."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from mako.lookup import TemplateLookup


@cache
def directory() -> Path:
    """Return the folder of templates: inside an installed package, beside the package in a checkout."""
    package = Path(__file__).parents[1]
    for folder in (package / "cl_kernels", package.parent / "cl_kernels"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"clrng is installed without its templates: no cl_kernels in or beside {package}")


@cache
def _lookup() -> TemplateLookup:
    return TemplateLookup([str(directory())], strict_undefined=True, input_encoding="utf-8")


def names() -> list[str]:
    """Return the names of all templates, as `render` takes them."""
    root = directory()
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*.mako"))


def render(name: str, **values: Any) -> str:
    """Return the template `name` (such as ``"arithmetic/integer.cl.mako"``) rendered with `values`.

    A NameError says which value it uses that is not given.
    """
    return str(_lookup().get_template(name).render(**values))


def prelude() -> str:
    """Return the macros that everything else uses."""
    return render("prelude.cl.mako")


def program(name: str, values: Mapping[str, Any]) -> str:
    """Return the program of a template that stands alone: the prelude, and the template rendered with `values`."""
    return prelude() + render(name, **values)


def joined(ctype: str, values: Sequence[str]) -> str:
    """Return the OpenCL expression of a vector of the scalars `values`, a power of two of them.

    It is put together from pairs, and pairs of 8 bytes from their halves, as Oclgrind takes a vector made of scalars
    alone for uninitialised.
    """
    if len(values) == 1:
        return values[0]
    middle = len(values) // 2
    if ctype in ("long", "ulong", "double") and middle == 1:
        return f"as_{ctype}2((uint4)(as_uint2({values[0]}), as_uint2({values[1]})))"
    return f"({ctype}{len(values)})({joined(ctype, values[:middle])}, {joined(ctype, values[middle:])})"
