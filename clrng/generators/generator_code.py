"""What the source and the launches need to know of a recurrence in an arithmetic."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from clrng.generators.arithmetic import ARITHMETICS

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    import numpy as np

    from clrng.distributions import Table
    from clrng.generators.arithmetic import Arithmetic
    from clrng.generators.base import BitGenerator, Words
    from clrng.generators.parameters import Output

CTYPES = {
    "int8": "char", "uint8": "uchar", "int16": "short", "uint16": "ushort", "int32": "int", "uint32": "uint",
    "int64": "long", "uint64": "ulong", "float32": "float", "float64": "double",
    "float16": "ushort", "bfloat16": "ushort",
}  # fmt: skip
"""The OpenCL types of dtypes; those of floats of 16 bits are what their bits have."""


def suffix(width: int) -> str:
    """Return what is put behind the name of a type for a vector of `width`."""
    return "" if width == 1 else str(width)


def output_values(output: Output | None) -> dict[str, int | None]:
    """Return what templates need to know of a part of a word that is shown."""
    return {"shift": output.shift if output else 0, "mask": 2**output.bits - 1 if output else None}


def constants(ctype: str, name: str, rows: Sequence[Sequence[int]]) -> str:
    """Return OpenCL C of an array of constants, of the type ``uint`` or ``ulong``, that has the numbers of `rows`."""
    end = "u" if ctype == "uint" else "UL"
    lines = (f"    {', '.join(f'{number}{end}' for number in row)},\n" for row in rows)
    return f"__constant {ctype} {name}[{sum(map(len, rows))}] = {{\n{''.join(lines)}}};"


@cache
def narrowing(word: str, value: str, width: int) -> Callable[[str], str]:
    """Return what writes the raw value, of a type, that an expression of a word has in its lower half, or all of it."""
    if word == value:
        return str
    return "convert_uint({})".format if width == 1 else f"as_uint{2 * width}({{}}).even".format


class ValueTable(NamedTuple):
    """A table in constant memory that `value` reads. `value_near` reads a copy of it in local memory.

    `name`: what it is called behind the prefix. `ctype`: the type of a word. `size`: its words.
    """

    name: str
    ctype: str
    size: int

    @property
    def nbytes(self) -> int:
        """Its bytes."""
        return self.size * (4 if self.ctype == "uint" else 8)


class GeneratorCode(ABC):
    """A recurrence, written for a device in an arithmetic.

    `recurrence`: gives the parameters; its state is not looked at.

    `word`, `value`: the types of a word of state and of a raw value. `fill_strategy`: how a fill shares out the work.
    ``"strides"``: a lane goes on by strides. ``"blocks"``: every lane has a block of its own, because a step is cheaper
    than a stride. ``"lagged"``: blocks whose states are made by a tree of jumps. ``"counters"``: strides of counters,
    of which all values are made. ``"halves"``: strides, after both halves of a value. `streams_strategy`: how the
    states of streams are stored: the words of each in a work-item, moved on by steps or strides; or as those of lagged
    Fibonacci generators. `fastest_first`: the names of all arithmetics, in the order in which the first that is exact
    is taken. `fits_registers`: whether the state is a structure that a work-item holds, with a step of its own.
    `shortest_block`: the minimum length, in chunks, of a block to which a lane of a CPU jumps. `phases`: after how many
    steps the work of a step repeats, where some steps do more than others. `jumps_by_groups`: whether work-items of a
    group all first jump to its beginning, by the same rows of large tables. `in_small_groups`: whether a fill in blocks
    is faster on a GPU in work-groups of half as many work-items, as measured. `lanes_of_gpu`: how many lanes such a
    fill has for each compute unit of a GPU; fewer are faster where every lane jumps first, which takes long beside its
    steps. `value_table`: the table that `value` reads, or None. `fixes_strides`: whether a stride depends on words of
    the state that steps keep, so that a fill in strides first has it `fixed` for these, and applies it by
    ``apply_fixed``. `moving_steps`: strides by a multiple of so many steps are cheaper for a state that takes the same
    one again and again, as ``moving``; None where that is not so. `variant`: what else tells the text apart from others
    of the same class, arithmetic and parameters.
    """

    fill_strategy: Literal["strides", "blocks", "lagged", "halves", "counters"] = "strides"
    streams_strategy: ClassVar[Literal["plain", "lagged"]] = "plain"
    fastest_first: ClassVar[Sequence[str]] = tuple(ARITHMETICS)
    fits_registers = True
    shortest_block: ClassVar[int] = 16
    phases: int = 1
    jumps_by_groups = False
    in_small_groups = False
    lanes_of_gpu: int = 1024
    fixes_strides = False
    moving_steps: int | None = None
    value_table: ValueTable | None = None
    variant: Hashable = ()

    def __init__(self, recurrence: BitGenerator, arithmetic: Arithmetic) -> None:
        self.recurrence = recurrence
        self.arithmetic = arithmetic
        self.word: np.dtype[Any] = recurrence.word_dtype
        self.value: np.dtype[Any] = recurrence.dtype

    @classmethod
    def why_not(cls, arithmetic: Arithmetic, recurrence: BitGenerator) -> str | None:  # noqa: ARG003  # others look
        """Return why the mathematics of `arithmetic` is not that of `recurrence`, or None if it is."""
        return None if arithmetic.name == "integer" else "made for x' = a x mod 2^31 - 1 alone"

    def user_code(self) -> GeneratorCode:
        """Return the code for a kernel of the user's own, whose work-items seed it by themselves."""
        return self

    @property
    def ring(self) -> tuple[int, ...] | None:
        """The lags of a state that a user's kernel keeps in memory as a ring of words, or None."""
        return None

    @property
    def jump_tables(self) -> Table | None:
        """What `jump_by_tables` reads, by which a fill in blocks jumps in place of `jump`, or None."""
        return None

    @property
    def powers(self) -> Sequence[Sequence[int]]:
        """What the text of a generator on scalars has as constants for its jumps, in rows."""
        return ()

    @property
    def doublings(self) -> Sequence[Sequence[int]]:
        """The strides of 2^j steps, which are the `powers` of many."""
        return [self.stride(1 << j) for j in range(64)]

    @property
    def constant_bytes(self) -> int:
        """The bytes in constant memory of the arrays that `generator` defines for scalars."""
        table = self.value_table.nbytes if self.value_table else 0
        return self.word.itemsize * sum(map(len, self.powers)) + table

    @property
    def digits(self) -> tuple[int, int] | None:
        """The largest abs(h) and abs(l) of a step, where the arithmetic computes with these digits, else None."""
        return None

    @property
    def plain_step(self) -> str | None:
        """OpenCL C of the step of a ``uint`` x in plain integers, for checks to compare with state by state.

        None where the states are not all the integers of one range of 32 bits.
        """
        return None

    def shares_values(self, other: BitGenerator) -> bool:
        """Return whether published values of `other` test this code, as they do if its parameters are the same."""
        return other.parameters == self.recurrence.parameters

    def __eq__(self, other: object) -> bool:
        """Return whether both write the same text."""
        return isinstance(other, GeneratorCode) and self.key == other.key

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self.key)

    @property
    def key(self) -> Hashable:
        """What tells its text apart from that of other forms."""
        return type(self), self.arithmetic, self.recurrence.summary, self.variant

    @cached_property
    def order(self) -> int:
        """The number of words of a state."""
        return self.recurrence.order

    @property
    def max_vector_width(self) -> int:
        """The longest vector it is written for: one that fills 64 bytes."""
        return min(self.arithmetic.max_vector_width, 64 // self.word.itemsize)

    @abstractmethod
    def stride(self, n: int) -> tuple[int, ...]:
        """Return the words of a stride of `n` steps, as the device takes them."""

    def mover(self, n: int) -> Callable[[Words], Words]:
        """Return what makes of the words of a state those `n` steps after it, sooner than `state_after` if it can."""
        return partial(self.recurrence.state_after, n=n)

    @abstractmethod
    def generator(self, prefix: str, width: int) -> str:
        """Return the arithmetic and the recurrence on vectors of `width`, every name beginning with `prefix`."""

    def _common(self, prefix: str, width: int) -> dict[str, Any]:
        word, value = CTYPES[self.word.name], CTYPES[self.value.name]
        return {
            "p": prefix,
            "width": width,
            "w": suffix(width),
            "half": suffix(width // 2),
            "word": word,
            "u": "u" if word == "uint" else "UL",
            "value": value,
            "order": self.order,
            "modulus": self.recurrence.modulus,
            "listed": ", ".join,
            "constants": constants,
            "narrowed": narrowing(word, value, width),  # the same object each time, as texts are cached by these values
        }
