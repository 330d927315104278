"""Render every template of the clrng that is installed, and say where it is; run from outside the checkout too."""

import clrng
from clrng import divide_and_conquer_lagged, forms, source, templates
from clrng.arithmetic import ARITHMETICS, why_not
from clrng.distributions import RAW, UNIFORM
from clrng.templates import names, render

STRIDES = {"chains": 4, "streaming": True, "leaping": True, "keep_all": True}
VALUES = {
    "fill.cl.mako": {"run": 4},
    "fill_blocks.cl.mako": {"run": 64, "group_items": 32, "unrolled": True, "resident": False, "state_words": 0},
    "streams.cl.mako": {},
    "registers.cl.mako": {"modulus": 101},
    "verify.cl.mako": {"multiplier": 3, "increment": 1, "modulus": 101, "congruential": True, "digits": False},
}
GENERATORS = [
    clrng.ParkMiller(seed=1),
    *(clrng.LCG(3, increment, modulus, 1) for increment in (0, 1) for modulus in (2**32, 2**48, 101, 10**19)),
    clrng.LinearRecurrence([1, 2], [3, 4], 10**19, constant=5),
    clrng.LinearRecurrence([1, 2], [3, 4], 2**64),
    clrng.MRG32k3a(),
    clrng.Coveyou(2),
]


def main() -> None:
    """Render every template, count those that were, and compare with those that there are."""
    rendered: set[str] = set()

    def counting(name: str, **values: object) -> str:
        rendered.add(name)
        return render(name, **values)

    modules = (source, clrng.kernel_code, forms.lcg, forms.linear, forms.mrg32k3a, forms.coveyou)
    for module in (*modules, divide_and_conquer_lagged):
        module.render = counting  # type: ignore[attr-defined]
    device = clrng.choose_device()
    for generator in GENERATORS:
        for name in (name for name in ARITHMETICS if why_not(name, device, generator) is None):
            form = forms.form_of(generator, ARITHMETICS[name])
            strides = {**STRIDES, "stride_words": len(form.stride(1))}
            for distribution in (RAW, *UNIFORM.values()):
                for template, values in VALUES.items():
                    if (template == "fill.cl.mako" and form.in_blocks) or (form.order > 1 and "verify" in template):
                        continue
                    assert "__kernel" in source.kernel(template, form, distribution, 1, {**strides, **values})
        assert "seed(" in clrng.device_code(generator)
    published = {"group_items": 8, "stride_words": 2}
    form = forms.form_of(clrng.LCG(3, 1, 2**32, 1), ARITHMETICS["integer"])
    assert "__kernel" in source.kernel("divide_and_conquer.cl.mako", form, RAW, 1, published)
    for op in ("+", "xor"):
        lagged = clrng.LaggedFibonacci((3, 2), op, 40, seed=1)
        assert "__kernel" in divide_and_conquer_lagged.kernels(lagged, 8)
    counting("wall.cl.mako", width=1, run=4, chains=1, streaming=False)
    rendered |= {"arithmetic/float_digits.cl.mako", "store.cl.mako"}  # included by others
    assert rendered == set(names()), rendered ^ set(names())
    print(f"rendered {len(rendered)} templates of {templates.directory()}")


if __name__ == "__main__":
    main()
