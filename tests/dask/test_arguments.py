"""What `clrng.dask` refuses, at the call and not when an array is computed, and what its methods are called."""

import inspect
from collections.abc import Callable
from typing import Any

import dask.array as da
import numpy as np
import pyopencl.array as cla
import pytest

import clrng
import clrng.dask
from clrng.distributions.catalog import DISTRIBUTIONS
from clrng.distributions.parameters import NEEDED
from clrng.generators import BitGenerator
from tests.support.generators import GENERATORS
from tests.support.processes import python, said

Rng = clrng.dask.Generator
ARRAY = np.array([1.0, 2.0])

BAD: dict[str, tuple[Callable[[Rng], Any], type[Exception], str]] = {
    "chunks do not add up": (
        lambda rng: rng.random(7, chunks=((3, 3),)),
        ValueError,
        r"^chunks must be what dask takes as the chunks of an array of the shape \(7,\), not \(\(3, 3\),\): .*add up",
    ),
    "too many chunks": (lambda rng: rng.random(7, chunks=(3, 3)), ValueError, "^chunks must be .*, not .3, 3.: "),
    "chunks of text": (lambda rng: rng.random(7, chunks="float32"), ValueError, "^chunks must be .*, not 'float32': "),
    "no chunks": (lambda rng: rng.random(7, chunks=None), ValueError, "^chunks must be .*, not None: "),
    "chunks of nothing": (lambda rng: rng.random(7, chunks=0), ValueError, "^chunks must be .*, not 0"),
    "negative chunks": (lambda rng: rng.random(7, chunks=((9, -2),)), ValueError, "^chunks must be .*, not "),
    "fractions": (lambda rng: rng.random(7, chunks=((3.5, 3.5),)), ValueError, "^chunks must be .*, not "),
    "an object": (lambda rng: rng.random(7, chunks=object()), TypeError, "^chunks must be .*, not <object"),
    "a dtype in their place": (
        lambda rng: rng.normal(0, 1, 7, np.float32),
        TypeError,
        "^chunks must be .*, not the ",
    ),
    "size": (lambda rng: rng.random(-1), ValueError, "^size must be an integer from 0 "),
    "size of floats": (lambda rng: rng.random((2.5, 1)), TypeError, r"^size\[0\] must be an integer "),
    "dtype": (
        lambda rng: rng.random(7, "int32"),
        ValueError,
        "^dtype must be float32 or float64 or float16 or bfloat16, not int32",
    ),
    "no dtype": (
        lambda rng: rng.normal(size=7, dtype="x"),
        TypeError,
        "^dtype must be float32 or float64 or float16 or bfloat16, not 'x'",
    ),
    "dtype too small": (lambda rng: rng.poisson(1000, 7, dtype="int8"), ValueError, "^dtype must hold "),
    "integers": (lambda rng: rng.integers(0, 300, 7, "uint8"), ValueError, "^high must be an integer from "),
    "parameter": (lambda rng: rng.gamma(-1.0, size=7), ValueError, "^shape must be a number from "),
    "too many values": (lambda rng: rng.binomial(2**62, 0.5, 7), ValueError, "entries"),
    "interval": (lambda rng: rng.random(7, interval="x"), ValueError, "^interval must be one of "),
    "interval that is an array": (
        lambda rng: rng.random(7, interval=np.arange(3)),
        TypeError,
        "^interval must be one of .*, not array",
    ),
    "method": (
        lambda rng: rng.standard_exponential(7, method="zig"),
        ValueError,
        "^method must be 'inv', not 'zig'; numpy",
    ),
    "dask's bounds of integers": (
        lambda rng: rng.integers(0, da.ones(3, dtype=int)),
        TypeError,
        "^high must be an integer or an array of the host, not dask.array.*compute it first$",
    ),
    "text": (lambda rng: rng.gamma(["a"]), TypeError, "^shape must be a real number or an array of real numbers, not "),
    "complex": (lambda rng: rng.poisson(da.ones(3, dtype=complex)), TypeError, "^lam must be a real number or an "),
    "a shape that is not known": (
        lambda rng: rng.poisson(da.ones(3)[da.ones(3) > 0]),
        ValueError,
        r"^lam must be of a known shape, not \(nan,\); call its compute_chunk_sizes first$",
    ),
    "truth values of an unknown shape": (
        lambda rng: rng.poisson(da.ones(9)[da.ones(9) > 0] > 0),
        ValueError,
        r"^lam must be of a known shape, not \(nan,\); call its compute_chunk_sizes first$",
    ),
    "shapes": (
        lambda rng: rng.uniform(0.0, da.ones(3), 2),
        ValueError,
        r"^size must be a shape to which high of shape \(3,\) can be broadcast, not \(2,\)$",
    ),
    "replace": (lambda rng: rng.choice(5, 3, False), ValueError, "^replace must be True, not False: .*depends on "),
    "elements of dask": (lambda rng: rng.choice(da.ones(3), 3), TypeError, "^a must be .* of the host, not dask.array"),
    "elements of a device": (
        lambda rng: rng.choice(cla.Array(clrng.make_queue(), 3, np.uint32), 3),
        TypeError,
        "^a must be .* of the host, not ",
    ),
    "nothing to choose": (lambda rng: rng.choice([], 3), ValueError, "^a must be .* if a value is drawn, not "),
    "axis": (lambda rng: rng.choice(ARRAY, 3, axis=1), ValueError, "^axis must be an integer from -1 to 0, not 1$"),
    "shuffle of elements": (
        lambda rng: rng.choice(ARRAY, 3, shuffle=0),
        TypeError,
        "^shuffle must be True or False, not 0$",
    ),
    "dtype of elements": (lambda rng: rng.choice(ARRAY, 3, dtype="int8"), TypeError, "^dtype must not be given where"),
    "p": (lambda rng: rng.choice(3, 3, p=[0.5, 0.5]), ValueError, "^p must be 3 probabilities"),
    "distribution": (lambda rng: rng.sample(3), TypeError, "^distribution must be one of clrng"),
    "permutation": (lambda rng: rng.permutation(3), clrng.UnsupportedError, "^permutation is not .* on all others"),
    "permuted": (lambda rng: rng.permuted([3]), clrng.UnsupportedError, "^permuted is not .* on all others"),
    "shuffle": (lambda rng: rng.shuffle([3]), clrng.UnsupportedError, "^shuffle is not .* on all others"),
    "bytes": (lambda rng: rng.bytes(3), clrng.UnsupportedError, "^bytes is not drawn here: .*integers"),
    "spawn": (lambda rng: rng.spawn(2), TypeError, "seeded"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_arguments(name: str) -> None:
    call, error, message = BAD[name]
    rng = Rng(clrng.MRG32k3a(seed=1))
    with pytest.raises(error, match=message):
        call(rng)
    assert rng.bit_generator == clrng.MRG32k3a(seed=1)


def test_bad_generators() -> None:
    for value in (None, 3, clrng.ParkMiller):
        with pytest.raises(TypeError, match="^bit_generator must be a clrng bit generator"):
            Rng(value)
    for seed, error in ((-1, ValueError), ("x", TypeError), (1.5, TypeError)):
        with pytest.raises(error, match="^seed must be an integer of 0 or more"):
            clrng.dask.default_rng(seed)


def test_default_rng() -> None:
    bits = clrng.ParkMiller(seed=1)
    rng = clrng.dask.default_rng(bits)
    assert rng.bit_generator is bits
    assert clrng.dask.default_rng(rng) is rng
    assert clrng.dask.default_rng([1, 2]).bit_generator == clrng.PCG64([1, 2])
    assert clrng.dask.default_rng().bit_generator != clrng.dask.default_rng().bit_generator


def test_spawn() -> None:
    rng = clrng.dask.default_rng(3)
    children = rng.spawn(2)
    assert [type(child) for child in children] == [Rng, Rng]
    assert [child.bit_generator for child in children] == clrng.PCG64(3).spawn(2)


@pytest.mark.parametrize("name", [name for name in DISTRIBUTIONS if hasattr(clrng.Generator, name)])
def test_methods_have_the_parameters_of_the_distributions(name: str) -> None:
    found = list(inspect.signature(getattr(Rng, name)).parameters.values())[1:]
    known = {parameter.name: parameter.default for parameter in DISTRIBUTIONS[name].parameters}
    shared = {one.name: NEEDED if one.default is one.empty else one.default for one in found if one.name in known}
    assert shared | {"dtype": None} == known | {"dtype": None}  # dtype is None where int64 is the default
    others = {one.name: one.default for one in found if one.name not in known}
    assert others["size"] is None
    assert others["chunks"] == "auto"
    numpys = [one for one in inspect.signature(getattr(clrng.Generator, name)).parameters if one not in {"self", "out"}]
    assert {one.name for one in found} == {*numpys, "chunks"}


def test_every_method_is_there() -> None:
    """Those of NumPy and those of clrng, but for the cutting into ranks, which chunks are for."""
    numpys, ours = (
        {name for name, _ in inspect.getmembers(kind, callable) if not name.startswith("_")}
        for kind in (np.random.Generator, clrng.Generator)
    )
    assert {name for name in numpys | ours if not hasattr(Rng, name)} == {"piece"}


@pytest.mark.parametrize("bits", GENERATORS.values(), ids=list(GENERATORS))
def test_nothing_is_drawn_at_a_call(bits: BitGenerator, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that makes an array needs no device, and its bit generator goes on."""

    def refuse(*_: object) -> None:
        raise clrng.NoDeviceError("a device was asked for")

    monkeypatch.setattr(clrng.opencl.devices, "list_devices", refuse)
    rng = Rng(bits.copy())
    assert rng.random_raw((10, 10), chunks=3).dtype == bits.dtype
    assert rng.bit_generator == bits.jumped(100)


def test_without_dask_the_extra_is_named() -> None:
    code = "import sys; sys.modules['dask'] = None\nimport clrng.dask"
    ran = python("-c", code)
    assert ran.stderr.splitlines()[-1].startswith(
        "ImportError: clrng.dask needs dask.array: pip install 'dask[array]' ("
    )


def test_the_module_needs_no_import_of_its_own() -> None:
    assert said("-c", "import clrng; print(clrng.dask.default_rng(1).random(3, chunks=2).shape)") == "(3,)\n"
