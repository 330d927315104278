"""Arguments that no distribution takes: errors that name the argument, its value and what is legal; nothing moves."""

import re
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng import validation
from tests.conftest import make_queue
from tests.support.drawn_cases import CASES
from tests.support.drawn_cases import REAL as REAL_CASES

NAN, INF = float("nan"), float("inf")


class Raises(float):
    """A number whose conversions raise an error of their own."""

    def __float__(self) -> float:
        raise RuntimeError("no number")

    __index__ = __float__


NO_NUMBERS: list[Any] = [None, True, "1", "a", b"1", 1j, {}, {1}, object(), np.array("x"), np.bool_(True), len, int]
"""What no parameter of a distribution can be, and no array of them."""

NOT_FINITE = [NAN, INF, -INF, np.float32(NAN), np.float64(INF)]
NEGATIVE = [-1, -0.5, -5e-324, -1e308, np.float32(-2)]
ZERO: list[Any] = [0, 0.0, -0.0]
OVER_1 = [1.0000000001, 2, 1e300, 10**30]
FRACTIONS = [0.5, 2.5, 1.0, np.float64(3)]
HUGE = [2**63, 2**64, 10**40]

REAL = [*NO_NUMBERS, Raises(1), *NOT_FINITE, 10**400, [], [1.0, 2.0], [NAN, NAN, NAN], np.array([INF]), ["a", "b", "c"]]
"""What is no finite number, and arrays that are not of these or not of a shape that fits the size."""

NOT_NEGATIVE = [*REAL, *NEGATIVE, 5e-324, 1e300]
POSITIVE = [*REAL, *NEGATIVE, *ZERO]
LOCATION = [*NO_NUMBERS, *NOT_FINITE, 10**400, 1e39, -1e300, [NAN], [1.0, INF], np.array([1e39]), np.array(["a"])]
SCALE = [*LOCATION, *NEGATIVE, [1.0, -1.0], np.array([-0.5, 1], np.float32)]
PROBABILITY = [*REAL, *NEGATIVE, *OVER_1]
NO_INTERVALS = [
    np.arange(3),
    np.array(["[)", "[]"]),
    *NO_NUMBERS,
    "",
    "[",
    "[]]",
    "][",
    ")(",
    "[ )",
    b"[)",
    ["[)"],
    ("[", ")"),
    0,
]
COUNT = [*REAL, *NEGATIVE, *FRACTIONS, *HUGE]

