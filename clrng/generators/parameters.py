"""Parameters of generators: declared once; checks, properties, states, reprs and options of the command line follow."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast

from clrng import validation
from clrng.validation import shown

Naming = Callable[[str], str]
"""Gives the name that an error has for a key of a state."""

Limit = int | Callable[[Any], int]
"""A limit, or the function that returns it for a generator whose earlier parameters are set."""

LARGEST_MODULUS = 2**64
T = TypeVar("T")

ALWAYS = object()
"""Stands for a usual value where there is none."""


@dataclass(frozen=True)
class Kind(Generic[T]):
    """Which values are legal.

    `check`: takes the names for errors, the key, the value given and the generator so far; returns the value kept.
    `several`: whether it is integers, and not one. `count`: how many, where that is always the same. `choices`: the
    legal values of one that is no integer.
    """

    check: Callable[[Naming, str, Any, Any], T]
    several: bool = False
    count: int | None = None
    choices: tuple[str, ...] = ()


class Attribute(property, Generic[T]):
    """A property that has its value under the same name with an underscore before it.

    It cannot be assigned; the error then adds what to do `instead`.
    """

    def __init__(self, about: str, instead: str = "") -> None:
        super().__init__(doc=about)
        self._about, self._instead = about, instead and f"; {instead}"

    def __set_name__(self, owner: type, name: str) -> None:
        def refused(made: Any, _: Any) -> None:
            raise AttributeError(f"{name} of {type(made).__name__} cannot be changed{self._instead}")

        super().__init__(attrgetter(f"_{name}"), refused, doc=self._about)

    if TYPE_CHECKING:

        def __get__(self, instance: Any, owner: type[Any] | None = None, /) -> T: ...  # type: ignore[override]


def constant(value: T, about: str) -> Attribute[T]:
    """Return an attribute that is `value` for every object of a class, and cannot be assigned."""
    return cast("Attribute[T]", property(lambda _: value, doc=about))


class Parameter(Attribute[T]):
    """A parameter of generators.

    `key`: its name, also in the dictionary of a state. `early`: whether others depend on it, so that it is checked
    before those that are not early. `bare`: whether the repr leaves out its name. `usual`: the value, or what gives it
    for a generator, with which the repr leaves it out; `ALWAYS` to have it always. `optional`: whether the dictionary
    of a state leaves it out too.
    """

    key: str

    def __init__(
        self, about: str, kind: Kind[T], *, early: bool = False, bare: bool = False, usual: Any = ALWAYS,
        optional: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(about)
        self.kind, self.early, self.bare, self.usual, self.optional = kind, early, bare, usual, optional

    def __set_name__(self, owner: type, name: str) -> None:
        super().__set_name__(owner, name)
        self.key = name

    def is_usual(self, generator: Any) -> bool:
        """Return whether it is what it usually is."""
        usual = self.usual(generator) if callable(self.usual) else self.usual
        return bool(getattr(generator, self.key) == usual)

    def shown(self, generator: Any) -> str | None:
        """Return it as the repr of `generator` has it, or None where that leaves it out."""
        if self.is_usual(generator):
            return None
        value = getattr(generator, self.key)
        plain = list(value) if self.kind.several and self.kind.count is None else value
        text = repr(tuple(plain) if isinstance(plain, tuple) else plain)
        return text if self.bare else f"{self.key}={text}"


def _at(limit: Limit, generator: Any) -> int:
    return limit if isinstance(limit, int) else limit(generator)


def below_modulus(generator: Any) -> int:
    """Return the largest number below the modulus."""
    largest: int = generator.modulus - 1
    return largest


def integer(low: Limit, high: Limit = below_modulus) -> Kind[int]:
    """Return the kind of an integer from `low` to `high`."""
    return Kind(
        lambda name, key, value, so_far: validation.integer(name(key), value, _at(low, so_far), _at(high, so_far))
    )


def choice(legal: tuple[str, ...]) -> Kind[str]:
    """Return the kind of one of the strings `legal`."""
    return Kind(lambda name, key, value, _: validation.choice(name(key), value, legal), choices=legal)


def _word_bits(name: Naming, key: str, value: Any, _: Any) -> int:
    found = validation.integer(name(key), value, 32, 64)
    if found not in (32, 64):
        raise ValueError(f"{name(key)} must be 32 or 64, not {found}")
    return found


WORD_BITS = Kind(_word_bits)
"""The bits of a word, 32 or 64."""


class Output(NamedTuple):
    """What a library shows of a state: `bits` bits of it, from bit `shift` on."""

    shift: int
    bits: int

    def of(self, word: Any) -> Any:
        """Return the part of a word."""
        return word >> self.shift & (1 << self.bits) - 1


def _checked_output(name: Naming, key: str, value: Any, generator: Any) -> Output | None:
    """Return `value`, a pair of the shift and the bits of an output, if it is one for words below the modulus."""
    if value is None:
        return None
    first, second = several(name(key), value, 2, "None or a pair (shift, bits) of integers")
    most = below_modulus(generator).bit_length()
    shift = validation.integer(f"{name(key)}[0]", first, 0, most - 1)
    return Output(shift, validation.integer(f"{name(key)}[1]", second, 1, most - shift))


OUTPUT = Kind(_checked_output)
"""The part of a word that a value shows, or None for all of it."""


def check_state(generator: Any, value: Any, keys: Collection[str], optional: Collection[str] = ()) -> None:
    """Raise an error unless `value` is a dictionary of a state of the class of `generator`, with these keys."""
    if not isinstance(value, Mapping):
        raise TypeError(f"state must be a dictionary as the attribute gives it, not {shown(value)}")
    own = type(generator).__name__
    kind = value.get("bit_generator", own)  # looked at first, as it says why the keys are others
    if not isinstance(kind, str) or kind != own:
        raise ValueError(f"state['bit_generator'] must be {own!r}, not {shown(kind)}")
    if set(value) - {*optional} != {*keys}:
        raise ValueError(f"state must have the keys {sorted(keys)}, not {shown(list(value))}")


def integers(name: str, values: Any, low: int, high: int | None) -> tuple[int, ...]:
    """Return `values` if it is a sequence of integers from `low` to `high`."""
    validation.sequence(name, values)
    return tuple(validation.integer(f"{name}[{i}]", value, low, high) for i, value in enumerate(values))


def several(name: str, value: Any, count: int, legal: str = "a pair of integers") -> Any:
    """Return `value` if it is a sequence of `count` parts; `legal` says so in an error."""
    if not validation.is_sequence(value) or len(value) != count:
        raise TypeError(f"{name} must be {legal}, not {shown(value)}")
    return value
