"""Render every template of the clrng that is installed, and say where it is; run from outside the checkout too."""

from typing import Any

import clrng
from clrng import divide_and_conquer_lagged, forms, source, templates
from clrng.arithmetic import ARITHMETICS, why_not
from clrng.distributions import RAW, UNIFORM
from clrng.templates import names, render

STRIDES = {"chains": 4, "streaming": True, "leaping": True, "keep_all": True}
VALUES = {
    "fill.cl.mako": {"run": 4},
    "fill_blocks.cl.mako": {"run": 64, "group_items": 32, "unrolled": True, "resident": False, "state_words": 0},
    "advance_streams.cl.mako": {},
    "seed_streams.cl.mako": {},
    "registers.cl.mako": {"modulus": 101, "first": 2},
    "step_streams.cl.mako": {},
    "verify.cl.mako": {"multiplier": 3, "increment": 1, "modulus": 101, "congruential": True, "digits": False},
}
LAGGED = {
    "advance_streams.cl.mako": {"leaping": False},
    "fill_blocks.cl.mako": {"run": 64, "group_items": 32, "unrolled": True, "resident": True, "state_words": 32},
    "fill_rings.cl.mako": {"group_items": 8, "step": 5, "ring_words": 25, "mirrored": 3, "space": "__local"},
    "fill_rows.cl.mako": {"tile": 64, "chains": 2, "spare": 16},
    "jump_states.cl.mako": {"run": 4, "group": 2, "padded": 32, "stretch": 512},
    "advance_rings.cl.mako": {},
}
OF_ONE_WORD = {"verify.cl.mako", "step_streams.cl.mako"}
GENERATORS = [
    clrng.ParkMiller(seed=1),
    *(clrng.LCG(3, increment, modulus, 1) for increment in (0, 1) for modulus in (2**32, 2**48, 101, 10**19)),
    clrng.LinearRecurrence([1, 2], [3, 4], 10**19, constant=5),
    clrng.LinearRecurrence([1, 2], [3, 4], 2**64),
    clrng.MRG32k3a(),
    clrng.Coveyou(2),
]


def lagged_fibonacci() -> None:
    """Render the kernels of lagged Fibonacci generators."""
    for op, modulus in (("+", 10**19), ("-", 2**64), ("*", 2**64), ("xor", 2**40)):
        generator = clrng.LaggedFibonacci((5, 17), op, modulus=modulus, seed=1)
        form: Any = forms.form_of(generator, ARITHMETICS["integer"])
        common = {**STRIDES, "stride_words": len(form.stride(1)), "lags": generator.lags, "op": op, "word_bits": 64}
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

    modules = (source, clrng.kernel_code, forms.lcg, forms.linear, forms.mrg32k3a, forms.coveyou)
    for module in (*modules, forms.lagged_fibonacci, divide_and_conquer_lagged):
        module.render = counting  # type: ignore[attr-defined]
    device = clrng.choose_device()
    for generator in GENERATORS:
        for name in (name for name in ARITHMETICS if why_not(name, device, generator) is None):
            form = forms.form_of(generator, ARITHMETICS[name])
            strides = {**STRIDES, "stride_words": len(form.stride(1))}
            for distribution in (RAW, *UNIFORM.values()):
                for template, values in VALUES.items():
                    if (template == "fill.cl.mako" and form.in_blocks) or (form.order > 1 and template in OF_ONE_WORD):
                        continue
                    assert "__kernel" in source.kernel(template, form, distribution, 1, {**strides, **values})
        assert "seed(" in clrng.device_code(generator)
    lagged_fibonacci()
    published = {"group_items": 8, "stride_words": 2}
    form = forms.form_of(clrng.LCG(3, 1, 2**32, 1), ARITHMETICS["integer"])
    assert "__kernel" in source.kernel("divide_and_conquer.cl.mako", form, RAW, 1, published)
    for op in ("+", "xor"):
        lagged = clrng.LaggedFibonacci((3, 2), op, 40, seed=1)
        assert "__kernel" in divide_and_conquer_lagged.kernels(lagged, 8)
    counting("wall.cl.mako", width=1, run=4, chains=1, streaming=False)
    counting("operations.cl.mako", operations=[("add", "uint", "x + y")], width=1, chains=2, repeats=2)
    rendered |= {"arithmetic/float_digits.cl.mako", "store.cl.mako"}  # included by others
    assert rendered == set(names()), rendered ^ set(names())
    print(f"rendered {len(rendered)} templates of {templates.directory()}")


if __name__ == "__main__":
    main()
