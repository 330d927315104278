"""Render every template of the clrng that is installed, and say where it is; run from outside the checkout too."""

import clrng
from clrng import source, templates
from clrng.arithmetic import ARITHMETICS
from clrng.distributions import RAW, UNIFORM
from clrng.templates import names, render

VALUES = {
    "fill.cl.mako": {"run": 4, "chains": 2, "streaming": True},
    "streams.cl.mako": {"chains": 4, "leaping": True, "keep_all": True},
    "registers.cl.mako": {"chains": 2},
    "verify.cl.mako": {"multiplier": 16807, "modulus": 2**31 - 1, "digits": False},
}


def main() -> None:
    """Render every template, count those that were, and compare with those that there are."""
    rendered: set[str] = set()

    def counting(name: str, **values: object) -> str:
        rendered.add(name)
        return render(name, **values)

    source.render = counting  # type: ignore[attr-defined]
    recurrence = clrng.ParkMiller(seed=1)
    for arithmetic in ARITHMETICS.values():
        for distribution in (RAW, *UNIFORM.values()):
            for template, values in VALUES.items():
                assert "__kernel" in source.kernel(template, recurrence, arithmetic, distribution, 1, values)
    clrng.kernel_code.render = counting  # type: ignore[attr-defined]
    assert "park_miller_seed" in clrng.device_code(clrng.ParkMiller)
    counting("wall.cl.mako", width=1, run=4, chains=1, streaming=False)
    rendered |= {"arithmetic/float_digits.cl.mako", "store.cl.mako"}  # included by others
    assert rendered == set(names()), rendered ^ set(names())
    print(f"rendered {len(rendered)} templates of {templates.directory()}")


if __name__ == "__main__":
    main()
