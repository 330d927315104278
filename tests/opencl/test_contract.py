"""The contract in ``cl_kernels/README.md`` is what the templates define and call."""

import re
from collections.abc import Iterator

import pytest

import clrng
from clrng.distributions import Transform
from clrng.distributions.transforms.uniform import LARGEST_OF_ONE_STEP
from clrng.generators import lxm, source, xoshiro
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import FAMILIES, code_for
from clrng.generators.generator_code import CTYPES, GeneratorCode, suffix
from clrng.generators.halves import HalvesCode
from clrng.generators.maths.bijections import BIJECTIONS as BIJECTIONS_BY_NAME
from clrng.opencl import templates
from tests.support import render_everything

TEXT = (templates.directory() / "README.md").read_text()
FUNCTION = re.compile(r"\| `(\w+) (\w+)\(([^`]*)\)` \| ([^|]+) \| ([^|]+) \|")
DEFINED = re.compile(r"^CLRNG_(?:INLINE|CALLED) (\w+) p_(\w+)\(([^)]*)\)", re.MULTILINE)


def section(title: str) -> str:
    return TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]


def of_templates(title: str) -> dict[str, list[tuple[str, str, str, str]]]:
    """Return for each template of a section the functions that it must define: result, name, parameters, promise."""
    found: dict[str, list[tuple[str, str, str, str]]] = {}
    for result, name, parameters, defined_by, promise in FUNCTION.findall(section(title)):
        for template in defined_by.split(", "):
            found.setdefault(template.strip(), []).append((result, name, parameters, promise))
    return found


GENERATORS, ARITHMETIC = of_templates("Generators"), of_templates("Arithmetics")
DISTRIBUTIONS = of_templates("Distributions")


def code(bits: clrng.BitGenerator, arithmetic: str = "integer") -> GeneratorCode:
    return code_for(bits, ARITHMETICS[arithmetic])


LAGGED = clrng.LaggedFibonacci((5, 17), "+", 64, seed=1, output=(20, 31))
BINARY = [code(clrng.XorShift32(1)), *(code(clrng.named(name, 1)) for name in ("xorshift64", "xorwow"))]
BINARY += [code(clrng.LFSR113()), code(clrng.named("well512a", 1))]
XOSHIRO = [code(row.make(1)) for row in (*xoshiro.NAMED, *lxm.NAMED)]
CARRY = [code(clrng.named(name, 1)) for name in ("std_ranlux24_base", "ranlux3", "gsl_ranlxs0")]
EXAMPLES: dict[str, list[GeneratorCode]] = {
    "lcg": [
        code(clrng.ParkMiller(seed=1)),
        code(clrng.LCG(5, 1, 2**48, 1, output=(16, 32))),
        code(clrng.LCG(5, 1, 10**19, 1)),
    ],
    "linear_recurrence": [code(clrng.LinearRecurrence([1, 2], [3, 4], m, constant=5)) for m in (101, 10**19, 2**64)],
    "yarn": [code(clrng.LinearRecurrence([1, 2], [3, 4], m, yarn=2)) for m in (101, 2**61 - 45)],
    "mrg32k3a": [code(bits, name) for bits in (clrng.MRG32k3a(), clrng.MRG31k3p()) for name in ("integer", "double")],
    "xorshift": BINARY[:-2],
    "backwards": [code(clrng.named("v8_math_random", 1))],
    "xoshiro": XOSHIRO,
    "binary_jumps": [*BINARY[1:], *(each for each in XOSHIRO if each.jump_tables)],
    "subtract_with_carry": CARRY,
    "carry_jumps": CARRY,
    "mersenne_twister": [code(clrng.MT19937()), code(clrng.MT19937_64())],
    "lagged_fibonacci": [
        code(clrng.LaggedFibonacci((24, 155), op, bits, seed=1))
        for op, bits in (("+", 32), ("-", 64), ("*", 64), ("xor", 32))
    ],
    "lagged_registers": [code(LAGGED).user_code()],
    "weyl": [code(clrng.SplitMix(1)), code(clrng.SplitMix(1, 32)), code(clrng.SplitMix(1, output=(32, 32)))],
    "kiss": [code(clrng.KISS("kiss99", [1, 2, 3, 4])), code(clrng.KISS("multicarry", [1, 2]))],
    "permuted64": [code(clrng.PCG32(1))],
    "permuted128": [code(clrng.PCG64(1)), code(clrng.PCG64DXSM(1))],
    "halves": [
        HalvesCode(code(bits), leaping=leaping)
        for bits in (clrng.PCG64(1), clrng.Philox(1))
        for leaping in (False, True)
    ],
    "integer": [code(clrng.ParkMiller(seed=1))],
    "double": [code(clrng.ParkMiller(seed=1), "double")],
    "float": [code(clrng.ParkMiller(seed=1), "float")],
    "float_nofma": [code(clrng.ParkMiller(seed=1), "float-nofma")],
    "limbs_2008": [code(clrng.ParkMiller(seed=1), "limbs-2008")],
    "double_2009": [code(clrng.ParkMiller(seed=1), "double-2009")],
    "truncated": [code(clrng.LCG(5, c, m, 1)) for c in (0, 1) for m in (2**31, 2**64)],
    "modular": [code(clrng.LCG(5, c, m, 1)) for c in (0, 1) for m in (101, 10**19)],
    "sum_short": [code(clrng.LinearRecurrence([1, 2], [3, 4], 101))],
    "sum_modular": [code(clrng.LinearRecurrence([1, 2], [3, 4], 10**19))],
    "sum_double": [code(clrng.LinearRecurrence([1, 2], [3, 4], 101), "double")],
}
for _family in FAMILIES.values():
    if f"generators/{_family.generator.name}.cl.mako" in templates.names():
        EXAMPLES.setdefault(_family.generator.name, [code(_family.example)])

