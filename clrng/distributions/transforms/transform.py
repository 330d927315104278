"""What a transform tells the rest of the package: everything that a kernel needs to turn raw values into its own."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class Table:
    """Numbers that a transform looks up on the device, in global memory.

    Two tables of the same numbers are equal, also where one was made again; they are copied once to a context.
    """

    numbers: npt.NDArray[Any]

    @cached_property
    def _key(self) -> tuple[str, bytes]:
        return self.numbers.dtype.name, hashlib.sha256(self.numbers.tobytes()).digest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


class Declaration(str):
    """How C declares a parameter: a number or, where it has an address space, the first number of a table."""

    __slots__ = ("ctype", "name", "space")

    ctype: str
    name: str
    space: str

    def __new__(cls, ctype: str, name: str, space: str = "") -> "Declaration":  # noqa: PYI034  # Python 3.10 has no Self
        """Return the text, such as ``const float scale``; copies in local memory may be the same as others."""
        pointer = "*" if space == "__local" else "*restrict "
        self = super().__new__(cls, f"{space} const {ctype} {pointer}{name}" if space else f"const {ctype} {name}")
        self.ctype, self.name, self.space = ctype, name, space
        return self

    def __getnewargs__(self) -> tuple[str, str, str]:  # type: ignore[override]  # those of its own __new__
        return self.ctype, self.name, self.space

    def in_space(self, space: str) -> "Declaration":
        """Return the same parameter, a table of global memory in another address space; others stay as they are."""
        return Declaration(self.ctype, self.name, space) if self.space == "__global" else self

    def in_vectors(self, width: str) -> "Declaration":
        """Return the same parameter as a vector, of whose type this is the end; tables stay as they are."""
        return self if self.space else Declaration(self.ctype + width, self.name)


@dataclass(frozen=True)
class Surroundings:
    """Names in the lines that copy tables to local memory: by default those of a kernel of one dimension.

    `item` is the place of a work-item in its group, of `items`; what the lines declare begins with `near`; `tables` has
    the names of tables that are not those of parameters.
    """

    item: str = "get_local_id(0)"
    items: str = "get_local_size(0)"
    near: str = ""
    tables: Mapping[str, str] = field(default_factory=dict)
    comments: bool = True

    def copied(self, ctype: str, name: str, size: int) -> list[str]:
        """Return the lines that make a copy of a whole table, whose name begins with ``near_``."""
        return [
            f"    __local {ctype} {self.near}near_{name}[{size}];",
            f"    for (uint i = {self.item}; i < {size}u; i += {self.items})",
            f"        {self.near}near_{name}[i] = {self.tables.get(name, name)}[i];",
        ]


IN_KERNEL = Surroundings()


@dataclass(frozen=True)
class Transform:
    """A transform of raw values into values, by the template of its name in ``cl_kernels/distributions``.

    Two distributions are equal where they take the same kernel; their arguments may differ. Fields of subclasses are
    what their templates need.
    """

    template: str

    dtype: np.dtype[Any] | None
    """The type of a value; None is that of the raw values."""

    steps: int = 1
    """The steps of the stream that a value takes, which are as many raw values."""

    given: Mapping[Declaration, Any] = field(default_factory=dict, compare=False, repr=False)
    """What the template gets when a kernel runs, by how it is declared: a `Table` for each pointer, and numbers."""

    parameters: tuple[Declaration, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", tuple(self.given))

    @property
    def fits_half(self) -> bool:
        """Whether a value is made of 32 bits, for which half a value of 64 bits is enough where it can be halved."""
        return self.dtype == np.float32

    @property
    def has_hot(self) -> bool:
        """Whether there is a cheaper ``convert_hot`` also without copies of tables."""
        return False

    @property
    def has_places(self) -> bool:
        """Whether ``convert`` of vectors is there in two parts too: ``place_of``, and ``of_place``, which looks up."""
        return False

    @cached_property
    def arguments(self) -> tuple[Any, ...]:
        """What is given for each of the `parameters`."""
        return tuple(self.given.values())

    def local_copies(self, local_bytes: int) -> int:  # noqa: ARG002  # some have tables for it
        """Return how many copies of tables a work-group of a GPU has, at most, in `local_bytes` of local memory."""
        return 0

    def convert_parameters(self, copies: int) -> tuple[Declaration, ...]:  # noqa: ARG002  # where tables are copied
        """Return what ``convert`` declares behind the raw values: `parameters` and, before them, `copies` of tables."""
        return self.parameters

    def opening(self, copies: int, names: Surroundings = IN_KERNEL) -> list[str]:  # noqa: ARG002  # some have tables
        """Return the lines with which a kernel makes `copies` of tables, under the names in `convert_parameters`."""
        return []

    def at(self, place: int) -> "Transform":  # noqa: ARG002  # others differ from element to element
        """Return what makes the elements from number `place` on: the same."""
        return self

    @property
    def inner(self) -> "Transform | None":
        """A transform that this one calls, by ``index_convert``."""
        return None

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:
        """Return what its template needs for raw values from `min_value` to `upper_bound` - 1."""
        own = fields(self)[len(fields(Transform)) :]
        return {"min_value": min_value, "raw_values": upper_bound - min_value} | {
            each.name: getattr(self, each.name) for each in own
        }


RAW = Transform("raw", None)
"""Raw values as they are."""
