"""Render every template of the clrng that is installed, and say where it is; run from outside the checkout too."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from posixpath import normpath
from types import SimpleNamespace
from typing import Any

import numpy as np
from mako.lookup import TemplateLookup

import clrng
from clrng.distributions import RAW, UNIFORM, Transform
from clrng.distributions.discrete import Poisson
from clrng.distributions.distribution import (
    Between,
    Continuous,
    LibraryFloats,
    integers,
    transform_of,
)
from clrng.distributions.quantiles import families as families_of_shapes
from clrng.distributions.quantiles.closed_forms import Exponential, Normal
from clrng.distributions.quantiles.integrated import Gamma, StudentT, VonMises
from clrng.distributions.quantiles.surfaces import FORMS
from clrng.distributions.transforms.by_element import by_element as laws_by_element
from clrng.distributions.transforms.in_ranges import FloatBounds, IntegerBounds, NumpyBounds
from clrng.distributions.transforms.rounded import standard_uniform
from clrng.distributions.transforms.uniform import INTERVALS, LIBRARY_FLOATS, lead
from clrng.fill import beta as fill_beta
from clrng.fill import by_element as fill_by_element
from clrng.fill import categories as fill_categories
from clrng.fill import each_number
from clrng.fill import hypergeometric as fill_hypergeometric
from clrng.fill import near as fill_near
from clrng.fill import noncentral as fill_noncentral
from clrng.fill import ranges as fill_ranges
from clrng.fill import surface as fill_surface
from clrng.fill import triangular as fill_triangular
from clrng.fill.counter_tiles import EXCHANGED, EXCHANGING, choose_tile
from clrng.fill.fill import OF_WHOLE
from clrng.frontends.device_libraries import (
    converted,
    counted,
    curand,
    jax_key,
    mtgp32,
    tensorflow_seed,
    torch_cpu,
    torch_cuda,
)
from clrng.frontends.device_libraries.forms import WORD
from clrng.frontends.divide_and_conquer import LaggedSteps
from clrng.frontends.numpy_streams import ziggurat
from clrng.generators import source
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.counter_based import CountingCode
from clrng.generators.families import FAMILIES, code_for, why_not
from clrng.generators.generator_code import GeneratorCode, suffix
from clrng.generators.halves import HalvesCode
from clrng.generators.lagged import Lagged
from clrng.generators.maths.bijections import BIJECTIONS
from clrng.generators.mersenne_twister import MersenneTwister
from clrng.opencl import templates
from clrng.opencl.templates import names, render
from clrng.order.arguments import KEYS, key_values

STRIDES = {"interleaved": 4, "streaming": True, "leaping": True, "keep_all": True}
VALUES: dict[str, dict[str, Any]] = {
    "fill/fill.cl.mako": {"consecutive": 4, "per_store": 4, "moving": False},
    "fill/fill_blocks.cl.mako": {
        "chunk": 64,
        "group_size": 32,
        "unrolled": True,
        "resident": False,
        "state_words": 0,
        "per_store": 4,
        "by_tables": False,
        "by_groups": False,
    },
    "fill/fill_runs.cl.mako": {"single": False, "per_store": 4},
    "fill/fill_run_blocks.cl.mako": {"chunk": 64, "group_size": 32, "unrolled": True, "per_store": 4},
    "fill/fill_run_vectors.cl.mako": {"single": True},
    "fill/fill_run_lanes.cl.mako": {"chunk": 16, "single": True},
    "streams/advance_streams.cl.mako": {},
    "streams/seed_streams.cl.mako": {},
    "bench/registers.cl.mako": {"modulus": 101, "first": 2},
    "bench/step_streams.cl.mako": {},
    "quality/verify.cl.mako": {"plain_step": "x", "digits": False},
    "permutations/mend.cl.mako": {"jumps": True, "index": "uint"},
}
RINGS: dict[str, dict[str, Any]] = {
    "fill/fill_rings.cl.mako": {
        "group_size": 8,
        "step": 5,
        "ring_words": 25,
        "mirrored": 3,
        "space": "__local",
        "dimensions": 2,
        "spaced": True,
    },
    "fill/fill_lines.cl.mako": {"tile": 64, "interleaved": 2, "spare": 16},
    "streams/advance_rings.cl.mako": {},
}
BINARY = {
    "streams/jump_binary_states.cl.mako": {
        "chunk": 4, "padded": 624, "stream_words": 20640, "source_words": 21280, "stretch": 512, "group_size": 640,
        "slices": 4, "lanes": 160, "rounds": 1, "weight_words": 1631,
    },
}  # fmt: skip
LAGGED = {
    **RINGS,
    "streams/advance_streams.cl.mako": {"leaping": False},
    "fill/fill_blocks.cl.mako": {
        "chunk": 64,
        "group_size": 32,
        "unrolled": True,
        "resident": True,
        "state_words": 32,
        "per_store": 4,
        "by_tables": False,
        "by_groups": False,
    },
    "streams/jump_states.cl.mako": {"chunk": 4, "per_store": 2, "padded": 32, "stretch": 512},
    "permutations/mend.cl.mako": {"jumps": False, "index": "long"},
}
PERMUTATIONS: dict[str, list[dict[str, Any]]] = {
    "permutations/partition.cl.mako": [
        {"group_size": size, "tile": 64, "most_digits": 8, "in_order": size > 1} for size in (1, 16)
    ],
    "permutations/sort.cl.mako": [
        {"group_size": size, "most": 64, "most_heaps": 64, "of_rows": size > 1, "out": "uint"} for size in (1, 16)
    ],
    "permutations/move.cl.mako": [
        {"element": "uchar", "index": "uint", "pick": pick, "axes_count": 2} for pick in ("", "long")
    ],
    "permutations/bijection.cl.mako": [{"out": "long", "rounds": 24}],
}
MEASURING: dict[str, dict[str, Any]] = {
    "bench/poison.cl.mako": {},
    "bench/wall.cl.mako": {"width": 1, "consecutive": 4, "interleaved": 1, "streaming": False},
    "bench/read.cl.mako": {"width": 4},
    "bench/operations.cl.mako": {"operations": [("add", "uint", "x + y")], "width": 1, "interleaved": 2, "repeats": 2},
}
SORTED = [
    {**key_values(np.dtype(dtype)), "digits": 256, **moved}
    for dtype in KEYS
    for moved in (
        {"keys_out": True, "values": "", "value": ""},
        {"keys_out": True, "values": "read", "value": "ulong"},
        {"keys_out": False, "values": "made", "value": "uint"},
    )
]
GROUPS = {"group_size": 64, "keys_each": 8, "rank_bits": 4, "copies": 2, "value_bytes": 8}
AHEAD = [{"ahead": False}, {"ahead": True}]
GUARDS = [{"guard": guard, "bucket_count": 32} for guard in ("", "buckets", "no buckets")]
ORDER: dict[str, list[dict[str, Any]]] = {
    "order/reduce.cl.mako": [
        {"value": "float", "total": "float", "of": "float", "width": 256, "turns": 16, "group": group, **reduced}
        for group in (1, 256)
        for reduced in (
            {"operation": "sum", "term": "value"},
            {"operation": "sum", "term": "square"},
            {"operation": "min", "term": "place", "total": "ulong"},
            {"operation": "max", "term": "value", "value": "float16"},
            {"operation": "sum", "term": "square", "value": "bfloat16"},
        )
    ],
    "order/count_in_chunks.cl.mako": [{**values, **guard} for values in SORTED for guard in GUARDS],
    "order/scatter_in_chunks.cl.mako": [{**values, **guard} for values in SORTED for guard in GUARDS],
    "order/find_buckets.cl.mako": GUARDS[:1],
    "order/sort_buckets.cl.mako": [
        {
            **values,
            **GUARDS[0],
            "passes": 2,
            "digit_bits": 9,
            "alone": alone,
            "made": alone and values["values"] == "made",
        }
        for values in SORTED
        for alone in (False, True)
    ],
    "order/count_in_groups.cl.mako": [{**values, **GROUPS, **ahead} for values in SORTED for ahead in AHEAD],
    "order/scatter_in_groups.cl.mako": [{**values, **GROUPS, **ahead} for values in SORTED for ahead in AHEAD],
    "order/sort_in_group.cl.mako": [{**values, **GROUPS} for values in SORTED],
    "order/count_all_digits.cl.mako": [{**values, **GROUPS, "passes": 4} for values in SORTED],
    "order/sweep.cl.mako": [{**values, **GROUPS, "group_size": 256, "looks": 4} for values in SORTED],
    "order/scan_counts.cl.mako": [GROUPS],
}
LOCATED = ("float", "double")
SELECTIONS: dict[str, dict[str, Any]] = {
    "cuda/flag.cl.mako": {},
    "order/cumsum.cl.mako": {"total": "ulong", "value": "char", "exclusive": True},
    "order/compress.cl.mako": {"total": "uint", "flag": "uchar", "value": "ushort"},
    "order/flatnonzero.cl.mako": {"total": "uint", "flag": "uint"},
    "order/split.cl.mako": {"total": "uint", "flag": "uchar", "value": "ulong"},
    "order/firsts.cl.mako": {"total": "uint", "out": "int"},
    "order/put_first.cl.mako": {"multiplier": 3},
    "order/extremes.cl.mako": {"key": "uint", "bits": 32, "kind": "f", "width": 4, "w": "4"},
    "order/fold.cl.mako": {},
    "order/lengths.cl.mako": {},
    "order/unique.cl.mako": {
        **key_values(np.dtype(np.float32)),
        "total": "uint",
        "index": True,
        "inverse": True,
        "starts": True,
    },
}
COUNTS: dict[str, dict[str, Any]] = {
    "order/bincount.cl.mako": {"value": "uint"},
    "order/histogram.cl.mako": {"value": "uchar", "wide": "uint", "real": "float", "difference": "uint", "walks": True},
}
GPU: dict[str, Any] = {
    "kind": "gpu",
    "fp64": True,
    "device": SimpleNamespace(max_constant_buffer_size=2**20, local_mem_size=49152),
}
DRAWN = [
    (Continuous(Normal()), "float32"),
    (Continuous(Exponential(), 1, 2), "float32"),
    (Continuous(Exponential(), 1, 2), "float64"),
    (Continuous(VonMises(4), 1), "float32"),
    (Continuous(Normal(), 0, 1e-30), "float32"),
    (Continuous(Gamma(0.001), 0, 2), "float32"),
    (Continuous(StudentT(0.01)), "float64"),
    (Poisson(3), "int64"),
    (integers(1, 7), "int64"),
    (Between(0.5, 3), "float32"),
    (Between(-1e-38, 1e-38, "[]"), "float32"),
    (integers(-(2**63), 2**63 - 1), "int64"),
]
"""Distributions with dtypes: of all templates, and of values of one step and of several."""

CHOSEN: dict[str, tuple[dict[str, Any], str]] = {
    "binomial": ({"n": 3, "p": 0.5}, "int64"), "geometric": ({"p": 0.5}, "int8"),
    "negative_binomial": ({"n": 3, "p": 0.5}, "int64"),
    "hypergeometric": ({"ngood": 3, "nbad": 3, "nsample": 2}, "int64"),
    "triangular": ({"left": 0, "mode": 0.5, "right": 1}, "float32"),
}  # fmt: skip
"""Other distributions whose parameters a kernel of the user's chooses."""

