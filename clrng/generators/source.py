"""Put together the OpenCL C of a generator: prelude, arithmetic, recurrence, transform, and a kernel on top.

A value of a transform takes one or several steps of the stream. What `convert` turns into a value are the raw values
of these steps, in their order.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from clrng.distributions import Transform
from clrng.distributions.transforms.transform import Surroundings
from clrng.generators.generator_code import CTYPES, GeneratorCode, ValueTable, suffix
from clrng.opencl.templates import joined, prelude, render

SCALAR, VECTOR = "s_", "v_"
"""What the names of the functions of a kernel begin with: of those on scalars, and of those on vectors."""


def opening(table: ValueTable) -> list[str]:
    """Return the lines with which a kernel on scalars copies `table` to local memory."""
    names = Surroundings(tables={table.name: f"{SCALAR}{table.name}"})
    return [*names.copied(table.ctype, table.name, table.size), "    barrier(CLK_LOCAL_MEM_FENCE);"]


class Outputs:
    """Writes the OpenCL C of values, for the templates of kernels.

    `value_types`: the type of the raw values of states, by the prefix of their functions. `copies`: how many copies of
    the tables of the transform a work-group has in local memory. `value_table`: the table that raw values are made by,
    of which a work-group has a copy in local memory. By default there is no such copy.

    `steps`: the steps of a value. `opening`: the lines with which a kernel begins. `has_hot`: whether there is a
    function ``convert_hot``, cheaper than ``convert``, which sets ``is_cold`` when ``convert`` must compute the result.
    `has_places`: whether ``convert`` of vectors is there in two parts too.
    """

    def __init__(
        self,
        transform: Transform,
        value_types: dict[str, str],
        *,
        copies: int = 0,
        value_table: ValueTable | None = None,
    ) -> None:
        self.steps = transform.steps
        lines = [*(transform.opening(copies) if copies else []), *(opening(value_table) if value_table else [])]
        self.opening = "".join(f"{line}\n" for line in lines)
        self.has_hot = copies > 0 or transform.has_hot
        self.has_places = transform.has_places
        self._parameters = transform.convert_parameters(copies)
        self._names = [each.name for each in self._parameters]
        self._types = value_types
        self._value_table = value_table
        self._near = f"near_{value_table.name}" if value_table else ""

    def value(self, prefix: str, state: str) -> str:
        """Return the raw value of a state."""
        return f"{prefix}value_near({state}, {self._near})" if self._near else f"{prefix}value({state})"

    def convert(self, prefix: str, *raw: str, hot: bool = False) -> str:
        """Return the value made of these raw values; one that is `hot` is right unless ``is_cold`` is set."""
        if hot:
            return f"{prefix}convert_hot({', '.join([*raw, '&is_cold', *self._names])})"
        return f"{prefix}convert({', '.join([*raw, *self._names])})"

    def place(self, prefix: str, *raw: str) -> str:
        """Return the place in the table of the values made of these raw values, where the transform `has_places`."""
        return f"{prefix}place_of({', '.join(raw)})"

    def of_place(self, prefix: str, place: str) -> str:
        """Return the values of a place, of which `place` is a pointer."""
        return f"{prefix}of_place({', '.join([place, *self._names])})"

    def of_states(self, prefix: str, states: list[str], *, hot: bool = False) -> str:
        """Return the value of states one step apart each, one for each step of a value."""
        return self.convert(prefix, *(self.value(prefix, state) for state in states), hot=hot)

    def of_first(self, prefix: str, state: str) -> str:
        """Return the value whose first step led to `state`."""
        if self.steps == 1:
            return self.of_states(prefix, [state])
        near = [self._near] if self._near else []
        return f"{prefix}output({', '.join([state, *near, *self._names])})"

    def function(self, prefix: str, out: str) -> str:
        """Return the definition of the function that `of_first` calls, if it calls one."""
        if self.steps == 1:
            return ""
        raw = [f"x{d}" for d in range(self.steps)]
        lines = [f"const {self._types[prefix]} x0 = {self.value(prefix, 'x')};"]
        for name in raw[1:]:
            lines += [f"x = {prefix}next(x);", f"const {self._types[prefix]} {name} = {self.value(prefix, 'x')};"]
        body = "".join(f"    {line}\n" for line in [*lines, f"return {self.convert(prefix, *raw)};"])
        table = self._value_table
        near = [f"__local const {table.ctype} *{self._near}"] if table else []
        parameters = ", ".join([f"{prefix}state x", *near, *self._parameters])
        return f"CLRNG_INLINE {out} {prefix}output({parameters})\n{{\n{body}}}\n"

    def declare(self, prefix: str, state: str) -> str:
        """Return the declaration of the raw values that `advance` sets, or nothing where `state` itself has them."""
        if self.steps == 1:
            return ""
        return f"{self._types[prefix]} {', '.join(self._advanced(prefix, state))};"

    def advance(self, prefix: str, state: str, step: str) -> str:
        """Return the lines that move `state` on by the steps of a value; `step` is the line of one step."""
        if self.steps == 1:
            return step
        return " ".join(f"{step} {state}_raw{d} = {self.value(prefix, state)};" for d in range(self.steps))

    def _advanced(self, prefix: str, state: str) -> list[str]:
        """Return the raw values of the steps that `advance` took."""
        return [self.value(prefix, state)] if self.steps == 1 else [f"{state}_raw{d}" for d in range(self.steps)]

    def of_advanced(self, prefix: str, state: str, *, hot: bool = False) -> str:
        """Return the value of the steps that `advance` took."""
        return self.convert(prefix, *self._advanced(prefix, state), hot=hot)


def transform(
    code: GeneratorCode, chosen: Transform, prefix: str, width: int, *, copies: int = 0, of_user: bool = False,
    of_each: bool = False,
) -> str:  # fmt: skip
    """Return the transform of raw values on vectors of `width`, its name beginning with `prefix`.

    Its tables are in global memory, for a kernel of the user's own in constant memory, or in local memory, where there
    are `copies` of them. A kernel of the user's may have up to three dimensions, others have one. Where elements of a
    vector have parameters `of_each`, all its parameters are vectors.
    """
    each = suffix(width) if of_each else ""
    inner, space = chosen.inner, "__constant" if of_user else "__global"
    own: Any = {"copies": copies, "of_user": of_user, "of_each": of_each}
    called = transform(code, inner, f"{prefix}index_", width, **own) if inner else ""
    return called + render(
        f"distributions/{chosen.template}.cl.mako",
        p=prefix,
        width=width,
        w=suffix(width),
        half=suffix(width // 2),
        value=CTYPES[code.value.name],
        out=CTYPES[output_dtype(code, chosen).name],
        steps=chosen.steps,
        parameters=[given.in_space(space).in_vectors(each) for given in chosen.convert_parameters(copies)],
        each=each,
        space=space,
        one="1u + (get_work_dim() >> 2)" if of_user else "get_work_dim()",
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
    gathered: int = 0,
    before: str = "",
) -> str:
    """Return a whole program: `template` on top of the generator in scalars and in vectors of `width`.

    `before` is what the template calls beside that.

    Where states are scalars, the transform is also there for vectors of so many raw values as are `gathered`.

    Each work-group makes `copies` of the tables of the transform in local memory; without any it reads them where they
    are. So it does with the table of raw values, if there is one and not `near`.
    """
    vector, value = SCALAR if width == 1 else VECTOR, CTYPES[code.value.name]
    parts = [prelude(), before]
    for prefix, lanes in {SCALAR: 1, vector: width}.items():
        parts.append(code.generator(prefix, lanes))
        parts.append(transform(code, chosen, prefix, lanes, copies=copies))
    if gathered:
        parts.append(transform(code, chosen, VECTOR, gathered, copies=copies))
    out = output_dtype(code, chosen)
    types = {SCALAR: value, vector: value + suffix(width)}
    outputs = Outputs(chosen, types, copies=copies, value_table=code.value_table if near else None)
    if code.fits_registers:
        parts.append(outputs.function(SCALAR, CTYPES[out.name]))
    common = {
        "s": SCALAR,
        "v": vector,
        "of_gathered": VECTOR,
        "gathered": gathered,
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


def output_dtype(code: GeneratorCode, chosen: Transform) -> np.dtype[Any]:
    """Return the dtype of the outputs of a transform."""
    return chosen.dtype or code.value
