"""What is public: the classes and functions that the reference has pages for, and their methods."""

import importlib
import inspect
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from clrng.documented import sections

MODULES = ("clrng", "clrng.dask", "clrng.order")

INNER = {
    "bad_states", "canonical", "checked_delta", "checked_states", "continued", "drawn", "fits_half", "halves",
    "has_common_factor", "is_written", "linear_step", "made_legal", "numpys", "of_words", "setitem", "state_after",
    "states_after", "step", "taken", "take_owner", "transform", "transform_of", "value", "with_state",
}  # fmt: skip
"""Methods that nobody calls but other rooms of the package, and who writes a family, a distribution or an array.

They have a line on the page of `BitGenerator` or `Distribution`, and no page of their own."""


FIRST = ("clrng.Generator", "clrng.NumpyGenerator")
"""Classes whose pages have methods that others share without deriving from them."""


class Page(NamedTuple):
    """What the page of a class has: attributes, methods, those of other classes by these, and those not for users."""

    shown: list[str]
    methods: list[str]
    others: dict[str, list[str]]
    inner: list[str]


@cache
def public() -> dict[str, Any]:
    """Return the public classes and functions by their full names."""
    found = {}
    for module in map(importlib.import_module, MODULES):
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isclass(thing) or inspect.isfunction(thing):
                found[f"{module.__name__}.{name}"] = thing
    return found


def is_refused(method: Callable[..., Any]) -> bool:
    """Return whether a method does nothing but raise an error, always the same."""
    return "Always:" in sections(method.__doc__ or "").get("Raises", "")


def is_whole(method: Callable[..., Any]) -> bool:
    """Return whether a method has a docstring of its own with all that users need."""
    return "Examples" in sections(method.__doc__ or "") or is_refused(method)


def told(kind: type, name: str) -> Any:
    """Return the method of this name that tells users of it: that of the class, or of a base that says more."""
    own = [vars(base)[name] for base in kind.__mro__ if name in vars(base) and base.__module__.startswith("clrng")]
    functions = [getattr(each, "__func__", each) for each in own]
    return next(filter(is_whole, functions), functions[0]) if functions else None


@cache
def methods(kind: type) -> dict[str, Any]:
    """Return the methods of a class that users call, each as the function that tells of it.

    Those that another library's class has, and says what they do, are left out.
    """
    theirs = {name for base in kind.__mro__ if not base.__module__.startswith("clrng") for name in vars(base)}
    found = {name: told(kind, name) for name in dir(kind) if not name.startswith("_") and name not in INNER}
    functions = {name: method for name, method in found.items() if inspect.isfunction(method)}
    return {name: method for name, method in functions.items() if name not in theirs or is_whole(method)}


def bases(kind: type) -> dict[str, type]:
    """Return the public classes that have what a class has: its bases, and what it has more than one base with."""
    found = {name: base for name, base in public().items() if base in kind.__mro__[1:]}
    return found | {name: public()[name] for name in FIRST if public()[name] is not kind}


def shown(kind: type) -> list[str]:
    """Return the attributes of a class that no public base has too."""
    above = [base for base in kind.__mro__[1:] if base in public().values()]
    found = []
    for name in sorted({name for base in kind.__mro__ if base.__module__.startswith("clrng") for name in vars(base)}):
        value = inspect.getattr_static(kind, name)
        is_new = all(inspect.getattr_static(base, name, None) is not value for base in above)
        if is_new and inspect.isdatadescriptor(value) and inspect.getdoc(value) and not name.startswith("_"):
            found.append(name)
    return found


def page(full: str) -> Page:
    """Return what the page of a class has."""
    kind, own = public()[full], []
    others: dict[str, list[str]] = {}
    for name, method in methods(kind).items():
        there = [base for base, other in bases(kind).items() if methods(other).get(name) is method]
        if there:
            others.setdefault(min(there, key=lambda base: len(public()[base].__mro__)), []).append(name)
        else:
            own.append(name)
    inner = sorted(INNER & set(vars(kind))) if kind.__name__ in {"BitGenerator", "Distribution"} else []
    return Page(shown(kind), own, others, inner)


def pages() -> dict[str, dict[str, Any]]:
    """Return the pages of all public classes."""
    return {name: page(name)._asdict() for name, thing in public().items() if inspect.isclass(thing)}