WIDTHS = {"fill/fill_run_vectors.cl.mako": 4, "fill/fill_run_lanes.cl.mako": 4}
IN_VECTORS: dict[str, dict[str, Any]] = {
    "fill/fill.cl.mako": {"consecutive": 1},
    "fill/fill_blocks.cl.mako": {"chunk": 16},
}
"""What else kernels in vectors of a CPU take, which are rendered with transforms that have places."""

WITH_VALUE_TABLES = (
    "fill/fill_blocks.cl.mako",
    "fill/fill_runs.cl.mako",
    "fill/fill_run_blocks.cl.mako",
    "streams/advance_streams.cl.mako",
)
"""What a GPU renders with the table of raw values in local memory, if there is one."""

OF_ONE_RAW_VALUE = {"bench/step_streams.cl.mako"}
OF_STRIDES = {"fill/fill.cl.mako", "fill/fill_run_vectors.cl.mako"}
OF_ONE_WORD = {"quality/verify.cl.mako", "bench/step_streams.cl.mako"}
EXAMPLES = [family.example for family in FAMILIES.values()]
GENERATORS = [
    *(bits for bits in EXAMPLES if not isinstance(bits, Lagged)),
    *(
        clrng.CounterBased(name, key=1)
        for name in BIJECTIONS
        if name.startswith(("threefry", "jax", "chacha", "squares"))
    ),
    *(clrng.LCG(3, increment, modulus, 1) for increment in (0, 1) for modulus in (2**32, 2**48, 101, 10**19)),
    clrng.LinearRecurrence([1, 2], [3, 4], 2**33 - 9, constant=5, yarn=5),
    clrng.LinearRecurrence([1, 2], [3, 4], 2**64),
]
LAGGED_GENERATORS = [
    *(bits for bits in EXAMPLES if isinstance(bits, Lagged)),
    *(
        clrng.LaggedFibonacci((5, 17), op, modulus=modulus, seed=1)
        for op, modulus in (("+", 10**19), ("-", 2**64), ("*", 2**64), ("xor", 2**40))
    ),
]


