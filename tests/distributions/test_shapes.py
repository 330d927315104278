"""Shapes that are arrays: values of surfaces, by their definition, by mpmath, and whatever part of an array is made."""

from collections.abc import Callable
from functools import partial
from typing import Any

import mpmath
import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal
from scipy import stats

import clrng
from clrng.distributions.by_element import ByElements
from clrng.distributions.distribution import REALS
from clrng.distributions.elements import by_elements
from clrng.distributions.quantiles import surfaces
from clrng.distributions.quantiles.families import FAMILIES
from clrng.distributions.quantiles.integrated import Gamma
from clrng.distributions.quantiles.surfaces import FORMS, patch, surface
from clrng.distributions.shapes import SURFACES
from tests.support import reference_surfaces

RAW_VALUES = 2, 6, 1000, 2**31 - 2, 2**32 - 5, 2**32, 2**61 - 1, 2**64 - 59, 2**64
OCTAVES: dict[str, dict[str, tuple[int, ...]]] = {
    "lognormal": {"float32": (0, 1, 3, 6, 8, 9), "float64": (0, 2, 5, 9)},
    "wald": {"float32": (-40, -20, -5, -1, 0, 1, 5, 20, 39), "float64": (-40, -3, 2, 39)},
    "student": {"float32": (-9, -4, -1, 0, 1, 5, 22, 39), "float64": (-9, -4, 2, 39)},
    "vonmises": {"float32": (0, 1, 2, 3, 4, 5, 9, 12), "float64": (0, 4, 9)},
}
"""Octaves whose values are compared with quantiles, where they are not these:"""
OF_SHAPES = {"float32": (-10, -6, -1, 0, 1, 4, 22, 39), "float64": (-10, -4, 2, 39)}

ALL = {"lognormal": range(11), "student": range(-9, 41), "vonmises": range(14), "wald": range(-40, 41)}
"""All octaves of a family, where they are not these:"""
ALL_OF_SHAPES = range(-10, 41)


def quantile(family: str, shape: float, p: Any, upper: bool, near: float) -> Any:
    """Return the number with the probability p below it, or above it, by mpmath.

    That of a gamma distribution is found from one that is `near`. Those of large shapes are the package's, which tests
    of quantiles compare with integrals.
    """
    a = mpmath.mpf(shape)
    survival = p if upper else 1 - p
    known: dict[str, Callable[[], Any]] = {
        "weibull": lambda: (-mpmath.log(survival)) ** (1 / a),
        "pareto": lambda: mpmath.expm1(-mpmath.log(survival) / a),
        "power": lambda: (1 - survival) ** (1 / a),
        "lognormal": lambda: mpmath.exp(a * mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * p) * (1 if upper else -1)),
        "wald": lambda: of_wald(a, p, upper, mpmath.mpf(near)),
        "student": lambda: of_student(a, p, mpmath.mpf(abs(near))),
        "vonmises": lambda: of_von_mises(a, p, mpmath.mpf(abs(near))),
    }
    if family in known:
        return known[family]()
    if shape > LARGE:
        with mpmath.workdps(15):
            return mpmath.mpf(float(Gamma(shape)(float(p), upper)))
    x = mpmath.mpf(near)
    found = mpmath.gammainc(a, x, mpmath.inf, True) if upper else mpmath.gammainc(a, 0, x, True)
    density = mpmath.exp((a - 1) * mpmath.log(x) - x - mpmath.loggamma(a))
    return x + (found - p) / density * (1 if upper else -1)


def of_wald(ratio: Any, p: Any, upper: bool, near: Any) -> Any:
    """Return the number with the probability p below it, or above it, which is `near`."""
    root, sign = mpmath.sqrt(ratio / near), 1 if upper else -1
    first, second = sign * root * (near - 1), root * (near + 1)
    found = mpmath.ncdf(-first) - sign * mpmath.exp(2 * ratio) * mpmath.ncdf(-second)
    density = mpmath.sqrt(ratio / (2 * mpmath.pi * near**3)) * mpmath.exp(-ratio * (near - 1) ** 2 / (2 * near))
    return near + (found - p) / density * sign