BIJECTIONS = list(dict.fromkeys(bijection.template for bijection in BIJECTIONS_BY_NAME.values()))  # in one order
for _template in BIJECTIONS:
    EXAMPLES[_template] = [
        code(clrng.CounterBased(name, key=1)) for name, row in BIJECTIONS_BY_NAME.items() if row.template == _template
    ]

CODES = [code for codes in EXAMPLES.values() for code in codes]
INCLUDED = {"affine128", "float_digits", "circle", "finite", "normal", "rotated", "wide_product", "words_of_state"}
KINDS = {"generators": GENERATORS, "arithmetic": ARITHMETIC, "distributions": DISTRIBUTIONS}


@pytest.mark.parametrize("folder", KINDS)
def test_every_template_is_in_the_contract(folder: str) -> None:
    there = {name.split("/")[1].split(".")[0] for name in templates.names() if name.startswith(f"{folder}/")}
    assert set(KINDS[folder]) == there - INCLUDED


def test_every_folder_is_there() -> None:
    named = re.findall(r"^\| `(\w+)` \|", section("Folders"), re.MULTILINE)
    assert sorted(named) == sorted(path.name for path in templates.directory().iterdir() if path.is_dir())


def definitions(text: str) -> dict[str, tuple[str, list[str]]]:
    """Return the type and the types of the parameters of every function whose name begins with ``p_``."""
    found = {}
    for result, name, parameters in DEFINED.findall(text):
        types = [
            re.sub(r"\s*\w+$", "", parameter.strip().removeprefix("const ")) for parameter in parameters.split(",")
        ]
        found[name] = result, ["void"] if parameters == "void" else types
    return found


def resolved(kind: str, text: str) -> str:
    """Return what a type is another name for, if it is."""
    while other := re.search(rf"^typedef ([^{{}}]*[ *]){kind};", text, re.MULTILINE):
        kind = other[1].strip()
        if not kind.isidentifier():
            break
    return kind


def ctype(name: str, written: GeneratorCode, width: int) -> str:
    """Return the C type that the contract calls `name`."""
    word, value = CTYPES[written.word.name], CTYPES[written.value.name]
    if name in ("state", "stride", "moving", "sum", "residue", "factor"):
        return f"p_{name}"
    return {"word": word + suffix(width), "value": value + suffix(width)}.get(name, name.replace("WORD", word))


def cases() -> Iterator[tuple[str, GeneratorCode, int]]:
    for template, codes in EXAMPLES.items():
        for written in codes:
            for width in {1, 2, written.max_vector_width} if written.max_vector_width > 1 else {1}:
                yield template, written, width