def transforms(generator: clrng.BitGenerator) -> list[Transform]:
    """Return the transforms that `generator` has for raw values, uniform numbers, `DRAWN`, and floats of libraries."""
    drawn = [
        transform_of(distribution, generator.min_value, generator.upper_bound, np.dtype(dtype))
        for distribution, dtype in DRAWN
    ]
    if isinstance(generator, MersenneTwister):
        drawn += [
            transform_of(LibraryFloats(name), 0, generator.upper_bound, np.dtype(np.float64)) for name in LIBRARY_FLOATS
        ]
    return [RAW, *UNIFORM.values(), standard_uniform(np.dtype(np.float16)), lead(3), *drawn]


def device_code(generator: clrng.BitGenerator, device: clrng.DeviceInfo) -> str:
    """Return the code of `generator` with all of `DRAWN` for a device that is taken for a GPU with double precision."""
    drawn = {f"d{i}": pair for i, pair in enumerate(DRAWN)}
    drawn |= {name: (clrng.distribution(name, **given), dtype) for name, (given, dtype) in CHOSEN.items()}
    return clrng.device_code(generator, "integer", replace(device, **GPU), distributions=drawn, checks=True)


def conversions(
    generator: clrng.BitGenerator,
    form: GeneratorCode,
    templates: tuple[str, ...] = (
        "fill/convert.cl.mako",
        "fill/convert_runs.cl.mako",
        "fill/convert_run_tiles.cl.mako",
    ),
) -> Iterator[tuple[str, str]]:
    """Render the kernels that make values of raw values in memory, or of words, with every transform."""
    for template in templates:
        for transform in transforms(generator):
            yield template, source.kernel(template, form, transform, 1, {"per_store": 4})


