"""OpenCL C of generators and distributions for the user's own kernels, and checks of programs built from it."""

import hashlib
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pyopencl as cl

from clrng import validation
from clrng.distributions import RAW, UNIFORM, Table, Transform
from clrng.distributions.catalog import OfArrays, name_of
from clrng.distributions.discrete import Poisson
from clrng.distributions.distribution import Continuous, Distribution, Integers, normal, transform_of
from clrng.distributions.foreign import FrozenArrays
from clrng.distributions.transforms.rounded import ROUNDED
from clrng.distributions.transforms.transform import Declaration, Surroundings
from clrng.errors import UnsupportedError
from clrng.frontends.literals import literal, rows
from clrng.frontends.user_chosen import chosen_of, functions_of_chosen
from clrng.frontends.user_poisson import functions_of_tables, is_found_without_tables, largest_mean, takes_means
from clrng.frontends.user_shapes import functions_of_shapes, shape_of, with_surfaces
from clrng.generators import BitGenerator, ParkMiller, source
from clrng.generators.arithmetic import check_name
from clrng.generators.families import code_for, select
from clrng.generators.generator_code import CTYPES, GeneratorCode
from clrng.generators.lagged import Lagged
from clrng.opencl import devices
from clrng.opencl.arrays import upload
from clrng.opencl.program import kernel as built_kernel
from clrng.opencl.templates import prelude, render
from clrng.opencl.traits import traits_of
from clrng.proof.prove import GUARD, MismatchError, check_guard, compare, expected_values, poisoned, wrong_numbers
from clrng.proof.references import Stream
from clrng.validation import shown
from clrng.version import __version__

STANDARD: dict[str, Transform] = {"raw": RAW, "float": UNIFORM["float32"], "double": UNIFORM["float64"]}
"""What the functions of every generator make, by the ends of their names."""

LEGAL = "a list of distributions, or a dictionary of them by name"

EACH, ITEMS = 67, 64
"""How many values of each work-item are checked, and how many work-items there are."""

BUILTINS = {"vec_": "vec_step", "smooth": "smoothstep", "atomic_": "atomic_load"}
"""Prefixes with which a name would be that of a function of OpenCL C, and that function."""


@dataclass(frozen=True)
class Wanted:
    """A distribution that a user wants functions for, the end of their names, and the dtype of values."""

    name: str
    distribution: Distribution
    dtype: np.dtype[Any]


def wanted(distributions: Any, device: devices.DeviceInfo) -> list[Wanted]:
    """Return what `distributions`, an argument of `clrng.device_code`, asks for; errors are as said there."""
    rows: list[tuple[Any, Any]]
    if isinstance(distributions, Mapping):
        rows = [(_checked_name(name), value) for name, value in distributions.items()]
    elif isinstance(distributions, (list, tuple)):
        rows = [(None, value) for value in distributions]
    else:
        raise TypeError(f"distributions must be {LEGAL}, not {shown(distributions)}")
    found = [_wanted(name, value, device) for name, value in rows]
    _check_different(found)
    return found


def _wanted(name: str | None, value: Any, device: devices.DeviceInfo) -> Wanted:
    pair = value if isinstance(value, tuple) and len(value) == 2 else (value, None)  # noqa: PLR2004  # a pair
    distribution, dtype = pair
    if not isinstance(distribution, Distribution):
        raise TypeError(
            f"distributions must be {LEGAL}, each a distribution or a pair of one and a dtype, not {shown(value)}"
        )
    if isinstance(distribution, (OfArrays, FrozenArrays)):
        raise TypeError(
            f"distributions must have parameters that are numbers, not arrays such as those of {shown(distribution)}: "
            f"a kernel can choose only what the functions _with and _of take, as others need a table for each; draw "
            f"from {distribution.name} with these arrays by Generator, and give "
            f"the kernel what is drawn"
        )
    legal = tuple(each for each in distribution.dtypes if each not in ROUNDED)
    chosen = validation.dtype("distributions: a dtype", legal[0] if dtype is None else dtype, legal)
    if chosen == np.float64 and not device.fp64:
        raise UnsupportedError(
            f"distributions of float64 need double precision, which {device.name} does not have; use float32"
        )
    return Wanted(name or name_of(distribution), distribution, chosen)


