"""A family of generators as small as one can be: x' = x + step modulo 2^32. Run it to have the command line with it."""

from clrng.generators.base import Words
from clrng.generators.families import FAMILIES, register
from clrng.generators.family import Family
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.one_word import OneWord
from clrng.generators.parameters import Parameter, integer

TEXT = """
typedef uint{w} {p}state;
typedef uint {p}stride;
CLRNG_INLINE {p}state {p}load(const uint{w} word_0) {{ return word_0; }}
CLRNG_INLINE uint{w} {p}word_0(const {p}state x) {{ return x; }}
CLRNG_INLINE uint{w} {p}value(const {p}state x) {{ return x ^ x >> 7; }}
CLRNG_INLINE {p}state {p}next(const {p}state x) {{ return x + {step}u; }}
CLRNG_INLINE {p}stride {p}stride_of(const uint word_0) {{ return word_0; }}
CLRNG_INLINE {p}stride {p}stride_from(__global const uint *row) {{ return row[0]; }}
CLRNG_INLINE {p}state {p}apply_stride(const {p}state x, const {p}stride by) {{ return x + by; }}
CLRNG_INLINE {p}state {p}apply_stride_unreduced(const {p}state x, const {p}stride by) {{ return x + by; }}
CLRNG_INLINE {p}state {p}jump(const {p}state x, const ulong n) {{ return x + (uint)(n * {step}u); }}
"""


class Toy(OneWord):
    """x' = x + step modulo 2^32, of which a value is x ^ x >> 7."""

    name = "toy"
    _modulus = 2**32

    step_size = Parameter("What is added.", integer(1))

    def __init__(self, seed: int, step_size: int = 5) -> None:
        self._set(state=seed, step_size=step_size)

    @property
    def period(self) -> int:
        """The number of values before the sequence repeats."""
        return 2**32 // (self.step_size & -self.step_size)

    def step(self, words: Words) -> Words:  # noqa: D102  # as inherited
        return self.state_after(words, 1)

    def value(self, words: Words) -> int:  # noqa: D102  # as inherited
        return words[0] ^ words[0] >> 7

    def state_after(self, words: Words, n: int) -> Words:  # noqa: D102  # as inherited
        return ((words[0] + n * self.step_size) % 2**32,)


class ToyCode(GeneratorCode):
    """Sums of integers."""

    recurrence: Toy

    def stride(self, n: int) -> tuple[int, ...]:  # noqa: D102  # as inherited
        return (n * self.recurrence.step_size % 2**32,)

    def generator(self, prefix: str, width: int) -> str:  # noqa: D102  # as inherited
        return TEXT.format(**self._common(prefix, width), step=self.recurrence.step_size)


FAMILY = Family(
    generator=Toy,
    code=ToyCode,
    title="Toys",
    arguments={"seed": 3},
    about="sums of a --step_size",
    seeds="0 to 4294967295",
    source="none",
    helps={"seed": "by default 9", "step_size": "by default 5"},
    defaults={"seed": 9},
)

if __name__ == "__main__":
    register(FAMILY)
    assert FAMILIES["toy"] is FAMILY
    from clrng.cli.commands import main

    main()