def lagged_fibonacci() -> Iterator[tuple[str, str]]:
    """Render the kernels of lagged Fibonacci generators; yield the template and the text of each program."""
    device = clrng.choose_device()
    for generator in LAGGED_GENERATORS:
        form: Any = code_for(generator, ARITHMETICS["integer"])
        common = {**STRIDES, "stride_words": len(form.stride(1)), "lags": generator.lags}
        common["word_bits"] = 8 * generator.word_dtype.itemsize
        if isinstance(generator, clrng.LaggedFibonacci):
            kernels, more = LAGGED, {"op": generator.op, "weight_words": form.weight_words}
        else:
            kernels, more = {**RINGS, **BINARY}, {"degree": generator.jumps.degree}
        of_one_step = [transform for transform in transforms(generator) if transform.steps == 1]
        for template, values in kernels.items():
            needed = {**common, **more, **values}
            for transform in of_one_step:
                yield template, source.kernel(template, form, transform, 1, needed)
        yield from conversions(generator, form)
        yield from conversions(generator, form, ("fill/convert_words.cl.mako",))
        assert "seed(" in device_code(generator, device)
    for op in ("+", "xor"):
        text = LaggedSteps(clrng.make_queue(), clrng.LaggedFibonacci((3, 2), op, 40, seed=1), 8)._text()
        yield "baselines/divide_and_conquer_lagged.cl.mako", text