def of_student(df: Any, p: Any, near: Any) -> Any:
    """Return the number that is exceeded with the probability p, which is `near`, or by an expansion if df is large."""
    if df > LARGE**2:  # G. W. Hill, "Algorithm 396", Communications of the ACM 13 (1970), 619-620
        z = mpmath.sqrt(2) * mpmath.erfinv(1 - 2 * p)
        rows = ((1, 1), 4), ((3, 16, 5), 96), ((-15, 17, 19, 3), 384), ((-945, -1920, 1482, 776, 79), 92160)
        terms = (
            (sum(c * z ** (2 * i) for i, c in enumerate(row)) / under, k) for k, (row, under) in enumerate(rows, 1)
        )
        return z + z * sum(term / df**k for term, k in terms)
    beyond = mpmath.betainc(df / 2, 0.5, 0, df / (df + near * near), regularized=True) / 2
    density = (1 + near**2 / df) ** (-(df + 1) / 2) / mpmath.sqrt(df) / mpmath.beta(df / 2, 0.5)
    return near + (beyond - p) / density


def of_von_mises(kappa: Any, p: Any, near: Any) -> Any:
    """Return the angle that is exceeded with the probability p, which is `near`, by the series of Fourier."""
    count = int(60 + 18 * mpmath.sqrt(kappa))
    ratios = [mpmath.mpf(0)]  # of I_j(kappa) to I_(j - 1)(kappa)
    for j in range(count, 0, -1):
        ratios.append(1 / (2 * j / kappa + ratios[-1]))
    beyond, term = (mpmath.pi - near) / 2, mpmath.mpf(1)
    for j, ratio in enumerate(ratios[:0:-1], 1):
        term *= ratio
        beyond -= term * mpmath.sin(j * near) / j
    density = mpmath.exp(kappa * mpmath.cos(near)) / (2 * mpmath.pi * mpmath.besseli(0, kappa))
    return near + (beyond / mpmath.pi - p) / density


LARGE = 2.0**8
"""The largest shape of a gamma distribution whose integrals mpmath has soon, and whose density changes slowly."""


@pytest.mark.parametrize("dtype", ["float32", pytest.param("float64", marks=pytest.mark.slow)])
@pytest.mark.parametrize("family", FAMILIES)
def test_values_are_as_near_to_quantiles_as_promised(family: str, dtype: str) -> None:
    """That is 8 units of 2^-24; or 16 and 200 times the steepness units of 2^-53.

    Values of both signs are right relative to themselves near the median too; the steepness is that of x/(1 - 2p) then.
    """
    random = np.random.default_rng(7)
    limits = np.finfo(dtype)
    with mpmath.workdps(60):
        for octave in OCTAVES.get(family, OF_SHAPES)[dtype]:
            found = surface(family, dtype, octave, octave)
            for _ in range(60):
                shape = float(np.ldexp(1 + random.random(), octave))
                if octave == found.family.from_zero:
                    shape = 2 * shape - 2.0 ** (octave + 1)
                raw_values = int(random.choice(np.array(RAW_VALUES[3:], object)))
                x = int(random.integers(2 ** int(random.integers(1, 64)), dtype=np.uint64)) % raw_values
                x = x if random.random() < 0.5 else raw_values - 1 - x
                made = reference_surfaces.value(x, raw_values, shape, found)
                if not limits.tiny < abs(made) < limits.max:
                    continue
                upper, p = 2 * x >= raw_values, mpmath.mpf(2 * min(x, raw_values - 1 - x) + 1) / (2 * raw_values)
                right = quantile(family, shape, p, upper, made)
                smaller = p * (1 - mpmath.mpf(2) ** -30)
                nearby = quantile(family, shape, smaller, upper, made)
                if found.family.symmetric:
                    nearby *= (1 - 2 * p) / (1 - 2 * smaller)
                    made = abs(made) if (made > 0) == upper else -1
                steep = abs(nearby - right) / right * 2**30
                units = 8 if dtype == "float32" else 16 + 200 * steep
                assert abs(made - right) <= units * limits.eps / 2 * right, (octave, shape, x, raw_values)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_all_octaves_are_as_near_as_polynomials_promise(family: str) -> None:
    octaves = ALL.get(family, ALL_OF_SHAPES)
    for octave in octaves:
        assert patch(family, "float32", octave).excess <= 1, octave
    for octave in (*octaves[::5], octaves[-1]):
        assert patch(family, "float64", octave).excess <= 1, octave


OTHERS = {"vonmises": {"mu": 0.0}, "wald": {"mean": 1.0}}
"""What distributions must have besides the shape."""

