"""What the device makes of each number of an array: exponentials, and numbers of another dtype."""

from typing import Any

import mpmath
import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions.by_element import LOOK
from clrng.fill.each_number import exponentials
from clrng.frontends.looks import LARGE, LookOnDevice
from clrng.order.arguments import KEYS


@pytest.fixture
def _doubles(queue: cl.CommandQueue) -> None:
    if not queue.device.double_fp_config:
        pytest.skip("the device has no double precision")


@pytest.mark.usefixtures("_doubles")
@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_exponentials_are_those_of_mpmath(queue: cl.CommandQueue, kind: str, dtype: str) -> None:
    ends = (-87.0, 88.0) if dtype == "float32" else (-700.0, 709.0)
    numbers = np.random.default_rng(1).uniform(*ends, 4000).astype(kind)
    numbers[:3] = 0, -0.0, 1e-30
    made: Any = exponentials(queue, cla.to_device(queue, numbers), np.dtype(dtype))
    assert made.dtype == dtype
    assert_array_equal(made.get(), LOOK.exponentials(numbers, np.dtype(dtype)))
    with mpmath.workdps(30):
        right = np.array([float(mpmath.exp(x)) for x in numbers[:500].tolist()])
    limits = np.finfo(dtype)
    np.testing.assert_allclose(
        made.get()[:500].astype(float), right, rtol=float(limits.eps) * (0.5 + (dtype == "float64"))
    )


@pytest.mark.usefixtures("_doubles")
def test_parts_of_memory(queue: cl.CommandQueue) -> None:
    numbers, single = np.random.default_rng(2).normal(size=(40, 50)), np.dtype(np.float32)
    look, on_device = LookOnDevice(queue), cla.to_device(queue, numbers)
    for part in (np.s_[7:], np.s_[3], np.s_[:]):
        made = look.exponentials(on_device[part], single)
        assert isinstance(made, cla.Array)
        assert_array_equal(made.get(), LOOK.exponentials(numbers[part], single))
    assert isinstance(look.exponentials(numbers, single), np.ndarray)


@pytest.mark.usefixtures("_doubles")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_means_of_lognormal_distributions(queue: cl.CommandQueue, dtype: str) -> None:
    """Those that stay on the device give what parts of them give that the host looks at."""
    means = np.random.default_rng(3).normal(size=LARGE + 3) * 5
    sigmas = np.linspace(0.1, 2, means.size)
    for given in (means, cla.to_device(queue, means), cla.to_device(queue, means.astype(np.float32))):
        own = given.astype(float) if isinstance(given, np.ndarray) else given.get().astype(float)
        made = clrng.default_rng(1, queue).lognormal(given, sigmas, dtype=dtype).get()
        plain = clrng.default_rng(1, queue).lognormal(0.0, sigmas, dtype=dtype).get()
        assert_array_equal(made, plain * LOOK.exponentials(own, np.dtype(dtype)))


@pytest.mark.usefixtures("_doubles")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_means_of_one_sigma_give_the_values_of_numbers(queue: cl.CommandQueue, dtype: str) -> None:
    means = np.array([-90.0, -3.5, 0.0, 0.1, 2.0, 80.0])[:, None]
    whole = clrng.Generator(clrng.ParkMiller(seed=7), queue).lognormal(means, 0.75, (6, 40), dtype=dtype).get()
    rng = clrng.Generator(clrng.ParkMiller(seed=7), queue)
    assert_array_equal(whole, [rng.lognormal(mean, 0.75, 40, dtype=dtype).get() for mean in means[:, 0].tolist()])
    out = cla.zeros(queue, (6, 80), np.dtype(dtype))
    clrng.Generator(clrng.ParkMiller(seed=7), queue).lognormal(cla.to_device(queue, means), 0.75, out=out[:, ::2])
    assert_array_equal(out.get()[:, ::2], whole)
    several = clrng.MultiDeviceGenerator(clrng.ParkMiller(seed=7), [queue, cl.CommandQueue(queue.context)])
    assert_array_equal(several.lognormal(means, 0.75, (6, 40), dtype=dtype), whole)
    ranks = [clrng.Generator(clrng.ParkMiller(seed=7), queue).piece(rank, 4) for rank in range(4)]
    parts = [rank.lognormal(means, 0.75, (6, 40), dtype=dtype).get() for rank in ranks]
    assert_array_equal(np.concatenate(parts), whole)