def of_halves(form: GeneratorCode) -> Iterator[tuple[str, str]]:
    """Render the kernels of halves of values, and those whose states move on by differences, where there are any."""
    if form.moving_steps is None:
        return
    strides = {**STRIDES, "stride_words": len(form.stride(1)), "per_store": 4, "moving": True}
    fill = {**strides, "consecutive": 1, "fixes_strides": True}
    stretched = transform_of(Between(low=1.0, high=3.0), 0, 2**64, np.dtype(np.float64), numpys=True)
    normals = transform_of(Continuous(Normal()), 0, 2**32, np.dtype(np.float32))
    for transform in (RAW, stretched):
        yield "fill/fill.cl.mako", source.kernel("fill/fill.cl.mako", form, transform, 1, fill)
    for width, gathered in ((1, 0), (1, 2 * STRIDES["interleaved"]), (8, 16)):
        template, halves = "fill/fill_halves.cl.mako", HalvesCode(form)
        text = form.generator(OF_WHOLE, width) if width > 1 else ""
        whole = {**strides, "of_whole": OF_WHOLE, "width_of_whole": width}
        for transform in (UNIFORM["float32"], normals):
            yield template, source.kernel(template, halves, transform, 1, whole, gathered=gathered, before=text)


def of_counters(form: GeneratorCode) -> Iterator[tuple[str, str]]:
    """Render the kernels whose tiles have all values of counters, for GPUs and for CPUs, where there are any."""
    if not isinstance(form, CountingCode):
        return
    template = "fill/fill_counters.cl.mako"
    pairs: list[tuple[Any, Transform]] = [(form, transform) for transform in transforms(form.recurrence)]
    if form.recurrence.has_halves:
        pairs.append((HalvesCode(form), UNIFORM["float32"]))
    for counting, transform in pairs:
        for side_by_side in (False, True):
            size = source.output_dtype(counting, transform).itemsize
            tile = choose_tile(counting, transform.steps, size, side_by_side=side_by_side)
            if tile is not None:
                exchanging = EXCHANGING if side_by_side and tile.values // tile.group in EXCHANGED else 0
                values = {**tile.values_of(counting), "streaming": True, "exchanging": exchanging}
                values["per_store"] = tile.group
                of_lanes = tile.functions(counting)
                text = source.kernel(template, counting, transform, 1, values, gathered=tile.gathered, before=of_lanes)
                yield template, text