BAD: dict[str, dict[str, list[Any]]] = {
    "normal": {"loc": LOCATION, "scale": SCALE},
    "laplace": {"loc": LOCATION, "scale": SCALE},
    "logistic": {"loc": LOCATION, "scale": SCALE},
    "gumbel": {"loc": LOCATION, "scale": SCALE},
    "exponential": {"scale": SCALE},
    "rayleigh": {"scale": SCALE},
    "gamma": {"shape": NOT_NEGATIVE, "scale": SCALE},
    "lognormal": {"mean": [*REAL, 701.0, -1e300], "sigma": [*REAL, *NEGATIVE, 1025]},
    "standard_exponential": {"method": ["zig", None, 1, "INV", b"inv", ["inv"]]},
    "weibull": {"a": NOT_NEGATIVE},
    "pareto": {"a": POSITIVE},
    "power": {"a": POSITIVE},
    "vonmises": {"mu": LOCATION, "kappa": [*REAL, *NEGATIVE, 10001]},
    "wald": {"mean": POSITIVE, "scale": POSITIVE},
    "standard_gamma": {"shape": NOT_NEGATIVE},
    "chisquare": {"df": POSITIVE},
    "beta": {"a": POSITIVE, "b": POSITIVE},
    "f": {"dfnum": POSITIVE, "dfden": POSITIVE},
    "standard_t": {"df": POSITIVE},
    "noncentral_chisquare": {"df": [*POSITIVE, 0.1, 65537], "nonc": [*REAL, *NEGATIVE, 1025]},
    "noncentral_f": {
        "dfnum": [*POSITIVE, 0.1, 65537], "dfden": [*POSITIVE, 0.1, 65537], "nonc": [*REAL, *NEGATIVE, 1025],
    },
    "uniform": {"low": REAL, "high": [*REAL, -1, -0.5], "interval": NO_INTERVALS},
    "random": {"interval": NO_INTERVALS},
    "logseries": {"p": [*REAL, *NEGATIVE, 1, *OVER_1]},
    "zipf": {"a": [*REAL, *NEGATIVE, *ZERO, 1, 0.999]},
    "bytes": {"length": [*REAL, *NEGATIVE, *FRACTIONS, *HUGE]},
    "triangular": {"left": REAL, "mode": [*REAL, -1, 2], "right": [*REAL, -1, 0.0]},
    "poisson": {"lam": [*REAL, *NEGATIVE]},
    "binomial": {"n": COUNT, "p": PROBABILITY},
    "negative_binomial": {"n": POSITIVE, "p": [*PROBABILITY, *ZERO]},
    "geometric": {"p": [*PROBABILITY, *ZERO]},
    "hypergeometric": {"ngood": COUNT, "nbad": COUNT, "nsample": [*COUNT, 11]},
    "integers": {"low": [*REAL, *FRACTIONS, *HUGE], "high": [*REAL[1:], *FRACTIONS, 2**63 + 1, 0, -1]},
    "choice": {
        "a": [*NO_NUMBERS[2:], None, *NOT_FINITE, *FRACTIONS, 0, -1, 2**63 + 1, [], np.empty((0, 2)), [[1], [2, 3]]],
        "p": [
            *NO_NUMBERS[1:], *NOT_FINITE, [], [0.5], [0.5, 0.5, 0.0], [0.5, 0.6], [1.5, -0.5], [NAN, 1], [0, 0], 0.5,
            ["a", "b"], [[0.5, 0.5]], np.ones((1, 2)) / 2, [True, True], [INF, 0], [10**400, 0], (0.5, None),
        ],
        "replace": [None, 1, "yes"],
        "shuffle": [None, 0, "yes"],
    },
}  # fmt: skip
"""What arguments of methods must not be, by method and argument."""

GOOD: dict[str, dict[str, Any]] = {
    "normal": {"loc": 0.0, "scale": 1.0}, "laplace": {"loc": 0.0, "scale": 1.0}, "logistic": {"loc": 0.0, "scale": 1.0},
    "gumbel": {"loc": 0.0, "scale": 1.0}, "exponential": {"scale": 1.0}, "rayleigh": {"scale": 1.0},
    "gamma": {"shape": 2.0, "scale": 1.0}, "lognormal": {"mean": 0.0, "sigma": 1.0}, "standard_exponential": {},
    "weibull": {"a": 1.0}, "pareto": {"a": 1.0}, "power": {"a": 1.0}, "vonmises": {"mu": 0.0, "kappa": 1.0},
    "wald": {"mean": 1.0, "scale": 1.0}, "standard_gamma": {"shape": 1.0}, "chisquare": {"df": 1.0},
    "beta": {"a": 1.0, "b": 1.0}, "f": {"dfnum": 1.0, "dfden": 1.0}, "standard_t": {"df": 1.0},
    "triangular": {"left": 0.0, "mode": 0.5, "right": 1.0}, "poisson": {"lam": 1.0}, "binomial": {"n": 5, "p": 0.5},
    "negative_binomial": {"n": 1.0, "p": 0.5}, "geometric": {"p": 0.5},
    "hypergeometric": {"ngood": 5, "nbad": 5, "nsample": 5}, "integers": {"low": 0, "high": 10},
    "choice": {"a": 2, "p": [0.5, 0.5]}, "noncentral_chisquare": {"df": 3.0, "nonc": 2.0},
    "noncentral_f": {"dfnum": 3.0, "dfden": 20.0, "nonc": 2.0}, "uniform": {"low": 0.0, "high": 1.0}, "random": {},
    "logseries": {"p": 0.5}, "zipf": {"a": 4.0}, "bytes": {},
}  # fmt: skip