@pytest.mark.usefixtures("_doubles")
def test_what_is_not_legal_of_one_sigma(queue: cl.CommandQueue) -> None:
    rng = clrng.default_rng(1, queue)
    with pytest.raises(ValueError, match="mean must be a number from .*, not nan, as element 1 of mean has it"):
        rng.lognormal([0.0, np.nan, 1.0], 0.5)
    with pytest.raises(ValueError, match="sigma must be .*, not -1"):
        rng.lognormal([0.0, 1.0], -1)
    with pytest.raises(ValueError, match="element 2 of mean"):
        rng.lognormal([0.0, 1.0, 89.0], 0.5, dtype="float32")
    assert rng.lognormal(np.zeros((0, 3)), 0.5).shape == (0, 3)
    assert_array_equal(rng.random(3).get(), clrng.default_rng(1, queue).random(3).get())


@pytest.mark.usefixtures("_doubles")
def test_means_that_are_too_large(queue: cl.CommandQueue) -> None:
    means: Any = cla.to_device(queue, np.zeros(LARGE))
    means[70] = 89.0
    rng = clrng.default_rng(1, queue)
    with pytest.raises(ValueError, match="element 70"):
        rng.lognormal(means, cla.to_device(queue, np.full(LARGE, 0.5)), dtype="float32")
    assert_array_equal(rng.random(3).get(), clrng.default_rng(1, queue).random(3).get())


@pytest.mark.parametrize("kind", [kind for kind in KEYS if kind != "float16"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_numbers_of_any_dtype_are_rounded_once(queue: cl.CommandQueue, kind: str, dtype: str) -> None:
    rng = np.random.default_rng(4)
    if "float64" in (kind, dtype) and not queue.device.double_fp_config:
        pytest.skip("the device has no double precision")
    if kind.startswith("float"):
        numbers: Any = rng.normal(size=LARGE + 3).astype(kind)
    else:
        bits = rng.integers(0, 2**64, LARGE + 3, np.uint64)
        numbers = (bits >> np.uint64(64 - 8 * np.dtype(kind).itemsize)).astype(kind)
    look, on_device = LookOnDevice(queue), cla.to_device(queue, numbers)
    for part in (np.s_[:], np.s_[1:], np.s_[100:170]):
        made = look.rounded(on_device[part], np.dtype(dtype))
        assert isinstance(made, cla.Array)
        assert_array_equal(made.get(), numbers[part].astype(dtype))
    exact = [int(x) if kind.startswith(("i", "u")) else float(x) for x in numbers[:2000].tolist()]
    with mpmath.workprec(24 if dtype == "float32" else 53):
        assert_array_equal(made_of(look, numbers[:2000], dtype), [float(mpmath.mpf(x)) for x in exact])


def made_of(look: LookOnDevice, numbers: Any, dtype: str) -> Any:
    return look.rounded(cla.to_device(look._queue, numbers), np.dtype(dtype)).get()


@pytest.mark.usefixtures("_doubles")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_places_of_another_dtype_stay_on_the_device(
    queue: cl.CommandQueue, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Arrays of a device of any dtype give the values of the same numbers of the host, and are not copied to it."""
    rng = np.random.default_rng(5)
    means, sizes = rng.uniform(0.5, 1.5, LARGE), rng.integers(1, 40, LARGE)
    methods: list[tuple[str, list[Any]]] = [
        ("wald", [means, sizes]), ("vonmises", [means, sizes]), ("gamma", [sizes, means]), ("normal", [sizes, means]),
        ("uniform", [-sizes, means]), ("lognormal", [means, means]), ("laplace", [means, sizes]),
    ]  # fmt: skip
    wanted = [getattr(clrng.default_rng(1, queue), name)(*given, dtype=dtype).get() for name, given in methods]
    held = [(name, [cla.to_device(queue, each) for each in given]) for name, given in methods]
    for name, given in held:  # whatever is proved is proved now
        getattr(clrng.default_rng(1, queue), name)(*given, dtype=dtype)
    with monkeypatch.context() as patch:
        patch.setattr(cla.Array, "get", lambda *_, **__: pytest.fail("an array is copied to the host"))
        made = [getattr(clrng.default_rng(1, queue), name)(*given, dtype=dtype) for name, given in held]
    for (name, _), own, right in zip(methods, made, wanted, strict=True):
        assert_array_equal(own.get(), right, name)


@pytest.mark.usefixtures("_doubles")
def test_numbers_that_are_not_legal_before_they_are_rounded(queue: cl.CommandQueue) -> None:
    numbers: Any = cla.to_device(queue, np.ones(LARGE))
    numbers[9] = 1e39
    rng = clrng.default_rng(1, queue)
    with pytest.raises(ValueError, match="loc must be finite numbers as float32, not 1e.39, as element 9"):
        rng.normal(numbers, dtype="float32")
    assert rng.normal(numbers, dtype="float64").get()[9] == 1e39
    numbers[9] = -1e-60
    for draw in (lambda: rng.normal(0, numbers, dtype="float32"), lambda: rng.exponential(numbers, dtype="float32")):
        with pytest.raises(ValueError, match="scale must be finite numbers of 0 or more .*, not -1e-60, as element 9"):
            draw()