def of_one_recurrence() -> Iterator[tuple[str, str]]:
    """Render the kernels of all other generators; yield the template and the text of each program."""
    device = clrng.choose_device()
    for generator in GENERATORS:
        for name in (name for name in ARITHMETICS if why_not(name, device, generator) is None):
            form = code_for(generator, ARITHMETICS[name])
            strides = {**STRIDES, "stride_words": len(form.stride(1)), "fixes_strides": form.fixes_strides}
            yield from of_halves(form)
            yield from of_counters(form)
            for transform in transforms(generator):
                for template, values in VALUES.items():
                    if (transform.parameters or transform.steps > 1) and template in OF_ONE_RAW_VALUE:
                        continue
                    if (template in OF_STRIDES and form.fill_strategy != "strides") or (
                        form.order > 1 and template in OF_ONE_WORD
                    ):
                        continue
                    shapes = [(WIDTHS.get(template, 1), {**strides, **values})]
                    if transform.has_places and template in IN_VECTORS:
                        shapes.append((4, {**strides, **values, **IN_VECTORS[template]}))
                    for width, shape in shapes:
                        if width <= form.max_vector_width:
                            near = width == 1 and form.value_table is not None and template in WITH_VALUE_TABLES
                            yield template, source.kernel(template, form, transform, width, shape, near=near)
            yield from conversions(generator, form)
        assert "seed(" in device_code(generator, device)
    published = {"group_size": 8, "stride_words": 2}
    form = code_for(clrng.LCG(3, 1, 2**32, 1), ARITHMETICS["integer"])
    template = "baselines/divide_and_conquer.cl.mako"
    yield template, source.kernel(template, form, RAW, 1, published)


def without_generators() -> Iterator[tuple[str, str]]:
    """Render the kernels that use no generator; yield the template and the text of each program."""
    for template, values in MEASURING.items():
        yield template, templates.prelude() + render(template, **values)
    yield "fill/pair.cl.mako", templates.program("fill/pair.cl.mako", {})
    for over, under in product(LOCATED, LOCATED):
        yield "fill/ratios.cl.mako", templates.program("fill/ratios.cl.mako", {"over": over, "under": under})
        yield "fill/exponentials.cl.mako", each_number.text_of_exponentials(over, under)
        yield "fill/exponentials.cl.mako", each_number.text_of_exponentials(over, under, 16)
        yield "fill/rounded.cl.mako", each_number.text_of_rounding(over, under)
    for ctype, circular, width in product(LOCATED, (False, True), (1, 8)):
        own = {"width": width, "w": suffix(width), "together": 4}
        text = render("fill/locate.cl.mako", out=ctype, p="s_", circular=circular, **own)
        yield "fill/locate.cl.mako", templates.prelude() + text
    for template, many in PERMUTATIONS.items():
        for values in many:
            yield template, templates.prelude() + render(template, **values)
    for size in (1, 8):
        for template, values in SELECTIONS.items():
            yield template, templates.prelude() + render(template, group_size=size, each=4, **values)
        for template, values in COUNTS.items():
            for words in (0, 64):
                plan = {
                    "group_size": size,
                    "each": 2,
                    "width": 1,
                    "vector": 4,
                    "local_words": words,
                    "atomic": size > 1,
                }
                yield template, templates.prelude() + render(template, **plan, **values)


