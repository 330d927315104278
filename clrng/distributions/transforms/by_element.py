"""A transform whose arguments differ from element to element: one law for each combination of parameters."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any, ClassVar, NamedTuple

import numpy as np

from clrng.distributions.transforms.inverse import Thresholds
from clrng.distributions.transforms.transform import Declaration, Table, Transform

OTHERS = 2**32 - 1
"""Stands where a law is not among those that are alike."""


class Argument(NamedTuple):
    """What laws give for one parameter of their transforms, of each law behind that of the law before."""

    declaration: Declaration
    numbers: Table  # A number of each law, or all of their tables
    begins: Table | None  # Where the table of each law begins, in elements of the parameter's type; uint32


@dataclass(frozen=True, eq=False)
class Alike:
    """Laws whose values the same kernel makes: their transforms differ in what they are given alone."""

    transforms: Sequence[Transform]
    rows: Table
    """Which of these transforms each law has, counted from 0, or `OTHERS`: uint32."""
    arguments: tuple[Argument, ...]

    @property
    def transform(self) -> Transform:
        """One of them, whose kernel is that of all."""
        return self.transforms[0]


@dataclass(frozen=True, eq=False)
class Varying(Transform):
    """A transform that differs from element to element of an array.

    Element i of the flat array takes `steps` steps, and its law the first of these that it needs.
    """

    __hash__ = object.__hash__

    one_behind_another: ClassVar[bool] = False
    """Whether values can only be stored without gaps."""

    of_halves: bool = False
    each: Any = field(default_factory=lambda: np.zeros((), np.uint32), repr=False)
    """What says which law an element has, an array of the host or a device that is broadcast to `shape`."""
    shape: tuple[int, ...] = ()
    """That of the whole array."""
    first: int = 0
    """The flat index of the first element that is made."""

    def __eq__(self, other: object) -> bool:
        return self is other

    @property
    def fits_half(self) -> bool:  # noqa: D102  # as inherited
        return self.of_halves

    def at(self, place: int) -> "Varying":  # noqa: D102  # as inherited
        return replace(self, first=self.first + place) if place else self

    def each_of(self, n: int, given: Any = None) -> tuple[Any, int, tuple[tuple[int, int], ...]]:
        """Return an array with what `n` elements have of `each`, where they begin in it, and by which axes it is found.

        An axis is how many elements it has, and how many places of `each` lie between two. Without any, what elements
        have lies one after the other. If an array is `given`, it takes the place of `each`.
        """
        each = self.each if given is None else given
        if each.size == 1:
            return each, self.first, ((prod(self.shape), 0),)
        if each.size == prod(self.shape):
            if isinstance(each, np.ndarray):  # of which only this part goes to the device
                return each.reshape(-1)[self.first : self.first + n], 0, ()
            return each, self.first, ()
        strides = np.broadcast_to(np.empty(each.shape, np.uint8), self.shape).strides
        return each, self.first, tuple(zip(self.shape, strides, strict=True))


@dataclass(frozen=True, eq=False)
class ByElement(Varying):
    """The transforms of laws, of which every element of an array has one: that of its number in `each`."""

    __hash__ = object.__hash__

    kinds: tuple[Alike, ...] = field(default=(), repr=False)

    @property
    def nbytes(self) -> int:
        """The bytes of all tables."""
        return sum(each.numbers.numbers.nbytes for kind in self.kinds for each in kind.arguments)


@dataclass(frozen=True, eq=False)
class InParts(Varying):
    """Transforms of which each makes the elements of some of many laws, so that not all tables are there at a time."""

    __hash__ = object.__hash__

    parts: Callable[[], Iterator[ByElement]] = field(default=lambda: iter(()), repr=False)
    """Gives the transforms, one after the other."""


def by_element(
    transforms: Sequence[Transform], codes: Any, shape: tuple[int, ...], whole: tuple[int, int], *, of_halves: bool
) -> ByElement:  # fmt: skip
    """Return the transform of elements whose laws have these `transforms`, all of one dtype.

    `whole` says with which law they begin, and how many laws there are; others have their own transforms.
    """
    found: dict[Transform, list[int]] = {}
    common = _with_common_searches(transforms)
    for number, transform in enumerate(common):
        found.setdefault(transform, []).append(number)
    kinds = tuple(_alike(common, numbers, whole) for numbers in found.values())
    steps = max(transform.steps for transform in transforms)
    return ByElement("by_element", transforms[0].dtype, steps, {}, of_halves, codes, shape, kinds=kinds)


def _with_common_searches(transforms: Sequence[Transform]) -> list[Transform]:
    """Return the transforms, of which searches for thresholds halve alike and do not copy tables."""
    halvings = max((each.halvings for each in transforms if isinstance(each, Thresholds)), default=0)
    return [each.searching(halvings) if isinstance(each, Thresholds) else each for each in transforms]


def _alike(transforms: Sequence[Transform], numbers: Sequence[int], whole: tuple[int, int]) -> Alike:
    """Return what the laws of these `numbers` have in common, and their arguments."""
    begin, count = whole
    rows = np.full(count, OTHERS, np.uint32)
    rows[np.array(numbers) + begin] = np.arange(len(numbers), dtype=np.uint32)
    own = tuple(transforms[number] for number in numbers)
    return Alike(own, Table(rows), tuple(_argument(own, each) for each in own[0].parameters))


def _argument(transforms: Sequence[Transform], declaration: Declaration) -> Argument:
    """Return what transforms give for a parameter; a table that several of them share is there once."""
    given = [each.given[declaration] for each in transforms]
    if not declaration.space:
        return Argument(declaration, Table(np.array(given)), None)
    width = int(declaration.ctype.lstrip("abcdefghijklmnopqrstuvwxyz") or 1)
    places: dict[Table, int] = {}
    tables, end = [], 0
    for table in given:
        if table not in places:
            places[table] = end // width
            tables.append(table.numbers.reshape(-1))
            end += table.numbers.size
    begins = np.array([places[table] for table in given], np.uint32)
    return Argument(declaration, Table(np.concatenate(tables)), Table(begins))