SIZE: dict[str, dict[str, Any]] = {"bytes": {}}
"""What the size of the result is called, where it is not 3 by `size`."""

CALLS = [(method, argument) for method, arguments in BAD.items() for argument in arguments]


def refused(rng: clrng.Generator, method: str, arguments: dict[str, Any]) -> Exception:
    """Return the error for these arguments, which must not have moved the stream or written to `out`."""
    before = rng.bit_generator.copy()
    with pytest.raises((TypeError, ValueError)) as caught:
        getattr(rng, method)(**arguments)
    assert rng.bit_generator == before
    return caught.value


@pytest.mark.parametrize(("method", "argument"), CALLS)
def test_parameters_that_are_illegal(method: str, argument: str) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), make_queue(0))
    for value in BAD[method][argument]:
        said = str(refused(rng, method, {**GOOD[method], argument: value, **SIZE.get(method, {"size": 3})}))
        of_shape = said.startswith(f"size must be a shape to which {argument} of shape ")  # an array that is empty
        assert of_shape or re.match(rf"{argument}(\[\d+\])? must ", said), (value, said)
        if not isinstance(value, (list, tuple, np.ndarray)):
            number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
            assert validation.shown(value) in said or (number and repr(float(value)) in said), (value, said)


def test_more_bytes_than_there_is_memory_for() -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), make_queue(0))
    with pytest.raises(MemoryError):
        rng.bytes(2**62)
    assert rng.bit_generator == clrng.ParkMiller(seed=1)


def test_parameters_that_do_not_fit_one_another() -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), make_queue(0))
    for method, arguments, message in [
        ("triangular", {"left": 2.0, "mode": 2.0, "right": 1.0}, "right must be a number above 2"),
        ("triangular", {"left": 0.0, "mode": 1.5, "right": 1.0}, "mode must be a number from 0 to 1, not 1.5"),
        ("triangular", {"left": 1.0, "mode": 1.0, "right": 1.0}, "right must be a number above 1"),
        ("hypergeometric", {"ngood": 3, "nbad": 4, "nsample": 8}, "nsample must be an integer from 0 to 7, not 8"),
        ("integers", {"low": 5, "high": 5}, "high must be above 5, which is low, not 5"),
        ("integers", {"low": -1}, "low must be above 0, not -1"),
        ("integers", {"low": 0, "high": 257, "dtype": "uint8"}, "high must be an integer from 0 to 256, not 257"),
        ("integers", {"low": -1, "high": 5, "dtype": "uint8"}, "low must be an integer from 0 to 255, not -1"),
        ("integers", {"low": 0, "high": 2**63, "endpoint": True}, "high must be an integer from"),
        ("beta", {"a": 2.0**-10, "b": 2.0**40}, "b must be a number from"),
        ("poisson", {"lam": 1e30}, r"lam must be a number from 0 to 9.223372006484771e\+18, not 1e\+30"),
        ("poisson", {"lam": 1000.0, "dtype": "uint8"}, "dtype must hold .* the values of Poisson"),
        ("choice", {"a": 300, "dtype": "uint8"}, "dtype must hold 299, the largest of the integers below a, not uint8"),
        ("choice", {"a": 0}, "a must be an integer from 1 to 9223372036854775808, not 0"),
        ("geometric", {"p": 1e-19}, "p must be larger, not 1e-19: values would be above"),
        ("binomial", {"n": 2**62, "p": 0.5}, "spreads over too many values: .*take a smaller n"),
    ]:
        assert re.match(rf".*{message}", str(refused(rng, method, {**arguments, "size": 3}))), method