def by_element() -> Iterator[tuple[str, str]]:
    """Render the kernels whose elements have laws of their own; yield the template and the text of each program."""
    for bits in (clrng.PCG64(1), clrng.ParkMiller(seed=1)):
        form = code_for(bits, ARITHMETICS["integer"])
        for distribution, dtype in DRAWN:
            transform = transform_of(distribution, bits.min_value, bits.upper_bound, np.dtype(dtype))
            kinds = laws_by_element([transform], np.zeros(1, np.uint32), (1,), (0, 1), of_halves=False).kinds
            yield "fill/by_element.cl.mako", fill_by_element._text(form, kinds[0].transform, 2)
        for mean, width in (("float", 16), ("double", 1)):
            steps = 2 if bits.upper_bound < 2**32 else 1
            values = {"out": "int", "mean": mean, "steps": steps, "width": width, "fp64": mean == "double"}
            values["halved"] = width == 1
            trials = ("poisson", ""), ("binomial", "long"), ("geometric", ""), ("negative_binomial", mean)
            for law, trial in trials:
                yield "fill/near.cl.mako", fill_near._text(form, {**values, "law": law, "trial": trial})
            pairs = {"trial": "double", "steps": 1, "is_ratio": width == 1, **fill_beta.margins()}
            for fp64 in (True, False):
                yield "fill/beta_near.cl.mako", fill_beta._text(form, {**values, **pairs, "fp64": fp64})
            counts = {"value": "uint" if steps == 2 else "ulong", "out": values["out"], "steps": steps}
            yield "fill/categories.cl.mako", fill_categories._text(counts)
            types = {"out": "int", "steps": steps, "types": ("long", "int", "ushort"), "width": width}
            yield "fill/hypergeometric.cl.mako", fill_hypergeometric._text(form, types)
            types = {"out": "float", "steps": steps, "types": (mean, "double", "float"), "width": width}
            yield "fill/triangular.cl.mako", fill_triangular._text(form, types)
            check = fill_triangular._text_of_check((mean, "double", "float"), {"most": 2.0**500, "width": width})
            yield "fill/are_triangles.cl.mako", check
            mixed = {**values, **counts, "df": mean, "out": "double", "w": suffix(width)}
            yield "fill/noncentral.cl.mako", fill_noncentral._text(mixed)
        for dtype, out in (("float32", "float"), ("float64", "double")):
            values = FORMS[dtype]._asdict() | FORMS[dtype].values | {"out": out, "shape": out, "scale": out}
            for family, (steps, width) in product(families_of_shapes.FAMILIES.values(), ((1, 1), (2, 8))):
                own = family.values | {"steps": steps, "width": width}
                yield "fill/surface.cl.mako", fill_surface._text(form, values | own)


