"""Docstrings of methods that have arguments, errors and the beginning of an example in common, which are written once.

A docstring in the source has what is its method's own. An example may stand at its end, without a heading.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

ORDER = ("", "Parameters", "Attributes", "Returns", "Raises", "See Also", "Notes", "References", "Examples")
HEADING = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)


@dataclass(frozen=True)
class Common:
    """What methods or classes have in common: arguments and errors by their names, each with what follows the name."""

    arguments: Mapping[str, str] = field(default_factory=dict)
    raises: Mapping[str, str] = field(default_factory=dict)
    returns: str = ""
    notes: str = ""
    example: str = ""
    """The lines with which examples begin."""
    attributes: str = ""
    """The last attributes of classes."""


def sections(text: str) -> dict[str, str]:
    """Return the sections of a docstring by their headings, and under "" what stands before all of them."""
    first, *rest = HEADING.split(inspect.cleandoc(text))
    about, prompt, example = first.partition(">>>")
    found = {"": about, "Examples": prompt + example} | dict(zip(rest[::2], rest[1::2], strict=True))
    return {name: part.strip() for name, part in found.items() if part}


def joined(found: Mapping[str, str]) -> str:
    """Return the docstring of these sections."""
    parts = ((name, found[name]) for name in ORDER if found.get(name))
    return "\n\n".join(f"{name}\n{'-' * len(name)}\n{part}" if name else part for name, part in parts)


def entries(section: str) -> dict[str, str]:
    """Return what a section says of arguments or errors, by the names with which it begins."""
    parts = re.split(r"^(?=\S)", section, flags=re.MULTILINE)
    return {re.split(r" ?: |\n", part)[0].strip(): part.strip() for part in parts if part.strip()}


def complete(method: Callable[..., Any], common: Common) -> None:
    """Add to the docstring of a method or a class what it lacks of what is common."""
    if method.__doc__ is None:  # Python without docstrings
        return
    found = sections(method.__doc__)
    own, said = entries(found.get("Parameters", "")), []
    names = [name for name in inspect.signature(method).parameters if name not in {"self", "cls"}]
    about = {key: f"{key} : {text}" for key, text in common.arguments.items()} | own
    for name in names:
        keys = (key for key in [*own, *about] if name in key.replace("*", "").split(", "))
        text = about.get(next(keys, ""))
        if text and text not in said:
            said.append(text)
    found["Parameters"] = "\n".join(said)
    found["Attributes"] = "\n".join(filter(None, [found.get("Attributes"), common.attributes]))
    if common.returns and method.__annotations__.get("return") not in {None, "None"}:
        found.setdefault("Returns", common.returns)
    raised, others = _of_arguments(common.raises, names), entries(found.get("Raises", ""))
    for error, text in others.items():
        condition = text.removeprefix(error).strip()
        if error in raised and condition.startswith("If "):
            condition = f"{raised[error].removesuffix('.')}; or {condition[0].lower()}{condition[1:]}"
        raised[error] = condition
    found["Raises"] = "\n".join(f"{error}\n    {text}" for error, text in raised.items())
    found["Notes"] = "\n\n".join(filter(None, [found.get("Notes"), common.notes]))
    if found.get("Examples", "").startswith(">>>") and "import clrng" not in found["Examples"]:
        found["Examples"] = f"{common.example}\n{found['Examples']}"
    method.__doc__ = joined(found)


def _of_arguments(raises: Mapping[str, str], names: list[str]) -> dict[str, str]:
    """Return errors without what is said of a `dtype`, where there is no such argument."""
    if "dtype" in names:
        return dict(raises)
    return {
        error: text.replace("`dtype` or `out`", "`out`")
        for error, text in raises.items()
        if not text.startswith("If `dtype` is")
    }


def complete_all(kind: type, common: Common, *names: str) -> None:
    """Complete the methods of these names, or all public ones that a class itself has."""
    for name in names or vars(kind):
        method = getattr(vars(kind)[name], "__func__", vars(kind)[name])  # that of a class method
        if not name.startswith("_") and inspect.isfunction(method):
            complete(method, common)