def test_messages_about_long_distributions_are_short() -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), make_queue(0))
    chosen = clrng.distribution("choice", a=300, p=np.full(300, 1 / 300))
    with pytest.raises(
        ValueError, match=r"^dtype must hold 0 to 299, the values of Choice\(p=.*\.\.\..*, not uint8$"
    ) as caught:
        rng.sample(chosen, 3, "uint8")
    assert len(str(caught.value)) < 600


SIZES: list[Any] = [-1, 1.5, "3", (2, -1), (2, 1.0), [2, None], 2**70, True, {}, (1,) * 65]


@pytest.mark.parametrize("name", CASES)
def test_sizes_dtypes_and_out(queue: cl.CommandQueue, name: str) -> None:
    case, rng = CASES[name], clrng.Generator(clrng.ParkMiller(seed=1), queue)
    dtype = case.dtypes[0]
    for size in SIZES:
        assert "size" in str(refused(rng, case.method, {**case.arguments, "size": size, "dtype": dtype})), size
    wrong = ["int32", "complex64", "nonsense", object, 3]
    if case.method not in {"random", "uniform", "normal", "standard_normal"}:
        wrong.append("float16")
    for other in wrong if name in REAL_CASES else [*wrong[1:], "float32", "bool"]:
        assert "dtype" in str(refused(rng, case.method, {**case.arguments, "size": 3, "dtype": other})), other
    whole = np.full((4, 6), 77, dtype)
    on_device = cla.to_device(queue, whole)
    for out in (
        [1, 2],
        "out",
        3,
        np.lib.stride_tricks.as_strided(whole, whole.shape, (0, whole.itemsize)),
        cla.Array(queue, (4, 6), dtype, data=on_device.base_data, strides=(0, whole.itemsize)),
        whole.astype("complex64"),
    ):
        said = str(refused(rng, case.method, {**case.arguments, "out": out}))
        assert "out" in said or "dtype" in said, (out, said)
    for array in (whole, on_device):
        assert "size" in str(refused(rng, case.method, {**case.arguments, "size": (6, 4), "out": array}))
        other_dtype = "float64" if dtype != "float64" else "float32"
        if name not in REAL_CASES:
            other_dtype = "int32" if dtype != "int32" else "int16"
        assert "dtype" in str(refused(rng, case.method, {**case.arguments, "dtype": other_dtype, "out": array}))
    locked = whole.copy()
    locked.flags.writeable = False
    assert "out" in str(refused(rng, case.method, {**case.arguments, "out": locked}))
    assert (whole == 77).all()
    assert (on_device.get() == 77).all()


SHAPES: list[tuple[Any, Any, Any]] = [
    ((2,), (3,), None), ((2, 3), (3, 2), None), ((4,), (), 3), ((4,), (), (4, 1)), ((0,), (2,), None), ((0,), (), 3),
    ((), (5,), ()),
]  # fmt: skip


@pytest.mark.parametrize(("loc", "scale", "size"), SHAPES)
def test_arrays_that_do_not_broadcast(queue: cl.CommandQueue, loc: Any, scale: Any, size: Any) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    arrays = np.zeros(loc, np.float32), np.ones(scale, np.float32)
    said = str(refused(rng, "normal", {"loc": arrays[0], "scale": arrays[1], "size": size}))
    if size is None:
        assert said == f"scale must have a shape that can be broadcast with loc of shape {loc}, not {scale}"
    else:
        assert said.startswith(
            f"size must be a shape to which loc of shape {loc} and scale of shape {scale} can be broadcast"
        )


def test_arrays_of_the_device_that_are_illegal(queue: cl.CommandQueue) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    for values, said in [
        (np.array([1, NAN], np.float32), "as float32, not nan, as element 1 of scale has it"),
        (np.array([[1, -1]], np.float32), "as float32, not -1.0, as element (0, 1) of scale has it"),
        (np.array([INF, 1], np.float32), "as float32, not inf, as element 0 of scale has it"),
        (np.array([1, 1e39]), "as float32, not 1e+39, as element 1 of scale has it"),
        (np.array([1, -2]), "as float32, not -2, as element 1 of scale has it"),
    ]:
        error = refused(rng, "exponential", {"scale": cla.to_device(queue, values)})
        assert f"scale must be finite numbers of 0 or more {said}" in str(error)
    assert "loc must" in str(refused(rng, "normal", {"loc": cla.to_device(queue, np.array([NAN], np.float32))}))