def ranges() -> Iterator[tuple[str, str]]:
    """Render the kernels whose elements have bounds of their own; yield the template and the text of each program."""
    for bounds, low, high in (
        (IntegerBounds("int8", True, -128, 127), "int64", "uint64"),
        (IntegerBounds("uint64", False, 0, 2**64 - 1), "uint8", "int32"),
        (NumpyBounds("float64"), "float64", "float32"),
        *((FloatBounds("float32", interval), "float64", "float32") for interval in INTERVALS),
        *((FloatBounds("float64", interval), "float32", "float64") for interval in INTERVALS),
    ):
        for width in (1, 16):
            yield (
                "fill/range_sizes.cl.mako",
                fill_ranges._text_of_sizes(bounds, low, high, {"width": width, "group_size": 64 // width}),
            )
        for bits, steps in ((clrng.PCG64(1), 1), (clrng.PCG64(1), 2), (clrng.ParkMiller(seed=1), 2)):
            if steps > 1 and isinstance(bounds, NumpyBounds):
                continue
            form = code_for(bits, ARITHMETICS["integer"])
            for width in (1, 2, 8):
                values = {"steps": steps, "wide": bits.upper_bound > 2**32, "width": width}
                yield "fill/in_ranges.cl.mako", fill_ranges._text(form, bounds, low, high, values)


def sorts() -> Iterator[tuple[str, str]]:
    """Render the kernels that sort; yield the template and the text of each program."""
    for template, kinds in ORDER.items():
        for values in kinds:
            yield template, templates.prelude() + render(template, **values)


BOUNDED = {"integer": "uint", "method": "lemire", "group_size": 8, "each": 4}
NUMPY_STREAMS: dict[str, dict[str, Any]] = {
    "affine": {"fused": True},
    "bounded": {"part": "uint", **BOUNDED},
    "bounded_same": {"out": "ulong"},
    "bounded_bits": {},
    "choice": {"digits_of": "((x) >> 11)"},
    "shuffle_alone": {"out": "long"},
    "shuffle_in_rounds": {"out": "long", "group_size": 8},
}
"""The values of the templates of NumPy's numbers that use no generator."""

ZIGGURAT = {
    "bits": 64, "normal": True, "word": "ulong", "value": "double", "real": "double", "fused": True,
    "uniform": "((x) >> 11) * 0x1p-53", "affine": True, "tail": (3.6, 0.3), "counters": ziggurat.COUNTERS,
}  # fmt: skip
"""The values of a ziggurat, but for how work is shared out."""


def of_numpy_streams() -> Iterator[tuple[str, str]]:
    """Render the kernels of NumPy's numbers; yield the template and the text of each program."""
    for name, values in NUMPY_STREAMS.items():
        template = f"numpy_streams/{name}.cl.mako"
        yield template, templates.program(template, values)
    form = code_for(clrng.PCG64(1), ARITHMETICS["integer"])
    values = {"part": "uint", **BOUNDED, "refuses": True, "stride_words": 4}
    template = "numpy_streams/bounded_steps.cl.mako"
    yield template, source.kernel(template, form, RAW, 1, values)
    for name, code, size in (("in_turn", None, 1), ("side_by_side", None, 8), ("side_by_side", form, 8)):
        text = ziggurat._text(code, {**ZIGGURAT, "group_size": size, "tile": 32 * size})
        yield f"numpy_streams/ziggurat_{name}.cl.mako", text


def of_device_libraries() -> Iterator[tuple[str, str]]:
    """Render the kernels of the numbers of libraries of GPUs; yield the template and the text of each program."""
    torch = [*torch_cuda.RAND.values(), *torch_cuda.RANDN.values()]
    jax = [jax_key.NORMAL, *jax_key.UNIFORM.values()]
    layouts = counted.TORCH, counted.JAX_32, counted.JAX_64, counted.JAX_BEFORE
    found = [(layout, form) for layout in layouts for form in (WORD, *torch, *jax)]
    found += [(counted.TENSORFLOW, tensorflow_seed.NORMAL), (counted.CURAND[2], curand.NORMAL["normal_double"])]
    found += [
        (counted.TENSORFLOW, form) for each in (tensorflow_seed.BITS, tensorflow_seed.WHOLE) for form in each.values()
    ]
    for layout, form in found:
        if layout.traits.values % form.words == 0:
            yield "device_libraries/counted.cl.mako", counted.text(layout, form, None)
    in_memory = [(form, "in_turn") for form in torch_cpu.RAND.values()]
    in_memory += [(form, "in_blocks") for form in torch_cpu.RANDN.values()]
    in_memory += [(form, "in_streams") for kind in curand.KINDS.values() for form in kind.forms.values()]
    in_memory += [(form, "in_turn") for form in curand.OF_MTGP.values()]
    in_memory += [(form, "in_eights") for form in curand.OF_TWISTER.values()]
    for form, order in in_memory:
        yield "device_libraries/converted.cl.mako", converted.text(form, order, None)
    yield "device_libraries/mtgp32.cl.mako", mtgp32.text(None)
    for ctype, bits in (("uint", 32), ("ulong", 64)):
        name = "device_libraries/jax_integers.cl.mako"
        yield name, templates.program(name, {"ctype": ctype, "bits": bits})


@cache
def programs() -> list[tuple[str, str]]:
    """Render the kernels of every template, once; return the template and the text of each program."""
    return [
        each
        for parts in (
            of_one_recurrence,
            lagged_fibonacci,
            without_generators,
            by_element,
            ranges,
            sorts,
            of_numpy_streams,
            of_device_libraries,
        )
        for each in parts()
    ]


def main() -> None:
    """Render every template, count those that were, and compare with those that there are."""
    rendered: set[str] = set()
    found = TemplateLookup.get_template

    def counting(lookup: TemplateLookup, uri: str) -> Any:
        rendered.add(normpath(uri).lstrip("/"))
        return found(lookup, uri)

    TemplateLookup.get_template = counting
    for template, text in programs():
        assert "__kernel" in text, template
    assert rendered == set(names()), rendered ^ set(names())
    print(f"rendered {len(rendered)} templates of {templates.directory()}")


if __name__ == "__main__":
    main()