GENERATORS: dict[str, Callable[[], clrng.BitGenerator]] = {
    "halves": lambda: clrng.PCG64(4),
    "31 bits": lambda: clrng.ParkMiller(seed=7),
    "64 bits": lambda: clrng.LCG(6364136223846793005, 1442695040888963407, 2**64, 5),
    "10^19": lambda: clrng.LCG(3, 1, 10**19, 1),
    "few": lambda: clrng.LCG(5, 1, 8, 1),
    "an odd number": lambda: clrng.LCG(1, 1, 61, 1),
}


@pytest.mark.parametrize("dtype", REALS)
@pytest.mark.parametrize("bits", GENERATORS)
def test_values_of_a_device_are_those_of_the_definition(queue: cl.CommandQueue, bits: str, dtype: str) -> None:
    if dtype == "float64" and not queue.device.double_fp_config:
        pytest.skip("the device has no double precision")
    n = 600
    shapes = np.exp2(np.random.default_rng(2).uniform(-3, -1, n))
    shapes[::40] = 0
    for name in ("standard_gamma", "chisquare", "weibull", "power", "lognormal", "standard_t", "vonmises", "wald"):
        own, parts, octaves = shapes, SURFACES[name], (-3, -2)
        if name in ("chisquare", "power", "standard_t", "wald"):
            own = np.where(shapes == 0, 0.3, shapes)
        if (first := FAMILIES[parts.family].from_zero) is not None:
            own, octaves = np.where(shapes < 2.0**-2, 2.0 ** (-300 * shapes), 12 * shapes), (first, first + 2)
            own[shapes == 0] = 0
        numbers, count = reference_surfaces.drawn_numbers(GENERATORS[bits](), dtype, n)
        found = surface(parts.family, dtype, *(each - parts.doublings for each in octaves))
        expected = [
            reference_surfaces.value(x, count, shape, found, parts.doublings)
            for x, shape in zip(numbers, own.tolist(), strict=True)
        ]
        given = {parts.shape: own} | OTHERS.get(name, {})
        made = getattr(clrng.Generator(GENERATORS[bits](), queue), name)(**given, dtype=dtype)
        assert_array_equal(made.get(), np.array(expected, dtype))


def kinds_of(shapes: npt.NDArray[Any], queue: cl.CommandQueue) -> dict[str, Any]:
    """Return arrays of several kinds with the same shapes, which are integers."""
    kinds: dict[str, Any] = {name: shapes.astype(name) for name in ("float16", "float32", "uint8", "int64", ">f4")}
    kinds |= {"objects": shapes.astype(np.int64).astype(object), "list": shapes.tolist()}
    return kinds | {f"{name} of the device": cla.to_device(queue, shapes.astype(name)) for name in ("float32", "int32")}


@pytest.mark.parametrize("n", [60, 70_000])
def test_shapes_of_any_dtype(queue: cl.CommandQueue, n: int) -> None:
    shapes = np.arange(n) % 7 + 1.0
    expected = clrng.default_rng(1, queue).gamma(shapes, 2.5).get()
    for kind, given in kinds_of(shapes, queue).items():
        made = clrng.default_rng(1, queue).gamma(given, 2.5).get()
        assert_array_equal(made, expected, err_msg=kind)
    scales = np.arange(n) % 3
    expected = clrng.default_rng(1, queue).gamma(shapes, scales.astype(float)).get()
    for kind, given in kinds_of(scales, queue).items():
        assert_array_equal(clrng.default_rng(1, queue).gamma(shapes, given).get(), expected, err_msg=kind)
    assert not expected[::3].any()


