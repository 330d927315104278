"""Put together the OpenCL C of a generator: prelude, arithmetic, recurrence, distribution, and a kernel on top."""

from collections.abc import Mapping
from typing import Any

from clrng.distributions import Distribution
from clrng.forms.form import CTYPES, Form, suffix
from clrng.templates import render

SCALAR, VECTOR = "s_", "v_"


def prelude() -> str:
    """Return the macros that everything else uses."""
    return render("prelude.cl.mako")


def distribution(form: Form, chosen: Distribution, prefix: str, width: int) -> str:
    """Return the transform of raw values on vectors of `width`, its name beginning with `prefix`."""
    return render(
        f"distributions/{chosen.template}.cl.mako",
        p=prefix,
        width=width,
        w=suffix(width),
        half=suffix(width // 2),
        value=CTYPES[form.value.name],
        **chosen.values(form.recurrence.denominator),
    )


def kernel(template: str, form: Form, chosen: Distribution, width: int, values: Mapping[str, Any]) -> str:
    """Return a whole program: `template` on top of the generator in scalars and in vectors of `width`."""
    vector = SCALAR if width == 1 else VECTOR
    parts = [prelude()]
    for prefix, lanes in {SCALAR: 1, vector: width}.items():
        parts.append(form.generator(prefix, lanes))
        parts.append(distribution(form, chosen, prefix, lanes))
    out = output_dtype(form, chosen)
    common = {
        "s": SCALAR,
        "v": vector,
        "width": width,
        "w": suffix(width),
        "word": CTYPES[form.word.name],
        "order": form.order,
        "out": CTYPES[out.name],
        "out_bytes": out.itemsize,
    }
    parts.append(render(template, **common, **values))
    return "".join(parts)


def output_dtype(form: Form, chosen: Distribution) -> Any:
    """Return the dtype of the outputs of a distribution."""
    return chosen.dtype or form.value
