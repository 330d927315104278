"""Render every template of the clrng that is installed, and say where it is; run from outside the checkout too."""

import sys
from typing import Any

import clrng
from clrng.baselines import divide_and_conquer_lagged
from clrng.codegen import source, templates
from clrng.codegen.arithmetic import ARITHMETICS
from clrng.codegen.templates import names, render
from clrng.distributions import RAW, UNIFORM
from clrng.families import FAMILIES, code_for, why_not

STRIDES = {"chains": 4, "streaming": True, "leaping": True, "keep_all": True}
VALUES = {
    "fill/fill.cl.mako": {"run": 4},
    "fill/fill_blocks.cl.mako": {"run": 64, "group_items": 32, "unrolled": True, "resident": False, "state_words": 0},
    "streams/advance_streams.cl.mako": {},
    "streams/seed_streams.cl.mako": {},
    "bench/registers.cl.mako": {"modulus": 101, "first": 2},
    "bench/step_streams.cl.mako": {},
    "quality/verify.cl.mako": {"plain_step": "x", "digits": False},
}
LAGGED = {
    "streams/advance_streams.cl.mako": {"leaping": False},
    "fill/fill_blocks.cl.mako": {"run": 64, "group_items": 32, "unrolled": True, "resident": True, "state_words": 32},
    "fill/fill_rings.cl.mako": {"group_items": 8, "step": 5, "ring_words": 25, "mirrored": 3, "space": "__local"},
    "fill/fill_rows.cl.mako": {"tile": 64, "chains": 2, "spare": 16},
    "streams/jump_states.cl.mako": {"run": 4, "group": 2, "padded": 32, "stretch": 512},
    "streams/advance_rings.cl.mako": {},
}
OF_ONE_WORD = {"quality/verify.cl.mako", "bench/step_streams.cl.mako"}
EXAMPLES = [family.example for family in FAMILIES.values()]
GENERATORS = [
    *(bits for bits in EXAMPLES if not isinstance(bits, clrng.LaggedFibonacci)),
    *(clrng.LCG(3, increment, modulus, 1) for increment in (0, 1) for modulus in (2**32, 2**48, 101, 10**19)),
    clrng.LinearRecurrence([1, 2], [3, 4], 10**19, constant=5),
    clrng.LinearRecurrence([1, 2], [3, 4], 2**64),
]
LAGGED_GENERATORS = [
    *(bits for bits in EXAMPLES if isinstance(bits, clrng.LaggedFibonacci)),
    *(
        clrng.LaggedFibonacci((5, 17), op, modulus=modulus, seed=1)
        for op, modulus in (("+", 10**19), ("-", 2**64), ("*", 2**64), ("xor", 2**40))
    ),
]


def lagged_fibonacci() -> None:
    """Render the kernels of lagged Fibonacci generators."""
    for generator in LAGGED_GENERATORS:
        form: Any = code_for(generator, ARITHMETICS["integer"])
        common = {**STRIDES, "stride_words": len(form.stride(1)), "lags": generator.lags, "op": generator.op}
        common["word_bits"] = 8 * generator.word_dtype.itemsize
        for template, values in LAGGED.items():
            needed = {**common, "weight_words": form.weight_words, **values}
            assert "__kernel" in source.kernel(template, form, RAW, 1, needed)
        assert "seed(" in clrng.device_code(generator)


def main() -> None:
    """Render every template, count those that were, and compare with those that there are."""
    rendered: set[str] = set()

    def counting(name: str, **values: object) -> str:
        rendered.add(name)
        return render(name, **values)

    written = {sys.modules[family.code.__module__] for family in FAMILIES.values()}
    for module in (source, sys.modules["clrng.codegen.device_code"], divide_and_conquer_lagged, *written):
        module.render = counting  # type: ignore[attr-defined]
    device = clrng.choose_device()
    for generator in GENERATORS:
        for name in (name for name in ARITHMETICS if why_not(name, device, generator) is None):
            form = code_for(generator, ARITHMETICS[name])
            strides = {**STRIDES, "stride_words": len(form.stride(1))}
            for distribution in (RAW, *UNIFORM.values()):
                for template, values in VALUES.items():
                    if (template == "fill/fill.cl.mako" and form.fill_strategy != "strides") or (
                        form.order > 1 and template in OF_ONE_WORD
                    ):
                        continue
                    assert "__kernel" in source.kernel(template, form, distribution, 1, {**strides, **values})
        assert "seed(" in clrng.device_code(generator)
    lagged_fibonacci()
    published = {"group_items": 8, "stride_words": 2}
    form = code_for(clrng.LCG(3, 1, 2**32, 1), ARITHMETICS["integer"])
    assert "__kernel" in source.kernel("baselines/divide_and_conquer.cl.mako", form, RAW, 1, published)
    for op in ("+", "xor"):
        lagged = clrng.LaggedFibonacci((3, 2), op, 40, seed=1)
        assert "__kernel" in divide_and_conquer_lagged.kernels(lagged, 8)
    counting("bench/wall.cl.mako", width=1, run=4, chains=1, streaming=False)
    counting("bench/operations.cl.mako", operations=[("add", "uint", "x + y")], width=1, chains=2, repeats=2)
    rendered |= {"arithmetic/float_digits.cl.mako", "fill/store.cl.mako"}  # included by others
    assert rendered == set(names()), rendered ^ set(names())
    print(f"rendered {len(rendered)} templates of {templates.directory()}")


if __name__ == "__main__":
    main()