def test_a_value_depends_on_its_own_shape_and_scale_alone(queue: cl.CommandQueue) -> None:
    """So parts of arrays, broadcast ones, ranks, several queues, and slices have the values of whole ones."""
    shapes, scales = np.linspace(0.3, 9, 40).reshape(40, 1), np.linspace(0, 3, 50)
    size = (40, 50)
    whole = clrng.default_rng(1, queue).gamma(shapes, scales).get()
    assert_array_equal(clrng.default_rng(1, queue).gamma(np.broadcast_to(shapes, size), scales, size).get(), whole)
    for i in (0, 39):
        rng = clrng.default_rng(1, queue)
        rng.random(50 * i, "float32")
        assert_array_equal(rng.gamma(np.full(50, shapes[i, 0]), scales).get(), whole[i])
    ranks = [clrng.default_rng(1, queue).piece(rank, 3) for rank in range(3)]
    assert_array_equal(np.concatenate([rng.gamma(shapes, scales, size).get() for rng in ranks]), whole)
    several = clrng.MultiDeviceGenerator(clrng.default_rng(1).bit_generator, [queue, cl.CommandQueue(queue.context)])
    assert_array_equal(several.gamma(shapes, scales).get(), whole)
    out = cla.zeros(queue, (40, 100), np.float32)
    clrng.default_rng(1, queue).gamma(shapes, scales, out=out[:, ::2])
    assert_array_equal(out.get()[:, ::2], whole)
    assert not out.get()[:, 1::2].any()
    streams = clrng.Streams.by_jumps(clrng.ParkMiller(seed=3), 4, distance=1000, queue=queue)
    rows = streams.sample(clrng.distribution("gamma", shape=shapes[:4, 0], scale=[[1.0], [2.0]]), 2).get()
    rng = clrng.Generator(clrng.ParkMiller(seed=3), queue)
    assert_array_equal(rows[:, 0], rng.gamma([shapes[0, 0]] * 2, [1.0, 2.0]).get())


def test_scales_multiply(queue: cl.CommandQueue) -> None:
    shapes = np.linspace(0.3, 9, 500)
    plain = clrng.default_rng(1, queue).standard_gamma(shapes).get()
    assert_array_equal(clrng.default_rng(1, queue).gamma(shapes, 3).get(), plain * np.float32(3))
    assert_array_equal(clrng.default_rng(1, queue).chisquare(2 * shapes).get(), 2 * plain)
    scales = np.float32(np.linspace(0, 5, 500))
    assert_array_equal(clrng.default_rng(1, queue).gamma(shapes, scales).get(), plain * scales)
    small = clrng.default_rng(1, queue).gamma(shapes, 1e-38).get()
    assert ((small == 0) | (small >= np.finfo(np.float32).tiny)).all()
    assert np.isfinite(clrng.default_rng(1, queue).gamma(shapes, 3e38).get()).all()


def test_shapes_of_zero_alone(queue: cl.CommandQueue) -> None:
    assert not clrng.default_rng(1, queue).gamma(np.zeros(9), 3.0).get().any()
    assert not clrng.default_rng(1, queue).weibull([0.0, -0.0]).get().any()
    assert clrng.default_rng(1, queue).gamma([0.0, 5.0], size=(9, 2)).get()[:, 1].all()


def test_means_of_logarithms_are_factors(queue: cl.CommandQueue) -> None:
    sigmas, means = np.linspace(0, 20, 500), np.float32(np.linspace(-60, 60, 500))
    means[::100] = -99
    plain = clrng.default_rng(1, queue).lognormal(0, sigmas).get()
    factors = np.array([mpmath.exp(each.item()) for each in means]).astype(np.float32)
    expected = np.minimum(plain.astype(float) * factors, float(np.finfo(np.float32).max)).astype(np.float32)
    expected[(expected < np.finfo(np.float32).tiny) | (means == -99)] = 0
    assert_array_equal(clrng.default_rng(1, queue).lognormal(means, sigmas).get(), expected)
    one = clrng.default_rng(1, queue).lognormal(2.5, sigmas).get()
    assert_array_equal(one, np.float32(plain.astype(float) * np.float32(mpmath.exp(2.5))))
    assert one[0] == np.float32(mpmath.exp(2.5))


def test_means_of_wald_are_factors(queue: cl.CommandQueue) -> None:
    means, scales = np.linspace(0.3, 9, 500), np.linspace(3, 0.2, 500)
    plain = clrng.default_rng(1, queue).wald(1.0, scales / means).get()
    made = clrng.default_rng(1, queue).wald(means, scales).get()
    assert_array_equal(made, plain * means.astype(np.float32))
    for on_device in (False, True):
        own = [np.float32(each) for each in (means, scales)]
        own = [cla.to_device(queue, each) for each in own] if on_device else own
        mean, scale = (np.asarray(each, np.float32).astype(float) for each in (means, scales))
        expected = clrng.default_rng(1, queue).wald(mean, scale)
        assert_array_equal(clrng.default_rng(1, queue).wald(*own).get(), expected.get())
    for given in ((means, 2.0), (0.7, scales), (means[:20, None], scales)):
        whole = clrng.default_rng(1, queue).wald(*given).get()
        both = [np.ascontiguousarray(each) for each in np.broadcast_arrays(*given)]
        assert_array_equal(whole, clrng.default_rng(1, queue).wald(*both).get())


