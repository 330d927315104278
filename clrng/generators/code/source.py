"""Put together the OpenCL C of a generator: prelude, arithmetic, recurrence, transform, and a kernel on top."""

from collections.abc import Mapping
from typing import Any

from clrng.distributions import Transform
from clrng.generators.code.base import CTYPES, GeneratorCode, suffix
from clrng.generators.code.outputs import SCALAR, VECTOR, Outputs
from clrng.opencl.templates import joined, render

MOST_KEPT = 64
"""Programs whose text is kept."""

_kept: dict[Any, str] = {}


def prelude() -> str:
    """Return the macros that everything else uses."""
    return render("prelude.cl.mako")


def transform(code: GeneratorCode, chosen: Transform, prefix: str, width: int, *, copies: int = 0) -> str:
    """Return the transform of raw values on vectors of `width`, its name beginning with `prefix`.

    Its tables are in global memory or, where there are `copies` of them, in local memory.
    """
    inner = chosen.inner
    called = transform(code, inner, f"{prefix}index_", width) if inner else ""
    return called + render(
        f"distributions/{chosen.template}.cl.mako",
        p=prefix,
        width=width,
        w=suffix(width),
        half=suffix(width // 2),
        value=CTYPES[code.value.name],
        out=CTYPES[output_dtype(code, chosen).name],
        steps=chosen.steps,
        parameters=chosen.convert_parameters(copies),
        joined=joined,
        copies=copies,
        **chosen.values(code.recurrence.min_value, code.recurrence.upper_bound),
    )


def kernel(
    template: str,
    code: GeneratorCode,
    chosen: Transform,
    width: int,
    values: Mapping[str, Any],
    *,
    copies: int = 0,
    near: bool = False,
) -> str:
    """Return a whole program: `template` on top of the generator in scalars and in vectors of `width`.

    Each work-group makes `copies` of the tables of the transform in local memory; without any it reads them where they
    are. So it does with the table of raw values, if there is one and not `near`.

    It is kept for generators of the same parameters: the words of some jumps take longer to find than the program takes
    to run.
    """
    key = (template, code.key, chosen, width, repr(sorted(values.items())), copies, near)
    text = _kept.get(key)
    if text is None:
        text = _kernel(template, code, chosen, width, values, copies=copies, near=near)
        while len(_kept) >= MOST_KEPT:
            _kept.pop(next(iter(_kept), None), None)
        _kept[key] = text
    return text


def _kernel(
    template: str,
    code: GeneratorCode,
    chosen: Transform,
    width: int,
    values: Mapping[str, Any],
    *,
    copies: int,
    near: bool,
) -> str:
    vector, value = SCALAR if width == 1 else VECTOR, CTYPES[code.value.name]
    parts = [prelude()]
    for prefix, lanes in {SCALAR: 1, vector: width}.items():
        parts.append(code.generator(prefix, lanes))
        parts.append(transform(code, chosen, prefix, lanes, copies=copies))
    out = output_dtype(code, chosen)
    types = {SCALAR: value, vector: value + suffix(width)}
    outputs = Outputs(chosen, types, copies=copies, value_table=code.value_table if near else None)
    if code.fits_registers:
        parts.append(outputs.function(SCALAR, CTYPES[out.name]))
    common = {
        "s": SCALAR,
        "v": vector,
        "width": width,
        "w": suffix(width),
        "word": CTYPES[code.word.name],
        "value": value,
        "order": code.order,
        "out": CTYPES[out.name],
        "out_bytes": out.itemsize,
        "joined": joined,
        "outputs": outputs,
        "steps": chosen.steps,
        "parameters": "".join(f", {each}" for each in chosen.parameters),
    }
    parts.append(render(template, **common, **values))
    return "".join(parts)


def output_dtype(code: GeneratorCode, chosen: Transform) -> Any:
    """Return the dtype of the outputs of a transform."""
    return chosen.dtype or code.value