def _checked_name(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(f"distributions must have names that are strings, not {shown(name)}")
    if not re.fullmatch(r"[A-Za-z0-9_]+", name) or name in STANDARD:
        raise ValueError(
            f"distributions must have names of letters, digits and underscores, other than {', '.join(STANDARD)}, not "
            f"{shown(name)}"
        )
    return name


def _check_different(found: list[Wanted]) -> None:
    """Raise an error if two functions would have one name."""
    owners: dict[str, Wanted] = {}
    for each in found:
        for name in (each.name, *(f"{each.name}_{ending}" for ending in ("local", "with", "with_local", "of"))):
            if name in owners:
                raise ValueError(
                    f"distributions must have different names, but {owners[name].name} and {each.name} would both "
                    f"define next_{name}; choose the names by a dictionary of distributions"
                )
            owners[name] = each


class Functions:
    """The functions of one distribution for a generator, their names beginning with `prefix`.

    `local_bytes` is the maximum local memory for copies of its tables, 0 where `device` reads constant memory faster.
    `names` has the names of all tables of a text, to which its own are added: equal tables of distributions are one.
    """

    def __init__(
        self, code: GeneratorCode, wanted: Wanted, prefix: str, device: devices.DeviceInfo, local_bytes: int,
        names: dict[Table, str],
    ) -> None:  # fmt: skip
        self.code, self.wanted, self.prefix, self.names, self.fp64 = code, wanted, prefix, names, device.fp64
        self.own = f"{prefix}clrng_{wanted.name}_"  # What names begin with that are not for the user
        self.out = CTYPES[wanted.dtype.name]
        self.run_time: list[Declaration] = []  # What ``next_..._with`` takes, which a kernel chooses when it runs
        bits, distribution = code.recurrence, wanted.distribution
        if isinstance(distribution, Continuous):
            distribution = Continuous(distribution.quantile)  # loc and scale are applied to its values
            self.run_time = [Declaration(self.out, "loc"), Declaration(self.out, "scale")]
        elif isinstance(distribution, Integers):
            self.run_time = [Declaration(self.out, "low"), Declaration("ulong", "n")]
        elif takes_means(distribution, code):
            self.run_time = [Declaration("uint", "tables", "__global"), Declaration("float", "lam")]
        limits = bits.min_value, bits.upper_bound
        self.transform = transform_of(distribution, *limits, wanted.dtype, numpys=bits.has_halves)
        given = self.transform.given
        self.chosen = chosen_of(wanted.distribution, code, wanted.dtype, self.transform.steps, fp64=device.fp64)
        self.of_shapes = with_surfaces(distribution)
        self.is_free = is_found_without_tables(distribution, code, fp64=device.fp64) and _is_large(given, device)
        # Without the table of its own shape there are only the functions whose shapes a kernel chooses
        room = device.device.max_constant_buffer_size - code.constant_bytes
        self.has_own = not self.of_shapes or _bytes_of(given) <= room
        given = {} if self.is_free or not self.has_own else given
        self.copies = self.transform.local_copies(local_bytes) if local_bytes and given else 0
        self.tables = [(parameter, each) for parameter, each in given.items() if isinstance(each, Table)]
        for parameter, table in self.tables:
            names.setdefault(table, f"{self.own}{parameter.name}")
        self.digits = [f"x{d}" for d in range(self.transform.steps)]
        # What `convert` takes after these raw values: names of tables, and constants
        self.given = [names[each] if isinstance(each, Table) else literal(each) for each in given.values()]

    def text(self) -> str:
        """Return the definitions of all functions."""
        convert = ""
        if self.has_own and not self.is_free:
            convert = source.transform(self.code, self.transform, self.own, 1, of_user=True)
        if self.copies:
            prefix = f"{self.own}local_"
            convert += source.transform(self.code, self.transform, prefix, 1, copies=self.copies, of_user=True)
        if self.chosen:
            convert += functions_of_chosen(self.code, self.chosen, self.own, self.digits, fp64=self.fp64)
        if self.run_time and isinstance(self.wanted.distribution, Poisson):
            convert += functions_of_tables(self.code, self.wanted.distribution, self.own, self.out, self.digits)
        if self.of_shapes:
            convert += functions_of_shapes(self.code, self.of_shapes, self.own, self.wanted.dtype, self.digits)
        return render(
            "user/distribution.cl.mako",
            p=self.prefix,
            called=self.wanted.name,
            own=self.own,
            out=self.out,
            value=CTYPES[self.code.value.name],
            steps=self.transform.steps,
            floats=self.wanted.dtype.kind == "f",
            is_free=self.is_free,
            free=self.chosen.parameters if self.chosen else (),
            is_of_shapes=self.of_shapes is not None,
            has_own=self.has_own,
            tables=[
                (self.names[table], parameter.ctype, *rows(parameter.ctype, table))
                for parameter, table in self.tables
                if self.names[table] == f"{self.own}{parameter.name}"
            ],
            has_tables=bool(self.tables) or self.is_free,
            convert=convert,
            near=[each for each in self.transform.convert_parameters(self.copies) if each.space == "__local"],
            copying=self._copying() if self.copies else [],
            run_time=self.run_time,
            call=self._call,
            digits=self.digits,
            given=self.given,
        )

    def _copying(self) -> list[str]:
        """Return the lines that copy the tables, inside a macro whose parameter is ``copy``."""
        tables = {parameter.name: self.names[table] for parameter, table in self.tables}
        names = Surroundings(f"{self.own}item()", f"{self.own}items()", "copy##_", tables, comments=False)
        return self.transform.opening(self.copies, names)

    def _call(self, *, local: bool, chosen: bool) -> str:
        """Return the value of raw values x0, x1, ..., with tables in `local` memory, with `chosen` parameters."""
        given, distribution = ["copy"] if local else self.given, self.wanted.distribution
        if chosen and isinstance(distribution, Integers):
            given = [self._from_n(parameter.name) for parameter in self.transform.parameters]
        value = f"{self.own}{'local' if local else 'convert'}({', '.join([*self.digits, *given])})"
        if chosen and isinstance(distribution, Poisson):
            return f"{self.own}of(tables, lam, {', '.join(self.digits)})"
        if self.is_free and isinstance(distribution, Poisson):
            return f"{self.own}free({literal(np.float32(distribution.lam))}, {', '.join(self.digits)})"
        if not isinstance(distribution, Continuous):
            return value
        if not chosen and (distribution.loc, distribution.scale) == (0.0, 1.0):
            return value
        loc, scale = (literal(normal(each, self.wanted.dtype)) for each in (distribution.added, distribution.scale))
        fused = f"CLRNG_FMA({value}, {'scale, loc' if chosen else f'{scale}, {loc}'})"
        located = f"{self.own}{'local_' if local else ''}normal({fused})"
        return f"{self.own}on_circle({located})" if distribution.quantile.circular else located

    def _from_n(self, name: str) -> str:
        """Return a parameter of `convert` for integers from ``low`` to ``low + n - 1``."""
        bits = self.code.recurrence
        quotient = f"(n << 32) / {bits.upper_bound - bits.min_value}UL"
        return {"last": "n - 1", "low": "(ulong)low", "quotient": quotient}[name]

    def comment(self) -> list[tuple[str, str]]:
        """Return how each function that needs no local memory is called, and what it returns."""
        distribution, steps = self.wanted.distribution, self.transform.steps
        about = re.sub(r"[^ -~]|\\", "?", shown(distribution))
        taken = f", made of {steps} values of the stream" if steps > 1 else ""
        name = f"{self.prefix}next_{self.wanted.name}"
        article = "an" if self.out == "int" else "a"
        found = [(f"{name}({self.prefix}state *)", f"{article} {self.out} of {about}{taken}")]
        given = "".join(
            f", {f'__global {each.ctype} *' if each.space else each.ctype} {each.name}" for each in self.run_time
        )
        meaning = ""
        if isinstance(distribution, Continuous):
            meaning = "loc + scale * x, where x is of loc 0 and scale 1"
            meaning += ", brought back to -pi to pi" if distribution.quantile.circular else ""
        elif isinstance(distribution, Integers):
            meaning = f"from low to low + n - 1, where n is from 1 to {distribution.n}"
        elif self.run_time:
            meaning = (
                f"of mean lam, from 0 to {float(largest_mean(cast('Poisson', distribution)))!r}; by its device_tables"
            )
        if self.chosen:
            own = ", ".join(f"{each.ctype} {each.name}" for each in self.chosen.parameters)
            found.append((f"{name}_of({self.prefix}state *, {own})", self.chosen.meaning))
        if self.of_shapes:
            legal = f"of loc 0, scale 1 and this {shape_of(self.of_shapes)}, by clrng.shape_tables"
            found.append((f"{name}_of({self.prefix}state *, __global const uint *tables, {self.out} shape)", legal))
        if not self.has_own:
            return found[1:]
        return [*found, (f"{name}_with({self.prefix}state *{given})", meaning)] if meaning else found


def _is_large(given: Mapping[Declaration, Any], device: devices.DeviceInfo) -> bool:
    """Return whether tables take more than a quarter of the constant memory of a device."""
    return bool(4 * _bytes_of(given) > device.device.max_constant_buffer_size)


def _bytes_of(given: Mapping[Declaration, Any]) -> int:
    """Return how many bytes tables have."""
    return sum(each.numbers.nbytes for each in given.values() if isinstance(each, Table))


@dataclass(frozen=True)
class Checked:
    """A function that a kernel of its own checks: ``next_`` and `name`, after the prefix."""

    name: str
    transform: Transform
    called: str = ""  # The name of the distribution, if any
    near: bool = False  # Whether its tables are copied to local memory
    guard: str = ""  # A macro under which the function is left out, if any


def checked_functions(code: GeneratorCode, drawn: list[Functions], device: devices.DeviceInfo) -> Iterator[Checked]:
    """Yield the functions of a generator that are checked."""
    for name, transform in _standard(device).items():
        yield Checked(name, transform, guard="__FAST_RELAXED_MATH__" if name == "double" and _divides(code) else "")
    for each in drawn:
        bits, name = code.recurrence, each.wanted.name
        limits = bits.min_value, bits.upper_bound
        transform = transform_of(each.wanted.distribution, *limits, each.wanted.dtype, numpys=bits.has_halves)
        if each.has_own:
            yield Checked(name, transform, name)
        if each.tables or each.is_free:
            yield Checked(f"{name}_local", transform, name, near=True)


def kernels(code: GeneratorCode, prefix: str, drawn: list[Functions], device: devices.DeviceInfo) -> str:
    """Return the kernels that `check_program` runs, as text to be put after that of the generator."""
    return "".join(
        render(
            "user/check.cl.mako",
            p=prefix,
            checked=each.name,
            function=f"next_{each.name}",
            called=each.called,
            near=each.near,
            guard=each.guard,
            steps=each.transform.steps,
            each=EACH,
            word=CTYPES[code.word.name],
            out=CTYPES[(each.transform.dtype or code.value).name],
            order=code.order,
            ring=code.ring,
        )
        for each in checked_functions(code, drawn, device)
    )


def _check(kernel: cl.Kernel, queue: cl.CommandQueue, code: GeneratorCode, each: Checked) -> None:
    """Run one kernel, and raise a WrongNumbersError if one of its values is wrong."""
    bits, size = code.recurrence, EACH * ITEMS
    out: Any = poisoned(queue, size + GUARD, each.transform.dtype or bits.dtype)
    out.events[-1].wait()
    states = np.array(bits.words, code.word)
    if code.ring:
        states = _states(cast("Lagged", bits), EACH * each.transform.steps)
    words: Any = upload(queue, states)
    group = min(ITEMS, kernel.get_work_group_info(cl.kernel_work_group_info.WORK_GROUP_SIZE, queue.device))
    group = 1 << group.bit_length() - 1
    kernel(queue, (ITEMS,), (group,), out.base_data, words.base_data).wait()
    made = out.get()
    expected, sure = expected_values(each.transform, Stream(bits), 0, size)
    try:
        compare("value", made[:size], expected, sure=sure)
        check_guard("behind", made[size:])
    except MismatchError as mismatch:
        remedy = "build the program with other options, or take another device"
        raise wrong_numbers(queue.device, kernel.function_name, mismatch, remedy) from None


def _states(bits: Lagged, apart: int) -> Any:
    """Return the states of the work-items, `apart` steps apart, in rows."""
    words = np.array(bits.continued(bits.words, apart * ITEMS), bits.word_dtype)
    return np.lib.stride_tricks.sliding_window_view(words, bits.order)[::apart][:ITEMS]


Distributions = (
    Mapping[str, Distribution | tuple[Distribution, Any]] | Sequence[Distribution | tuple[Distribution, Any]]
)


def device_code(
    bit_generator: BitGenerator | type[ParkMiller],
    arithmetic: str = "auto",
    device: cl.Device | devices.DeviceInfo | None = None,
    prefix: str | None = None,
    distributions: Distributions = (),
    *,
    checks: bool = False,
) -> str:
    """Return OpenCL C that defines a generator, to be put before the kernels of a program.

    Parameters
    ----------
    bit_generator : BitGenerator or the class ParkMiller
        Whose parameters to use; the class has the default. The seed is given in the kernel.
    arithmetic : str, optional
        A name in `clrng.ARITHMETICS`, or ``"auto"`` for the fastest exact one.
    device : pyopencl.Device or DeviceInfo, optional
        The device it will run on; by default the one that `clrng.choose_device` chooses.
    prefix : str, optional
        What every name in it begins with; by default the name of the family, such as ``park_miller_``, ``lcg_`` or
        ``mrg32k3a_``. Give each generator of a program a prefix of its own.
    distributions : dict of str to Distribution, or list of Distribution, optional
        What to draw besides raw values and uniform numbers. The keys are names in the code; in a list they are those
        of NumPy's methods, such as ``standard_normal``. In place of a distribution there may be a pair,
        ``(distribution, "float64")``; the dtype is by default the first of ``distribution.dtypes``. A function whose
        name ends with ``_with`` takes parameters that the kernel chooses: loc and scale, low and n, or the mean lam of
        a Poisson number and a copy of ``distribution.device_tables()``. One whose name ends with ``_of`` takes all
        parameters of ``uniform``, ``triangular``, ``poisson``, ``binomial``, ``geometric``, ``negative_binomial`` or
        ``hypergeometric``, or a copy of `clrng.shape_tables` and the shape of a continuous distribution.
    checks : bool, optional
        Whether it also has the kernels that `clrng.check_program` runs; by default it has none.

    Returns
    -------
    str
        It begins with a comment that names its functions. For the same seed and position they give the values of
        `Generator.random_raw`, `Generator.random` and `Generator.sample`; but of `PCG64`, `PCG64DXSM` and `Philox`,
        whose steps `Generator.random` takes in halves for float32, here every value takes a whole step, and its upper
        bits.

    Raises
    ------
    TypeError
        If an argument is of the wrong type.
    ValueError
        If `arithmetic` is unknown, `prefix` or a name cannot be part of a C name, two names are the same, or a
        distribution cannot be drawn from with the raw values of `bit_generator` or does not have the dtype.
    UnsupportedError
        If the arithmetic is not exact on the device, or `distributions` need double precision that it does not have or
        larger tables than its constant memory holds.
    NoDeviceError
        If no device is given and there is none.

    Notes
    -----
    The guide on kernels has examples, and what options of the compiler do. Including the same text twice in a program
    is harmless; two generators of one prefix do not compile.

    Examples
    --------
    >>> import clrng
    >>> "float park_miller_next_float(" in clrng.device_code(clrng.ParkMiller)
    True
    """
    validation.flag("checks", checks)
    info = _device(device)
    code, prefix, drawn = _parts(bit_generator, arithmetic, info, prefix, distributions)
    return _text(code, prefix, info, drawn, checks=bool(checks))


def check_program(
    program: cl.Program,
    queue: cl.CommandQueue,
    bit_generator: BitGenerator | type[ParkMiller],
    arithmetic: str = "auto",
    prefix: str | None = None,
    distributions: Distributions = (),
) -> list[str]:
    """Check that the generator in a user's built program makes the right numbers, on its device and with its options.

    Every function of the generator but those whose names end with ``_with`` and ``_of`` makes 4288 values, in 64
    work-items, which are compared bit for bit with the recurrence and the definitions of the distributions on the host.

    Parameters
    ----------
    program : pyopencl.Program
        Built from a text of `clrng.device_code` with ``checks=True``, and kernels of the user's own.
    queue : pyopencl.CommandQueue
        Of the program's context.
    bit_generator, arithmetic, prefix, distributions
        Those that `clrng.device_code` was given.

    Returns
    -------
    list of str
        The names of the kernels that were run, which have all passed.

    Raises
    ------
    TypeError, ValueError, UnsupportedError
        As `clrng.device_code` does; or if `program` or `queue` is something else, or the program has no kernels for
        checks.
    WrongNumbersError
        If a number is wrong.

    Examples
    --------
    >>> import clrng, pyopencl
    >>> queue = clrng.make_queue()
    >>> text = clrng.device_code(clrng.ParkMiller, device=queue.device, checks=True)
    >>> program = pyopencl.Program(queue.context, text).build()
    >>> clrng.check_program(program, queue, clrng.ParkMiller)[:2]
    ['park_miller_check_raw', 'park_miller_check_float']
    """
    if not isinstance(program, cl.Program):
        raise TypeError(f"program must be a built pyopencl.Program, not {shown(program)}")
    if not isinstance(queue, cl.CommandQueue):
        raise TypeError(f"queue must be a pyopencl.CommandQueue, not {shown(queue)}")
    info = devices.describe(queue.device)
    code, prefix, drawn = _parts(bit_generator, arithmetic, info, prefix, distributions)
    there = _kernels_of(program, queue)
    found = {f"{prefix}check_{each.name}": each for each in checked_functions(code, drawn, info)}
    if not found.keys() <= there:
        raise ValueError(
            f"program must be built from the text of clrng.device_code(..., checks=True) with the prefix {prefix!r} "
            f"and these distributions, and have the kernels {sorted(found)}, not only {sorted(there)}"
        )
    for name, each in found.items():
        _check(built_kernel(program, name), queue, code, each)
    return list(found)


def _kernels_of(program: cl.Program, queue: cl.CommandQueue) -> set[str]:
    """Return the names of the kernels of a built program of the context of `queue`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyOpenCL says of a program that is not built that its cache will not be used
        if program.get_info(cl.program_info.CONTEXT) != queue.context:
            raise ValueError("queue must be of the context of program, not of another one")
        if cast("Any", program).get_build_info(queue.device, cl.program_build_info.STATUS):  # 0 is success
            raise ValueError("program must be built for the device of queue; it is not")
    return {kernel.function_name for kernel in program.all_kernels()}


def _parts(
    bit_generator: Any, arithmetic: str, info: devices.DeviceInfo, prefix: str | None, distributions: Distributions
) -> tuple[GeneratorCode, str, list[Functions]]:
    """Return the generator for a device, what its names begin with, and the functions of distributions."""
    recurrence = _recurrence(bit_generator)
    prefix = f"{recurrence.name}_" if prefix is None else prefix
    _check_prefix(prefix)
    name = check_name(arithmetic)
    asked = wanted(distributions, info)
    code = code_for(recurrence, select(name, info, recurrence)).user_code()
    local = info.device.local_mem_size * 3 // 4 // len(asked) if asked and traits_of(info).local_tables else 0
    names: dict[Table, str] = {}
    return code, prefix, [Functions(code, each, prefix, info, local, names) for each in asked]


def _text(code: GeneratorCode, prefix: str, device: devices.DeviceInfo, drawn: list[Functions], *, checks: bool) -> str:
    """Return the text of a generator and of the functions of distributions, and kernels that check them."""
    recurrence = code.recurrence
    body = prelude() + code.generator(prefix, 1)
    for name, transform in _standard(device).items():
        body += source.transform(code, transform, prefix if name == "raw" else f"{prefix}clrng_{name}_", 1)
    functions = "".join(each.text() for each in drawn)
    needed = code.constant_bytes + sum(table.numbers.nbytes for table in drawn[0].names) if drawn else 0
    if needed > (there := device.device.max_constant_buffer_size):
        raise UnsupportedError(
            f"distributions need tables of {needed} bytes together, but {device.name} has {there} bytes of constant "
            f"memory; take fewer, smaller parameters, or Generator.sample"
        )
    return render(
        "user/device_code.cl.mako",
        p=prefix,
        guard=f"CLRNG_{prefix}{hashlib.sha256((body + functions).encode()).hexdigest()[:16]}",
        version=__version__,
        title=recurrence.summary,
        arithmetic=code.arithmetic.name,
        word=CTYPES[code.word.name],
        value=CTYPES[code.value.name],
        order=code.order,
        least=recurrence.min_value,
        most=recurrence.upper_bound - 1,
        ring=code.ring,
        fp64=device.fp64,
        divides=_divides(code),
        comments=[line for each in drawn for line in each.comment()],
        tables=any(each.tables for each in drawn),
        body=body,
        functions=functions,
        checks=kernels(code, prefix, drawn, device) if checks else "",
    )


def _standard(device: devices.DeviceInfo) -> dict[str, Transform]:
    """Return those of `STANDARD` that a device can make."""
    return {name: transform for name, transform in STANDARD.items() if name != "double" or device.fp64}


def _divides(code: GeneratorCode) -> bool:
    """Return whether doubles are quotients, which some options of compilers do not round correctly."""
    return UNIFORM["float64"].division(code.recurrence.upper_bound) == "divide"


def _recurrence(value: Any) -> BitGenerator:
    if value is ParkMiller:
        return ParkMiller(seed=1)
    if not isinstance(value, BitGenerator):
        raise TypeError(
            f"bit_generator must be a clrng bit generator or the class clrng.ParkMiller, not {shown(value)}"
        )
    return value


def _check_prefix(prefix: Any) -> None:
    if not isinstance(prefix, str):
        raise TypeError(f"prefix must be a string that can begin a C name, not {shown(prefix)}")
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", prefix) or prefix.upper().startswith("CLRNG_"):
        raise ValueError(
            f"prefix must be letters, digits and underscores, not begin with a digit or with CLRNG_, not "
            f"{shown(prefix)}"
        )
    if prefix in BUILTINS:
        raise ValueError(f"prefix must not be {prefix!r}, which makes {BUILTINS[prefix]}, a function of OpenCL C")


def _device(value: Any) -> devices.DeviceInfo:
    if value is None:
        return devices.choose_device()
    if isinstance(value, cl.Device):
        return devices.describe(value)
    if not isinstance(value, devices.DeviceInfo):
        raise TypeError(f"device must be a pyopencl.Device, a clrng.DeviceInfo or None, not {shown(value)}")
    return value