def test_shapes_that_are_all_large(queue: cl.CommandQueue) -> None:
    """So the surface of the first call, with which a kernel proves itself, does not have the octave of small shapes."""
    for name, given in (
        ("vonmises", {"mu": 0.0, "kappa": [100.0]}),
        ("lognormal", {"mean": 0.0, "sigma": [10.0, 0.0]}),
    ):
        rng = clrng.Generator(clrng.LCG(5, 3, 2**35, 1), queue)  # of no other test
        own = {key: value[0] if isinstance(value, list) else value for key, value in given.items()}
        alone = getattr(clrng.Generator(clrng.LCG(5, 3, 2**35, 1), queue), name)(**own, size=(9, 2)).get()
        made = getattr(rng, name)(**given, size=(9, 2)).get()
        np.testing.assert_allclose(made[:, 0], alone[:, 0], 24 * 2.0**-24, 2.0**-24)


def test_modes_are_added_as_to_those_of_one_kappa(queue: cl.CommandQueue) -> None:
    kappas, modes = np.linspace(0, 40, 500), np.float32(np.linspace(-60, 60, 500))
    plain = clrng.default_rng(1, queue).vonmises(0, kappas).get().astype(float)
    made = clrng.default_rng(1, queue).vonmises(modes, kappas).get()
    turned = (plain + modes + np.pi) % (2 * np.pi) - np.pi
    assert np.abs(np.exp(1j * made) - np.exp(1j * turned)).max() < 64 * 2.0**-24
    assert np.abs(made).max() <= np.pi
    for mode in (2.5, 1e16):  # of a number whole turns are taken exactly
        made = clrng.default_rng(1, queue).vonmises(mode, np.full(500, 3.0)).get()
        alone = clrng.default_rng(1, queue).vonmises(mode, 3.0, 500).get()
        assert np.abs(np.exp(1j * made) - np.exp(1j * alone)).max() < 64 * 2.0**-24


@pytest.mark.parametrize(("name", "ends"), [("gamma", (2.0**-10, 2.0**40)), ("chisquare", (2.0**-9, 2.0**40))])
def test_the_smallest_and_the_largest_shape(queue: cl.CommandQueue, name: str, ends: tuple[float, float]) -> None:
    for end in ends:
        made = getattr(clrng.default_rng(3, queue), name)([end], size=500).get()
        alone = getattr(clrng.default_rng(3, queue), name)(end, size=500).get()
        np.testing.assert_allclose(made, alone, 24 * 2.0**-24, 2.0**-124)


BAD: list[tuple[str, dict[str, Any], str]] = [
    ("gamma", {"shape": [1.0, -2.0]}, r"shape must be .* not -2\.0, as element 1 of shape has it"),
    ("gamma", {"shape": [1.0, np.nan]}, "shape must be .* not nan, as element 1 of shape has it"),
    ("gamma", {"shape": [0.0, 1e-4]}, "shape must be .* not 0\\.0001, as element 1 of shape has it"),
    ("gamma", {"shape": [[1.0], [2.0]], "scale": [1.0, 2.0, -1.0]}, "scale must be .* as element 2 of scale has it"),
    (
        "gamma",
        {"shape": [[1.0], [np.inf]], "scale": [1.0, 2.0]},
        r"shape must be .* as element \(1, 0\) of shape has it",
    ),
    ("gamma", {"shape": [1.0, 2.0], "scale": -1.0}, "scale must be [^,]*, not -1\\.0$"),
    (
        "gamma",
        {"shape": [1.0, 2.0], "scale": 1e39},
        "scale must be at most 3.4.* in size as dtype is float32, not 1e\\+39$",
    ),
    ("gamma", {"shape": [1.0, 2.0], "scale": [1.0, 1e39]}, "scale must be at most 3.4.* as element 1 of scale has it"),
    ("chisquare", {"df": [5, 0]}, "df must be .* not 0, as element 1 of df has it"),
    ("lognormal", {"mean": 0.0, "sigma": [5, 0, 1025]}, "sigma must be .* not 1025, as element 2 of sigma has it"),
    ("lognormal", {"mean": [[0.0], [701.0]], "sigma": [5, 0]}, r"mean must be .* as element \(1, 0\) of mean has it"),
    (
        "lognormal",
        {"mean": [1.0, 89.0], "sigma": [1.0, 2.0]},
        r"exp\(mean\) must be at most 3.4.* as element 1 of mean and sigma together has it",
    ),
    ("lognormal", {"mean": -701.0, "sigma": [1.0, 2.0]}, r"mean must be [^,]*, not -701\.0$"),
    ("standard_t", {"df": [5, 0]}, "df must be .* not 0, as element 1 of df has it"),
    ("vonmises", {"mu": 0.0, "kappa": [5.0, -1.0]}, r"kappa must be .* not -1\.0, as element 1 of kappa has it"),
    ("vonmises", {"mu": [np.nan, 1.0], "kappa": [5.0, 1.0]}, "mu must be .* not nan, as element 0 of mu has it"),
    ("vonmises", {"mu": [0.0, -1e39], "kappa": [5.0, 1.0]}, "mu must be at most 3.4.* as element 1 of mu has it"),
    ("wald", {"mean": [1.0, 2.0**-30], "scale": [5, 2.0**30]}, "scale must be .* as element 1 of scale has it"),
    ("wald", {"mean": [[1.0], [2.0**-30]], "scale": 2.0**30}, r"scale must be .* as element \(1, 0\) of mean has it"),
    ("wald", {"mean": 2.0**-30, "scale": [1.0, 2.0**30]}, "scale must be .* as element 1 of scale has it"),
    ("wald", {"mean": 0.0, "scale": [1.0, 2.0**30]}, r"mean must be [^,]*, not 0\.0$"),
    ("wald", {"mean": [1, 0], "scale": 2}, "mean must be .* not 0, as element 1 of mean has it"),
    ("power", {"a": [5, 10**40]}, "a must be .* not 10{40}, as element 1 of a has it"),
]


