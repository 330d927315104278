"""What a transform tells the rest of the package: everything that a kernel needs to turn raw values into its own."""

import hashlib
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

    parameters: tuple[str, ...] = ()
    """How the template declares the numbers that it gets when a kernel runs, such as ``"const float scale"``."""

    arguments: tuple[Any, ...] = field(default=(), compare=False)
    """These numbers: a `Table` for each ``__global`` pointer, and a number for each scalar."""

    def local_copies(self, local_bytes: int) -> int:  # noqa: ARG002  # some have tables for it
        """Return how many copies of tables a work-group of a GPU has, at most, in `local_bytes` of local memory."""
        return 0

    def convert_parameters(self, copies: int) -> tuple[str, ...]:  # noqa: ARG002  # where tables are copied
        """Return what ``convert`` declares behind the raw values: `parameters` and, before them, `copies` of tables."""
        return self.parameters

    def opening(self, copies: int) -> str:  # noqa: ARG002  # where tables are copied
        """Return the lines with which a kernel makes `copies` of tables, under the names in `convert_parameters`."""
        return ""

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