@pytest.mark.parametrize("bits", [clrng.PCG64(7), clrng.LaggedFibonacci((103, 250), "xor", seed=5)], ids=repr)
def test_values_after_an_error_are_the_next_ones(queue: cl.CommandQueue, bits: clrng.BitGenerator) -> None:
    rng, n = clrng.Generator(bits.copy(), queue), 1000
    scale, out = cla.to_device(queue, np.ones(n, np.float32)), cla.zeros(queue, n, np.float32)
    wrong = scale.copy()
    wrong[777] = np.float32(-1)
    first = rng.normal(0.0, scale).get()
    for more in ({}, {"out": out}):
        assert "as element 777 of scale" in str(refused(rng, "normal", {"scale": wrong, **more}))
    assert not out.get().any()
    made = np.append(first, rng.normal(0.0, scale).get())
    assert_array_equal(made, clrng.Generator(bits.copy(), queue).normal(0.0, 1.0, 2 * n).get())


@pytest.mark.slow
def test_empty_arrays_give_empty_arrays(queue: cl.CommandQueue) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    before = rng.bit_generator.copy()
    assert rng.normal(np.zeros((0, 3), np.float32), 2.0).shape == (0, 3)
    assert rng.exponential([]).shape == (0,)
    for case in CASES.values():
        assert case.draw(rng, (3, 0), dtype=case.dtypes[0]).shape == (3, 0)
    assert rng.bit_generator == before


def test_errors_about_arrays_name_the_argument_of_the_method(queue: cl.CommandQueue) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    ones = np.ones(3, np.float32)
    for method, arguments, message in [
        ("vonmises", {"mu": cla.to_device(queue, np.array([NAN], np.float32)), "kappa": 1.0}, "mu must be finite"),
        ("vonmises", {"mu": ones, "kappa": 1.0, "size": 2}, r"size must be a shape to which mu of shape \(3,\) can be"),
        ("vonmises", {"mu": ones, "kappa": 1.0, "out": ones[:2]}, r"out must have .* mu of shape \(3,\) can be"),
        ("exponential", {"scale": ones, "size": 2}, r"size must be a shape to which scale of shape \(3,\) can be"),
        ("normal", {"loc": [[1, 2], [3]], "scale": 1.0}, r"loc must be finite numbers, not \[\[1, 2\], \[3\]\]"),
        ("normal", {"loc": ones, "scale": 2.0, "out": []}, r"out must be .*, not \[\]"),
        ("normal", {"loc": ones, "scale": 2.0, "size": 2}, r"size must be a shape to which loc of shape \(3,\) can be"),
        ("gamma", {"shape": 1.0, "scale": ones, "size": 3, "out": ones[:2]}, r"out must have shape \(3,\)"),
    ]:
        assert re.match(message, str(refused(rng, method, arguments))), method


def test_numbers_that_are_too_large_for_float32_are_named_as_the_method_does(queue: cl.CommandQueue) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    for method, arguments, message in [
        (
            "vonmises",
            {"mu": 1e39, "kappa": 1.0},
            r"mu must be at most 3.4028234663852886e\+38 in size as dtype is float32",
        ),
        (
            "lognormal",
            {"mean": 100.0},
            r"exp\(mean\) must be at most 3.4028234663852886e\+38 in size as dtype is float32",
        ),
        ("normal", {"loc": -1e39}, r"loc must be at most .*, not -1e\+39"),
        ("gamma", {"shape": 1.0, "scale": 1e39}, r"scale must be at most .*, not 1e\+39"),
    ]:
        assert re.match(message, str(refused(rng, method, {**arguments, "size": 3}))), method