@pytest.mark.parametrize(("name", "given", "message"), BAD)
def test_what_is_not_legal(queue: cl.CommandQueue, name: str, given: dict[str, Any], message: str) -> None:
    rng = clrng.default_rng(1, queue)
    before = rng.bit_generator.state
    for kind in (lambda value: value, lambda value: np.asarray(value) if isinstance(value, list) else value):
        with pytest.raises(ValueError, match=message) as found:
            getattr(rng, name)(**{key: kind(value) for key, value in given.items()})
        held = {key: np.asarray(value) for key, value in given.items() if isinstance(value, list)}
        shape = np.broadcast_shapes(*(each.shape for each in held.values()))
        with pytest.raises(ValueError, match="must be") as of_laws:
            ByElements(name, {**given, **held}, held, shape).transform(0, 2**32, np.dtype(np.float32))
        assert str(found.value) == str(of_laws.value)
    assert rng.bit_generator.state == before


@pytest.mark.parametrize("dtype", REALS)
@pytest.mark.parametrize("name", SURFACES)
def test_values_are_distributed_as_they_should(queue: cl.CommandQueue, name: str, dtype: str) -> None:
    if dtype == "float64" and not queue.device.double_fp_config:
        pytest.skip("the device has no double precision")
    shapes = np.exp2(np.random.default_rng(9).uniform(-3, 1, 40_000))
    given = {SURFACES[name].shape: shapes} | OTHERS.get(name, {})
    made = getattr(clrng.default_rng(8, queue), name)(**given, dtype=dtype).get().astype(float)
    law = {
        "chisquare": stats.chi2, "weibull": stats.weibull_min, "pareto": stats.lomax, "power": stats.powerlaw,
        "lognormal": stats.lognorm, "standard_t": stats.t, "vonmises": stats.vonmises,
    }  # fmt: skip
    cdf = partial(stats.invgauss.cdf, scale=shapes) if name == "wald" else law.get(name, stats.gamma).cdf
    assert stats.kstest(cdf(made, 1 / shapes if name == "wald" else shapes), "uniform").pvalue > 1e-4


def test_forms_fill_whole_rows() -> None:
    for dtype, form in FORMS.items():
        found = surface("power", dtype, 0, 1)
        assert found.bends.shape[1] == form.width
        assert found.heights.shape[1] == 2
        assert found.octaves.shape == (2, 2**form.cell_bits, 128)
        used = found.bends[found.bends != 0]
        assert np.abs(used).min() >= surfaces.TINY
        assert not found.heights.flags.writeable


def test_laws_of_one_scale_array_are_as_before() -> None:
    chosen = by_elements("gamma", {"shape": 2.0, "scale": None}, {"scale": np.array([1.0, 2.0])}, (2,))
    assert isinstance(chosen, ByElements)