@pytest.mark.parametrize(("template", "written", "width"), list(cases()))
def test_a_template_defines_what_the_contract_says(template: str, written: GeneratorCode, width: int) -> None:
    text = written.generator("p_", width)
    found = definitions(text)
    for result, name, parameters, promise in {**GENERATORS, **ARITHMETIC}[template]:
        if "width 1 only" in promise and width > 1:
            assert name not in found
            continue
        for each in [f"word_{i}" for i in range(written.order)] if name == "word_i" else [name]:
            assert found[each][0] == ctype(result, written, width), each
            if "..." not in parameters:
                kinds = [ctype(kind, written, width) for kind in parameters.split(", ")]
                assert [resolved(kind, text) for kind in found[each][1]] == [resolved(kind, text) for kind in kinds], (
                    each
                )


@pytest.mark.parametrize("template", GENERATORS)
def test_a_generator_defines_nothing_that_is_for_others(template: str) -> None:
    """A function of the contract that a template has is in its row; those beside it may have their own."""
    beside = {
        "lagged_registers": ["lagged_fibonacci"],
        "yarn": ["linear_recurrence"],
        "xorshift": ["binary_jumps"],
        "xoshiro": ["binary_jumps"],
        "lfsr113": ["binary_jumps"],
        "well512a": ["binary_jumps"],
        "binary_jumps": ["xorshift", "xoshiro", "lfsr113", "well512a"],
        "subtract_with_carry": ["carry_jumps"],
        "carry_jumps": ["subtract_with_carry"],
        "counter_based": BIJECTIONS,
        **{bijection: ["counter_based"] for bijection in BIJECTIONS},
    }.get(template, [])
    allowed = {name for part in [template, *beside] for _, name, _, _ in GENERATORS[part]}
    every = {row[1] for rows in GENERATORS.values() for row in rows} - {
        row[1] for rows in ARITHMETIC.values() for row in rows
    }
    for written in EXAMPLES[template]:
        assert not (set(definitions(written.generator("p_", 1))) & every) - allowed


def kinds(transform: Transform, copies: int) -> list[str]:
    """Return the types of the arguments of `convert` behind the raw values, without `restrict`."""
    return [
        re.sub(r"(restrict)?\s*\w+$", "", each.removeprefix("const ")) for each in transform.convert_parameters(copies)
    ]


def values_of(written: GeneratorCode) -> tuple[object, ...]:
    """Return what the signature of a transform depends on: of two alike one is enough."""
    first, bound = written.recurrence.min_value, written.recurrence.upper_bound
    power = first == 0 and bound & (bound - 1) == 0
    return power, bound - first > LARGEST_OF_ONE_STEP, ctype("value", written, 1), written.max_vector_width


@pytest.mark.parametrize("template", DISTRIBUTIONS)
def test_a_distribution_defines_what_the_contract_says(template: str) -> None:
    [(result, name, parameters, _)] = DISTRIBUTIONS[template]
    assert (result, name, parameters) == ("out", "convert", "value..., argument...")
    for written in {values_of(each): each for each in CODES}.values():
        for transform in render_everything.transforms(written.recurrence):
            if transform.template != template:
                continue
            for width, copies in ((1, 0), (written.max_vector_width, 0), (1, transform.local_copies(2**16))):
                found = definitions(source.transform(written, transform, "p_", width, copies=copies))
                out = CTYPES[source.output_dtype(written, transform).name] + suffix(width)
                digits = [ctype("value", written, width)] * transform.steps
                types = [kind.removesuffix("restrict") for kind in found["convert"][1]]
                assert (found["convert"][0], types) == (out, [*digits, *kinds(transform, copies)])


def test_values_of_the_contract_are_those_of_templates() -> None:
    named = re.findall(r"^\| (`[^|]+`) \|", section("Words of this contract"), re.MULTILINE)
    texts = [path.read_text() for path in templates.directory().rglob("*.mako")]
    for name in (name for row in named for name in re.findall(r"`(\w+)`", row)):
        rendered = re.compile(rf"\$\{{[^}}]*\b{name}\b|^% .*\b{name}\b", re.MULTILINE)
        assert any(rendered.search(text) for text in texts), name
