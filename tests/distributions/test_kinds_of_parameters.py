"""Arrays of parameters of any kind: what they hold decides, not what holds it, nor what was drawn before."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest

import clrng
from tests.distributions.test_parameter_arrays import same_bits

REAL: dict[str, dict[str, list[float]]] = {
    "poisson": {"lam": [0.5, 3.0, 200.25]},
    "negative_binomial": {"n": [0.5, 3.0, 7.5], "p": [0.25, 0.5, 1.0]},
    "geometric": {"p": [0.25, 0.5, 1.0]},
    "uniform": {"low": [0.5, -1.0, 2.0], "high": [1.0, 2.5, 3.0]},
    "normal": {"loc": [0.5, -1.0, 1000.0], "scale": [1.0, 0.0, 2.5]},
    "exponential": {"scale": [1.0, 0.0, 2.5]},
    "vonmises": {"mu": [0.5, -1.0, 2.0], "kappa": [0.5, 4.0, 1.0]},
    "gamma": {"shape": [0.5, 4.0, 1.0], "scale": [1.0, 0.0, 2.5]},
    "triangular": {"left": [0.5, -1.0, 2.0], "mode": [1.0, 0.0, 2.5], "right": [2.0, 1.0, 3.0]},
}
WHOLE: dict[str, dict[str, list[int]]] = {
    "binomial": {"n": [0, 5, 100]},
    "hypergeometric": {"ngood": [5, 6, 7], "nbad": [3, 4, 5], "nsample": [2, 0, 12]},
    "integers": {"low": [-5, 0, 3], "high": [4, 5, 100]},
}
OTHERS: dict[str, dict[str, Any]] = {"binomial": {"p": 0.5}}

KINDS: dict[str, Callable[[list[Any]], Any]] = {
    "masked": lambda values: np.ma.array(values, mask=[False, True, False]),
    "objects": lambda values: np.array(values, object),
    "other bytes": lambda values: np.array(values).astype(np.array(values).dtype.newbyteorder()),
    "backwards": lambda values: np.array(values[::-1])[::-1],
    "NumPy's scalars": lambda values: [np.int16(each) if each == int(each) else np.float32(each) for each in values],
}
NUMBERS: dict[str, Callable[[list[Any]], Any]] = {
    "fractions": lambda values: [Fraction(each) for each in values],
    "decimals": lambda values: [Decimal(each) for each in values],
    "mixed": lambda values: [Fraction(values[0]), *values[1:]],
    "long doubles": lambda values: np.array(values, np.longdouble),
}


def new(queue: cl.CommandQueue) -> clrng.Generator:
    return clrng.Generator(clrng.PCG64(4), queue)


ROWS = 2**16
"""So many elements are not copied to the host."""


@pytest.mark.parametrize("name", [*REAL, *WHOLE])
def test_broadcast_arrays_that_begin_inside_memory(queue: cl.CommandQueue, name: str) -> None:
    plain: dict[str, list[Any]] = {**REAL, **WHOLE}[name]
    others, dtype = OTHERS.get(name, {}), np.float32 if name in REAL else np.int32
    whole = {key: np.resize(np.array(values, dtype), ROWS + 7) for key, values in plain.items()}
    held = {key: cla.to_device(queue, each)[7:].reshape(-1, 1) for key, each in whole.items()}
    given = {key: each[7:].reshape(-1, 1) for key, each in whole.items()}
    expected = getattr(new(queue), name)(**given, **others, size=(ROWS, 2))
    same_bits(getattr(new(queue), name)(**held, **others, size=(ROWS, 2)), expected)


@pytest.mark.parametrize("name", [*REAL, *WHOLE])
def test_what_is_drawn_depends_on_the_numbers_alone(queue: cl.CommandQueue, name: str) -> None:
    plain: dict[str, list[Any]] = {**REAL, **WHOLE}[name]
    others = OTHERS.get(name, {})
    expected = getattr(new(queue), name)(**plain, **others, size=(2, 3))
    for make in (KINDS | (NUMBERS if name in REAL else {})).values():
        given = {key: make(values) for key, values in plain.items()}
        same_bits(getattr(new(queue), name)(**given, **others, size=(2, 3)), expected)
        if name not in ("uniform", "integers"):
            law = clrng.distribution(name, **given, **others)
            same_bits(new(queue).sample(law, (2, 3)), expected)
    without = {key: cla.to_device(queue, np.array(values)).with_queue(None) for key, values in plain.items()}
    same_bits(getattr(new(queue), name)(**without, **others, size=(2, 3)), expected)


MASKS: dict[str, dict[str, Any]] = {
    "poisson": {"lam": None},
    "binomial": {"n": None, "p": None},
    "normal": {"loc": None, "scale": None},
    "exponential": {"scale": None},
    "uniform": {"low": None, "high": [2, 3, 4]},
    "integers": {"low": None, "high": [2, 3, 4]},
    "multinomial": {"n": None, "pvals": [0.25, 0.75]},
}
"""What is drawn with truth values in place of each None."""


@pytest.mark.parametrize("name", MASKS)
def test_truth_values_of_arrays_are_0_and_1(queue: cl.CommandQueue, name: str) -> None:
    mask = np.array([True, False, True])
    for size, kinds in ((3, (mask, mask.tolist(), cla.to_device(queue, mask))), (2000, (np.resize(mask, 2000),))):
        for given in kinds:
            numbers = np.array(given if isinstance(given, list) else np.resize(mask, size), np.int8)

            def drawn(value: Any, size: int = size) -> Any:
                others = {key: other and np.resize(other, size) for key, other in MASKS[name].items() if key != "pvals"}
                arrays = {key: value if other is None else other for key, other in others.items()}
                return getattr(new(queue), name)(**MASKS[name] | arrays)

            same_bits(drawn(given), drawn(numbers))
    mixed = new(queue).poisson([True, Fraction(1, 2), Decimal("0.5"), False])
    same_bits(mixed, new(queue).poisson([1, 0.5, 0.5, 0]))
    same_bits(new(queue).normal(np.array([True, False], object)), new(queue).normal([1, 0]))
    with pytest.raises(TypeError, match="^lam must be a number from .*, not True$"):
        new(queue).poisson(True)
    with pytest.raises(
        TypeError, match=r"^lam must be a number from .*, not np.True_$|^lam must be a number.*, not True$"
    ):
        new(queue).poisson(np.bool_(True))


def test_integers_of_any_size_are_real_numbers(queue: cl.CommandQueue) -> None:
    locs, scales = [2**70, -(2**64), 3], [1, 2**65, 2**64]
    drawn = new(queue).normal(locs, scales, dtype="float64")
    same_bits(drawn, new(queue).normal(np.array(locs, float), np.array(scales, float), dtype="float64").get())
    with pytest.raises(ValueError, match="^loc must be finite numbers as float64, not inf, as element 1 of loc has it"):
        new(queue).normal([0, 10**400], dtype="float64")


@pytest.mark.parametrize("floats", [float, np.float64, np.float32, Fraction])
@pytest.mark.parametrize("key", ["n", "ngood", "nbad", "nsample", "low", "high"])
def test_floats_are_no_integers_whatever_was_drawn_before(queue: cl.CommandQueue, key: str, floats: Any) -> None:
    name, plain = next((name, plain) for name, plain in WHOLE.items() if key in plain)
    others, rng = OTHERS.get(name, {}), new(queue)
    arrays = {other: values[1:2] for other, values in plain.items()}
    for given in (plain, arrays | {key: plain[key][1]}):
        getattr(rng, name)(**given, **others)
    before = rng.bit_generator.copy()
    with pytest.raises(TypeError, match=rf"^{key} must be an integer from .*, as element 0 of {key} has it$"):
        getattr(rng, name)(**plain | {key: [floats(each) for each in plain[key]]}, **others)
    instead = "" if floats is Fraction else "; numpy.* draws it"
    with pytest.raises(TypeError, match=rf"^{key} must be an integer from .*, not .*[0-9)]{instead}$"):
        getattr(rng, name)(**arrays | {key: floats(plain[key][1])}, **others)
    assert rng.bit_generator == before


DEPENDING: list[tuple[str, dict[str, Any], str]] = [
    ("integers", {"low": [0, -1, 2, 3], "high": 2}, "high must be above 2, .*, not 2, as element 2 of low has it"),
    ("uniform", {"low": [[0.0], [3.0]], "high": 2}, r"high must be .*, not 2.0, as element \(1, 0\) of low has it"),
    ("triangular", {"left": [0, 2], "mode": 1, "right": 3}, "mode must be .*, not 1.0, as element 1 of left has it"),
    ("triangular", {"left": [0, 5], "mode": 1, "right": 3}, "right must be .*, not 3.0, as element 1 of left has it"),
    ("beta", {"a": [1, 2**40], "b": 1e-3}, "b must be .*, not 0.001, as element 1 of a has it"),
    (
        "hypergeometric", {"ngood": [9, 1], "nbad": [[5], [2]], "nsample": 6},
        r"nsample must be .* from 0 to 3, not 6, as element \(1, 1\) of ngood and nbad together has it",
    ),
    (
        "hypergeometric", {"ngood": np.arange(3000)[::-1], "nbad": 2, "nsample": 6},
        "nsample must be .* from 0 to 5, not 6, as element 2996 of ngood has it",
    ),
    ("hypergeometric", {"ngood": np.arange(3000), "nbad": 2, "nsample": -1}, "nsample must be .*, not -1"),
    ("binomial", {"n": [1, 2], "p": 1.5}, "p must be a number from 0 to 1, not 1.5"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given", "message"), DEPENDING)
def test_errors_say_on_which_element_a_number_depends(
    queue: cl.CommandQueue, name: str, given: dict[str, Any], message: str
) -> None:
    rng = new(queue)
    with pytest.raises(ValueError, match=f"^{message}$"):
        getattr(rng, name)(**given)
    assert rng.bit_generator == clrng.PCG64(4)
